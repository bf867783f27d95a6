//! The days of a trip: where each starts and ends, its line, its figures, its night and its pictures.

use content::parcours::compute::pace_of;
use domain::closure::ClosureSheet;
use domain::parcours::line::Along;
use domain::parcours::{RELIABILITY_THRESHOLD, TraceMode, TraceSummary};
use domain::roadbook::{DayCut, PageKind, RoadbookStay, days as cut_days, last_after_days};
use domain::step::Step;
use domain::{Instant, Text};
use roadbook::data;
use store::closure::ParcoursClosure;
use store::parcours::StoredTrace;
use store::{Connection, StoreError};
use trace::edit::trim;
use trace::{HeightSource, Heights, Position};

use super::photos::PictureList;
use super::texts::TextOwner;
use super::{Ground, steps, words};
use crate::visitor_words::{Language, detour};

/// The days of a parcours, one where it has no night, and the date of the last day of the trip where that of the first is set.
pub(super) async fn days<C: Connection>(
    ground: &Ground<'_, C>,
    trace: Option<&StoredTrace>,
    shelf: &mut PictureList,
) -> Result<(Vec<data::Day>, Option<String>), StoreError> {
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
    let closures = store::closure::of_parcours(*db, stored.id, &ground.app.today()).await?;
    // All distances of the pages are scaled to the length of the sheet, which may be typed.
    let sheet_per_m = summary.map_or(1.0, |summary| summary.sheet_per_m(length_m));
    let rows = steps::rows(ground, trace, &along, &cuts, sheet_per_m).await?;
    let climbs = climbs(summary, &points, &cuts, length_m);
    let date_after = |days| ground.settings.starts_on.as_deref().and_then(|first| Instant::day_after(first, days));
    let mut days = Vec::with_capacity(cuts.len());
    for (rank, (((cut, line), photos), climb)) in cuts.iter().zip(lines).zip(photos).zip(climbs).enumerate() {
        let title = |at: usize| stored.steps.get(at).map(|step| step.title.best(language).to_owned());
        let notices = closures.iter().filter_map(|closure| notice(closure, cut, sheet_per_m, ground)).collect();
        days.push(data::Day {
            number: rank as u32 + 1,
            date: date_after(cut.after_days),
            origin: title(cut.first).unwrap_or_default(),
            destination: title(cut.last).unwrap_or_default(),
            intro: intro(ground, cut, cuts.len()),
            length_m: (cut.to_m - cut.from_m) * sheet_per_m,
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
            notices,
        });
    }
    Ok((days, date_after(last_after_days(&cuts, &stored.steps))))
}

/// Without a trace, the measured steps give the length.
fn far_end_m(steps: &[Step]) -> f64 {
    steps.iter().filter_map(|step| step.at_m).fold(0.0, f64::max)
}

/// Ascent and descent of each day: they add up to the figures of the sheet.
fn climbs(
    summary: Option<&TraceSummary>,
    line: &[Position],
    cuts: &[DayCut],
    length_m: f64,
) -> Vec<Option<(f64, f64)>> {
    let given = summary.and_then(|summary| summary.ascent_m.zip(summary.descent_m));
    let heights = Heights::of(line).map(|heights| heights.climbed(HeightSource::Recorder));
    let Some((given, heights)) = given.zip(heights).filter(|_| length_m > 0.0) else { return vec![None; cuts.len()] };
    let whole = heights.total();
    let of_day = |cut: &DayCut| {
        let (from, to) = (cut.from_m / length_m, cut.to_m / length_m);
        let (ascent_m, descent_m) = heights.between(from, to);
        // A line of few points may climb where its points do not: its climb is shared out by length.
        let share = |part: f64, whole: f64| if whole > 0.0 { part / whole } else { to - from };
        Some((given.0 * share(ascent_m, whole.0), given.1 * share(descent_m, whole.1)))
    };
    cuts.iter().map(of_day).collect()
}

/// The reliability of the trace, percent, where it is too low to print turns.
fn unreliable(summary: &TraceSummary) -> Option<f64> {
    let reliability = summary.reliability.as_ref().filter(|_| summary.mode == TraceMode::Planner)?;
    reliability.get("percent")?.as_f64().filter(|percent| *percent < RELIABILITY_THRESHOLD)
}

/// The summary of the sheet for a trip of one day; else the description of the step the day starts from.
fn intro<C>(ground: &Ground<'_, C>, cut: &DayCut, days: usize) -> String {
    let sheet = &ground.stored.sheet;
    if days == 1 {
        let summary = Some(&sheet.summary).filter(|_| !ground.settings.anonymous);
        return summary.map(|text| ground.of_parcours("summary", text).to_owned()).unwrap_or_default();
    }
    let step = ground.stored.steps.get(cut.first);
    step.map(|step| step.description.best(ground.language).to_owned()).unwrap_or_default()
}

/// The night at a step: its settings, else the texts of the step.
fn stay<C>(ground: &Ground<'_, C>, shelf: &PictureList, step: &Step) -> data::Stay {
    let set = ground.settings.stays.iter().find(|stay| stay.step_id == step.id).cloned().unwrap_or_default();
    let RoadbookStay {
        name,
        kind,
        address,
        phone,
        web,
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
    data::Stay {
        name: or_step(name, &step.title),
        kind,
        nights: u32::try_from(step.nights_spent()).unwrap_or(1),
        address,
        phone,
        web: words::bare_site(&web).to_owned(),
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

/// The text about a closure on the way of a day.
fn notice<C>(closure: &ParcoursClosure, cut: &DayCut, sheet_per_m: f64, ground: &Ground<'_, C>) -> Option<String> {
    let met = closure.stretches.iter().any(|stretch| stretch.from_m < cut.to_m && stretch.to_m > cut.from_m);
    if !met {
        return None;
    }
    let ClosureSheet { title, reason, from, to, .. } = &closure.closure.sheet;
    let of = TextOwner::Closure(closure.closure.id);
    let why = [ground.texts.read(&of, title, "title", title), ground.texts.read(&of, title, "reason", reason)];
    let why = why.into_iter().filter(|words| !words.is_empty()).collect::<Vec<_>>().join(" – ");
    let language = Language::for_content(ground.language);
    let when = closed(language, from, to.as_deref());
    let detours = closure.detours.iter().flatten();
    let around: String = detours.map(|way| format!(" {}", detour(language, way, sheet_per_m))).collect();
    let line = if why.is_empty() { when } else { format!("{why} ({when})") };
    Some(if around.is_empty() { line } else { format!("{line}.{around}") })
}

/// When a way is closed.
fn closed(language: Language, from: &str, to: Option<&str>) -> String {
    let day = words::day_in_french;
    match (language, to) {
        (Language::French, Some(to)) if to == from => format!("fermé le {}", day(from)),
        (Language::French, Some(to)) => format!("fermé du {} au {}", day(from), day(to)),
        (Language::French, None) => format!("fermé depuis le {}", day(from)),
        (Language::English, Some(to)) if to == from => format!("closed on {from}"),
        (Language::English, Some(to)) => format!("closed from {from} to {to}"),
        (Language::English, None) => format!("closed since {from}"),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn cut(from_m: f64, to_m: f64) -> DayCut {
        DayCut { from_m, to_m, first: 0, last: 0, night: None, after_days: 0 }
    }

    #[test]
    fn a_closure_of_one_day_has_one_date_and_two_dates_are_written_alike() {
        let day = "2026-11-25";
        assert_eq!(closed(Language::French, day, Some(day)), "fermé le 25/11/2026");
        assert_eq!(closed(Language::French, day, Some("2027-01-09")), "fermé du 25/11/2026 au 09/01/2027");
        assert_eq!(closed(Language::French, day, None), "fermé depuis le 25/11/2026");
        assert_eq!(closed(Language::for_content("de"), day, Some(day)), "closed on 2026-11-25");
    }

    #[test]
    fn the_days_climb_together_what_the_sheet_says() {
        let height = |i: i32| 500.0 + 60.0 * (f64::from(i) / 15.0).sin() + f64::from(i % 3);
        let line: Vec<Position> = (0..400)
            .map(|i| Position { ele: Some(height(i)), ..Position::new(4.0 + f64::from(i) * 5e-4, 47.0) })
            .collect();
        let length_m = trace::measure(&line).distance_m;
        let summary: TraceSummary = serde_json::from_value(serde_json::json!({
            "mode": "planner", "origin": "imported", "source_file": null, "distance_m": length_m, "duration_s": 3600.0,
            "distance_typed_m": null, "duration_typed_s": null, "ascent_m": 1369.0, "descent_m": 1538.0, "min_ele_m": null,
            "max_ele_m": null, "profile": null, "reliability": null, "reliability_state": "ok", "bbox": null, "repairs": [],
            "pieces": 1, "computed_at": "2026-01-01T00:00:00Z", "engine": null, "data_date": null, "revision": 1,
        }))
        .unwrap();
        let cuts = [cut(0.0, 7_000.0), cut(7_000.0, 8_200.0), cut(8_200.0, length_m)];
        let days: Vec<_> = climbs(Some(&summary), &line, &cuts, length_m).into_iter().map(Option::unwrap).collect();
        let (up, down) = days.iter().fold((0.0, 0.0), |(up, down), day| (up + day.0, down + day.1));
        assert!((up - 1_369.0).abs() < 0.01 && (down - 1_538.0).abs() < 0.01, "{up} {down}");
        assert!(days.iter().all(|(up, down)| *up >= 0.0 && *down >= 0.0), "{days:?}");
        // Two points at one height, and hills between them.
        let few = [line[0], Position { ele: line[0].ele, ..line[399] }];
        let shared = climbs(Some(&summary), &few, &cuts, length_m);
        let up: f64 = shared.iter().flatten().map(|day| day.0).sum();
        assert!((up - 1_369.0).abs() < 0.01, "{up}");
        let unknown = TraceSummary { ascent_m: None, ..summary };
        assert_eq!(climbs(Some(&unknown), &line, &cuts, length_m), [None, None, None]);
    }
}
