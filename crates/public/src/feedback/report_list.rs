//! The field reports of a parcours, as the staff see them.

use std::collections::HashMap;

use app::App;
use app::extract::{Paging, Path, Query, Reader};
use axum::Json;
use axum::extract::State;
use content::parcours::access::own;
use content::parcours::not_found;
use domain::closure::ClosureSheet;
use domain::feedback::{ReportKind, ReportState};
use domain::{Actor, Capability, Instant, ParcoursId, Text};
use serde::{Deserialize, Serialize};
use store::closure::Closures;
use store::feedback::{self as rows, HistoryEntry, Report, ReportCounts, Subject};
use store::record::{Stored, load_many};
use store::{Connection, StoreError, parcours};
use tracing::instrument;
use utoipa::{IntoParams, ToSchema};

use super::history::HappenedView;
use super::{FeedbackError, mail};

/// A field report.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportView {
    pub id: i64,
    /// `new`, `seen` or `solved`.
    pub state: ReportState,
    /// What was found.
    pub kind: ReportKind,
    /// Longitude and latitude, where they were given.
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
    /// Metres from the departure, where the place is on the line.
    pub at_m: Option<f64>,
    /// The text of the report.
    pub text: String,
    /// Where who reported can be asked; for those who deal with it, and none once it is erased.
    pub email: Option<String>,
    /// `fr` or `en`.
    pub language: String,
    /// Where its photo is.
    pub photo_url: Option<String>,
    /// Whether walkers are warned while it is seen and not solved.
    pub shown: bool,
    /// The staff's own words for that.
    pub warning: Text,
    /// When it was sent.
    pub sent_at: Instant,
    /// When it was solved.
    pub solved_at: Option<Instant>,
    /// The closure that answers it, while there is one.
    pub closure: Option<ReportClosure>,
    /// What was done with it, the first first.
    pub history: Vec<HappenedView>,
}

/// The closure that answers a report.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportClosure {
    id: i64,
    title: Text,
}

impl ReportView {
    fn of(
        report: Report,
        actor: &Actor,
        history: &mut HashMap<i64, Vec<HistoryEntry>>,
        closures: &[Stored<ClosureSheet>],
    ) -> Self {
        let closure = closures.iter().find(|closure| Some(closure.id) == report.closure_id);
        let Report { id, parcours_id, said, .. } = report;
        let email = Some(said.email).filter(|email| !email.is_empty() && actor.can(Capability::ContentPublish));
        let photo = || format!("/api/v1/parcours/{parcours_id}/field-reports/{id}/photo");
        Self {
            id,
            state: report.state,
            kind: said.kind,
            position: said.position,
            at_m: report.at_m,
            text: said.text,
            email,
            language: said.language,
            photo_url: report.photo_key.is_some().then(photo),
            shown: report.shown,
            warning: report.warning,
            sent_at: report.sent_at,
            solved_at: report.solved_at,
            closure: closure.map(|closure| ReportClosure { id: closure.id, title: closure.sheet.title.clone() }),
            history: history.remove(&id).unwrap_or_default().into_iter().map(Into::into).collect(),
        }
    }
}

/// The views of reports, for one reader.
pub async fn views(db: &impl Connection, actor: &Actor, reports: Vec<Report>) -> Result<Vec<ReportView>, StoreError> {
    let ids: Vec<i64> = reports.iter().map(|report| report.id).collect();
    let mut history = rows::history(db, Subject::Report, &ids).await?;
    let closures: Vec<i64> = reports.iter().filter_map(|report| report.closure_id).collect();
    // Every signed-in user reads all closures.
    let closures = load_many::<Closures>(db, &closures).await?;
    Ok(reports.into_iter().map(|report| ReportView::of(report, actor, &mut history, &closures)).collect())
}

/// How the reports of a parcours share out.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
#[schema(as = ReportCounts)]
pub struct ReportCountsView {
    /// Not looked at yet.
    new: i64,
    seen: i64,
    solved: i64,
}

/// Field reports of a parcours.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct ReportList {
    /// The items of the page, the last sent first.
    items: Vec<ReportView>,
    /// How many the filter leaves.
    total: i64,
    /// Counts by state.
    counts: ReportCountsView,
    /// Who gets a mail for each new one: the contact of the parcours, its white-label or its structure, else the structure,
    /// else administrators.
    in_charge: Option<String>,
}

/// Which reports.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ReportQuery {
    /// `new`, `seen` or `solved`; all of them by default.
    #[param(inline)]
    state: Option<ReportState>,
}

/// The field reports of a parcours of the user's white-labels, the last sent first.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/field-reports", tag = "feedback",
    params(("id" = i64, Path), ReportQuery, Paging), security(("session" = ["content.read"])),
    responses((status = 200, body = ReportList), FeedbackError))]
#[instrument(name = "report.list", skip_all, fields(parcours.id = %id))]
pub async fn list_reports(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(query): Query<ReportQuery>,
    Query(paging): Query<Paging>,
) -> Result<Json<ReportList>, FeedbackError> {
    let db = app.store.read();
    own(db, id, &reader).await?;
    let stored = parcours::load(db, id).await?.ok_or_else(|| not_found(id))?;
    let found = rows::reports(db, id, query.state, paging.page()).await?;
    let ReportCounts { new, seen, solved } = rows::count_reports(db, id).await?;
    let total = match query.state {
        Some(ReportState::New) => new,
        Some(ReportState::Seen) => seen,
        Some(ReportState::Solved) => solved,
        None => new + seen + solved,
    };
    let recipients = mail::recipients(db, stored.sheet.contact_id, stored.white_label_id).await?;
    Ok(Json(ReportList {
        items: views(db, &reader, found).await?,
        total,
        counts: ReportCountsView { new, seen, solved },
        in_charge: recipients.into_iter().map(|one| one.name).reduce(|all, name| format!("{all}, {name}")),
    }))
}

/// One field report of a parcours of the user's white-labels.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/field-reports/{report_id}", tag = "feedback",
    params(("id" = i64, Path), ("report_id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = ReportView), FeedbackError))]
#[instrument(name = "report.show", skip_all, fields(parcours.id = %id))]
pub async fn show_report(
    State(app): State<App>,
    reader: Reader,
    Path((id, report_id)): Path<(ParcoursId, i64)>,
) -> Result<Json<ReportView>, FeedbackError> {
    let db = app.store.read();
    own(db, id, &reader).await?;
    let no_report = || FeedbackError::NoReport { id: report_id };
    let report = rows::find_report(db, id, report_id).await?.ok_or_else(no_report)?;
    views(db, &reader, vec![report]).await?.pop().map(Json).ok_or_else(no_report)
}
