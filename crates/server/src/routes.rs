//! Every route on one screen: who may use it, what it does, what goes in and what comes out. The router, the guard and the
//! OpenAPI document are all made from this table.

mod about;
mod answers;
mod control;
mod devices;
mod effect;
mod files;
mod held;
mod list;
mod login;
mod messages;
mod own;
mod records;
mod rules;
mod sessions;
mod start;
mod state;
mod usage;

use axum::handler::Handler;
use axum::http::Method;
use axum::routing::{MethodRouter, on};
use schemars::{JsonSchema, Schema, SchemaGenerator};

use crate::app::App;
use crate::error::{ApiError, Code};
use crate::frame::{ClientFrame, ServerFrame};
use crate::{page, socket};

/// Who may use a route.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Access {
    /// Everybody who can reach the server.
    Anyone,
    /// Who is logged in.
    Person,
    /// Who is logged in; everybody else gets the page to log in.
    Page,
    /// Who has a ticket.
    Ticket,
}

/// A route.
pub(crate) struct Route {
    pub(crate) method: Method,
    pub(crate) path: &'static str,
    pub(crate) access: Access,
    pub(crate) about: &'static str,
    pub(crate) query: Option<SchemaOf>,
    pub(crate) body: Option<SchemaOf>,
    pub(crate) gives: Gives,
    pub(crate) fails: Vec<Code>,
    pub(crate) handler: MethodRouter<App>,
}

/// Makes the schema of a type.
pub(crate) type SchemaOf = fn(&mut SchemaGenerator) -> Schema;

/// What a route answers with.
#[derive(Clone, Copy)]
pub(crate) enum Gives {
    Json(SchemaOf),
    /// JSON Lines, each of this form.
    Lines(SchemaOf),
    /// Something else, of this media type.
    Media(&'static str),
    /// Nothing: 204.
    Nothing,
    /// A WebSocket: 101. What it is told, and what it tells, a frame each.
    Socket {
        hears: SchemaOf,
        says: SchemaOf,
    },
}

/// What can go wrong where a running agent is asked for something.
const ASKS: &[Code] = &[Code::NoSession, Code::NotRunning, Code::Unreachable, Code::AgentRefused, Code::NoAnswer];

/// What can go wrong where an agent is started.
const STARTS: &[Code] = &[Code::OutsideRoots, Code::NotAllowed, Code::NotStarted, Code::NotRunning, Code::Unreachable];

#[rustfmt::skip]
pub(crate) fn all() -> Vec<Route> {
    use Code::*;
    vec![
        // Coming in.
        get("/", page::index).by(Access::Page).says("The page").media("text/html"),
        get("/login", page::login_page).by(Access::Anyone).says("The page to log in").media("text/html"),
        get("/page/{file}", page::file).by(Access::Anyone).says("A file of the page").media("text/plain").fails(&[NotFound]),
        get("/healthz", about::health).by(Access::Anyone).says("Is the server there?").media("text/plain"),
        get("/metrics", about::metrics).says("Figures for Prometheus").media("text/plain"),
        post("/api/v1/login", login::login).by(Access::Anyone).says("Log in with the token of a launch link, which is good once")
            .body::<login::Login>().gives::<login::LoggedIn>().fails(&[BadToken, TooMany, Storage]),
        post("/api/v1/logout", login::logout).says("Log this browser out").nothing(),
        post("/api/v1/launches", login::launch).says("A launch link for another device, good once within five minutes").gives::<login::Launch>(),
        post("/api/v1/socket-tickets", login::ticket).says("A ticket for a WebSocket, good once within a minute").gives::<login::Ticket>(),
        get("/api/v1/socket", socket::open).by(Access::Ticket).says("The WebSocket: watch sessions and the list").query::<login::TicketQuery>()
            .socket::<ClientFrame, ServerFrame<'_>>().fails(&[TooMany]),
        get("/api/v1/devices", devices::list).says("The devices and scripts that may come in").gives::<Vec<devices::DeviceRow>>(),
        delete("/api/v1/devices/{id}", devices::revoke).says("Do not let a device or a script in any more").nothing().fails(&[NotFound]),
        // What there is.
        get("/api/v1/about", about::about).says("What this server is, and what it can do").gives::<about::About>(),
        get("/api/v1/openapi.json", about::openapi).says("This document").gives::<about::Document>(),
        get("/api/v1/sessions", list::list).says("The sessions, the last one first").query::<list::ListQuery>().gives::<list::ListPage>(),
        get("/api/v1/search", list::search).says("Search prompts, answers, commands and paths of all sessions").query::<list::SearchQuery>().gives::<Vec<journal::Hit>>(),
        get("/api/v1/usage", usage::usage).says("What was spent, by day, model or folder").query::<usage::UsageQuery>().gives::<Vec<usage::Spent>>(),
        get("/api/v1/usage/turns", usage::turns).says("The turns that it was spent in, the last one first").query::<usage::TurnsQuery>().gives::<usage::Turns>(),
        // A session.
        post("/api/v1/sessions", start::start).says("Start a session, with its first message if there is one")
            .body::<start::Start>().gives::<start::Started>()
            .fails(STARTS).fails(&[TwoWriters, NothingToResume]),
        post("/api/v1/command-line", start::command_line).says("The command line that a session would be started with; starts nothing")
            .body::<start::Planned>().gives::<start::CommandLine>().fails(&[OutsideRoots, NotAllowed, NotStarted]),
        get("/api/v1/sessions/{id}", sessions::one).says("A session in the list").gives::<sessions::One>().fails(&[NoSession]),
        patch("/api/v1/sessions/{id}", own::change).says("Give it a title, put it into the archive, mark it read").body::<own::OwnChange>().nothing().fails(&[NoSession]),
        delete("/api/v1/sessions/{id}", sessions::remove).says("Remove it for good; the CLI's own transcript stays").nothing().fails(&[NoSession, Running]),
        get("/api/v1/sessions/{id}/state", state::state).says("What is so now: a snapshot, or what changed since")
            .query::<state::SinceQuery>().gives::<live::Answer>().fails(&[NoSession]),
        get("/api/v1/sessions/{id}/items", state::items).says("Items before a place in the conversation, the oldest first")
            .query::<state::ItemsQuery>().gives::<state::ItemsPage>().fails(&[NoSession]),
        get("/api/v1/sessions/{id}/text", state::text).says("The whole of a text of which the state has the head")
            .query::<state::TextQuery>().media("text/plain").fails(&[NoSession, NotFound]),
        get("/api/v1/sessions/{id}/records", records::records).says("The records of the log, as JSON Lines").query::<records::RecordsQuery>().lines::<insights::Record>().fails(&[NoSession]),
        get("/api/v1/sessions/{id}/events", records::events).says("The events, as JSON Lines; with `follow`, also those to come")
            .query::<records::EventsQuery>().lines::<insights::InsightsEvent>().fails(&[NoSession]),
        get("/api/v1/sessions/{id}/export", records::export).says("The conversation as Markdown").media("text/markdown").fails(&[NoSession]),
        get("/api/v1/sessions/{id}/draft", own::draft).says("What is being typed; in a session that is not begun yet, with the id of zeros").gives::<own::Draft>().fails(&[NoSession]),
        put("/api/v1/sessions/{id}/draft", own::set_draft).says("Keep what is being typed").body::<own::DraftText>().nothing().fails(&[NoSession]),
        put("/api/v1/sessions/{id}/draft/pictures/{picture}", own::set_draft_picture).says("Keep a picture that goes with what is being typed").body::<own::DraftPicture>().nothing().fails(&[NoSession]),
        delete("/api/v1/sessions/{id}/draft/pictures/{picture}", own::remove_draft_picture).says("A picture does not go with it any more").nothing().fails(&[NoSession]),
        // To its agent.
        post("/api/v1/sessions/{id}/messages", messages::send).says("Send a message; an id that was sent before is not sent again")
            .body::<messages::Message>().gives::<messages::Sent>().fails(STARTS).fails(&[NoSession, TwoWriters]),
        post("/api/v1/sessions/{id}/messages/{seq}/again", messages::again).says("Send a message again of which nobody knows whether the agent took it")
            .body::<messages::Again>().gives::<messages::Sent>().fails(&[NoSession, NotFound, NotRunning, Unreachable]),
        delete("/api/v1/sessions/{id}/queue/{message}", messages::take_back).says("Take a message back that the agent has not taken yet; forget one of which nobody knows whether it took it")
            .nothing().fails(&[NoSession, NotFound, NotRunning, Running, Unreachable, AgentRefused]),
        get("/api/v1/sessions/{id}/held", held::list).says("The messages that wait until the turn has ended").gives::<live::Held>().fails(&[NoSession]),
        put("/api/v1/sessions/{id}/held/{message}", held::change).says("Say it otherwise").body::<messages::Words>().nothing().fails(&[NoSession, NotFound]),
        delete("/api/v1/sessions/{id}/held/{message}", held::remove).says("Do not send it").nothing().fails(&[NoSession, NotFound]),
        post("/api/v1/sessions/{id}/held/{message}/move", held::reorder).says("Send it before another one, or last").body::<held::Place>().nothing().fails(&[NoSession, NotFound]),
        post("/api/v1/sessions/{id}/held/go-on", held::go_on).says("Send what waits although the last turn was interrupted or failed").nothing().fails(STARTS).fails(&[NoSession, TwoWriters]),
        post("/api/v1/sessions/{id}/asks/{ask}", answers::answer).says("Answer a question; the first answer counts")
            .body::<answers::Decided>().gives::<messages::Sent>().fails(&[NoSession, NotAsked, NotAllowed, NotRunning, Unreachable]),
        post("/api/v1/sessions/{id}/interrupt", control::interrupt).says("Stop the turn").nothing().fails(ASKS),
        post("/api/v1/sessions/{id}/resume", start::resume).says("Start its agent again, on the same conversation")
            .body::<start::Resume>().gives::<start::Started>().fails(STARTS).fails(&[NoSession, Running, TwoWriters]),
        post("/api/v1/sessions/{id}/fork", start::fork).says("A new session that begins with what was said here")
            .body::<start::Fork>().gives::<start::Started>().fails(STARTS).fails(&[NoSession, Running, NothingToResume, NotFound]),
        post("/api/v1/sessions/{id}/close", control::close).says("End its agent").body::<control::Close>().nothing().fails(&[NoSession, NotRunning, Unreachable]),
        patch("/api/v1/sessions/{id}/settings", control::settings).says("Another model, permission mode or effort from now on; fast mode and thinking on or off")
            .body::<control::Settings>().nothing().fails(ASKS).fails(&[NotAllowed]),
        get("/api/v1/sessions/{id}/context", control::context).says("What fills the context, as the agent says").gives::<control::AgentAnswer>().fails(ASKS),
        get("/api/v1/sessions/{id}/mcp", control::mcp).says("The MCP servers, as the agent says").gives::<control::AgentAnswer>().fails(ASKS),
        post("/api/v1/sessions/{id}/mcp/{server}", control::mcp_change).says("Connect an MCP server again, or switch it on or off")
            .body::<control::McpChange>().nothing().fails(ASKS),
        post("/api/v1/sessions/{id}/tasks/{task}/stop", control::stop_task).says("Stop a task that runs beside the conversation").nothing().fails(ASKS),
        get("/api/v1/sessions/{id}/tasks/{task}/output", control::task_output).says("The end of what a task has written, as the agent says")
            .gives::<control::TaskOutput>().fails(ASKS),
        get("/api/v1/sessions/{id}/rules", rules::rules).says("The permission rules in force").gives::<rules::Rules>().fails(&[NoSession]),
        post("/api/v1/sessions/{id}/rules/effect", effect::effect).says("Which of the last calls rules would have covered; changes nothing")
            .body::<effect::Tried>().gives::<effect::Effect>().fails(&[NoSession]),
        post("/api/v1/sessions/{id}/rewind", control::rewind).says("Put files back as they were before a message")
            .body::<control::Rewind>().gives::<control::AgentAnswer>().fails(ASKS),
        // Files and folders.
        get("/api/v1/sessions/{id}/files", files::find).says("Files of the working directory, for `@`").query::<files::FindQuery>().gives::<Vec<files::FoundFile>>().fails(&[NoSession, NotFound, OutsideRoots]),
        get("/api/v1/sessions/{id}/file", files::read).says("The text of a file of the working directory").query::<files::ReadQuery>().media("text/plain").fails(&[NoSession, NotFound, OutsideRoots]),
        get("/api/v1/folders", files::folders).says("The folders in a folder; the roots, without one").query::<files::FoldersQuery>().gives::<files::Folders>().fails(&[OutsideRoots]),
        get("/api/v1/roots", files::roots).says("The folders that agents may work in").gives::<Vec<String>>(),
        post("/api/v1/roots", files::allow).says("Let agents work in a folder").body::<files::Root>().nothing(),
        delete("/api/v1/roots", files::forbid).says("Do not let them any more").query::<files::Root>().nothing().fails(&[NotFound]),
        // The user's own.
        get("/api/v1/settings", own::settings).says("Keys, presets and budgets").gives::<own::OwnSettings>(),
        patch("/api/v1/settings", own::set_settings).says("Change keys, presets and budgets; null removes one").body::<own::OwnSettingsChange>().nothing(),
        // Sessions of terminals.
        get("/api/v1/transcripts", list::transcripts).says("Sessions that were held in a terminal, the last one first").query::<list::TranscriptsQuery>().gives::<Vec<list::TranscriptRow>>(),
        post("/api/v1/transcripts/{id}/import", list::import).says("Take a session of a terminal in").gives::<list::Imported>().fails(&[NotFound, Running]),
    ]
}

/// What is on no route.
pub(crate) async fn no_route() -> ApiError {
    ApiError::new(Code::NoRoute, "there is nothing here; `/api/v1/openapi.json` says what there is")
}

/// What is on a route, but not so.
pub(crate) async fn wrong_method() -> ApiError {
    ApiError::new(Code::WrongMethod, "this path is used with another method; `/api/v1/openapi.json` says with which")
}

fn route<H: Handler<T, App>, T: 'static>(method: Method, path: &'static str, handler: H) -> Route {
    let filter = axum::routing::MethodFilter::try_from(method.clone()).unwrap_or(axum::routing::MethodFilter::GET);
    Route {
        method,
        path,
        access: Access::Person,
        about: "",
        query: None,
        body: None,
        gives: Gives::Nothing,
        fails: Vec::new(),
        handler: on(filter, handler),
    }
}

fn get<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
    route(Method::GET, path, handler)
}

fn post<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
    route(Method::POST, path, handler)
}

fn put<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
    route(Method::PUT, path, handler)
}

fn patch<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
    route(Method::PATCH, path, handler)
}

fn delete<H: Handler<T, App>, T: 'static>(path: &'static str, handler: H) -> Route {
    route(Method::DELETE, path, handler)
}

impl Route {
    fn by(self, access: Access) -> Route {
        Route { access, ..self }
    }

    fn says(self, about: &'static str) -> Route {
        Route { about, ..self }
    }

    fn query<T: JsonSchema>(self) -> Route {
        Route { query: Some(|generator| T::json_schema(generator)), ..self }
    }

    fn body<T: JsonSchema>(self) -> Route {
        Route { body: Some(SchemaGenerator::subschema_for::<T>), ..self }
    }

    fn gives<T: JsonSchema>(self) -> Route {
        Route { gives: Gives::Json(SchemaGenerator::subschema_for::<T>), ..self }
    }

    fn lines<T: JsonSchema>(self) -> Route {
        Route { gives: Gives::Lines(SchemaGenerator::subschema_for::<T>), ..self }
    }

    fn media(self, media: &'static str) -> Route {
        Route { gives: Gives::Media(media), ..self }
    }

    fn nothing(self) -> Route {
        Route { gives: Gives::Nothing, ..self }
    }

    fn socket<H: JsonSchema, S: JsonSchema>(self) -> Route {
        let (hears, says) = (SchemaGenerator::subschema_for::<H>, SchemaGenerator::subschema_for::<S>);
        Route { gives: Gives::Socket { hears, says }, ..self }
    }

    fn fails(mut self, fails: &[Code]) -> Route {
        self.fails.extend_from_slice(fails);
        self
    }
}

#[cfg(test)]
mod tests {
    use std::collections::{BTreeMap, BTreeSet};

    use super::*;

    #[test]
    fn the_document_has_every_route_and_no_other() {
        let document = crate::openapi::document("", "cookie");
        let described = document["paths"].as_object().unwrap().iter().flat_map(|(path, methods)| {
            methods.as_object().unwrap().keys().map(move |method| format!("{} {path}", method.to_ascii_uppercase()))
        });
        let routes: BTreeSet<String> = all().iter().map(|route| format!("{} {}", route.method, route.path)).collect();
        assert_eq!(described.collect::<BTreeSet<_>>(), routes);
    }

    #[test]
    fn all_routes_of_a_path_are_for_the_same_people() {
        // The guard goes by the path alone.
        let mut known: BTreeMap<&str, Access> = BTreeMap::new();
        for route in all() {
            assert_eq!(*known.entry(route.path).or_insert(route.access), route.access, "{}", route.path);
        }
        let open = all().into_iter().filter(|route| route.access == Access::Anyone).map(|route| route.path);
        let open: BTreeSet<&str> = open.collect();
        assert_eq!(open, BTreeSet::from(["/api/v1/login", "/healthz", "/login", "/page/{file}"]));
    }
}
