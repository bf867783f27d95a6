//! The field report that a closure answers: its number is part of the closure, its content is for the staff of its parcours.

use domain::closure::ClosureSheet;
use domain::feedback::ReportKind;
use domain::{Actor, Capability, Fault, ParcoursId};
use serde::Serialize;
use store::feedback::{Report, reports_by_id};
use store::record::Stored;
use store::{Connection, StoreError, Tx, parcours};
use utoipa::ToSchema;

/// A field report as the closure that answers it shows it.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct AnsweredReport {
    id: i64,
    /// The parcours it was sent about.
    parcours_id: ParcoursId,
    /// What was found.
    kind: ReportKind,
    /// The text of the report.
    text: String,
    /// `fr` or `en`.
    language: String,
    /// Where its photo is.
    photo_url: Option<String>,
}

/// Whether the person works in the white-label of the report's parcours.
async fn is_theirs(db: &impl Connection, actor: &Actor, report: &Report) -> Result<bool, StoreError> {
    let header = parcours::header(db, report.parcours_id, actor).await?;
    Ok(header.is_some_and(|header| actor.works_in(header.white_label_id)))
}

/// A closure answers a report that the person may handle; any other report is refused as unknown, whether or not it exists.
pub(super) async fn fault(tx: &Tx, actor: &Actor, id: Option<i64>) -> Result<Option<Fault>, StoreError> {
    let Some(id) = id else { return Ok(None) };
    let unknown = || Some(Fault::new("closure/report-unknown", "/report_id"));
    let Some(report) = reports_by_id(tx, &[id]).await?.pop() else { return Ok(unknown()) };
    let may = actor.can(Capability::ContentPublish) && is_theirs(tx, actor, &report).await?;
    Ok(if may { None } else { unknown() })
}

/// The reports that some closures answer, of those that the person may read.
pub(super) async fn answered(
    db: &impl Connection,
    actor: &Actor,
    closures: &[Stored<ClosureSheet>],
) -> Result<Vec<AnsweredReport>, StoreError> {
    let ids: Vec<i64> = closures.iter().filter_map(|closure| closure.sheet.report_id).collect();
    let mut shown = Vec::with_capacity(ids.len());
    for report in reports_by_id(db, &ids).await? {
        if !is_theirs(db, actor, &report).await? {
            continue;
        }
        let (id, parcours_id) = (report.id, report.parcours_id);
        let photo = || format!("/api/v1/parcours/{parcours_id}/field-reports/{id}/photo");
        shown.push(AnsweredReport {
            id,
            parcours_id,
            kind: report.said.kind,
            text: report.said.text,
            language: report.said.language,
            photo_url: report.photo_key.is_some().then(photo),
        });
    }
    Ok(shown)
}

/// The report of one closure; its number is left out where it is not shown.
pub(super) fn taken(sheet: &mut ClosureSheet, shown: &[AnsweredReport]) -> Option<AnsweredReport> {
    let report = sheet.report_id.and_then(|id| shown.iter().find(|report| report.id == id)).cloned();
    sheet.report_id = report.as_ref().map(|report| report.id);
    report
}
