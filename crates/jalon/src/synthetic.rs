//! `jalon demo --parcours N` and its like: a database of any size for the benches. Deterministic, no planner.

pub mod catalogue;
pub mod events;
pub mod owners;

use std::sync::Arc;

use content::parcours::compute::{Ask, compute, steps_of_file};
use domain::Text;
use domain::parcours::line::Pace;
use domain::parcours::{Leg, LegKind, Sheet, TraceMode, TraceOrigin};
use domain::vocabulary::VocabularyKind;
use indicatif::{ProgressBar, ProgressStyle};
use serde_json::Value;
use store::parcours::{Change, NewParcours};
use store::{StoreError, parcours};
use trace::Position;

use self::owners::Owners;
use crate::config::Config;
use crate::intake::{Lists, parallel_map};
use crate::output;
use crate::wiring::{self, WiringError};

/// Stored in one transaction.
const BATCH: u32 = 500;
/// Points of a line: about 5 KB of GeoJSON.
const POINTS: u32 = 170;

const WAYS: [&str; 8] = ["Tour", "Sentier", "Boucle", "Traversée", "Circuit", "Balade", "Chemin", "Grande randonnée"];
const PLACES: [&str; 12] = [
    "du lac",
    "de la forêt",
    "des crêtes",
    "du col",
    "de la vallée",
    "du moulin",
    "de la chapelle",
    "du belvédère",
    "des gorges",
    "de l’étang",
    "du plateau",
    "des hameaux",
];
const OF: [&str; 10] = [
    "de Brève",
    "de Montpezel",
    "d’Orsel",
    "de Sauvelle",
    "de la Lorne",
    "de Vernet",
    "du Hêtre",
    "de Charnoux",
    "des Échines",
    "de Brévine",
];

/// Adds `count` parcours: to the first white-label, or to all of a database that [`owners::run`] made, the greatest first.
pub async fn run(config: &Config, count: u32) -> Result<(), WiringError> {
    let store = wiring::store(config).await?;
    let failed = |source: StoreError| failure(config, source);
    let lists = Arc::new(Lists::load(store.read()).await.map_err(failed)?);
    let owners = Arc::new(Owners::load(&store).await.map_err(failed)?);
    if owners.is_empty() {
        return Ok(());
    }
    let bar = progress("parcours", count);
    let make = |from: u32| {
        let (lists, owners) = (Arc::clone(&lists), Arc::clone(&owners));
        let numbers: Vec<u32> = (from..count.min(from + BATCH)).collect();
        tokio::task::spawn_blocking(move || parallel_map(&numbers, |number| (*number, one(*number, &owners, &lists))))
    };
    // The next ones are made while the database takes those before.
    let mut next = make(0);
    for from in (0..count).step_by(BATCH as usize) {
        let following = make(from + BATCH);
        let made = std::mem::replace(&mut next, following).await.unwrap_or_default();
        let tx = store.begin_filling().await.map_err(failed)?;
        for (number, new) in &made {
            let at = saved_at(*number);
            let change = Change { by: None, at, reason: Some("import"), languages: &config.content_languages };
            parcours::insert(&tx, new, change).await.map_err(failed)?;
        }
        tx.commit().await.map_err(failed)?;
        bar.inc(made.len() as u64);
    }
    bar.finish_and_clear();
    store.close().await.map_err(failed)?;
    output::line(format!("{count} synthetic parcours added."));
    Ok(())
}

fn failure(config: &Config, source: StoreError) -> WiringError {
    WiringError::Database { url: wiring::without_password(&config.database_url()), source }
}

/// A bar that says how many of what, and how long it still takes.
fn progress(what: &'static str, count: u32) -> ProgressBar {
    let style = ProgressStyle::with_template("{prefix} {bar:30} {human_pos} of {human_len}, {per_sec:.0}, {eta} left");
    ProgressBar::new(u64::from(count))
        .with_style(style.unwrap_or_else(|_| ProgressStyle::default_bar()))
        .with_prefix(what)
}

/// When a record was saved: spread over three years, so that sorting by date means something.
fn saved_at(number: u32) -> domain::Instant {
    domain::Instant(wiring::now().0 - i64::from(number.wrapping_mul(7919) % 94_608_000))
}

fn one(number: u32, owners: &Owners, lists: &Lists) -> NewParcours {
    let pick = |list: &[&'static str], salt: u32| list[(mixed(number, salt) as usize) % list.len()];
    let owner = owners.of(number);
    let (way, place) = (pick(&WAYS, 1), pick(&PLACES, 2));
    let of = owner.village(number).unwrap_or_else(|| pick(&OF, 3).to_owned());
    let title = format!("{way} {place} {of} {number}");
    let practices = ["randonnee", "vtt", "velo-route", "velo-loisir", "trail"];
    let general =
        ["general-tres-facile", "general-facile", "general-moyen", "general-difficile", "general-tres-difficile"];
    let sheet = Sheet {
        title: both(&title, &format!("{way} {place} {of}, route {number}")),
        subtitle: both("Une sortie à la journée", "A day out"),
        summary: both(
            &format!("De hameau en hameau, {place} {of} : une journée variée, sur chemins et petites routes."),
            &format!("From hamlet to hamlet, {place} {of}: a varied day on paths and small roads."),
        ),
        description: both(
            &format!(
                "<p>Au départ du bourg, le parcours gagne {place} {of} par un bon chemin, puis suit la crête.</p><p>Retour par la rive et les prés.</p>"
            ),
            "<p>From the village the way climbs along a good track, then follows the ridge.</p><p>Back along the shore and the meadows.</p>",
        ),
        is_loop: Some(mixed(number, 4).is_multiple_of(2)),
        practice_type_id: lists.id(VocabularyKind::PracticeType, pick(&practices, 5)),
        level_id: lists.id(VocabularyKind::Level, pick(&general, 6)),
        distribute_own: true,
        distribute_partners: true,
        ..Sheet::default()
    };
    let trace = compute(
        None,
        Ask {
            legs: vec![Leg { kind: LegKind::Source, line: wander(number, owner.place(number, 10)) }],
            mode: TraceMode::Source,
            profile: None,
            pace: Pace::default(),
            origin: TraceOrigin::Drawn,
            source_file: None,
            repairs: Vec::new(),
            pieces: 1,
            source_gaps: Value::Array(Vec::new()),
            source_line: None,
            model_heights: false,
            distance_typed_m: None,
            duration_typed_s: Some(14_400.0),
            duration_recorded_s: None,
            ignored: Vec::new(),
            at: wiring::now(),
        },
    );
    let mut steps = steps_of_file(&[], &trace, Pace::default(), 1);
    // Open data gives the departure and the arrival.
    for step in &mut steps {
        step.title = both("Le bourg", "The village");
    }
    NewParcours {
        white_label_id: owner.id,
        published: !mixed(number, 7).is_multiple_of(3),
        sheet,
        steps,
        trace: Some(trace),
    }
}

/// A line that turns gently.
fn wander(number: u32, [mut lon, mut lat]: [f64; 2]) -> Vec<Position> {
    let mut heading = unit(number, 12) * std::f64::consts::TAU;
    (0..POINTS)
        .map(|at| {
            heading += (f64::from(mixed(number, 100 + at)) / f64::from(u32::MAX) - 0.5) * 0.6;
            lon += heading.cos() * 6e-4;
            lat += heading.sin() * 4e-4;
            let ele = 600.0 + 150.0 * (f64::from(at) / 20.0).sin();
            Position { lon: round(lon, 1e6), lat: round(lat, 1e6), ele: Some(round(ele, 10.0)) }
        })
        .collect()
}

fn both(french: &str, english: &str) -> Text {
    [("fr".to_owned(), french.to_owned()), ("en".to_owned(), english.to_owned())].into_iter().collect()
}

fn round(value: f64, parts: f64) -> f64 {
    (value * parts).round() / parts
}

/// A number from 0 to 1 that looks random and is always the same.
fn unit(number: u32, salt: u32) -> f64 {
    f64::from(mixed(number, salt)) / f64::from(u32::MAX)
}

/// A number that looks random and is always the same (the finaliser of MurmurHash3).
fn mixed(number: u32, salt: u32) -> u32 {
    let mut h = number.wrapping_mul(0x9E37_79B1) ^ salt.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 16;
    h = h.wrapping_mul(0x85EB_CA6B);
    h ^= h >> 13;
    h = h.wrapping_mul(0xC2B2_AE35);
    h ^ (h >> 16)
}
