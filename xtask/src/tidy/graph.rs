//! The output of `cargo metadata` in, the packages and who names whom out.

use anyhow::Result;
use serde::Deserialize;

/// Every package of the lock file, and which of them are ours.
#[derive(Debug, Deserialize)]
pub(super) struct Graph {
    pub(super) packages: Vec<Package>,
    pub(super) workspace_members: Vec<String>,
    /// What is really built: an optional dependency is named by its package and may have no edge.
    #[serde(default)]
    resolve: Option<Resolve>,
}

/// Who depends on whom, with the features as they are chosen.
#[derive(Debug, Deserialize)]
struct Resolve {
    nodes: Vec<Node>,
}

#[derive(Debug, Deserialize)]
struct Node {
    id: String,
    dependencies: Vec<String>,
}

/// One package, ours or another's.
#[derive(Debug, Deserialize)]
pub(super) struct Package {
    pub(super) id: String,
    pub(super) name: String,
    pub(super) version: String,
    pub(super) license: Option<String>,
    /// Where it comes from; our own have none.
    pub(super) source: Option<String>,
    pub(super) dependencies: Vec<Dependency>,
}

/// What a package names in its `Cargo.toml`.
#[derive(Debug, Deserialize)]
pub(super) struct Dependency {
    pub(super) name: String,
    /// None for a normal one, else `dev` or `build`.
    pub(super) kind: Option<String>,
    /// Only there with a feature.
    #[serde(default)]
    pub(super) optional: bool,
}

impl Graph {
    pub(super) fn read(metadata: &str) -> Result<Self> {
        Ok(serde_json::from_str(metadata)?)
    }

    /// Our own packages.
    pub(super) fn members(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| self.workspace_members.contains(&package.id))
    }

    /// Does this package really depend on that one? Without the edges, whatever it names counts.
    pub(super) fn depends(&self, package: &Package, on: &str) -> bool {
        let named = package.dependencies.iter().any(|dependency| dependency.name == on && !dependency.is_dev());
        let Some(resolve) = &self.resolve else { return named };
        let is_it = |id: &String| self.packages.iter().any(|package| package.id == *id && package.name == on);
        let node = resolve.nodes.iter().find(|node| node.id == package.id);
        named && node.is_some_and(|node| node.dependencies.iter().any(is_it))
    }

    /// The packages of others.
    pub(super) fn others(&self) -> impl Iterator<Item = &Package> {
        self.packages.iter().filter(|package| !self.workspace_members.contains(&package.id))
    }
}

impl Dependency {
    pub(super) fn is_dev(&self) -> bool {
        self.kind.as_deref() == Some("dev")
    }
}

impl Package {
    /// Where the manifest of one of ours is, for findings.
    pub(super) fn manifest(&self) -> String {
        if self.name == "xtask" { "xtask/Cargo.toml".to_owned() } else { format!("crates/{}/Cargo.toml", self.name) }
    }
}
