//! The content of the demo: who works there, what they made, what there is to see. Plain data, no database.
//!
//! Everything is named by a `key` that is stable from one version to the next; links between things are keys. The
//! codes of practices, levels, themes and the like are those of the product's own reference lists.

mod agency;
mod orsel;
mod people;
mod pictures;
mod pois;
mod sauvelle;
mod sheets;
mod traces;

use crate::region::Region;

pub use people::{DEMO_PASSWORD, Role, Structure, User, WhiteLabel, WhiteLabelKind};
pub use pictures::{Picture, Picturing};
pub use pois::{Flags, Poi};
pub use sheets::{Choice, Parcours, Period, Progress, Relation, Sale, Step, StepKind};
pub use traces::{Cause, Expected, SourceTrace, TraceMode};

/// A text in both languages; an empty one is not written.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Text {
    /// French.
    pub fr: String,
    /// English.
    pub en: String,
}

impl Text {
    /// A text in both languages.
    pub fn new(fr: impl Into<String>, en: impl Into<String>) -> Self {
        Self { fr: fr.into(), en: en.into() }
    }

    /// Whether it is written in no language.
    pub fn is_empty(&self) -> bool {
        self.fr.is_empty() && self.en.is_empty()
    }
}

/// All of the demo's content.
#[derive(Debug)]
pub struct Content {
    /// Structures.
    pub structures: Vec<Structure>,
    /// White-labels.
    pub white_labels: Vec<WhiteLabel>,
    /// Users of every role.
    pub users: Vec<User>,
    /// Parcours, parents before their children.
    pub parcours: Vec<Parcours>,
    /// Points of interest.
    pub pois: Vec<Poi>,
    /// Pictures; each is drawn when asked for.
    pub pictures: Vec<Picture>,
}

/// The demo's content over its region. Always the same.
pub fn content(region: &Region) -> Content {
    let pictures = pictures::pictures(region);
    let pois = pois::pois(region, &pictures);
    let parcours = sheets::parcours(region, &pois);
    Content {
        structures: people::STRUCTURES.to_vec(),
        white_labels: people::white_labels(),
        users: people::USERS.to_vec(),
        parcours,
        pois,
        pictures,
    }
}
