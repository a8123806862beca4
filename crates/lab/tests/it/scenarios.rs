//! The scenario files themselves: each is understood, for every pinned version.

use lab::Scenario;
use lab::real::pinned_versions;
use lab::scenario::all_files;

#[test]
fn every_scenario_file_is_understood_for_every_version() {
    let files = all_files().unwrap();
    assert!(files.len() > 100);
    for file in &files {
        let mut able = 0;
        for version in pinned_versions() {
            let scenario = Scenario::load(file, version).unwrap_or_else(|error| panic!("{error}"));
            able += usize::from(scenario.is_some());
        }
        assert!(able > 0, "no version can do {}", file.display());
    }
}

#[test]
fn a_field_that_nobody_knows_is_refused() {
    let text = r#"{"about": "x", "stepps": []}"#;
    assert!(Scenario::read("x", text, "2.1.1".parse().unwrap()).is_err());
}
