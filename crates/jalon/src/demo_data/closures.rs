//! The demo's closures: one that is in force today and has an end, one in the future. Their dates are relative to the day on which
//! the demo is made.

use demo::content::Content;
use domain::closure::{ClosureKind, ClosureShape, ClosureSheet};
use domain::{DAY_S, Text};
use store::closure::Closures;
use store::record::{Change, Stored};
use store::{Store, StoreError};
use trace::{Position, measure, position_at};

use super::Keys;
use crate::config::Config;
use crate::wiring;

/// Distance between the points of a closed stretch, in metres.
const EVERY_M: f64 = 25.0;
/// How far around the way an area reaches, in degrees: about 60 m.
const AROUND_DEG: f64 = 6e-4;

/// One closure over a parcours of the demo.
struct Closed {
    white_label: &'static str,
    parcours: &'static str,
    title: [&'static str; 2],
    reason: [&'static str; 2],
    kind: ClosureKind,
    /// First and last day, counted from today.
    days: [i64; 2],
    /// Which part of the parcours, as shares of its length.
    part: [f64; 2],
    /// Whether the area around it is closed, not only the way.
    area: bool,
}

const ALL: [Closed; 2] = [
    Closed {
        white_label: "val-d-orsel",
        parcours: "boucle-de-chantemerle",
        title: ["Passerelle de Chantemerle en travaux", "Works on the Chantemerle footbridge"],
        reason: [
            "Le tablier de la passerelle est refait : personne ne passe, même à pied.",
            "The deck of the footbridge is being rebuilt: nobody may cross, even on foot.",
        ],
        kind: ClosureKind::Works,
        days: [-5, 40],
        part: [0.42, 0.46],
        area: false,
    },
    Closed {
        white_label: "pays-de-sauvelle",
        parcours: "gorges-de-malaval",
        title: ["Coupe de bois dans les gorges de Malaval", "Logging in the Malaval gorge"],
        reason: [
            "Les engins occupent le chemin du lundi au samedi.",
            "Machines take up the path from Monday to Saturday.",
        ],
        kind: ClosureKind::Forestry,
        days: [30, 75],
        part: [0.55, 0.62],
        area: true,
    },
];

/// Stores the closures.
pub async fn fill(config: &Config, store: &Store, content: &Content, keys: &Keys) -> Result<(), StoreError> {
    let tx = store.begin().await?;
    for closed in &ALL {
        let parcours = content.parcours.iter().find(|parcours| parcours.key == closed.parcours);
        let Some(line) = parcours.map(|parcours| &parcours.trace.meant) else { continue };
        let mut new = Stored::blank(keys.white_labels.get(closed.white_label).copied(), wiring::now());
        let day = |days: i64| config.time_zone().day(wiring::now().plus_s(days * DAY_S));
        let [title, reason] = [closed.title, closed.reason].map(|[french, english]| Text::new(french, english));
        new.sheet = ClosureSheet {
            title,
            kind: closed.kind,
            reason,
            from: day(closed.days[0]),
            to: Some(day(closed.days[1])),
            geometry: Some(shape(closed, line)),
            ..ClosureSheet::default()
        };
        let change = Change { by: None, at: wiring::now(), reason: None, languages: &config.content_languages };
        store::record::insert::<Closures>(&tx, new, change).await?;
    }
    tx.commit().await
}

/// The part of a parcours that is closed, or the land around it.
fn shape(closed: &Closed, line: &[[f64; 2]]) -> ClosureShape {
    let line: Vec<Position> = line.iter().map(|[lon, lat]| Position::new(*lon, *lat)).collect();
    let [from_m, to_m] = closed.part.map(|share| share * measure(&line).distance_m);
    let count = ((to_m - from_m) / EVERY_M).ceil() as usize;
    let at = |step: usize| from_m + (to_m - from_m) * step as f64 / count as f64;
    let part: Vec<[f64; 2]> =
        (0..=count).filter_map(|step| position_at(&line, at(step))).map(|at| [at.lon, at.lat]).collect();
    if !closed.area {
        return ClosureShape::LineString(part);
    }
    let edge = |axis: usize, pick: fn(f64, f64) -> f64| part.iter().map(|at| at[axis]).reduce(pick).unwrap_or_default();
    let (west, east) = (edge(0, f64::min) - AROUND_DEG, edge(0, f64::max) + AROUND_DEG);
    let (south, north) = (edge(1, f64::min) - AROUND_DEG, edge(1, f64::max) + AROUND_DEG);
    ClosureShape::Polygon(vec![vec![[west, south], [east, south], [east, north], [west, north], [west, south]]])
}
