//! The file of a backup: a tar archive packed with gzip, with the SHA-256 of each entry at its end. A program of the operator may
//! encrypt it: it gets the archive on its standard input and writes what is stored to its standard output.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::File;
use std::io::{self, Read, Write};
use std::path::{Component, Path, PathBuf};
use std::process::{Child, ChildStdin, Command, Stdio};

use domain::hexadecimal;
use flate2::Compression;
use flate2::read::GzDecoder;
use flate2::write::GzEncoder;
use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};
use tar::{Archive, Builder, Header};

/// The entry that describes the backup.
const MANIFEST: &str = "manifest.json";
/// The last entry: a line `<sha256>  <name>` for each of the others.
const SUMS: &str = "SHA256SUMS";
/// The copy of the database.
pub const DATABASE: &str = "jalon.sqlite";
/// The folder of the blobs in the archive.
pub const BLOBS: &str = "blobs/";

/// A fault of an archive, or of the program that encrypts or decrypts it.
#[derive(Debug, thiserror::Error)]
pub enum ArchiveError {
    /// A file cannot be read or written.
    #[error("{}: {}", .0.display(), .1)]
    File(PathBuf, io::Error),
    /// The program that encrypts or decrypts cannot be started.
    #[error("`{0}` cannot be started: {1}")]
    Program(String, io::Error),
    /// It ended with an error.
    #[error("`{0}` failed ({1})")]
    Failed(String, std::process::ExitStatus),
    /// The archive ends too early, or is not an archive.
    #[error("the file is incomplete or damaged, or is not one that Jalon made: {0}")]
    Damaged(String),
    /// An archive that is not a backup.
    #[error("this is not a backup, which begins with jalon.sqlite: an export is read with `jalon import all`")]
    NoDatabase,
    /// There is no room for what is in the archive.
    #[error("no room is left in {0}: free disk space, then try again")]
    Full(String),
    /// An entry has other bytes than were written.
    #[error("the file is damaged: the checksum of {0} is wrong")]
    OtherBytes(String),
    /// An entry that would leave the folder.
    #[error("the file has an entry with a name that is not allowed: {0}")]
    Name(String),
}

impl ArchiveError {
    /// Why a file cannot be written.
    pub fn of_file(path: &Path, error: io::Error) -> Self {
        if store::is_of_full_disk(&error) {
            return Self::Full(path.parent().unwrap_or(path).display().to_string());
        }
        Self::File(path.to_owned(), error)
    }
}

/// The description of a backup.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Manifest {
    /// The version of the server that made it.
    pub version: String,
    /// When, in seconds since 1970.
    pub made_at: i64,
    /// How many blobs it has.
    pub blobs: u64,
}

/// The destination of the archive: the file, or the program that encrypts it.
enum Output {
    File(File),
    Program(ChildStdin),
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        match self {
            Self::File(file) => file.write(bytes),
            Self::Program(input) => input.write(bytes),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        match self {
            Self::File(file) => file.flush(),
            Self::Program(input) => input.flush(),
        }
    }
}

/// Writes an archive.
pub struct Writer {
    tar: Builder<GzEncoder<Output>>,
    program: Option<(String, Child)>,
    file: File,
    path: PathBuf,
    sums: String,
}

impl Writer {
    /// Begins an archive in a new file. `encrypt` is a program and its arguments; empty for none.
    pub fn create(path: &Path, encrypt: &[String]) -> Result<Self, ArchiveError> {
        let failed = |error| ArchiveError::File(path.to_owned(), error);
        let file = File::create_new(path).map_err(failed)?;
        let (output, program) = match encrypt.split_first() {
            None => (Output::File(file.try_clone().map_err(failed)?), None),
            Some((program, arguments)) => {
                let stored = Stdio::from(file.try_clone().map_err(failed)?);
                let mut child = Command::new(program)
                    .args(arguments)
                    .stdin(Stdio::piped())
                    .stdout(stored)
                    .spawn()
                    .map_err(|error| ArchiveError::Program(program.clone(), error))?;
                let input = child.stdin.take().ok_or_else(|| failed(io::ErrorKind::BrokenPipe.into()))?;
                (Output::Program(input), Some((program.clone(), child)))
            }
        };
        let tar = Builder::new(GzEncoder::new(output, Compression::fast()));
        Ok(Self { tar, program, file, path: path.to_owned(), sums: String::new() })
    }

    /// Adds a file under a name.
    pub fn add_file(&mut self, name: &str, from: &Path) -> Result<(), ArchiveError> {
        let mut file = File::open(from).map_err(|error| ArchiveError::File(from.to_owned(), error))?;
        let bytes = file.metadata().map_err(|error| ArchiveError::File(from.to_owned(), error))?.len();
        self.add(name, bytes, &mut file)
    }

    /// Adds bytes under a name.
    pub fn add_bytes(&mut self, name: &str, mut bytes: &[u8]) -> Result<(), ArchiveError> {
        self.add(name, bytes.len() as u64, &mut bytes)
    }

    fn add(&mut self, name: &str, bytes: u64, from: &mut dyn Read) -> Result<(), ArchiveError> {
        let mut header = Header::new_gnu();
        header.set_size(bytes);
        header.set_mode(0o600);
        let mut summed = HashingReader { from, sum: Sha256::new() };
        let added = self.tar.append_data(&mut header, name, &mut summed);
        if let Err(error) = added {
            return Err(why_not_written(&self.path, self.program.take(), error));
        }
        self.sums.push_str(&format!("{}  {name}\n", hexadecimal(&summed.sum.finalize())));
        Ok(())
    }

    /// Adds the manifest and the checksums, and returns once everything is on the disk.
    pub fn finish(mut self, manifest: &Manifest) -> Result<(), ArchiveError> {
        let text = serde_json::to_vec_pretty(manifest).map_err(|error| ArchiveError::Damaged(error.to_string()))?;
        self.add_bytes(MANIFEST, &text)?;
        let sums = std::mem::take(&mut self.sums);
        self.add_bytes(SUMS, sums.as_bytes())?;
        let Self { tar, mut program, file, path, .. } = self;
        match tar.into_inner().and_then(GzEncoder::finish) {
            // Its input ends here, and with it the program.
            Ok(output) => drop(output),
            Err(error) => return Err(why_not_written(&path, program.take(), error)),
        }
        if let Some(program) = program {
            wait_for(&path, program)?;
        }
        file.sync_all().map_err(|error| ArchiveError::File(path, error))
    }
}

/// The reason why bytes could not be written. If the program ended early, its exit status says more than the broken pipe.
fn why_not_written(path: &Path, program: Option<(String, Child)>, error: io::Error) -> ArchiveError {
    let ended = program.filter(|_| error.kind() == io::ErrorKind::BrokenPipe).map(|program| wait_for(path, program));
    match ended {
        Some(Err(why)) => why,
        _ => ArchiveError::File(path.to_owned(), error),
    }
}

fn wait_for(path: &Path, (name, mut child): (String, Child)) -> Result<(), ArchiveError> {
    let status = child.wait().map_err(|error| ArchiveError::File(path.to_owned(), error))?;
    if status.success() { Ok(()) } else { Err(ArchiveError::Failed(name, status)) }
}

/// Reads an archive to its end and compares each entry with its checksum. `each` gets the name and the bytes of the database and of each
/// blob. Returns the manifest and the names of the entries.
pub fn read(
    path: &Path,
    decrypt: &[String],
    mut each: impl FnMut(&str, &mut dyn Read) -> Result<(), ArchiveError>,
) -> Result<(Manifest, BTreeSet<String>), ArchiveError> {
    let file = File::open(path).map_err(|error| ArchiveError::File(path.to_owned(), error))?;
    let mut child = None;
    let input: Box<dyn Read> = match decrypt.split_first() {
        None => Box::new(file),
        Some((program, arguments)) => {
            let mut started = Command::new(program)
                .args(arguments)
                .stdin(Stdio::from(file))
                .stdout(Stdio::piped())
                .spawn()
                .map_err(|error| ArchiveError::Program(program.clone(), error))?;
            let output = started.stdout.take();
            child = Some((program.clone(), started));
            output.map_or_else(|| Box::new(io::empty()) as Box<dyn Read>, |output| Box::new(output))
        }
    };
    let damaged = |error: io::Error| ArchiveError::Damaged(error.to_string());
    let mut archive = Archive::new(GzDecoder::new(input));
    let (mut found, mut written) = (BTreeMap::new(), None);
    let mut manifest = None;
    for entry in archive.entries().map_err(damaged)? {
        let mut entry = entry.map_err(damaged)?;
        let name = entry.path().map_err(damaged)?.to_string_lossy().into_owned();
        if !is_allowed(&name) {
            return Err(ArchiveError::Name(name));
        }
        let mut summed = HashingReader { from: &mut entry, sum: Sha256::new() };
        if name == SUMS || name == MANIFEST {
            let mut text = String::new();
            summed.read_to_string(&mut text).map_err(damaged)?;
            if name == SUMS {
                written = Some(text);
                continue;
            }
            manifest = Some(serde_json::from_str(&text).map_err(|error| ArchiveError::Damaged(error.to_string()))?);
        } else {
            each(&name, &mut summed)?;
        }
        io::copy(&mut summed, &mut io::sink()).map_err(damaged)?;
        let sum = hexadecimal(&summed.sum.finalize());
        found.insert(name, sum);
    }
    // The end of the gzip stream, with its checksum, is after the last entry: it is read too.
    io::copy(&mut archive.into_inner(), &mut io::sink()).map_err(damaged)?;
    if let Some(program) = child {
        wait_for(path, program)?;
    }
    let (Some(manifest), Some(written)) = (manifest, written) else {
        return Err(ArchiveError::Damaged("it has no end".to_owned()));
    };
    let written: BTreeMap<String, String> = written
        .lines()
        .filter_map(|line| line.split_once("  "))
        .map(|(sum, name)| (name.to_owned(), sum.to_owned()))
        .collect();
    if let Some(name) = written.keys().chain(found.keys()).find(|name| written.get(*name) != found.get(*name)) {
        return Err(ArchiveError::OtherBytes(name.clone()));
    }
    Ok((manifest, found.into_keys().collect()))
}

/// A name that stays in its folder.
fn is_allowed(name: &str) -> bool {
    !name.is_empty() && Path::new(name).components().all(|part| matches!(part, Component::Normal(_)))
}

/// A reader that calculates the SHA-256 of what it reads.
struct HashingReader<'a> {
    from: &'a mut dyn Read,
    sum: Sha256,
}

impl Read for HashingReader<'_> {
    fn read(&mut self, into: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(into)?;
        self.sum.update(&into[..read]);
        Ok(read)
    }
}
