//! One record, with the source's data.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Text;
use crate::transport_line::words;

words! {
    /// The status of a record.
    SitStatus {
        /// Its source has it.
        Active "active",
        /// It was missing in two consecutive runs of its source.
        Gone "gone",
        /// Hidden by a user here.
        Hidden "hidden",
    } default Active
}

/// Where it is, as it is written on a letter.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SitAddress {
    /// Number and street.
    pub street: Option<String>,
    pub postcode: Option<String>,
    /// Town.
    pub city: Option<String>,
    /// The town's INSEE code.
    pub insee: Option<String>,
}

/// A picture of it.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SitPicture {
    /// Where it is.
    pub url: String,
    pub legend: Text,
    /// The picture's credit.
    pub credit: Option<String>,
    /// Its licence, in the source's words.
    pub licence: Option<String>,
}

/// A word of the source's own lists: a category, a label.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SitWord {
    /// The source's identifier of it.
    pub key: String,
    pub label: Text,
}

/// The source's data of one place.
#[derive(Debug, Clone, Default, PartialEq, Serialize, Deserialize, ToSchema)]
#[serde(default)]
pub struct SitRecord {
    /// The source's identifier of it.
    pub id: String,
    pub name: Text,
    /// Some sentences.
    pub short: Text,
    /// The whole text.
    pub long: Text,
    /// When it is open, in words.
    pub opening: Text,
    /// What it costs, in words.
    pub tariff: Text,
    /// Degrees east and north.
    #[schema(value_type = Option<trace::Place>)]
    pub position: Option<[f64; 2]>,
    /// Postal address.
    pub address: SitAddress,
    /// Telephone numbers.
    pub phones: Vec<String>,
    /// Mail addresses.
    pub emails: Vec<String>,
    /// Web sites.
    pub websites: Vec<String>,
    /// Where to book.
    pub booking_url: Option<String>,
    /// Its pictures, the main one first.
    pub pictures: Vec<SitPicture>,
    /// What it is, the nearest word first.
    pub words: Vec<SitWord>,
    /// Accueil Vélo, Qualité Tourisme…
    pub labels: Vec<SitWord>,
    /// The day it last changed at its source, `YYYY-MM-DD`.
    pub updated: Option<String>,
    pub author: Option<String>,
    /// Languages whose texts a machine translated.
    pub by_machine: Vec<String>,
}

impl SitRecord {
    /// Languages it is written in, French first.
    pub fn languages(&self) -> Vec<String> {
        let mut found: Vec<String> = Vec::new();
        for text in [&self.name, &self.short, &self.long] {
            for language in text.languages() {
                if !found.iter().any(|known| known == language) {
                    found.push(language.to_owned());
                }
            }
        }
        found.sort_by_key(|language| (language != "fr", language.clone()));
        found
    }
}
