//! The part of `jalon doctor` about backups: the last one, their folder, and the programs that encrypt them.

use std::path::Path;

use connect::program::{Program, ProgramError, ProgramLimits};
use domain::HOUR_S;
use store::Store;

use super::Finding::{self, Bad, Good, Warning};
use super::{PROGRAM_TIME, disk};
use crate::bucket_access::SCHEME;
use crate::config::{self, Config};
use crate::{backup, wiring};

/// A backup that is older than two nights is reported.
const MAX_BACKUP_AGE_H: i64 = 50;

/// Whether the place of backups can be reached, and how old the last one is.
pub(super) async fn state(config: &Config, store: &Store) -> Finding {
    const CREATE: &str =
        "jalon backup create makes one; the Debian package does it each night (docs/operate/backup.md).";
    const LATER: &str = "Check the clock, then delete them: they look newer than the backups that are made now.";
    const GONE: &str = "It was made elsewhere, moved or deleted: jalon backup create makes one.";
    const UNMOUNTED: &str = "Mount its disk, or correct backup.to: jalon backup create would begin an empty folder.";
    const NEW: &str = "jalon backup create makes it with the first backup.";
    let (place, now) = (config.backup.to.as_str(), wiring::now());
    if is_folder(config) && !Path::new(place).exists() {
        return match store::backup_made::last(store.read()).await {
            Ok(Some(_)) => Bad(format!("the folder {place}, where backups were made, is not there"), UNMOUNTED),
            _ => Warning(format!("no backup was made yet; the folder {place} is not there"), NEW),
        };
    }
    let names = match backup::names(config).await {
        Ok(names) => names,
        Err(error) => return Bad(error.to_string(), "Correct [backup]: no backup can be made there."),
    };
    let there = names.as_ref().map_or_else(String::new, |names| format!("{} in {place}; ", names.len()));
    let later = names.iter().flatten().filter(|name| backup::is_of_future(name, now)).count();
    // A database without tables was reported above.
    let Ok(last) = store::backup_made::last(store.read()).await else { return Good("not checked".to_owned()) };
    let Some(last) = last else { return Warning(format!("{there}no backup of this database was made yet"), CREATE) };
    let hours = (now.0 - last.made_at.0).max(0) / HOUR_S;
    let text =
        format!("{there}the last backup was made {hours} h ago: {} ({} MB)", last.file, last.bytes.div_ceil(1_048_576));
    if names.is_some_and(|names| !names.contains(&last.file)) {
        return Warning(format!("{text}; it is not there"), GONE);
    }
    if last.missing > 0 {
        return Warning(
            format!("{text}; {} files that the database needs are not in it", last.missing),
            "jalon blobs verify lists them: restore them from an older backup.",
        );
    }
    if hours > MAX_BACKUP_AGE_H {
        return Warning(text, CREATE);
    }
    if later > 0 {
        return Warning(format!("{text}; {later} backups there have names later than now"), LATER);
    }
    Good(text)
}

/// The free space in the folder of backups, and whether a backup can be written there; none where backups go to a bucket or nowhere, or the
/// folder is not there, which the line of the backups reports.
pub(super) fn folder(config: &Config) -> Option<Finding> {
    const RIGHTS: &str =
        "No backup can be made there: give this user the right to write the folder, or correct backup.to.";
    const FULL: &str = "Free disk space: a backup needs room for a copy of the database and for the new file.";
    let folder = Path::new(&config.backup.to);
    (is_folder(config) && folder.is_dir()).then(|| disk(folder, RIGHTS, FULL))
}

/// Whether backups go to a folder, and not to a bucket or nowhere.
fn is_folder(config: &Config) -> bool {
    !config.backup.to.is_empty() && !config.backup.to.starts_with(SCHEME)
}

/// Whether the programs of `[backup]` encrypt and decrypt a short text; none where none is set.
pub(super) async fn programs(config: &Config) -> Option<Finding> {
    let (encrypt, decrypt) = (config.backup.encrypt.clone(), config.backup.decrypt.clone());
    if encrypt.is_empty() && decrypt.is_empty() {
        return None;
    }
    let tried = tokio::task::spawn_blocking(move || try_encryption(&encrypt, &decrypt)).await;
    Some(tried.unwrap_or_else(|error| Bad(error.to_string(), "")))
}

/// Encrypts a short text and decrypts it again. A program that decrypts alone has nothing to read: it only has to start.
fn try_encryption(encrypt: &[String], decrypt: &[String]) -> Finding {
    const TEXT: &[u8] = b"jalon doctor";
    const ENCRYPT: &str = "No backup can be made: install the program, or correct backup.encrypt.";
    const DECRYPT: &str = "No backup can be read: install the program, or correct backup.decrypt.";
    let encrypted = match encrypt.split_first() {
        None => None,
        Some((program, arguments)) => match piped(program, arguments, TEXT) {
            Ok(encrypted) => Some((program, encrypted)),
            Err(error) => return Bad(format!("backup.encrypt is {program}: {error}"), ENCRYPT),
        },
    };
    let Some((program, arguments)) = decrypt.split_first() else {
        let by = encrypted.map_or_else(String::new, |(program, _)| program.clone());
        return Good(format!("{by} encrypts; no program that decrypts is set, and backups are not read again"));
    };
    let input = encrypted.as_ref().map(|(_, bytes)| bytes.as_slice()).unwrap_or_default();
    match (piped(program, arguments, input), &encrypted) {
        (Ok(text), Some(_)) if text != TEXT => {
            Bad(format!("{program} does not give back what backup.encrypt was given"), DECRYPT)
        }
        (Ok(_), Some((by, _))) => Good(format!("{by} encrypts, and {program} decrypts it")),
        (Ok(_) | Err(ProgramError::Failed { .. }), None) => Good(format!("{program} starts")),
        (Err(error), _) => Bad(format!("backup.decrypt is {program}: {error}"), DECRYPT),
    }
}

/// What a program of `[backup]` makes of an input.
fn piped(program: &str, arguments: &[String], input: &[u8]) -> Result<Vec<u8>, ProgramError> {
    let limits = ProgramLimits { within: PROGRAM_TIME, ..ProgramLimits::default() };
    let arguments = arguments.iter().map(Into::into).collect();
    let (path, environment) = (Path::new(program), config::backup_environment());
    Program { path, arguments, environment, input: input.to_vec(), limits }.run().map(|ran| ran.output)
}
