//! Heartbeats: who is asked, who is left, and who is shown out. The clock is told, and goes on whenever nobody has anything to do.

use std::net::SocketAddr;

use axum::routing::get;
use axum::{Extension, Router};
use futures_util::StreamExt;
use insights::UnixMillis;
use journal::Device;
use tempfile::TempDir;
use tokio::io::{AsyncReadExt, DuplexStream, duplex};
use tokio::time::sleep;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::Message as Heard;

use super::*;
use crate::guard::KnownBy;

const DEVICE: &str = "a-device";

/// A server for one device, without its guard.
struct Stage {
    app: App,
    _place: TempDir,
    _stop: watch::Sender<bool>,
}

impl Stage {
    /// With somebody who has just opened a WebSocket and has been greeted.
    async fn open() -> (Stage, WebSocketStream<DuplexStream>) {
        let place = tempfile::tempdir().unwrap();
        let app = crate::app::tests::app(&place).await;
        let device =
            Device { id: DEVICE.to_owned(), name: "a phone".to_owned(), added_at: UnixMillis(1), seen_at: None };
        app.desk(move |desk| desk.add_device(&device, b"digest")).await.unwrap();
        let who = Who { device: DEVICE.to_owned(), name: "a phone".to_owned(), by: KnownBy::Cookie };
        let router = Router::new().route("/", get(open)).layer(Extension(who)).with_state(app.clone());
        let (client, server) = duplex(64 * 1024);
        let (stop, stopped) = watch::channel(false);
        tokio::spawn(crate::listen::talk(
            server,
            (SocketAddr::from(([127, 0, 0, 1], 1)), Written::default()),
            router,
            stopped,
        ));
        let (mut socket, _) = tokio_tungstenite::client_async("ws://server/", client).await.unwrap();
        assert!(socket.next().await.unwrap().unwrap().into_text().unwrap().contains("hello"));
        (Stage { app, _place: place, _stop: stop }, socket)
    }
}

#[tokio::test(start_paused = true)]
async fn whoever_answers_heartbeats_is_kept_however_long_nothing_happens() {
    let (stage, mut socket) = Stage::open().await;
    let start = Instant::now();
    for beat in 1..=10 {
        let heard = socket.next().await.unwrap().unwrap();
        assert!(heard.is_ping(), "{heard}");
        assert_eq!(start.elapsed().as_secs(), beat * HEARTBEAT.as_secs());
    }
    assert!(start.elapsed() > SILENCE, "it was long enough to be left");
    assert_eq!(stage.app.metrics().sockets.load(Ordering::Relaxed), 1);
}

#[tokio::test(start_paused = true)]
async fn whoever_says_nothing_for_a_minute_is_left() {
    let (stage, socket) = Stage::open().await;
    let start = Instant::now();
    // It reads, but nobody there answers.
    let mut rest = Vec::new();
    timeout(10 * SILENCE, socket.into_inner().read_to_end(&mut rest)).await.expect("it is never left").unwrap();
    assert_eq!(start.elapsed(), SILENCE + HEARTBEAT, "at the first heartbeat after it");
    assert_eq!(rest, [0x89, 0].repeat(3), "it was asked three times, and nothing else was said");
    assert_eq!(stage.app.metrics().sockets.load(Ordering::Relaxed), 0, "there is room for another");
}

#[tokio::test(start_paused = true)]
async fn a_device_that_is_not_let_in_any_more_is_shown_out() {
    let (stage, mut socket) = Stage::open().await;
    assert!(socket.next().await.unwrap().unwrap().is_ping(), "it is known so far");
    stage.app.desk(|desk| desk.remove_device(DEVICE)).await.unwrap();
    let Heard::Close(Some(last)) = socket.next().await.unwrap().unwrap() else { panic!("it was not shown out") };
    assert_eq!((u16::from(last.code), last.reason.as_str()), (1008, "this device is not let in any more"));
}

#[tokio::test(start_paused = true)]
async fn a_slow_line_gets_what_takes_long() {
    let written = Written::default();
    let slowly = async {
        for _ in 0..10 {
            sleep(SILENCE / 2).await;
            written.add(1);
        }
        Ok::<(), ()>(())
    };
    assert_eq!(patiently(slowly, &written).await, Ok(()));
    let not_at_all = async {
        written.add(1);
        sleep(SILENCE * 10).await;
        Ok::<(), ()>(())
    };
    let begun = Instant::now();
    assert_eq!(patiently(not_at_all, &written).await, Err(End::Silent));
    assert_eq!(begun.elapsed(), SILENCE * 2, "it took something at first");
    assert_eq!(patiently(async { Err(()) }, &written).await, Err(End::Left));
}
