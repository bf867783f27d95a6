//! Records for other software: one by one as JSON, and as features with a place.

use domain::record::Kind;
use domain::{ParcoursId, Text, WhiteLabelId};
use serde_json::json;

use crate::every_kind::for_kind;
use crate::geopackage::{Feature, GeoPackageLayer, Shape};
use crate::poi::Pois;
use crate::record::{Record, load, load_many, table_of};
use crate::sql::{all, get};
use crate::{Connection, StoreError, parcours};

/// The layer of the lines of parcours.
pub const PARCOURS: GeoPackageLayer = GeoPackageLayer {
    name: "parcours",
    description: "The lines of the parcours",
    shape: Shape::LineString,
    columns: &["title", "white_label_id", "published", "updated_at", "sheet"],
};

/// The layer of their steps.
pub const STEPS: GeoPackageLayer = GeoPackageLayer {
    name: "step",
    description: "The steps of the parcours",
    shape: Shape::Point,
    columns: &["parcours_id", "position", "title", "step"],
};

/// The layer of points of interest.
pub const POIS: GeoPackageLayer = GeoPackageLayer {
    name: "poi",
    description: "The points of interest",
    shape: Shape::Point,
    columns: &["title", "white_label_id", "published", "updated_at", "sheet"],
};

/// The numbers of the records of a kind, in order.
pub async fn ids(db: &impl Connection, kind: Kind) -> Result<Vec<i64>, StoreError> {
    let rows = all(db, &format!("SELECT id FROM {} ORDER BY id", table_of(kind)), []).await?;
    rows.iter().map(|row| get(row, 0)).collect()
}

/// Records of a kind as JSON, in the order of the numbers: what a person filled in is `sheet`, with the fields of the contract. A parcours also
/// has its steps and the line in use.
pub async fn json_of(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<Vec<String>, StoreError> {
    for_kind!(kind, R => records::<R>(db, ids).await, parcours => parcours_of(db, ids).await)
}

async fn records<R: Record>(db: &impl Connection, ids: &[i64]) -> Result<Vec<String>, StoreError> {
    let found = load_many::<R>(db, ids).await?;
    let line = |record: &crate::record::Stored<R::Sheet>| {
        json!({
            "id": record.id,
            "white_label_id": record.white_label_id,
            "published": R::PUBLISHED.then_some(record.published),
            "version": record.version,
            "created_at": record.created_at,
            "updated_at": record.updated_at,
            "sheet": record.sheet,
        })
        .to_string()
    };
    Ok(found.iter().map(line).collect())
}

async fn parcours_of(db: &impl Connection, ids: &[i64]) -> Result<Vec<String>, StoreError> {
    let mut lines = Vec::with_capacity(ids.len());
    for id in ids.iter().copied().map(ParcoursId) {
        let Some(stored) = parcours::load(db, id).await? else { continue };
        let line = parcours::trace(db, id).await?.map(|trace| trace.line()).unwrap_or_default();
        let line = json!({
            "id": id,
            "white_label_id": stored.white_label_id,
            "published": stored.published,
            "version": stored.version,
            "created_at": stored.created_at,
            "updated_at": stored.updated_at,
            "sheet": stored.sheet,
            "steps": stored.steps,
            "trace": stored.trace,
            "line": line,
        });
        lines.push(line.to_string());
    }
    Ok(lines)
}

/// A parcours as features: its line, and its steps. Numbers of steps count over all parcours, from `first_step` on.
pub async fn features_of_parcours(
    db: &impl Connection,
    id: i64,
    first_step: i64,
) -> Result<Option<(Feature, Vec<Feature>)>, StoreError> {
    let Some(stored) = parcours::load(db, ParcoursId(id)).await? else { return Ok(None) };
    let line = parcours::trace(db, ParcoursId(id)).await?.map(|trace| trace.line()).unwrap_or_default();
    let steps = stored.steps.iter().zip(1..).map(|(step, position)| Feature {
        id: first_step + position - 1,
        points: vec![step.position],
        values: vec![
            Some(id.to_string()),
            Some(position.to_string()),
            Some(title(&step.title)),
            serde_json::to_string(step).ok(),
        ],
    });
    let steps = steps.collect();
    let values =
        common(&stored.sheet.title, Some(stored.white_label_id), stored.published, stored.updated_at.0, &stored.sheet);
    // A line of one point is no line.
    let points = if line.len() < 2 { Vec::new() } else { line };
    Ok(Some((Feature { id, points, values }, steps)))
}

/// A point of interest as a feature.
pub async fn feature_of_poi(db: &impl Connection, id: i64) -> Result<Option<Feature>, StoreError> {
    let Some(poi) = load::<Pois>(db, id).await? else { return Ok(None) };
    let points = poi.sheet.location.map(|[lon, lat]| trace::Position::new(lon, lat)).into_iter().collect();
    let values = common(&poi.sheet.title, poi.white_label_id, poi.published, poi.updated_at.0, &poi.sheet);
    Ok(Some(Feature { id, points, values }))
}

fn common(
    of: &Text,
    white_label: Option<WhiteLabelId>,
    published: bool,
    updated_at: i64,
    sheet: &impl serde::Serialize,
) -> Vec<Option<String>> {
    vec![
        Some(title(of)),
        white_label.map(|id| id.0.to_string()),
        Some(published.to_string()),
        Some(domain::Instant(updated_at).to_string()),
        serde_json::to_string(sheet).ok(),
    ]
}

fn title(of: &Text) -> String {
    of.best("fr").to_owned()
}
