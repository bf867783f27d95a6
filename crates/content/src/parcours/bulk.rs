//! One action on many: what it would do, what it did, and its undoing.

use app::extract::{Body, Editor};
use app::record::bulk::{self, Does, MAX_BULK, Many, OnEach, Undo};
use app::record::{BulkView, UndoInput};
use app::{App, body_filter};
use axum::Json;
use axum::extract::State;
use domain::parcours::{BulkAction, BulkChange, Sheet, TraceMode};
use domain::step::Step;
use domain::{Actor, Capability, Fault, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::Value;
use store::access::Access;
use store::parcours::{self as rows, NewTrace, Stored};
use store::{StoreError, Tx};
use utoipa::ToSchema;

use super::compute::{arrange_steps, pace_of};
use super::content::ParcoursContent;
use super::error::{ParcoursError, ParcoursRefusal};
use super::list_query::ListQuery;
use super::saving::change;
use super::trace::remake;
use crate::custom;

/// One action on many parcours: those named, or those a filter leaves.
#[derive(Debug, Clone, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct BulkInput {
    /// Ids of the records.
    #[serde(default)]
    pub ids: Option<Vec<i64>>,
    /// Or those of the list that this leaves.
    #[serde(default, deserialize_with = "body_filter::strict_or_null")]
    pub filter: Option<ListQuery>,
    /// The action.
    pub action: BulkAction,
    /// With what, where there is a choice: `yes`, `no`, `inherit`; the number of what is set or added; a copyright.
    #[serde(default, deserialize_with = "given")]
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
        return Err(ParcoursRefusal::AgencyOnly { field: format!("/{}", wanted.field()) }.into());
    }
    check_value(&app, &editor, &wanted).await?;
    let ids = selected(&app, &editor, &sent).await?;
    let action = Action { wanted, languages: &app.settings.content_languages };
    bulk::apply::<ParcoursContent>(&app, &editor, &ids, sent.dry_run, action).await.map(Json)
}

/// A value that no sheet may hold is refused once, on its field, before anything is done.
async fn check_value(app: &App, actor: &Actor, wanted: &BulkChange) -> Result<(), ParcoursError> {
    if !wanted.is_checked() {
        return Ok(());
    }
    let blank = super::saving::blank(actor, app.now());
    let mut sheet = Sheet::default();
    wanted.apply_to(&mut sheet);
    let (_, faults) = super::input::faults_of(app, app.store.read(), actor, &blank, &sheet, None).await?;
    if faults.is_empty() {
        return Ok(());
    }
    let on_value = faults.into_iter().map(|fault| Fault { field: "/value".to_owned(), ..fault });
    Err(on_value.collect::<Vec<_>>().into())
}

async fn selected(app: &App, actor: &Actor, sent: &BulkInput) -> Result<Vec<i64>, ParcoursError> {
    match (&sent.ids, &sent.filter) {
        (Some(ids), _) => Ok(ids.clone()),
        (None, Some(filter)) => {
            let filter = filter.filter_for(app, actor).await;
            let filter = filter.map_err(|rejection| body_filter::refused::<ParcoursError>("/filter", rejection))?;
            let ids = rows::ids(app.store.read(), actor, &filter, MAX_BULK as u64 + 1).await?;
            Ok(ids.into_iter().map(|id| id.0).collect())
        }
        (None, None) => Err(Fault::new("validation/required", "/ids").into()),
    }
}

/// An action on parcours.
struct Action<'a> {
    wanted: BulkChange,
    languages: &'a [String],
}

/// A change to one parcours, and what it replaces.
#[derive(Debug)]
pub struct OneChange {
    wanted: BulkChange,
    before: BulkChange,
}

/// What an action replaced of a parcours: one field. A sheet with its steps would be a thousand times as long.
#[derive(Debug, Serialize, Deserialize)]
pub struct Replaced {
    before: BulkChange,
}

impl OnEach<ParcoursContent> for Action<'_> {
    async fn does(&self, tx: &Tx, stored: &Stored) -> Result<Does<OneChange>, ParcoursError> {
        let mode = stored.trace.as_ref().map(|trace| trace.mode);
        let publishes = self.wanted == BulkChange::Published(true) && !stored.published;
        if publishes && !custom::lacks_of(tx, stored).await?.is_empty() {
            return Ok(Does::Refuses("custom/required"));
        }
        Ok(match self.wanted.judge(&stored.sheet, stored.published, mode, self.languages) {
            Err(code) => Does::Refuses(code),
            Ok(None) => Does::Nothing,
            Ok(Some(before)) => Does::Changes(OneChange { wanted: self.wanted.clone(), before }),
        })
    }
}

impl Many for ParcoursContent {
    type Change = OneChange;
    type Before = Replaced;

    async fn load_many(tx: &Tx, ids: &[i64]) -> Result<Vec<Stored>, StoreError> {
        let ids: Vec<ParcoursId> = ids.iter().map(|id| ParcoursId(*id)).collect();
        rows::load_many(tx, &ids).await
    }

    async fn change(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        stored: &Stored,
        change: OneChange,
    ) -> Result<Undo<Replaced>, ParcoursError> {
        let version = apply(app, tx, actor, stored, &change.wanted).await?;
        Ok(Undo { id: stored.id.0, version, before: Replaced { before: change.before } })
    }

    async fn undo(app: &App, tx: &Tx, actor: &Actor, now: Stored, before: Replaced) -> Result<(), ParcoursError> {
        apply(app, tx, actor, &now, &before.before).await?;
        Ok(())
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
    bulk::undo::<ParcoursContent>(&app, &editor, &sent.undo_token).await.map(Json)
}
