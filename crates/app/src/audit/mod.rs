//! The journal: who did what, from where, on which record, and what came of it (decision 0036).
//!
//! Actions are recorded by `done`, in the transaction of the action. Refused, throttled and failed requests are
//! recorded by `watch`, a layer around every route, in a separate short transaction.

pub mod operations;

use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use axum::extract::{MatchedPath, Request};
use axum::http::{Method, StatusCode, Uri};
use axum::response::Response;
use domain::audit::{Action, Detail, Event, ExportedList, On, Outcome, Who, network};
use domain::record::{Kind, Sheet};
use domain::{Actor, StructureId, UserId, WhiteLabelId};
use store::audit::REFUSALS_A_MINUTE;
use store::record::{Record, Stored};
use store::sealed::SealedColumn;
use store::{StoreError, Tx};

use crate::client_address::ClientAddress;
use crate::problem::{Internal, ProblemCode};
use crate::window_limit::WindowLimiter;
use crate::{App, current_request};

/// How long an answer waits for its refusal to be recorded.
const RECORD_TIMEOUT: Duration = Duration::from_secs(2);

/// Refusals of a network in this minute, as this process counts them: most of a flood stops here, before the database.
#[derive(Debug, Default)]
pub(crate) struct RefusalLimit(WindowLimiter<60>);

/// The parts of the current request that the journal records.
#[derive(Debug, Default)]
struct Scope {
    /// The address of the client. Of what follows only what is recorded is worked out, so that other requests pay nothing.
    address: ClientAddress,
    /// Verb, path as the contract writes it, and path as it was asked for; none for what the contract does not name.
    asked: Option<(Method, MatchedPath, Uri)>,
    request_id: String,
    /// The user of the request and the account it is about, once they are known.
    found: Mutex<Found>,
}

#[derive(Debug, Default, Clone, Copy)]
struct Found {
    who: Who,
    account: Option<On>,
}

impl Scope {
    fn found(&self) -> Found {
        *self.found.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn find(&self, change: impl FnOnce(&mut Found)) {
        change(&mut self.found.lock().unwrap_or_else(PoisonError::into_inner));
    }

    fn event(&self, app: &App, who: Who, action: Action, on: On, outcome: Outcome, detail: Detail) -> Event {
        let (network, request_id) = (network(&self.address.to_string()), self.request_id.clone());
        Event { at: app.now(), who, network, action, on, outcome, detail, request_id }
    }
}

tokio::task_local! {
    static SCOPE: Arc<Scope>;
}

fn scope() -> Arc<Scope> {
    SCOPE.try_with(Arc::clone).unwrap_or_default()
}

/// The origin and the number of the current request, for a job that records an event in its name.
pub fn origin() -> (Option<String>, String) {
    let scope = scope();
    (network(&scope.address.to_string()), scope.request_id.clone())
}

/// Notes which user asks: a refusal later in the request is recorded under their name.
pub(crate) fn asked_by(who: impl Into<Who>) {
    let who = who.into();
    scope().find(|found| found.who = who);
}

/// Notes which account a request without session is about: a failed sign-in is recorded on it.
pub fn about_account(id: UserId) {
    scope().find(|found| found.account = Some(On::record(Kind::User, id.0)));
}

/// The record an event is about, with its structure and its white-label.
pub fn on<R: Record>(record: &Stored<R::Sheet>) -> On {
    let itself = |kind: Kind| (R::KIND == kind).then_some(record.id);
    let structure = R::structure(&record.sheet).or(itself(Kind::Structure)).map(StructureId);
    let white_label = record.white_label_id.or(itself(Kind::WhiteLabel).map(WhiteLabelId));
    On { record: Some((R::KIND, record.id)), structure, white_label }
}

/// What the journal records of saves and deletions of a kind that has an action for each: made, changed, deleted. Of a change
/// the names of the fields, of none that changed nothing.
pub fn saved<S: Sheet>(
    before: Option<&S>,
    after: Option<&S>,
    [made, changed, deleted]: [Action; 3],
) -> Vec<(Action, Detail)> {
    match (before, after) {
        (None, _) => vec![(made, Detail::None)],
        (Some(_), None) => vec![(deleted, Detail::None)],
        (Some(before), Some(after)) => {
            let names = names(after.changed_since(before));
            if names.is_empty() { Vec::new() } else { vec![(changed, Detail::Fields { names })] }
        }
    }
}

/// The actions of outside services and sources.
pub const SERVICE: [Action; 3] = [Action::ServiceAdded, Action::ServiceChanged, Action::ServiceRemoved];

/// Names of fields, for the detail of an event.
pub fn names(fields: Vec<&'static str>) -> Vec<String> {
    fields.into_iter().map(str::to_owned).collect()
}

/// Records what is done, in the transaction that does it.
pub async fn done(
    app: &App,
    tx: &Tx,
    who: impl Into<Who>,
    action: Action,
    on: On,
    detail: Detail,
) -> Result<(), StoreError> {
    let event = scope().event(app, who.into(), action, on, Outcome::Done, detail);
    store::audit::record(tx, event).await
}

/// Records each key of a service that this transaction forgot, because it would have gone to another server: the key of the saved
/// record, and those of white-labels that use its translator.
pub async fn forgotten_keys(app: &App, tx: &Tx, actor: &Actor, saved: On) -> Result<(), StoreError> {
    for (column, id) in store::sealed::take_forgotten(tx) {
        let on = if column == SealedColumn::TranslationKey {
            On { white_label: Some(WhiteLabelId(id)), ..On::record(Kind::WhiteLabel, id) }
        } else {
            saved
        };
        done(app, tx, actor, Action::ServiceKeyRemoved, on, Detail::None).await?;
    }
    Ok(())
}

/// Records that an action on many records was undone, in the transaction that does it.
pub async fn undone(app: &App, tx: &Tx, actor: &Actor, count: u64) -> Result<(), StoreError> {
    let on = On::NOTHING.of_white_label(actor.active_white_label_id);
    done(app, tx, actor, Action::BulkUndone, on, Detail::Count { count }).await
}

/// Records that a list leaves as a file, before it leaves.
pub async fn list_exported(app: &App, actor: &Actor, list: ExportedList, count: usize) -> Result<(), StoreError> {
    let on = On::NOTHING.of_white_label(actor.active_white_label_id);
    let detail = Detail::Exported { list, count: count as u64 };
    leaves(app, actor, Action::ListExported, on, detail).await
}

/// Records an action without a transaction, such as an export, before the answer is sent.
pub async fn leaves(app: &App, who: impl Into<Who>, action: Action, on: On, detail: Detail) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    done(app, &tx, who, action, on, detail).await?;
    tx.commit_aside().await
}

/// Around every route: knows where a request comes from, and records what was refused of it.
pub async fn watch<F>(app: &App, request: Request, next: impl FnOnce(Request) -> F) -> Response
where
    F: Future<Output = Response>,
{
    let (parts, body) = request.into_parts();
    let address = ClientAddress::of(&parts.extensions, &parts.headers, &app.settings);
    let matched = parts.extensions.get::<MatchedPath>();
    let asked = matched.map(|matched| (parts.method.clone(), matched.clone(), parts.uri.clone()));
    let scope = Arc::new(Scope { address, asked, request_id: current_request::id(), found: Mutex::default() });
    let response = SCOPE.scope(Arc::clone(&scope), next(Request::from_parts(parts, body))).await;
    if let Some(event) = refused(app, &scope, &response) {
        let admitted =
            app.shared::<RefusalLimit>().0.admit(address.network(), 1, REFUSALS_A_MINUTE as u64, app.now()).is_ok();
        if admitted && let Err(error) = keep(app, event).await {
            tracing::warn!(%error, "a refusal could not be recorded in the journal");
        }
    }
    response
}

/// Verb and path as the contract writes them, and the record the path names.
fn operation_of(scope: &Scope) -> (String, On) {
    let Some((method, matched, uri)) = &scope.asked else { return (String::new(), On::NOTHING) };
    let (mut template, mut path) = (matched.as_str().split('/'), uri.path().split('/'));
    // `/api/v1/pois/{id}`: the noun is the fourth part.
    let kind = matched.as_str().split('/').nth(3).and_then(kind_of);
    let id = template.position(|part| part == "{id}").and_then(|at| path.nth(at)?.parse().ok());
    let on = kind.zip(id).map_or(On::NOTHING, |(kind, id)| On::record(kind, id));
    (format!("{method} {}", matched.as_str()), on)
}

/// The kind of record that the first part of a path names.
fn kind_of(noun: &str) -> Option<Kind> {
    match noun {
        "parcours" => Some(Kind::Parcours),
        "pois" => Some(Kind::Poi),
        "medias" => Some(Kind::Media),
        "transport-lines" => Some(Kind::TransportLine),
        "white-labels" => Some(Kind::WhiteLabel),
        "structures" => Some(Kind::Structure),
        "contacts" => Some(Kind::Contact),
        "users" => Some(Kind::User),
        "itineraries" => Some(Kind::Itinerary),
        "vocabularies" => Some(Kind::Vocabulary),
        "closures" => Some(Kind::Closure),
        "provider-links" => Some(Kind::ProviderLink),
        "survey-campaigns" => Some(Kind::SurveyCampaign),
        "import-sources" => Some(Kind::ImportSource),
        "sit-sources" => Some(Kind::SitSource),
        "transport-feeds" => Some(Kind::TransportFeed),
        "translators" => Some(Kind::Translator),
        _ => None,
    }
}

/// Codes of a wrong password or code, or of a link that no longer works.
const FAILED: [&str; 6] = [
    "auth/bad-credentials",
    "auth/totp-wrong",
    "auth/totp-used",
    "auth/reset-expired",
    "me/wrong-password",
    "me/totp-wrong-code",
];

/// The event of an answer that refuses, if it is one that is recorded.
fn refused(app: &App, scope: &Scope, response: &Response) -> Option<Event> {
    let code = response.extensions().get::<ProblemCode>().map_or("", |code| code.0);
    let outcome = match response.status() {
        StatusCode::TOO_MANY_REQUESTS => Outcome::Throttled,
        StatusCode::FORBIDDEN => Outcome::Refused,
        status if FAILED.contains(&code) || status.is_server_error() => Outcome::Failed,
        _ => return None,
    };
    // Visitors of public pages and feeds have no account, and their network is not stored.
    let staff = scope.asked.as_ref().is_some_and(|(_, matched, _)| matched.as_str().starts_with("/api/v1/"));
    if !staff {
        return None;
    }
    let (operation, on) = operation_of(scope);
    let recorded = operations::always(&operation);
    // A failure of the server is recorded only for operations that the journal records.
    if response.status().is_server_error() && recorded.is_none() {
        return None;
    }
    let found = scope.found();
    let on = found.account.unwrap_or(on);
    let detail = Detail::Operation { operation, code: code.to_owned() };
    Some(scope.event(app, found.who, recorded.unwrap_or(Action::Access), on, outcome, detail))
}

/// Records a refusal. The answer does not wait long for it: a server that is busy writing still refuses.
async fn keep(app: &App, event: Event) -> Result<(), Internal> {
    let kept = async {
        let tx = app.store.begin().await?;
        store::audit::record_refusal(&tx, event).await?;
        tx.commit_aside().await
    };
    Ok(tokio::time::timeout(RECORD_TIMEOUT, kept).await.map_err(Internal::new)??)
}
