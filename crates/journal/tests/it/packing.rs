//! Packed logs: the same records in less room.

use insights::{Source, UnixMillis};
use journal::{Error, Writer, pack, unpack};

use crate::log::{folder, read};

const NOW: UnixMillis = UnixMillis(1000);

#[test]
fn a_packed_log_reads_the_same_and_can_be_written_again() {
    let (_place, folder) = folder();
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    for number in 0..500 {
        writer.append(NOW, Source::Stdout, format!(r#"{{"type":"stream_event","number":{number}}}"#)).unwrap();
    }
    assert!(matches!(pack(&folder), Err(Error::InUse { .. })), "not while somebody writes");
    drop(writer);
    let before = read(&folder, 0);
    let packed = pack(&folder).unwrap().unwrap();
    assert!(packed.after_bytes * 5 < packed.before_bytes, "{packed:?}");
    assert!(!folder.log().exists());
    assert_eq!(pack(&folder).unwrap(), None);
    assert_eq!(read(&folder, 0), before);
    assert_eq!(read(&folder, 490), before[490..]);
    let mut writer = Writer::open(folder.clone(), NOW).unwrap();
    assert!(!folder.packed().exists());
    writer.append(NOW, Source::Stdout, "{}").unwrap();
    assert_eq!(read(&folder, 0).len(), before.len() + 1);
    drop(writer);
    pack(&folder).unwrap();
    unpack(&folder).unwrap();
    assert_eq!(read(&folder, 0).len(), before.len() + 1);
}

#[test]
fn a_crash_between_two_steps_of_packing_loses_nothing() {
    let (_place, folder) = folder();
    drop(Writer::open(folder.clone(), NOW).unwrap());
    let log = std::fs::read(folder.log()).unwrap();
    pack(&folder).unwrap();
    std::fs::write(folder.log(), &log).unwrap();
    assert_eq!(read(&folder, 0).len(), 1, "with both there, the plain one is read");
    drop(Writer::open(folder.clone(), NOW).unwrap());
    assert!(!folder.packed().exists());
    assert_eq!(std::fs::read(folder.log()).unwrap(), log);
}

#[test]
fn a_folder_without_a_log_is_told_so() {
    let (_place, folder) = folder();
    assert!(matches!(pack(&folder), Err(Error::NoLog { .. })));
    assert!(matches!(journal::Reader::after(folder, 0), Err(Error::NoLog { .. })));
}
