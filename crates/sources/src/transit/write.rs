//! Writes the data of a feed step by step under the run's own number, then shows it all at once.

use std::sync::Arc;

use app::App;
use app::problem::Internal;
use domain::imports::ImportNote;
use domain::transit::FeedCounts;
use feeds::gtfs::{Files, Transit};
use feeds::incoming::Refused;
use jobs::{Failure, Lease, Step};
use store::transit::{self as rows, TransitRun};

use super::fetch::file_key;
use super::work::{TransitCache, fail};
use crate::imports::halt::Halt;

/// Rows of one step.
const STEP: usize = 4_000;

/// One step: reads the file unless it is in memory, and writes the next rows of it.
pub(super) async fn step(app: &App, lease: &Lease, run: &TransitRun) -> Result<Step, Failure> {
    let transit = match app.shared::<TransitCache>().of_run(run.id) {
        Some(kept) => kept,
        None => match read(app, run).await {
            Ok(read) => {
                let read = Arc::new(read);
                app.shared::<TransitCache>().keep(run.id, Arc::clone(&read));
                read
            }
            Err(halt) => return fail(app, lease, run, halt.note()?).await,
        },
    };
    let mut run = run.clone();
    let (lines, stops, calls) = (&transit.lines, &transit.stops, &transit.calls);
    let total = lines.len() + stops.len() + calls.len();
    run.total = Some(total as i64);
    run.notes = notes(&transit);
    run.counts = FeedCounts {
        lines: lines.len() as i64,
        stops: stops.len() as i64,
        stop_times: transit.stop_times as i64,
        ..FeedCounts::default()
    };
    let from = usize::try_from(run.at).unwrap_or(0).min(total);
    let to = (from + STEP).min(total);
    let is_last = to == total;
    run.at = to as i64;
    if is_last {
        (run.phase, run.at, run.total) = ("follow".to_owned(), 0, None);
    }
    let tx = app.store.begin().await?;
    // Nothing is written where it has ended meanwhile.
    if !rows::advance(&tx, &run).await? {
        return Ok(Step::Done);
    }
    // Lines, stops and calls are counted one after the other; this is the part of each between `from` and `to`.
    let part = |start: usize, len: usize| {
        let place = |at: usize| at.saturating_sub(start).min(len);
        place(from)..place(to)
    };
    let of_lines = part(0, lines.len());
    rows::add_lines(&tx, run.id, of_lines.start as i64, &lines[of_lines]).await?;
    let of_stops = part(lines.len(), stops.len());
    let some: Vec<_> = stops[of_stops.clone()].iter().map(|stop| (stop.name.as_str(), stop.at)).collect();
    rows::add_stops(&tx, run.id, of_stops.start as i64, &some).await?;
    let of_calls = part(lines.len() + stops.len(), calls.len());
    let some: Vec<_> = calls[of_calls].iter().map(|call| (call.line, call.stop, call.departures.as_slice())).collect();
    rows::add_calls(&tx, run.id, &some).await?;
    let mut replaced = None;
    if is_last {
        let before = rows::edition(&tx, run.feed_id).await?.map(|before| before.sha256);
        replaced = before.filter(|before| Some(before) != run.sha256.as_ref());
        rows::show_edition(&tx, &run, transit.days.clone(), app.now()).await?;
    }
    // It fails where the lease is lost, as `Lease::hold` does.
    lease.progress_in(&tx, to as i64, total as i64).await?;
    tx.commit().await?;
    if is_last {
        app.shared::<TransitCache>().forget(run.id);
    }
    if let Some(sha256) = replaced {
        app.blobs.delete(&file_key(run.feed_id, &sha256)).await?;
    }
    Ok(Step::Again)
}

async fn read(app: &App, run: &TransitRun) -> Result<Transit, Halt> {
    let nothing = || ImportNote::new("transport/nothing-to-read");
    let sha256 = run.sha256.as_ref().ok_or_else(nothing)?;
    let bytes = app.blobs.get(&file_key(run.feed_id, sha256)).await?.ok_or_else(nothing)?;
    let today = u32::try_from(run.today).unwrap_or_default();
    let read = tokio::task::spawn_blocking(move || {
        Files::open(&bytes).and_then(|mut files| feeds::gtfs::read(&mut files, today))
    });
    Ok(read.await.map_err(Internal::new)?.map_err(|refused| note(&refused))?)
}

fn note(refused: &Refused) -> ImportNote {
    refused.params.iter().fold(ImportNote::new(refused.code), |note, (name, value)| note.with(name, value))
}

/// Remarks on a feed that breaks the rules.
fn notes(transit: &Transit) -> Vec<ImportNote> {
    let remarks = transit.remarks.iter();
    remarks
        .map(|remark| {
            ImportNote::new(remark.code)
                .with("count", remark.count.to_string())
                .with("example", remark.example.as_str())
        })
        .collect()
}
