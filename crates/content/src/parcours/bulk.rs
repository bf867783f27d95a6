//! One action on many: what it would do, what it did, and its undoing.

use app::extract::{Body, Editor};
use app::record::{BulkItem, BulkView, Outcome, UndoInput, applied, summed};
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use domain::parcours::{BulkAction, BulkChange, Sheet, TraceMode};
use domain::step::Step;
use domain::{Actor, Capability, ParcoursId};
use serde::Deserialize;
use serde_json::Value;
use store::Tx;
use store::access::Access;
use store::parcours::{self as rows, BulkRecord, NewTrace, Stored};
use utoipa::ToSchema;

use super::compute::{arrange_steps, pace_of};
use super::error::ParcoursError;
use super::list_query::ListQuery;
use super::saving::change;
use super::trace::remake;
use crate::custom;

/// The most parcours of one action.
const MAX_BULK: usize = 2_000;

/// One action on many parcours: those named, or those a filter leaves.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkInput {
    /// These.
    #[serde(default)]
    pub ids: Option<Vec<i64>>,
    /// Or those of the list that this leaves.
    #[serde(default)]
    pub filter: Option<ListQuery>,
    /// What is done.
    pub action: BulkAction,
    /// With what, where there is a choice: `yes`, `no`, `inherit`; the number of what is set or added; a copyright.
    #[serde(default, deserialize_with = "given")]
    #[schema(value_type = Option<Object>)]
    pub value: Option<Value>,
    /// Only report what would be done.
    #[serde(default)]
    pub dry_run: bool,
}

/// A value that is present, also null, differs from an absent one: null empties the field.
fn given<'de, D: serde::Deserializer<'de>>(deserializer: D) -> Result<Option<Value>, D::Error> {
    Value::deserialize(deserializer).map(Some)
}

/// Do one thing to many parcours; with `dry_run`, only report what would be done.
#[utoipa::path(post, path = "/api/v1/parcours/bulk", tag = "parcours", security(("session" = ["content.write"])),
    request_body(content = BulkInput), responses((status = 200, body = BulkView), ParcoursError))]
#[tracing::instrument(name = "parcours.bulk", skip_all)]
pub async fn change_many_parcours(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<BulkInput>,
) -> Result<Json<BulkView>, ParcoursError> {
    let wanted = BulkChange::new(sent.action, sent.value.as_ref())?;
    if wanted.needs_agency() && !editor.can(Capability::AgencyFields) {
        return Err(ParcoursError::AgencyOnly { field: format!("/{}", wanted.field()) });
    }
    let tx = app.store.begin().await?;
    check_value(&app, &tx, &editor, &wanted).await?;
    let ids = selected(&app, &tx, &editor, &sent).await?;
    let mut items = Vec::with_capacity(ids.len());
    let mut records = Vec::new();
    for stored in rows::load_many(&tx, &ids).await? {
        let (item, record) = treat(&app, &tx, &editor, &wanted, &stored, sent.dry_run).await?;
        items.extend(item);
        records.extend(record);
    }
    let undo_token = if records.is_empty() { None } else { Some(app::token::new_token()) };
    if let Some(token) = &undo_token {
        rows::record_bulk(&tx, token, editor.user_id, app.now(), &records).await?;
    }
    tx.commit().await?;
    Ok(Json(summed(items, undo_token)))
}

/// A value that no sheet may hold is refused once, on its field, before anything is done.
async fn check_value(app: &App, tx: &Tx, actor: &Actor, wanted: &BulkChange) -> Result<(), ParcoursError> {
    if !wanted.is_checked() {
        return Ok(());
    }
    let blank = super::saving::blank(actor, app.now());
    let mut sheet = Sheet::default();
    wanted.apply_to(&mut sheet);
    match super::input::checked(app, tx, actor, &blank, &sheet, None).await {
        Err(ParcoursError::Invalid { mut errors }) => {
            for fault in &mut errors {
                "/value".clone_into(&mut fault.field);
            }
            Err(ParcoursError::Invalid { errors })
        }
        other => other.map(|_| ()),
    }
}

async fn selected(app: &App, tx: &Tx, actor: &Actor, sent: &BulkInput) -> Result<Vec<ParcoursId>, ParcoursError> {
    let ids = match (&sent.ids, &sent.filter) {
        (Some(ids), _) => ids.iter().map(|id| ParcoursId(*id)).collect(),
        (None, Some(filter)) => {
            rows::ids(tx, actor, &filter.filter_for(app, actor).await?, MAX_BULK as u64 + 1).await?
        }
        (None, None) => return Err(domain::Fault::new("validation/required", "/ids").into()),
    };
    if ids.len() > MAX_BULK { Err(ParcoursError::BulkTooMany { max: MAX_BULK }) } else { Ok(ids) }
}

/// Treats one parcours; one that the person may not see is left out of the answer.
async fn treat(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    wanted: &BulkChange,
    stored: &Stored,
    dry_run: bool,
) -> Result<(Option<BulkItem>, Option<BulkRecord>), ParcoursError> {
    let item = |outcome, code| Some(BulkItem { id: stored.id.0, title: stored.sheet.title.clone(), outcome, code });
    if !actor.works_in(stored.white_label_id) {
        let seen = rows::header(tx, stored.id, actor).await?.is_some();
        return Ok((seen.then(|| item(Outcome::Refused, Some("parcours/not-yours"))).flatten(), None));
    }
    let mode = stored.trace.as_ref().map(|trace| trace.mode);
    let publishes = *wanted == BulkChange::Published(true) && !stored.published;
    if publishes && !custom::lacks_of(tx, stored).await?.is_empty() {
        return Ok((item(Outcome::Refused, Some("custom/required")), None));
    }
    match wanted.judge(&stored.sheet, stored.published, mode, &app.settings.content_languages) {
        Err(code) => Ok((item(Outcome::Refused, Some(code)), None)),
        Ok(None) => Ok((item(Outcome::Unchanged, None), None)),
        Ok(Some(_)) if dry_run => Ok((item(Outcome::Applied, None), None)),
        Ok(Some(before)) => {
            let version = apply(app, tx, actor, stored, wanted).await?;
            Ok((item(Outcome::Applied, None), Some(BulkRecord { id: stored.id, version, before })))
        }
    }
}

/// Changes one parcours and gives its new version.
async fn apply(app: &App, tx: &Tx, actor: &Actor, before: &Stored, wanted: &BulkChange) -> Result<i64, ParcoursError> {
    let mut after = before.clone();
    wanted.apply_to(&mut after.sheet);
    let mut trace: Option<NewTrace> = None;
    match wanted {
        BulkChange::Published(published) => after.published = *published,
        BulkChange::Mode(mode) => trace = with_mode(app, tx, before, &mut after.steps, *mode).await?,
        _ => {}
    }
    // The value of an action was checked already; an undo may bring references back that are no longer shared.
    let (was, is) = ((&before.sheet, before.steps.as_slice()), (&mut after.sheet, after.steps.as_mut_slice()));
    Access::of(actor).forget_unusable_of_parcours(tx, was, is).await?;
    Ok(rows::save(tx, before, after, trace.as_ref(), change(app, actor, Some("bulk"))).await?.version)
}

/// The trace in another mode, whose line may be another: the steps take their places on it.
async fn with_mode(
    app: &App,
    tx: &Tx,
    before: &Stored,
    steps: &mut [Step],
    mode: TraceMode,
) -> Result<Option<NewTrace>, ParcoursError> {
    let Some(kept) = rows::trace(tx, before.id).await? else { return Ok(None) };
    let trace = remake(app, tx, before, &kept, mode).await?;
    let (_, pace) = pace_of(tx, before.sheet.practice_type_id).await?;
    arrange_steps(steps, &trace, pace, Some(trace::measure(&kept.line()).distance_m));
    Ok(Some(trace))
}

/// Undo an action on many: those changed since are left as they are, and listed.
#[utoipa::path(post, path = "/api/v1/parcours/bulk/undo", tag = "parcours", security(("session" = ["content.write"])),
    request_body(content = UndoInput), responses((status = 200, body = BulkView), ParcoursError))]
#[tracing::instrument(name = "parcours.bulk_undo", skip_all)]
pub async fn undo_bulk(
    State(app): State<App>,
    editor: Editor,
    Body(sent): Body<UndoInput>,
) -> Result<Json<BulkView>, ParcoursError> {
    let tx = app.store.begin().await?;
    let records =
        rows::take_bulk(&tx, &sent.undo_token, editor.user_id, app.now()).await?.ok_or(ParcoursError::UndoExpired)?;
    let mut items = Vec::with_capacity(records.len());
    for record in records {
        let Some(stored) = rows::lock(&tx, record.id).await? else { continue };
        let title = stored.sheet.title.clone();
        let changed_since = stored.version != record.version || !editor.works_in(stored.white_label_id);
        let (outcome, code) = if changed_since {
            (Outcome::Refused, Some("parcours/changed-since"))
        } else {
            apply(&app, &tx, &editor, &stored, &record.before).await?;
            (Outcome::Applied, None)
        };
        items.push(BulkItem { id: record.id.0, title, outcome, code });
    }
    audit::undone(&app, &tx, &editor, applied(&items)).await?;
    tx.commit().await?;
    Ok(Json(summed(items, None)))
}
