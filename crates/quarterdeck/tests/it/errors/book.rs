//! What the document says, and what was seen of it.

use std::collections::BTreeSet;

use serde_json::Value;

use super::NOBODY;
use crate::client::{Client, Reply};

/// The paths, and the errors that were seen on them.
pub(super) struct Book {
    pub(super) client: Client,
    pub(super) operations: Vec<Operation>,
    /// Names of operations, each with a code.
    pub(super) seen: BTreeSet<(String, String)>,
}

/// A method of a path.
#[derive(Clone)]
pub(super) struct Operation {
    /// Both: `GET /api/v1/about`.
    pub(super) name: String,
    pub(super) method: String,
    /// With names in brackets.
    pub(super) path: String,
    /// The errors that are documented.
    pub(super) codes: BTreeSet<String>,
}

impl Operation {
    fn new(path: &str, method: &str, described: &Value) -> Operation {
        let method = method.to_ascii_uppercase();
        let texts =
            described["responses"].as_object().unwrap().values().filter_map(|answer| answer["description"].as_str());
        let code = |line: &str| Some(line.strip_prefix('`')?.split_once("`: ")?.0.to_owned());
        let codes = texts.flat_map(str::lines).filter_map(code).collect();
        Operation { name: format!("{method} {path}"), method, path: path.to_owned(), codes }
    }

    pub(super) fn changes(&self) -> bool {
        self.method != "GET"
    }

    /// A body that says nothing; none at all, if nothing is to be changed.
    pub(super) fn nothing(&self) -> &'static [u8] {
        if self.changes() { b"{}" } else { b"" }
    }

    pub(super) fn is_socket(&self) -> bool {
        self.path == "/api/v1/socket"
    }

    /// Its path where nothing is: no session, no message, no device.
    pub(super) fn nowhere(&self) -> String {
        self.at(NOBODY)
    }

    /// Its path in a session.
    pub(super) fn at(&self, session: &str) -> String {
        filled(&self.path, &[session])
    }
}

impl Book {
    pub(super) fn new(client: Client, document: &Value) -> Book {
        let paths = document["paths"].as_object().unwrap().iter();
        let of_path = |(path, methods): (&String, &Value)| -> Vec<Operation> {
            let methods = methods.as_object().unwrap().iter();
            methods.map(|(method, described)| Operation::new(path, method, described)).collect()
        };
        Book { client, operations: paths.flat_map(of_path).collect(), seen: BTreeSet::new() }
    }

    /// All that the document says.
    pub(super) fn documented(&self) -> BTreeSet<(String, String)> {
        let of_one = |operation: &Operation| -> Vec<(String, String)> {
            operation.codes.iter().map(|code| (operation.name.clone(), code.clone())).collect()
        };
        self.operations.iter().flat_map(of_one).collect()
    }

    /// Those that document one of these errors.
    pub(super) fn with(&self, codes: &[&str]) -> Vec<Operation> {
        let has = |operation: &&Operation| codes.iter().any(|code| operation.codes.contains(*code));
        self.operations.iter().filter(has).cloned().collect()
    }

    /// Takes note of an answer, if it is an error.
    #[track_caller]
    pub(super) fn note(&mut self, name: &str, reply: &Reply) {
        if reply.status < 400 {
            return;
        }
        let is_page = reply.header("content-type").is_some_and(|media| media.starts_with("text/html"));
        // Who opens the page without a name is helped by another page.
        let code = if is_page && reply.status == 401 { "not_logged_in".to_owned() } else { reply.code().unwrap() };
        assert!(is_page || !reply.json()["error"]["message"].as_str().unwrap().is_empty(), "{name} {}", reply.text());
        // A build for tests says so where a route answers with what it does not document.
        assert_ne!(code, "internal", "{name} {}", reply.text());
        self.seen.insert((name.to_owned(), code));
    }

    /// Asks for something, and takes note of the answer. What stands in brackets in the path is filled in, in order.
    pub(super) async fn ask(&mut self, name: &str, values: &[&str], body: &Value) -> Reply {
        let (method, path) = name.split_once(' ').unwrap();
        let path = filled(path, values);
        let reply = match method {
            "GET" => self.client.get(&path).await,
            method => self.client.change(method, &path, body).await,
        };
        let reply = reply.unwrap_or_else(|error| panic!("{name}: {error}"));
        // A query is no part of the name.
        self.note(name.split('?').next().unwrap(), &reply);
        reply
    }

    /// The same where it has to be this error.
    pub(super) async fn must(&mut self, code: &str, name: &str, values: &[&str], body: &Value) -> Reply {
        let reply = self.ask(name, values, body).await;
        assert_eq!(reply.code().as_deref(), Some(code), "{name}: {} {}", reply.status, reply.text());
        reply
    }
}

/// A path with these values in the place of its names, and with what there never is where they do not reach.
pub(super) fn filled(path: &str, values: &[&str]) -> String {
    let mut values = values.iter();
    let part = |part: &str| match (part.starts_with('{'), part) {
        (false, _) => part.to_owned(),
        (true, name) => match (values.next(), name) {
            (Some(value), _) => (*value).to_owned(),
            (None, "{seq}") => "999999".to_owned(),
            (None, _) => "none".to_owned(),
        },
    };
    path.split('/').map(part).collect::<Vec<_>>().join("/")
}
