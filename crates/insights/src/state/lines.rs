//! The lines of a part of a diff: kept as one text, since a session has thousands of them and each is short. In JSON a list.

use std::fmt;

use serde::de::{SeqAccess, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

use crate::shape::Field;

/// Room for most parts of a diff, so that few have to grow while they are read.
const USUAL_BYTES: usize = 1024;

/// Lines, one after the other.
#[derive(Clone, Default, PartialEq, Eq)]
pub struct Lines {
    text: String,
    /// Where in the text each of them ends.
    ends: Vec<usize>,
}

impl Lines {
    /// Adds a line, put together of pieces.
    pub(crate) fn push(&mut self, pieces: &[&str]) {
        if self.ends.is_empty() {
            self.text.reserve(USUAL_BYTES);
            self.ends.reserve(USUAL_BYTES / 32);
        }
        pieces.iter().for_each(|piece| self.text.push_str(piece));
        self.ends.push(self.text.len());
    }

    /// The lines.
    pub fn iter(&self) -> impl Iterator<Item = &str> {
        let starts = std::iter::once(0).chain(self.ends.iter().copied());
        starts.zip(&self.ends).map(|(start, end)| &self.text[start..*end])
    }

    /// How many there are.
    pub fn len(&self) -> usize {
        self.ends.len()
    }

    /// Is there none?
    pub fn is_empty(&self) -> bool {
        self.ends.is_empty()
    }

    /// Gives back the room that was taken for lines that did not come.
    pub(crate) fn shrink_to_fit(&mut self) {
        self.text.shrink_to_fit();
        self.ends.shrink_to_fit();
    }
}

impl Field for Lines {}

impl<T: AsRef<str>> FromIterator<T> for Lines {
    fn from_iter<I: IntoIterator<Item = T>>(lines: I) -> Self {
        let mut all = Lines::default();
        lines.into_iter().for_each(|line| all.push(&[line.as_ref()]));
        all
    }
}

impl fmt::Debug for Lines {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.iter()).finish()
    }
}

impl Serialize for Lines {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_seq(self.iter())
    }
}

impl<'de> Deserialize<'de> for Lines {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        struct List;

        impl<'de> Visitor<'de> for List {
            type Value = Lines;

            fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
                f.write_str("a list of lines")
            }

            fn visit_seq<A: SeqAccess<'de>>(self, mut list: A) -> Result<Lines, A::Error> {
                let mut lines = Lines::default();
                while let Some(line) = list.next_element::<String>()? {
                    lines.push(&[&line]);
                }
                lines.shrink_to_fit();
                Ok(lines)
            }
        }

        deserializer.deserialize_seq(List)
    }
}

#[cfg(feature = "schema")]
crate::schema::written_as!(Lines, Vec<String>);

/// A list, as in JSON.
#[cfg(feature = "ts")]
impl ts_rs::TS for Lines {
    type WithoutGenerics = Self;
    type OptionInnerType = Self;

    fn name(config: &ts_rs::Config) -> String {
        Vec::<String>::name(config)
    }

    fn inline(config: &ts_rs::Config) -> String {
        Vec::<String>::inline(config)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lines_are_a_list_in_json() {
        for list in [vec![], vec![""], vec!["+a", "", " b\nc", "-é"]] {
            let lines: Lines = list.iter().collect();
            assert_eq!((lines.iter().collect::<Vec<_>>(), lines.len()), (list.clone(), list.len()));
            let json = serde_json::to_string(&lines).unwrap();
            assert_eq!(json, serde_json::to_string(&list).unwrap());
            assert_eq!(serde_json::from_str::<Lines>(&json).unwrap(), lines);
        }
    }
}
