//! A screen that shows the list of sessions: it holds nothing but what frames told it, and comes back with that.

use std::collections::BTreeMap;

use serde_json::{Value, json};
use tokio::sync::watch;
use tokio::task::JoinHandle;

use crate::client::{Client, Socket};

/// After so many frames a screen comes anew, though the server was not away.
const FRAMES: usize = 5;

/// The rows of a list, by session.
pub(crate) type Rows = BTreeMap<String, Value>;

/// What a screen keeps.
#[derive(Debug, Default)]
pub(crate) struct ListScreen {
    epoch: String,
    revision: u64,
    pub(crate) rows: Rows,
    /// How many lists there were: each server has its own.
    pub(crate) lists: usize,
    /// How often it came to a server that knew what it had, and was told the rest.
    pub(crate) rests: usize,
}

impl ListScreen {
    /// Says what it wants to see, from where it is.
    pub(crate) async fn ask(&self, socket: &mut Socket) -> bool {
        let list = json!({"kind": "list", "epoch": self.epoch, "revision": self.revision});
        socket.say(&list).await.is_ok()
    }

    /// Reads the next frame of the list. False when nothing more comes.
    pub(crate) async fn read_one(&mut self, socket: &mut Socket) -> bool {
        while let Some(frame) = socket.hear().await {
            assert_ne!(frame["kind"], "error", "{frame}");
            if frame["kind"] == "list" {
                self.take(&frame["answer"]);
                return true;
            }
        }
        false
    }

    fn take(&mut self, answer: &Value) {
        let (epoch, revision) = (answer["epoch"].as_str().unwrap(), answer["revision"].as_u64().unwrap());
        // All of it, if it is another list, and only then.
        assert_eq!(answer["whole"], epoch != self.epoch, "{answer}");
        if epoch == self.epoch {
            assert!(revision >= self.revision, "a list of the past: {revision} after {}", self.revision);
        } else {
            self.lists += 1;
            self.rows.clear();
        }
        (self.epoch, self.revision) = (epoch.to_owned(), revision);
        for row in answer["rows"].as_array().unwrap() {
            self.rows.insert(row["id"].as_str().unwrap().to_owned(), row.clone());
        }
        for gone in answer["gone"].as_array().unwrap() {
            assert!(self.rows.remove(gone.as_str().unwrap()).is_some(), "{gone} was not there");
        }
    }
}

/// A screen that stays until there are no more servers.
pub(crate) struct ListWatcher {
    now: watch::Receiver<Rows>,
    task: JoinHandle<ListScreen>,
}

impl ListWatcher {
    /// Watches the list. `servers` changes when there is a new server to connect to.
    pub(crate) fn start(client: Client, servers: watch::Receiver<u32>) -> ListWatcher {
        let (tell, now) = watch::channel(Rows::new());
        ListWatcher { now, task: tokio::spawn(run(client, servers, tell)) }
    }

    /// Waits until it shows what is wished.
    pub(crate) async fn until(&mut self, wished: impl Fn(&Rows) -> bool) {
        assert!(self.now.wait_for(wished).await.is_ok(), "the watcher ended");
    }

    /// What it had in the end.
    pub(crate) async fn ended(self) -> ListScreen {
        self.task.await.unwrap()
    }
}

async fn run(client: Client, mut servers: watch::Receiver<u32>, tell: watch::Sender<Rows>) -> ListScreen {
    let mut screen = ListScreen::default();
    loop {
        servers.borrow_and_update();
        let mut frames = 0;
        if let Ok(mut socket) = client.socket().await
            && screen.ask(&mut socket).await
        {
            let lists = screen.lists;
            while frames < FRAMES && screen.read_one(&mut socket).await {
                frames += 1;
                tell.send_replace(screen.rows.clone());
            }
            screen.rests += usize::from(frames > 0 && screen.lists == lists);
        }
        // The server that was there is gone, and perhaps there will be no other.
        if frames < FRAMES && servers.changed().await.is_err() {
            return screen;
        }
    }
}
