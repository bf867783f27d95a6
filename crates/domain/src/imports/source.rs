//! A source of routes: its address, its format, its schedule, and how its routes are imported.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::mapping::{FieldRule, ValueRule};
use crate::record::{Field, email, free, line, list_of, sheet, url};
use crate::transport_line::words;
use crate::{DAY_S, HOUR_S};

words! {
    /// The format of a source.
    ImportKind {
        /// Files of recordings, alone or in a ZIP; layers; tables.
        Files "files",
        /// Geotrek's API v2.
        Geotrek "geotrek",
        /// The French national schema of hiking routes.
        SchemaRandonnee "schema_randonnee",
        /// Cirkwi's circuits.
        Cirkwi "cirkwi",
        /// OGC API Features, or WFS that answers GeoJSON.
        Features "features",
        /// Routes among the objects of Apidae.
        Apidae "apidae",
        /// Tours among the objects of DATAtourisme.
        Datatourisme "datatourisme",
        /// The public feed of another Jalon server.
        Jalon "jalon",
        /// A collection of a Directus server.
        Directus "directus",
    } default Files
}

words! {
    /// Whether an import publishes what it imports.
    ForcePublished {
        /// Nothing: what is new is a draft, and people here decide.
        Keep "keep",
        /// Publishes it, each time.
        Published "published",
        /// Takes it off, each time.
        Unpublished "unpublished",
    } default Keep
}

words! {
    /// How often a source is asked again.
    ImportSchedule {
        /// Only at a user's request.
        Never "never",
        /// Every hour.
        Hourly "hourly",
        /// Every day.
        Daily "daily",
        /// Every week.
        Weekly "weekly",
    } default Never
}

impl ImportKind {
    /// Whether a source of this kind is a server that is asked by its own addresses, and never a file.
    pub const fn is_server(self) -> bool {
        matches!(self, Self::Geotrek | Self::Jalon)
    }
}

impl ImportSchedule {
    /// Seconds between two runs.
    pub const fn every_s(self) -> Option<i64> {
        match self {
            Self::Never => None,
            Self::Hourly => Some(HOUR_S),
            Self::Daily => Some(DAY_S),
            Self::Weekly => Some(7 * DAY_S),
        }
    }
}

/// A file that was uploaded to be imported.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct ImportFile {
    /// Its file name.
    pub name: String,
    /// Its size.
    pub bytes: u64,
    /// Checksum, hexadecimal.
    pub sha256: String,
}

impl Field for Option<ImportFile> {}

sheet! {
    /// The settings of a source of routes.
    ImportSourceSheet {
        name: String = line(200).required(),
        /// Its format.
        kind: ImportKind = free(),
        /// Its address; absent for an uploaded file.
        url: Option<String> = url(),
        /// What its addresses must start with, `https://geotrek.parc.example`; its own host by default.
        host: Option<String> = url(),
        /// Distribute on the product what comes from it.
        distribute_own: bool = free(),
        /// Import POIs too: a Geotrek's, or points.
        takes_pois: bool = free(),
        /// Its signage and infrastructure too, as drafts.
        takes_equipment: bool = free(),
        /// Whether imported routes are published.
        force_published: ForcePublished = free(),
        /// Use its geometry unchanged, without matching it to the network.
        force_source_geometry: bool = free(),
        /// How often it is asked again.
        schedule: ImportSchedule = free(),
        /// Who gets a mail when a run fails; by default the person who changed the source last.
        notify_email: Option<String> = email(),
        /// Which of our fields takes which of its fields; by default those that follow from its kind.
        fields: Vec<FieldRule> = list_of(40),
        /// Which item of our reference lists corresponds to each of its words.
        values: Vec<ValueRule> = list_of(2_000),
        /// The uploaded file.
        file: Option<ImportFile> = free(),
    }
}
