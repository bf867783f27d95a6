//! `jalon migrate-from geotrek`: the move of the back-office from the command line. It works on the run itself where no server does.

use std::collections::BTreeMap;
use std::fs;
use std::io::BufWriter;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Duration;

use app::App;
use app::csv::csv_line;
use domain::WhiteLabelId;
use domain::imports::{ImportMode, ImportNote, ImportSourceSheet, ImportState};
use domain::record::Kind;
use feeds::incoming::{GeotrekPart, OtherVersion};
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::{Value, json};
use sources::imports::command::{self, Move, Origin};
use sources::imports::originals::{self, Originals};
use sources::sit::command as sit;
use store::imports::{ImportLine, ImportRun};
use store::record::Stored;

use crate::backup::place::Work;
use crate::cli::MigrateFromGeotrek;
use crate::config::Config;
use crate::geotrek_dump::{self, GeotrekSource};
use crate::geotrek_parts::{self, Part, PartKind};
use crate::{Failure, import, output, wiring};

/// How often the state of a run that another server works on is read.
const POLL_INTERVAL: Duration = Duration::from_secs(1);
/// How long to wait where a run may not start yet: a process that was killed holds it for up to a minute.
const START_RETRY_INTERVAL: Duration = Duration::from_millis(500);
/// The columns of the report.
const COLUMNS: [&str; 5] = ["item", "title", "outcome", "remark", "address"];

/// The most refused files that are printed.
const MAX_REFUSED_SHOWN: usize = 20;
/// The columns of the list of users.
const USERS: [&str; 6] = ["username", "first_name", "last_name", "email", "structure", "active"];

/// Runs it; false when the run failed or was stopped.
pub async fn run(config: &Config, asked: &MigrateFromGeotrek) -> Result<bool, Failure> {
    let place = GeotrekSource::of(&asked.from)?;
    if matches!(place, GeotrekSource::Server(_))
        && (asked.media.is_some() || asked.archive.is_some() || asked.users.is_some())
    {
        return Err("--media, --archive and --users are of a Geotrek that is read from its database".into());
    }
    let each = match (asked.each_structure, asked.each_portal) {
        (true, _) => Some(PartKind::Structure),
        (_, true) => Some(PartKind::Portal),
        _ => None,
    };
    if each.is_some() && matches!(place, GeotrekSource::Server(_) | GeotrekSource::Archive(_)) {
        return Err("--each-structure and --each-portal are of a Geotrek that is read from its database".into());
    }
    let is_part = !asked.portals.is_empty() || !asked.structures.is_empty();
    match &place {
        GeotrekSource::Server(_) if is_part => {
            return Err("--portal and --structure are of a Geotrek that is read from its database: of a server, add ?portals=2 to its address".into());
        }
        GeotrekSource::Archive(_) if is_part => {
            return Err("an archive has the part of its Geotrek: give --portal and --structure when you make it".into());
        }
        _ => {}
    }
    if let Some(folder) = asked.media.as_deref().filter(|folder| !folder.is_dir()) {
        return Err(format!("{} is not a folder", folder.display()).into());
    }
    if let Some(to) = &asked.archive {
        write_archive(&place, asked, each, to)?;
        return Ok(true);
    }
    let work = Work::new(&std::env::temp_dir())?;
    if let Some(each) = each {
        return moved_apart(config, asked, each, (&place.name(), work.path())).await;
    }
    let (archive, address) = match &place {
        GeotrekSource::Server(_) => (PathBuf::new(), None),
        GeotrekSource::Archive(_) if asked.address.is_some() => {
            return Err("an archive has the address of its Geotrek: give --address when you make it".into());
        }
        GeotrekSource::Archive(path) => (path.clone(), geotrek_dump::address_of(path)?),
        GeotrekSource::Database(_) | GeotrekSource::Dump(_) => {
            let to = work.path().join("geotrek.zip");
            if !asked.undo && !written_apart(config, asked, &to)? {
                return Ok(false);
            }
            (to, asked.address.clone())
        }
    };
    let name = place.name();
    let from = match &place {
        GeotrekSource::Server(url) => Origin::Server(url),
        _ => Origin::Archive { file: &archive, name: &name, address: address.as_deref() },
    };
    let app = wiring::app(config, wiring::store(config).await?).await?;
    let done = moved_into(&app, asked, from).await;
    app.store.close().await?;
    done
}

async fn moved_into(app: &App, asked: &MigrateFromGeotrek, from: Origin<'_>) -> Result<bool, Failure> {
    let white_label = import::owner(&app.store, asked.white_label.as_deref()).await?;
    moved(app, asked, white_label, from).await
}

/// Moves each structure or portal of a database into a white-label of its own. False when one of them failed: the others are moved all the same.
async fn moved_apart(
    config: &Config,
    asked: &MigrateFromGeotrek,
    each: PartKind,
    (name, folder): (&str, &Path),
) -> Result<bool, Failure> {
    if !written_apart(config, asked, folder)? {
        return Ok(false);
    }
    let app = wiring::app(config, wiring::store(config).await?).await?;
    let owner = match each {
        PartKind::Structure => None,
        PartKind::Portal => {
            let first = import::owner(&app.store, asked.white_label.as_deref()).await?;
            geotrek_parts::structure_of(&app.store, first).await?
        }
    };
    let mut all_well = true;
    for part in geotrek_parts::read(folder)? {
        if asked.dry_run {
            let is_known = geotrek_parts::known(&app.store, &part.name).await?.is_some();
            print_part(&part, is_known, asked.json);
            continue;
        }
        let white_label = geotrek_parts::white_label(&app.store, &part.name, owner).await?;
        if !asked.json {
            output::line(format!("White-label {}:", part.name));
        }
        let file = folder.join(&part.file);
        let from = Origin::Archive { file: &file, name, address: asked.address.as_deref() };
        match moved(&app, asked, white_label, from).await {
            Ok(is_done) => all_well &= is_done,
            Err(failure) => {
                all_well = false;
                if asked.json {
                    output::json(&json!({"white_label": white_label.0, "failure": failure.to_string()}));
                } else {
                    output::line(format!("It failed: {failure}"));
                }
            }
        }
    }
    app.store.close().await?;
    Ok(all_well)
}

/// What a part has, and whether its white-label is there.
fn print_part(part: &Part, is_known: bool, as_json: bool) {
    if as_json {
        return output::json(&json!({"white_label": part.name, "is_known": is_known, "counts": part.counts}));
    }
    let lists = ["trek", "poi", "touristiccontent", "touristicevent", "service"];
    let counts = lists.iter().map(|list| format!("{} {list}", part.counts.get(*list).copied().unwrap_or(0)));
    let counts = counts.collect::<Vec<_>>().join(", ");
    output::line(format!("{}: {counts}{}", part.name, if is_known { "" } else { " (new white-label)" }));
}

/// Writes the archive of a database in a process of its own: the memory of the tables is free again before the import begins. False where that process
/// failed, which has said why.
fn written_apart(config: &Config, asked: &MigrateFromGeotrek, to: &Path) -> Result<bool, Failure> {
    let mut command = Command::new(std::env::current_exe()?);
    command
        .args(["migrate-from", "geotrek", &asked.from, "--json", "--archive"])
        .arg(to)
        .env("JALON_DATA", &config.data);
    if let Some(address) = &asked.address {
        command.args(["--address", address]);
    }
    if let Some(users) = &asked.users {
        command.arg("--users").arg(users);
    }
    command.args(asked.each_structure.then_some("--each-structure"));
    command.args(asked.each_portal.then_some("--each-portal"));
    command.args(asked.portals.iter().map(|portal| format!("--portal={portal}")));
    command.args(asked.structures.iter().map(|structure| format!("--structure={structure}")));
    let written = command.stdin(Stdio::null()).stdout(Stdio::null()).status()?.success();
    if let Some(users) = asked.users.as_ref().filter(|_| written && !asked.json) {
        output::line(format!(
            "Users: in {}. Invite them in the back-office, or with jalon user create.",
            users.display()
        ));
    }
    Ok(written)
}

/// Writes the lists of a database, and its users where they are asked for.
fn write_archive(
    place: &GeotrekSource,
    asked: &MigrateFromGeotrek,
    each: Option<PartKind>,
    to: &Path,
) -> Result<(), Failure> {
    let Some(database) = place.tables()? else { return Err("this is an archive already".into()) };
    if let Some(other) = database.other_version() {
        let age = match other {
            OtherVersion::Older => "older than 2.100",
            OtherVersion::Newer => "newer than 2.126",
        };
        eprintln!(
            "jalon: this Geotrek is {age}: what it keeps in other tables than those of 2.100 to 2.126 does not come"
        );
    }
    if let Some(file) = &asked.users {
        let mut text = String::from("\u{feff}");
        text.push_str(&csv_line(USERS.into_iter()));
        for user in database.users() {
            let active = if user.is_active { "yes" } else { "no" };
            let cells = [&user.username, &user.first_name, &user.last_name, &user.email, &user.structure];
            text.push_str(&csv_line(cells.into_iter().map(String::as_str).chain([active])));
        }
        fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    }
    if let Some(each) = each {
        for part in geotrek_parts::write(&database, each, asked.address.as_deref(), to)? {
            if !asked.json {
                output::line(format!("{}: {}", part.name, to.join(&part.file).display()));
            }
        }
        return Ok(());
    }
    let file = fs::File::create(to).map_err(|error| format!("{} cannot be written: {error}", to.display()))?;
    let part = GeotrekPart { portals: asked.portals.clone(), structures: asked.structures.clone() };
    let counts = database.write_archive(BufWriter::new(file), asked.address.as_deref(), &part)?;
    if !asked.json {
        for (list, count) in counts.iter().filter(|(_, count)| **count > 0) {
            output::line(format!("{list:<24} {count:>9}"));
        }
        output::line(format!("Archive: {}", to.display()));
    }
    Ok(())
}

async fn moved(
    app: &App,
    asked: &MigrateFromGeotrek,
    white_label: WhiteLabelId,
    from: Origin<'_>,
) -> Result<bool, Failure> {
    let mode = if asked.undo {
        ImportMode::Undo
    } else if asked.dry_run {
        ImportMode::Dry
    } else {
        ImportMode::Real
    };
    let wanted = Move {
        white_label,
        from,
        takes_pois: !asked.no_pois,
        takes_equipment: !asked.no_pois && !asked.no_equipment,
        publishes: asked.publish,
    };
    let is_known = command::source(app, wanted, false).await?.is_some();
    let Some(source) = command::source(app, wanted, mode != ImportMode::Undo).await? else {
        return Err("nothing was imported from this Geotrek into this white-label".into());
    };
    let done = moved_by(app, asked, (wanted, mode), &source).await;
    if mode == ImportMode::Dry && !is_known {
        return first_failure(done, command::delete_unused(app, source.id).await);
    }
    done
}

/// The result of the work; where only the deletion that came after it failed, that failure.
fn first_failure(done: Result<bool, Failure>, deleted: Result<(), impl Into<Failure>>) -> Result<bool, Failure> {
    let is_good = done?;
    deleted.map_err(Into::<Failure>::into)?;
    Ok(is_good)
}

/// Makes a run of a source and prints what it did. A dry run is deleted once it is printed.
async fn moved_by(
    app: &App,
    asked: &MigrateFromGeotrek,
    (wanted, mode): (Move<'_>, ImportMode),
    source: &Stored<ImportSourceSheet>,
) -> Result<bool, Failure> {
    if let Some(folder) = asked.media.as_deref().filter(|_| mode == ImportMode::Real) {
        let bar = progress(asked.json);
        let show = |done: &Originals| {
            bar.set_message(format!("files: {} taken, {} known, {} missing", done.taken, done.known, done.missing));
        };
        let done = originals::take(app, source, folder, !asked.no_tourism, show).await?;
        bar.finish_and_clear();
        if !asked.json {
            let Originals { taken, known, missing, refused } = &done;
            output::line(format!(
                "Files: {taken} taken, {known} known, {missing} not in {}, {} refused.",
                folder.display(),
                refused.len()
            ));
            for (file, why) in refused.iter().take(MAX_REFUSED_SHOWN) {
                output::line(format!("  {file}: {}", command::remark(why)));
            }
            if refused.len() > MAX_REFUSED_SHOWN {
                output::line(format!("  and {} more", refused.len() - MAX_REFUSED_SHOWN));
            }
        }
    }
    let (id, continues) = command::ask(app, source, mode).await?;
    if continues && !asked.json {
        output::line(format!("Run {id} was not at its end: it goes on."));
    }
    let done = followed(app, asked, (wanted, mode), source, id).await;
    if mode == ImportMode::Dry {
        return first_failure(done, command::delete_dry(app, id).await);
    }
    done
}

/// Follows a run to its end and prints what it did; after an import, the tourist records too.
async fn followed(
    app: &App,
    asked: &MigrateFromGeotrek,
    (wanted, mode): (Move<'_>, ImportMode),
    source: &Stored<ImportSourceSheet>,
    id: i64,
) -> Result<bool, Failure> {
    let run = worked(app, id, asked.json).await?;
    let is_moved = mode == ImportMode::Real && run.state == ImportState::Done;
    let tourism = if is_moved && !asked.no_tourism { tourism(app, asked, wanted, source).await? } else { None };
    let ids: Vec<i64> = [Some(id), tourism.as_ref().map(|run| run.id)].into_iter().flatten().collect();
    if let Some(file) = &asked.report {
        write_report(app, &ids, file).await?;
    }
    if asked.json {
        let tourism = match &tourism {
            Some(run) => json!({
                "run": run.id, "source": run.source_id, "state": run.state, "failure": run.failure, "counts": run.counts,
                "remarks": remarks(app, run.id).await?,
            }),
            None => Value::Null,
        };
        output::json(&json!({
            "run": run.id, "source": run.source_id, "white_label": wanted.white_label.0, "mode": run.mode, "state": run.state,
            "failure": run.failure, "counts": run.counts, "inventory": run.inventory, "remarks": remarks(app, id).await?, "tourism": tourism,
        }));
    } else {
        print(&run, &remarks(app, id).await?);
        if let Some(run) = &tourism {
            print(run, &remarks(app, run.id).await?);
        }
        if let Some(file) = &asked.report {
            output::line(format!("Report, item by item: {}", file.display()));
        }
    }
    Ok(run.state == ImportState::Done && tourism.is_none_or(|run| run.state == ImportState::Done))
}

/// Imports the tourist contents, events and services of the Geotrek, by a source of tourist records. None where it has none.
async fn tourism(
    app: &App,
    asked: &MigrateFromGeotrek,
    wanted: Move<'_>,
    moved: &Stored<ImportSourceSheet>,
) -> Result<Option<ImportRun>, Failure> {
    let source = sit::source(app, wanted.white_label, wanted.from, moved).await?;
    let Some(source) = source else { return Ok(None) };
    let (id, continues) = sit::ask(app, &source).await?;
    if continues && !asked.json {
        output::line(format!("Run {id} of tourist records was not at its end: it goes on."));
    }
    worked(app, id, asked.json).await.map(Some)
}

/// Works on a run, or follows the servers that do, until its end; then lays the lines on the network where this program has one.
async fn worked(app: &App, id: i64, quiet: bool) -> Result<ImportRun, Failure> {
    let bar = progress(quiet);
    let run = loop {
        let run = command::run(app, id).await?.ok_or("the run is gone")?;
        show(&bar, &run);
        if run.state != ImportState::Running {
            break run;
        }
        if command::is_served(app).await? {
            tokio::time::sleep(POLL_INTERVAL).await;
        } else if !command::step(app).await? {
            tokio::time::sleep(START_RETRY_INTERVAL).await;
        }
    };
    if run.kind == Kind::ImportSource
        && run.mode == ImportMode::Real
        && app.region().engine.is_some()
        && !command::is_served(app).await?
    {
        bar.set_message("lines onto the network");
        while command::match_one(app).await? {}
    }
    bar.finish_and_clear();
    Ok(run)
}

fn progress(quiet: bool) -> ProgressBar {
    if quiet {
        return ProgressBar::hidden();
    }
    let bar = ProgressBar::new_spinner();
    if let Ok(style) = ProgressStyle::with_template("{spinner} {elapsed} {msg}") {
        bar.set_style(style);
    }
    bar.enable_steady_tick(Duration::from_millis(200));
    bar
}

fn show(bar: &ProgressBar, run: &ImportRun) {
    if run.kind == Kind::SitSource {
        bar.set_message(format!("tourist contents, events and services: {}", run.counts.total()));
        return;
    }
    let what = match run.phase.as_str() {
        "items" => "treks",
        "gone" => "treks that are gone",
        "media" if run.mode == ImportMode::Dry => "lists of the server",
        "media" => "pictures",
        "desks" => "information desks",
        "near" => "points of interest along the treks",
        "pois" => "points of interest",
        "links" => "points of interest into the parcours",
        "left" => "items without a place here",
        other => other,
    };
    let done = run.counts.total() + run.counts.undone;
    let of = run.total.map(|total| format!(" of {total}")).unwrap_or_default();
    let beside = if run.counts.pois > 0 { format!(", {} points of interest", run.counts.pois) } else { String::new() };
    bar.set_message(format!("{what}: {done}{of} treks{beside}"));
}

/// How often each remark was made.
async fn remarks(app: &App, run: i64) -> Result<BTreeMap<String, u64>, Failure> {
    let mut found = BTreeMap::new();
    for page in 1.. {
        let (lines, _) = command::lines(app, run, true, page).await?;
        if lines.is_empty() {
            break;
        }
        for note in lines.into_iter().flat_map(|line| line.notes) {
            *found.entry(note.code).or_insert(0) += 1;
        }
    }
    Ok(found)
}

fn report_line(line: &ImportLine, text: &mut String) {
    let notes: Vec<Option<&ImportNote>> =
        if line.notes.is_empty() { vec![None] } else { line.notes.iter().map(Some).collect() };
    for note in notes {
        let said = note.map(command::remark).unwrap_or_default();
        let address = note.and_then(|note| note.params.get("url")).map_or("", String::as_str);
        let cells = [line.item.as_str(), &line.title, line.outcome.as_str(), &said, address];
        text.push_str(&csv_line(cells.into_iter()));
    }
}

/// The report of some runs, item by item, as a table.
async fn write_report(app: &App, runs: &[i64], file: &Path) -> Result<(), Failure> {
    let mut text = String::from("\u{feff}");
    text.push_str(&csv_line(COLUMNS.into_iter()));
    for run in runs {
        for page in 1.. {
            let (lines, _) = command::lines(app, *run, false, page).await?;
            if lines.is_empty() {
                break;
            }
            for line in &lines {
                report_line(line, &mut text);
            }
        }
    }
    fs::write(file, text).map_err(|error| format!("{} cannot be written: {error}", file.display()))?;
    Ok(())
}

fn print(run: &ImportRun, remarks: &BTreeMap<String, u64>) {
    for item in &run.inventory {
        let count = item.count.map_or("not given".to_owned(), |count| count.to_string());
        output::line(format!("{:<20} {count:>9}  {}", item.list, item.place.as_str()));
    }
    let counts = &run.counts;
    let figures = [
        ("created", counts.created),
        ("updated", counts.updated),
        ("unchanged", counts.unchanged),
        ("refused", counts.refused),
        ("to merge", counts.to_merge),
        ("gone", counts.gone),
        ("kept", counts.kept),
        ("undone", counts.undone),
        ("points of interest", counts.pois),
        ("contacts", counts.contacts),
        ("lines below 95 %", counts.unreliable),
    ];
    let figures = figures.iter().filter(|(_, count)| *count > 0).map(|(name, count)| format!("{count} {name}"));
    let figures = figures.collect::<Vec<_>>().join(", ");
    let figures = if figures.is_empty() { "nothing changed".to_owned() } else { figures };
    for (code, count) in remarks {
        output::line(format!("{count:>9} × {code}"));
    }
    if let Some(failure) = &run.failure {
        output::line(format!("Why it failed: {}", command::remark(failure)));
    }
    let what = match (run.kind, run.mode) {
        (Kind::SitSource, _) => "Tourist records: run",
        (_, ImportMode::Dry) => "Dry run",
        _ => "Run",
    };
    output::line(format!("{what} {} {}: {figures}.", run.id, run.state.as_str()));
}
