//! The coverage of a campaign as a file.

use std::collections::HashMap;

use app::contract::files::SurveyCollection;
use app::csv::csv_line;
use app::download::attachment;
use app::extract::{Exporter, Path};
use app::record::At;
use app::record::operations::seen;
use app::slug::slug;
use app::{App, audit};
use axum::extract::State;
use axum::response::Response;
use domain::audit::ExportedList;
use domain::survey_campaign::{CoveredPart, SurveyCampaignSheet};
use serde_json::{Value, json};
use store::record::Stored;
use trace::Position;

use super::coverage::{Covered, CoveredStretch, covered, lines, surveyors};
use super::{SurveyCampaignError, SurveyCampaignResource};

/// What a line of the table has: one for each stretch.
const COLUMNS: [&str; 11] = [
    "parcours_id",
    "parcours",
    "from_m",
    "to_m",
    "surveyor",
    "length_m",
    "surveyed_m",
    "surveyed_percent",
    "last_surveyed_at",
    "last_surveyed_by",
    "overdue",
];

/// What was surveyed of a campaign as a table, a line for each stretch.
#[utoipa::path(get, path = "/api/v1/survey-campaigns/{id}/coverage.csv", tag = "survey-campaigns", params(("id" = i64, Path)),
    security(("session" = ["content.export"])), responses((status = 200, description = "A table", body = String, content_type = "text/csv"), SurveyCampaignError))]
pub async fn export_survey_coverage_csv(
    State(app): State<App>,
    exporter: Exporter,
    Path(at): Path<At>,
) -> Result<Response, SurveyCampaignError> {
    let db = app.store.read();
    let campaign = seen::<SurveyCampaignResource>(db, &exporter, &at).await?;
    let Covered { stretches, people, parcours } = covered(db, &campaign).await?;
    let surveyors = surveyors(db, &stretches).await?;
    audit::list_exported(&app, &exporter, ExportedList::SurveyCoverage, stretches.len()).await?;
    let is_past_due = campaign.sheet.is_past_due(&app.today());
    let name =
        |id: Option<i64>, names: &HashMap<i64, String>| id.and_then(|id| names.get(&id)).cloned().unwrap_or_default();
    let mut text = format!("\u{feff}{}", csv_line(COLUMNS.into_iter()));
    for one in &stretches {
        let (from, to) = (one.parts.first(), one.parts.last());
        let last = one.last();
        let cells = [
            one.parcours.to_string(),
            parcours
                .get(&one.parcours)
                .map(|title| title.best(app.settings.main_language()).to_owned())
                .unwrap_or_default(),
            from.map(|part| metres(part.from_m)).unwrap_or_default(),
            to.map(|part| metres(part.to_m)).unwrap_or_default(),
            name(one.user, &people),
            metres(one.length_m),
            metres(one.surveyed_m()),
            metres(100.0 * one.surveyed_m() / one.length_m.max(1.0)),
            last.map(|(at, _)| at.to_string()).unwrap_or_default(),
            name(last.map(|(_, by)| by.0), &surveyors),
            (is_past_due && one.surveyed_m() < one.length_m).to_string(),
        ];
        text.push_str(&csv_line(cells.iter().map(String::as_str)));
    }
    Ok(attachment(&file_name(&campaign, "csv"), "text/csv; charset=utf-8", text.into_bytes()))
}

/// What was surveyed of a campaign as GeoJSON: a line for each part, to five metres.
#[utoipa::path(get, path = "/api/v1/survey-campaigns/{id}/coverage.geojson", tag = "survey-campaigns", params(("id" = i64, Path)),
    security(("session" = ["content.export"])),
    responses((status = 200, description = "Lines", body = SurveyCollection, content_type = "application/geo+json"), SurveyCampaignError))]
pub async fn export_survey_coverage_geojson(
    State(app): State<App>,
    exporter: Exporter,
    Path(at): Path<At>,
) -> Result<Response, SurveyCampaignError> {
    let db = app.store.read();
    let campaign = seen::<SurveyCampaignResource>(db, &exporter, &at).await?;
    let found = covered(db, &campaign).await?;
    let surveyors = surveyors(db, &found.stretches).await?;
    let lines = lines(db, &found.stretches).await?;
    audit::list_exported(&app, &exporter, ExportedList::SurveyCoverage, found.stretches.len()).await?;
    let feature = |one: &CoveredStretch, part: &CoveredPart, line: &[Position]| {
        let geometry = if line.len() < 2 { Value::Null } else { json!({"type": "LineString", "coordinates": line}) };
        let (surveyed_at, by) = part.survey.unzip();
        let properties = json!({
            "parcours_id": one.parcours,
            "parcours": found.parcours.get(&one.parcours).map(|title| title.best(app.settings.main_language())),
            "surveyor": one.user.and_then(|id| found.people.get(&id)),
            "from_m": part.from_m.round(),
            "to_m": part.to_m.round(),
            "surveyed_at": surveyed_at,
            "surveyed_by": by.and_then(|by| surveyors.get(&by.0)),
        });
        json!({"type": "Feature", "geometry": geometry, "properties": properties})
    };
    let stretches = found.stretches.iter().zip(&lines);
    let features: Vec<Value> = stretches
        .flat_map(|(one, lines)| one.parts.iter().zip(lines).map(move |(part, line)| (one, part, line)))
        .map(|(one, part, line)| feature(one, part, line))
        .collect();
    let text = json!({"type": "FeatureCollection", "features": features}).to_string();
    Ok(attachment(&file_name(&campaign, "geojson"), "application/geo+json", text.into_bytes()))
}

fn metres(length: f64) -> String {
    format!("{length:.0}")
}

/// `gr-7-12.csv`.
fn file_name(campaign: &Stored<SurveyCampaignSheet>, ending: &str) -> String {
    format!("{}-{}.{ending}", slug(&campaign.sheet.name), campaign.id)
}
