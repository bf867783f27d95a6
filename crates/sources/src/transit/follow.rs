//! Transport lines that follow a feed's lines: changes of the feed are applied, except in fields that were edited here.

use app::App;
use app::markup::sanitise;
use domain::imports::ImportNote;
use domain::record::clean;
use domain::transit::{TransitLine, refresh};
use domain::transport_line::TransportLineSheet;
use jobs::{Failure, Lease, Step};
use store::record::Change;
use store::transit::{self as rows, Added, TransitRun};
use store::transport_line::TransportLines;

use super::work::finish;

/// Lines of one step.
const BATCH: u32 = 50;
/// Most lines that are listed by name.
const MAX_LISTED: i64 = 20;

/// The transport line that a feed's line makes.
pub(super) fn sheet_of(line: &TransitLine) -> TransportLineSheet {
    let mut sheet = line.sheet();
    clean(&mut sheet, &sanitise);
    sheet
}

/// Brings some lines up to date.
pub(super) async fn step(app: &App, lease: &Lease, run: &TransitRun) -> Result<Step, Failure> {
    let mut run = run.clone();
    let tx = app.store.begin().await?;
    let batch = rows::following(&tx, run.feed_id, run.at, BATCH).await?;
    if batch.is_empty() {
        drop(tx);
        return finish(app, lease, &run).await;
    }
    let routes: Vec<String> = batch.iter().map(|added| added.route.clone()).collect();
    let lines = rows::lines_by_route(&tx, run.id, &routes).await?;
    for added in batch {
        let Some(before) = store::record::lock::<TransportLines>(&tx, added.line_id).await? else {
            rows::unfollow(&tx, run.feed_id, &added.route).await?;
            continue;
        };
        run.at += 1;
        let Some((_, line)) = lines.iter().find(|(_, line)| line.route == added.route) else {
            run.counts.gone += 1;
            if run.counts.gone <= MAX_LISTED {
                let name = before.sheet.short_name.clone() + " " + &before.sheet.long_name;
                run.notes.push(ImportNote::new("transport/line-gone").with("name", name.trim()));
            }
            continue;
        };
        let now = sheet_of(line);
        if now == added.applied {
            continue;
        }
        let mut after = before.clone();
        refresh(&mut after.sheet, &added.applied, &now);
        if after.sheet != before.sheet {
            let by = run.asked_by.as_ref().map(|(id, _)| *id);
            let change =
                Change { by, at: app.now(), reason: Some("import"), languages: &app.settings.content_languages };
            store::record::save::<TransportLines>(&tx, &before, after, change).await?;
            run.counts.refreshed += 1;
        }
        rows::follow(&tx, run.feed_id, &Added { applied: now, ..added }).await?;
    }
    if rows::advance(&tx, &run).await? {
        lease.hold(&tx).await?;
        tx.commit().await?;
    }
    Ok(Step::Again)
}
