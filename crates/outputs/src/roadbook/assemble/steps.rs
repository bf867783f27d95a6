//! The rows of the table of steps: the sheet's steps, its points of interest, and the planner's turns where they can be
//! trusted.

use std::collections::HashMap;

use domain::parcours::line::Along;
use domain::roadbook::{DayCut, PageKind};
use domain::step::{Step, StepKind, step_labels};
use domain::vocabulary::{VocabularyItem, VocabularyKind};
use domain::{PoiSheet, VocabularyId};
use roadbook::data::{self, Maneuver, Service};
use routing::{Instruction, InstructionKind};
use store::parcours::StoredTrace;
use store::poi::Pois;
use store::record::{Stored, load_many};
use store::{Connection, StoreError, vocabulary};
use trace::Position;

use super::texts::TextOwner;
use super::turns::{self, Turns};
use super::{Audience, Ground, words};

/// A turn this near to a step is printed with it.
const TURN_AT_STEP_M: f64 = 40.0;
/// A turn at most this far before the place of a night is at that place, and the next morning's.
const AT_NIGHT_M: f64 = 5.0;
/// How far behind the place of a night a row of the next day begins at least.
const BEHIND_NIGHT_M: f64 = 0.01;
/// A point of interest further than this from the line is not on the way.
const ON_THE_WAY_M: f64 = 500.0;
/// The most of a description that is read on the way.
const POI_CHARS: usize = 220;

/// A row, in metres of the sheet's length from the start of the trip; `of` is the index of the sheet's step behind it.
#[derive(Debug, Clone)]
pub(super) struct Row {
    at_m: f64,
    of: Option<usize>,
    step: data::Step,
    /// Where the step is that of a night: the turn and the directions with which the next day begins there.
    morning: Option<(Maneuver, String)>,
}

/// The place of a night that parts two days, in metres of the sheet's length, and the index of its step.
#[derive(Debug, Clone, Copy)]
struct Night {
    of: usize,
    at_m: f64,
}

/// All rows of a trip but its steps, which belong to days by their order, in the order of the way.
pub(super) struct Rows {
    steps: Vec<Row>,
    between: Vec<Row>,
    sheet_per_m: f64,
}

/// All rows of a parcours along its way, which is cut into days. `sheet_per_m`: metres of the sheet's length for a metre of the trace.
pub(super) async fn rows<C: Connection>(
    ground: &Ground<'_, C>,
    trace: Option<&StoredTrace>,
    along: &Along<'_>,
    cuts: &[DayCut],
    sheet_per_m: f64,
) -> Result<Rows, StoreError> {
    let mut reached = 0.0_f64;
    let mut steps: Vec<Row> = Vec::with_capacity(ground.stored.steps.len());
    for (index, (step, label)) in ground.stored.steps.iter().zip(step_labels(&ground.stored.steps)).enumerate() {
        reached = step.at_m.unwrap_or(reached).max(reached);
        steps.push(Row {
            at_m: reached * sheet_per_m,
            of: Some(index),
            step: of_step(step, label, ground),
            morning: None,
        });
    }
    let mut between = pois(ground, along, sheet_per_m).await?;
    let turns_wanted = ground.settings.pages.iter().any(|page| page.on && page.kind == PageKind::Steps && page.table);
    if let Some(trace) = trace.filter(|trace| turns_wanted && trace.summary.is_guided()) {
        let nights = nights(cuts, sheet_per_m);
        let mut steps_at_m: Vec<f64> = steps.iter().filter(|row| is_shown(row)).map(|row| row.at_m).collect();
        // Turns of two days are never printed in one row.
        steps_at_m.extend(nights.iter().map(|night| night.at_m - AT_NIGHT_M));
        for turn in turns::rows(&instructions(trace, sheet_per_m), &steps_at_m, ground.language) {
            place_turns(&turn, &nights, &mut steps, &mut between);
        }
    }
    between.sort_by(|a, b| a.at_m.total_cmp(&b.at_m));
    Ok(Rows { steps, between, sheet_per_m })
}

/// The nights at which one day ends and the next begins.
fn nights(cuts: &[DayCut], sheet_per_m: f64) -> Vec<Night> {
    let begun_at_night = cuts.iter().filter(|cut| cut.first != 0);
    begun_at_night.map(|cut| Night { of: cut.first, at_m: cut.from_m * sheet_per_m }).collect()
}

/// A point the trace goes through without a word is nothing to read.
fn is_shown(row: &Row) -> bool {
    row.step.kind != StepKind::Waypoint || !(row.step.title.is_empty() && row.step.text.is_empty())
}

/// The letters of the turns and places between the sheet's steps: a to z, then aa, ab…
fn letters(rank: usize) -> String {
    let letter = char::from(b'a' + (rank % 26) as u8);
    if rank < 26 { letter.to_string() } else { format!("{}{letter}", letters(rank / 26 - 1)) }
}

/// The rows of a day. A step of the sheet has the number that it has everywhere (`step_labels`); turns and places between
/// them have letters, from `a` each day.
pub(super) fn of_day<C>(rows: &Rows, cut: &DayCut, ground: &Ground<'_, C>) -> Vec<data::Step> {
    let own = rows.steps.iter().filter(|row| row.of.is_some_and(|at| (cut.first..=cut.last).contains(&at)));
    let (from_m, to_m) = (cut.from_m * rows.sheet_per_m, cut.to_m * rows.sheet_per_m);
    let inside = |row: &&Row| row.at_m > from_m && row.at_m < to_m;
    let mut found: Vec<&Row> = own.filter(|row| is_shown(row)).chain(rows.between.iter().filter(inside)).collect();
    found.sort_by(|a, b| a.at_m.total_cmp(&b.at_m));
    let mut lettered = 0;
    let numbered = found.iter().zip(1..).enumerate().map(|(place, (row, number))| {
        let mut step = data::Step { number, at_m: (row.at_m - from_m).max(0.0), ..row.step.clone() };
        // The distance of the sheet is printed where no turn and no place is listed between this step and the next.
        let next = found.get(place + 1).and_then(|next| next.of);
        let own = row.of.filter(|of| next == Some(of + 1)).and_then(|of| ground.stored.steps.get(of));
        step.distance_to_next_m = own.and_then(|own| own.scaled_distance_to_next_m(rows.sheet_per_m));
        if row.of.is_none() {
            step.label = letters(lettered);
            lettered += 1;
        }
        if row.of == Some(cut.first) && cut.first != 0 {
            // The step of the night before: its directions were printed the day before, but for those that lead on from there.
            let (maneuver, text) = row.morning.clone().unzip();
            (step.kind, step.maneuver, step.text) = (StepKind::Departure, maneuver, text.unwrap_or_default());
        }
        if step.title.is_empty() {
            kind_words(step.kind, ground.language).clone_into(&mut step.title);
        }
        step
    });
    numbered.collect()
}

fn of_step<C>(step: &Step, label: String, ground: &Ground<'_, C>) -> data::Step {
    let of = TextOwner::Step(step.id, label.clone());
    data::Step {
        kind: step.kind,
        label,
        title: ground.texts.read(&of, &step.title, "title", &step.title).to_owned(),
        text: ground.texts.read(&of, &step.title, "description", &step.description).to_owned(),
        services: Some(Service::Train).filter(|_| !step.line_ids.is_empty()).into_iter().collect(),
        altitude_m: step.position.ele,
        lon: step.position.lon,
        lat: step.position.lat,
        ..data::Step::default()
    }
}

fn instructions(trace: &StoredTrace, sheet_per_m: f64) -> Vec<Instruction> {
    let kept: Vec<Instruction> = serde_json::from_value(trace.extra.instructions.clone()).unwrap_or_default();
    kept.into_iter()
        .filter(|turn| !matches!(turn.kind, InstructionKind::Depart | InstructionKind::Arrive | InstructionKind::Via))
        .map(|turn| Instruction { at_m: turn.at_m * sheet_per_m, length_m: turn.length_m * sheet_per_m, ..turn })
        .collect()
}

/// Prints turns with the step at that place, else in a separate row; always on their own day: a turn at the place of a night leads on
/// from there, the next morning.
fn place_turns(turns: &Turns, nights: &[Night], steps: &mut [Row], between: &mut Vec<Row>) {
    let maneuver = maneuver(turns.kind);
    let slept = nights.iter().filter(|night| turns.at_m >= night.at_m - AT_NIGHT_M).count();
    let last_night = slept.checked_sub(1).map(|index| nights[index]);
    if let Some(night) = last_night.filter(|night| turns.at_m - night.at_m <= TURN_AT_STEP_M)
        && let Some(row) = steps.get_mut(night.of).filter(|row| row.morning.is_none())
    {
        row.morning = Some((maneuver, in_one_text([&turns.title, &turns.text, ""])));
        return;
    }
    let slept_before = |row: &Row| {
        let is_behind = |night: &&Night| row.of.map_or(row.at_m > night.at_m, |of| of > night.of);
        nights.iter().filter(is_behind).count()
    };
    let near = steps.iter_mut().chain(between.iter_mut()).find(|row| {
        (row.at_m - turns.at_m).abs() <= TURN_AT_STEP_M
            && slept_before(row) == slept
            && row.step.maneuver.is_none()
            && !row.step.title.is_empty()
    });
    if let Some(row) = near {
        row.step.maneuver = Some(maneuver);
        row.step.text = in_one_text([&turns.title, &turns.text, &row.step.text]);
        return;
    }
    between.push(Row {
        at_m: last_night.map_or(turns.at_m, |night| turns.at_m.max(night.at_m + BEHIND_NIGHT_M)),
        of: None,
        morning: None,
        step: data::Step {
            kind: StepKind::Waypoint,
            maneuver: Some(maneuver),
            title: turns.title.clone(),
            text: turns.text.clone(),
            altitude_m: turns.position.ele,
            lon: turns.position.lon,
            lat: turns.position.lat,
            ..data::Step::default()
        },
    });
}

/// Texts one after the other, without the empty ones.
fn in_one_text(texts: [&str; 3]) -> String {
    texts.into_iter().filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
}

/// The points of interest on the way.
async fn pois<C: Connection>(
    ground: &Ground<'_, C>,
    along: &Along<'_>,
    sheet_per_m: f64,
) -> Result<Vec<Row>, StoreError> {
    // Drafts of other tenants are never printed, even if an editor linked them.
    let shown = store::poi::shown_by(ground.db, ground.stored.white_label_id, &ground.stored.sheet.poi_ids).await?;
    let ids: Vec<i64> = ground.stored.sheet.poi_ids.iter().copied().filter(|id| shown.contains(id)).collect();
    let found = load_many::<Pois>(ground.db, &ids).await?;
    if found.is_empty() {
        return Ok(Vec::new());
    }
    let listed = vocabulary::list(ground.db, VocabularyKind::PoiCategory).await?;
    let names: HashMap<VocabularyId, &str> = listed.iter().map(|item| (item.id, item.code.as_str())).collect();
    let of = |item: &VocabularyItem| item.parent_id.and_then(|id| names.get(&id).copied());
    let codes: Categories =
        listed.iter().map(|item| (item.id, (item.code.clone(), of(item).unwrap_or(&item.code).to_owned()))).collect();
    let shown = found.iter().filter(|poi| ground.audience == Audience::Clients || poi.published);
    let mut rows: Vec<Row> = shown.filter_map(|poi| poi_row(poi, along, &codes, ground)).collect();
    for row in &mut rows {
        row.at_m *= sheet_per_m;
    }
    Ok(rows)
}

fn poi_row<C>(poi: &Stored<PoiSheet>, along: &Along<'_>, codes: &Categories, ground: &Ground<'_, C>) -> Option<Row> {
    let [lon, lat] = poi.sheet.location?;
    let foot = along.nearest(Position::new(lon, lat), None, 0.0).filter(|foot| foot.offset_m <= ON_THE_WAY_M)?;
    let (of, name) = (TextOwner::Poi(poi.id), &poi.sheet.title);
    let text = words::plain_of(ground.texts.read(&of, name, "description", &poi.sheet.description));
    let mut services: Vec<Service> = Vec::new();
    for service in poi.sheet.category_ids.iter().filter_map(|id| service(&codes.get(&VocabularyId(*id))?.0)) {
        if !services.contains(&service) {
            services.push(service);
        }
    }
    Some(Row {
        at_m: foot.at_m,
        of: None,
        morning: None,
        step: data::Step {
            kind: kind_of(poi, codes),
            title: ground.texts.read(&of, name, "title", name).to_owned(),
            text: words::beginning(&text, POI_CHARS),
            services,
            altitude_m: foot.position.ele,
            lon,
            lat,
            ..data::Step::default()
        },
    })
}

/// The code of each category of POIs, and that of its group.
type Categories = HashMap<VocabularyId, (String, String)>;

/// What a point of interest is on the way: a favourite is what one goes to see or taste. A car park, a station or a bakery is a
/// place that is passed; a danger is advice. Without a category, or with one of the white-label's own, it is a favourite.
fn kind_of(poi: &Stored<PoiSheet>, codes: &Categories) -> StepKind {
    const USEFUL: [&str; 5] = ["service", "service-velo", "transport", "hebergement", "restauration"];
    let groups: Vec<&str> =
        poi.sheet.category_ids.iter().filter_map(|id| Some(codes.get(&VocabularyId(*id))?.1.as_str())).collect();
    if groups.contains(&"vigilance") {
        StepKind::Advice
    } else if !groups.is_empty() && groups.iter().all(|group| USEFUL.contains(group)) {
        StepKind::Waypoint
    } else {
        StepKind::Favourite
    }
}

/// What a category of the reference list offers on the way.
fn service(code: &str) -> Option<Service> {
    Some(match code {
        "eau-potable" => Service::Water,
        "restauration"
        | "restaurant"
        | "cafe"
        | "restauration-rapide"
        | "guinguette"
        | "ferme-auberge"
        | "salon-the"
        | "alimentation"
        | "boulangerie"
        | "commerce"
        | "marche" => Service::Food,
        "point-de-vue" | "sommet" | "col" => Service::Viewpoint,
        "vigilance" | "danger" | "travaux" | "traversee-route" | "patou" | "chasse" | "zone-sensible" | "crue" => {
            Service::Caution
        }
        "service-velo" | "location-velo" | "reparation-velo" | "station-gonflage" | "recharge-vae" => Service::Repair,
        "transport" | "gare" | "arret-bus" => Service::Train,
        _ => return None,
    })
}

const fn maneuver(kind: InstructionKind) -> Maneuver {
    match kind {
        InstructionKind::SlightLeft => Maneuver::SlightLeft,
        InstructionKind::TurnLeft => Maneuver::TurnLeft,
        InstructionKind::SharpLeft => Maneuver::SharpLeft,
        InstructionKind::SlightRight => Maneuver::SlightRight,
        InstructionKind::TurnRight => Maneuver::TurnRight,
        InstructionKind::SharpRight => Maneuver::SharpRight,
        InstructionKind::UTurn => Maneuver::UTurn,
        InstructionKind::Roundabout => Maneuver::Roundabout,
        InstructionKind::Ferry => Maneuver::Ferry,
        InstructionKind::Steps => Maneuver::Steps,
        InstructionKind::Depart => Maneuver::Departure,
        InstructionKind::Arrive => Maneuver::Arrival,
        InstructionKind::Continue | InstructionKind::Via | InstructionKind::OffNetwork | InstructionKind::Rejoin => {
            Maneuver::Straight
        }
    }
}

/// What a step is called that has no name.
const fn kind_words(kind: StepKind, language: &str) -> &'static str {
    let french = matches!(language.as_bytes(), b"fr");
    match (kind, french) {
        (StepKind::Waypoint, true) => "Point de passage",
        (StepKind::Waypoint, false) => "Waypoint",
        (StepKind::Step, true) => "Étape",
        (StepKind::Step, false) => "Stop",
        (StepKind::OptionalStep, true) => "Étape optionnelle",
        (StepKind::OptionalStep, false) => "Optional stop",
        (StepKind::Night | StepKind::Nights | StepKind::StepNight, true) => "Nuit",
        (StepKind::Night | StepKind::Nights | StepKind::StepNight, false) => "Night",
        (StepKind::Departure, true) => "Départ",
        (StepKind::Departure, false) => "Start",
        (StepKind::Arrival, true) => "Arrivée",
        (StepKind::Arrival, false) => "Finish",
        (StepKind::Favourite, true) => "Coup de cœur",
        (StepKind::Favourite, false) => "Favourite",
        (StepKind::Advice, true) => "Conseil",
        (StepKind::Advice, false) => "Advice",
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn step(of: usize, at_m: f64, title: &str) -> Row {
        let step = data::Step { title: title.to_owned(), ..data::Step::default() };
        Row { at_m, of: Some(of), step, morning: None }
    }

    fn turn(at_m: f64, title: &str) -> Turns {
        let (kind, position) = (InstructionKind::TurnLeft, Position::new(6.0, 45.0));
        Turns { at_m, kind, position, title: title.to_owned(), text: String::new() }
    }

    #[test]
    fn a_turn_at_the_place_of_a_night_is_printed_the_next_morning() {
        let nights = [Night { of: 1, at_m: 1_000.0 }];
        for (at_m, evening, morning) in
            [(970.0, "Left", ""), (996.0, "", "Left"), (1_000.0, "", "Left"), (1_030.0, "", "Left")]
        {
            let mut steps = [step(0, 0.0, "Start"), step(1, 1_000.0, "Inn"), step(2, 2_000.0, "End")];
            let mut between = Vec::new();
            place_turns(&turn(at_m, "Left"), &nights, &mut steps, &mut between);
            let led_on = steps[1].morning.as_ref().map(|(_, text)| text.as_str()).unwrap_or_default();
            assert_eq!((steps[1].step.text.as_str(), led_on), (evening, morning), "{at_m}");
            assert_eq!((steps[1].step.maneuver.is_some(), between.len()), (!evening.is_empty(), 0), "{at_m}");
        }
    }

    #[test]
    fn a_second_turn_of_the_morning_is_a_row_of_that_day() {
        let nights = [Night { of: 1, at_m: 1_000.0 }];
        let mut steps = [step(0, 985.0, "View"), step(1, 1_000.0, "Inn"), step(2, 2_000.0, "End")];
        let mut between = Vec::new();
        for (at_m, title) in [(998.0, "Left"), (999.0, "Right")] {
            place_turns(&turn(at_m, title), &nights, &mut steps, &mut between);
        }
        assert!(steps.iter().all(|row| row.step.maneuver.is_none()), "{steps:?}");
        assert_eq!(between.len(), 1);
        assert!(between[0].at_m > 1_000.0 && between[0].step.title == "Right");
        // Without a night it is read at the step.
        place_turns(&turn(999.0, "Right"), &[], &mut steps, &mut between);
        assert_eq!((steps[0].step.text.as_str(), between.len()), ("Right", 1));
    }
}
