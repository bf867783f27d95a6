//! `jalon parcours check`: parcours whose steps do not stand on their line, or whose length is not that of their line.

use api::parcours::compute::pace_of;
use domain::parcours::arrange::{Misplaced, arrange, misplaced};
use domain::parcours::line::Along;
use store::parcours::{self, NewTrace, Stored, StoredTrace};

use crate::config::Config;
use crate::output;
use crate::wiring::{self, WiringError};

/// A length that differs by more than this from that of the line is another one.
const SAME_LENGTH_M: f64 = 1.0;

/// Why the check stopped, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum CheckError {
    /// A part is missing or broken.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The database.
    #[error(transparent)]
    Store(#[from] store::StoreError),
}

/// Lists what is stored otherwise than a save would store it, one parcours a line; puts the steps in their places where asked.
/// True where nothing is left to mend.
pub async fn run(config: &Config, mend: bool) -> Result<bool, CheckError> {
    let store = wiring::store(config).await?;
    let (mut seen, mut found, mut mended) = (0, 0, 0);
    for id in parcours::all_ids(store.read()).await? {
        let Some(stored) = parcours::load(store.read(), id).await? else { continue };
        let Some(kept) = parcours::trace(store.read(), id).await? else { continue };
        seen += 1;
        let line = kept.line();
        let (_, pace) = pace_of(store.read(), stored.sheet.practice_type_id).await?;
        let along = Along::new(&line, pace, kept.summary.duration_s);
        let faults = faults(&stored, &kept, &along);
        if faults.is_empty() {
            continue;
        }
        found += 1;
        output::line(format!("{} {}: {}", id.0, stored.sheet.title.best("fr"), faults.join("; ")));
        if !mend || misplaced(&stored.steps, &along).is_empty() {
            continue;
        }
        let tx = store.begin().await?;
        if let Some(now) = parcours::lock(&tx, id).await?.filter(|now| now.version == stored.version) {
            let mut steps = now.steps.clone();
            arrange(&mut steps, &along, Some(along.length_m()));
            parcours::rescore(&tx, &now, steps, &NewTrace::from(&kept), &config.content_languages).await?;
            tx.commit().await?;
            mended += 1;
        }
    }
    output::line(format!("{seen} parcours with a trace, {found} with something out of place, {mended} mended."));
    store.close().await?;
    Ok(found == mended)
}

fn faults(stored: &Stored, kept: &StoredTrace, along: &Along<'_>) -> Vec<String> {
    let mut faults: Vec<String> = misplaced(&stored.steps, along)
        .into_iter()
        .map(|(step, why)| match why {
            Misplaced::OffLine(metres) => format!("step {step} is {metres:.0} m from its place of the line"),
            Misplaced::NotAtEnd => format!("step {step} is not at the end of the line"),
            Misplaced::OutOfOrder => format!("step {step} comes after one that is further along"),
        })
        .collect();
    let told = kept.summary.distance_m.filter(|_| kept.summary.distance_typed_m.is_none());
    if let Some(told) = told.filter(|told| (told - along.length_m()).abs() > SAME_LENGTH_M) {
        faults.push(format!("the sheet says {told:.0} m, the line is {:.0} m long", along.length_m()));
    }
    faults
}
