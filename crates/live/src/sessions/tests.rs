//! What happens to sessions while others are busy with them.

use claude_driver::Claude;
use insights::UnixMillis;
use journal::Writer;
use keeper::KeeperCommand;

use super::*;
use crate::Admission;

fn now() -> UnixMillis {
    UnixMillis(7)
}

#[tokio::test]
async fn a_session_that_is_removed_while_the_index_catches_up_stays_gone() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    for id in ["kept", "removed"] {
        Writer::open(data.session(id).unwrap(), now()).unwrap();
    }
    let host = Host {
        claude: Claude::new(),
        keeper: KeeperCommand::of_this_program().unwrap(),
        allows_bypass: false,
        settings_may_bypass: false,
        restarts: false,
        admission: Admission::default(),
        clock: now,
    };
    let sessions = Sessions::open(data, host).await.unwrap();
    sessions.remove("removed").await.unwrap();
    // As they were when the index was read.
    for id in ["kept", "removed"] {
        sessions.put_old_row(SessionRow { id: id.to_owned(), ..SessionRow::default() });
    }
    let listed: Vec<String> = sessions.list().rows().map(|row| row.id.clone()).collect();
    assert_eq!(listed, ["kept"]);
}
