//! `jalon parcours export`: every parcours as GeoJSON, one feature a line.

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

use serde_json::{Value, json};
use store::{Store, parcours};

use crate::config::Config;
use crate::wiring::WiringError;
use crate::{output, wiring};

/// Why the export stopped, in one sentence.
#[derive(Debug, thiserror::Error)]
pub enum ExportError {
    /// A part is missing or broken.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The database.
    #[error(transparent)]
    Store(#[from] store::StoreError),
    /// The file.
    #[error("the file cannot be written: {0}")]
    File(#[from] io::Error),
}

/// Writes them all to a file, or to standard output.
pub async fn run(config: &Config, file: Option<&Path>) -> Result<(), ExportError> {
    let store = wiring::store(config).await?;
    match file {
        Some(path) => features(&store, BufWriter::new(File::create(path)?)).await?,
        None => match features(&store, BufWriter::new(io::stdout().lock())).await {
            Err(ExportError::File(error)) => output::end(&error),
            written => written?,
        },
    }
    store.close().await?;
    Ok(())
}

async fn features(store: &Store, mut out: impl Write) -> Result<(), ExportError> {
    write!(out, "{{\"type\":\"FeatureCollection\",\"features\":[")?;
    let mut separator = "\n";
    for id in parcours::all_ids(store.read()).await? {
        let Some(stored) = parcours::load(store.read(), id).await? else { continue };
        let line = parcours::trace(store.read(), id).await?.map(|trace| trace.line()).unwrap_or_default();
        let geometry = if line.len() < 2 { Value::Null } else { json!({"type": "LineString", "coordinates": line}) };
        let feature = json!({
            "type": "Feature",
            "id": id.0,
            "geometry": geometry,
            "properties": {
                "published": stored.published,
                "sheet": stored.sheet,
                "steps": stored.steps,
                "trace": stored.trace,
                "updated_at": stored.updated_at,
            },
        });
        write!(out, "{separator}{feature}")?;
        separator = ",\n";
    }
    writeln!(out, "\n]}}")?;
    out.flush()?;
    Ok(())
}
