//! White-labels.

use std::collections::HashMap;

use domain::record::Kind;
use domain::white_label::{CustomField, WhiteLabelKind, WhiteLabelSheet};
use domain::{Instant, StructureId, Text, WhiteLabel, WhiteLabelId, fold};
use sea_orm::{QueryResult, Value};

pub use self::key::{KeyHead, drop_key, key_heads, put_key, translation_key};
pub use crate::connection::PlannerPreferences;
use crate::record::{
    Change, Conditions, Counted, Record, Sorted, Stored, Words, insert as insert_record, load_many, page_of,
};
use crate::sealed::{self, SealedColumn};
use crate::sql::{self, get, numbers, one};
use crate::{Connection, Dialect, Page, StoreError, Tx, row, search, translation};

mod key;

/// The kind.
#[derive(Debug, Clone, Copy)]
pub struct WhiteLabels;

impl Record for WhiteLabels {
    type Sheet = WhiteLabelSheet;
    const KIND: Kind = Kind::WhiteLabel;
    const TABLE: &'static str = "white_label";
    const WORDS: Option<Words> = Some(Words(search::WHITE_LABEL));

    fn columns(record: &Stored<WhiteLabelSheet>, _languages: &[String]) -> Vec<(&'static str, Value)> {
        let sheet = &record.sheet;
        vec![
            ("structure_id", sheet.structure_id.into()),
            ("name", sheet.name.clone().into()),
            ("sort_title", fold(&sheet.name).into()),
            ("slug", sheet.slug.clone().into()),
            ("kind", sheet.kind.as_str().into()),
            ("initials", sheet.initials().into()),
            ("color", sheet.color().into()),
            ("domain", sheet.domain.clone().into()),
            ("published", sheet.published.into()),
        ]
    }

    fn title(sheet: &WhiteLabelSheet) -> Text {
        Text::in_french(sheet.name.clone())
    }

    fn words(sheet: &WhiteLabelSheet) -> String {
        let site = sheet.domain.as_deref().and_then(domain::white_label::host_of).unwrap_or_default();
        format!("{} {} {site}", sheet.name, sheet.slug)
    }

    fn structure(sheet: &WhiteLabelSheet) -> Option<i64> {
        Some(sheet.structure_id)
    }

    /// Another translator may be another server: the own key does not go there.
    async fn saved(tx: &Tx, record: &Stored<WhiteLabelSheet>) -> Result<(), StoreError> {
        let origin = translation::own_key_origin(tx, record.sheet.translator_id).await?;
        sealed::forget_if_moved(tx, SealedColumn::TranslationKey, record.id, &origin).await?;
        Ok(())
    }
}

/// The filters of a list of white-labels.
#[derive(Debug, Clone, Default)]
pub struct WhiteLabelFilter {
    /// Every one of these words.
    pub search: Option<String>,
    /// One of these.
    pub kinds: Vec<WhiteLabelKind>,
    /// Only those of one of these structures.
    pub structures: Vec<i64>,
    /// Whether its site is shown.
    pub published: Option<bool>,
    /// Among these.
    pub ids: Option<Vec<i64>>,
}

/// A page of white-labels. `sort`: `title`, `updated_at`, each with `-` for the other way; none when it is another word.
pub async fn list(
    db: &impl Connection,
    filter: &WhiteLabelFilter,
    sort: &str,
    page: Page,
) -> Result<Option<(Vec<Stored<WhiteLabelSheet>>, Counted)>, StoreError> {
    let Some(sorted) = Sorted::parse(sort, &[("title", "sort_title"), ("updated_at", "updated_at")]) else {
        return Ok(None);
    };
    let mut found = Conditions::default();
    if !filter.kinds.is_empty() {
        let kinds: Vec<&str> = filter.kinds.iter().map(|kind| kind.as_str()).collect();
        found.and(format!("n.kind IN ('{}')", kinds.join("', '")));
    }
    if let Some(published) = filter.published {
        let place = found.bind(published);
        found.and(format!("n.published = {place}"));
    }
    found.within("structure_id", Some(filter.structures.as_slice()).filter(|ids| !ids.is_empty()));
    found.within("id", filter.ids.as_deref());
    found.words(db, search::WHITE_LABEL, filter.search.as_deref());
    let (ids, counted) = page_of(db, WhiteLabels::TABLE, &found, sorted, page).await?;
    Ok(Some((load_many::<WhiteLabels>(db, &ids).await?, counted)))
}

/// All of them, by name.
pub async fn all(db: &impl Connection) -> Result<Vec<WhiteLabel>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM white_label ORDER BY name, id");
    sql::all(db, &sql, []).await?.iter().map(to_white_label).collect()
}

/// The least and the most stars that are shown, where they are set.
pub type RatingBounds = (Option<f64>, Option<f64>);

/// What white-labels let search engines find.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct PublicSites {
    /// Those whose parcours are in no public list: their site is not published, or they distribute no parcours.
    pub unlisted: Vec<i64>,
    /// Those that show only parcours with an average between two bounds.
    pub bounded: Vec<(i64, RatingBounds)>,
}

/// What white-labels let search engines find.
pub async fn public_sites(db: &impl Connection) -> Result<PublicSites, StoreError> {
    let all: Vec<i64> = all(db).await?.iter().map(|white_label| white_label.id.0).collect();
    let mut sites = PublicSites::default();
    for white_label in load_many::<WhiteLabels>(db, &all).await? {
        let (id, sheet) = (white_label.id, white_label.sheet);
        if !sheet.published || !sheet.flags.distribute_parcours {
            sites.unlisted.push(id);
        } else if sheet.rating_min.is_some() || sheet.rating_max.is_some() {
            sites.bounded.push((id, (sheet.rating_min, sheet.rating_max)));
        }
    }
    Ok(sites)
}

/// The white-labels with these identifiers, by name.
pub async fn find_many(db: &impl Connection, ids: &[WhiteLabelId]) -> Result<Vec<WhiteLabel>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let sql = format!("SELECT {COLUMNS} FROM white_label WHERE id IN {} ORDER BY name, id", numbers(&ids));
    sql::all(db, &sql, []).await?.iter().map(to_white_label).collect()
}

/// One white-label.
pub async fn find(db: &impl Connection, id: WhiteLabelId) -> Result<Option<WhiteLabel>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM white_label WHERE id = $1");
    one(db, &sql, [id.0.into()]).await?.as_ref().map(to_white_label).transpose()
}

/// The one of a short name.
pub async fn find_by_slug(db: &impl Connection, slug: &str) -> Result<Option<WhiteLabel>, StoreError> {
    let sql = format!("SELECT {COLUMNS} FROM white_label WHERE slug = $1");
    one(db, &sql, [slug.into()]).await?.as_ref().map(to_white_label).transpose()
}

/// Whether another white-label than `own` has this address, for its site or for trials.
pub async fn has_site_elsewhere(db: &impl Connection, site: &str, own: i64) -> Result<bool, StoreError> {
    let for_trials = match db.dialect() {
        Dialect::Sqlite => "json_extract(s.sheet, '$.preproduction_domain')",
        Dialect::Postgres => "CAST(s.sheet AS JSONB) ->> 'preproduction_domain'",
    };
    let sql = format!(
        "SELECT 1 FROM white_label w JOIN record_sheet s ON s.kind = {} AND s.id = w.id
        WHERE w.id <> $2 AND (w.domain = $1 OR {for_trials} = $1) LIMIT 1",
        Kind::WhiteLabel.code()
    );
    Ok(one(db, &sql, [site.into(), own.into()]).await?.is_some())
}

/// The identifiers of all, or of a structure's.
pub async fn ids(db: &impl Connection, structure: Option<StructureId>) -> Result<Vec<WhiteLabelId>, StoreError> {
    let rows = match structure {
        None => sql::all(db, "SELECT id FROM white_label ORDER BY id", []).await?,
        Some(structure) => {
            let sql = "SELECT id FROM white_label WHERE structure_id = $1 ORDER BY id";
            sql::all(db, sql, [structure.0.into()]).await?
        }
    };
    rows.iter().map(|row| get(row, 0).map(WhiteLabelId)).collect()
}

/// The fields these white-labels add to content.
pub async fn custom_fields(
    db: &impl Connection,
    ids: &[WhiteLabelId],
) -> Result<HashMap<WhiteLabelId, Vec<CustomField>>, StoreError> {
    let ids: Vec<i64> = ids.iter().map(|id| id.0).collect();
    let found = load_many::<WhiteLabels>(db, &ids).await?;
    Ok(found.into_iter().map(|one| (WhiteLabelId(one.id), one.sheet.custom_fields)).collect())
}

/// The preferences of a white-label. Each planned stretch asks, so they are remembered until the next write.
pub async fn planner_preferences(db: &impl Connection, id: WhiteLabelId) -> Result<PlannerPreferences, StoreError> {
    let (totals, question) = (db.totals(), id.to_string());
    if let Some(known) = totals.and_then(|totals| totals.preferences.get(&question, totals.writes)) {
        return Ok(known);
    }
    let found = load_many::<WhiteLabels>(db, &[id.0]).await?;
    let found = found.into_iter().next().map(|one| one.sheet.planner_preferences).unwrap_or_default();
    if let Some(totals) = totals {
        totals.preferences.put(question, totals.writes, found.clone());
    }
    Ok(found)
}

/// Adds a white-label, for commands: what follows from its name is filled in, nothing is checked.
pub async fn insert(tx: &Tx, mut sheet: WhiteLabelSheet, now: Instant) -> Result<WhiteLabelId, StoreError> {
    sheet.complete(&WhiteLabelSheet::default());
    let new = Stored { sheet, ..Stored::blank(None, now) };
    let change = Change { by: None, at: now, reason: None, languages: &[] };
    Ok(insert_record::<WhiteLabels>(tx, new, change).await?.id.into())
}

/// The columns of a white-label that [`WhiteLabel`] has.
const COLUMNS: &str = "id, structure_id, name, slug, kind, initials, color, domain";

fn to_white_label(row: &QueryResult) -> Result<WhiteLabel, StoreError> {
    let (id, kind): (i64, String) = (get(row, "id")?, get(row, "kind")?);
    Ok(WhiteLabel {
        kind: row::word("white_label", id, &kind, WhiteLabelKind::parse(&kind))?,
        id: WhiteLabelId(id),
        structure_id: StructureId(get(row, "structure_id")?),
        name: get(row, "name")?,
        slug: get(row, "slug")?,
        initials: get(row, "initials")?,
        color: get(row, "color")?,
        domain: get(row, "domain")?,
    })
}
