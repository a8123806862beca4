//! Who can reach the server, and who comes in: rules 1, 2 and 3.

use std::collections::BTreeSet;
use std::io::ErrorKind;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::path::Path;

use lab::agent::Story;

use super::browser::Browser;
use super::{NOBODY, refusal, refused};
use crate::client::Client;
use crate::deck::Deck;

#[tokio::test]
async fn rule_01_a_fresh_start_listens_on_loopback_alone() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let port = format!("{:04X}", deck.client().port);
    // As the system writes 127.0.0.1 and ::1.
    let loopback = ["0100007F", "00000000000000000000000001000000"].map(|address| format!("{address}:{port}"));
    let listens = listening(server.pid());
    assert!(listens.contains(&loopback[0]), "{listens:?}");
    // Not every machine has IPv6.
    let has_v6 = std::net::TcpListener::bind("[::1]:0").is_ok();
    assert_eq!(listens.contains(&loopback[1]), has_v6, "{listens:?}");
    assert!(listens.iter().all(|address| loopback.contains(address)), "{listens:?}");
}

/// The addresses that a process listens on, as the system writes them.
pub(super) fn listening(pid: u32) -> BTreeSet<String> {
    let opened = std::fs::read_dir(format!("/proc/{pid}/fd")).unwrap().flatten();
    let sockets: BTreeSet<String> = opened
        .filter_map(|entry| std::fs::read_link(entry.path()).ok()?.to_str().map(str::to_owned))
        .filter_map(|link| Some(link.strip_prefix("socket:[")?.strip_suffix(']')?.to_owned()))
        .collect();
    let table = |name: &str| std::fs::read_to_string(format!("/proc/net/{name}")).unwrap_or_default();
    let rows = [table("tcp"), table("tcp6")].join("\n");
    let row = |row: &str| {
        let words: Vec<&str> = row.split_whitespace().collect();
        let (address, state, inode) = (words.get(1)?, words.get(3)?, words.get(9)?);
        (*state == "0A" && sockets.contains(*inode)).then(|| (*address).to_owned())
    };
    rows.lines().filter_map(row).collect()
}

#[tokio::test]
async fn rule_02_nobody_comes_in_without_a_name() {
    let deck = Deck::new(&Story::new()).await;
    let server = deck.serve().await;
    let browser = Browser::open(deck.client().port, &server.url).await;
    let document = deck.client().get("/api/v1/openapi.json").await.unwrap().good();
    let anonymous = Client { token: None, ..deck.client() };
    let for_everybody = ["GET /healthz", "GET /login", "GET /page/{file}", "POST /api/v1/login"];
    let mut asked = 0;
    for (path, methods) in document["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys().map(|method| method.to_ascii_uppercase()) {
            let target = path.replace("{id}", NOBODY).replace("{seq}", "1").replace("{file}", "login.js");
            let target = target.replace(['{', '}'], "");
            let reply = match method.as_str() {
                "GET" => anonymous.get(&target).await,
                method => anonymous.change(method, &target, &serde_json::json!({})).await,
            };
            let is_open = for_everybody.contains(&format!("{method} {path}").as_str());
            assert_eq!(reply.unwrap().status == 401, !is_open, "{method} {path}");
            asked += 1;
        }
    }
    assert!(asked > 40, "the document has {asked} routes");
    // What is on no route tells nobody so; nor does a method that is not there.
    for (method, path) in [("GET", "/nothing"), ("PUT", "/api/v1/sessions"), ("TRACE", "/"), ("HEAD", "/api/v1/about")]
    {
        assert_eq!(anonymous.request(method, path, &[], b"").await.unwrap().status, 401, "{method} {path}");
    }
    // One kind of token is none of the other kinds.
    let (name, cookie) = browser.cookie.split_once('=').unwrap();
    let bearer = deck.client().token.unwrap();
    let wrong = [
        ("authorization", format!("Bearer {cookie}")),
        ("authorization", "Bearer ".to_owned()),
        ("authorization", format!("Basic {bearer}")),
        ("cookie", format!("{name}={bearer}")),
        ("cookie", format!("{name}=")),
        ("cookie", format!("x{name}={cookie}")),
        ("x-forwarded-for", "127.0.0.1".to_owned()),
    ];
    for (header, value) in &wrong {
        let reply = anonymous.request("GET", "/api/v1/about", &[(header, value)], b"").await.unwrap();
        assert_eq!(refusal(&reply), refused(401, "not_logged_in"), "{header}: {value}");
    }
    assert_eq!(browser.request("GET", "/api/v1/about", &[], "").await.status, 200);
}

#[tokio::test]
async fn rule_03_every_installation_has_its_own_key_which_nobody_else_can_read() {
    let decks = [Deck::new(&Story::new()).await, Deck::new(&Story::new()).await];
    let key = |deck: &Deck| deck.path().join("data/secrets/key");
    for deck in &decks {
        let server = deck.serve().await;
        assert_eq!(open_to_others(&deck.path().join("data")), Vec::<String>::new());
        server.stop().await;
    }
    // Somebody made the folder as one makes folders, or opened it since.
    let data = decks[1].path().join("data");
    std::fs::set_permissions(&data, std::fs::Permissions::from_mode(0o755)).unwrap();
    let server = decks[1].serve().await;
    assert_eq!(open_to_others(&data), Vec::<String>::new());
    server.stop().await;
    assert_ne!(std::fs::read(key(&decks[0])).unwrap(), std::fs::read(key(&decks[1])).unwrap());
    for mode in [0o644, 0o640, 0o604, 0o660] {
        std::fs::set_permissions(key(&decks[0]), std::fs::Permissions::from_mode(mode)).unwrap();
        let mut command = decks[0].command(&["serve", "--no-open", "--port", "0"]);
        let mut child = command.spawn().unwrap();
        let (status, words) = super::processes::ended_at_once(&mut child).await;
        assert_eq!(status, Some(2), "{mode:o}: {words}");
        assert!(words.contains("others can read the key"), "{words}");
    }
}

/// What in a folder somebody else could read or write, and the folder itself.
fn open_to_others(folder: &Path) -> Vec<String> {
    let mut found = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(path) = folders.pop() {
        let meta = match std::fs::symlink_metadata(&path) {
            // The server works there meanwhile, and a database has files that come and go.
            Err(error) if error.kind() == ErrorKind::NotFound => continue,
            meta => meta.unwrap(),
        };
        if meta.mode() & 0o077 != 0 {
            found.push(format!("{:o} {}", meta.mode(), path.display()));
        }
        if meta.is_dir() {
            folders.extend(std::fs::read_dir(&path).unwrap().flatten().map(|entry| entry.path()));
        }
    }
    found
}
