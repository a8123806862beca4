//! Lists of names that are told again and again: each turn begins with all tools, commands and skills, and nearly always they
//! are those of the turn before.

use std::cell::RefCell;
use std::ops::Deref;
use std::sync::Arc;

use crate::cursor::{Cursor, Fault};
use crate::wire::Wire;

/// A list of names, cheap to clone.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Names(Arc<[String]>);

impl Names {
    /// The names, shared and not copied.
    pub fn into_shared(self) -> Arc<[String]> {
        self.0
    }
}

impl Deref for Names {
    type Target = [String];

    fn deref(&self) -> &[String] {
        &self.0
    }
}

impl<T: Into<Arc<[String]>>> From<T> for Names {
    fn from(names: T) -> Self {
        Names(names.into())
    }
}

/// So many lists are remembered: a line has six.
const REMEMBERED: usize = 8;

/// Longer ones are read anew, so that nobody can fill the memory with them.
const LONGEST: usize = 16 * 1024;

// Remembering the last lists as they stood in the text saves a hundred allocations for each turn, and changes nothing that can
// be seen: the same text is the same list.
thread_local! {
    static LAST: RefCell<Vec<(Box<str>, Names)>> = const { RefCell::new(Vec::new()) };
}

impl Wire for Names {
    fn read(cursor: &mut Cursor<'_>) -> Result<Self, Fault> {
        let known = LAST.with_borrow(|last| {
            let here = last.iter().find(|(text, _)| cursor.take_list(text));
            here.map(|(_, names)| names.clone())
        });
        known.map_or_else(|| remember(cursor), Ok)
    }

    fn write(&self, out: &mut String) {
        crate::wire::write_list(&self.0, out);
    }

    fn missing() -> Self {
        Names::default()
    }
}

fn remember(cursor: &mut Cursor<'_>) -> Result<Names, Fault> {
    let (start, noticed) = (cursor.place(), cursor.noticed.len());
    let names = Names::from(Vec::read(cursor)?);
    let text = cursor.text_since(start);
    // What did not fit has to be noted each time.
    if text.len() <= LONGEST && cursor.noticed.len() == noticed {
        LAST.with_borrow_mut(|last| {
            last.truncate(REMEMBERED - 1);
            last.insert(0, (text.into(), names.clone()));
        });
    }
    Ok(names)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::cursor::Listen;

    fn read(text: &str) -> (Vec<String>, usize) {
        let mut cursor = Cursor::new(text, Listen::Notes);
        let names = Names::read(&mut cursor).unwrap();
        cursor.end().unwrap();
        (names.to_vec(), cursor.noticed.len())
    }

    #[test]
    fn a_list_is_the_same_whether_it_was_seen_or_not() {
        let texts = [r#"["a","b\n"]"#, r#"["a"]"#, "[]", r#"["a",1]"#, r#" ["a","b\n"] "#, r#"["a","b\n","c"]"#];
        let first = texts.map(read);
        assert_eq!(first[0], (vec!["a".to_owned(), "b\n".to_owned()], 0));
        assert_eq!(first[3], (vec!["a".to_owned()], 1));
        assert_eq!(texts.map(read), first);
    }

    #[test]
    fn a_list_that_is_told_again_is_shared() {
        let read = |text| Names::read(&mut Cursor::new(text, Listen::Notes)).unwrap().into_shared();
        let text = r#"["Read","Write"]"#;
        assert!(Arc::ptr_eq(&read(text), &read(text)));
    }
}
