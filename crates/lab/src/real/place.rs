//! The private place a CLI runs in: a home, a project and a temporary folder of its own, gone when the lab is done.

use std::fs;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU32, Ordering};

use super::process::{end_all_below, run};
use crate::error::LabError;
use crate::process::command;
use crate::project::encoded;

/// A folder tree that looks like a machine: below its root are `home/user/project` and `tmp`. So everything the CLI says
/// about paths becomes neutral by leaving out the root.
#[derive(Debug)]
pub struct Place {
    root: PathBuf,
}

/// A tiny MCP server over stdio, run by node, which is there for the old CLIs and for npm anyway.
const MCP_SERVER: &str = include_str!("mcp_server.cjs");

impl Place {
    /// Makes the folders, with a git repository and `hello.txt` in the project.
    pub async fn new() -> Result<Place, LabError> {
        static COUNT: AtomicU32 = AtomicU32::new(0);
        let count = COUNT.fetch_add(1, Ordering::Relaxed);
        // The name has the same length each time: the CLI estimates tokens from texts that hold the path.
        let name = format!("quarterdeck-lab-{:07}-{count:05}", std::process::id());
        let temporary = std::env::temp_dir();
        let root = temporary.canonicalize().map_err(LabError::file(&temporary))?.join(name);
        let place = Place { root };
        // A process with the same number may have died here.
        let _ = fs::remove_dir_all(&place.root);
        for folder in [place.project(), place.temporary(), place.tools()] {
            fs::create_dir_all(&folder).map_err(LabError::file(&folder))?;
        }
        let mut git = command("git");
        git.args(["init", "--quiet", "--initial-branch=main"]).arg(place.project());
        git.env_clear().env("PATH", "/usr/bin:/bin").env("HOME", place.home());
        run(git).await.map_err(|reason| LabError::Step { reason: format!("`git init` failed: {reason}") })?;
        place.write("hello.txt", "line one\nline two\nline three\n")?;
        let server = place.mcp_server();
        fs::write(&server, MCP_SERVER).map_err(LabError::file(&server))?;
        Ok(place)
    }

    /// The root that neutral paths leave out.
    pub fn root(&self) -> &Path {
        &self.root
    }

    /// The home of the CLI's user.
    pub fn home(&self) -> PathBuf {
        self.root.join("home/user")
    }

    /// Where the CLI works.
    pub fn project(&self) -> PathBuf {
        self.root.join("home/user/project")
    }

    /// Where the CLI keeps the transcripts of the project.
    pub fn transcripts(&self) -> PathBuf {
        self.home().join(".claude/projects").join(encoded(&self.project()))
    }

    /// The temporary folder.
    pub fn temporary(&self) -> PathBuf {
        self.root.join("tmp")
    }

    /// The MCP server that scenarios can name.
    pub fn mcp_server(&self) -> PathBuf {
        self.tools().join("mcp_server.cjs")
    }

    /// Writes a file; a relative path is one in the project.
    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> Result<(), LabError> {
        let path = self.project().join(path);
        if let Some(folder) = path.parent() {
            fs::create_dir_all(folder).map_err(LabError::file(folder))?;
        }
        fs::write(&path, content).map_err(LabError::file(&path))
    }

    fn tools(&self) -> PathBuf {
        self.root.join("home/user/tools")
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        end_all_below(&self.root);
        // A process that is just ending may still write a file, so a second try is worth it.
        for _ in 0..3 {
            if fs::remove_dir_all(&self.root).is_ok() || !self.root.exists() {
                return;
            }
        }
    }
}
