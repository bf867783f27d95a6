//! Sources of routes: each white-label has its own, and no other one sees them.

use domain::imports::ImportSourceSheet;
use domain::record::Kind;
use domain::{Text, WhiteLabelId, fold, service_key};
use sea_orm::Value;

use super::schedule::enqueue_refresh;
use crate::record::{Change, Record, Stored, load_many, lock, save};
use crate::sealed::{self, SealedColumn};
use crate::sql::{all, get};
use crate::{Connection, StoreError, Tx};

/// The most sources a white-label lists.
const MAX_SOURCES: usize = 500;

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct ImportSources;

impl Record for ImportSources {
    type Sheet = ImportSourceSheet;
    const KIND: Kind = Kind::ImportSource;
    const TABLE: &'static str = "import_source";
    const OWNED: bool = true;

    fn columns(record: &Stored<ImportSourceSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&sheet.name).into()),
            ("kind", sheet.kind.as_str().into()),
            ("schedule", sheet.schedule.as_str().into()),
        ]
    }

    fn title(sheet: &ImportSourceSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    /// A key goes to no other server than the one it was entered for. A job looks when the source is to be run again: its schedule
    /// may have changed.
    async fn saved(tx: &Tx, record: &Stored<ImportSourceSheet>) -> Result<(), StoreError> {
        let origin = service_key::origin(record.sheet.url.as_deref().unwrap_or_default());
        sealed::forget_if_moved(tx, SealedColumn::ImportCredential, record.id, &origin).await?;
        enqueue_refresh(tx, record.into(), record.updated_at, record.updated_at).await
    }
}

/// The sources of a white-label, by name.
pub async fn list(
    db: &impl Connection,
    white_label: WhiteLabelId,
) -> Result<Vec<Stored<ImportSourceSheet>>, StoreError> {
    let sql =
        format!("SELECT id FROM import_source WHERE white_label_id = $1 ORDER BY sort_title, id LIMIT {MAX_SOURCES}");
    let rows = all(db, &sql, [white_label.0.into()]).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<ImportSources>(db, &ids).await
}

/// Ends the scheduled runs of a source.
pub async fn paused(tx: &Tx, id: i64, change: Change<'_>) -> Result<(), StoreError> {
    let Some(before) = lock::<ImportSources>(tx, id).await? else { return Ok(()) };
    let mut after = before.clone();
    after.sheet.schedule = domain::imports::ImportSchedule::Never;
    save::<ImportSources>(tx, &before, after, change).await?;
    Ok(())
}
