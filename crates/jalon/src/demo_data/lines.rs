//! The demo's lines of public transport: two valleys, the lake, and how a bicycle comes along.

use domain::Text;
use domain::WhiteLabelId;
use domain::step::{Step, StepKind};
use domain::transport_line::{LineBikes, LineCondition, LineMode, TransportLineSheet};
use store::record::{Change, Stored};
use store::transport_line::TransportLines;
use store::{Store, StoreError};

use super::Keys;
use crate::config::Config;
use crate::wiring;

/// White-label, short and long name, operator, what runs, colours, bicycles, and a condition in both languages.
type Row =
    (&'static str, &'static str, &'static str, &'static str, LineMode, [&'static str; 2], LineBikes, [&'static str; 2]);

const ROWS: [Row; 8] = [
    (
        "val-d-orsel",
        "T1",
        "Lornay – La Roche-Vive – Brévine",
        "Train de l’Orsel",
        LineMode::Rail,
        ["#00695C", "#FFFFFF"],
        LineBikes::Yes,
        ["Six vélos par rame, sans réservation.", "Six bicycles a train, no booking."],
    ),
    (
        "val-d-orsel",
        "C12",
        "Lornay – Montpezel – col du Hêtre",
        "Cars du Val",
        LineMode::Coach,
        ["#E65100", "#FFFFFF"],
        LineBikes::Conditions,
        [
            "Remorque à vélos de juin à septembre, réservation la veille avant 17 h.",
            "Bicycle trailer from June to September, booked the day before by 5 pm.",
        ],
    ),
    (
        "val-d-orsel",
        "C14",
        "Brévine – Chantemerle – Les Échines",
        "Cars du Val",
        LineMode::Coach,
        ["#6A1B9A", "#FFFFFF"],
        LineBikes::No,
        ["", ""],
    ),
    (
        "val-d-orsel",
        "B",
        "Port de Brévine – La Digue",
        "Bateaux de Brève",
        LineMode::Ferry,
        ["#0277BD", "#FFFFFF"],
        LineBikes::Conditions,
        [
            "Dix vélos par bateau ; tandems et remorques sur demande.",
            "Ten bicycles a boat; tandems and trailers on request.",
        ],
    ),
    (
        "val-d-orsel",
        "TC",
        "Montpezel – Le Hautier",
        "Remontées du Hautier",
        LineMode::Gondola,
        ["#C62828", "#FFFFFF"],
        LineBikes::Conditions,
        ["VTT en cabine de mi-juin à mi-septembre.", "Mountain bikes in the cabins from mid-June to mid-September."],
    ),
    (
        "pays-de-sauvelle",
        "T2",
        "La Roche-Vive – Sauvelle",
        "Train de l’Orsel",
        LineMode::Rail,
        ["#00695C", "#FFFFFF"],
        LineBikes::Yes,
        ["", ""],
    ),
    (
        "pays-de-sauvelle",
        "C21",
        "Sauvelle – vallée de la Lorne",
        "Cars du Val",
        LineMode::Bus,
        ["#2E7D32", "#FFFFFF"],
        LineBikes::Unknown,
        ["", ""],
    ),
    (
        "pays-de-sauvelle",
        "F",
        "Sauvelle bas – Sauvelle haut",
        "Régie de Sauvelle",
        LineMode::Funicular,
        ["#4E342E", "#FFFFFF"],
        LineBikes::Yes,
        ["Deux vélos par montée.", "Two bicycles a ride."],
    ),
];

/// A line that is stored, and the places it stops at.
pub struct Line {
    id: i64,
    stops: Vec<&'static str>,
}

/// Gives the steps that begin, part or end a day the lines that stop there.
pub fn stop(steps: &mut [Step], lines: &[Line]) {
    use StepKind::{Arrival, Departure, Night, Step, StepNight};
    for step in steps.iter_mut().filter(|step| matches!(step.kind, Departure | Arrival | Step | Night | StepNight)) {
        let place = step.title.get("fr").unwrap_or_default();
        let here = lines.iter().filter(|line| line.stops.iter().any(|stop| place.starts_with(stop)));
        step.line_ids = here.map(|line| line.id).collect();
    }
}

/// Stores the lines.
pub async fn fill(config: &Config, store: &Store, keys: &Keys) -> Result<Vec<Line>, StoreError> {
    let tx = store.begin().await?;
    let mut lines = Vec::with_capacity(ROWS.len());
    for (owner, short_name, long_name, operator, mode, [color, text_color], bikes, [fr, en]) in ROWS {
        let Some(&WhiteLabelId(white_label)) = keys.white_labels.get(owner) else { continue };
        let mut new = Stored::blank(Some(WhiteLabelId(white_label)), wiring::now());
        let condition = LineCondition { text: Text::new(fr, en), ..LineCondition::default() };
        new.sheet = TransportLineSheet {
            long_name: long_name.to_owned(),
            short_name: short_name.to_owned(),
            operator: Some(operator.to_owned()),
            mode,
            color: Some(color.to_owned()),
            text_color: Some(text_color.to_owned()),
            bike_carriage: bikes,
            bookable: matches!(mode, LineMode::Coach),
            booking_url: matches!(mode, LineMode::Coach).then(|| "https://reserver.cars-du-val.example/".to_owned()),
            conditions: if fr.is_empty() { Vec::new() } else { vec![condition] },
            ..TransportLineSheet::default()
        };
        let change = Change { by: None, at: wiring::now(), reason: None, languages: &config.content_languages };
        let line = store::record::insert::<TransportLines>(&tx, new, change).await?;
        lines.push(Line { id: line.id, stops: long_name.split(" – ").collect() });
    }
    tx.commit().await?;
    Ok(lines)
}
