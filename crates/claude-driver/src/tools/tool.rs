//! One tool: a name, a description and a function in; what MCP lists and what it calls out.

use std::fmt;
use std::panic::AssertUnwindSafe;
use std::sync::Arc;
use std::time::Duration;

use futures_util::FutureExt;
use futures_util::future::BoxFuture;
use rmcp::model::{self, CallToolResult, ContentBlock, JsonObject, ToolAnnotations};
use schemars::JsonSchema;
use serde::de::DeserializeOwned;

use super::arguments;
use super::context::ToolContext;
use super::error::ToolError;
use super::output::ToolOutput;

/// What the CLI looks for in the `_meta` of a listed tool.
const ALWAYS_LOAD: &str = "anthropic/alwaysLoad";

/// A tool that runs in this process. Its arguments are a Rust type; the docs of its fields are what the model reads.
///
/// ```
/// use claude_driver::{JsonSchema, Tool};
///
/// #[derive(serde::Deserialize, JsonSchema)]
/// struct Stock {
///     /// The article, such as "A-1".
///     sku: String,
/// }
///
/// let stock = Tool::new("stock", "Units on hand", |stock: Stock, _context| async move {
///     let units: u32 = stock.sku.trim_start_matches("A-").parse()?;
///     Ok(format!("{units} units"))
/// })
/// .read_only();
/// ```
///
/// Whatever goes wrong is told to the model as a failed tool result and ends nothing else: arguments that do not fit
/// the type, with the place that is wrong; an error, with its sources; a panic; a time limit that is up. Calls run side
/// by side, each as long as it takes. When a call is cancelled, or the session ends, the future of the function is
/// dropped.
#[derive(Clone)]
pub struct Tool {
    listed: model::Tool,
    call: Arc<Call>,
    time_limit: Option<Duration>,
}

type Call = dyn Fn(JsonObject, ToolContext) -> BoxFuture<'static, Result<ToolOutput, Failure>> + Send + Sync;

/// Why a call has no output.
enum Failure {
    Arguments(String),
    Tool(ToolError),
}

impl Tool {
    /// A tool that calls a function.
    ///
    /// The arguments of an MCP tool are an object, so a struct is the natural type for them. A type of another kind
    /// (a number, a list) is served as one argument called `value`, and `()` as none.
    pub fn new<A, O, F, Fut>(name: impl Into<String>, description: impl Into<String>, function: F) -> Self
    where
        A: DeserializeOwned + JsonSchema,
        O: Into<ToolOutput>,
        F: Fn(A, ToolContext) -> Fut + Send + Sync + 'static,
        Fut: Future<Output = Result<O, ToolError>> + Send + 'static,
    {
        let (schema, shape) = arguments::schema::<A>();
        let call = move |given: JsonObject, context: ToolContext| {
            let running = arguments::read(given, shape).map(|arguments| function(arguments, context));
            async move {
                let output = running.map_err(Failure::Arguments)?.await;
                output.map(Into::into).map_err(Failure::Tool)
            }
            .boxed()
        };
        let listed = model::Tool::new(name.into(), description.into(), schema);
        Tool { listed, call: Arc::new(call), time_limit: None }
    }

    /// A name for people.
    pub fn title(mut self, title: impl Into<String>) -> Self {
        self.listed.title = Some(title.into());
        self
    }

    /// The tool changes nothing. The CLI may then call it beside others.
    pub fn read_only(self) -> Self {
        self.hint(|hints| hints.read_only_hint = Some(true))
    }

    /// The tool may destroy something.
    pub fn destructive(self) -> Self {
        self.hint(|hints| hints.destructive_hint = Some(true))
    }

    /// Calling the tool twice is the same as calling it once.
    pub fn idempotent(self) -> Self {
        self.hint(|hints| hints.idempotent_hint = Some(true))
    }

    /// The tool talks with a world beyond this process, such as the web.
    pub fn open_world(self) -> Self {
        self.hint(|hints| hints.open_world_hint = Some(true))
    }

    /// The schema of the tool is always in the prompt. Without this a newer CLI (2.1.325) may name the tool only, and
    /// let the model look it up when it wants it.
    pub fn always_loaded(mut self) -> Self {
        self.listed.meta.get_or_insert_default().0.insert(ALWAYS_LOAD.to_owned(), true.into());
        self
    }

    /// How long one call may take; without it, as long as it likes.
    pub fn time_limit(mut self, limit: Duration) -> Self {
        self.time_limit = Some(limit);
        self
    }

    /// The name, as it was given. The CLI calls the tool `mcp__<server>__<name>`.
    pub fn name(&self) -> &str {
        &self.listed.name
    }

    pub(super) fn listed(&self) -> &model::Tool {
        &self.listed
    }

    /// One call, to its end. Never panics and always has a result.
    pub(super) async fn run(&self, given: JsonObject, context: ToolContext) -> CallToolResult {
        let cancelled = context.clone();
        let running = AssertUnwindSafe(async { (self.call)(given, context).await }).catch_unwind();
        let limit = async {
            match self.time_limit {
                Some(limit) => {
                    tokio::time::sleep(limit).await;
                    limit
                }
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            ended = running => match ended {
                Ok(Ok(output)) => output.into_result(),
                Ok(Err(Failure::Arguments(text))) => failed(text),
                Ok(Err(Failure::Tool(error))) => failed(error.to_string()),
                Err(_panic) => failed("the tool panicked"),
            },
            limit = limit => failed(format!("the tool did not finish within {limit:?}")),
            () = cancelled.cancelled() => failed("the call was cancelled"),
        }
    }

    fn hint(mut self, set: impl FnOnce(&mut ToolAnnotations)) -> Self {
        set(self.listed.annotations.get_or_insert_default());
        self
    }
}

impl fmt::Debug for Tool {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut debug = formatter.debug_struct("Tool");
        debug.field("name", &self.listed.name).field("time_limit", &self.time_limit).finish_non_exhaustive()
    }
}

fn failed(text: impl Into<String>) -> CallToolResult {
    CallToolResult::error(vec![ContentBlock::text(text)])
}
