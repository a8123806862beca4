//! Every pinned version of the real CLI, offline, started and driven as a user of this crate would.
//!
//! A story is a function that takes a version; `on_every_version!` makes a test of it for each, with the version in its
//! name: `a_story::v2_1_38`. A story that is in no list is dead code, so none is forgotten. Where the versions differ, the
//! story says so.

use lab::CliVersion;
use lab::real::pinned_versions;

/// Hands the list of versions, the only one in these tests, to another macro.
macro_rules! with_versions {
    ($then:ident $($rest:tt)*) => {
        $then! { [v2_1_1 "2.1.1", v2_1_29 "2.1.29", v2_1_38 "2.1.38", v2_1_325 "2.1.325"] $($rest)* }
    };
}

/// Makes one test of each story and version.
macro_rules! on_every_version {
    ($($story:ident),* $(,)?) => { $( with_versions! { story $story } )* };
}

macro_rules! story {
    ([$($name:ident $version:literal),*] $story:ident) => {
        mod $story { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$story(crate::real::version($version)).await;
            }
        )* }
    };
}

macro_rules! list {
    ([$($name:ident $version:literal),*]) => { [$( ($version, stringify!($name)) ),*] };
}

// Below the macros, so that they can use them.
mod costs;
mod host;
mod interrupt;
mod permissions;
mod process;
mod requests;
mod resume;
mod staged;
mod turns;

/// Since this version the CLI speaks the present dialect. The versions between 2.1.38 and 2.1.325 were not looked at.
const PRESENT: &str = "2.1.325";

fn version(text: &str) -> CliVersion {
    text.parse().unwrap()
}

/// Does the version speak the present dialect, and not that of 2.1.38 and before?
fn is_present(cli: CliVersion) -> bool {
    cli >= version(PRESENT)
}

#[test]
fn the_stories_are_played_on_every_pinned_version() {
    let pinned: Vec<String> = pinned_versions().iter().map(ToString::to_string).collect();
    let names = pinned.iter().map(|version| format!("v{}", version.replace('.', "_")));
    let expected: Vec<(String, String)> = pinned.iter().cloned().zip(names).collect();
    let played = with_versions! { list };
    assert_eq!(played.map(|(version, name)| (version.to_owned(), name.to_owned())).to_vec(), expected);
}
