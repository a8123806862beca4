//! The page as it is served: every file of it, and which words that could do harm are in them.

use std::collections::{BTreeMap, BTreeSet};

use super::browser::Browser;

/// A word, how often it stands in all files together, and whose it is.
type Known = (&'static str, usize, &'static str);

/// One more than here is to be looked at, and so is one less.
pub(super) const SINKS: &[Known] = &[
    (
        "innerHTML",
        7,
        "React's own for a prop that we never give, and the highlighter's for elements that it never gets",
    ),
    ("javascript:", 4, "React's, where it refuses such addresses, and the name of a language"),
    ("createPolicy", 1, "ours, for the address of the worker"),
];

pub(super) const STORES: &[Known] = &[
    ("localStorage", 6, "ours, in `store/browser.ts` and `notice/claim.ts`, and words that are highlighted"),
    (
        "sessionStorage",
        3,
        "ours, in `store/browser.ts`, for words that were being typed, and words that are highlighted",
    ),
];

/// Whose addresses stand in the files: names of XML, words to developers, and an example. None is ever asked.
const OTHERS: [&str; 5] = ["", "example.org", "github.com", "react.dev", "www.w3.org"];

/// All files of the page and of the login, with what they say: those that the pages name, and those that these name.
pub(super) async fn files(browser: &Browser) -> Vec<(String, String)> {
    let mut files = BTreeMap::new();
    let mut wanted = Vec::new();
    for page in ["/", "/login"] {
        let html = browser.request("GET", page, &[], "").await.text();
        wanted.extend(named(&html));
        files.insert(page.to_owned(), html);
    }
    let mut asked = BTreeSet::new();
    while let Some(name) = wanted.pop() {
        if !asked.insert(name.clone()) {
            continue;
        }
        let reply = browser.client.get(&format!("/page/{name}")).await.unwrap();
        // A word may look like a name.
        if reply.status == 200 {
            wanted.extend(named(&reply.text()));
            files.insert(name, reply.text());
        }
    }
    // What the page names itself, what is fetched later, the worker, what the worker fetches, and the page to log in.
    for start in ["index-", "Panel-", "worker-", "rust-", "style-", "login.js"] {
        assert!(files.keys().any(|name| name.starts_with(start)), "no {start} among {:?}", files.keys());
    }
    files.into_iter().collect()
}

/// The files that a text names, whatever they are called there.
fn named(text: &str) -> Vec<String> {
    let quoted = text.split(['"', '\'', '`']).filter_map(|part| part.rsplit('/').next());
    let is_name = |name: &&str| {
        let is_plain = name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte));
        is_plain && [".js", ".css", ".svg"].iter().any(|ending| name.len() > ending.len() && name.ends_with(ending))
    };
    quoted.filter(is_name).map(str::to_owned).collect()
}

/// Asserts that these words stand in the files as often as is known, and no more.
#[track_caller]
pub(super) fn assert_only(files: &[(String, String)], words: &[&str], known: &[Known]) {
    for word in words {
        let holders = files.iter().filter(|(_, text)| text.contains(word)).map(|(name, _)| name.as_str());
        let holders: Vec<&str> = holders.collect();
        let count: usize = files.iter().map(|(_, text)| text.matches(word).count()).sum();
        let (expected, whose) =
            known.iter().find(|(one, ..)| one == word).map_or((0, "nobody's"), |one| (one.1, one.2));
        assert_eq!(count, expected, "`{word}` is {whose}; it stands in {holders:?}");
    }
}

/// Asserts that the files name no place of somebody else from which anything could be loaded.
#[track_caller]
pub(super) fn assert_loads_its_own(files: &[(String, String)]) {
    for (name, text) in files {
        for scheme in ["http://", "https://", "ws://", "wss://"] {
            for rest in text.split(scheme).skip(1) {
                let end = rest.find(|letter: char| !letter.is_ascii_alphanumeric() && !"-.".contains(letter));
                let host = rest[..end.unwrap_or(rest.len())].trim_end_matches('.');
                assert!(OTHERS.contains(&host), "{name} names {scheme}{host}");
            }
        }
        assert!(text.split("import(").skip(1).all(|rest| rest.starts_with("`./")), "{name} imports from elsewhere");
        let is_style = name.ends_with(".css");
        assert!(!is_style || !(text.contains("url(") || text.contains("@import")), "{name} loads something");
    }
}
