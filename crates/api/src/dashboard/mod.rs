//! Home: what is to be done, what was edited last, how much there is.

use app::App;
use app::extract::Reader;
use app::problem::Internal;
use app::record::Named;
use app::routes;
use axum::Json;
use axum::extract::State;
use content::closure::closed_today;
use content::planner::watch;
use domain::parcours::passport::{Channel, ChannelState, Lack};
use domain::parcours::{Progress, RELIABILITY_THRESHOLD};
use domain::record::Kind;
use domain::{Actor, Instant, ParcoursId, Text};
use macros::Problem;
use serde::Serialize;
use store::feedback::Waiting as Feedback;
use store::latest::Latest;
use store::media::MediaFilter;
use store::parcours::{self, Filter, ProgressFilter};
use store::poi::PoiFilter;
use store::{OwnerFilter, Page, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Most edits in the answer.
const LATEST: usize = 10;

/// Errors of the home page.
#[derive(Debug, thiserror::Error, Problem)]
pub enum DashboardError {
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Home.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Dashboard)]
pub struct DashboardView {
    /// What waits.
    waiting: Waiting,
    /// What was edited last.
    latest: Vec<LatestView>,
    /// How much the active white-label has.
    counts: DashboardCounts,
    /// The first steps.
    checklist: Checklist,
}

/// Parcours of the active white-label that need work.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct Waiting {
    /// Not published.
    drafts: CountedList,
    to_review: CountedList,
    to_fix: CountedList,
    /// Scored below the threshold.
    low_reliability: CountedList,
    /// That lost step-by-step guidance when the network was replaced. The query is one of the list of changes, not of the list of parcours.
    lost_guidance: CountedList,
    /// With something still to fill in.
    incomplete: CountedList,
    /// Without a picture.
    no_photo: CountedList,
    /// With a text that another language lacks.
    no_english: CountedList,
    /// That the mobile application cannot show.
    not_for_app: CountedList,
    /// With a review to read, or one that a reader reported.
    reviews: CountedList,
    /// With a field report that was not looked at yet.
    field_reports: CountedList,
    /// With a child of another white-label that waits to be accepted.
    children: CountedList,
}

/// A number of parcours, and the query of the list that shows them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct CountedList {
    /// How many, exact up to 10,000.
    count: i64,
    /// The list's query that shows them.
    query: String,
}

/// An edit.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct LatestView {
    kind: Kind,
    id: i64,
    title: Text,
    at: Instant,
    user: Option<Named>,
    /// A parcours that is closed somewhere today.
    closed: bool,
}

/// How much there is, exact up to 10,000 each.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct DashboardCounts {
    parcours: i64,
    pois: i64,
    medias: i64,
}

/// The first steps of a new white-label.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct Checklist {
    /// A parcours is there.
    import: bool,
    /// One reaches the threshold of reliability.
    reliability: bool,
    /// A parcours is published.
    published: bool,
}

/// What is to be done, what was edited last, how much there is.
#[utoipa::path(get, path = "/api/v1/dashboard", tag = "home", security(("session" = ["content.read"])),
    responses((status = 200, body = DashboardView), DashboardError))]
#[tracing::instrument(name = "dashboard.show", skip_all)]
pub async fn show_dashboard(State(app): State<App>, reader: Reader) -> Result<Json<DashboardView>, DashboardError> {
    let db = app.store.read();
    let mine = || Filter { owner: OwnerFilter::Mine, progress: ProgressFilter::Any, ..Filter::default() };
    let with = |progress| Filter { progress: ProgressFilter::These(vec![progress]), ..mine() };
    let all = count(&app, &reader, mine()).await?;
    let drafts = count(&app, &reader, Filter { published: Some(false), ..mine() }).await?;
    let below = Filter { reliability_below: Some(RELIABILITY_THRESHOLD), ..mine() };
    let scored = Filter { reliability_below: Some(101.0), ..mine() };
    let low = count(&app, &reader, below).await?;
    let lacking = |lack| Filter { lacks: vec![lack], ..mine() };
    let barred = Filter { channels: vec![(Channel::App, ChannelState::Missing)], ..mine() };
    let said = |waiting| Filter { feedback: Some(waiting), ..mine() };
    let waiting = Waiting {
        drafts: list(drafts, "published=false"),
        to_review: list(count(&app, &reader, with(Progress::ToReview)).await?, "progress=to_review"),
        to_fix: list(count(&app, &reader, with(Progress::ToFix)).await?, "progress=to_fix"),
        low_reliability: list(low, &format!("progress=any&reliability_below={RELIABILITY_THRESHOLD}")),
        lost_guidance: CountedList {
            count: watch::waiting(&app, &reader).await?.lost,
            query: "owner=mine&guidance=lost".to_owned(),
        },
        incomplete: list(
            count(&app, &reader, Filter { incomplete: true, ..mine() }).await?,
            "progress=any&incomplete=true",
        ),
        no_photo: list(count(&app, &reader, lacking(Lack::Photo)).await?, "lack=no_photo"),
        no_english: list(count(&app, &reader, lacking(Lack::Translation)).await?, "lack=no_english"),
        not_for_app: list(count(&app, &reader, barred).await?, "channel=app:missing"),
        reviews: list(count(&app, &reader, said(Feedback::Reviews)).await?, "feedback=reviews"),
        field_reports: list(count(&app, &reader, said(Feedback::Reports)).await?, "feedback=reports"),
        children: list(count(&app, &reader, Filter { children_waiting: true, ..mine() }).await?, "children=waiting"),
    };
    let reliable = count(&app, &reader, scored).await? > low;
    let latest = store::latest::latest(db, &reader, LATEST).await?;
    let edited = latest.iter().filter(|edit| edit.kind == Kind::Parcours).map(|edit| ParcoursId(edit.id));
    let closed = closed_today(&app, edited).await?;
    let (pois, medias) = (pois(&app, &reader).await?, medias(&app, &reader).await?);
    Ok(Json(DashboardView {
        waiting,
        latest: latest.into_iter().map(|edit| LatestView::of(edit, &closed)).collect(),
        counts: DashboardCounts { parcours: all, pois, medias },
        checklist: Checklist { import: all > 0, reliability: reliable, published: all > drafts },
    }))
}

fn list(count: i64, query: &str) -> CountedList {
    let progress = if query.contains("progress=") { "" } else { "&progress=any" };
    CountedList { count, query: format!("owner=mine&{query}{progress}") }
}

async fn count(app: &App, actor: &Actor, filter: Filter) -> Result<i64, StoreError> {
    Ok(parcours::counts(app.store.read(), actor, &filter).await?.mine)
}

async fn pois(app: &App, actor: &Actor) -> Result<i64, StoreError> {
    let filter = PoiFilter { owner: OwnerFilter::Mine, ..PoiFilter::seen_from(actor.active_white_label_id) };
    let page = store::poi::list(app.store.read(), &filter, "-updated_at", Page::new(1, 1)).await?;
    Ok(page.map_or(0, |page| page.counts.mine.total))
}

async fn medias(app: &App, actor: &Actor) -> Result<i64, StoreError> {
    let filter =
        MediaFilter { viewer: actor.active_white_label_id, owner: OwnerFilter::Mine, ..MediaFilter::default() };
    let page = store::media::list(app.store.read(), &filter, "-updated_at", Page::new(1, 1)).await?;
    Ok(page.map_or(0, |page| page.counts.mine.total))
}

impl LatestView {
    fn of(edit: Latest, closed: &[ParcoursId]) -> Self {
        let user = edit.user.map(|(id, name)| Named { id: id.0, name });
        let closed = edit.kind == Kind::Parcours && closed.contains(&ParcoursId(edit.id));
        Self { kind: edit.kind, id: edit.id, title: edit.title, at: edit.at, user, closed }
    }
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(show_dashboard))
}
