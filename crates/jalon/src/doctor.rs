//! `jalon doctor`: what the configuration means, whether each part works, and what to do where one does not.

mod backups;

use std::path::{Path, PathBuf};
use std::time::Duration;

use app::seal::{KeyRing, OtherKey, ServerKey};
use connect::MailError;
use connect::program::{Program, ProgramLimits};
use domain::job::JobState;
use domain::region::{DEM, RELIEF};
use planner::{Dem, Embedded};
use routing::{EngineStatus, RouteEngine as _};
use rustix::fs::{Access, access, statvfs};
use store::blob_check::{self, ORPHANS_KEPT_S};
use store::job::JobFilter;
use store::{Dialect, ReplicaState, SchemaFault, Store, StoreError, installation};

use crate::config::{Config, Engine, Environment, Voices};
use crate::wiring::WiringError;
use crate::{output, server_key, web_app, wiring};

/// A server that has not reported to the database for this long counts as stopped, seconds.
const NODE_TIMEOUT_S: i64 = 60;
/// With less free space, the disk of the data folder, or of the folder of backups, is reported as nearly full.
const MIN_FREE_BYTES: u64 = 1024 * 1024 * 1024;

/// How long a program may take to say its version, or to encrypt a short text.
const PROGRAM_TIME: Duration = Duration::from_secs(10);

const RIGHTS: &str = "Create the data folder, and give the server's user the right to write there.";

const DAMAGED: &str = "The file is damaged or cut, or no database of SQLite. Stop the server, keep the file, and restore a backup \
                       (docs/operate/backup.md).";
const LOCKED: &str = "Usually that is another jalon serve, a jalon migrate or a backup program over the same file: fuser -v with the name of the file \
                      lists them. End it or wait for it, then try again. jalon backup create locks out no server.";
const REGION: &str = "jalon network build <extract> prepares the network and the map of your region.";

/// The result of the check of one part.
enum Finding {
    Good(String),
    /// It works, but something should be done: the text and the advice.
    Warning(String, &'static str),
    /// It does not work: the text and the advice.
    Bad(String, &'static str),
}

use Finding::{Bad, Good, Warning};

/// Checks each part and prints the result; false if one does not work.
pub async fn run(config: &Config) -> bool {
    let mut all_work = true;
    let mut report = |name: &str, finding: Finding| {
        let (mark, text, advice) = match finding {
            Good(text) => ("ok", text, ""),
            Warning(text, advice) => ("WARNING", text, advice),
            Bad(text, advice) => {
                all_work = false;
                ("FAILED", text, advice)
            }
        };
        output::line(format!("{name:<13} {mark}: {text}"));
        if !advice.is_empty() {
            output::line(format!("{:<13} -> {advice}", ""));
        }
    };
    output::line(format!("data folder   {}", config.data.display()));
    output::line(format!("address       {} (listening on {}:{})", config.public_url(), config.bind, config.port));
    report("configuration", configuration(config));
    report("disk", disk(&config.data, RIGHTS, "Free disk space: a database that cannot write refuses every change."));
    let connected = wiring::connect(config).await;
    let store = connected.as_ref().ok();
    report("database", database(config, &connected).await);
    if let Some(store) = store {
        report("tables", tables(store).await);
        if store.dialect() == Dialect::Postgres {
            report("clock", clock(store).await);
            if !config.database.replica_url.is_empty() {
                report("replica", replica(config, store).await);
            }
        }
        report("jobs", jobs(store).await);
    }
    report("server key", key(config, store).await);
    report("blobs", blobs(config).await);
    if let Some(store) = store {
        report("lost blobs", lost_blobs(config, store).await);
    }
    if let Some(store) = store.filter(|store| store.dialect() == Dialect::Sqlite) {
        report("backups", backups::state(config, store).await);
    }
    if config.database_file().is_some() {
        if let Some(finding) = backups::folder(config) {
            report("backup folder", finding);
        }
        if let Some(finding) = backups::programs(config).await {
            report("encryption", finding);
        }
    }
    let region = match store {
        Some(store) => region_in_use(config, store).await,
        None => config.region(),
    };
    report("network", region_part(wiring::embedded(&region), REGION, network));
    if let Some(finding) = elevation(&region) {
        report("elevation", finding);
    }
    if let Some(store) = store {
        report("published", published(config, store).await);
    }
    if config.planner.engine == Engine::Valhalla {
        report("valhalla", valhalla(config).await);
    }
    report("base map", base_map(&region));
    report("mail", mail(config).await);
    for (name, finding) in programs(config).await {
        report(name, finding);
    }
    report(
        "web app",
        match web_app::build() {
            Some((id, _)) => Good(format!("build {id}")),
            None => Bad("not built".to_owned(), "make web, then build the server again: it holds the web application."),
        },
    );
    all_work
}

/// Checks settings that are valid alone but do not fit each other.
fn configuration(config: &Config) -> Finding {
    let url = config.public_url();
    if let Err(error) = config.check_for_serving() {
        return Bad(error.to_string(), "");
    }
    if let Some(warning) = config.trusted_proxies.warning(url.starts_with("https://")) {
        return Warning(warning.to_owned(), "Set trusted_proxies to the addresses of your proxy.");
    }
    if config.environment == Environment::Production && !url.starts_with("https://") {
        return Warning(
            format!("environment is production and the address is {url}"),
            "Put a proxy with a certificate in front and set public_url to https://…: sessions are then sent encrypted alone.",
        );
    }
    if config.environment == Environment::Production && config.mail.smtp_url.is_empty() {
        return Warning("mails stay in the outbox folder".to_owned(), "Set mail.smtp_url: no mail is sent without it.");
    }
    Good("valid, and suitable for a server".to_owned())
}

/// The free space in a folder, and whether this user may write there.
fn disk(folder: &Path, rights: &'static str, full: &'static str) -> Finding {
    let shown = folder.display();
    let space = match statvfs(folder) {
        Ok(space) => space,
        Err(error) => return Bad(format!("{shown}: {error}"), rights),
    };
    if let Err(error) = access(folder, Access::WRITE_OK | Access::EXEC_OK) {
        return Bad(format!("{shown} cannot be written: {error}"), rights);
    }
    let (free, all) = (space.f_bavail * space.f_frsize, space.f_blocks * space.f_frsize);
    let text = format!("{shown}: {} MB free of {} MB", free / 1_048_576, all / 1_048_576);
    if free < MIN_FREE_BYTES {
        return Warning(text, full);
    }
    Good(text)
}

async fn database(config: &Config, connected: &Result<Store, WiringError>) -> Finding {
    const FILE: &str =
        "Give the server's user the right to write the file and its folder, where the file system is not read-only.";
    const SERVER: &str = "Check database_url, that the database runs, and that this user may sign in to it.";
    const PRIMARY: &str = "Promote it, set database_url to the primary, or turn default_transaction_read_only off.";
    let url = wiring::without_password(&config.database_url());
    let is_file = config.database_file().is_some();
    let advice = if is_file { FILE } else { SERVER };
    let store = match connected {
        Ok(store) => store,
        // The error says what to do.
        Err(error @ WiringError::NoDatabase(_)) => return Bad(error.to_string(), ""),
        Err(error @ WiringError::Folder(..)) => return Bad(error.to_string(), RIGHTS),
        Err(WiringError::Database { source, .. }) if source.is_of_damaged_file() => {
            return Bad(format!("{url}: {source}"), DAMAGED);
        }
        Err(WiringError::Database { source, .. }) if source.is_of_locked_file() => {
            return Bad(format!("another program has locked {url}: {source}"), LOCKED);
        }
        Err(error) => return Bad(error.to_string(), advice),
    };
    let asked = async {
        store.ping().await?;
        store.takes_writes().await
    };
    match asked.await {
        Ok(true) => Good(url),
        Ok(false) => {
            Bad(format!("{url} takes no writes: a standby, or read-only"), if is_file { FILE } else { PRIMARY })
        }
        Err(error) => {
            let known = advice_of(&error);
            Bad(format!("{url}: {error}"), if known.is_empty() { advice } else { known })
        }
    }
}

async fn tables(store: &Store) -> Finding {
    let schema = match store.schema().await {
        Ok(schema) => schema,
        Err(error) => return Bad(error.to_string(), advice_of(&error)),
    };
    match schema.fault() {
        None if schema.has_unknown => Good(format!(
            "the tables have version {}, newer than this one ({}), which may run on them",
            schema.database.unwrap_or_default(),
            schema.own
        )),
        None => Good(format!("the tables have this version ({})", schema.own)),
        Some(fault @ SchemaFault::Older { .. }) => {
            Bad(fault.to_string(), "The server migrates the database when it starts if database.migrate is true.")
        }
        Some(fault) => Bad(fault.to_string(), ""),
    }
}

/// What to do where the database fails after it was opened.
fn advice_of(error: &StoreError) -> &'static str {
    if error.is_of_damaged_file() {
        DAMAGED
    } else if error.is_of_locked_file() {
        LOCKED
    } else {
        ""
    }
}

async fn clock(store: &Store) -> Finding {
    match store.clock_difference(wiring::now()).await {
        Ok(seconds) if seconds.abs() <= wiring::MAX_CLOCK_DIFFERENCE_S => Good("the same as the database's".to_owned()),
        Ok(seconds) => Bad(
            format!("{seconds} s different from the database's"),
            "Run a time service (chrony, systemd-timesyncd) on every machine: leases of jobs and sessions need the same time everywhere.",
        ),
        Err(error) => Bad(error.to_string(), ""),
    }
}

/// How many times the state of the replica is checked before it is reported, and how long the command waits each time.
const REPLICA_CHECKS: u32 = 30;
const REPLICA_CHECK_INTERVAL: Duration = Duration::from_millis(100);

async fn replica(config: &Config, store: &Store) -> Finding {
    const ADVICE: &str =
        "Check database.replica_url, and that the replica follows this database; until then the primary answers.";
    let url = wiring::without_password(&config.database.replica_url);
    let mut why = "not asked".to_owned();
    for _ in 0..REPLICA_CHECKS {
        match store.replica() {
            Some(found) if found.state == ReplicaState::Ok => return Good(url),
            Some(found) => why = found.why,
            None => {}
        }
        tokio::time::sleep(REPLICA_CHECK_INTERVAL).await;
    }
    Warning(format!("{url}: {why}"), ADVICE)
}

async fn jobs(store: &Store) -> Finding {
    // Without tables there are no jobs.
    let Ok(counts) = store::job::count(store.read(), &JobFilter::default()).await else {
        return Good("none".to_owned());
    };
    let count = |state: JobState| counts.get(&state).copied().unwrap_or(0);
    let (dead, waiting) = (count(JobState::Dead), count(JobState::Waiting));
    let text = format!("{waiting} waiting, {} running, {dead} given up", count(JobState::Running));
    if dead > 0 {
        return Warning(text, "jalon jobs list --state dead gives the reasons, jalon jobs retry starts them again.");
    }
    Good(text)
}

/// Whether a blob can be written, read and deleted where the configuration puts them.
async fn blobs(config: &Config) -> Finding {
    // Nothing is made in a data folder that is not yet, or not, one of Jalon.
    if config.blobs.url.is_empty() {
        match wiring::exists(&config.data.join("blobs")) {
            Ok(true) => {}
            Ok(false) => {
                let text = format!("{} is not there yet", wiring::blobs_place(config));
                return Warning(text, "The server creates it when it starts.");
            }
            Err(error) => return Bad(error.to_string(), RIGHTS),
        }
    }
    let checked = async {
        let blobs = wiring::blobs(config)?;
        wiring::check_blobs(config, &blobs).await
    };
    match checked.await {
        Ok(()) => Good(wiring::blobs_place(config)),
        // The error says what to correct.
        Err(error) => Bad(error.to_string(), ""),
    }
}

/// Blobs that the database needs and that are not there, and those that it does not know.
async fn lost_blobs(config: &Config, store: &Store) -> Finding {
    let Ok(blobs) = wiring::blobs(config) else { return Good("not checked".to_owned()) };
    let verified = blob_check::verify(store.read(), &blobs, content::parcours::trace::source_key).await;
    let swept = blob_check::sweep(store.read(), &blobs, wiring::now().plus_s(-ORPHANS_KEPT_S)).await;
    let (Ok(verified), Ok(swept)) = (verified, swept) else { return Good("not checked".to_owned()) };
    if !verified.missing.is_empty() {
        return Bad(
            format!("{} of {} are missing", verified.missing.len(), verified.needed),
            "jalon blobs verify lists them: restore them from a backup.",
        );
    }
    let text = format!("none of {} is missing; {} orphans", verified.needed, swept.orphans.len());
    if let Some(refusal) = swept.refusal() {
        return Warning(format!("{text}: {refusal}"), "Check database_url and [blobs].");
    }
    if swept.orphans.is_empty() { Good(text) } else { Warning(text, "jalon blobs sweep --delete deletes them.") }
}

/// The folder of the region that a server of this data folder uses: of the published one where it is here, else its own.
async fn region_in_use(config: &Config, store: &Store) -> PathBuf {
    let current = store::region::current(store.read()).await.ok().flatten();
    let folder = current.map(|current| config.bundles().join(current.id.as_str()));
    folder.filter(|folder| folder.is_dir()).unwrap_or_else(|| config.region())
}

/// Whether the region that is published can be fetched, is here, and is not refused by a server.
async fn published(config: &Config, store: &Store) -> Finding {
    const AGAIN: &str =
        "jalon network publish stores it again; jalon network list and jalon network use go back to an older one.";
    // A database without tables was reported above.
    let Ok(current) = store::region::current(store.read()).await else { return Good("not checked".to_owned()) };
    let Some(current) = current else {
        return Good("no published region: each server uses the region of its data folder".to_owned());
    };
    let bundle = match store::region::find(store.read(), &current.id).await {
        Ok(Some(bundle)) => bundle,
        Ok(None) => return Bad(format!("region {} is not in the database", current.id.short()), AGAIN),
        Err(error) => return Bad(error.to_string(), AGAIN),
    };
    let Ok(blobs) = wiring::blobs(config) else { return Good("not checked".to_owned()) };
    for part in bundle.manifest.parts() {
        match blobs.size(&part.blob_key()).await {
            Ok(Some(size)) if size == part.bytes => {}
            Ok(found) => {
                let what = if found.is_some() { "cut or altered" } else { "missing" };
                return Bad(format!("{} of region {} is {what} in the blobs", part.name, current.id.short()), AGAIN);
            }
            Err(error) => return Bad(error.to_string(), "See the line of the blobs."),
        }
    }
    let servers = store::node::list(store.read(), wiring::now().plus_s(-NODE_TIMEOUT_S)).await.unwrap_or_default();
    if let Some((server, problem)) = servers.iter().find_map(|node| Some((&node.name, node.region_problem.as_ref()?))) {
        return Bad(format!("server {server} refuses region {}: {problem}", current.id.short()), AGAIN);
    }
    let date = bundle.network.data_date.as_deref().unwrap_or("unknown date");
    let text =
        format!("region {}, data of {date}, {} MB", current.id.short(), bundle.manifest.bytes().div_ceil(1_048_576));
    if config.bundles().join(current.id.as_str()).is_dir() {
        return Good(format!("{text}, is on this server"));
    }
    Warning(format!("{text}, is not on this server yet"), "A running server fetches it within seconds.")
}

/// The network of the region, and the profiles whose costs its file does not have.
fn network(engine: &Embedded) -> String {
    let described = described(&engine.status());
    match engine.without_stored_costs().len() {
        0 => described,
        count => {
            format!("{described}; the costs of {count} profiles are worked out at their first request: build it again")
        }
    }
}

/// Whether the tiles of heights of a region can be used; none where it has no folder for them.
fn elevation(region: &Path) -> Option<Finding> {
    const ADVICE: &str = "Replace these files, or give the server's user the right to read them: heights come from the tiles that can be read.";
    let folder = region.join(DEM);
    if !folder.is_dir() {
        return None;
    }
    let checked = Dem::open_dir(&folder).and_then(|dem| match dem.refused().len() {
        0 => dem.check().map(|()| Good(format!("the tiles in {} can be read", folder.display()))),
        count => Ok(Warning(format!("{count} tiles are left out: {}", dem.refused()[0]), ADVICE)),
    });
    Some(checked.unwrap_or_else(|error| Warning(error.to_string(), ADVICE)))
}

/// Whether the base map can be used, and its file of heights.
fn base_map(region: &Path) -> Finding {
    let tiles = wiring::tiles(region);
    if let Ok(Some(tiles)) = &tiles
        && wiring::lacks_relief(region, tiles)
    {
        return Warning(format!("{RELIEF} is damaged, or of another base map: the map shades no relief"), REGION);
    }
    region_part(tiles, REGION, |tiles| format!("zoom {} to {}", tiles.min_zoom(), tiles.max_zoom()))
}

/// The configured programs that cannot be run. The speech program of the default configuration need not be installed.
async fn programs(config: &Config) -> Vec<(&'static str, Finding)> {
    const ADVICE: &str = "Install it, correct its name or path in the configuration, or leave the setting empty.";
    let set = [
        ("voices", "voices.espeak", config.voices.espeak.clone()),
        ("imports", "imports.ogr2ogr", config.imports.ogr2ogr.clone()),
    ];
    let mut found = Vec::new();
    for (name, setting, program) in set {
        let program = program.trim().to_owned();
        if program.is_empty() || program == Voices::default().espeak {
            continue;
        }
        let path = PathBuf::from(&program);
        let run = tokio::task::spawn_blocking(move || runs(&path)).await;
        let fault = match run {
            Ok(Ok(())) => {
                found.push((name, Good(format!("{program} runs"))));
                continue;
            }
            Ok(Err(fault)) => fault,
            Err(error) => error.to_string(),
        };
        found.push((name, Warning(format!("{setting} is {program}: {fault}"), ADVICE)));
    }
    found
}

/// Asks a program for its version.
fn runs(path: &Path) -> Result<(), String> {
    let limits = ProgramLimits { within: PROGRAM_TIME, ..ProgramLimits::default() };
    let asked =
        Program { path, arguments: vec!["--version".into()], environment: Vec::new(), input: Vec::new(), limits };
    asked.run().map(drop).map_err(|error| error.to_string())
}

fn described(status: &EngineStatus) -> String {
    let date = status.data_date.as_deref().unwrap_or("unknown date");
    format!("{} {}, data of {date}", status.engine, status.version)
}

/// Whether the Valhalla server answers, and which engine replaces it where it does not.
async fn valhalla(config: &Config) -> Finding {
    const ADVICE: &str = "Start it, or correct planner.valhalla_url.";
    let server = wiring::valhalla(config);
    let asked = tokio::task::spawn_blocking(move || server.ask_status()).await;
    let url = &config.planner.valhalla_url;
    let fallback = if config.planner.fallback {
        "the embedded engine replaces it if it fails"
    } else {
        "no engine replaces it if it fails"
    };
    match asked {
        Ok(Ok(status)) => Good(format!("{} at {url}; {fallback}", described(&status))),
        Ok(Err(error)) => Bad(format!("{url}: {error}; {fallback}"), ADVICE),
        Err(error) => Bad(format!("{url}: {error}; {fallback}"), ADVICE),
    }
}

/// Where the server's key is, and whether it is that of the database and opens its sealed values.
async fn key(config: &Config, store: Option<&Store>) -> Finding {
    let ring = match server_key::find(config) {
        Ok(ring) => ring,
        Err(error) => return Bad(error.to_string(), ""),
    };
    let file = server_key::file(config);
    // A database of an older version has no place for secrets yet: nothing is sealed in it.
    let recorded = match store {
        Some(store) => installation::server_key(store.read()).await.ok().flatten(),
        None => None,
    };
    let Some(ring) = ring else {
        return match recorded {
            Some(recorded) => Bad(WiringError::MissingKey(recorded).to_string(), ""),
            None => Good(format!("no key yet: the first start creates {}", file.display())),
        };
    };
    if let Some(store) = store {
        if let Some(recorded) = recorded.filter(|name| !has(&ring, name)) {
            let other = OtherKey { recorded, here: ring.current.id() };
            return Bad(other.to_string(), "Give this server that key; if it is lost: jalon key adopt.");
        }
        let survey = app::seal::survey(&ServerKey::of(ring.clone(), None), store.read()).await;
        if let Some(missing) = survey.ok().and_then(|survey| survey.missing_keys()) {
            return Bad(missing, "Add it to old_server_keys, or enter these secrets again.");
        }
    }
    if config.server_key.is_empty() {
        Good(file.display().to_string())
    } else {
        Good("from the configuration".to_owned())
    }
}

fn has(ring: &KeyRing, name: &str) -> bool {
    std::iter::once(&ring.current).chain(&ring.old).any(|key| key.id().to_string() == name)
}

/// Signs in to the mail server and sends nothing, or tries whether the outbox can be written.
async fn mail(config: &Config) -> Finding {
    const ADVICE: &str = "Correct mail.smtp_url and mail.from: address, port, encryption, name and password.";
    const OUTBOX: &str =
        "Give the server's user the right to write to the folder outbox in the data folder, or set mail.smtp_url.";
    let mailer = match wiring::mailer(config) {
        Ok(mailer) => mailer,
        Err(error) => return Bad(error.to_string(), ADVICE),
    };
    match mailer.check().await {
        Ok(()) if config.mail.smtp_url.is_empty() => Good("written to the outbox folder".to_owned()),
        Ok(()) => Good("the mail server accepts this server's mails".to_owned()),
        Err(error @ MailError::Outbox(_)) => Bad(error.to_string(), OUTBOX),
        Err(error) => Bad(error.to_string(), ADVICE),
    }
}

fn region_part<T>(
    part: Result<Option<T>, wiring::WiringError>,
    advice: &'static str,
    text: impl Fn(&T) -> String,
) -> Finding {
    match part {
        Ok(Some(part)) => Good(text(&part)),
        Ok(None) => Warning("none".to_owned(), advice),
        Err(error) => Bad(error.to_string(), advice),
    }
}
