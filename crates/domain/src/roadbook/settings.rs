//! The settings of a roadbook.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Text;
use crate::transport_line::words;

words! {
    /// The paper it is laid out for.
    PaperFormat {
        /// 148 × 210 mm.
        A5 "a5",
        /// 210 × 297 mm.
        A4 "a4",
    } default A5
}

words! {
    /// The kind of a page. The front cover is printed first and the back cover last; `map`, `profile`, `steps`, `stay` and `photos`
    /// come once a day, in their order, at the place of the first of them.
    PageKind {
        /// Front cover (première de couverture).
        FrontCover "front_cover",
        /// Welcome, contacts, table of contents.
        Welcome "welcome",
        /// A description: of the parcours, or another text.
        Description "description",
        /// Map of the whole trip and table of days.
        Overview "overview",
        /// Map of each day.
        Map "map",
        /// Profile of each day.
        Profile "profile",
        /// Steps of each day.
        Steps "steps",
        /// Where one sleeps after each day.
        Stay "stay",
        /// Photos of each day.
        Photos "photos",
        /// Ruled pages.
        Notes "notes",
        /// Vouchers to hand over.
        Voucher "voucher",
        /// Legend and help.
        Memo "memo",
        /// Back cover.
        BackCover "back_cover",
    } default Description
}

impl PageKind {
    /// All thirteen, in the order of a new roadbook.
    pub const ALL: [Self; 13] = [
        Self::FrontCover,
        Self::Welcome,
        Self::Description,
        Self::Overview,
        Self::Map,
        Self::Profile,
        Self::Steps,
        Self::Stay,
        Self::Photos,
        Self::Notes,
        Self::Voucher,
        Self::Memo,
        Self::BackCover,
    ];

    /// Whether there may be several of it, each with its own text.
    pub const fn may_repeat(self) -> bool {
        matches!(self, Self::Description | Self::Notes)
    }

    /// The most of it that may be asked for: pages of notes, photos of a day.
    pub const fn most(self) -> i64 {
        match self {
            Self::Photos => 12,
            _ => 20,
        }
    }
}

/// A page, or the pages of one kind that each day has. An option of another kind is kept and does nothing.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookPage {
    pub kind: PageKind,
    /// Whether it is printed.
    pub on: bool,
    /// Its heading, of a description or notes.
    pub title: Text,
    /// Plain text, of a description in the place of the parcours' own.
    pub text: Text,
    /// The picture of a front cover or a description, one of the parcours'; the main one of a cover by default.
    pub media_id: Option<i64>,
    /// How many: pages of notes, photos of a day.
    pub count: Option<i64>,
    /// The table of days of an overview, of contents of a welcome, the figures of a description, the codes of a back cover.
    pub table: bool,
    /// The profile of an overview, or as the edge of a front cover.
    pub profile: bool,
}

impl RoadbookPage {
    /// A page with its usual options.
    pub fn new(kind: PageKind) -> Self {
        Self {
            kind,
            on: true,
            title: Text::default(),
            text: Text::default(),
            media_id: None,
            count: None,
            table: true,
            profile: true,
        }
    }
}

impl Default for RoadbookPage {
    fn default() -> Self {
        Self::new(PageKind::default())
    }
}

/// A contact to call.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookContact {
    /// What they are: « Votre conseillère ».
    pub role: String,
    pub name: String,
    /// Telephone number, as it is dialled.
    pub phone: String,
    /// When, and for what.
    pub note: String,
}

/// A meal where one sleeps.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookMeal {
    /// Its name: « Dîner ».
    pub name: String,
    /// When: `19:30`, or in words.
    pub hour: String,
    /// Whether the price of the trip includes it.
    pub included: bool,
    /// Its price in words, if it is not included.
    pub price: String,
}

/// Where one sleeps at a step that is a night.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookStay {
    pub step_id: i64,
    /// Name of the lodging; the step's by default.
    pub name: String,
    /// What it is: « Hôtel-restaurant ».
    pub kind: String,
    /// Postal address, a line each.
    pub address: Vec<String>,
    /// Telephone number, as it is dialled.
    pub phone: String,
    /// Web site.
    pub web: String,
    /// The earliest arrival, `HH:MM`.
    pub check_in: Option<String>,
    /// Until when one leaves, `HH:MM`.
    pub check_out: Option<String>,
    /// Access code. Printed for a named client alone.
    pub code: String,
    pub room: String,
    /// Meals.
    pub meals: Vec<RoadbookMeal>,
    /// Where bicycles are kept at night.
    pub bike: String,
    /// How the luggage is carried.
    pub luggage: String,
    /// Other remarks.
    pub note: String,
    /// One of the parcours' pictures, above the page.
    pub media_id: Option<i64>,
}

/// A voucher: what a provider owes to who hands it over. Reserved to agencies.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookVoucher {
    pub provider: String,
    pub place: String,
    /// Telephone number, as it is dialled.
    pub phone: String,
    /// The day, `YYYY-MM-DD`.
    pub date: Option<String>,
    /// What is provided.
    pub service: String,
    /// For how many: a number, or words such as « 2 adultes, 1 enfant ».
    #[serde(deserialize_with = "words_or_number")]
    pub people: String,
    /// What is paid and what is not.
    pub settlement: String,
}

/// Words, or a number as it was stored before words were taken; nothing for null.
fn words_or_number<'de, D: serde::Deserializer<'de>>(from: D) -> Result<String, D::Error> {
    #[derive(Deserialize)]
    #[serde(untagged)]
    enum Given {
        Words(String),
        Number(i64),
    }
    Ok(match Option::<Given>::deserialize(from)? {
        None => String::new(),
        Some(Given::Words(words)) => words,
        Some(Given::Number(number)) => number.to_string(),
    })
}

/// What is set of a parcours' roadbook.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RoadbookSettings {
    /// The paper it is laid out for.
    pub format: PaperFormat,
    /// Whether it is folded and stapled from sheets twice as large.
    pub booklet: bool,
    /// Whether there are 3 mm around the page for a print shop to cut.
    pub bleed: bool,
    /// One of the content languages; the first by default.
    pub language: Option<String>,
    /// Title and description that hide the places, for sellers.
    pub anonymous: bool,
    /// The first day, `YYYY-MM-DD`.
    pub starts_on: Option<String>,
    /// The travellers. Reserved to agencies.
    pub clients: Vec<String>,
    /// A word of welcome, plain.
    pub welcome: Text,
    pub signature: String,
    /// Contacts to call; by default the person in charge of the parcours.
    pub contacts: Vec<RoadbookContact>,
    /// The pages, in order.
    pub pages: Vec<RoadbookPage>,
    /// Where one sleeps.
    pub stays: Vec<RoadbookStay>,
    /// What is handed over. Reserved to agencies.
    pub vouchers: Vec<RoadbookVoucher>,
}

impl Default for RoadbookSettings {
    fn default() -> Self {
        Self {
            format: PaperFormat::A5,
            booklet: false,
            bleed: false,
            language: None,
            anonymous: false,
            starts_on: None,
            clients: Vec::new(),
            welcome: Text::default(),
            signature: String::new(),
            contacts: Vec::new(),
            pages: PageKind::ALL.map(RoadbookPage::new).to_vec(),
            stays: Vec::new(),
            vouchers: Vec::new(),
        }
    }
}

/// What only someone with `agency.fields` may change.
pub const AGENCY_PARTS: [&str; 2] = ["clients", "vouchers"];

impl RoadbookSettings {
    /// The parts reserved to agencies that differ from `before`.
    pub fn agency_parts_changed(&self, before: &Self) -> Option<&'static str> {
        let [clients, vouchers] = AGENCY_PARTS;
        if self.clients != before.clients {
            Some(clients)
        } else if self.vouchers != before.vouchers {
            Some(vouchers)
        } else {
            None
        }
    }

    /// The media its pages name, each with the place where.
    pub fn media(&self) -> Vec<(String, i64)> {
        let pages =
            self.pages.iter().enumerate().map(|(index, page)| (format!("/pages/{index}/media_id"), page.media_id));
        let stays =
            self.stays.iter().enumerate().map(|(index, stay)| (format!("/stays/{index}/media_id"), stay.media_id));
        pages.chain(stays).filter_map(|(field, id)| id.map(|id| (field, id))).collect()
    }

    /// Takes these media off the pages that name them.
    pub fn forget_media(&mut self, ids: &[i64]) {
        let pages = self.pages.iter_mut().map(|page| &mut page.media_id);
        for media in pages.chain(self.stays.iter_mut().map(|stay| &mut stay.media_id)) {
            *media = media.filter(|id| !ids.contains(id));
        }
    }

    /// Whether a page of a kind is printed.
    pub fn prints(&self, kind: PageKind) -> bool {
        self.pages.iter().any(|page| page.on && page.kind == kind)
    }

    /// The public version: without clients, contacts, vouchers and door codes.
    #[must_use]
    pub fn for_everybody(mut self) -> Self {
        self.clients.clear();
        self.vouchers.clear();
        self.contacts.clear();
        self.starts_on = None;
        self.welcome = Text::default();
        self.signature.clear();
        for stay in &mut self.stays {
            let kept = RoadbookStay {
                step_id: stay.step_id,
                name: std::mem::take(&mut stay.name),
                kind: std::mem::take(&mut stay.kind),
                address: std::mem::take(&mut stay.address),
                media_id: stay.media_id,
                ..RoadbookStay::default()
            };
            *stay = kept;
        }
        self
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_for_everybody_names_no_client_and_opens_no_door() {
        let settings = RoadbookSettings {
            clients: vec!["Claire Aubertin".into()],
            vouchers: vec![RoadbookVoucher::default()],
            stays: vec![RoadbookStay {
                step_id: 3,
                name: "Auberge".into(),
                code: "2741 A".into(),
                phone: "03".into(),
                room: "7".into(),
                ..RoadbookStay::default()
            }],
            ..RoadbookSettings::default()
        };
        let public = settings.for_everybody();
        assert!(public.clients.is_empty() && public.vouchers.is_empty());
        let stay = &public.stays[0];
        assert_eq!((stay.step_id, stay.name.as_str(), stay.code.as_str()), (3, "Auberge", ""));
        assert_eq!((stay.phone.as_str(), stay.room.as_str()), ("", ""));
    }

    #[test]
    fn a_new_roadbook_has_every_page() {
        let fresh = RoadbookSettings::default();
        let named = [
            PageKind::FrontCover,
            PageKind::Map,
            PageKind::Steps,
            PageKind::Photos,
            PageKind::Stay,
            PageKind::Notes,
            PageKind::BackCover,
            PageKind::Voucher,
            PageKind::Description,
        ];
        assert!(named.iter().all(|kind| fresh.prints(*kind)), "the nine types of the specification");
        assert!(PageKind::ALL.iter().all(|kind| fresh.prints(*kind)));
    }
}
