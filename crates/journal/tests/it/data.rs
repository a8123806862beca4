//! The data folder: what is in it, who may do what with it, and what is said when something is wrong with it.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use insights::UnixMillis;
use journal::{Data, Error, ServerLock, Writer, pack};

const NOW: UnixMillis = UnixMillis(1000);

#[test]
fn the_sessions_with_a_log_are_found_packed_or_not() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path().join("new/data")).unwrap();
    assert_eq!(data.sessions().unwrap(), []);
    for id in ["b", "a"] {
        drop(Writer::open(data.session(id).unwrap(), NOW).unwrap());
    }
    pack(&data.session("b").unwrap()).unwrap();
    data.session("empty").unwrap().make().unwrap();
    fs::write(data.path().join("sessions/stray"), "").unwrap();
    let ids: Vec<String> = data.sessions().unwrap().iter().map(journal::Folder::id).collect();
    assert_eq!(ids, ["a", "b"]);
}

#[test]
fn only_its_owner_can_look_into_a_new_data_folder() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path().join("data")).unwrap();
    let mode = |path: &std::path::Path| fs::metadata(path).unwrap().permissions().mode() & 0o777;
    let _lock = ServerLock::take(&data).unwrap();
    assert_eq!([mode(data.path()), mode(&data.server_lock())], [0o700, 0o600]);
}

#[test]
fn an_id_cannot_lead_out_of_the_folder() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    for id in ["", ".", "..", "../x", "a/b", "/etc", ".hidden", "a\0b"] {
        assert_eq!(data.session(id), None, "{id}");
    }
    assert_eq!(data.session("a-1").unwrap().path(), place.path().join("sessions/a-1"));
}

#[test]
fn what_is_no_folder_is_told_so() {
    let place = tempfile::tempdir().unwrap();
    let file = place.path().join("file");
    fs::write(&file, "").unwrap();
    for path in [file.clone(), file.join("below")] {
        let error = Data::open(&path).unwrap_err();
        assert!(matches!(&error, Error::NotAFolder { path: named } if *named == path), "{error}");
        assert_eq!(error.to_string(), format!("`{}` is not a folder", path.display()));
    }
}

#[test]
fn there_is_one_server_and_a_second_one_learns_where_the_first_is() {
    let place = tempfile::tempdir().unwrap();
    let data = Data::open(place.path()).unwrap();
    let mut first = ServerLock::take(&data).unwrap();
    assert!(matches!(ServerLock::take(&data), Err(Error::Served { address: None, .. })));
    first.set_address("http://127.0.0.1:4000", Some(Path::new("/run/a socket"))).unwrap();
    first.set_address("http://127.0.0.1:4", None).unwrap();
    let told = |error: Error| match error {
        Error::Served { address, socket, .. } => (address, socket),
        other => panic!("{other}"),
    };
    let address = Some("http://127.0.0.1:4".to_owned());
    assert_eq!(told(ServerLock::take(&data).unwrap_err()), (address.clone(), None));
    first.set_address("http://127.0.0.1:4", Some(Path::new("/run/a socket"))).unwrap();
    assert_eq!(told(ServerLock::take(&data).unwrap_err()), (address, Some("/run/a socket".into())));
    drop(first);
    assert_eq!(ServerLock::take(&data).unwrap().address().unwrap(), "", "what the first one said is not so any more");
}
