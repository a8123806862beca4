//! What the tests share: a keeper in this process, with its agent as a real one.

use std::path::{Path, PathBuf};

use insights::{Record, Source};
use journal::Folder;
use keeper::{Client, Launch, Records, keep, now};
use lab::agent::{RECORD_VARIABLE, SCRIPT_VARIABLE, Story, program};
use tempfile::TempDir;
use tokio::sync::oneshot;
use tokio::task::JoinHandle;

/// A keeper that runs in this process, with its agent as a real one.
pub(crate) struct Stage {
    pub(crate) place: TempDir,
    pub(crate) folder: Folder,
    pub(crate) socket: PathBuf,
    pub(crate) running: JoinHandle<Result<(), keeper::Error>>,
}

impl Stage {
    pub(crate) async fn new(story: &Story) -> Stage {
        let place = tempfile::tempdir().unwrap();
        let folder = Folder::new(place.path().join("sessions").join("s1"));
        Stage::with_folder(story, place, folder).await
    }

    /// With the log in a folder of its own.
    pub(crate) async fn with_folder(story: &Story, place: TempDir, folder: Folder) -> Stage {
        let launch = launch(&place, story).await;
        let socket = launch.socket.clone();
        let (ready, is_ready) = oneshot::channel();
        let at = folder.clone();
        let running = tokio::spawn(async move { keep(at, &launch, now, ready).await });
        is_ready.await.unwrap();
        Stage { place, folder, socket, running }
    }

    pub(crate) async fn attach(&self, after: u64) -> (Client, Records) {
        let (client, _, records) = Client::attach(&self.socket, after).await.unwrap();
        (client, records)
    }

    pub(crate) fn side(&self, file: &str) -> Vec<String> {
        let text = std::fs::read_to_string(self.place.path().join("side").join(file)).unwrap();
        text.lines().map(str::to_owned).collect()
    }

    pub(crate) fn log(&self) -> Vec<Record> {
        let mut reader = journal::Reader::after(self.folder.clone(), 0).unwrap();
        std::iter::from_fn(|| reader.next_record().unwrap()).collect()
    }

    pub(crate) fn lines(&self, wanted: impl Fn(&Source) -> bool) -> Vec<String> {
        let records = self.log().into_iter().filter(|record| wanted(&record.source));
        records.map(|record| record.line.text().into_owned()).collect()
    }
}

pub(crate) fn prompt(text: &str) -> String {
    format!(r#"{{"type":"user","message":{{"role":"user","content":"{text}"}}}}"#)
}

/// Reads until a line of the agent holds `mark`, and gives all that came.
pub(crate) async fn until(records: &mut Records, mark: &str) -> Vec<Record> {
    let mut seen = Vec::new();
    while let Some(record) = records.next().await {
        let found = record.source == Source::Stdout && record.line.text().contains(mark);
        seen.push(record);
        if found {
            return seen;
        }
    }
    panic!("no `{mark}` in {seen:#?}");
}

/// How an agent is started that plays this story.
pub(crate) async fn launch(place: &TempDir, story: &Story) -> Launch {
    let socket = place.path().join("s1.sock");
    let script = place.path().join("story.json");
    std::fs::write(&script, serde_json::to_string(story).unwrap()).unwrap();
    let side = place.path().join("side");
    std::fs::create_dir_all(&side).unwrap();
    let text = |path: &Path| Some(path.to_string_lossy().into_owned());
    Launch {
        program: program().await.unwrap().to_string_lossy().into_owned(),
        argv: ["--output-format", "stream-json", "--input-format", "stream-json", "--verbose"]
            .map(str::to_owned)
            .to_vec(),
        cwd: place.path().to_string_lossy().into_owned(),
        environment: vec![(SCRIPT_VARIABLE.to_owned(), text(&script)), (RECORD_VARIABLE.to_owned(), text(&side))],
        socket: socket.clone(),
        ..Launch::default()
    }
}
