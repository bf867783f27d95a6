//! Closures and detours as visitors read them.

use app::App;
use domain::ParcoursId;
use domain::closure::{ClosureKind, ClosureSheet, ClosureState, Detour};
use store::StoreError;
use store::closure::ParcoursClosure;
use trace::write::Document;

use super::{Language, Words, figures};

/// A closure as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicClosure {
    pub title: Words,
    /// Why, in one word.
    pub kind: ClosureKind,
    /// Why, in words.
    pub reason: Option<Words>,
    /// First and last day; no last day while it is not known.
    pub days: (String, Option<String>),
    /// Closed today, not later only.
    pub now: bool,
    /// From and to, metres from the departure.
    pub stretches: Vec<(f64, f64)>,
    /// The published ways round, while it is closed.
    pub detours: Vec<Detour>,
}

/// The closures of a parcours, of today and of later.
pub async fn closures(app: &App, id: ParcoursId, language: Language) -> Result<Vec<PublicClosure>, StoreError> {
    let today = app.today();
    let found = store::closure::of_parcours(app.store.read(), id, &today).await?;
    Ok(closures_in(language, found, &today))
}

/// Stored closures in a reader's language. `today` is `YYYY-MM-DD`.
pub(crate) fn closures_in(language: Language, found: Vec<ParcoursClosure>, today: &str) -> Vec<PublicClosure> {
    let shown = found.into_iter().map(|found| {
        let now = found.closure.sheet.state(today) == ClosureState::Now;
        let ClosureSheet { title, kind, reason, from, to, .. } = found.closure.sheet;
        PublicClosure {
            title: Words::of(&title, language)
                .unwrap_or_else(|| Words::own(crate::visitor_words::closure_kind(language, kind))),
            kind,
            reason: Words::of(&reason, language),
            days: (from, to),
            now,
            stretches: found.stretches.iter().map(|stretch| (stretch.from_m, stretch.to_m)).collect(),
            detours: found.detours.into_iter().flatten().filter(|_| now).collect(),
        }
    });
    shown.collect()
}

/// Says the closures in the description of a file, for walkers who have nothing else with them.
pub fn say_closures(document: &mut Document, language: Language, closures: &[PublicClosure]) {
    let said = closures.iter().map(|closure| closed(language, closure));
    let parts: Vec<String> = document.description.take().into_iter().chain(said).collect();
    document.description = Some(parts.join("\n\n")).filter(|words| !words.is_empty());
}

/// Why something is closed, in one word.
pub const fn closure_kind(language: Language, kind: ClosureKind) -> &'static str {
    let (french, english) = match kind {
        ClosureKind::Works => ("Travaux", "Works"),
        ClosureKind::Weather => ("Intempéries", "Bad weather"),
        ClosureKind::Hunting => ("Chasse", "Hunting"),
        ClosureKind::Forestry => ("Coupe de bois", "Logging"),
        ClosureKind::Protection => ("Protection de la nature", "Nature protection"),
        ClosureKind::Event => ("Manifestation", "Event"),
        ClosureKind::Other => ("Fermeture", "Closure"),
    };
    language.pick(french, english)
}

/// `Fermé du 1er mai 2026 au 3 mai 2026, du km 2,3 au km 3,1.`; `Fermé le 1er mai 2026.` for one day. Kilometres are scaled by
/// `sheet_per_m` (`TraceSummary::sheet_per_m`), 1 for those of the line.
pub fn closed_when_and_where(language: Language, closure: &PublicClosure, sheet_per_m: f64) -> String {
    let day = |iso: &str| figures::day(language, iso);
    let (from, to) = (day(&closure.days.0), closure.days.1.as_deref().map(day));
    let when = match (language, to) {
        (Language::French, Some(to)) if to == from => format!("Fermé le {from}"),
        (Language::English, Some(to)) if to == from => format!("Closed on {from}"),
        (Language::French, Some(to)) => format!("Fermé du {from} au {to}"),
        (Language::English, Some(to)) => format!("Closed from {from} to {to}"),
        (Language::French, None) => format!("Fermé à partir du {from}, sans date de fin connue"),
        (Language::English, None) => format!("Closed from {from}, with no known end"),
    };
    let km = |metres: f64| figures::decimal(language, metres * sheet_per_m / 1000.0);
    let mut stretches: Vec<(String, String)> = Vec::new();
    for (from, to) in &closure.stretches {
        let (from, to) = (km(*from), km(*to));
        match stretches.last_mut() {
            // Two that touch once they are rounded are one for a reader.
            Some((_, end)) if *end == from => *end = to,
            _ => stretches.push((from, to)),
        }
    }
    let place = |(from, to): &(String, String)| match language {
        Language::French => format!(", du km {from} au km {to}"),
        Language::English => format!(", from km {from} to km {to}"),
    };
    let places: String = stretches.iter().map(place).collect();
    format!("{when}{places}.")
}

/// How one gets round a closed stretch. The kilometres of the parcours are scaled by `sheet_per_m`; the length of the detour is its own.
pub fn detour(language: Language, detour: &Detour, sheet_per_m: f64) -> String {
    let km = |metres: f64| figures::decimal(language, metres * sheet_per_m / 1000.0);
    let (from, to, length) = (km(detour.from_m), km(detour.to_m), figures::distance(language, detour.distance_m));
    let extra = figures::distance(language, detour.extra_m.abs());
    match language {
        Language::French => {
            let more = if detour.extra_m < 0.0 { "de moins" } else { "de plus" };
            let colon = figures::colon(language);
            format!(
                "Déviation{colon}quittez le parcours au km {from}, reprenez-le au km {to}. Elle fait {length}, soit {extra} {more}."
            )
        }
        Language::English => {
            let more = if detour.extra_m < 0.0 { "shorter" } else { "longer" };
            format!(
                "Detour: leave the route at km {from}, join it again at km {to}. It is {length} long, {extra} {more}."
            )
        }
    }
}

/// ` au km 2,3`.
pub fn kilometre(language: Language, at_m: f64) -> String {
    format!("{}{}", language.pick(" au km\u{a0}", " at km\u{a0}"), figures::decimal(language, at_m / 1000.0))
}

/// A closure in one text for files and feeds: its title, reason, days and stretches. Kilometres are those of the line that is delivered with it.
pub fn closed(language: Language, closure: &PublicClosure) -> String {
    let reason = closure.reason.as_ref().map(|reason| format!(" {}", reason.text)).unwrap_or_default();
    let around: String = closure.detours.iter().map(|one| format!(" {}", detour(language, one, 1.0))).collect();
    let when_and_where = closed_when_and_where(language, closure, 1.0);
    format!("{}{}{when_and_where}{reason}{around}", closure.title.text, figures::colon(language))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn closure(to: Option<&str>) -> PublicClosure {
        PublicClosure {
            title: Words::own("Pont"),
            kind: ClosureKind::Works,
            reason: None,
            days: ("2026-11-30".to_owned(), to.map(str::to_owned)),
            now: true,
            stretches: Vec::new(),
            detours: Vec::new(),
        }
    }

    #[test]
    fn a_closure_of_one_day_has_one_date() {
        let said = |language, to| closed_when_and_where(language, &closure(to), 1.0);
        let (one, two) = (Some("2026-11-30"), Some("2026-12-01"));
        assert_eq!(said(Language::French, one), "Fermé le 30 novembre 2026.");
        assert_eq!(said(Language::English, one), "Closed on 30 November 2026.");
        assert_eq!(said(Language::French, two), "Fermé du 30 novembre 2026 au 1er décembre 2026.");
        assert_eq!(said(Language::English, two), "Closed from 30 November 2026 to 1 December 2026.");
        assert!(said(Language::English, None).starts_with("Closed from 30 November 2026, with"));
    }

    #[test]
    fn kilometres_are_scaled_to_the_length_of_the_sheet_and_a_detour_keeps_its_own_length() {
        let closure = PublicClosure { stretches: vec![(2_300.0, 3_100.0)], ..closure(None) };
        let place = |sheet_per_m| closed_when_and_where(Language::English, &closure, sheet_per_m);
        assert!(place(1.0).ends_with(", from km 2.3 to km 3.1."), "{}", place(1.0));
        assert!(place(2.0).ends_with(", from km 4.6 to km 6.2."), "{}", place(2.0));
        let around = Detour { from_m: 2_000.0, to_m: 3_500.0, line: Vec::new(), distance_m: 2_200.0, extra_m: 700.0 };
        assert_eq!(
            detour(Language::English, &around, 2.0),
            "Detour: leave the route at km 4.0, join it again at km 7.0. It is 2.2\u{202f}km long, 700\u{202f}m longer."
        );
    }

    #[test]
    fn stretches_that_touch_once_rounded_are_read_as_one() {
        let stretches = vec![(9_120.0, 10_190.0), (10_230.0, 11_010.0), (11_010.0, 11_620.0), (12_500.0, 13_000.0)];
        let closure = PublicClosure { stretches, ..closure(None) };
        let said = closed_when_and_where(Language::French, &closure, 1.0);
        assert!(said.ends_with(" connue, du km 9,1 au km 11,6, du km 12,5 au km 13,0."), "{said}");
    }

    #[test]
    fn a_file_says_its_closures_after_its_own_words() {
        let mut document = Document { description: Some("Une journée facile.".to_owned()), ..Document::default() };
        say_closures(&mut document, Language::English, &[closure(Some("2026-11-30"))]);
        assert_eq!(document.description.as_deref(), Some("Une journée facile.\n\nPont: Closed on 30 November 2026."));
        let mut silent = Document::default();
        say_closures(&mut silent, Language::English, &[]);
        assert_eq!(silent.description, None);
    }
}
