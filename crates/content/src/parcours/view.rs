//! A parcours as the API shows it.

use std::borrow::Cow;
use std::collections::HashMap;
use std::sync::LazyLock;

use app::App;
use app::record::{LockedReason, Named, WhiteLabelLink, lock_of};
use domain::parcours::availability::Period;
use domain::parcours::passport::{ChannelState, Stamp};
use domain::parcours::ribbon::RibbonPart;
use domain::parcours::{Inheritable, ReliabilityState, Sheet, TraceSummary};
use domain::parcours::{Progress, Relation};
use domain::record::{Kind, Sheet as _};
use domain::step::Step;
use domain::white_label::CustomOn;
use domain::white_label::custom::CustomValues;
use domain::{Actor, Instant, ParcoursId, Text, rest};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::parcours::{self as rows, Detail, Inherited, ListedRow};
use store::record::linked_white_labels;
use store::{Connection, StoreError};
use utoipa::ToSchema;

use super::children::{ChildDecision, ChildRequestView, decisions};
use super::closures::ParcoursClosureView;
use super::json::{JsonText, Object};
use crate::closure::closed_today;
use crate::custom;

/// A child in the sheet of its parent.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ChildView {
    pub id: ParcoursId,
    pub title: Text,
    /// Its place, from 1.
    pub position: i64,
    /// Closed somewhere today.
    pub closed: bool,
}

/// A parcours.
#[expect(clippy::struct_excessive_bools, reason = "each says something of its own to the client")]
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ParcoursView {
    pub id: ParcoursId,
    /// Number of its last save, also its ETag.
    pub version: i64,
    /// The white-label that owns it.
    pub white_label: Named,
    /// The structure behind it.
    pub structure: Named,
    /// Whether it is the active white-label's.
    pub mine: bool,
    /// Whether this person may change it.
    pub editable: bool,
    /// Why it cannot be changed.
    pub locked_reason: Option<LockedReason>,
    /// The fields that the staff fill in.
    #[serde(flatten)]
    pub sheet: Sheet,
    /// Keys of values that are stored and not shown: the white-label's field was deleted, or changed its type.
    pub custom_hidden: Vec<String>,
    pub children: Vec<ChildView>,
    /// Published children of other white-labels, those that wait to be accepted first; empty for people of other white-labels.
    pub child_requests: Vec<ChildRequestView>,
    /// What the owner of its parent decided, where the parent is of another white-label; null for people of other white-labels.
    pub parent_decision: Option<ChildDecision>,
    /// Whether it can be booked: its own answer, else its parents', else whether it has a booking link.
    pub effective_bookable: bool,
    /// Whether its parents say that it can be booked; null where none says anything.
    pub inherited_bookable: Option<bool>,
    /// Whether a bicycle can be carried, by its own answer or its parents'.
    pub effective_bike_carriage: Option<bool>,
    /// The owner's switch.
    pub published: bool,
    /// White-labels that added it; to people of other tenants, those that publish it and their own.
    pub white_labels: Vec<WhiteLabelLink>,
    /// Its closures, today or later.
    pub closures: Vec<ParcoursClosureView>,
    /// In the order of the line.
    pub steps: Vec<Step>,
    /// Its trace in figures.
    pub trace: Option<TraceSummary>,
    /// For each output, whether it is ready and what it lacks.
    pub passport: Vec<Stamp>,
    pub created_at: Instant,
    pub updated_at: Instant,
    /// Who saved it last; null for people of other tenants.
    pub updated_by: Option<Named>,
}

/// A row of the list.
#[derive(Debug, Clone, Serialize, Deserialize, ToSchema)]
pub struct ParcoursRow {
    pub id: ParcoursId,
    /// Number of its last save.
    pub version: i64,
    /// The white-label that owns it.
    pub white_label: Named,
    /// Whether it is the active white-label's.
    pub mine: bool,
    /// The owner's switch.
    pub published: bool,
    /// The active white-label's own switch, where it added it.
    pub published_on_mine: Option<bool>,
    pub updated_at: Instant,
    /// How far its reliability can be relied on today.
    pub reliability_state: ReliabilityState,
    /// How many have it as parent.
    pub children: i64,
    pub title: Text,
    /// Practice.
    pub practice_type_id: Option<i64>,
    pub level_id: Option<i64>,
    /// Loop or one way.
    pub is_loop: Option<bool>,
    /// Stay or circuit.
    pub is_stay: Option<bool>,
    /// Model, child, both or neither.
    pub relation: Relation,
    pub distance_m: Option<f64>,
    pub duration_s: Option<f64>,
    pub ascent_m: Option<f64>,
    /// Number of stages.
    pub stages: i64,
    /// Percent.
    pub reliability: Option<f64>,
    /// The strip.
    pub ribbon: Vec<RibbonPart>,
    /// SVG path in a box of 40 by 40.
    pub glyph: Option<String>,
    /// Where it starts: degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    pub start: Option<[f64; 2]>,
    /// The progress of the work on it.
    pub progress_status: Option<Progress>,
    /// What is still to fill in.
    pub missing: Vec<String>,
    /// Languages its title is written in.
    pub languages: Vec<String>,
    /// Whether it is ready for each output: application, white-label, widget, open data, roadbook.
    pub passport: [ChannelState; 5],
    /// Closed somewhere today.
    pub closed: bool,
    /// When people on the ground last said that it is right; null for people of other tenants.
    pub surveyed_at: Option<Instant>,
    /// Values of the fields its white-label added.
    #[schema(value_type = Object)]
    pub custom: CustomValues,
}

/// The parts of a list's rows that are stored in other tables.
pub(super) struct ListExtras {
    closed: Vec<ParcoursId>,
    surveyed: HashMap<ParcoursId, Instant>,
    fields: custom::Shown,
    values: HashMap<i64, CustomValues>,
}

impl ListExtras {
    /// Loads the extras of these rows.
    pub(super) async fn of(app: &App, rows: &[ListedRow]) -> Result<Self, StoreError> {
        let db = app.store.read();
        let closed = closed_today(app, rows.iter().map(|row| row.id)).await?;
        let surveyed = store::ground::surveyed_among(db, &rows.iter().map(|row| row.id).collect::<Vec<_>>()).await?;
        let ids: Vec<i64> = rows.iter().map(|row| row.id.0).collect();
        let values = store::custom::values_of(db, Kind::Parcours, &ids).await?;
        let filled = rows.iter().filter(|row| values.contains_key(&row.id.0)).map(|row| row.white_label.0);
        Ok(Self { closed, surveyed, fields: custom::Shown::of(db, filled).await?, values })
    }

    fn custom(&self, row: &ListedRow) -> CustomValues {
        let values = self.values.get(&row.id.0);
        values.map(|values| self.fields.values(row.white_label.0, CustomOn::Parcours, values).0).unwrap_or_default()
    }
}

/// The row of a list as JSON.
pub(super) fn row_text(row: &ListedRow, actor: &Actor, beside: &ListExtras) -> String {
    let surveyed_at = beside.surveyed.get(&row.id).filter(|_| actor.works_in(row.white_label.0));
    let mut object = Object::with_capacity(row.card.len() + 300);
    object
        .field("id", &row.id)
        .members_of(&row.card)
        .field("version", &row.version)
        .raw("white_label", &named(row.white_label.0.0, &row.white_label.1))
        .field("mine", &(row.white_label.0 == actor.active_white_label_id))
        .field("published", &row.published)
        .field("published_on_mine", &row.published_on_mine)
        .field("updated_at", &row.updated_at)
        .field("reliability_state", &row.reliability_state)
        .field("passport", &row.lacks.states())
        .field("children", &row.children)
        .field("closed", &beside.closed.contains(&row.id))
        .field("surveyed_at", &surveyed_at)
        .field("custom", &beside.custom(row));
    object.finish()
}

fn named(id: i64, name: &str) -> String {
    let mut object = Object::with_capacity(name.len() + 24);
    object.field("id", &id).field("name", name);
    object.finish()
}

/// A parcours for one reader, as JSON with its version; `None` when it does not exist for them.
pub(crate) async fn show(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
    actor: &Actor,
) -> Result<Option<JsonText>, StoreError> {
    let network = app.region().engine.as_deref().and_then(super::compute::network_name);
    let Some(mut detail) = rows::show(db, id, actor, network.as_deref()).await? else { return Ok(None) };
    let children = if detail.children == 0 { Vec::new() } else { rows::children(db, id, actor).await? };
    let links = if detail.links == 0 { Vec::new() } else { linked_white_labels(db, Kind::Parcours, id.0).await? };
    let links = rows::shown_to(actor, detail.white_label.0, links);
    let closures = if detail.closures == 0 { Vec::new() } else { super::closures_of(app, db, id).await? };
    let inherited = match detail.parent_id {
        Some(parent) => rows::inherited(db, parent).await?,
        None => Inherited::default(),
    };
    let closed = closed_today(app, children.iter().map(|(id, _)| *id)).await?;
    let child = |(position, (id, title))| ChildView { id, title, position, closed: closed.contains(&id) };
    let children: Vec<ChildView> = (1..).zip(children).map(child).collect();
    let links: Vec<WhiteLabelLink> = links
        .into_iter()
        .map(|link| WhiteLabelLink { id: link.id, name: link.name, published: link.published })
        .collect();
    let mut own = own_answers(&mut detail);
    let texts = [("title", &own.title), ("summary", &own.summary), ("description", &own.description)];
    own.passport = detail.lacks.passport(texts, &app.settings.content_languages);
    let filled = Some(detail.white_label.0).filter(|_| !own.custom.is_empty());
    let custom = custom::Shown::of(db, filled.into_iter()).await?;
    let custom = custom.values(detail.white_label.0, CustomOn::Parcours, &own.custom);
    let version = detail.version;
    let (child_requests, parent_decision) = decisions(db, actor, &detail).await?;
    let around = Related { children, child_requests, parent_decision, links, closures, inherited };
    Ok(Some(JsonText::new(detail_text(&detail, actor, &own, &custom, &around)).version(version)))
}

/// The parcours as [`show`] gives it, as a JSON value: a refused save of an older version answers with it.
pub async fn show_value(app: &App, db: &impl Connection, id: ParcoursId, actor: &Actor) -> Result<Value, StoreError> {
    let shown = show(app, db, id, actor).await?;
    Ok(shown.and_then(|text| serde_json::from_str(text.as_str()).ok()).unwrap_or(Value::Null))
}

/// Reads the fields that the view computes with, and removes unknown fields from the stored JSON that is passed on: a newer version of the server
/// stored them, and may restrict who sees them (decision 0051). Nearly all documents have none and are passed on unparsed.
fn own_answers(detail: &mut Detail) -> OwnAnswers {
    let (own, has_more) = rest::read_part::<OwnAnswers>(&detail.sheet, Sheet::NAMES).unwrap_or_default();
    if has_more && let Ok(known) = rest::read::<Sheet>(&detail.sheet) {
        detail.sheet = serde_json::to_string(&known).unwrap_or_default();
    }
    static STEP: LazyLock<&[&str]> = LazyLock::new(rest::fields_of::<Step>);
    let has_more = rest::list_has_more(&detail.steps, *STEP).unwrap_or(false);
    if has_more && let Ok(known) = rest::list::<Step>(&detail.steps) {
        detail.steps = serde_json::to_string(&known).unwrap_or_default();
    }
    own
}

/// The fields of the sheet that the view computes with: two depend on the parents, one on the white-label, and the passport needs the
/// texts.
#[derive(Default, Deserialize)]
#[serde(default)]
struct OwnAnswers {
    bookable: Inheritable,
    booking_url: Option<String>,
    bike_carriage: Inheritable,
    custom: CustomValues,
    title: Text,
    summary: Text,
    description: Text,
    /// Read so that its unknown fields are found.
    availability: Vec<Period>,
    #[serde(skip)]
    passport: Vec<Stamp>,
}

/// The parts of a parcours that are stored in other tables.
struct Related {
    children: Vec<ChildView>,
    child_requests: Vec<ChildRequestView>,
    parent_decision: Option<ChildDecision>,
    links: Vec<WhiteLabelLink>,
    closures: Vec<ParcoursClosureView>,
    inherited: Inherited,
}

fn detail_text(
    detail: &Detail,
    actor: &Actor,
    own: &OwnAnswers,
    (custom, custom_hidden): &(CustomValues, Vec<String>),
    around: &Related,
) -> String {
    let locked = lock_of(actor, detail.white_label.0);
    let bookable = own.bookable.is_bookable(around.inherited.bookable, own.booking_url.is_some());
    let bike_carriage = own.bike_carriage.own().or(around.inherited.bike_carriage);
    let trace_bytes = detail.trace.as_ref().map_or(4, String::len);
    let mut object = Object::with_capacity(detail.sheet.len() + detail.steps.len() + trace_bytes + 700);
    object
        .field("id", &detail.id)
        .field("version", &detail.version)
        .raw("white_label", &named(detail.white_label.0.0, &detail.white_label.1))
        .raw("structure", &named(detail.structure.0, &detail.structure.1))
        .field("mine", &(detail.white_label.0 == actor.active_white_label_id))
        .field("editable", &locked.is_none())
        .field("locked_reason", &locked)
        .members_of(&with_custom(&detail.sheet, own, custom))
        .field("custom_hidden", custom_hidden)
        .field("children", &around.children)
        .field("child_requests", &around.child_requests)
        .field("parent_decision", &around.parent_decision)
        .field("effective_bookable", &bookable)
        .field("inherited_bookable", &around.inherited.bookable)
        .field("effective_bike_carriage", &bike_carriage)
        .field("published", &detail.published)
        .field("white_labels", &around.links)
        .field("closures", &around.closures)
        .raw("steps", &detail.steps)
        .raw("trace", &trace_text(detail, actor))
        .field("passport", &own.passport)
        .field("created_at", &detail.created_at)
        .field("updated_at", &detail.updated_at);
    // The people of another tenant are not named.
    match detail.updated_by.as_ref().filter(|_| actor.works_in(detail.white_label.0)) {
        Some((id, name)) => object.raw("updated_by", &named(id.0, name)),
        None => object.raw("updated_by", "null"),
    };
    object.finish()
}

/// A sheet's JSON, with those values of the white-label's own fields that are shown. Most have none, and are passed on
/// unread; one saved before there were such fields does not name them.
fn with_custom<'a>(sheet: &'a str, own: &OwnAnswers, shown: &CustomValues) -> Cow<'a, str> {
    if own.custom.is_empty() && sheet.contains("\"custom\":") {
        return Cow::Borrowed(sheet);
    }
    let mut fields: Map<String, Value> = serde_json::from_str(sheet).unwrap_or_default();
    fields.insert("custom".to_owned(), json!(shown));
    Cow::Owned(Value::Object(fields).to_string())
}

/// The trace in figures, with a mark if it was scored on another network. People of other white-labels get the public figures.
fn trace_text(detail: &Detail, actor: &Actor) -> String {
    let Some(text) = &detail.trace else { return "null".to_owned() };
    let theirs = actor.works_in(detail.white_label.0);
    if theirs && !detail.stale {
        return text.clone();
    }
    let Ok(mut summary) = serde_json::from_str::<TraceSummary>(text) else {
        return if theirs { text.clone() } else { "null".to_owned() };
    };
    if detail.stale {
        summary.reliability_state = ReliabilityState::Stale;
    }
    let shown = if theirs { summary } else { summary.public() };
    serde_json::to_string(&shown).unwrap_or_else(|_| "null".to_owned())
}
