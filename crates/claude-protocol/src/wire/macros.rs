//! The macros that declare the types of the protocol: each declaration is the struct a caller sees, its reader and its
//! writer at once, so the three cannot drift apart.

/// Declares structs that are JSON objects.
///
/// ```text
/// wire! {
///     /// Docs.
///     pub struct Usage {
///         /// Docs.
///         pub input_tokens: u64,                               // must be there: a note and 0 if it is not
///         /// Docs.
///         pub cost: Option<f64> = "costUSD" | "costUsd",       // name on the wire | older spellings, read only
///     }
/// }
/// ```
///
/// `pub struct Name in order { … }` says that the CLI writes the fields in this order, so that their names are looked for
/// where they should stand before anything else is tried: for what comes by the thousand. `… in order, at once by path`
/// names besides a function that reads the whole object when it has the one form that nearly all of them have, and else
/// gives `None` and leaves the cursor where it was.
macro_rules! wire {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident $(in $order:ident $(, at once by $at_once:path)?)? {
            $( $(#[$field_meta:meta])* pub $field:ident : $type:ty $(= $wire:literal $(| $alias:literal)*)? ),* $(,)?
        }
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, Default, PartialEq)]
        #[non_exhaustive]
        pub struct $name {
            $( $(#[$field_meta])* pub $field: $type, )*
        }

        impl $crate::wire::Fields for $name {
            fn read_fields(
                cursor: &mut $crate::cursor::Cursor<'_>,
                tags: &[&str],
            ) -> Result<Self, $crate::cursor::Fault> {
                $( $( if let Some(whole) = $at_once(cursor) {
                    return Ok(whole);
                } )? )?
                $( let mut $field = $crate::wire::Slot::<$type>::new(); )*
                const IN_ORDER: bool = false $(|| !stringify!($order).is_empty())?;
                let mut first = cursor.enter()?;
                if IN_ORDER {
                    $(
                        let (opening, inside) = (
                            concat!("\"", wire_name!($field $($wire)?), "\":"),
                            concat!(",\"", wire_name!($field $($wire)?), "\":"),
                        );
                        if cursor.take_key(&mut first, opening, inside) {
                            $field.fill_first(cursor, wire_name!($field $($wire)?))?;
                        }
                    )*
                }
                while let Some(key) = cursor.key(&mut first)? {
                    let key: &str = &key;
                    $(
                        if key == wire_name!($field $($wire)?) {
                            $field.fill(cursor, wire_name!($field $($wire)?))?;
                            continue;
                        }
                    )*
                    $( $( $(
                        if key == $alias {
                            $field.fill_alias(cursor, $alias)?;
                            continue;
                        }
                    )* )? )*
                    cursor.pass_over(key, tags)?;
                }
                Ok($name { $( $field: $field.take(cursor, wire_name!($field $($wire)?)), )* })
            }

            #[allow(unused_variables, reason = "a struct may have no fields")]
            fn write_fields(&self, out: &mut $crate::wire::ObjectWriter<'_>) {
                $( out.field(wire_name!($field $($wire)?), &self.$field); )*
            }
        }

        impl_object_wire!($name);
    )* };
}

/// Declares structs that are whole lines: [`wire!`] plus the ids that nearly every line carries.
macro_rules! message {
    ($(
        $(#[$meta:meta])*
        pub struct $name:ident {
            $($field:tt)*
        }
    )*) => { $(
        wire! {
            $(#[$meta])*
            pub struct $name {
                $($field)*
                /// The id of this line.
                pub uuid: Option<$crate::ids::Uuid>,
                /// The CLI's session.
                pub session_id: Option<$crate::ids::SessionId>,
            }
        }

        impl $crate::ids::Envelope for $name {
            fn uuid(&self) -> Option<&$crate::ids::Uuid> {
                self.uuid.as_ref()
            }

            fn session_id(&self) -> Option<&$crate::ids::SessionId> {
                self.session_id.as_ref()
            }
        }
    )* };
}

/// Declares an enum over objects that are told apart by the string under one key; `after` names the keys that an enum
/// around it has read. Every such enum ends in `Other`, which carries what it does not know. One whose values are whole
/// lines names its variant for what is no JSON after a semicolon.
///
/// ```text
/// tagged! {
///     /// Docs.
///     pub enum System by "subtype" after ["type"] {
///         /// Docs.
///         "init" => Init(Box<Init>),
///     }
/// }
/// ```
macro_rules! tagged {
    (
        $(#[$meta:meta])*
        pub enum $name:ident by $tag:literal after [$($outer:literal),*] {
            $( $(#[$variant_meta:meta])* $kind:literal => $variant:ident($type:ty) ),* $(,)?
            $(; $(#[$line_meta:meta])* $not_json:ident)?
        }
    ) => {
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq)]
        pub enum $name {
            $( $(#[$variant_meta])* $variant($type), )*
            /// Of a kind that this crate does not know, carried whole.
            Other($crate::wire::Other),
            $( $(#[$line_meta])* $not_json($crate::line::NotJson), )?
        }

        impl $name {
            /// The kinds that this crate knows, as the CLI writes them.
            pub const KINDS: &[&str] = &[$($kind),*];

            /// What the value calls itself on the wire.
            pub fn kind(&self) -> &str {
                match self {
                    $( $name::$variant(_) => $kind, )*
                    $name::Other(other) => &other.kind,
                    $( $name::$not_json(_) => "not JSON", )?
                }
            }
        }

        $( impl $crate::line::Message for $name {
            fn not_json(not_json: $crate::line::NotJson) -> Self {
                $name::$not_json(not_json)
            }

            fn is_not_json(&self) -> bool {
                matches!(self, $name::$not_json(_))
            }
        } )?

        impl Default for $name {
            fn default() -> Self {
                $name::Other($crate::wire::Other::default())
            }
        }

        impl $crate::wire::Fields for $name {
            fn read_fields(
                cursor: &mut $crate::cursor::Cursor<'_>,
                _tags: &[&str],
            ) -> Result<Self, $crate::cursor::Fault> {
                const TAGS: &[&str] = &[$($outer,)* $tag];
                const TAG: $crate::cursor::Tag = $crate::cursor::Tag {
                    name: $tag,
                    first: concat!("{\"", $tag, "\":\""),
                    inside: concat!(",\"", $tag, "\":\""),
                };
                let kind = cursor.tag(TAG)?;
                let kind = kind.as_deref().unwrap_or_default();
                let read = match kind {
                    _ if !cursor.descend() => $crate::wire::Other::read(cursor, $tag, kind).map($name::Other),
                    $( $kind => {
                        <$type as $crate::wire::Fields>::read_fields(cursor, TAGS).map($name::$variant)
                    } )*
                    _ => $crate::wire::Other::read(cursor, $tag, kind).map($name::Other),
                };
                cursor.ascend();
                read
            }

            fn write_fields(&self, out: &mut $crate::wire::ObjectWriter<'_>) {
                match self {
                    $( $name::$variant(value) => {
                        out.tag($tag, $kind);
                        $crate::wire::Fields::write_fields(value, out);
                    } )*
                    $name::Other(other) => out.whole(&other.raw),
                    $( $name::$not_json(_) => out.whole(&$crate::raw::Raw::default()), )?
                }
            }
        }

        impl_object_wire!($name);
    };
}

/// Declares an enum over strings. Every such enum ends in `Other`, which carries a word it does not know.
macro_rules! words {
    ($(
        $(#[$meta:meta])*
        pub enum $name:ident {
            $( $(#[$variant_meta:meta])* $variant:ident = $word:literal ),* $(,)?
        }
    )*) => { $(
        $(#[$meta])*
        #[derive(Clone, Debug, PartialEq, Eq, Hash)]
        pub enum $name {
            $( $(#[$variant_meta])* $variant, )*
            /// A word that this crate does not know.
            Other(String),
        }

        impl $name {
            /// The word on the wire.
            pub fn as_str(&self) -> &str {
                match self {
                    $( $name::$variant => $word, )*
                    $name::Other(word) => word,
                }
            }
        }

        impl From<&str> for $name {
            fn from(word: &str) -> Self {
                match word {
                    $( $word => $name::$variant, )*
                    _ => $name::Other(word.to_owned()),
                }
            }
        }

        impl Default for $name {
            fn default() -> Self {
                $name::Other(String::new())
            }
        }

        impl std::fmt::Display for $name {
            fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
                f.write_str(self.as_str())
            }
        }

        impl $crate::wire::Wire for $name {
            fn read(cursor: &mut $crate::cursor::Cursor<'_>) -> Result<Self, $crate::cursor::Fault> {
                let word = $name::from(&*cursor.string()?);
                if let $name::Other(unknown) = &word {
                    cursor.unknown_word(unknown);
                }
                Ok(word)
            }

            fn write(&self, out: &mut String) {
                $crate::wire::write_string(self.as_str(), out);
            }

            fn missing() -> Self {
                Self::default()
            }
        }
    )* };
}

/// A name on the wire: the one given, else that of the field.
macro_rules! wire_name {
    ($field:ident) => {
        stringify!($field)
    };
    ($field:ident $wire:literal) => {
        $wire
    };
}

/// [`Wire`](crate::wire::Wire) for what is an object.
macro_rules! impl_object_wire {
    ($name:ident) => {
        impl $crate::wire::Wire for $name {
            #[inline]
            fn read(cursor: &mut $crate::cursor::Cursor<'_>) -> Result<Self, $crate::cursor::Fault> {
                $crate::wire::Fields::read_fields(cursor, &[])
            }

            fn write(&self, out: &mut String) {
                $crate::wire::ObjectWriter::write(out, |object| {
                    $crate::wire::Fields::write_fields(self, object);
                });
            }

            fn missing() -> Self {
                Self::default()
            }
        }
    };
}
