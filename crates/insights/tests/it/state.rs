//! The final state of every recorded scenario, in a form that is read in review.

use crate::fixtures::scenarios_of;
use crate::outline::outline;

fn of_version(version: &'static str) {
    let mut seen = 0;
    for scenario in scenarios_of(version) {
        insta::with_settings!({
            snapshot_path => format!("snapshots/state/{version}"),
            prepend_module_to_snapshot => false,
            omit_expression => true,
        }, {
            insta::assert_snapshot!(scenario.name.clone(), outline(&scenario.state()));
        });
        seen += 1;
    }
    assert!(seen > 50, "{version}: only {seen} scenarios");
}

#[test]
fn scenarios_of_2_1_1_end_as_a_person_would_say() {
    of_version("2.1.1");
}

#[test]
fn scenarios_of_2_1_29_end_as_a_person_would_say() {
    of_version("2.1.29");
}

#[test]
fn scenarios_of_2_1_38_end_as_a_person_would_say() {
    of_version("2.1.38");
}

#[test]
fn scenarios_of_2_1_326_end_as_a_person_would_say() {
    of_version("2.1.326");
}
