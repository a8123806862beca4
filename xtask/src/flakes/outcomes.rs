//! What test runners report, in; the names of the tests that failed, out.

use std::collections::BTreeSet;

use serde::Deserialize;

/// How nextest marks what did not pass; a signal is named by itself, as in `SIGABRT`.
const MARKS: [&str; 4] = ["FAIL", "TIMEOUT", "ABORT", "LEAK-FAIL"];

/// Of the lines that nextest prints, such as `FAIL [   1.073s] (14/20) server page::it_works`. It repeats them at the end.
pub(super) fn of_nextest(said: &str) -> Vec<String> {
    let failed = said.lines().filter_map(|line| {
        let (mark, rest) = line.trim_start().split_once(char::is_whitespace)?;
        let is_failure = MARKS.contains(&mark) || mark.strip_prefix("SIG").is_some_and(|name| !name.is_empty());
        let (_, rest) = rest.trim_start().strip_prefix('[').filter(|_| is_failure)?.split_once(']')?;
        let name = rest.trim();
        // The position in the run is another one each time.
        let name = name.strip_prefix('(').and_then(|rest| rest.split_once(") ")).map_or(name, |(_, name)| name);
        Some(name.trim().to_owned())
    });
    failed.collect::<BTreeSet<_>>().into_iter().collect()
}

/// The report of vitest, as far as it matters here.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Report {
    test_results: Vec<FileResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct FileResult {
    name: String,
    status: String,
    assertion_results: Vec<TestResult>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct TestResult {
    full_name: String,
    status: String,
}

/// Of the JSON report of vitest. A file that failed before or after its tests is listed by its own name.
pub(super) fn of_vitest(report: &str) -> Vec<String> {
    let Ok(report) = serde_json::from_str::<Report>(report) else { return Vec::new() };
    let mut failed = Vec::new();
    for file in report.test_results.into_iter().filter(|file| file.status == "failed") {
        let name = file.name.rsplit('/').next().unwrap_or_default().to_owned();
        let before = failed.len();
        let tests = file.assertion_results.into_iter().filter(|test| test.status == "failed");
        failed.extend(tests.map(|test| format!("{name}: {}", test.full_name)));
        if failed.len() == before {
            failed.push(name);
        }
    }
    failed
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_nextest_marks_as_failed_is_found_once() {
        let said = "\
            \x20       PASS [   0.546s] (1/4) server page::a\n\
            \x20       SLOW [> 60.000s] (2/4) server page::b\n\
            \x20       FAIL [   1.073s] (3/4) server page::c\n\
            \x20     SIGABRT [   0.073s] (4/4) live::it kill::d\n\
            \x20    TIMEOUT [ 240.073s] quarterdeck::it run::e\n\
            \x20    Summary [ 461.168s] 4 tests run: 1 passed, 3 failed\n\
            \x20       FAIL [   1.073s] (3/4) server page::c\n\
            test page::c ... FAILED\n";
        assert_eq!(of_nextest(said), ["live::it kill::d", "quarterdeck::it run::e", "server page::c"]);
    }

    #[test]
    fn what_vitest_reports_as_failed_is_found() {
        let report = r#"{"testResults": [
            {"name": "/x/e2e/a.test.ts", "status": "failed", "assertionResults": [
                {"fullName": "one", "status": "passed"}, {"fullName": "two", "status": "failed"}]},
            {"name": "/x/e2e/b.test.ts", "status": "passed", "assertionResults": []},
            {"name": "/x/e2e/c.test.ts", "status": "failed", "assertionResults": []}]}"#;
        assert_eq!(of_vitest(report), ["a.test.ts: two", "c.test.ts"]);
        assert_eq!(of_vitest("no report"), [""; 0]);
    }
}
