//! Duplicate a parcours.

use app::App;
use app::extract::{Body, Editor, Path};
use axum::extract::State;
use domain::parcours::{AGENCY_FIELDS, Inheritable, Relation, Sheet, TraceOrigin, TraceSummary};
use domain::record::Sheet as _;
use domain::rest::Rest;
use domain::{Actor, Capability, ParcoursId, Text};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use store::access::Access;
use store::parcours::{self as rows, NewParcours, Stored, StoredTrace};
use utoipa::ToSchema;

use super::access::seen;
use super::error::{ParcoursError, ParcoursRefusal, not_found};
use super::input::patched;
use super::json::JsonText;
use super::saving::{change, shown};
use super::view::ParcoursView;

/// What a duplicate is asked with.
#[derive(Debug, Clone, Default, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct Duplication {
    /// The copy's title: a text in the first language, or one for each.
    #[schema(value_type = Object)]
    pub title: Value,
    /// The model under which the copy is made a child.
    pub model_id: Option<i64>,
}

/// Duplicate a parcours into the active white-label, unpublished, with its steps and its trace. A copy of another white-label's
/// parcours has the line in use as a drawn one, without the file it came from.
#[utoipa::path(post, path = "/api/v1/parcours/{id}/duplicate", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.write"])),
    request_body(content = Duplication), responses((status = 201, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.duplicate", skip_all, fields(parcours.id = %id))]
pub async fn duplicate_parcours(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<ParcoursId>,
    Body(asked): Body<Duplication>,
) -> Result<JsonText, ParcoursError> {
    let tx = app.store.begin().await?;
    seen(&tx, id, &editor).await?;
    let original = rows::load(&tx, id).await?.ok_or_else(|| not_found(id))?;
    let mut patch = Map::new();
    patch.insert("title".to_owned(), title_of(&app, &asked.title)?);
    patch.insert("progress_status".to_owned(), Value::Null);
    if let Some(model) = asked.model_id {
        patch.insert("model_id".to_owned(), model.into());
        patch.insert("parent_id".to_owned(), model.into());
        patch.insert("relation".to_owned(), json!("child"));
    }
    let foreign = !editor.works_in(original.white_label_id);
    let mut source = copyable(&editor, original);
    // What the original points to and its owner does not share stays behind.
    let (sheet, steps) = (&mut source.sheet, &mut source.steps);
    Access::of(&editor).forget_unusable_of_parcours(&tx, (&Sheet::default(), &[]), (sheet, steps)).await?;
    let copy = patched(&app, &tx, &editor, &source, &patch).await?;
    let trace = rows::trace(&tx, id).await?.map(|trace| if foreign { from_public_line(trace) } else { trace });
    let new = NewParcours {
        white_label_id: editor.active_white_label_id,
        published: false,
        sheet: copy.sheet,
        steps: copy.steps,
        trace: trace.as_ref().map(Into::into),
    };
    let made = rows::insert(&tx, &new, change(&app, &editor, None)).await?;
    let reply = shown(&app, &tx, made.id, &editor).await?;
    tx.commit().await?;
    Ok(reply.created(format!("/api/v1/parcours/{}", made.id)))
}

/// A copy of another white-label's parcours starts from the public line: it has no source file and no recording.
fn from_public_line(trace: StoredTrace) -> StoredTrace {
    let public = trace.public();
    StoredTrace { summary: TraceSummary { origin: TraceOrigin::Drawn, ..public.summary }, ..public }
}

/// What may be copied: of another's content, not what is reserved to its agency, nor its place among its relatives.
fn copyable(actor: &Actor, original: Stored) -> Stored {
    let foreign = !actor.works_in(original.white_label_id);
    let (mut sheet, mut steps) = (original.sheet, original.steps);
    sheet.title = Text::default();
    if foreign || !actor.can(Capability::AgencyFields) {
        let bookable = sheet.bookable;
        for name in AGENCY_FIELDS {
            sheet.take_field(name, &Sheet::default());
        }
        // What cannot be booked cannot be booked through a copy either: an empty answer leaves it to the booking link.
        if bookable == Inheritable::No {
            sheet.bookable = bookable;
        }
    }
    if foreign {
        (sheet.parent_id, sheet.model_id, sheet.relation) = (None, None, Relation::None);
        // Its values are of fields of another white-label.
        sheet.custom.clear();
        // The contact of the original does not answer for the copy.
        sheet.contact_id = None;
        // Nor does its agency sell the copy.
        sheet.booking_url = None;
        sheet.booking_label = Text::default();
        // What a newer version stored may be the owner's alone.
        sheet.rest = Rest::default();
        for step in &mut steps {
            step.rest = Rest::default();
        }
    }
    sheet.distribute_own = false;
    sheet.distribute_partners = false;
    let white_label_id = actor.active_white_label_id;
    Stored { id: ParcoursId(0), white_label_id, published: false, sheet, steps, ..original }
}

fn title_of(app: &App, asked: &Value) -> Result<Value, ParcoursError> {
    let title = match asked {
        Value::String(words) => {
            let first = app.settings.main_language();
            json!({ first: words })
        }
        other => other.clone(),
    };
    let written = title
        .as_object()
        .is_some_and(|texts| texts.values().any(|text| text.as_str().is_some_and(|words| !words.trim().is_empty())));
    if written { Ok(title) } else { Err(ParcoursRefusal::DuplicateTitleRequired.into()) }
}
