//! Starting agents: new sessions, resumed ones, forks. Everything that comes from outside is looked at before.

use axum::extract::State;
use axum::{Extension, Json};
use live::{Begun, Options, Session, TakeOver};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::messages::Message;
use crate::app::{App, blocking};
use crate::error::{ApiError, ApiResult};
use crate::extract::{Body, Exact, LargeBody, Object, SessionId, session_id};
use crate::guard::{Deed, Roots, SETTING_FOLDERS, Who, check_settings, checked, folders_of};

/// Starts a session.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Start {
    /// The caller's name for the session, a new uuid in small letters. With one, a retry starts no second session.
    #[serde(default)]
    #[schemars(extend("format" = "uuid"))]
    id: Option<String>,
    /// What it is started with.
    #[serde(default)]
    options: Exact<Options>,
    /// The first message.
    #[serde(default)]
    message: Option<Object<Message>>,
    /// Go on with the agent's last conversation in the working directory, in the session that holds it. What the options say
    /// counts from then on, unless its agent runs.
    #[serde(default)]
    continue_recent: bool,
}

/// A session that was started.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Started {
    /// The session.
    session: String,
    /// The record that holds the first message.
    #[serde(skip_serializing_if = "Option::is_none")]
    seq: Option<u64>,
}

/// Starts an agent again.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Resume {
    /// What to do when another program works on the same conversation: nothing (`never`), end it (`end`), or go on beside it.
    take_over: Take,
}

/// What to do when another program works on the same conversation.
#[derive(Clone, Copy, Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) enum Take {
    /// Say so, and resume nothing.
    #[default]
    Never,
    /// Ask it to end, then resume.
    End,
    /// Resume beside it.
    Beside,
}

/// Forks a session.
#[derive(Debug, Default, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields, default)]
pub(crate) struct Fork {
    /// The message to end with, by its uuid; the whole conversation, without one.
    at: Option<String>,
}

/// `POST /api/v1/sessions`
pub(crate) async fn start(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    LargeBody(start): LargeBody<Start>,
) -> ApiResult<Json<Started>> {
    let roots = app.roots().await?;
    let options = blocking(move || admitted(start.options.0, &roots)).await?;
    let message = start.message.map(|Object(message)| message);
    let prompt = message.as_ref().map(Message::prompt).transpose()?;
    let cwd = options.cwd.as_ref().map(|cwd| cwd.display().to_string());
    let title = options.title.clone();
    let (session, begun) = match (start.id, start.continue_recent) {
        (Some(id), false) => app.sessions().start_once(&named(id)?, options).await?,
        (None, false) => (app.sessions().start(options).await?, Begun::Now),
        (None, true) => go_on(&app, options).await?,
        (Some(_), true) => {
            return Err(ApiError::bad_request("`id` names a new session, and `continueRecent` an old one"));
        }
    };
    let id = session.id().to_owned();
    // Who finds it started has started nothing.
    if begun == Begun::Now {
        let bypass = app.sessions().options(&session)?.bypass_permissions;
        app.audit(Some(&who), &Deed::Started { session: id.clone(), cwd, bypass })?;
    }
    if let Some(title) = title {
        // Agents do not say by which name they were started.
        let of = id.clone();
        let own = app.desk(move |desk| desk.set_title(&of, &title).and_then(|()| desk.session(&of))).await?;
        app.sessions().set_own(&id, own);
    }
    let seq = match (prompt, message) {
        (Some(prompt), Some(message)) => {
            // The agent of one that was started before may have ended since.
            let waking = Waking::look(&app, &id).await?;
            let sent = app.sessions().send(&id, prompt, &message.id, Some(&who.name)).await;
            if let Some(waking) = waking {
                waking.audit(&app, &who);
            }
            Some(sent?.seq)
        }
        _ => None,
    };
    Ok(Json(Started { session: id, seq }))
}

/// The session that holds the last conversation in the folder of these options, with its agent running.
async fn go_on(app: &App, options: Options) -> ApiResult<(Session, Begun)> {
    let session = app.sessions().recent(&options).await?;
    admitted_again(app, session.id()).await?;
    match app.sessions().resume_with(session.id(), options, TakeOver::Never).await {
        Ok(_) => Ok((session, Begun::Now)),
        Err(live::Error::Running) => Ok((session, Begun::Before)),
        Err(error) => Err(ApiError::from(error).about(session.id())),
    }
}

/// A session that might be started.
#[derive(Debug, Deserialize, JsonSchema)]
#[serde(rename_all = "camelCase", deny_unknown_fields)]
pub(crate) struct Planned {
    /// What it would be started with.
    #[serde(default)]
    options: Exact<Options>,
}

/// The command line that a session would be started with.
#[derive(Debug, Serialize, JsonSchema)]
#[serde(rename_all = "camelCase")]
pub(crate) struct CommandLine {
    /// The program.
    program: String,
    /// The version of the CLI.
    version: String,
    /// Its arguments.
    args: Vec<String>,
    /// Those that are there whatever the options say.
    always: Vec<String>,
}

/// `POST /api/v1/command-line`
pub(crate) async fn command_line(State(app): State<App>, Body(planned): Body<Planned>) -> ApiResult<Json<CommandLine>> {
    let roots = app.roots().await?;
    let options = blocking(move || admitted(planned.options.0, &roots)).await?;
    let always = Options { cwd: options.cwd.clone(), ..Options::default() };
    let always = app.sessions().plan(&always).await?;
    let plan = app.sessions().plan(&options).await?;
    Ok(Json(CommandLine {
        program: plan.program,
        version: plan.version,
        args: plan.arguments,
        always: always.arguments,
    }))
}

/// `POST /api/v1/sessions/{id}/resume`
pub(crate) async fn resume(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Body(resume): Body<Resume>,
) -> ApiResult<Json<Started>> {
    let take_over = match resume.take_over {
        Take::Never => TakeOver::Never,
        Take::End => TakeOver::End,
        Take::Beside => TakeOver::Beside,
    };
    let deed = admitted_again(&app, &id).await?;
    app.sessions().resume(&id, take_over).await?;
    app.audit(Some(&who), &deed)?;
    Ok(Json(Started { session: id, seq: None }))
}

/// `POST /api/v1/sessions/{id}/fork`
pub(crate) async fn fork(
    State(app): State<App>,
    Extension(who): Extension<Who>,
    SessionId(id): SessionId,
    Body(fork): Body<Fork>,
) -> ApiResult<Json<Started>> {
    let at = fork.at.as_deref().map(|at| checked("message", at)).transpose()?;
    let mut deed = admitted_again(&app, &id).await?;
    let forked = app.sessions().fork(&id, at).await?.id().to_owned();
    if let Deed::Started { session, .. } = &mut deed {
        session.clone_from(&forked);
    }
    app.audit(Some(&who), &deed)?;
    let id = forked;
    Ok(Json(Started { session: id, seq: None }))
}

/// A session that is started again works where agents may work now, which need not be where they might then. What will have
/// been done, then.
pub(crate) async fn admitted_again(app: &App, id: &str) -> ApiResult<Deed> {
    let session = app.sessions().get(id).await?;
    let options = app.sessions().options(&session)?;
    let roots = app.roots().await?;
    let bypass = options.bypass_permissions;
    let cwd = blocking(move || roots.admit(&options)).await?;
    let cwd = Some(cwd.display().to_string());
    Ok(Deed::Started { session: id.to_owned(), cwd, bypass })
}

/// An agent that does not run and may be started by what comes next, or may not: where it only waits, or is not to be had.
pub(crate) struct Waking {
    session: Session,
    before: (bool, u64),
    deed: Deed,
}

impl Waking {
    /// Looks whether it may be started at all; nothing, if it runs.
    pub(crate) async fn look(app: &App, id: &str) -> ApiResult<Option<Waking>> {
        let session = app.sessions().get(id).await?;
        let before = session.agents();
        if session.is_running() {
            return Ok(None);
        }
        Ok(Some(Waking { session, before, deed: admitted_again(app, id).await? }))
    }

    /// Writes down that it was started, if it was.
    pub(crate) fn audit(&self, app: &App, who: &Who) {
        if self.session.agents() != self.before {
            app.audit_done(who, &self.deed);
        }
    }
}

/// The caller's name for a session.
fn named(id: String) -> ApiResult<String> {
    session_id(id).map_err(|_| ApiError::bad_request("`id` is a new uuid in small letters"))
}

/// Options that may be used: folders where agents may work, words that are words, and nothing that only a terminal may say.
fn admitted(mut options: Options, roots: &Roots) -> ApiResult<Options> {
    let cwd = match &options.cwd {
        Some(cwd) => roots.folder(cwd)?,
        None => roots
            .iter()
            .next()
            .map(ToOwned::to_owned)
            .ok_or_else(|| ApiError::bad_request("say in which folder: `cwd`"))?,
    };
    options.cwd = Some(cwd);
    for folder in options.directories.iter_mut().chain(&mut options.plugin_dirs).chain(&mut options.project_config_root)
    {
        *folder = roots.folder(folder)?;
    }
    for file in &mut options.mcp_files {
        *file = roots.place(file)?;
    }
    let words = [
        ("model", &options.model),
        ("permission mode", &options.mode),
        ("effort", &options.effort),
        ("agent", &options.agent),
        ("way to think", &options.thinking),
        ("way to show thoughts", &options.thinking_display),
    ];
    for (what, word) in words {
        word.as_deref().map(|word| checked(what, word)).transpose()?;
    }
    let lists = [
        ("model", options.fallback_models.iter().collect::<Vec<_>>()),
        ("tool", options.tools.iter().flatten().collect()),
        ("tool", options.tool_aliases.iter().flat_map(|(called, runs)| [called, runs]).collect()),
        ("beta feature", options.betas.iter().collect()),
        ("skill", options.skills.iter().flatten().collect()),
    ];
    for (what, list) in lists {
        list.into_iter().try_for_each(|word| checked(what, word).map(|_| ()))?;
    }
    // What comes from there will be run.
    let is_address = |url: &String| url.starts_with("https://") && url.chars().all(|letter| letter.is_ascii_graphic());
    if !options.plugin_urls.iter().all(is_address) {
        return Err(ApiError::bad_request("the address of a plugin begins with `https://`"));
    }
    let rules = options.allowed_tools.iter().chain(&options.disallowed_tools);
    if let Some(rule) = rules.into_iter().find(|rule| rule.starts_with('-') || rule.is_empty()) {
        return Err(ApiError::bad_request(format!("`{rule}` is no rule: it would be one like `Bash(git *)`")));
    }
    if let Some(settings) = &mut options.settings {
        check_settings(settings)?;
        let folders = folders_of(settings)?.iter().map(|folder| roots.folder(folder)).collect::<ApiResult<Vec<_>>>()?;
        if let Some(named) = settings.pointer_mut(SETTING_FOLDERS) {
            *named = folders.iter().map(|folder| folder.to_string_lossy()).collect();
        }
    }
    if options.title.as_ref().is_some_and(|title| title.starts_with('-')) {
        return Err(ApiError::bad_request("a title does not begin with `-`"));
    }
    if !options.extra_args.is_empty() {
        return Err(ApiError::bad_request("`extraArgs` are for `quarterdeck run` alone"));
    }
    Ok(options)
}
