//! Sources of records: each white-label has its own, and no other one sees them. Their
//! names leave with their licences: under the points of interest that follow a record.

use domain::record::Kind;
use domain::sit::SitSourceSheet;
use domain::{Text, WhiteLabelId, fold, service_key};
use sea_orm::Value;

use crate::imports::enqueue_refresh;
use crate::record::{Record, Stored, load_many};
use crate::sealed::{self, SealedColumn};
use crate::sql::{all, get};
use crate::{Connection, StoreError, Tx};

/// The most sources a white-label lists.
const MAX_SOURCES: usize = 500;

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct SitSources;

impl Record for SitSources {
    type Sheet = SitSourceSheet;
    const KIND: Kind = Kind::SitSource;
    const TABLE: &'static str = "sit_source";
    const OWNED: bool = true;

    fn columns(record: &Stored<SitSourceSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("sort_title", fold(&sheet.name).into()),
            ("kind", sheet.kind.as_str().into()),
            ("schedule", sheet.schedule.as_str().into()),
        ]
    }

    fn title(sheet: &SitSourceSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    /// A key goes to no other server than the one it was entered for. A job looks when the source is to be run again: its schedule
    /// may have changed.
    async fn saved(tx: &Tx, record: &Stored<SitSourceSheet>) -> Result<(), StoreError> {
        let origin = service_key::origin(record.sheet.url.as_deref().unwrap_or_default());
        sealed::forget_if_moved(tx, SealedColumn::SitCredential, record.id, &origin).await?;
        enqueue_refresh(tx, record.into(), record.updated_at, record.updated_at).await
    }
}

/// The sources of a white-label, by name.
pub async fn list(db: &impl Connection, white_label: WhiteLabelId) -> Result<Vec<Stored<SitSourceSheet>>, StoreError> {
    let sql =
        format!("SELECT id FROM sit_source WHERE white_label_id = $1 ORDER BY sort_title, id LIMIT {MAX_SOURCES}");
    let rows = all(db, &sql, [white_label.0.into()]).await?;
    let ids = rows.iter().map(|row| get(row, 0)).collect::<Result<Vec<i64>, _>>()?;
    load_many::<SitSources>(db, &ids).await
}
