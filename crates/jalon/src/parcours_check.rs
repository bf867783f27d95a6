//! `jalon parcours check`: parcours whose steps are not on their line, or whose length is not that of their line.

use content::parcours::trace_check::{check, check_and_repair};
use store::parcours;

use crate::config::Config;
use crate::output;
use crate::wiring::{self, WiringError};

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
/// True where nothing is left to fix.
pub async fn run(config: &Config, fix: bool) -> Result<bool, CheckError> {
    let store = wiring::store(config).await?;
    let (mut seen, mut found, mut corrected) = (0, 0, 0);
    for id in parcours::all_ids(store.read()).await? {
        let checked = if fix {
            check_and_repair(&store, &config.content_languages, id).await?
        } else {
            check(&store, id).await?
        };
        let Some(checked) = checked else { continue };
        seen += 1;
        if checked.faults.is_empty() {
            continue;
        }
        found += 1;
        corrected += usize::from(checked.repaired);
        let faults: Vec<String> = checked.faults.iter().map(ToString::to_string).collect();
        output::line(format!("{} {}: {}", id.0, checked.title, faults.join("; ")));
    }
    output::line(format!("{seen} parcours with a trace, {found} with faults, {corrected} corrected."));
    store.close().await?;
    Ok(found == corrected)
}
