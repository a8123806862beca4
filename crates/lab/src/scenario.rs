//! Scenario files: a story for the model and the host, told in JSON and played against any CLI version that can do it.
//!
//! A file is an object with the fields of [`Scenario`]. Before it is read, it is fitted to the version: an object in a
//! list that has `"only": CONDITION` is left out for other versions, and `{"$by": {CONDITION: value, …}}` becomes the
//! value of the first condition that fits (see [`CliVersion::fits`]). Texts may hold `$PROJ`, `$HOME`, `$TMP`, `$MCP`
//! (the lab's MCP server), `$TRANSCRIPTS` (where the CLI keeps those of the project), `$AGENT` (what the version calls the tool for subagents) and `$NAME$` for what a
//! step saved.

mod answers;
mod play;
mod values;

use std::collections::BTreeMap;
use std::fs;
use std::path::{Path, PathBuf};

use serde::Deserialize;
use serde_json::{Map, Value};

use crate::error::LabError;
use crate::real::CliVersion;
use crate::script::Script;

pub use play::{Played, play, play_with_agent};
pub use values::subset;

/// A story, as a file tells it.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Scenario {
    /// The file's name without `.json`.
    #[serde(skip)]
    pub name: String,
    /// What the scenario shows, and what one should know about its order.
    pub about: String,
    /// Which versions can do it; all, if nothing is said.
    #[serde(default)]
    pub versions: Option<String>,
    /// Whether the transcript files on disk are captured too.
    #[serde(default)]
    pub transcript: bool,
    /// What the model says.
    #[serde(default)]
    pub script: Script,
    /// Files to write first: text, JSON, `{"hex": …}` or `{"text": …, "repeat": n}`.
    #[serde(default)]
    pub files: BTreeMap<String, Value>,
    /// How the host answers permission requests; the first rule that fits.
    #[serde(default)]
    pub on_permission: Vec<PermissionRule>,
    /// How the host answers hook callbacks, by callback id; a list is used up one by one.
    #[serde(default)]
    pub on_hook: BTreeMap<String, Value>,
    /// How the host answers other control requests, by subtype; `"ignore"` leaves them open.
    #[serde(default)]
    pub on_control: BTreeMap<String, Value>,
    /// One process after the other, in the same place.
    #[serde(default)]
    pub phases: Vec<Phase>,
    /// The only phase, when there is just one.
    #[serde(flatten)]
    pub only_phase: Phase,
}

/// One run of the CLI.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default)]
pub struct Phase {
    /// Arguments behind the base ones.
    pub args: Vec<String>,
    /// Instead of the base arguments.
    pub base: Option<Vec<String>>,
    /// Environment variables; null takes one away.
    pub env: BTreeMap<String, Option<String>>,
    /// Sends `initialize` with these fields first.
    pub initialize: Option<Map<String, Value>>,
    /// What happens, in order.
    pub steps: Vec<Step>,
}

/// A rule for permission requests.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct PermissionRule {
    /// The tool it is for; any, if nothing is said.
    pub tool: Option<String>,
    /// Holds only for one request.
    pub once: bool,
    /// Leaves the request open, for a later `answer` step.
    pub ignore: bool,
    /// The answer; `$input`, `$tool_use_id`, `$suggestions` and `{"$merge": …}` speak of the request.
    pub response: Value,
}

/// One step; exactly one of the verbs is set.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
pub struct Step {
    /// Sends a prompt: a text (as a block, or as it is with `string`) or a list of blocks.
    pub user: Option<Value>,
    /// With `user`: the content is the bare string.
    pub string: bool,
    /// With `user`: more fields of the line, such as `uuid`.
    pub with: Map<String, Value>,
    /// Sends a line.
    pub send: Option<Value>,
    /// Sends a text as a line.
    pub send_raw: Option<String>,
    /// Sends a control request and waits for its answer.
    pub control: Option<Value>,
    /// With `control`: the version never answers, so do not wait.
    pub unanswered: bool,
    /// Waits for a line that has at least these values; a text that begins with `~` is a regular expression.
    pub wait: Option<Value>,
    /// With `wait`: the n-th such line.
    pub n: Option<usize>,
    /// With `wait` or `control`: keeps fields of the line (`NAME: "path.to.field"`) for `$NAME$`.
    pub save: BTreeMap<String, String>,
    /// Waits until the model saw so many requests of the story, or one that matches.
    pub wait_request: Option<Value>,
    /// Opens a gate of the script.
    pub release: Option<String>,
    /// Waits until a file exists.
    pub wait_file: Option<String>,
    /// With `wait_file`: until something in it matches this regular expression.
    pub holds: Option<String>,
    /// Writes an empty file.
    pub touch: Option<String>,
    /// Removes a file.
    pub remove: Option<String>,
    /// Answers the request that a rule left open.
    pub answer: Option<Value>,
    /// Sends a signal.
    pub signal: Option<String>,
    /// Closes the input.
    pub close_stdin: bool,
    /// Waits for the end of the process, with the input still open.
    pub wait_exit: bool,
}

impl Scenario {
    /// Reads a scenario for a version; `None` when the version cannot do it.
    pub fn load(path: &Path, version: CliVersion) -> Result<Option<Scenario>, LabError> {
        let text = fs::read_to_string(path).map_err(LabError::file(path))?;
        let name = path.file_stem().map(|stem| stem.to_string_lossy().into_owned()).unwrap_or_default();
        Scenario::read(&name, &text, version)
    }

    /// Reads the text of a scenario for a version; `None` when the version cannot do it.
    pub fn read(name: &str, text: &str, version: CliVersion) -> Result<Option<Scenario>, LabError> {
        let wrong = |reason: String| LabError::Scenario { name: name.to_owned(), reason };
        let mut value: Value = serde_json::from_str(text).map_err(|error| wrong(error.to_string()))?;
        values::fit(&mut value, version).map_err(|error| wrong(error.to_string()))?;
        if let Some(condition) = value["versions"].as_str()
            && !version.fits(condition)?
        {
            return Ok(None);
        }
        let mut scenario: Scenario = serde_json::from_value(value).map_err(|error| wrong(error.to_string()))?;
        name.clone_into(&mut scenario.name);
        if scenario.phases.is_empty() {
            scenario.phases.push(std::mem::take(&mut scenario.only_phase));
        }
        Ok(Some(scenario))
    }
}

/// The scenario files of the project, by name.
pub fn all_files() -> Result<Vec<PathBuf>, LabError> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("scenarios");
    let entries = fs::read_dir(&folder).map_err(LabError::file(&folder))?;
    let mut files: Vec<PathBuf> = entries
        .filter_map(|entry| Some(entry.ok()?.path()))
        .filter(|path| path.extension().is_some_and(|extension| extension == "json"))
        .collect();
    files.sort();
    Ok(files)
}
