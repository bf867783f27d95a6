//! The line that a file carries while a stretch is closed: it goes round it (decision 0039).

use domain::closure::Detour;
use outputs::visitor_words::{Language, PublicClosure};
use trace::edit::replace_between;
use trace::write::Document;
use trace::{Position, Waypoint};

/// The line with the detours in the place of what they replace, and those detours in the order of the line. A detour that begins
/// before another one ends is left out: only the text of its closure is shown.
pub fn followed(line: Vec<Position>, closures: &[PublicClosure]) -> (Vec<Position>, Vec<&Detour>) {
    let mut all: Vec<&Detour> = closures.iter().flat_map(|closure| &closure.detours).collect();
    all.sort_by(|a, b| a.from_m.total_cmp(&b.from_m));
    let mut kept: Vec<&Detour> = Vec::with_capacity(all.len());
    for detour in all {
        if kept.last().is_none_or(|before| before.to_m <= detour.from_m) {
            kept.push(detour);
        }
    }
    // From the last one: the metres of those before it stay what they are.
    let line = kept.iter().rev().fold(line, |line, way| replace_between(&line, way.from_m, way.to_m, &way.line));
    (line, kept)
}

/// Adds to a file with the line of [`followed`] where one turns off and where one is back. Metres of the other waypoints are of the line
/// without detours: they are removed.
pub fn mark(document: &mut Document, detours: &[&Detour], language: Language) {
    if !detours.is_empty() {
        for waypoint in &mut document.waypoints {
            waypoint.at_m = None;
        }
    }
    document.waypoints.extend(detours.iter().flat_map(|detour| waypoints(detour, language)));
}

fn waypoints(detour: &Detour, language: Language) -> Vec<Waypoint> {
    let ends = [
        (detour.line.first(), language.pick("Début de la déviation", "Start of the detour")),
        (detour.line.last(), language.pick("Fin de la déviation", "End of the detour")),
    ];
    let waypoint = |(position, name): (Option<&Position>, &str)| {
        let name = Some(name.to_owned());
        position.map(|position| Waypoint { position: *position, name, description: None, symbol: None, at_m: None })
    };
    ends.into_iter().filter_map(waypoint).collect()
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use domain::closure::ClosureKind;
    use trace::measure;

    use super::*;
    use outputs::visitor_words::Words;

    fn at(lon: f64, lat: f64) -> Position {
        Position::new(lon, lat)
    }

    fn closure(detours: Vec<Detour>) -> PublicClosure {
        PublicClosure {
            title: Words::own("Pont"),
            kind: ClosureKind::Works,
            reason: None,
            days: ("2026-05-01".into(), None),
            now: true,
            stretches: vec![],
            detours,
        }
    }

    fn north_of(from: f64, to: f64) -> Detour {
        let line: Vec<Position> = (0..=10).map(|i| at(4.0 + f64::from(i) * 0.001, 47.0)).collect();
        let metres = |lon: f64| measure(&line).distance_m * (lon - 4.0) / 0.01;
        let way = vec![at(from, 47.0), at(from, 47.001), at(to, 47.001), at(to, 47.0)];
        let distance_m = measure(&way).distance_m;
        Detour { from_m: metres(from), to_m: metres(to), extra_m: distance_m, distance_m, line: way }
    }

    #[test]
    fn a_file_follows_the_detour_and_names_both_ends() {
        let line: Vec<Position> = (0..=10).map(|i| at(4.0 + f64::from(i) * 0.001, 47.0)).collect();
        let closures =
            [closure(vec![north_of(4.007, 4.009)]), closure(vec![north_of(4.002, 4.004), north_of(4.003, 4.005)])];
        let (followed, kept) = followed(line.clone(), &closures);
        assert_eq!(kept.len(), 2, "the one that begins within another one is left out");
        let closed =
            |p: &&Position| (p.lat - 47.0).abs() < 1e-9 && [4.003, 4.008].iter().any(|lon| (p.lon - lon).abs() < 1e-9);
        assert!(!followed.iter().any(|p| closed(&p)), "{followed:?}");
        let heads = |line: &[Position]| (*line.first().unwrap(), *line.last().unwrap());
        assert_eq!(heads(&followed), heads(&line));
        assert!(followed.iter().filter(|p| p.lat > 47.0005).count() == 4, "{followed:?}");
        let step =
            Waypoint { position: at(4.009, 47.0), name: None, description: None, symbol: None, at_m: Some(680.0) };
        let mut document = Document { waypoints: vec![step], ..Document::default() };
        mark(&mut document, &[], Language::French);
        assert!(document.waypoints[0].at_m.is_some(), "its line has no detour");
        mark(&mut document, &kept[..1], Language::French);
        assert!(document.waypoints.iter().all(|one| one.at_m.is_none()), "the line has another length");
        let names: Vec<_> = document.waypoints.into_iter().filter_map(|one| one.name).collect();
        assert_eq!(names, ["Début de la déviation", "Fin de la déviation"]);
    }
}
