//! What we take from others: the dependency graph and `deny.toml` in, findings on licences, bans and sources out.

use anyhow::Result;
use serde::Deserialize;

use super::Finding;
use super::graph::{Graph, Package};

/// The one place crates may come from, as cargo writes it.
const CRATES_IO: &str = "registry+https://github.com/rust-lang/crates.io-index";

/// The part of `deny.toml` that is checked here; `cargo deny` reads the rest.
#[derive(Debug, Deserialize)]
pub(super) struct Rules {
    licenses: Licenses,
    bans: Bans,
}

#[derive(Debug, Deserialize)]
struct Licenses {
    allow: Vec<String>,
}

#[derive(Debug, Deserialize)]
struct Bans {
    deny: Vec<Ban>,
}

#[derive(Debug, Deserialize)]
struct Ban {
    #[serde(rename = "crate")]
    name: String,
    reason: String,
    /// Crates that may have it all the same.
    #[serde(default)]
    wrappers: Vec<String>,
}

impl Rules {
    pub(super) fn read(text: &str) -> Result<Self> {
        Ok(toml::from_str(text)?)
    }
}

/// Do only those have the crate who may?
fn only_wrapped(graph: &Graph, ban: &Ban) -> bool {
    let has_it = |package: &&Package| graph.depends(package, &ban.name);
    !ban.wrappers.is_empty() && graph.packages.iter().filter(has_it).all(|package| ban.wrappers.contains(&package.name))
}

/// Checks every package of others in the lock file.
pub(super) fn check(graph: &Graph, rules: &Rules) -> Vec<Finding> {
    let mut findings = Vec::new();
    for package in graph.others() {
        let title = format!("{} {}", package.name, package.version);
        match &package.license {
            Some(license) if allows(&rules.licenses.allow, license) => {}
            Some(license) => {
                let what = format!("{title} is under `{license}`, which `deny.toml` does not allow");
                findings.push(Finding::new("Cargo.lock", 1, what));
            }
            None => findings.push(Finding::new("Cargo.lock", 1, format!("{title} names no licence"))),
        }
        let ban = rules.bans.deny.iter().find(|ban| ban.name == package.name);
        if let Some(ban) = ban.filter(|ban| !only_wrapped(graph, ban)) {
            findings.push(Finding::new("Cargo.lock", 1, format!("{title} is banned in `deny.toml`: {}", ban.reason)));
        }
        if package.source.as_deref() != Some(CRATES_IO) {
            let source = package.source.as_deref().unwrap_or("a path outside the workspace");
            let what = format!("{title} comes from {source}: only crates.io is allowed");
            findings.push(Finding::new("Cargo.lock", 1, what));
        }
    }
    findings
}

/// Whether the licence expression can be met with allowed licences alone.
fn allows(allowed: &[String], expression: &str) -> bool {
    // Old manifests write `MIT/Apache-2.0` and mean "or".
    let spaced = expression.replace('/', " OR ").replace('(', " ( ").replace(')', " ) ");
    let tokens: Vec<&str> = spaced.split_whitespace().collect();
    let mut rest = tokens.as_slice();
    either(allowed, &mut rest) == Some(true) && rest.is_empty()
}

/// Reads `a OR b OR …`; `None` is an expression that cannot be read, and so allows nothing.
fn either(allowed: &[String], rest: &mut &[&str]) -> Option<bool> {
    let mut met = both(allowed, rest)?;
    while let Some((&"OR", after)) = rest.split_first() {
        *rest = after;
        met |= both(allowed, rest)?;
    }
    Some(met)
}

/// Reads `a AND b AND …`, which binds tighter than `OR`.
fn both(allowed: &[String], rest: &mut &[&str]) -> Option<bool> {
    let mut met = one(allowed, rest)?;
    while let Some((&"AND", after)) = rest.split_first() {
        *rest = after;
        met &= one(allowed, rest)?;
    }
    Some(met)
}

/// Reads a licence, with its exception if it has one, or a group in parentheses.
fn one(allowed: &[String], rest: &mut &[&str]) -> Option<bool> {
    let (&first, after) = rest.split_first()?;
    *rest = after;
    if first == "(" {
        let met = either(allowed, rest)?;
        let (&")", after) = rest.split_first()? else { return None };
        *rest = after;
        return Some(met);
    }
    // A licence with an exception gives more than the licence alone, so the licence being allowed is enough.
    if let [with, _, after @ ..] = *rest
        && *with == "WITH"
    {
        *rest = after;
    }
    Some(allowed.iter().any(|license| license == first))
}

#[cfg(test)]
mod tests {
    use super::*;

    const RULES: &str = r#"
        [licenses]
        allow = ["MIT", "Apache-2.0", "Unicode-3.0"]
        [bans]
        deny = [{ crate = "openssl-sys", reason = "rustls only" }]
    "#;

    fn allowed(expression: &str) -> bool {
        allows(&Rules::read(RULES).unwrap().licenses.allow, expression)
    }

    #[test]
    fn one_allowed_alternative_is_enough() {
        assert!(allowed("MIT"));
        assert!(allowed("GPL-3.0 OR MIT"));
        assert!(allowed("GPL-3.0/MIT"));
        assert!(allowed("Apache-2.0 WITH LLVM-exception OR GPL-3.0"));
        assert!(!allowed("GPL-3.0"));
    }

    #[test]
    fn every_part_of_a_conjunction_is_needed() {
        assert!(allowed("(MIT OR GPL-3.0) AND Unicode-3.0"));
        assert!(!allowed("MIT AND GPL-3.0"));
        assert!(!allowed("MIT OR Apache-2.0 AND"));
        assert!(!allowed("(MIT"));
        assert!(!allowed(""));
    }

    #[test]
    fn licences_bans_and_sources_of_others_are_checked_and_ours_are_not() {
        let metadata = serde_json::json!({
            "packages": [
                {"id": "ours", "name": "ours", "version": "0.1.0", "license": null, "source": null, "dependencies": []},
                {"id": "a", "name": "a", "version": "1.0.0", "license": "MIT", "source": CRATES_IO, "dependencies": []},
                {"id": "b", "name": "openssl-sys", "version": "0.9.0", "license": "GPL-3.0",
                    "source": "git+https://example.org/b", "dependencies": []},
            ],
            "workspace_members": ["ours"],
        });
        let graph = Graph::read(&metadata.to_string()).unwrap();
        let found: Vec<String> = check(&graph, &Rules::read(RULES).unwrap()).iter().map(Finding::to_string).collect();
        assert_eq!(
            found,
            [
                "Cargo.lock:1: openssl-sys 0.9.0 is under `GPL-3.0`, which `deny.toml` does not allow",
                "Cargo.lock:1: openssl-sys 0.9.0 is banned in `deny.toml`: rustls only",
                "Cargo.lock:1: openssl-sys 0.9.0 comes from git+https://example.org/b: only crates.io is allowed",
            ]
        );
    }

    #[test]
    fn a_banned_crate_is_fine_where_only_those_have_it_who_may() {
        let rules = RULES.replace(r#"reason = "rustls only""#, r#"reason = "rustls only", wrappers = ["a"]"#);
        let findings = |owner: &str| {
            let metadata = serde_json::json!({
                "packages": [
                    {"id": "o", "name": owner, "version": "1.0.0", "license": "MIT", "source": CRATES_IO,
                        "dependencies": [{"name": "openssl-sys", "kind": null}]},
                    {"id": "b", "name": "openssl-sys", "version": "0.9.0", "license": "MIT", "source": CRATES_IO,
                        "dependencies": []},
                ],
                "workspace_members": [],
            });
            check(&Graph::read(&metadata.to_string()).unwrap(), &Rules::read(&rules).unwrap()).len()
        };
        assert_eq!((findings("a"), findings("b")), (0, 1));
    }
}
