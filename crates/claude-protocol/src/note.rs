//! What a reader noticed besides the message: fields that did not fit, and kinds that no type names.

use std::fmt;

/// A field of a known kind that could not be read: the field is absent (or empty), the rest of the message is there,
/// and the text of the line still has it.
/// Of one line, at most a thousand things are noted.
#[derive(Clone, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct Note {
    /// Where in the line, for example `message.content[].input`.
    pub path: String,
    /// What the type asks for.
    pub expected: &'static str,
    /// What stood there.
    pub found: &'static str,
}

impl fmt::Display for Note {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "`{}`: expected {}, found {}", self.path, self.expected, self.found)
    }
}

/// A tag that no variant names: a message type, a subtype, a block type. The value is carried whole as `Other`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct Unknown {
    /// Where in the line; empty for the message itself.
    pub path: String,
    /// The key that tells kinds apart there: `type` or `subtype`.
    pub tag: &'static str,
    /// What it said; empty when the tag was absent or no string.
    pub kind: String,
}

/// A string that the list of words of its type lacks, for example a new permission mode. It is carried as `Other`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
#[non_exhaustive]
pub struct UnknownWord {
    /// Where in the line.
    pub path: String,
    /// The word.
    pub word: String,
}

/// What a line holds that the types do not name.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Drift {
    /// Fields of known messages that did not fit their type.
    pub notes: Vec<Note>,
    /// Paths of fields that no type has, for example `message.usage.speed`; `[]` stands for any index and `*` for any
    /// key of a map.
    pub unmodelled: Vec<String>,
    /// Messages and parts of a kind that no variant names.
    pub unknown: Vec<Unknown>,
    /// Words that no list has.
    pub words: Vec<UnknownWord>,
}

/// One thing that a reader noticed.
#[derive(Debug)]
pub(crate) enum Noticed {
    Note(Note),
    Unmodelled(String),
    Unknown(Unknown),
    Word(UnknownWord),
}

impl Noticed {
    /// Puts the name of the enclosing field (or `[]`) in front of the path.
    pub(crate) fn prefix(&mut self, outer: &str) {
        let path = match self {
            Noticed::Note(note) => &mut note.path,
            Noticed::Unmodelled(path) => path,
            Noticed::Unknown(unknown) => &mut unknown.path,
            Noticed::Word(word) => &mut word.path,
        };
        let joint = if path.is_empty() || path.starts_with('[') { "" } else { "." };
        *path = format!("{outer}{joint}{path}");
    }
}

impl From<Vec<Noticed>> for Drift {
    #[inline]
    fn from(noticed: Vec<Noticed>) -> Self {
        if noticed.is_empty() { Drift::default() } else { Drift::sorted(noticed) }
    }
}

impl Drift {
    #[cold]
    fn sorted(noticed: Vec<Noticed>) -> Self {
        let mut drift = Drift::default();
        for thing in noticed {
            match thing {
                Noticed::Note(note) => drift.notes.push(note),
                Noticed::Unmodelled(path) => drift.unmodelled.push(path),
                Noticed::Unknown(unknown) => drift.unknown.push(unknown),
                Noticed::Word(word) => drift.words.push(word),
            }
        }
        drift
    }
}
