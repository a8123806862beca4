//! Frames that a WebSocket does not take: each is told of, and the socket is as good as before.

use journal::Writer;
use lab::agent::Story;
use serde_json::{Value, json};

use crate::client::Socket;
use crate::deck::Deck;

/// The next error, whatever else is told before it.
async fn error(socket: &mut Socket) -> Value {
    loop {
        let frame = socket.hear().await.unwrap();
        if frame["kind"] == "error" {
            return frame;
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_frame_that_nobody_understands_is_told_of() {
    let deck = Deck::new(&Story::new()).await;
    let serving = deck.serve().await;
    let mut socket = deck.client().socket().await.unwrap();
    for (frame, about) in [
        (json!({"kind": "dance"}), "dance"),
        (json!({"kind": "watch"}), "session"),
        (json!({"kind": "ping", "nonce": "seven"}), "seven"),
        (json!("ping"), "ping"),
        (json!(null), "null"),
    ] {
        socket.say(&frame).await.unwrap();
        let told = error(&mut socket).await;
        assert_eq!((&told["code"], &told["session"]), (&json!("bad_request"), &json!(null)), "{told}");
        let message = told["message"].as_str().unwrap();
        assert!(message.starts_with("this frame is not understood: "), "{message}");
        assert!(message.contains(about), "{frame}: {message}");
    }
    socket.say(&json!({"kind": "ping", "nonce": 7})).await.unwrap();
    assert_eq!(socket.hear().await.unwrap(), json!({"kind": "pong", "nonce": 7}));
    serving.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_socket_watches_512_sessions_and_not_one_more() {
    let deck = Deck::new(&Story::new()).await;
    let sessions: Vec<String> = (0..513).map(|number| format!("00000000-0000-4000-8000-{number:012}")).collect();
    for session in &sessions {
        let folder = deck.folder(session);
        std::fs::create_dir_all(folder.path()).unwrap();
        Writer::open(folder, keeper::now()).unwrap();
    }
    let serving = deck.serve().await;
    let mut socket = deck.client().socket().await.unwrap();
    for session in &sessions {
        socket.say(&json!({"kind": "watch", "session": session})).await.unwrap();
    }
    let told = error(&mut socket).await;
    assert_eq!((&told["code"], &told["session"]), (&json!("too_many"), &json!(sessions[512])), "{told}");
    // One of them again is not one more, and whoever looks away from one has room for another.
    socket.say(&json!({"kind": "watch", "session": sessions[0]})).await.unwrap();
    socket.say(&json!({"kind": "unwatch", "session": sessions[1]})).await.unwrap();
    socket.say(&json!({"kind": "watch", "session": sessions[512]})).await.unwrap();
    loop {
        let frame = socket.hear().await.unwrap();
        assert_ne!(frame["kind"], "error", "{frame}");
        if frame["kind"] == "session" && frame["session"] == sessions[512] {
            break;
        }
    }
    serving.stop().await;
}
