//! The days of a trip: where each starts and ends, its line, its figures, its night and its pictures.

use domain::closure::ClosureSheet;
use domain::parcours::line::Along;
use domain::parcours::{RELIABILITY_THRESHOLD, TraceMode, TraceSummary};
use domain::roadbook::{DayCut, PageKind, RoadbookStay, days as cut_days};
use domain::step::Step;
use domain::{Instant, Text};
use roadbook::data;
use store::closure::ParcoursClosure;
use store::parcours::StoredTrace;
use store::{Connection, StoreError};
use trace::edit::trim;
use trace::{HeightSource, Heights, Position};

use super::photos::Shelf;
use super::steps;
use super::{Ground, words};
use crate::parcours::compute::pace_of;

/// The days of a parcours, one where it has no night.
pub(super) async fn days<C: Connection>(
    ground: &Ground<'_, C>,
    trace: Option<&StoredTrace>,
    shelf: &mut Shelf,
) -> Result<Vec<data::Day>, StoreError> {
    let Ground { db, stored, language, .. } = ground;
    let summary = trace.map(|trace| &trace.summary);
    let points = trace.map(StoredTrace::line).unwrap_or_default();
    let (_, pace) = pace_of(*db, stored.sheet.practice_type_id).await?;
    let along = Along::new(&points, pace, summary.and_then(|summary| summary.duration_s));
    let length_m = if points.is_empty() { far_end_m(&stored.steps) } else { along.length_m() };
    let cuts = cut_days(&stored.steps, length_m);
    let lines: Vec<Vec<Position>> = cuts.iter().map(|cut| trim(&points, cut.from_m, cut.to_m)).collect();
    for chosen in ground.settings.stays.iter().filter(|stay| stay.media_id.is_some()) {
        shelf.take(chosen.media_id, PageKind::Stay);
    }
    let photos = shelf.share_out(&lines);
    let (level, level_rank) = super::level(*db, stored.sheet.level_id, language).await?;
    let closures = store::closure::of_parcours(*db, stored.id, &ground.app.now().day()).await?;
    let rows = steps::rows(ground, trace, &along).await?;
    let mut days = Vec::with_capacity(cuts.len());
    for (rank, ((cut, line), photos)) in cuts.iter().zip(lines).zip(photos).enumerate() {
        let whole = summary.filter(|_| cuts.len() == 1);
        let climb = climb(summary, &line, whole);
        let title = |at: usize| stored.steps.get(at).map(|step| step.title.best(language).to_owned());
        days.push(data::Day {
            number: rank as u32 + 1,
            date: ground.settings.starts_on.as_deref().and_then(|first| Instant::day_after(first, cut.after_days)),
            origin: title(cut.first).unwrap_or_default(),
            destination: title(cut.last).unwrap_or_default(),
            intro: intro(ground, cut, cuts.len()),
            length_m: whole.and_then(|whole| whole.distance_m).unwrap_or(cut.to_m - cut.from_m),
            ascent_m: climb.map(|(up, _)| up),
            descent_m: climb.map(|(_, down)| down),
            duration_s: summary
                .and_then(|summary| summary.duration_s)
                .map(|_| along.seconds_at(cut.to_m) - along.seconds_at(cut.from_m)),
            level: level.clone(),
            level_rank,
            reliability: summary.and_then(unreliable),
            trace: line.iter().map(|point| (point.lon, point.lat, point.ele)).collect(),
            steps: steps::of_day(&rows, cut, ground),
            stay: cut.night.and_then(|at| stored.steps.get(at)).map(|step| stay(ground, shelf, step)),
            photos,
            notices: closures.iter().filter_map(|closure| notice(closure, cut, language)).collect(),
        });
    }
    Ok(days)
}

/// Without a trace, steps that were measured before tell how far it goes.
fn far_end_m(steps: &[Step]) -> f64 {
    steps.iter().filter_map(|step| step.at_m).fold(0.0, f64::max)
}

/// Ascent and descent; of a trip of one day what its sheet says.
fn climb(summary: Option<&TraceSummary>, line: &[Position], whole: Option<&TraceSummary>) -> Option<(f64, f64)> {
    if let Some(told) = whole.and_then(|whole| whole.ascent_m.zip(whole.descent_m)) {
        return Some(told);
    }
    let source = match summary {
        Some(summary) if summary.is_guided() => HeightSource::Model,
        _ => HeightSource::Recorder,
    };
    Heights::of(line).map(|heights| heights.climb(source))
}

/// How well the trace lies on known ways, where that is not well enough to print turns.
fn unreliable(summary: &TraceSummary) -> Option<f64> {
    let told = summary.reliability.as_ref().filter(|_| summary.mode == TraceMode::Planner)?;
    told.get("percent")?.as_f64().filter(|percent| *percent < RELIABILITY_THRESHOLD)
}

/// What the sheet says in short of a trip of one day; else what it says of the step the day starts from.
fn intro<C>(ground: &Ground<'_, C>, cut: &DayCut, days: usize) -> String {
    let text = if days == 1 {
        Some(&ground.stored.sheet.summary).filter(|_| !ground.settings.anonymous)
    } else {
        ground.stored.steps.get(cut.first).map(|step| &step.description)
    };
    text.map(|text| text.best(ground.language).to_owned()).unwrap_or_default()
}

/// The night at a step: what was set of it, else what the step says.
fn stay<C>(ground: &Ground<'_, C>, shelf: &Shelf, step: &Step) -> data::Stay {
    let set = ground.settings.stays.iter().find(|stay| stay.step_id == step.id).cloned().unwrap_or_default();
    let RoadbookStay {
        name,
        kind,
        address,
        phone,
        check_in,
        check_out,
        code,
        room,
        meals,
        bike,
        luggage,
        note,
        media_id,
        ..
    } = set;
    let or_step = |own: String, text: &Text| if own.is_empty() { text.best(ground.language).to_owned() } else { own };
    let nights = if step.kind == domain::step::StepKind::Nights { step.nights.unwrap_or(2) } else { 1 };
    data::Stay {
        name: or_step(name, &step.title),
        kind,
        nights: u32::try_from(nights).unwrap_or(1),
        address,
        phone,
        lon: Some(step.position.lon),
        lat: Some(step.position.lat),
        check_in: check_in.unwrap_or_default(),
        check_out: check_out.unwrap_or_default(),
        code: Some(code).filter(|code| !code.is_empty()),
        room,
        meals: meals
            .into_iter()
            .map(|meal| data::Meal {
                name: meal.name,
                hour: meal.hour,
                included: meal.included,
                price: meal.price,
                detail: String::new(),
            })
            .collect(),
        bike,
        luggage,
        note: or_step(note, &step.description),
        photo: media_id.and_then(|id| shelf.photo(id)),
    }
}

/// What is closed on the way of a day.
fn notice(closure: &ParcoursClosure, cut: &DayCut, language: &str) -> Option<String> {
    let met = closure.stretches.iter().any(|stretch| stretch.from_m < cut.to_m && stretch.to_m > cut.from_m);
    let ClosureSheet { title, reason, from, to, .. } = &closure.closure.sheet;
    let why = [title.best(language), reason.best(language)].into_iter().filter(|words| !words.is_empty());
    let why = why.collect::<Vec<_>>().join(" – ");
    let when = match (language, to) {
        ("fr", Some(to)) => format!("fermé du {} au {}", words::day_in_french(from), words::day_in_french(to)),
        ("fr", None) => format!("fermé depuis le {}", words::day_in_french(from)),
        (_, Some(to)) => format!("closed from {from} to {to}"),
        (_, None) => format!("closed since {from}"),
    };
    met.then(|| if why.is_empty() { when.clone() } else { format!("{why} ({when})") })
}
