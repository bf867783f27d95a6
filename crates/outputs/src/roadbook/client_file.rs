//! Client files of a parcours: listed, made, saved whole, erased. People of its white-label read them; those with the right to fill
//! in an agency's fields change them (decision 0041).

use app::extract::{Agency, Body, IfMatch, Paging, Path, Query, Reader};
use app::problem::Internal;
use app::record::Refusal;
use app::record::{ListOf, LockedReason, Named};
use app::{App, Rejection, audit};
use axum::Json;
use axum::extract::State;
use axum::http::header::{ETAG, LOCATION};
use axum::http::{HeaderName, StatusCode};
use content::parcours::ParcoursError;
use content::parcours::access::{held, own};
use domain::audit::{Action, Detail, On};
use domain::record::Kind;
use domain::roadbook::{ClientFile, MAX_CLIENT_FILES, RoadbookSettings, days, last_after_days};
use domain::{Actor, Capability, DAY_S, Fault, Instant, ParcoursId, UserId, fold};
use serde::{Deserialize, Serialize};
use serde_json::json;
use store::client_file::{self as rows, AgedClientFile, ClientFileHead, StoredClientFile};
use store::parcours::{self, Stored};
use store::record::{Counted, load};
use store::white_label::{self, WhiteLabels};
use store::{Connection, StoreError, roadbook_batch};
use utoipa::{IntoParams, ToSchema};

use super::error::RoadbookProblem;
use super::settings::media_faults;

/// A client file in a list.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClientFileRow {
    pub id: i64,
    /// Number of its last save.
    pub version: i64,
    /// The file number at the agency.
    pub reference: String,
    /// The travellers.
    pub clients: Vec<String>,
    /// The first day, `YYYY-MM-DD`.
    pub starts_on: Option<String>,
    pub updated_at: Instant,
    /// Who saved it last.
    pub updated_by: Option<Named>,
}

impl From<ClientFileHead> for ClientFileRow {
    fn from(head: ClientFileHead) -> Self {
        let ClientFileHead { id, version, reference, clients, starts_on, updated_at, updated_by } = head;
        Self { id, version, reference, clients, starts_on, updated_at, updated_by: named(updated_by) }
    }
}

/// The most client files that are named beside one with the same file number.
const MAX_SAME_REFERENCE: u32 = 5;

/// Another client file with the same file number.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
pub struct SameReference {
    pub parcours_id: ParcoursId,
    /// Its number at its parcours.
    pub id: i64,
}

/// A client file.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct ClientFileView {
    pub id: i64,
    pub parcours_id: ParcoursId,
    /// Number of its last save, also its ETag.
    pub version: i64,
    /// Its content.
    pub file: ClientFile,
    /// Whether this person may change it.
    pub editable: bool,
    /// Why it cannot be changed.
    pub locked_reason: Option<LockedReason>,
    /// Other client files of the white-label with the same file number, capitals apart, five at most: the vouchers of both have the same numbers.
    pub same_reference: Vec<SameReference>,
    pub updated_at: Instant,
    /// Who saved it last.
    pub updated_by: Option<Named>,
}

impl ClientFileView {
    async fn of(
        db: &impl Connection,
        stored: StoredClientFile,
        parcours_id: ParcoursId,
        actor: &Actor,
    ) -> Result<Self, StoreError> {
        let StoredClientFile { id, version, file, updated_at, updated_by } = stored;
        let editable = actor.can(Capability::AgencyFields);
        let same = rows::same_reference(db, parcours_id, (id, &file.reference), MAX_SAME_REFERENCE).await?;
        Ok(Self {
            id,
            parcours_id,
            version,
            file,
            editable,
            locked_reason: (!editable).then_some(LockedReason::Role),
            same_reference: same.into_iter().map(|(parcours_id, id)| SameReference { parcours_id, id }).collect(),
            updated_at,
            updated_by: named(updated_by),
        })
    }
}

fn named(user: Option<(UserId, String)>) -> Option<Named> {
    user.map(|(id, name)| Named { id: id.0, name })
}

/// The client whose roadbook is meant.
#[derive(Debug, Clone, Copy, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ForClient {
    /// The number of a client file of the parcours: the roadbook is that client's. Without it, the roadbook of the parcours.
    #[param(minimum = 1)]
    pub client_file: Option<i64>,
}

impl ForClient {
    /// A client file by its number.
    pub(super) const fn of(client_file: Option<i64>) -> Self {
        Self { client_file }
    }

    /// The client file that is asked for, if one is.
    pub(super) async fn find(
        self,
        db: &impl Connection,
        parcours: ParcoursId,
    ) -> Result<Option<ClientFile>, RoadbookProblem> {
        match self.client_file {
            Some(id) => Ok(Some(found(db, parcours, id).await?.file)),
            None => Ok(None),
        }
    }
}

/// Which client files of a parcours. A field that is absent or empty leaves all.
#[derive(Debug, Clone, Default, Deserialize, IntoParams, ToSchema)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct ClientFileFilter {
    /// Words of the file number and of the names, in any order, each of them whole or in part.
    pub q: Option<String>,
    /// Those whose first day is this day or later, `YYYY-MM-DD`.
    pub from: Option<String>,
    /// Those whose first day is this day or earlier, `YYYY-MM-DD`.
    pub to: Option<String>,
}

impl ClientFileFilter {
    fn leaves(&self) -> Result<impl Fn(&ClientFileHead) -> bool, Rejection> {
        let words: Vec<String> =
            fold(self.q.as_deref().unwrap_or_default()).split_whitespace().map(str::to_owned).collect();
        let (from, to) = (day("from", self.from.as_deref())?, day("to", self.to.as_deref())?);
        Ok(move |file: &ClientFileHead| {
            let text = fold(&format!("{} {}", file.reference, file.clients.join(" ")));
            let starts_on = file.starts_on.as_deref();
            // Days are written so that they compare as texts.
            let is_after = from.as_deref().is_none_or(|from| starts_on.is_some_and(|day| day >= from));
            let is_before = to.as_deref().is_none_or(|to| starts_on.is_some_and(|day| day <= to));
            is_after && is_before && words.iter().all(|word| text.contains(word))
        })
    }
}

/// A day of the calendar; none when absent or empty.
fn day(name: &str, asked: Option<&str>) -> Result<Option<String>, Rejection> {
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else { return Ok(None) };
    let known = Instant::days_between(asked, asked).is_some();
    known.then(|| Some(asked.to_owned())).ok_or_else(|| Rejection::BadQuery { name: name.to_owned() })
}

/// The client files of a parcours that a filter leaves, in the order of their list.
pub(super) async fn chosen(
    db: &impl Connection,
    parcours: ParcoursId,
    filter: &ClientFileFilter,
) -> Result<Vec<ClientFileHead>, RoadbookProblem> {
    let is_left = filter.leaves()?;
    Ok(rows::list(db, parcours).await?.into_iter().filter(is_left).collect())
}

/// The settings of a client's roadbook; the parcours takes the reference of the file.
pub(super) fn applied(stored: &mut Stored, model: RoadbookSettings, file: &ClientFile) -> RoadbookSettings {
    stored.sheet.file_number = Some(file.reference.clone()).filter(|reference| !reference.is_empty());
    file.applied_to(model)
}

async fn found(db: &impl Connection, parcours: ParcoursId, id: i64) -> Result<StoredClientFile, RoadbookProblem> {
    rows::find(db, parcours, id).await?.ok_or(RoadbookProblem::ClientFileNotFound { id })
}

/// The faults of a client file that this user saves over another.
pub(super) async fn faults(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    (before, after): (&ClientFile, &ClientFile),
) -> Result<Vec<Fault>, StoreError> {
    let mut faults = after.faults(&app.settings.content_languages);
    faults.extend(media_faults(db, actor, &before.media(), after.media()).await?);
    Ok(faults)
}

async fn check(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    (before, after): (&ClientFile, &ClientFile),
) -> Result<(), RoadbookProblem> {
    let errors = faults(app, db, actor, (before, after)).await?;
    if errors.is_empty() { Ok(()) } else { Err(ParcoursError::from(errors).into()) }
}

type Tagged = ([(HeaderName, String); 1], Json<ClientFileView>);
type Created = (StatusCode, [(HeaderName, String); 1], Tagged);

fn tagged(view: ClientFileView) -> Tagged {
    ([(ETAG, format!("\"{}\"", view.version))], Json(view))
}

/// The client files of a parcours of the user's white-labels: those without a first day, then the latest first day first.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/client-files", tag = "roadbook",
    params(("id" = i64, Path), Paging, ClientFileFilter),
    security(("session" = ["content.read"])), responses((status = 200, body = ListOf<ClientFileRow>), RoadbookProblem))]
#[tracing::instrument(name = "client_file.list", skip_all, fields(parcours.id = %id))]
pub async fn list_client_files(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
    Query(paging): Query<Paging>,
    Query(filter): Query<ClientFileFilter>,
) -> Result<Json<ListOf<ClientFileRow>>, RoadbookProblem> {
    let db = app.store.read();
    own(db, id, &reader).await?;
    let (files, page) = (chosen(db, id, &filter).await?, paging.page());
    let total = i64::try_from(files.len()).unwrap_or(i64::MAX);
    let on_page = files.into_iter().skip(page.offset() as usize).take(page.per_page() as usize);
    Ok(Json(ListOf::new(on_page.map(Into::into).collect(), Counted { total, capped: false })))
}

/// A client file of a parcours of the user's white-labels.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/client-files/{file_id}", tag = "roadbook",
    params(("id" = i64, Path), ("file_id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = ClientFileView), RoadbookProblem))]
#[tracing::instrument(name = "client_file.show", skip_all, fields(parcours.id = %id, client_file.id = file_id))]
pub async fn show_client_file(
    State(app): State<App>,
    reader: Reader,
    Path((id, file_id)): Path<(ParcoursId, i64)>,
) -> Result<Tagged, RoadbookProblem> {
    let db = app.store.read();
    own(db, id, &reader).await?;
    let file = found(db, id, file_id).await?;
    Ok(tagged(ClientFileView::of(db, file, id, &reader).await?))
}

/// Add a client file to a parcours; at most 500 each.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/client-files", tag = "roadbook", request_body(content = ClientFile),
    params(("id" = i64, Path)), security(("session" = ["agency.fields"])),
    responses((status = 201, body = ClientFileView), RoadbookProblem))]
#[tracing::instrument(name = "client_file.create", skip_all, fields(parcours.id = %id))]
pub async fn create_client_file(
    State(app): State<App>,
    agency: Agency,
    Path(id): Path<ParcoursId>,
    Body(mut file): Body<ClientFile>,
) -> Result<Created, RoadbookProblem> {
    file.clean();
    let tx = app.store.begin().await?;
    held(&tx, id, &agency).await?;
    check(&app, &tx, &agency, (&ClientFile::default(), &file)).await?;
    if rows::count(&tx, id).await? >= MAX_CLIENT_FILES {
        return Err(RoadbookProblem::TooManyClientFiles { max: MAX_CLIENT_FILES });
    }
    let file_id = rows::insert(&tx, id, &file, agency.user_id, app.now()).await?;
    let made = found(&tx, id, file_id).await?;
    let made = ClientFileView::of(&tx, made, id, &agency).await?;
    tx.commit_aside().await?;
    let location = format!("/api/v1/parcours/{id}/client-files/{file_id}");
    Ok((StatusCode::CREATED, [(LOCATION, location)], tagged(made)))
}

/// Save a client file, whole. `If-Match` names the version it was made from.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/client-files/{file_id}", tag = "roadbook",
    request_body(content = ClientFile), params(("id" = i64, Path), ("file_id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["agency.fields"])), responses((status = 200, body = ClientFileView), RoadbookProblem))]
#[tracing::instrument(name = "client_file.update", skip_all, fields(parcours.id = %id, client_file.id = file_id))]
pub async fn update_client_file(
    State(app): State<App>,
    agency: Agency,
    Path((id, file_id)): Path<(ParcoursId, i64)>,
    version: IfMatch,
    Body(mut file): Body<ClientFile>,
) -> Result<Tagged, RoadbookProblem> {
    file.clean();
    let tx = app.store.begin().await?;
    held(&tx, id, &agency).await?;
    let before = found(&tx, id, file_id).await?;
    if !version.accepts(before.version) {
        return Err(stale(version, ClientFileView::of(&tx, before, id, &agency).await?));
    }
    check(&app, &tx, &agency, (&before.file, &file)).await?;
    rows::update(&tx, file_id, &file, agency.user_id, app.now()).await?;
    let after = found(&tx, id, file_id).await?;
    let after = ClientFileView::of(&tx, after, id, &agency).await?;
    tx.commit_aside().await?;
    Ok(tagged(after))
}

/// Erase a client file for good: it does not go to the bin. `If-Match` names the version that was seen.
#[utoipa::path(delete, path = "/api/v1/parcours/{id}/client-files/{file_id}", tag = "roadbook",
    params(("id" = i64, Path), ("file_id" = i64, Path), ("If-Match" = String, Header)),
    security(("session" = ["agency.fields"])), responses((status = 204), RoadbookProblem))]
#[tracing::instrument(name = "client_file.delete", skip_all, fields(parcours.id = %id, client_file.id = file_id))]
pub async fn delete_client_file(
    State(app): State<App>,
    agency: Agency,
    Path((id, file_id)): Path<(ParcoursId, i64)>,
    version: IfMatch,
) -> Result<StatusCode, RoadbookProblem> {
    let tx = app.store.begin().await?;
    let parcours = held(&tx, id, &agency).await?;
    let before = found(&tx, id, file_id).await?;
    if !version.accepts(before.version) {
        return Err(stale(version, ClientFileView::of(&tx, before, id, &agency).await?));
    }
    rows::delete(&tx, file_id).await?;
    roadbook_batch::withdraw(&tx, id, file_id).await?;
    let on = On::record(Kind::Parcours, id.0).of_white_label(parcours.white_label_id);
    audit::done(&app, &tx, &*agency, Action::ClientFileDeleted, on, Detail::None).await?;
    tx.commit_aside().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Erases the client files that are older than their white-label keeps them: counted from the last day of the trip, or from the
/// last save where no first day is known.
pub async fn expire(app: &App) -> Result<(), Internal> {
    for white_label in white_label::all(app.store.read()).await? {
        let sheet = load::<WhiteLabels>(app.store.read(), white_label.id.0).await?.map(|found| found.sheet);
        let Some(days) = sheet.and_then(|sheet| sheet.client_files_kept_days) else { continue };
        let limit = app.now().plus_s(-days * DAY_S);
        let day = app.day_of(limit);
        for file in rows::aged(app.store.read(), white_label.id, (&day, limit)).await? {
            if last_day(app, &file).await?.is_none_or(|last| last < day) {
                erase_aged(app, &file, limit).await?;
            }
        }
    }
    Ok(())
}

/// Erases a client file that was found to be too old, unless it was saved since: with another first day, or without one after `limit`.
pub async fn erase_aged(app: &App, file: &AgedClientFile, limit: Instant) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    let Some(parcours) = parcours::lock(&tx, file.parcours).await? else { return Ok(()) };
    let is_aged = |now: &StoredClientFile| {
        now.file.starts_on == file.starts_on && (now.file.starts_on.is_some() || now.updated_at < limit)
    };
    if rows::find(&tx, parcours.id, file.id).await?.is_some_and(|now| is_aged(&now)) {
        rows::delete(&tx, file.id).await?;
        roadbook_batch::withdraw(&tx, file.parcours, file.id).await?;
        tx.commit_aside().await?;
    }
    Ok(())
}

/// The last day of a client's trip; none without a first one.
async fn last_day(app: &App, file: &AgedClientFile) -> Result<Option<String>, Internal> {
    let Some(first) = file.starts_on.as_deref() else { return Ok(None) };
    let stored = parcours::load(app.store.read(), file.parcours).await?;
    let length = stored.as_ref().and_then(|stored| stored.trace.as_ref()?.distance_m).unwrap_or(0.0);
    let after_days = stored.map_or(0, |stored| last_after_days(&days(&stored.steps, length), &stored.steps));
    Ok(Instant::day_after(first, after_days))
}

/// A save made from a version that is not the last.
fn stale(version: IfMatch, current: ClientFileView) -> RoadbookProblem {
    ParcoursError::from(Refusal::Stale { base_version: version.version(), current: json!(current) }).into()
}
