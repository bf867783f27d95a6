//! Points of interest.

use std::collections::{BTreeMap, HashSet};

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use crate::record::table::Layout;
use crate::record::{
    Field, Kind, Sheet as _, email, free, line, list_of, plain, rich, sheet, text_line, to, to_term, url,
};
use crate::text::first_text;
use crate::vocabulary::VocabularyKind;
use crate::{Address, Fault, Text, fold};

/// The yes/no properties of a POI.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct PoiFlags {
    /// Bonne adresse.
    pub good_address: bool,
    /// Incontournable.
    pub must_see: bool,
    /// Point de détour.
    pub detour_point: bool,
    /// Point de repère.
    pub landmark: bool,
    /// Réservable.
    pub bookable: bool,
}

impl PoiFlags {
    /// Their words, in the order of the form.
    pub const NAMES: [&'static str; 5] = ["good_address", "must_see", "detour_point", "landmark", "bookable"];

    /// The ticks, in the same order.
    pub const fn ticks(self) -> [bool; 5] {
        [self.good_address, self.must_see, self.detour_point, self.landmark, self.bookable]
    }
}

impl Field for PoiFlags {
    const LAYOUT: Layout = Layout::Parts(&Self::NAMES, &Layout::Bool);
}

sheet! {
    /// What the staff fill in of a point of interest.
    PoiSheet {
        title: Text = text_line(200).required(),
        /// Sanitised HTML.
        description: Text = rich(100_000),
        /// Its place: degrees east and north. Required.
        #[schema(value_type = Option<trace::Place>)]
        location: Option<[f64; 2]> = free(),
        /// Its yes/no properties.
        flags: PoiFlags = free(),
        category_ids: Vec<i64> = to_term(VocabularyKind::PoiCategory),
        theme_ids: Vec<i64> = to_term(VocabularyKind::PoiTheme),
        /// Its media, in order; the first is the main one.
        media_ids: Vec<i64> = to(Kind::Media),
        /// Postal address.
        address: Address = free(),
        /// Telephone number, as it is dialled.
        phone: Option<String> = line(40),
        /// Mail address.
        email: Option<String> = email(),
        /// Web site.
        website: Option<String> = url(),
        /// When it is open.
        opening: Text = plain(2_000),
        /// Where to book.
        booking_url: Option<String> = url(),
        /// Handed to our own applications and partner white-labels.
        distribute: bool = free(),
        /// Values of the white-label's own fields.
        custom: BTreeMap<String, Value> = list_of(100),
    }
}

impl PoiSheet {
    /// The faults between its fields. `changed` names the fields of this save.
    pub fn rules(&self, changed: &[&str], languages: &[String]) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.location.is_none() && changed.contains(&"location") {
            faults.push(Fault::new("poi/location-required", "/location"));
        }
        let moved = changed.iter().any(|name| ["distribute", "description"].contains(name));
        if self.distribute && moved && !self.is_described(languages) {
            faults.push(Fault::new("poi/description-required", first_text("description", languages)));
        }
        faults
    }

    /// Whether the description is written in the first language.
    pub fn is_described(&self, languages: &[String]) -> bool {
        languages.first().is_some_and(|lang| self.description.is_written(lang))
    }

    /// What it lacks. The first language's lacks have no suffix.
    pub fn missing(&self, languages: &[String]) -> Vec<String> {
        let mut lacks = Vec::new();
        for (name, text) in [("title", &self.title), ("description", &self.description)] {
            for (rank, lang) in languages.iter().enumerate().filter(|(_, lang)| !text.is_written(lang)) {
                lacks.push(if rank == 0 { name.to_owned() } else { format!("{name}_{lang}") });
            }
        }
        for (name, there) in [("photo", !self.media_ids.is_empty()), ("category", !self.category_ids.is_empty())] {
            if !there {
                lacks.push(name.to_owned());
            }
        }
        lacks
    }

    /// What it lacks, as a number with one bit for each lack. Texts that are missing in other languages than the first share one bit.
    pub fn lack_bits(&self, languages: &[String]) -> i16 {
        let bits = self.missing(languages).iter().filter_map(|word| poi_lack_bit(word)).collect::<HashSet<_>>();
        bits.into_iter().sum()
    }

    /// Its name in the form by which lists are sorted and duplicates are found.
    pub fn sort_title(&self) -> String {
        fold(self.title.best("fr"))
    }

    /// This POI with its empty fields filled from `other`, as after a merge. Written words stay; lists are joined.
    #[must_use]
    pub fn completed_by(mut self, other: &Self) -> Self {
        // Every field is named, so that a new one has to be decided here.
        let Self {
            title,
            description,
            location: _,
            flags: _,
            category_ids,
            theme_ids,
            media_ids,
            address,
            phone,
            email,
            website,
            opening,
            booking_url,
            distribute: _,
            custom,
            rest: _,
        } = other;
        for (text, more) in
            [(&mut self.title, title), (&mut self.description, description), (&mut self.opening, opening)]
        {
            for (lang, words) in more.iter() {
                if !text.is_written(lang) {
                    text.set(lang, words);
                }
            }
        }
        for (ids, more) in
            [(&mut self.category_ids, category_ids), (&mut self.theme_ids, theme_ids), (&mut self.media_ids, media_ids)]
        {
            ids.extend(more);
        }
        for (own, more) in [
            (&mut self.phone, phone),
            (&mut self.email, email),
            (&mut self.website, website),
            (&mut self.booking_url, booking_url),
        ] {
            *own = own.take().or_else(|| more.clone());
        }
        for (key, value) in custom {
            self.custom.entry(key.clone()).or_insert_with(|| value.clone());
        }
        if self.address == Address::default() {
            self.address = address.clone();
        }
        self.clean(&str::to_owned);
        self
    }
}

/// The bit of something a POI lacks: `title`, `title_en`, `photo`, … `None` for another word.
pub fn poi_lack_bit(word: &str) -> Option<i16> {
    match word {
        "title" => Some(1),
        "description" => Some(2),
        "photo" => Some(4),
        "category" => Some(8),
        _ if word.starts_with("title_") => Some(16),
        _ if word.starts_with("description_") => Some(32),
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> Vec<String> {
        vec!["fr".to_owned(), "en".to_owned()]
    }

    #[test]
    fn a_place_is_required_and_a_description_to_be_distributed() {
        let codes = |sheet: &PoiSheet, changed: &[&str]| -> Vec<&str> {
            sheet.rules(changed, &languages()).iter().map(|fault| fault.code).collect()
        };
        let bare = PoiSheet { distribute: true, ..PoiSheet::default() };
        assert_eq!(codes(&bare, &["location", "distribute"]), ["poi/location-required", "poi/description-required"]);
        assert!(codes(&bare, &["title"]).is_empty(), "a save of something else is not stopped");
        let whole = PoiSheet { location: Some([4.0, 47.0]), description: Text::in_french("Là"), ..bare };
        assert!(codes(&whole, &["location", "distribute"]).is_empty());
    }

    #[test]
    fn what_is_missing_is_reported_by_language() {
        let poi = PoiSheet { title: Text::in_french("Lac"), media_ids: vec![1], ..PoiSheet::default() };
        assert_eq!(poi.missing(&languages()), ["title_en", "description", "description_en", "category"]);
    }

    #[test]
    fn a_merge_fills_what_is_empty_and_leaves_what_is_written() {
        let own = PoiSheet { title: Text::in_french("Lac"), media_ids: vec![1], ..PoiSheet::default() };
        let other = PoiSheet {
            title: Text::new("Le lac", "Lake"),
            media_ids: vec![2, 1],
            phone: Some("01".to_owned()),
            ..PoiSheet::default()
        };
        let merged = own.completed_by(&other);
        assert_eq!(merged.title, Text::new("Lac", "Lake"));
        assert_eq!((merged.media_ids, merged.phone.as_deref()), (vec![1, 2], Some("01")));
    }
}
