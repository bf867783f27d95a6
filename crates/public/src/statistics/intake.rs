//! Incoming events: who may send what, and what is stored of it.

use std::collections::HashMap;
use std::sync::{Mutex, PoisonError};

use app::App;
use app::client_address::ClientAddress;
use app::extract::{parse, refused_body};
use axum::Json;
use axum::body::Bytes;
use axum::extract::State;
use axum::extract::rejection::BytesRejection;
use axum::http::HeaderMap;
use axum::http::header::USER_AGENT;
use domain::share::{ShareKind, ShareState};
use domain::statistics::{self, Event, EventKind, EventSource, MAX_AHEAD_S, MAX_BATCH, MAX_LATE_S, is_robot};
use domain::{DAY_S, Fault, Instant, ParcoursId, WhiteLabelId};
use serde::{Deserialize, Serialize};
use store::StoreError;
use utoipa::ToSchema;

use super::StatisticsState;
use super::error::EventsError;
use super::keep::keep;

/// The longest text of an event.
const MAX_CHARS: usize = 2_048;
/// A parcours that was just shown on a white-label is believed to be for so long.
const BELIEVED_S: i64 = 1;
/// More than this many and all are forgotten.
const MAX_BELIEVED: usize = 50_000;

/// Events.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct EventsInput {
    /// 1 to 100 of them.
    pub events: Vec<EventInput>,
}

/// One thing that happened. A field that is absent is unknown; no field identifies the visitor.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(deny_unknown_fields, default)]
pub struct EventInput {
    /// `view`, `widget_view`, `download`, `share`, `pdf` or `guidance`.
    pub kind: String,
    /// The parcours it happened to; may be absent with a share.
    pub parcours_id: Option<i64>,
    /// The unguessable part of a share's address.
    pub share: Option<String>,
    /// The white-label it was shown on; the owner by default.
    pub white_label_id: Option<i64>,
    /// `public_page`, `widget`, `app`, `share_link` or `api`; what the kind suggests by default.
    pub source: Option<String>,
    /// When, for what could not be sent at once: at most ten days ago.
    pub at: Option<Instant>,
    /// The language it was read in, as `fr` or `fr-FR`.
    pub language: Option<String>,
    /// The address of the page that led here; of it the host alone is kept.
    pub referrer: Option<String>,
}

/// The answer to events.
#[derive(Debug, Clone, Copy, Serialize, ToSchema)]
pub struct EventsTaken {
    /// So many are kept.
    kept: usize,
    /// So many are not, for a program sent them.
    left_out: usize,
}

/// Report what happened: from the public page, a widget, an application. Answered once it is written. No cookie is read or
/// set, and the address the request comes from is kept nowhere. The body is JSON whatever its content type says, so that
/// `navigator.sendBeacon` of any site can send it as text.
#[utoipa::path(post, path = "/api/public/v1/events", tag = "public", security(()), request_body = EventsInput,
    responses((status = 200, body = EventsTaken), EventsError))]
pub async fn take_events(
    State(app): State<App>,
    client: ClientAddress,
    headers: HeaderMap,
    body: Result<Bytes, BytesRejection>,
) -> Result<Json<EventsTaken>, EventsError> {
    admit(&app, client, 1)?;
    let bytes = body.map_err(refused_body)?;
    let sent: EventsInput = parse(&bytes)?;
    admit(&app, client, sent.events.len().saturating_sub(1))?;
    if from_robot(&headers) {
        return Ok(Json(EventsTaken { kept: 0, left_out: sent.events.len() }));
    }
    let country = country(&app, &headers);
    let events = check(&app, &sent.events, &country).await?;
    let kept = events.len();
    keep(&app, events).await?;
    Ok(Json(EventsTaken { kept, left_out: 0 }))
}

fn admit(app: &App, client: ClientAddress, events: usize) -> Result<(), EventsError> {
    let most = app.settings.events_per_minute;
    app.shared::<StatisticsState>()
        .limiter
        .admit(client.network(), events, most, app.now())
        .map_err(|retry_after_s| EventsError::TooMany { retry_after_s })
}

/// Whether a program sends it, by its own word.
pub(super) fn from_robot(headers: &HeaderMap) -> bool {
    is_robot(headers.get(USER_AGENT).and_then(|name| name.to_str().ok()).unwrap_or_default())
}

/// The country, where the operator's proxy gives it.
pub(super) fn country(app: &App, headers: &HeaderMap) -> String {
    let header = app.settings.country_header.as_deref().and_then(|name| headers.get(name));
    statistics::country(header.and_then(|value| value.to_str().ok()).unwrap_or_default())
}

/// The events to store, or the faults of any of them.
async fn check(app: &App, sent: &[EventInput], country: &str) -> Result<Vec<Event>, EventsError> {
    let mut faults = Vec::new();
    if sent.is_empty() || sent.len() > MAX_BATCH {
        faults.push(Fault::new("events/batch-size", "/events").with("max", MAX_BATCH));
        return Err(EventsError::Refused { errors: faults });
    }
    let mut events = Vec::with_capacity(sent.len());
    for (at, input) in sent.iter().enumerate() {
        match one(app, input, country).await? {
            Ok(event) => events.push(event),
            Err(fault) => faults.push(Fault { field: format!("/events/{at}{}", fault.field), ..fault }),
        }
    }
    if faults.is_empty() { Ok(events) } else { Err(EventsError::Refused { errors: faults }) }
}

async fn one(app: &App, input: &EventInput, country: &str) -> Result<Result<Event, Fault>, StoreError> {
    let (kind, source, at) = match said(app, input) {
        Ok(said) => said,
        Err(fault) => return Ok(Err(fault)),
    };
    let Some((parcours_id, white_label_id)) = place(app, input).await? else {
        let field = if input.share.is_some() { "/share" } else { "/parcours_id" };
        return Ok(Err(Fault::new("events/not-shown", field)));
    };
    let text = |sent: &Option<String>, read: fn(&str) -> String| sent.as_deref().map(read).unwrap_or_default();
    let host = text(&input.referrer, statistics::host);
    let ours = statistics::host(&app.settings.public_url);
    Ok(Ok(Event {
        at,
        parcours_id,
        white_label_id,
        kind,
        source,
        country: country.to_owned(),
        language: text(&input.language, statistics::language),
        // A visit from another page of this server has no site that led here.
        host: if host == ours { String::new() } else { host },
    }))
}

/// What happened, where and when, if it can have.
fn said(app: &App, input: &EventInput) -> Result<(EventKind, EventSource, Instant), Fault> {
    let long = |text: &Option<String>| text.as_ref().is_some_and(|text| text.len() > MAX_CHARS);
    for (text, field) in [(&input.language, "/language"), (&input.referrer, "/referrer"), (&input.share, "/share")] {
        if long(text) {
            return Err(Fault::new("validation/too-long", field).with("max", MAX_CHARS));
        }
    }
    let kind = EventKind::parse(&input.kind).ok_or_else(|| Fault::new("events/unknown-kind", "/kind"))?;
    let suggested = || match kind {
        _ if input.share.is_some() => EventSource::ShareLink,
        EventKind::WidgetView => EventSource::Widget,
        EventKind::Guidance => EventSource::App,
        _ => EventSource::PublicPage,
    };
    let source = match &input.source {
        None => suggested(),
        Some(word) => EventSource::parse(word).ok_or_else(|| Fault::new("events/unknown-source", "/source"))?,
    };
    let possible = match kind {
        EventKind::WidgetView => source == EventSource::Widget,
        EventKind::Guidance => source == EventSource::App,
        EventKind::View | EventKind::Download | EventKind::Share | EventKind::Pdf => true,
    };
    if !possible {
        return Err(Fault::new("events/not-of-source", "/source"));
    }
    let now = app.now();
    let at = input.at.unwrap_or(now);
    if at < now.plus_s(-MAX_LATE_S) || at > now.plus_s(MAX_AHEAD_S) {
        return Err(Fault::new("events/bad-instant", "/at").with("days", MAX_LATE_S / DAY_S));
    }
    Ok((kind, source, at))
}

/// The parcours, and the white-label on whose site it is shown. None where it is not.
async fn place(app: &App, input: &EventInput) -> Result<Option<(ParcoursId, WhiteLabelId)>, StoreError> {
    if let Some(token) = &input.share {
        return shared(app, token).await;
    }
    let Some(id) = input.parcours_id else { return Ok(None) };
    let (asked, now) = ((id, input.white_label_id), app.now());
    if let Some(white_label) = app.shared::<StatisticsState>().shown.get(asked, now) {
        return Ok(Some((ParcoursId(id), white_label)));
    }
    let found = store::statistics::shown_on(app.store.read(), ParcoursId(id), input.white_label_id.map(WhiteLabelId));
    let Some(white_label) = found.await? else { return Ok(None) };
    app.shared::<StatisticsState>().shown.put(asked, white_label, now);
    Ok(Some((ParcoursId(id), white_label)))
}

async fn shared(app: &App, token: &str) -> Result<Option<(ParcoursId, WhiteLabelId)>, StoreError> {
    let db = app.store.read();
    let Some(share) = store::share::by_token(db, token).await? else { return Ok(None) };
    let state = ShareState::at(app.now().0, share.expires_at.map(|end| end.0), share.revoked_at.is_some());
    let Some(parcours) = store::parcours::load(db, share.parcours_id).await? else { return Ok(None) };
    let open = state == ShareState::Active && (share.kind == ShareKind::Temporary || parcours.published);
    Ok(open.then_some((parcours.id, parcours.white_label_id)))
}

/// Parcours that were found to be shown, so that a busy page does not ask the database each time. What is not shown is
/// asked for again: it may be published the next second.
#[derive(Debug, Default)]
pub struct ShownParcours(Mutex<HashMap<ParcoursOn, (WhiteLabelId, Instant)>>);

/// A parcours, and the white-label on which it is viewed if one is named.
type ParcoursOn = (i64, Option<i64>);

impl ShownParcours {
    fn get(&self, asked: ParcoursOn, now: Instant) -> Option<WhiteLabelId> {
        let known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        let (white_label, until) = known.get(&asked)?;
        (now < *until).then_some(*white_label)
    }

    fn put(&self, asked: ParcoursOn, white_label: WhiteLabelId, now: Instant) {
        let mut known = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MAX_BELIEVED {
            known.clear();
        }
        known.insert(asked, (white_label, now.plus_s(BELIEVED_S)));
    }
}
