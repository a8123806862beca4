//! What agents and people write is text, and loads nothing: rules 12, 13 and 14, and of rule 5 what a browser keeps. These are
//! about the page as well: here about every file of it, and in `web/e2e/hostile.test.ts` about what it does.

use std::collections::BTreeMap;

use lab::Script;
use lab::agent::{Story, Turn};
use serde_json::json;

use super::browser::{Browser, log_in, token_of};
use super::{bundle, message, session_until};
use crate::client::{Client, Reply};
use crate::deck::Deck;

/// The directives of a policy, by name.
fn directives(reply: &Reply) -> BTreeMap<String, Vec<String>> {
    let policy = reply.header("content-security-policy").unwrap_or_default();
    let words = policy.split(';').map(|directive| directive.split_whitespace().map(str::to_owned).collect());
    words.filter_map(|words: Vec<String>| Some((words.first()?.clone(), words[1..].to_vec()))).collect()
}

#[tokio::test]
async fn rule_12_the_page_may_load_its_own_files_and_nothing_else() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let expected: &[(&str, &[&str])] = &[
        ("base-uri", &["'none'"]),
        ("connect-src", &["'self'"]),
        ("default-src", &["'none'"]),
        ("font-src", &["'self'"]),
        ("form-action", &["'self'"]),
        ("frame-ancestors", &["'none'"]),
        ("img-src", &["'self'", "data:", "blob:"]),
        ("manifest-src", &["'self'"]),
        ("require-trusted-types-for", &["'script'"]),
        ("script-src", &["'self'"]),
        ("style-src", &["'self'"]),
        ("trusted-types", &["worker"]),
        ("worker-src", &["'self'"]),
    ];
    let expected: BTreeMap<String, Vec<String>> = expected
        .iter()
        .map(|(name, words)| ((*name).to_owned(), words.iter().map(|word| (*word).to_owned()).collect()))
        .collect();
    // Also on what is no page: a browser can be led to any address.
    for path in ["/", "/login", "/page/login.js", "/api/v1/about", "/api/v1/nothing", "/healthz"] {
        let reply = browser.request("GET", path, &[], "").await;
        assert_eq!(directives(&reply), expected, "{path}");
        let headers = [
            ("x-content-type-options", "nosniff"),
            ("referrer-policy", "no-referrer"),
            ("cross-origin-opener-policy", "same-origin"),
            ("cross-origin-resource-policy", "same-origin"),
            ("x-frame-options", "DENY"),
        ];
        for (name, value) in headers {
            assert_eq!(reply.header(name), Some(value), "{path}");
        }
    }
    // A server of somebody else, and one without a name, answers no less guarded.
    let anonymous = browser.client.get("/").await.unwrap();
    assert_eq!((anonymous.status, directives(&anonymous)), (401, expected));
    for (name, html) in bundle::files(&browser).await.iter().filter(|(name, _)| name.starts_with('/')) {
        for script in html.split("<script").skip(1) {
            let is_file = ["src=\"page/", "src=\"./page/"].iter().any(|start| script.contains(start));
            assert!(is_file && script.contains("></script>"), "{name} has a script of its own");
        }
        let plain = html.to_ascii_lowercase();
        for bad in ["<style", " style=", "javascript:", "<base", "http-equiv", "<iframe", "<object", "<embed", "srcdoc"]
        {
            assert!(!plain.contains(bad), "{name} has `{bad}`");
        }
        let handler = plain.split_whitespace().find(|word| word.starts_with("on") && word.contains('='));
        assert_eq!(handler, None, "{name}");
    }
}

/// Texts that would do something if they were taken for more than text: what breaks out of where a text stands, times what
/// it then does.
fn payloads() -> Vec<String> {
    let ways_out = ["", "\">", "'>", "</script>", "</title>", "--><!--", "]]>", "</textarea>", "`;", "\u{2028}"];
    let deeds = [
        "<script>alert(1)</script>",
        "<img src=x onerror=alert(1)>",
        "<svg onload=alert(1)>",
        "<svg><animate onbegin=alert(1) attributeName=x dur=1s>",
        "<math><mtext><table><mglyph><style><!--</style><img title=\"--&gt;&lt;img src=1 onerror=alert(1)&gt;\">",
        "<iframe srcdoc=\"<script>alert(1)</script>\">",
        "<a href=\"javascript:alert(1)\">x</a>",
        "<a href=\"data:text/html,<script>alert(1)</script>\">x</a>",
        "<form action=//evil.test><button>x",
        "<link rel=stylesheet href=//evil.test/x.css>",
        "<meta http-equiv=refresh content=\"0;url=//evil.test\">",
        "<base href=//evil.test/>",
        "[x](javascript:alert(1))",
        "![x](http://evil.test/x.png)",
        "[x](data:text/html;base64,PHNjcmlwdD5hbGVydCgxKTwvc2NyaXB0Pg==)",
        "```mermaid\ngraph TD; A[\"<img src=x onerror=alert(1)>\"]-->B; click A \"javascript:alert(1)\"\n```",
        "$\\href{javascript:alert(1)}{x}$",
        "\u{1b}]8;;javascript:alert(1)\u{1b}\\x\u{1b}]8;;\u{1b}\\",
        "\u{1b}[2J\u{1b}]0;title\u{7}",
        "{{constructor.constructor('alert(1)')()}}",
        "\u{202e}<script>alert(1)</script>",
    ];
    ways_out.iter().flat_map(|way| deeds.iter().map(move |deed| format!("{way}{deed}"))).collect()
}

#[tokio::test]
async fn rule_13_what_anybody_wrote_comes_out_as_text() {
    let payloads = payloads();
    assert!(payloads.len() >= 200, "{}", payloads.len());
    let all = payloads.join("\n");
    // The name of a tool, what it is given, what it gives, and what the agent says.
    let tool = format!("mcp__{}__run", payloads[1]);
    let turn = Turn::new().calls(tool, json!({"text": all})).unasked().giving(all.clone()).says(all.clone());
    let deck = Deck::new(&Story::of_model(Script::new()).turn(turn)).await;
    let name = payloads[1].clone();
    std::fs::write(deck.work().join(&name), &all).unwrap();
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let client = deck.client();
    let session = session_until(&deck, &client, "turn_complete").await;
    let path = |rest: &str| format!("/api/v1/sessions/{session}{rest}");
    client.change("PATCH", &path(""), &json!({"title": all})).await.unwrap().good();
    client.post(&path("/messages"), &message(&all)).await.unwrap().good();
    client.change("PUT", &path("/draft"), &json!({"text": all})).await.unwrap().good();
    let file = format!("/file?path={}", encoded(&name));
    let places = ["", "/draft", "/state", "/records", "/events?raw=true", "/export", "/files", &file];
    for place in places {
        let reply = browser.request("GET", &path(place), &[], "").await;
        assert_eq!(reply.status, 200, "{place}: {}", reply.text());
        assert_is_text(place, &reply);
        assert!(reply.text().contains("alert(1)"), "{place} has none of the texts");
    }
    // Where nobody is known, and where it is wrong: what was asked for may be said again.
    let hostile = encoded(&payloads[0]);
    for place in [format!("/api/v1/sessions/{hostile}"), format!("/page/{hostile}"), format!("/{hostile}")] {
        assert_is_text(&place, &browser.request("GET", &place, &[], "").await);
        assert_is_text(&place, &browser.client.get(&place).await.unwrap());
    }
    let reply = client.get(&format!("/api/v1/folders?path={}", encoded(&format!("/{}", payloads[0])))).await.unwrap();
    assert_is_text("/folders", &reply);
    assert!(reply.text().contains("alert(1)"), "a folder that is not there is named");
    // The page makes nodes and puts texts into them; the ways to make markup are those that its libraries have and do not go.
    let files = bundle::files(&browser).await;
    let sinks = [
        "innerHTML",
        "outerHTML",
        "insertAdjacentHTML",
        "document.write",
        "eval(",
        "new Function",
        "DOMParser",
        "createContextualFragment",
        "srcdoc",
        "setHTML",
        "javascript:",
        "createPolicy",
    ];
    bundle::assert_only(&files, &sinks, bundle::SINKS);
}

/// Asserts that no browser takes an answer for a page.
#[track_caller]
fn assert_is_text(place: &str, reply: &Reply) {
    let media = reply.header("content-type").unwrap_or_default().split(';').next().unwrap_or_default();
    let texts = ["application/json", "application/jsonl", "text/plain", "text/markdown"];
    assert!(texts.contains(&media), "{place} is {media}");
    assert_eq!(reply.header("x-content-type-options"), Some("nosniff"), "{place}");
    assert_eq!(directives(reply)["default-src"], ["'none'"], "{place}");
}

/// A text as part of an address.
pub(super) fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

#[tokio::test]
async fn rule_05_the_page_keeps_nothing_secret() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    // Choices of the user alone are kept (a browser test reads what is there); no script gets to see what lets somebody in.
    let files = bundle::files(&browser).await;
    let stores = ["localStorage", "sessionStorage", "indexedDB", "document.cookie", "cookieStore", "caches."];
    bundle::assert_only(&files, &stores, bundle::STORES);
    // Nor does the server tell them: the cookie goes to the browser in a header, and is nowhere in what scripts can read.
    let launch = deck.client().post("/api/v1/launches", &json!({})).await.unwrap().good();
    let reply = log_in(browser.client.port, "", token_of(launch["path"].as_str().unwrap())).await;
    let cookie = reply.header("set-cookie").unwrap().split(['=', ';']).nth(1).unwrap().to_owned();
    assert!(cookie.len() >= 32 && !reply.text().contains(&cookie), "{}", reply.text());
    let known = browser.cookie.split_once('=').unwrap().1;
    for path in ["/", "/api/v1/about", "/api/v1/devices", "/api/v1/settings"] {
        let text = browser.request("GET", path, &[], "").await.text();
        assert!(!text.is_empty() && !text.contains(known), "{path} tells the cookie");
    }
}

#[tokio::test]
async fn rule_14_what_is_written_loads_nothing_from_elsewhere() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    for page in ["/", "/login"] {
        let allowed = directives(&browser.request("GET", page, &[], "").await);
        assert_eq!(allowed.get("default-src"), Some(&vec!["'none'".to_owned()]), "{page}");
        let sources = allowed.iter().filter(|(name, _)| name.ends_with("-src")).flat_map(|(_, words)| words);
        for source in sources {
            assert!(["'none'", "'self'", "data:", "blob:"].contains(&source.as_str()), "{page} may load {source}");
        }
    }
    // What the page fetches is its own; addresses of others are names and words of its libraries, which nobody asks.
    let files = bundle::files(&browser).await;
    bundle::assert_only(&files, &["window.open", "sendBeacon", "EventSource", "importScripts"], &[]);
    bundle::assert_loads_its_own(&files);
    let elsewhere = Client { token: None, ..deck.client() };
    assert_eq!(elsewhere.get("/login").await.unwrap().header("referrer-policy"), Some("no-referrer"));
}
