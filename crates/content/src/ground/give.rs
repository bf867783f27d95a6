//! A device sends an entry. It may do so several times: the answer to the first may have been lost.

use app::App;
use app::extract::{Body, Editor, Path};
use app::markup;
use app::record::operations::insert;
use app::record::references::unknown;
use app::record::{At, Resource as _};
use app::token::Token;
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::feedback::NewReport;
use domain::ground::{GroundEntryInput, GroundKind, GroundText};
use domain::record::{Kind, Reference, Target};
use domain::{Actor, Fault, ParcoursId, PoiSheet, WhiteLabelId, html};
use serde_json::{Map, Value, json};
use store::ground::{self as rows, Entry};
use store::media::Medias;
use store::record::load_many;
use store::{Connection, Tx, feedback};

use super::view::{GroundEntryView, one};
use super::{GroundError, apply};
use crate::parcours::access::own;
use crate::parcours::beside;
use crate::poi::PoiResource;

/// Store an entry from the ground, once: sent again with the same identifier, it answers 200 with what is there and writes nothing.
#[utoipa::path(put, path = "/api/v1/ground/entries/{id}", tag = "ground", request_body = GroundEntryInput,
    params(("id" = String, Path, description = "A UUID that the device made for it")), security(("session" = ["content.write"])),
    responses((status = 201, body = GroundEntryView), (status = 200, body = GroundEntryView), GroundError))]
#[tracing::instrument(name = "ground.give", skip_all)]
pub async fn give_ground_entry(
    State(app): State<App>,
    editor: Editor,
    Path(id): Path<String>,
    Body(sent): Body<GroundEntryInput>,
) -> Result<(StatusCode, Json<GroundEntryView>), GroundError> {
    if !is_uuid(&id) {
        return Err(GroundError::BadId);
    }
    if let Some(kept) = rows::find(app.store.read(), &id).await? {
        return Ok((StatusCode::OK, Json(repeated(&app, &editor, &kept).await?)));
    }
    let sent = sent.checked()?;
    let poi = (sent.kind == GroundKind::Poi).then(|| poi_patch(&sent, &app.settings.content_languages));
    if let Some(patch) = &poi {
        markup::prepare::<PoiSheet>(patch).await?;
    }
    let parcours = sent.parcours_id.map(ParcoursId);
    let white_label = owner(app.store.read(), &editor, parcours).await?;
    if let Some((id, step)) = parcours.zip(sent.step_id).filter(|_| sent.kind == GroundKind::Correction) {
        Box::pin(step_is_known(app.store.read(), id, step)).await?;
    }
    let report = match parcours.filter(|_| sent.kind == GroundKind::Report) {
        Some(id) => Some((id, report(&sent)?, beside::at_m(&app, id, sent.position).await?)),
        None => None,
    };
    let tx = app.store.begin().await?;
    photos_are_theirs(&tx, &editor, &sent.media_ids).await?;
    let new = Entry {
        id: id.clone(),
        white_label_id: white_label,
        parcours_id: parcours,
        parcours_title: None,
        by: (editor.user_id, String::new()),
        kind: sent.kind,
        made_at: sent.made_at(app.now()),
        received_at: app.now(),
        position: sent.position,
        accuracy_m: sent.accuracy_m,
        body: GroundText::from(&sent),
        media_ids: sent.media_ids.clone(),
        result: None,
        reviewed_at: None,
        reviewed_by: None,
    };
    if !rows::insert(&tx, &new).await? {
        // Another request with the same entry came first, perhaps on another server.
        let kept = rows::find(&tx, &id).await?.ok_or(GroundError::NotFound)?;
        return Ok((StatusCode::OK, Json(repeated(&app, &editor, &kept).await?)));
    }
    if let Some(patch) = poi {
        let poi = make_poi(&app, &tx, &editor, white_label, &patch).await?;
        rows::set_result(&tx, &id, ("poi", poi)).await?;
        if apply::publish(&app, &tx, &editor, white_label, poi).await? {
            rows::set_reviewed(&tx, &id, None, new.received_at).await?;
        }
    }
    if sent.kind == GroundKind::Correction && apply::apply(&app, &tx, &editor, &sent).await? {
        rows::set_reviewed(&tx, &id, None, new.received_at).await?;
    }
    if let Some((parcours, said, at_m)) = report {
        let of = (parcours, white_label);
        let hash = Token::random().hash();
        let report = feedback::insert_report(&tx, of, &said, at_m, &hash, new.received_at).await?;
        rows::set_result(&tx, &id, ("field_report", report)).await?;
    }
    if sent.kind == GroundKind::Track {
        rows::set_track(&tx, &id, &sent.track).await?;
    }
    let shown = one(&editor, &tx, &id).await?;
    tx.commit().await?;
    Ok((StatusCode::CREATED, Json(shown)))
}

/// `xxxxxxxx-xxxx-xxxx-xxxx-xxxxxxxxxxxx` in small hexadecimal digits.
fn is_uuid(id: &str) -> bool {
    let parts: Vec<&str> = id.split('-').collect();
    let is_hex = |part: &&str| part.bytes().all(|byte| byte.is_ascii_digit() || (b'a'..=b'f').contains(&byte));
    parts.iter().map(|part| part.len()).eq([8, 4, 4, 4, 12]) && parts.iter().all(is_hex)
}

/// The answer to an entry that is there already.
async fn repeated(app: &App, actor: &Actor, kept: &Entry) -> Result<GroundEntryView, GroundError> {
    if kept.by.0 != actor.user_id || !actor.works_in(kept.white_label_id) {
        return Err(GroundError::OtherPerson);
    }
    one(actor, app.store.read(), &kept.id).await
}

/// The white-label that an entry belongs to: that of its parcours, else the active one.
async fn owner(db: &impl Connection, actor: &Actor, parcours: Option<ParcoursId>) -> Result<WhiteLabelId, GroundError> {
    match parcours {
        Some(id) => Ok(own(db, id, actor).await?.white_label_id),
        None => Ok(actor.active_white_label_id),
    }
}

/// A step that is corrected is one that the parcours has or had: it may have been deleted while the entry waited for a network.
async fn step_is_known(db: &impl Connection, id: ParcoursId, step: i64) -> Result<(), GroundError> {
    let parcours = store::parcours::load(db, id).await?;
    if parcours.is_some_and(|parcours| (1..=parcours.last_step_id).contains(&step)) {
        return Ok(());
    }
    Err(vec![Fault::new("validation/unknown-reference", "/step_id").with("id", step)].into())
}

/// Photos are media of the person's white-labels. Others are refused like media that are not there.
async fn photos_are_theirs(tx: &Tx, actor: &Actor, ids: &[i64]) -> Result<(), GroundError> {
    let found = load_many::<Medias>(tx, ids).await?;
    let is_theirs = |id: i64| {
        let media = found.iter().find(|media| media.id == id);
        media.and_then(|media| media.white_label_id).is_some_and(|owner| actor.works_in(owner))
    };
    let fault =
        |id: i64| unknown(&Reference { field: "media_ids", target: Target { kind: Kind::Media, list: None }, id });
    let errors: Vec<Fault> = ids.iter().copied().filter(|id| !is_theirs(*id)).map(fault).collect();
    if errors.is_empty() { Ok(()) } else { Err(errors.into()) }
}

/// The merge patch of the point of interest that an entry describes. Its name is also that in the first language, which every point of
/// interest has: the desk translates it.
fn poi_patch(sent: &GroundEntryInput, languages: &[String]) -> Map<String, Value> {
    let named = languages.iter().take(1).chain([&sent.language]);
    let patch = json!({
        "title": named.map(|language| (language.clone(), json!(sent.title))).collect::<Map<_, _>>(),
        "description": {&sent.language: html::paragraphs(&sent.text)},
        "location": sent.position,
        "category_ids": sent.category_id.into_iter().collect::<Vec<_>>(),
        "media_ids": sent.media_ids,
    });
    let Value::Object(patch) = patch else { return Map::new() };
    patch
}

/// Makes the point of interest, which is not published, as a save of its form does.
async fn make_poi(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    white_label: WhiteLabelId,
    patch: &Map<String, Value>,
) -> Result<i64, GroundError> {
    let mut blank = PoiResource::blank(app, actor, &At::default());
    blank.white_label_id = Some(white_label);
    Ok(insert::<PoiResource>(app, tx, actor, &blank, patch, Some(REASON)).await?)
}

/// The reason that the history gives for what was made from an entry.
pub(super) const REASON: &str = "ground";

/// The field report that an entry describes.
fn report(sent: &GroundEntryInput) -> Result<NewReport, Vec<Fault>> {
    let said = NewReport {
        kind: sent.report_kind.unwrap_or_default(),
        position: sent.position,
        text: sent.text.clone(),
        email: String::new(),
        language: sent.language.clone(),
        has_photo: !sent.media_ids.is_empty(),
    };
    said.checked()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_identifier_is_a_uuid_in_small_letters() {
        assert!(is_uuid("0b8f3c1e-7a55-4c3e-9d7f-5f0f3a9b1c2d"));
        for wrong in
            ["", "0b8f3c1e", "0B8F3C1E-7a55-4c3e-9d7f-5f0f3a9b1c2d", "0b8f3c1g-7a55-4c3e-9d7f-5f0f3a9b1c2d", "--------"]
        {
            assert!(!is_uuid(wrong), "{wrong}");
        }
    }
}
