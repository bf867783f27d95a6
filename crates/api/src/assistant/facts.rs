//! The facts of a parcours or a picture, gathered for the assistant: its own, and the names of what it points to.

use app::markup::as_plain;
use domain::assistant::{Facts, Focus, StepFact};
use domain::media::MediaSheet;
use domain::step::{Step, StepKind};
use domain::vocabulary::VocabularyKind;
use store::parcours::Stored;
use store::poi::Pois;
use store::{Connection, StoreError};

/// Most points of interest among the facts.
const MAX_POIS: usize = 12;

/// The names of items of a list, in a language.
async fn names(
    db: &impl Connection,
    kind: VocabularyKind,
    ids: &[i64],
    language: &str,
) -> Result<Vec<String>, StoreError> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let items = store::vocabulary::list(db, kind).await?;
    let name = |id: &i64| items.iter().find(|item| item.id.0 == *id).map(|item| item.label.best(language).to_owned());
    Ok(ids.iter().filter_map(name).collect())
}

/// The facts of a picture in a language.
pub(super) fn facts_of_media(sheet: &MediaSheet, language: &str) -> Facts {
    let legend = Some(sheet.legend.best(language).trim().to_owned()).filter(|legend| !legend.is_empty());
    Facts { legend, ..Facts::default() }
}

/// The facts of a step.
fn step_fact(step: &Step, language: &str) -> StepFact {
    StepFact {
        name: step.title.best(language).to_owned(),
        text: step.description.best(language).to_owned(),
        at_m: step.at_m,
    }
}

/// The step a field belongs to: `steps/12/description`.
fn focus(steps: &[Step], field: &str, language: &str) -> Option<Focus> {
    let id: i64 = field.strip_prefix("steps/")?.split('/').next()?.parse().ok()?;
    let at = steps.iter().position(|step| step.id == id)?;
    let step = &steps[at];
    let next = steps.get(at + 1).map(|next| next.title.best(language).trim().to_owned());
    Some(Focus {
        step: step_fact(step, language),
        next: next.filter(|name| !name.is_empty()),
        to_next_m: step.distance_to_next_typed_m.or(step.distance_to_next_m),
    })
}

/// The facts of a parcours in a language, for one of its fields.
pub(super) async fn facts_of(
    db: &impl Connection,
    parcours: &Stored,
    field: &str,
    language: &str,
) -> Result<Facts, StoreError> {
    let sheet = &parcours.sheet;
    let shown = store::poi::shown_by(db, parcours.white_label_id, &sheet.poi_ids).await?;
    let pois: Vec<i64> = sheet.poi_ids.iter().copied().filter(|id| shown.contains(id)).take(MAX_POIS).collect();
    let pois = store::record::load_many::<Pois>(db, &pois).await?;
    let steps = &parcours.steps;
    let named = |kind: StepKind| {
        let step = steps.iter().find(|step| step.kind == kind)?;
        Some(step.title.best(language).to_owned()).filter(|name| !name.trim().is_empty())
    };
    let on_the_way = steps.iter().filter(|step| !matches!(step.kind, StepKind::Departure | StepKind::Arrival));
    let trace = parcours.trace.as_ref();
    Ok(Facts {
        title: sheet.title.best(language).to_owned(),
        practice: names(db, VocabularyKind::PracticeType, sheet.practice_type_id.as_slice(), language).await?.pop(),
        level: names(db, VocabularyKind::Level, sheet.level_id.as_slice(), language).await?.pop(),
        is_loop: sheet.is_loop,
        distance_m: trace.and_then(|trace| trace.distance_m),
        ascent_m: trace.and_then(|trace| trace.ascent_m),
        duration_s: trace.and_then(|trace| trace.duration_s),
        departure: named(StepKind::Departure),
        arrival: named(StepKind::Arrival),
        steps: on_the_way.map(|step| step_fact(step, language)).filter(|step| !step.name.trim().is_empty()).collect(),
        pois: pois
            .iter()
            .map(|poi| poi.sheet.title.best(language).to_owned())
            .filter(|name| !name.is_empty())
            .collect(),
        themes: names(db, VocabularyKind::ParcoursTheme, &sheet.theme_ids, language).await?,
        markings: names(db, VocabularyKind::Marking, &sheet.marking_ids, language).await?,
        existing_text: as_plain(sheet.description.best(language)),
        focus: focus(steps, field, language),
        legend: None,
    })
}
