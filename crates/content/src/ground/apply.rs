//! Applies ground entries without a review, where the white-label chose so (decision 0085).

use app::App;
use app::record::{Content, RecordError, owned};
use domain::ground::{Corrected, GroundEntryInput};
use domain::white_label::WhiteLabelFlags;
use domain::{Actor, Capability, WhiteLabelId, html};
use serde_json::{Map, Value, json};
use store::record::load;
use store::white_label::WhiteLabels;
use store::{StoreError, Tx};

use super::GroundError;
use super::give::REASON;
use crate::parcours::ParcoursContent;
use crate::poi::PoiResource;

/// Applies the fields of a correction that its white-label takes and that no other save changed meanwhile, if the person may change what
/// is corrected. True where nothing of it is left to review.
pub(super) async fn apply(app: &App, tx: &Tx, actor: &Actor, sent: &GroundEntryInput) -> Result<bool, GroundError> {
    let Some(before) = &sent.before else { return Ok(false) };
    let is_whole = match (sent.poi_id, sent.parcours_id.zip(sent.step_id)) {
        (Some(poi), _) => apply_to_poi(app, tx, actor, sent, before, poi).await?,
        (None, Some((parcours, step))) => apply_to_step(app, tx, actor, sent, before, (parcours, step)).await?,
        (None, None) => false,
    };
    // A photo or a voice note wants to be looked at.
    Ok(is_whole && sent.media_ids.is_empty())
}

async fn apply_to_poi(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    sent: &GroundEntryInput,
    before: &Corrected,
    id: i64,
) -> Result<bool, GroundError> {
    let Some(present) = PoiResource::lock(tx, id).await?.filter(|poi| PoiResource::is_own(actor, poi)) else {
        return Ok(false);
    };
    let flags = flags_of(tx, present.white_label_id.unwrap_or_default()).await?;
    if !flags.takes_corrections() {
        return Ok(false);
    }
    let language = &sent.language;
    // A text with more than paragraphs is not that of its words: it counts as changed, and the desk sees what would be lost.
    let in_html = |of: &Corrected| Corrected { text: html::paragraphs(&of.text), ..of.clone() };
    let now = Corrected {
        title: present.sheet.title.get(language).unwrap_or_default().to_owned(),
        text: present.sheet.description.get(language).unwrap_or_default().to_owned(),
        position: present.sheet.location,
    };
    let merged = in_html(before).merged(&in_html(&wanted(sent)), &now, flags);
    let Corrected { title, text, position } = merged.taken;
    let fields = [("title", title), ("description", text)].into_iter().filter(|(_, words)| !words.is_empty());
    let mut patch: Map<String, Value> =
        fields.map(|(field, words)| (field.to_owned(), json!({ language: words }))).collect();
    if let Some(position) = position {
        patch.insert("location".to_owned(), json!(position));
    }
    let is_saved = save::<PoiResource>(app, tx, actor, &present, &patch).await?;
    Ok(is_saved && merged.is_whole)
}

async fn apply_to_step(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    sent: &GroundEntryInput,
    before: &Corrected,
    (parcours, step): (i64, i64),
) -> Result<bool, GroundError> {
    let Some(present) = ParcoursContent::lock(tx, parcours).await?.filter(|one| ParcoursContent::is_own(actor, one))
    else {
        return Ok(false);
    };
    let Some(at) = present.steps.iter().position(|known| known.id == step) else { return Ok(false) };
    let flags = flags_of(tx, present.white_label_id).await?;
    if !flags.takes_corrections() {
        return Ok(false);
    }
    let language = &sent.language;
    let mut steps = present.steps.clone();
    let step = &mut steps[at];
    let now = Corrected {
        title: step.title.get(language).unwrap_or_default().to_owned(),
        text: step.description.get(language).unwrap_or_default().to_owned(),
        position: Some([step.position.lon, step.position.lat]),
    };
    let merged = before.merged(&wanted(sent), &now, flags);
    let Corrected { title, text, position } = &merged.taken;
    for (field, words) in [(&mut step.title, title), (&mut step.description, text)] {
        if !words.is_empty() {
            field.set(language, words);
        }
    }
    if let Some([lon, lat]) = *position {
        step.position = trace::Position::new(lon, lat);
        // Where it is along the line is worked out anew.
        step.at_m = None;
    }
    let is_changed = merged.taken != Corrected::default();
    let patch = if is_changed { Map::from_iter([("steps".to_owned(), json!(steps))]) } else { Map::new() };
    let is_saved = save::<ParcoursContent>(app, tx, actor, &present, &patch).await?;
    Ok(is_saved && merged.is_whole)
}

/// What a correction wants.
fn wanted(sent: &GroundEntryInput) -> Corrected {
    Corrected { title: sent.title.clone(), text: sent.text.clone(), position: sent.position }
}

/// Saves a merge patch as its form does. False where a save would be refused: the correction waits for the desk.
async fn save<C: Content>(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    before: &C::Stored,
    patch: &Map<String, Value>,
) -> Result<bool, RecordError<C>> {
    if patch.is_empty() {
        return Ok(true);
    }
    match C::patched(app, tx, actor, before, patch).await {
        Ok(draft) => C::save(app, tx, actor, before, draft, Some(REASON)).await.map(|()| true),
        Err(refused) if refused.is_refusal() => Ok(false),
        Err(failed) => Err(failed),
    }
}

/// Publishes a point of interest that was just made, where its white-label wants it so and the person may. True where it is published.
pub(super) async fn publish(
    app: &App,
    tx: &Tx,
    actor: &Actor,
    owner: WhiteLabelId,
    id: i64,
) -> Result<bool, GroundError> {
    if !actor.can(Capability::ContentPublish) || !flags_of(tx, owner).await?.ground_pois {
        return Ok(false);
    }
    let Some(before) = PoiResource::lock(tx, id).await? else { return Ok(false) };
    Ok(owned::turn::<PoiResource>(app, tx, actor, &before, true, Some(REASON)).await?.is_empty())
}

async fn flags_of(tx: &Tx, owner: WhiteLabelId) -> Result<WhiteLabelFlags, StoreError> {
    Ok(load::<WhiteLabels>(tx, owner.0).await?.map(|owner| owner.sheet.flags).unwrap_or_default())
}
