//! Stories in, a test for each of them and each pinned version of the CLI out.

/// Makes a test of each story on each pinned version, with the version in its name: `a_story::v2_1_38`.
///
/// A story is an async function of the module that takes a [`CliVersion`](crate::CliVersion). One that is in no list is dead
/// code, so none is forgotten. The crate that uses it needs tokio.
#[macro_export]
macro_rules! on_every_version {
    // The only list of the versions in code; a test holds it against `versions.txt`.
    (@versions $then:ident $($rest:tt)*) => {
        $crate::on_every_version! { @$then [v2_1_1 2 1 1, v2_1_29 2 1 29, v2_1_38 2 1 38, v2_1_326 2 1 326] $($rest)* }
    };
    (@tests [$($name:ident $major:literal $minor:literal $patch:literal),*] $story:ident) => {
        mod $story { $(
            #[tokio::test(flavor = "multi_thread")]
            async fn $name() {
                super::$story($crate::CliVersion::new($major, $minor, $patch)).await;
            }
        )* }
    };
    (@list [$($name:ident $major:literal $minor:literal $patch:literal),*]) => {
        [$( (stringify!($name), $crate::CliVersion::new($major, $minor, $patch)) ),*]
    };
    ($($story:ident),* $(,)?) => { $( $crate::on_every_version! { @versions tests $story } )* };
}

#[cfg(test)]
mod tests {
    use crate::real::pinned_versions;

    #[test]
    fn the_stories_are_played_on_every_pinned_version() {
        let listed = on_every_version! { @versions list };
        assert_eq!(listed.map(|(_, version)| version).to_vec(), pinned_versions());
        for (name, version) in listed {
            assert_eq!(name, format!("v{}", version.to_string().replace('.', "_")));
        }
    }
}
