//! A stage for tests that are not written in Rust: a version in; where the CLI is and how it is run out, as a line of JSON. Then
//! orders come in, one a line, and each is answered with a line, until the input ends and the stage with it.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};
use serde_json::Value;
use tokio::io::{AsyncBufReadExt, AsyncWrite, AsyncWriteExt, BufReader};

use crate::error::LabError;
use crate::model::Request;
use crate::real::CliVersion;
use crate::script::Script;
use crate::stage::Stage;

/// The first line: what there is.
#[derive(Debug, Serialize)]
#[serde(rename_all = "camelCase")]
struct Hello {
    /// The file that is the CLI: the native binary, or `cli.js`.
    program: PathBuf,
    /// The whole environment that it is run in.
    environment: BTreeMap<&'static str, String>,
    /// Where it works.
    project: PathBuf,
    /// A real MCP server over stdio, for node.
    mcp_server: PathBuf,
}

/// What can be asked of a stage.
#[derive(Debug, Deserialize)]
#[serde(tag = "do", rename_all = "camelCase", deny_unknown_fields)]
enum Order {
    /// The model says this from now on; what it has not said yet is forgotten.
    Tell { script: Script },
    /// Opens a gate of the script.
    Release { gate: String },
    /// What the model was asked since the last `tell`.
    Asked,
}

#[derive(Debug, Default, Serialize)]
#[serde(rename_all = "camelCase")]
struct Answer {
    #[serde(skip_serializing_if = "Option::is_none")]
    requests: Option<Vec<Asked>>,
    /// How many replies of the script nobody asked for.
    unused: usize,
    #[serde(skip_serializing_if = "Option::is_none")]
    error: Option<String>,
}

/// A request to the model, without what every request has.
#[derive(Debug, Serialize)]
struct Asked {
    model: Value,
    messages: Value,
    /// Whether the model may think first, and how long; null if nothing is said.
    thinking: Value,
    /// How hard it is to try, among others; null if nothing is said.
    output_config: Value,
}

/// Sets a stage up and does what the standard input says.
pub async fn run_program(version: CliVersion) -> Result<(), LabError> {
    let stage = Stage::new(version, Script::new()).await?;
    let mut output = tokio::io::stdout();
    write(&mut output, &hello(&stage)?).await?;
    let mut lines = BufReader::new(tokio::io::stdin()).lines();
    let mut seen = 0;
    while let Ok(Some(line)) = lines.next_line().await {
        let answer = match serde_json::from_str(&line) {
            Ok(order) => obey(&stage, order, &mut seen),
            Err(error) => Err(LabError::Step { reason: error.to_string() }),
        };
        let answer = answer.unwrap_or_else(|error| Answer { error: Some(error.to_string()), ..Answer::default() });
        write(&mut output, &answer).await?;
    }
    Ok(())
}

fn hello(stage: &Stage) -> Result<Hello, LabError> {
    let program =
        stage.program().ok_or_else(|| LabError::Step { reason: "there is no CLI on this stage".to_owned() })?;
    let environment =
        stage.environment().into_iter().map(|(name, value)| (name, value.to_string_lossy().into_owned())).collect();
    let program = program.to_owned();
    Ok(Hello { program, environment, project: stage.place.project(), mcp_server: stage.place.mcp_server() })
}

/// Does what was asked; `seen` is how many requests there were at the last `tell`.
fn obey(stage: &Stage, order: Order, seen: &mut usize) -> Result<Answer, LabError> {
    let mut requests = None;
    match order {
        Order::Tell { script } => {
            *seen = stage.model.story_requests().len();
            stage.model.tell(script)?;
        }
        Order::Release { gate } => stage.model.release(&gate),
        Order::Asked => {
            let asked = stage.model.story_requests().into_iter().skip(*seen);
            requests = Some(asked.map(Asked::from).collect());
        }
    }
    Ok(Answer { requests, unused: stage.model.unused_replies(), error: None })
}

impl From<Request> for Asked {
    fn from(mut request: Request) -> Asked {
        let mut part = |name: &str| request.body[name].take();
        Asked {
            model: part("model"),
            messages: part("messages"),
            thinking: part("thinking"),
            output_config: part("output_config"),
        }
    }
}

async fn write(output: &mut (impl AsyncWrite + Unpin), value: &impl Serialize) -> Result<(), LabError> {
    let failed = |reason: String| LabError::Step { reason };
    let mut line = serde_json::to_vec(value).map_err(|error| failed(error.to_string()))?;
    line.push(b'\n');
    output.write_all(&line).await.map_err(|error| failed(error.to_string()))?;
    output.flush().await.map_err(|error| failed(error.to_string()))
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    #[test]
    fn orders_are_read_and_what_is_no_order_is_refused() {
        let tell = json!({"do": "tell", "script": [{"blocks": [{"type": "text", "text": "Hello."}]}]});
        assert!(
            matches!(serde_json::from_value(tell), Ok(Order::Tell { script }) if script == Script::new().says("Hello."))
        );
        assert!(matches!(serde_json::from_value(json!({"do": "asked"})), Ok(Order::Asked)));
        assert!(serde_json::from_value::<Order>(json!({"do": "dance"})).is_err());
    }
}
