//! Files that GDAL reads and we do not: `ogr2ogr` makes a GeoPackage of them, where the operator allows it.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::process::ExitStatus;
use std::time::{Duration, Instant};

use app::App;
use app::problem::Internal;
use connect::program::{Program, ProgramError, ProgramLimits};
use content::media::Scratch;
use domain::imports::ImportNote;
use feeds::incoming::{GdalFile, MAX_FEATURES};
use store::geopackage::MAX_BYTES;

use super::halt::Halt;

/// The driver that writes.
const GEOPACKAGE: &str = "GPKG";
/// Time for a file, whatever is inside.
const WITHIN: Duration = Duration::from_secs(60);
/// The most address space of the program, in bytes: five times what it takes for a small file.
const MAX_MEMORY: u64 = 1024 * 1024 * 1024;
/// What a line of its error output begins with that is no warning.
const ERROR: &str = "ERROR";
/// The most characters of it that a report has.
const MAX_LINE: usize = 300;
/// What it says of a layer that names no coordinate system.
const NO_SYSTEM: &str = "no\ncoordinate system";

/// A GeoPackage with the layers of a file, in degrees where the file names its coordinate system.
pub(super) async fn as_geopackage(app: &App, file: GdalFile, bytes: Vec<u8>) -> Result<Scratch, Halt> {
    let program = app.settings.ogr2ogr.clone().ok_or_else(|| not_there(file.driver))?;
    let (from, to) = (Scratch::new(app)?, Scratch::new(app)?);
    tokio::fs::write(&from.0, bytes).await.map_err(Internal::new)?;
    let converted = tokio::task::spawn_blocking(move || {
        Converter { program, driver: file.driver, until: Instant::now() + WITHIN }.convert(&from.0, &file, &to.0)?;
        Ok::<_, ImportNote>(to)
    });
    Ok(converted.await.map_err(Internal::new)??)
}

fn not_there(driver: &str) -> ImportNote {
    ImportNote::new("import/needs-gdal").with("format", driver)
}

struct Converter {
    program: PathBuf,
    driver: &'static str,
    until: Instant,
}

impl Converter {
    fn convert(&self, from: &Path, file: &GdalFile, to: &Path) -> Result<(), ImportNote> {
        let left_out = self.left_out()?;
        let all = |system: &[&str]| self.layers(from, file, to, system, &left_out);
        let converted = all(&["-t_srs", "EPSG:4326"]).or_else(|error| match error {
            ProgramError::Failed { errors, .. } if errors.contains(NO_SYSTEM) => {
                // Again from the beginning, without what was written.
                let _ = std::fs::remove_file(to);
                all(&[])
            }
            error => Err(error),
        });
        converted.map_err(|error| self.note_of(&error))
    }

    /// Writes the layers of each place of a file. Layers of one name in several folders become one, with the fields of all.
    fn layers(
        &self,
        from: &Path,
        file: &GdalFile,
        to: &Path,
        system: &[&str],
        left_out: &str,
    ) -> Result<(), ProgramError> {
        let in_archive = |folder: &String| format!("/vsizip/{{{}}}/{folder}", from.display()).into();
        let places: Vec<OsString> = match &file.folders {
            None => vec![from.into()],
            Some(folders) => folders.iter().map(in_archive).collect(),
        };
        let most = (MAX_FEATURES + 1).to_string();
        for (at, place) in places.into_iter().enumerate() {
            let added: &[&str] = if at == 0 { &[] } else { &["-update", "-append", "-addfields"] };
            let fixed = ["-f", GEOPACKAGE, "-nlt", "CONVERT_TO_LINEAR", "-limit", &most];
            let options = fixed.iter().chain(added).chain(system).map(OsString::from);
            self.run(options.chain([to.into(), place]).collect(), left_out)?;
        }
        Ok(())
    }

    /// All drivers of GDAL but those of this file and of the GeoPackage, to be skipped: it would try every driver, also those that open other files
    /// and addresses. The drivers that remain are checked.
    fn left_out(&self) -> Result<String, ImportNote> {
        let wanted = BTreeSet::from([self.driver.to_owned(), GEOPACKAGE.to_owned()]);
        let drivers = |left_out: &str| {
            let listed = self.run(vec!["--formats".into()], left_out).map_err(|error| self.note_of(&error))?;
            Ok::<_, ImportNote>(drivers_of(&String::from_utf8_lossy(&listed)))
        };
        let others: Vec<String> = drivers("")?.difference(&wanted).cloned().collect();
        let left_out = others.join(",");
        let left = drivers(&left_out)?;
        if left == wanted {
            return Ok(left_out);
        }
        tracing::error!(?left, ?wanted, "ogr2ogr has other drivers than those that it was left: nothing is converted");
        Err(not_there(self.driver))
    }

    fn run(&self, arguments: Vec<OsString>, left_out: &str) -> Result<Vec<u8>, ProgramError> {
        let environment = vec![
            // No driver from outside GDAL.
            ("GDAL_DRIVER_PATH", "disable".into()),
            ("GDAL_SKIP", left_out.into()),
            ("GDAL_NUM_THREADS", "1".into()),
            // The file is read once and thrown away.
            ("OGR_SQLITE_SYNCHRONOUS", "OFF".into()),
            ("OGR_SQLITE_PRAGMA", "journal_mode=OFF".into()),
        ];
        let within = self.until.saturating_duration_since(Instant::now());
        let (memory, file) = (Some(MAX_MEMORY), Some(MAX_BYTES as u64));
        let limits = ProgramLimits { within, processor_s: None, memory, file };
        let wrote = Program { path: &self.program, arguments, environment, input: Vec::new(), limits }.run()?;
        // The program exits with 0 although it left out a layer that it could not read.
        if wrote.errors.lines().any(|line| line.starts_with(ERROR)) {
            return Err(ProgramError::Failed { status: ExitStatus::default(), errors: wrote.errors });
        }
        Ok(wrote.output)
    }

    fn note_of(&self, error: &ProgramError) -> ImportNote {
        match error {
            ProgramError::NotThere => not_there(self.driver),
            ProgramError::NotStarted(_) => {
                tracing::error!(%error, "ogr2ogr cannot be run");
                not_there(self.driver)
            }
            ProgramError::TimedOut => ImportNote::new("import/too-large"),
            ProgramError::Failed { errors, .. } => {
                ImportNote::new("import/damaged-file").with("detail", format!("{}: {}", self.driver, why(errors)))
            }
        }
    }
}

/// What the program says in a line, without the names of files of this server.
fn why(says: &str) -> String {
    let line = says.lines().map(str::trim).find(|line| line.starts_with(ERROR) || line.starts_with("Unable"));
    let line = line.unwrap_or_else(|| says.lines().next().unwrap_or_default());
    let line: String = line.chars().take(MAX_LINE).collect();
    line.split(['`', '\'', ' ']).filter(|word| !word.contains('/')).collect::<Vec<_>>().join(" ")
}

/// The names in the list of `ogr2ogr --formats`: `  MapInfo File -vector- (rw+v): MapInfo File`.
fn drivers_of(listed: &str) -> BTreeSet<String> {
    let name = |line: &str| {
        let (name, rest) = line.strip_prefix("  ")?.split_once(" -")?;
        rest.contains("- (").then(|| name.trim().to_owned())
    };
    listed.lines().filter_map(name).collect()
}
