//! Where backups are: a folder, or an S3 bucket.

use std::fs::{self, File, TryLockError};
use std::io;
use std::path::{Path, PathBuf};

use connect::BucketConnector;
use futures_util::TryStreamExt as _;
use store::{Blobs, BlobsFault};

use crate::Failure;
use crate::bucket_access::SCHEME;
use crate::config::{Config, check_place};

/// Beginning and endings of the file names of backups.
pub const START: &str = "jalon-";
pub const END: &str = ".tar.gz";
pub const END_ENCRYPTED: &str = ".tar.gz.enc";

/// A folder or a bucket with backups.
pub enum Place {
    Folder(PathBuf),
    Bucket(Box<Bucket>),
}

/// A bucket, with the names of it that messages use.
pub struct Bucket {
    files: Blobs,
    url: String,
    /// The address with the server, without the access key.
    shown: String,
    config: Config,
}

impl Place {
    /// The place that `text` names. Nothing is sent yet.
    pub fn new(config: &Config, text: &str) -> Result<Self, Failure> {
        check_place("the place of backups", text)?;
        if !text.starts_with(SCHEME) {
            return Ok(Self::Folder(text.into()));
        }
        let access = config.backup.access(&config.blobs)?;
        let settings = access.bucket("the place of backups", text)?;
        Ok(Self::Bucket(Box::new(Bucket {
            files: Blobs::bucket(&settings, BucketConnector)?,
            url: text.trim_end_matches('/').to_owned(),
            shown: access.shown(text),
            config: config.clone(),
        })))
    }

    /// The place of a backup, and its name.
    pub fn of_backup(config: &Config, text: &str) -> Result<(Self, String), Failure> {
        if let Some(inside) = text.strip_prefix(SCHEME) {
            let Some((place, name)) = inside.rsplit_once('/').filter(|(_, name)| !name.is_empty()) else {
                return Err(format!("{text} names no backup: `jalon backup list {text}` lists those there").into());
            };
            return Ok((Self::new(config, &format!("{SCHEME}{place}"))?, name.to_owned()));
        }
        check_place("the place of backups", text)?;
        let file = Path::new(text);
        let Some(name) = file.file_name() else { return Err(format!("{text} is not a file").into()) };
        let folder = file.parent().filter(|folder| !folder.as_os_str().is_empty()).unwrap_or(Path::new("."));
        Ok((Self::Folder(folder.to_owned()), name.to_string_lossy().into_owned()))
    }

    /// The names and sizes of the backups here, the newest first.
    pub async fn backups(&self) -> Result<Vec<(String, u64)>, Failure> {
        let mut found = match self {
            Self::Folder(folder) => in_folder(folder).map_err(|error| format!("{}: {error}", folder.display()))?,
            Self::Bucket(bucket) => {
                // The first request to the bucket: what it refuses is reported with the setting to correct.
                bucket.files.reach().await.map_err(|fault| bucket.refused(&fault))?;
                bucket.files.list("").map_ok(|file| (file.key, file.bytes)).try_collect().await?
            }
        };
        found.retain(|(name, _)| {
            name.starts_with(START) && (name.ends_with(END) || name.ends_with(END_ENCRYPTED)) && !name.contains('/')
        });
        found.sort_by(|one, other| other.cmp(one));
        Ok(found)
    }

    /// A folder for an unfinished backup: in the folder of the backups, so that a finished one is only renamed; for a bucket, in the
    /// folder for temporary files (`TMPDIR`).
    pub fn work(&self) -> Result<Work, Failure> {
        let inside = match self {
            Self::Folder(folder) => folder.clone(),
            Self::Bucket(_) => std::env::temp_dir(),
        };
        Work::new(&inside).map_err(|error| format!("{}: {error}", inside.display()).into())
    }

    /// Stores a finished backup under its name. An incomplete backup never has this name.
    pub async fn store(&self, part: &Path, name: &str) -> Result<(), Failure> {
        match self {
            Self::Folder(folder) => {
                fs::rename(part, folder.join(name))?;
                Ok(File::open(folder)?.sync_all()?)
            }
            Self::Bucket(bucket) => {
                bucket.files.put_file(name, part).await?;
                let (sent, stored) = (fs::metadata(part)?.len(), bucket.files.size(name).await?);
                if stored == Some(sent) {
                    return Ok(());
                }
                Err(format!("{} has {} of {sent} bytes of {name}", bucket.shown, stored.unwrap_or(0)).into())
            }
        }
    }

    /// The file of a backup: the one in the folder, or a copy in the work folder of the one in the bucket.
    pub async fn fetch(&self, name: &str, work: &Work) -> Result<PathBuf, Failure> {
        match self {
            Self::Folder(folder) => Ok(folder.join(name)),
            Self::Bucket(bucket) => {
                bucket.files.reach().await.map_err(|fault| bucket.refused(&fault))?;
                let file = work.path().join("fetched");
                if bucket.files.get_file(name, &file).await? {
                    return Ok(file);
                }
                Err(format!(
                    "{} has no backup {name}: `jalon backup list {}` lists those there",
                    bucket.shown, bucket.url
                )
                .into())
            }
        }
    }

    /// Deletes a backup.
    pub async fn delete(&self, name: &str) -> Result<(), Failure> {
        match self {
            Self::Folder(folder) => Ok(fs::remove_file(folder.join(name))?),
            Self::Bucket(bucket) => Ok(bucket.files.delete(name).await?),
        }
    }

    /// How a backup here is named on the command line.
    pub fn path(&self, name: &str) -> String {
        match self {
            Self::Folder(folder) => folder.join(name).display().to_string(),
            Self::Bucket(bucket) => format!("{}/{name}", bucket.url),
        }
    }
}

impl Bucket {
    fn refused(&self, fault: &BlobsFault) -> String {
        let access = self.config.backup.access(&self.config.blobs);
        let advice = access.map(|access| access.advice("the place of backups", "list, read, write and delete", fault));
        format!("the backups in {} cannot be reached: {fault}. {}", self.shown, advice.unwrap_or_default())
    }
}

fn in_folder(folder: &Path) -> io::Result<Vec<(String, u64)>> {
    let mut found = Vec::new();
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        found.push((entry.file_name().to_string_lossy().into_owned(), entry.metadata()?.len()));
    }
    Ok(found)
}

/// Beginning of the names of work folders.
const WORK: &str = ".jalon-backup-";

/// A folder for an unfinished backup, deleted when the value is dropped. It is locked: a folder without a lock was left by a program
/// that was killed, and the next program deletes it.
pub struct Work {
    path: PathBuf,
    _lock: File,
}

impl Work {
    pub fn new(inside: &Path) -> io::Result<Self> {
        fs::create_dir_all(inside)?;
        for entry in fs::read_dir(inside)?.flatten() {
            if entry.file_name().to_string_lossy().starts_with(WORK) {
                delete_abandoned(&entry.path());
            }
        }
        let path = inside.join(format!("{WORK}{}-{:08x}", std::process::id(), rand::random::<u32>()));
        fs::create_dir(&path)?;
        let lock = File::open(&path)?;
        lock.lock()?;
        Ok(Self { path, _lock: lock })
    }

    pub fn path(&self) -> &Path {
        &self.path
    }
}

/// Deletes a work folder that no program has locked. The folder of another user, which cannot be opened, stays.
fn delete_abandoned(folder: &Path) {
    let Ok(held) = File::open(folder) else { return };
    match held.try_lock() {
        Ok(()) => drop(fs::remove_dir_all(folder)),
        Err(TryLockError::WouldBlock | TryLockError::Error(_)) => {}
    }
}

impl Drop for Work {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.path);
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn only_the_work_folder_of_a_killed_program_is_deleted() {
        let inside = std::env::temp_dir().join(format!("jalon-work-{}", std::process::id()));
        let abandoned = inside.join(format!("{WORK}1"));
        fs::create_dir_all(&abandoned).unwrap();
        fs::write(abandoned.join("archive"), "half a backup").unwrap();
        let held = Work::new(&inside).unwrap();
        assert!(!abandoned.exists());
        let other = Work::new(&inside).unwrap();
        assert!(held.path().is_dir() && other.path().is_dir());
        let path = other.path().to_owned();
        drop(other);
        assert!(!path.exists());
        drop(held);
        fs::remove_dir_all(&inside).unwrap();
    }

    #[test]
    fn a_backup_is_named_by_its_place_and_its_name() {
        let mut config = Config::default();
        config.backup.access_key_id = "key".into();
        config.backup.secret_access_key = "secret".into();
        let place = |text: &str| Place::of_backup(&config, text).map(|(place, name)| place.path(&name));
        for text in ["/var/backups/jalon-1.tar.gz", "s3://backups/jalon-1.tar.gz", "s3://backups/a/b/jalon-1.tar.gz"] {
            assert_eq!(place(text).unwrap(), text);
        }
        assert_eq!(place("jalon-1.tar.gz").unwrap(), "./jalon-1.tar.gz");
        for refused in [place("ftp://backups/jalon-1.tar.gz").err(), Place::new(&config, "ftp://backups").err()] {
            let said = refused.unwrap().to_string();
            assert_eq!(said, "the place of backups must be a folder or s3://bucket/prefix");
        }
        assert!(place("s3://backups").unwrap_err().to_string().contains("names no backup"));
        assert!(place("s3://backups/").unwrap_err().to_string().contains("names no backup"));
        assert!(
            Place::new(&Config::default(), "s3://backups")
                .is_err_and(|error| error.to_string().contains("backup.access_key_id"))
        );
    }
}
