//! The view of a record.

use std::collections::HashMap;

use app::App;
use app::problem::Internal;
use app::record::Named;
use domain::sit::{Overrides, SitRecord, SitStatus};
use domain::white_label::sit_record_address;
use domain::{Actor, Instant, Text};
use serde::Serialize;
use serde_json::Value;
use store::Connection;
use store::poi::Pois;
use store::record::{load, load_many};
use store::sit::{SitRow, SitSources};
use store::white_label::WhiteLabels;
use utoipa::ToSchema;

use super::clean::shown;
use super::follow::edited_fields;

/// Where a record comes from.
#[derive(Debug, Clone, Default, Serialize, ToSchema)]
pub struct SitOrigin {
    /// Number of the source.
    pub id: i64,
    pub name: String,
    /// Under which licence its records may be shown.
    pub licence: Option<String>,
}

/// A record in a list.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SitRecordRow {
    pub id: i64,
    /// Number of its last change, also its ETag.
    pub version: i64,
    /// The source's identifier of it.
    pub item: String,
    pub status: SitStatus,
    /// Its name as it is shown.
    pub title: Text,
    /// Where it is shown.
    #[schema(value_type = trace::Place)]
    pub position: [f64; 2],
    /// Its town.
    pub city: Option<String>,
    /// Languages it is written in, French first.
    pub languages: Vec<String>,
    /// Its categories here.
    pub category_ids: Vec<i64>,
    /// Its labels: Accueil Vélo…
    pub labels: Vec<Text>,
    /// Where it comes from.
    pub source: SitOrigin,
    /// The POI it is.
    pub poi_id: Option<i64>,
    /// Number of overrides.
    pub overridden: i64,
    /// Last change, at the source or here.
    pub updated_at: Instant,
}

/// The POI that a record is.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct SitPoi {
    pub id: i64,
    /// `None` for a POI that this person does not see: a draft of another white-label.
    pub title: Option<Text>,
    /// Whether it is published.
    pub published: bool,
    /// What was edited there and does not follow the record: by field, `title/fr` for one language of a text. Empty without a title.
    pub edited: Vec<String>,
}

/// A record.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = SitRecordPage)]
pub struct SitRecordView {
    /// The row of the list.
    #[serde(flatten)]
    pub row: SitRecordRow,
    /// Who changed it here; absent where its source did.
    pub updated_by: Option<Named>,
    /// Whether this person may override it.
    pub editable: bool,
    /// The source's data, as it came.
    pub record: SitRecord,
    /// The overrides, by field.
    #[schema(value_type = Object)]
    pub overrides: Overrides,
    /// The source's data as fields of a POI, without the overrides.
    #[schema(value_type = Object)]
    pub said: Value,
    /// The POI it is, where it still is.
    pub poi: Option<SitPoi>,
    /// Its page at its source, by the address that its white-label gives.
    pub record_url: Option<String>,
}

/// Rows as a list shows them.
pub(super) async fn rows_of(db: &impl Connection, found: Vec<SitRow>) -> Result<Vec<SitRecordRow>, Internal> {
    let mut ids: Vec<i64> = found.iter().map(|row| row.source_id).collect();
    ids.sort_unstable();
    ids.dedup();
    let sources = load_many::<SitSources>(db, &ids).await?;
    let origins: HashMap<i64, SitOrigin> = sources
        .into_iter()
        .map(|source| {
            let licence = source.sheet.shown_licence().map(str::to_owned);
            (source.id, SitOrigin { id: source.id, name: source.sheet.name, licence })
        })
        .collect();
    let row = |row: SitRow| SitRecordRow {
        languages: row.record.languages(),
        source: origins.get(&row.source_id).cloned().unwrap_or_default(),
        overridden: row.overrides.len() as i64,
        id: row.id,
        version: row.version,
        item: row.item,
        status: row.status,
        title: row.title,
        position: row.position,
        city: row.record.address.city,
        category_ids: row.categories,
        labels: row.record.labels.into_iter().map(|word| word.label).collect(),
        poi_id: row.poi_id,
        updated_at: row.updated_at,
    };
    Ok(found.into_iter().map(row).collect())
}

/// One record, whole.
pub async fn view(app: &App, db: &impl Connection, actor: &Actor, found: SitRow) -> Result<SitRecordView, Internal> {
    let languages = &app.settings.content_languages;
    let poi = match found.poi_id {
        Some(id) => load::<Pois>(db, id).await?,
        None => None,
    };
    // Only a person of several white-labels links a POI of another one.
    let is_seen = match &poi {
        Some(poi) => store::poi::is_seen(db, actor, poi).await?,
        None => false,
    };
    let poi = poi.map(|poi| SitPoi {
        id: poi.id,
        published: poi.published,
        edited: if is_seen { edited_fields(&found, &poi.sheet, languages) } else { Vec::new() },
        title: is_seen.then_some(poi.sheet.title),
    });
    let owner = load::<WhiteLabels>(db, found.white_label_id.0).await?;
    let address = owner.and_then(|owner| owner.sheet.sit_record_url);
    let record_url = address.map(|address| sit_record_address(&address, &found.item));
    let said = Value::Object(shown(&found.record, &Overrides::new(), languages));
    let (updated_by, record) = (found.updated_by.clone(), found.record.clone());
    let (overrides, editable) = (found.overrides.clone(), actor.may_write_in(found.white_label_id));
    let mut row = rows_of(db, vec![found]).await?.pop().ok_or_else(|| Internal::new("a row that was just read"))?;
    row.poi_id = poi.as_ref().map(|poi| poi.id);
    Ok(SitRecordView {
        row,
        updated_by: updated_by.map(|(id, name)| Named { id: id.0, name }),
        editable,
        record,
        overrides,
        said,
        poi,
        record_url,
    })
}
