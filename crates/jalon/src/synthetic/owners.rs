//! `jalon demo --white-labels N`: the white-labels that synthetic records belong to. Ten have half of all, the others less and less, as on
//! a platform of a country; each has its own part of France.

use domain::white_label::{Bounds, WhiteLabelKind, WhiteLabelSheet};
use domain::{StructureId, WhiteLabelId};
use store::{Store, StoreError, structure, white_label};

use super::{failure, mixed, progress, round, unit};
use crate::config::Config;
use crate::output;
use crate::wiring::{self, WiringError};

/// White-labels that have half of all records.
const GREAT: usize = 10;
/// The beginning of the address of a white-label made here.
const SLUG: &str = "territoire-";
/// West, south, east, north: the main of France without its coasts.
const FRANCE: [f64; 4] = [-0.5, 43.5, 6.5, 49.5];
/// How far records lie from the middle of their white-label, degrees: of a great one, of another one.
const REACH: [f64; 2] = [0.9, 0.25];

const BEGIN: [&str; 25] = [
    "Saint-", "Mont", "Belle", "Ville", "Font", "Roche", "Cha", "Va", "Bre", "Lor", "Mar", "Pui", "Cas", "Gran",
    "Haute", "Noir", "Cham", "Ser", "Tré", "Bois", "Or", "Au", "Es", "Pel", "Cou",
];
const MIDDLE: [&str; 16] =
    ["mar", "ver", "lon", "cel", "gui", "ro", "tin", "bau", "vil", "ser", "dan", "fré", "mi", "cor", "lau", "ni"];
const END: [&str; 20] = [
    "gnac", "ville", "court", "ans", "euil", "ière", "oux", "ac", "y", "ange", "an", "ois", "as", "el", "ette",
    "ières", "igny", "olles", "ais", "enne",
];

/// A white-label that records are given to.
#[derive(Debug, Clone, Copy)]
pub struct Owner {
    /// Its number.
    pub id: WhiteLabelId,
    /// Its structure.
    pub structure_id: StructureId,
    /// The middle of its part of France and how far it reaches; none where the database has the demo's white-labels alone.
    area: Option<([f64; 2], f64)>,
}

/// The white-labels, the oldest first.
pub struct Owners {
    all: Vec<Owner>,
    /// The sum of the shares up to each.
    shares: Vec<f64>,
}

impl Owners {
    /// Reads them.
    pub async fn load(store: &Store) -> Result<Self, StoreError> {
        let mut found = white_label::all(store.read()).await?;
        found.sort_by_key(|one| one.id.0);
        let is_country = found.iter().any(|one| one.slug.starts_with(SLUG));
        let all: Vec<Owner> = found
            .iter()
            .enumerate()
            .map(|(rank, one)| Owner {
                id: one.id,
                structure_id: one.structure_id,
                area: is_country.then(|| (middle(rank as u32), REACH[usize::from(rank >= GREAT)])),
            })
            .collect();
        let mut shares = Vec::with_capacity(all.len());
        let rest: f64 = (GREAT..all.len()).map(|rank| 1.0 / rank as f64).sum();
        let mut sum = 0.0;
        for rank in 0..all.len() {
            sum += if rank < GREAT { 0.5 / GREAT as f64 } else { 0.5 / rank as f64 / rest };
            shares.push(sum);
        }
        Ok(Self { all, shares })
    }

    /// Whether there are none.
    pub fn is_empty(&self) -> bool {
        self.all.is_empty()
    }

    /// The one that a record belongs to.
    pub fn of(&self, number: u32) -> &Owner {
        if self.all[0].area.is_none() {
            return &self.all[0];
        }
        let drawn = unit(number, 20);
        let rank = self.shares.partition_point(|sum| *sum < drawn);
        &self.all[rank.min(self.all.len() - 1)]
    }

    /// The one that a record of the catalogue belongs to: where only the demo's are there, they share alike.
    pub fn of_catalogue(&self, number: u32) -> &Owner {
        if self.all[0].area.is_some() {
            self.of(number)
        } else {
            &self.all[mixed(number, 20) as usize % self.all.len()]
        }
    }
}

impl Owner {
    /// A place in its part of France, degrees east and north; `salt` and the number after it are of this place alone.
    pub fn place(&self, number: u32, salt: u32) -> [f64; 2] {
        let [east, north] = [unit(number, salt), unit(number, salt + 1)];
        let place = match self.area {
            // Denser towards the middle.
            Some(([lon, lat], reach)) => {
                let from_middle = |drawn: f64| (drawn * 2.0 - 1.0).powi(3) * reach;
                [lon + from_middle(east), lat + from_middle(north)]
            }
            None => [2.6 + east, 44.4 + north],
        };
        place.map(|degrees| round(degrees, 1e6))
    }

    /// The village of a record: some names are frequent, most are rare. None where the database has the demo's white-labels alone.
    pub fn village(&self, number: u32) -> Option<String> {
        self.area?;
        let names = (BEGIN.len() * MIDDLE.len() * END.len()) as f64;
        let name = (unit(number, 30).powi(3) * (names - 1.0)) as usize;
        let (begin, rest) = (name % BEGIN.len(), name / BEGIN.len());
        let (middle, end) = (rest % MIDDLE.len(), rest / MIDDLE.len());
        Some(format!("à {}{}{}", BEGIN[begin], MIDDLE[middle], END[end % END.len()]))
    }
}

fn middle(rank: u32) -> [f64; 2] {
    let [west, south, east, north] = FRANCE;
    [west + unit(rank, 31) * (east - west), south + unit(rank, 32) * (north - south)]
}

/// Adds `count` white-labels, each with a structure.
pub async fn run(config: &Config, count: u32) -> Result<(), WiringError> {
    let store = wiring::store(config).await?;
    let failed = |source: StoreError| failure(config, source);
    let there = white_label::all(store.read()).await.map_err(failed)?.len() as u32;
    let bar = progress("white-labels", count);
    let tx = store.begin().await.map_err(failed)?;
    for number in 0..count {
        let name = format!("Territoire {number}");
        let now = wiring::now();
        let structure_id = structure::insert(&tx, &name, "office-tourisme", now).await.map_err(failed)?;
        let [lon, lat] = middle(there + number);
        let sheet = WhiteLabelSheet {
            structure_id: structure_id.0,
            name,
            slug: format!("{SLUG}{number}"),
            kind: WhiteLabelKind::Destination,
            published: true,
            bounds: Some(Bounds { ne: [lon + 1.0, lat + 1.0], sw: [lon - 1.0, lat - 1.0] }),
            ..WhiteLabelSheet::default()
        };
        white_label::insert(&tx, sheet, now).await.map_err(failed)?;
        bar.inc(1);
    }
    tx.commit().await.map_err(failed)?;
    bar.finish_and_clear();
    store.close().await.map_err(failed)?;
    output::line(format!("{count} synthetic white-labels added."));
    Ok(())
}
