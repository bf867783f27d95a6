//! Lines that came in are laid on the network one after the other, when no import is at work.

use domain::imports::ImportSourceSheet;
use domain::parcours::TraceMode;
use store::imports::{self as rows, ImportSources};
use store::parcours;
use store::record::Stored;

use crate::App;
use crate::parcours::compute::{arrange_steps, compute, pace_of};
use crate::parcours::trace::again;
use crate::problem::Internal;

/// Lays the next one. False when none waits.
pub(super) async fn step(app: &App) -> Result<bool, Internal> {
    let db = app.store.read();
    if app.engine.is_none() {
        return Ok(false);
    }
    let Some((source, name)) = rows::next_waiting(db).await? else { return Ok(false) };
    let Some(item) = rows::item(db, source, &name).await? else { return Ok(true) };
    let sheet: Option<Stored<ImportSourceSheet>> = store::record::load::<ImportSources>(db, source).await?;
    let wanted = sheet.is_none_or(|source| !source.sheet.force_source_geometry);
    let loaded = match item.parcours_id.filter(|_| wanted) {
        Some(id) => parcours::load(db, id).await?.zip(parcours::trace(db, id).await?),
        None => None,
    };
    // Somebody drew another line meanwhile: theirs stays.
    let Some((stored, kept)) = loaded.filter(|(stored, _)| stored.trace_revision == item.trace_revision) else {
        let tx = app.store.begin().await?;
        rows::set_waits(&tx, source, &name, None).await?;
        tx.commit().await?;
        return Ok(true);
    };
    let (profile, pace) = pace_of(db, stored.sheet.practice_type_id).await?;
    let ask = again(app, &kept, TraceMode::Planner, profile, pace);
    let engine = app.engine.clone();
    let old_length_m = trace::measure(&kept.line()).distance_m;
    let laid = app.imports.bench().run(move || compute(engine.as_deref(), ask)).await;
    let tx = app.store.begin().await?;
    let now = parcours::lock(&tx, stored.id).await?.filter(|now| now.trace_revision == stored.trace_revision);
    let mut revision = None;
    if let (Some(now), Some(laid)) = (now, laid.filter(|laid| laid.summary.notice.is_none())) {
        let mut steps = now.steps.clone();
        arrange_steps(&mut steps, &laid, pace, Some(old_length_m));
        // As the network watch does: nobody edited, so that an open editor meets no conflict.
        revision = Some(parcours::rescore(&tx, &now, steps, &laid, &app.settings.content_languages).await?);
    }
    rows::set_waits(&tx, source, &name, revision).await?;
    tx.commit().await?;
    Ok(true)
}
