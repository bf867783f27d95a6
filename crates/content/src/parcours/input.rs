//! Turns the body of a request into a sheet that may be saved: merges, cleans, checks the rules and the references.

use std::collections::HashSet;

use app::App;
use app::markup::sanitise;
use app::record::references::{unknown, without_those_of_unknown};
use domain::parcours::line::Pace;
use domain::parcours::{STEP_LINES, Sheet, agency_fields_in, apply_patch, arrange, clean, references, relation, rules};
use domain::record::{Reference, Sheet as _};
use domain::step::{StepInput, StepReferences, check_steps, number_steps};
use domain::vocabulary::{Attributes, VocabularyKind};
use domain::white_label::CustomOn;
use domain::{Actor, Capability, Fault, MediaKind, ParcoursId};
use serde_json::{Map, Value};
use store::access::{Access, added};
use store::parcours::{self as rows, Ancestry, Stored};
use store::{Connection, StoreError};

use super::compute::pace_of;
use super::error::{ParcoursError, ParcoursRefusal};
use crate::custom;

/// A parcours after a patch, ready to be saved.
pub(super) async fn patched(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    before: &Stored,
    patch: &Map<String, Value>,
) -> Result<Stored, ParcoursError> {
    let mut sheet = apply_patch(&before.sheet, patch)?;
    clean::clean_changed(&mut sheet, &before.sheet, &sanitise);
    let steps = patch.get("steps").map(read_steps).transpose()?;
    let changed = checked(app, db, actor, before, &sheet, steps.as_deref()).await?;
    let mut after = Stored { sheet, ..before.clone() };
    if let Some(inputs) = steps {
        let (numbered, last) = number_steps(inputs, &before.steps, before.last_step_id);
        after.steps = numbered;
        after.last_step_id = last;
        place_steps(db, &mut after).await?;
    }
    debug_assert!(
        changed.iter().all(|name| *name == "steps" || Sheet::NAMES.contains(name)),
        "only known fields change"
    );
    Ok(after)
}

/// Checks a sheet and its steps against all rules, and returns the changed fields.
pub(super) async fn checked(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    before: &Stored,
    sheet: &Sheet,
    steps: Option<&[StepInput]>,
) -> Result<Vec<&'static str>, ParcoursError> {
    let (changed, faults) = faults_of(app, db, actor, before, sheet, steps).await?;
    if faults.is_empty() { Ok(changed) } else { Err(faults.into()) }
}

/// The changed fields of a sheet and its steps, and their faults.
pub(super) async fn faults_of(
    app: &App,
    db: &impl Connection,
    actor: &Actor,
    before: &Stored,
    sheet: &Sheet,
    steps: Option<&[StepInput]>,
) -> Result<(Vec<&'static str>, Vec<Fault>), ParcoursError> {
    let languages = &app.settings.content_languages;
    let mut changed = sheet.changed_since(&before.sheet);
    if !actor.can(Capability::AgencyFields)
        && let Some(name) = agency_fields_in(&changed).next()
    {
        return Err(ParcoursRefusal::AgencyOnly { field: format!("/{name}") }.into());
    }
    let mut errors = rules::check(sheet, &changed, rules::RuleContext { languages });
    errors.retain(|fault| concerns(fault, &changed));
    if let Some(lost) = rules::title_lost(&before.sheet, sheet, true, languages) {
        if before.published {
            errors.push(lost);
        } else if store::share::count_live_temporary(db, before.id, app.now()).await? > 0 {
            errors.push(Fault::new("parcours/title-required-to-share", lost.field));
        }
    }
    if let Some(steps) = steps {
        changed.push("steps");
        errors.extend(check_steps(steps, languages));
    }
    let published = before.published && changed.contains(&"custom");
    let values = (&before.sheet.custom, &sheet.custom);
    errors.extend(custom::faults(db, before.white_label_id, CustomOn::Parcours, values, published).await?);
    let unknown = unknown_references(db, actor, before, sheet, steps).await?;
    let mut own = scale_faults(db, sheet, &changed).await?;
    own.extend(media_faults(db, sheet, &changed).await?);
    own.extend(relation_faults(db, before, sheet, &changed).await?);
    let own = without_those_of_unknown(own, &unknown);
    errors.extend(unknown);
    errors.extend(own);
    Ok((changed, errors))
}

/// Whether a fault concerns a changed field. Faults of other fields do not block a save.
fn concerns(fault: &Fault, changed: &[&str]) -> bool {
    let top = fault.field.split('/').nth(1).unwrap_or_default();
    let beside: &[&str] = match top {
        "parent_id" => &["relation"],
        "max_price_cents" => &["price_cents"],
        "description" => &["distribute_own"],
        _ => &[],
    };
    changed.iter().any(|name| *name == top || beside.contains(name))
}

/// Steps from JSON; a fault names the place of the wrong step.
pub(super) fn read_steps(value: &Value) -> Result<Vec<StepInput>, Vec<Fault>> {
    let Some(items) = value.as_array() else {
        return if value.is_null() {
            Ok(Vec::new())
        } else {
            Err(vec![Fault::new("validation/wrong-type", "/steps").with("name", "steps")])
        };
    };
    let mut faults = Vec::new();
    let mut steps = Vec::with_capacity(items.len());
    for (index, item) in items.iter().enumerate() {
        match serde_path_to_error::deserialize::<_, StepInput>(item) {
            Ok(step) => steps.push(step),
            Err(error) => {
                let name = error.path().to_string();
                let tail = if name == "." { String::new() } else { format!("/{}", name.replace('.', "/")) };
                faults.push(Fault::new("validation/wrong-type", format!("/steps/{index}{tail}")).with("name", name));
            }
        }
    }
    if faults.is_empty() { Ok(steps) } else { Err(faults) }
}

/// The faults of what newly is pointed to and is not there, or may not be used by this person.
pub(super) async fn unknown_references(
    db: &impl Connection,
    actor: &Actor,
    before: &Stored,
    sheet: &Sheet,
    steps: Option<&[StepInput]>,
) -> Result<Vec<Fault>, StoreError> {
    let old = StepReferences::of(&before.steps);
    let new = steps.map_or_else(|| old.clone(), StepReferences::of_inputs);
    let added = added(&references(&before.sheet, &old), references(sheet, &new));
    let refused = Access::of(actor).unusable(db, &added).await?;
    Ok(placed(&refused, sheet, steps.unwrap_or_default()))
}

/// The faults of references, each on its field; within steps and special levels, on the value that points there.
fn placed(refused: &[Reference], sheet: &Sheet, steps: &[StepInput]) -> Vec<Fault> {
    let ids = |field: &str| -> HashSet<i64> { refused.iter().filter(|to| to.field == field).map(|to| to.id).collect() };
    let (levels, practices, lines) = (ids("special_levels"), ids("steps"), ids(STEP_LINES));
    let is_whole = |to: &&Reference| !["special_levels", "steps", STEP_LINES].contains(&to.field);
    let fault = |id: i64, field: String| Fault::new("validation/unknown-reference", field).with("id", id);
    let mut faults: Vec<Fault> = refused.iter().filter(is_whole).map(unknown).collect();
    let special = sheet.special_levels.iter().filter(|(_, id)| levels.contains(id));
    faults.extend(special.map(|(scale, id)| fault(*id, format!("/special_levels/{scale}"))));
    for (index, step) in steps.iter().enumerate() {
        let practice = step.practice_type_id.filter(|id| practices.contains(id));
        faults.extend(practice.map(|id| fault(id, format!("/steps/{index}/practice_type_id"))));
        let lines = step.line_ids.iter().filter(|id| lines.contains(id));
        faults.extend(lines.map(|id| fault(*id, format!("/steps/{index}/line_ids"))));
    }
    faults
}

/// The scale of `level_id`; special levels are of the others.
const GENERAL: &str = "general";

/// A level must be of the right scale: `general` for the parcours' own, the named one for each special one.
async fn scale_faults(db: &impl Connection, sheet: &Sheet, changed: &[&str]) -> Result<Vec<Fault>, StoreError> {
    if !["level_id", "special_levels"].iter().any(|name| changed.contains(name)) {
        return Ok(Vec::new());
    }
    let levels = store::vocabulary::list(db, VocabularyKind::Level).await?;
    let scale_of = |id: i64| {
        levels.iter().find(|level| level.id.0 == id).and_then(|level| match &level.attributes {
            Attributes::Level(attributes) => Some(attributes.scale.as_str()),
            _ => None,
        })
    };
    let general = sheet.level_id.map(|id| (GENERAL, id, "/level_id".to_owned()));
    let special = sheet.special_levels.iter().filter(|(scale, _)| *scale != GENERAL);
    let special = special.map(|(scale, id)| (scale.as_str(), *id, format!("/special_levels/{scale}")));
    // An unknown level is reported by another rule.
    let wrong =
        general.into_iter().chain(special).filter(|(scale, id, _)| scale_of(*id).is_some_and(|own| own != *scale));
    let mut faults: Vec<Fault> =
        wrong.map(|(scale, _, field)| Fault::new("parcours/level-scale", field).with("scale", scale)).collect();
    if sheet.special_levels.contains_key(GENERAL) {
        faults.push(Fault::new("parcours/general-level-apart", format!("/special_levels/{GENERAL}")));
    }
    Ok(faults)
}

/// The sounds of the audio walk are sounds; the main media is a picture where there is one.
async fn media_faults(db: &impl Connection, sheet: &Sheet, changed: &[&str]) -> Result<Vec<Fault>, StoreError> {
    let sounds = [
        ("audio_main_media_id", sheet.audio_main_media_id),
        ("audio_transition_media_id", sheet.audio_transition_media_id),
    ];
    let sounds: Vec<_> = sounds
        .into_iter()
        .filter_map(|(field, id)| id.filter(|_| changed.contains(&field)).map(|id| (field, id)))
        .collect();
    let shown: &[i64] = if changed.contains(&"media_ids") { &sheet.media_ids } else { &[] };
    let asked: Vec<i64> = sounds.iter().map(|(_, id)| *id).chain(shown.iter().copied()).collect();
    if asked.is_empty() {
        return Ok(Vec::new());
    }
    // An unknown media is reported by another rule.
    let kinds = store::media::kinds(db, &asked).await?;
    let is_another = |id: &i64, kind: MediaKind| kinds.get(id).is_some_and(|own| *own != kind);
    let mut faults: Vec<Fault> = sounds
        .iter()
        .filter(|(_, id)| is_another(id, MediaKind::Audio))
        .map(|(field, _)| Fault::new("parcours/not-a-sound", format!("/{field}")))
        .collect();
    let has_picture = shown.iter().any(|id| kinds.get(id) == Some(&MediaKind::Image));
    if has_picture && shown.first().is_some_and(|first| is_another(first, MediaKind::Image)) {
        faults.push(Fault::new("parcours/cover-not-a-picture", "/media_ids"));
    }
    Ok(faults)
}

/// Parents and models: no circle. An unknown one is reported by another rule.
async fn relation_faults(
    db: &impl Connection,
    before: &Stored,
    sheet: &Sheet,
    changed: &[&str],
) -> Result<Vec<Fault>, StoreError> {
    let own = Some(before.id.0).filter(|id| *id > 0);
    let mut faults = Vec::new();
    for (field, target, line) in
        [("parent_id", sheet.parent_id, Ancestry::Parent), ("model_id", sheet.model_id, Ancestry::Model)]
    {
        let Some(target) = target.filter(|_| changed.contains(&field)) else { continue };
        if let Some(above) = rows::ancestors(db, ParcoursId(target), line).await? {
            faults.extend(relation::check_no_circle(own, target, &above, &format!("/{field}")).err());
        }
    }
    Ok(faults)
}

/// Puts new steps on the trace in use, and measures what is between them.
async fn place_steps(db: &impl Connection, after: &mut Stored) -> Result<(), StoreError> {
    let Some(trace) = rows::trace(db, after.id).await? else {
        arrange::measure(&mut after.steps, None);
        return Ok(());
    };
    let line = trace.line();
    let pace: Pace = pace_of(db, after.sheet.practice_type_id).await?.1;
    let along = trace.summary.along(&line, pace);
    arrange::arrange(&mut after.steps, &along, None);
    Ok(())
}
