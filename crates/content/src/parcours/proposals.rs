//! Changes that a program proposes for a parcours: a text, or a step. They are stored beside it and change nothing until a person accepts
//! them (decision 0067).

use app::App;
use app::extract::{Body, Editor, IfMatch, Path, Reader};
use app::markup;
use app::record::{Content as _, Named};
use axum::Json;
use axum::extract::State;
use domain::parcours::Sheet;
use domain::step::StepInput;
use domain::{Actor, Fault, Instant, ParcoursId};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};
use store::parcours::{self as rows, Proposal, Stored};
use utoipa::ToSchema;

use super::access::{held, held_at, own};
use super::content::{Draft, ParcoursContent};
use super::error::{ParcoursError, ParcoursRefusal};
use super::input::patched;
use super::json::JsonText;
use super::saving::shown;
use super::view::ParcoursView;

/// Texts of a parcours that a program may propose.
pub const TEXTS: [&str; 7] =
    ["title", "subtitle", "summary", "description", "meta_title", "meta_description", "audio_guide"];
/// The most proposals that wait on a parcours.
const MAX_WAITING: usize = 100;
const MAX_NOTE_CHARS: usize = 500;
/// The reason that the history gives for a save that accepted a proposal.
const REASON: &str = "assistant";

/// A change that is proposed.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct ProposedChange {
    /// The text's field, or `steps`.
    pub field: String,
    /// The language of the text.
    pub language: Option<String>,
    /// The text it was made from.
    pub before: Option<String>,
    /// The text to have.
    pub text: Option<String>,
    /// The step to add.
    pub step: Option<StepInput>,
    /// Why.
    pub note: Option<String>,
}

/// A proposal of a program that waits for a person.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Proposal)]
pub struct ProposalView {
    pub id: i64,
    pub at: Instant,
    /// The person for whom it was made.
    pub by: Named,
    /// The name of the program's token.
    pub token: String,
    #[serde(flatten)]
    pub change: ProposedChange,
}

/// What waits on a parcours, the oldest first.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[schema(as = Proposals)]
pub struct ProposalsView {
    /// The proposals.
    pub items: Vec<ProposalView>,
}

/// Whether a proposal is accepted.
#[derive(Debug, Clone, Copy, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct ProposalDecision {
    /// False refuses it.
    pub accepted: bool,
}

fn view(kept: Proposal) -> Result<ProposalView, ParcoursError> {
    let change = change_of(&kept)?;
    let by = Named { id: kept.user_id.0, name: kept.user_name };
    Ok(ProposalView { id: kept.id, at: kept.created_at, by, token: kept.token_name, change })
}

fn change_of(kept: &Proposal) -> Result<ProposedChange, ParcoursError> {
    let read = serde_json::from_str(&kept.body);
    Ok(read.map_err(app::problem::Internal::new)?)
}

/// What programs proposed for a parcours, for its own staff.
#[utoipa::path(get, path = "/api/v1/parcours/{id}/proposals", tag = "parcours", params(("id" = i64, Path)), security(("session" = ["content.read"])),
    responses((status = 200, body = ProposalsView), ParcoursError))]
pub async fn list_parcours_proposals(
    State(app): State<App>,
    reader: Reader,
    Path(id): Path<ParcoursId>,
) -> Result<Json<ProposalsView>, ParcoursError> {
    own(app.store.read(), id, &reader).await?;
    let items = rows::proposals(app.store.read(), id).await?.into_iter().map(view).collect::<Result<_, _>>()?;
    Ok(Json(ProposalsView { items }))
}

/// Accept a proposal, which saves its change, or refuse it.
#[utoipa::path(put, path = "/api/v1/parcours/{id}/proposals/{proposal_id}", tag = "parcours", request_body = ProposalDecision,
    params(("id" = i64, Path), ("proposal_id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["content.write"])),
    responses((status = 200, body = ParcoursView), ParcoursError))]
#[tracing::instrument(name = "parcours.decide_proposal", skip_all, fields(parcours.id = %id))]
pub async fn decide_parcours_proposal(
    State(app): State<App>,
    editor: Editor,
    Path((id, proposal)): Path<(ParcoursId, i64)>,
    based_on: IfMatch,
    Body(sent): Body<ProposalDecision>,
) -> Result<JsonText, ParcoursError> {
    own(app.store.read(), id, &editor).await?;
    let kept = rows::proposal(app.store.read(), id, proposal).await?.ok_or(ParcoursRefusal::NoProposal)?;
    let change = change_of(&kept)?;
    markup::prepare::<Sheet>(&text_patch(&change)).await?;
    let tx = app.store.begin().await?;
    let before = held_at(&app, &tx, id, &editor, based_on).await?;
    if !rows::settle_proposal(&tx, id, proposal).await? {
        return Err(ParcoursRefusal::NoProposal.into());
    }
    if sent.accepted {
        let after = patched(&app, &tx, &editor, &before, &patch(&change, &before)).await?;
        ParcoursContent::save(&app, &tx, &editor, &before, Draft { after, trace: None }, Some(REASON)).await?;
    }
    let reply = shown(&app, &tx, id, &editor).await?;
    tx.commit().await?;
    Ok(reply)
}

/// What a program proposes.
#[derive(Debug, Clone, PartialEq)]
pub enum Proposed {
    /// Another text in a field.
    Text {
        /// One of [`TEXTS`].
        field: String,
        language: String,
        text: String,
    },
    /// One more step.
    Step(Box<StepInput>),
}

/// Stores a proposal of a program, once it is checked as a save of the same change is. Nothing else is written.
pub async fn propose(
    app: &App,
    actor: &Actor,
    id: ParcoursId,
    token_name: &str,
    (proposed, note): (Proposed, Option<String>),
) -> Result<ProposalView, ParcoursError> {
    let mut change = match proposed {
        Proposed::Text { field, language, text } => {
            if !TEXTS.contains(&field.as_str()) {
                return Err(vec![Fault::new("validation/unknown-field", "/field").with("name", field)].into());
            }
            let (language, text) = (Some(language), Some(text));
            ProposedChange { field, language, before: None, text, step: None, note }
        }
        Proposed::Step(step) => {
            let (field, step) = ("steps".to_owned(), Some(StepInput { id: None, ..*step }));
            ProposedChange { field, language: None, before: None, text: None, step, note }
        }
    };
    if change.note.as_ref().is_some_and(|note| note.chars().count() > MAX_NOTE_CHARS) {
        return Err(vec![Fault::new("validation/too-long", "/note").with("max", MAX_NOTE_CHARS)].into());
    }
    markup::prepare::<Sheet>(&text_patch(&change)).await?;
    let tx = app.store.begin().await?;
    let before = held(&tx, id, actor).await?;
    let after = patched(app, &tx, actor, &before, &patch(&change, &before)).await?;
    if let Some(language) = &change.language {
        let (old, new) =
            (text_at(&before.sheet, &change.field, language), text_at(&after.sheet, &change.field, language));
        if old == new {
            return Err(ParcoursRefusal::ProposalSame.into());
        }
        // What is stored is what a save would store: the markup is made safe.
        (change.before, change.text) = (Some(old), Some(new));
    }
    if rows::proposals(&tx, id).await?.len() >= MAX_WAITING {
        return Err(ParcoursRefusal::TooManyProposals { max: MAX_WAITING }.into());
    }
    let mut new = Proposal {
        id: 0,
        user_id: actor.user_id,
        user_name: String::new(),
        token_name: token_name.to_owned(),
        created_at: app.now(),
        base_version: before.version,
        body: serde_json::to_string(&change).map_err(app::problem::Internal::new)?,
    };
    new.id = rows::propose(&tx, id, &new).await?;
    let kept = rows::proposal(&tx, id, new.id).await?.unwrap_or(new);
    tx.commit_aside().await?;
    view(kept)
}

/// The merge patch of a change on the present parcours.
fn patch(change: &ProposedChange, present: &Stored) -> Map<String, Value> {
    let Some(step) = &change.step else { return text_patch(change) };
    let mut steps: Vec<Value> = present.steps.iter().map(|step| json!(step)).collect();
    steps.push(json!(step));
    Map::from_iter([("steps".to_owned(), Value::from(steps))])
}

/// The merge patch of a text; empty for a step.
fn text_patch(change: &ProposedChange) -> Map<String, Value> {
    let (Some(language), Some(text)) = (&change.language, &change.text) else { return Map::new() };
    Map::from_iter([(change.field.clone(), json!({ language: text }))])
}

fn text_at(sheet: &Sheet, field: &str, language: &str) -> String {
    json!(sheet)[field][language].as_str().unwrap_or_default().to_owned()
}
