//! Packing: the log of a session that nobody writes any more in, the same bytes in less room out, and back.

use std::fs::{self, File};
use std::io::{self, BufRead, BufReader, BufWriter, Read, Write};
use std::path::Path;

use crate::error::{Error, Result};
use crate::folder::{Folder, private};
use crate::lock::Lock;

/// How all that is packed begins.
const MAGIC: [u8; 4] = [0x28, 0xb5, 0x2f, 0xfd];

/// Good and quick; logs are full of repetition.
const LEVEL: i32 = 6;

/// What packing has brought.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Packed {
    /// The length of the log.
    pub before_bytes: u64,
    /// What it takes now.
    pub after_bytes: u64,
}

/// Packs the log of a session that nobody writes. `None` if it is packed already. The log goes only after what is packed
/// was read back and found the same.
pub fn pack(folder: &Folder) -> Result<Option<Packed>> {
    let (log, packed) = (folder.log(), folder.packed());
    if !log.exists() {
        return if packed.exists() { Ok(None) } else { Err(Error::NoLog { folder: folder.path().to_owned() }) };
    }
    let _lock = Lock::take(folder)?;
    let part = packed.with_extension("zst.part");
    let done = compress(&log, &part).and_then(|()| same(&log, &part));
    if let Err(error) = done.and_then(|()| fs::rename(&part, &packed)) {
        let _ = fs::remove_file(&part);
        return Err(Error::io("pack", &log)(error));
    }
    sync_folder(folder)?;
    let size = |path: &Path| fs::metadata(path).map(|meta| meta.len()).map_err(Error::io("look at", path));
    let result = Packed { before_bytes: size(&log)?, after_bytes: size(&packed)? };
    fs::remove_file(&log).map_err(Error::io("remove", &log))?;
    Ok(Some(result))
}

/// Brings a packed log back, so that it can be written to.
pub fn unpack(folder: &Folder) -> Result<()> {
    let _lock = Lock::take(folder)?;
    unpack_held(folder)
}

/// The same for who holds the lock.
pub(crate) fn unpack_held(folder: &Folder) -> Result<()> {
    let (log, packed) = (folder.log(), folder.packed());
    if !packed.exists() {
        return Ok(());
    }
    // With both there, a crash came between two steps; the log is whole in both cases.
    if !log.exists() {
        let part = log.with_extension("jsonl.part");
        let done = decompress(&packed, &part).and_then(|()| fs::rename(&part, &log));
        if let Err(error) = done {
            let _ = fs::remove_file(&part);
            return Err(Error::io("unpack", &packed)(error));
        }
        sync_folder(folder)?;
    }
    fs::remove_file(&packed).map_err(Error::io("remove", &packed))
}

/// The bytes that were packed, if these are packed ones; else these. For who has a file, and no folder of a session.
pub fn unpacked(mut bytes: BufReader<Box<dyn Read>>) -> io::Result<BufReader<Box<dyn Read>>> {
    if !bytes.fill_buf()?.starts_with(&MAGIC) {
        return Ok(bytes);
    }
    let capacity = bytes.capacity();
    Ok(BufReader::with_capacity(capacity, Box::new(zstd::Decoder::with_buffer(bytes)?)))
}

fn compress(from: &Path, to: &Path) -> io::Result<()> {
    let mut encoder = zstd::Encoder::new(private().create(true).truncate(true).write(true).open(to)?, LEVEL)?;
    encoder.include_checksum(true)?;
    io::copy(&mut File::open(from)?, &mut encoder)?;
    encoder.finish()?.sync_all()
}

fn decompress(from: &Path, to: &Path) -> io::Result<()> {
    let mut out = BufWriter::new(private().create(true).truncate(true).write(true).open(to)?);
    io::copy(&mut zstd::Decoder::new(File::open(from)?)?, &mut out)?;
    out.flush()?;
    out.get_ref().sync_all()
}

/// An error unless the packed file holds exactly the bytes of the plain one.
fn same(plain: &Path, packed: &Path) -> io::Result<()> {
    let mut plain = BufReader::with_capacity(64 * 1024, File::open(plain)?);
    let mut packed = zstd::Decoder::new(File::open(packed)?)?;
    let (mut ours, mut theirs) = (vec![0; 64 * 1024], vec![0; 64 * 1024]);
    loop {
        let read = packed.read(&mut theirs)?;
        if read == 0 {
            let rest = plain.read(&mut ours)?;
            return if rest == 0 { Ok(()) } else { Err(io::Error::other("the packed log is too short")) };
        }
        plain.read_exact(&mut ours[..read])?;
        if ours[..read] != theirs[..read] {
            return Err(io::Error::other("the packed log is not the same"));
        }
    }
}

/// Makes the names in the folder safe from a power cut.
fn sync_folder(folder: &Folder) -> Result<()> {
    File::open(folder.path()).and_then(|folder| folder.sync_all()).map_err(Error::io("sync", folder.path()))
}
