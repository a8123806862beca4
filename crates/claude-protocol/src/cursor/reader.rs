//! JSON text in, any type that serde reads out: for the inputs and results of tools, of which a reader wants a few fields
//! and passes over the rest. Faster than `serde_json` where strings are long and have many escapes, and lone surrogates,
//! which that refuses, read as U+FFFD.

use std::borrow::Cow;
use std::fmt;

use serde::de::value::CowStrDeserializer;
use serde::de::{
    self, DeserializeOwned, DeserializeSeed, Deserializer, IntoDeserializer, MapAccess, SeqAccess, Visitor,
};
use serde::forward_to_deserialize_any;

use super::{Cursor, Fault, Listen};

/// Values that are read may be nested so deep, as in `serde_json`; what is passed over may be deeper.
const DEEPEST: usize = 127;

/// The value of a whole text; `None` when it is no JSON or does not fit the type. An enum is told by a string alone.
pub(crate) fn read<T: DeserializeOwned>(text: &str) -> Option<T> {
    let mut reader = Reader { cursor: Cursor::new(text, Listen::Notes), open: 0 };
    let value = T::deserialize(&mut reader).ok()?;
    reader.cursor.end().ok()?;
    Some(value)
}

struct Reader<'de> {
    cursor: Cursor<'de>,
    /// Objects and lists that have begun and not ended.
    open: usize,
}

/// The text does not fit the type. Nobody asks where.
#[derive(Debug)]
struct Unfit;

impl<'de> Reader<'de> {
    /// Reads what stands in the brackets that begin here, all of it.
    fn nested<T>(&mut self, read: impl FnOnce(&mut Self) -> Result<T, Unfit>) -> Result<T, Unfit> {
        let bracket = self.cursor.peek();
        self.cursor.open(bracket, "")?;
        let around = self.open;
        self.open += 1;
        if self.open > DEEPEST {
            return Err(Unfit);
        }
        let value = read(self)?;
        // Whoever knows how many there are does not ask for one more, which would have closed the brackets.
        if self.open > around {
            // '{' and '}' as well as '[' and ']' are two apart.
            self.cursor.open(bracket + 2, "")?;
            self.open = around;
        }
        Ok(value)
    }

    fn number<V: Visitor<'de>>(&mut self, visitor: V) -> Result<V::Value, Unfit> {
        let text = self.cursor.number()?;
        if let Ok(number) = text.parse::<u64>() {
            return visitor.visit_u64(number);
        }
        match text.parse::<i64>() {
            Ok(number) if number != 0 => visitor.visit_i64(number),
            _ => {
                let number = text.parse::<f64>().ok().filter(|number| number.is_finite());
                visitor.visit_f64(number.ok_or(Unfit)?)
            }
        }
    }
}

impl<'de> Deserializer<'de> for &mut Reader<'de> {
    type Error = Unfit;

    fn deserialize_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        match self.cursor.peek() {
            b'{' => self.nested(|reader| visitor.visit_map(Members { reader, first: true })),
            b'[' => self.nested(|reader| visitor.visit_seq(Members { reader, first: true })),
            b'"' => match self.cursor.string()? {
                Cow::Borrowed(text) => visitor.visit_borrowed_str(text),
                Cow::Owned(text) => visitor.visit_string(text),
            },
            b't' | b'f' => visitor.visit_bool(self.cursor.boolean()?),
            b'n' => {
                self.cursor.null()?;
                visitor.visit_unit()
            }
            _ => self.number(visitor),
        }
    }

    fn deserialize_option<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        if self.cursor.null()? { visitor.visit_none() } else { visitor.visit_some(self) }
    }

    fn deserialize_newtype_struct<V: Visitor<'de>>(self, _: &'static str, visitor: V) -> Result<V::Value, Unfit> {
        visitor.visit_newtype_struct(self)
    }

    fn deserialize_enum<V: Visitor<'de>>(
        self,
        _: &'static str,
        _: &'static [&'static str],
        visitor: V,
    ) -> Result<V::Value, Unfit> {
        let word: CowStrDeserializer<'_, Unfit> = self.cursor.string()?.into_deserializer();
        visitor.visit_enum(word)
    }

    fn deserialize_ignored_any<V: Visitor<'de>>(self, visitor: V) -> Result<V::Value, Unfit> {
        self.cursor.skip()?;
        visitor.visit_unit()
    }

    forward_to_deserialize_any! {
        bool i8 i16 i32 i64 i128 u8 u16 u32 u64 u128 f32 f64 char str string bytes byte_buf unit unit_struct seq tuple
        tuple_struct map struct identifier
    }
}

/// The members of an object, or the elements of a list.
struct Members<'r, 'de> {
    reader: &'r mut Reader<'de>,
    first: bool,
}

impl<'de> MapAccess<'de> for Members<'_, 'de> {
    type Error = Unfit;

    fn next_key_seed<K: DeserializeSeed<'de>>(&mut self, seed: K) -> Result<Option<K::Value>, Unfit> {
        let Some(key) = self.reader.cursor.key(&mut self.first)? else {
            self.reader.open -= 1;
            return Ok(None);
        };
        seed.deserialize(key.into_deserializer()).map(Some)
    }

    fn next_value_seed<V: DeserializeSeed<'de>>(&mut self, seed: V) -> Result<V::Value, Unfit> {
        seed.deserialize(&mut *self.reader)
    }
}

impl<'de> SeqAccess<'de> for Members<'_, 'de> {
    type Error = Unfit;

    fn next_element_seed<T: DeserializeSeed<'de>>(&mut self, seed: T) -> Result<Option<T::Value>, Unfit> {
        if !self.reader.cursor.more(b']', &mut self.first)? {
            self.reader.open -= 1;
            return Ok(None);
        }
        seed.deserialize(&mut *self.reader).map(Some)
    }
}

impl From<Fault> for Unfit {
    fn from(_: Fault) -> Self {
        Unfit
    }
}

impl fmt::Display for Unfit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("the text does not fit the type")
    }
}

impl std::error::Error for Unfit {}

impl de::Error for Unfit {
    fn custom<T: fmt::Display>(_: T) -> Self {
        Unfit
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeMap;
    use std::fmt::Debug;

    use serde::Deserialize;
    use serde_json::Value;

    use super::*;

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Plain {
        #[serde(alias = "words")]
        text: Option<String>,
        number: Option<f64>,
        list: Vec<Either>,
        map: BTreeMap<String, u8>,
        kind: Option<Kind>,
        #[serde(flatten)]
        inner: Inner,
    }

    #[derive(Debug, Default, Deserialize, PartialEq)]
    #[serde(default)]
    struct Inner {
        count: Option<i64>,
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(untagged)]
    enum Either {
        Word(String),
        Words(Vec<String>),
        Other(de::IgnoredAny),
    }

    #[derive(Debug, Deserialize, PartialEq)]
    #[serde(rename_all = "lowercase")]
    enum Kind {
        New,
        Old,
    }

    fn same<T: DeserializeOwned + Debug + PartialEq>(text: &str) {
        assert_eq!(read::<T>(text), serde_json::from_str(text).ok(), "{text}");
    }

    #[test]
    fn all_is_read_as_serde_json_reads_it() {
        let deep = |depth: usize| "[".repeat(depth) + &"]".repeat(depth);
        let texts = [
            r#"{"text":"a\n\"b\" \u00e9\ud83d\ude00","number":1,"list":["a",["b","c"],{"d":[1]}],"map":{"x":7,"y":0}}"#,
            r#" { "words" : null , "number" : -0 , "count" : -3 , "kind" : "old", "more" : [ {} , [ ] , "\\" ] } "#,
            r#"{"text":"a","text":"b"}"#,
            r#"{"number":"1"}"#,
            r#"{"number":1e3}"#,
            r#"{"number":1e999}"#,
            r#"{"number":12345678901234567890}"#,
            r#"{"map":{"x":300}}"#,
            r#"{"kind":"neither"}"#,
            r#"{"kind":7}"#,
            r#"{"text":"a"} x"#,
            r#"{"text":"a""#,
            r#"{"text":"a",}"#,
            r#"["a",1.5]"#,
            "[]",
            "{}",
            "null",
            "true",
            "18446744073709551615",
            "-9223372036854775808",
            "\"a\\tb\"",
            "",
        ];
        for text in texts.into_iter().chain([deep(100).as_str()]) {
            same::<Plain>(text);
            same::<Value>(text);
            same::<Vec<String>>(text);
            same::<Option<u64>>(text);
            same::<(String, f64)>(text);
            same::<String>(text);
        }
        assert_eq!(read::<Value>(&deep(128)), None);
        assert!(read::<Value>(&deep(127)).is_some());
    }

    #[test]
    fn lone_surrogates_are_replaced() {
        let text = r#"{"text":"x\ud83d","list":["\ude00"]}"#;
        let list = vec![Either::Word("\u{fffd}".to_owned())];
        assert_eq!(read(text), Some(Plain { text: Some("x\u{fffd}".to_owned()), list, ..Plain::default() }));
    }
}
