//! What may be set of a roadbook, and what its texts become before they are kept.

use std::collections::HashSet;

use super::settings::{PageKind, RoadbookSettings, RoadbookStay, RoadbookVoucher};
use crate::Fault;
use crate::html::{clean_text, plain, plain_line};
use crate::parcours::availability::is_day;
use crate::text::check_text;

const MAX_PAGES: usize = 40;
const MAX_CLIENTS: usize = 40;
/// Contacts to call; all of them are printed.
pub const MAX_CONTACTS: usize = 12;
const MAX_STAYS: usize = 400;
const MAX_VOUCHERS: usize = 200;
/// Lines of the address, and meals, of a night; all of them are printed.
pub const MAX_STAY_LINES: usize = 8;
const MAX_TEXT_CHARS: usize = 20_000;
/// A line of a printed card.
const LINE_CHARS: usize = 120;
/// A paragraph of a printed card.
const NOTE_CHARS: usize = 600;
/// The persons of a voucher: « 2 adultes, 1 enfant ».
pub(super) const PEOPLE_CHARS: usize = 60;

impl RoadbookSettings {
    /// Cleans it in place: no markup, no empty names, each step's stay once.
    pub fn clean(&mut self) {
        for page in &mut self.pages {
            clean_text(&mut page.title, &plain_line);
            clean_text(&mut page.text, &plain);
        }
        clean_text(&mut self.welcome, &plain);
        for name in self.names_mut() {
            *name = plain_line(name);
        }
        for line in self.lines_mut() {
            *line = plain(line);
        }
        self.clients.retain(|client| !client.is_empty());
        self.contacts.retain(|contact| !(contact.name.is_empty() && contact.phone.is_empty()));
        for stay in &mut self.stays {
            stay.address.retain(|line| !line.is_empty());
            stay.meals.retain(|meal| !meal.name.is_empty());
        }
        for day in self.days_mut() {
            *day = day.take().map(|text| text.trim().to_owned()).filter(|text| !text.is_empty());
        }
        let mut seen = HashSet::new();
        self.stays.retain(|stay| seen.insert(stay.step_id));
    }

    /// All faults. `languages` are those content is written in.
    pub fn faults(&self, languages: &[String]) -> Vec<Fault> {
        let mut faults = Vec::new();
        self.check_counts(&mut faults);
        if let Some(language) = self.language.as_ref().filter(|language| !languages.contains(language)) {
            let sent: String = language.chars().take(20).collect();
            faults.push(Fault::new("validation/unknown-language", "/language").with("language", sent));
        }
        day("/starts_on", self.starts_on.as_deref(), &mut faults);
        check_text("/welcome", &self.welcome, MAX_TEXT_CHARS, languages, &mut faults);
        short("/signature", &self.signature, LINE_CHARS, &mut faults);
        self.check_pages(languages, &mut faults);
        for (index, client) in self.clients.iter().enumerate() {
            short(&format!("/clients/{index}"), client, LINE_CHARS, &mut faults);
        }
        for (index, contact) in self.contacts.iter().enumerate() {
            for (name, text) in
                [("role", &contact.role), ("name", &contact.name), ("phone", &contact.phone), ("note", &contact.note)]
            {
                short(&format!("/contacts/{index}/{name}"), text, LINE_CHARS, &mut faults);
            }
        }
        for (index, stay) in self.stays.iter().enumerate() {
            check_stay(&format!("/stays/{index}"), stay, &mut faults);
        }
        for (index, voucher) in self.vouchers.iter().enumerate() {
            check_voucher(&format!("/vouchers/{index}"), voucher, &mut faults);
        }
        faults
    }

    fn check_counts(&self, faults: &mut Vec<Fault>) {
        for (field, count, max) in [
            ("/pages", self.pages.len(), MAX_PAGES),
            ("/clients", self.clients.len(), MAX_CLIENTS),
            ("/contacts", self.contacts.len(), MAX_CONTACTS),
            ("/stays", self.stays.len(), MAX_STAYS),
            ("/vouchers", self.vouchers.len(), MAX_VOUCHERS),
        ] {
            if count > max {
                faults.push(Fault::new("validation/too-many", field).with("max", max));
            }
        }
    }

    fn check_pages(&self, languages: &[String], faults: &mut Vec<Fault>) {
        let mut seen: Vec<PageKind> = Vec::new();
        for (index, page) in self.pages.iter().enumerate() {
            let at = format!("/pages/{index}");
            if seen.contains(&page.kind) && !page.kind.may_repeat() {
                faults.push(Fault::new("roadbook/page-twice", format!("{at}/kind")).with("kind", page.kind.as_str()));
            }
            seen.push(page.kind);
            check_text(&format!("{at}/title"), &page.title, LINE_CHARS, languages, faults);
            check_text(&format!("{at}/text"), &page.text, MAX_TEXT_CHARS, languages, faults);
            between(&format!("{at}/count"), page.count, 1, page.kind.most(), faults);
        }
    }

    /// The names, which are of one line.
    fn names_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let contacts = self.contacts.iter_mut().map(|one| &mut one.name);
        let stays = self.stays.iter_mut().map(|stay| &mut stay.name);
        let vouchers = self.vouchers.iter_mut().map(|one| &mut one.provider);
        self.clients.iter_mut().chain([&mut self.signature]).chain(contacts).chain(stays).chain(vouchers)
    }

    fn lines_mut(&mut self) -> impl Iterator<Item = &mut String> {
        let contacts =
            self.contacts.iter_mut().flat_map(|one| [&mut one.role, &mut one.name, &mut one.phone, &mut one.note]);
        let stays = self.stays.iter_mut().flat_map(|stay| {
            let meals = stay.meals.iter_mut().flat_map(|meal| [&mut meal.name, &mut meal.hour, &mut meal.price]);
            let lines = stay.address.iter_mut().chain(meals);
            let rest = [&mut stay.name, &mut stay.kind, &mut stay.phone, &mut stay.web, &mut stay.code];
            lines.chain(rest).chain([&mut stay.room, &mut stay.bike, &mut stay.luggage, &mut stay.note])
        });
        let vouchers = self
            .vouchers
            .iter_mut()
            .flat_map(|one| [&mut one.provider, &mut one.place, &mut one.phone, &mut one.service, &mut one.settlement]);
        self.clients.iter_mut().chain([&mut self.signature]).chain(contacts).chain(stays).chain(vouchers)
    }

    fn days_mut(&mut self) -> impl Iterator<Item = &mut Option<String>> {
        let hours = self.stays.iter_mut().flat_map(|stay| [&mut stay.check_in, &mut stay.check_out]);
        let days = self.vouchers.iter_mut().map(|voucher| &mut voucher.date);
        [&mut self.starts_on, &mut self.language].into_iter().chain(hours).chain(days)
    }
}

fn check_stay(at: &str, stay: &RoadbookStay, faults: &mut Vec<Fault>) {
    for (name, text, max) in [
        ("name", &stay.name, LINE_CHARS),
        ("kind", &stay.kind, LINE_CHARS),
        ("phone", &stay.phone, LINE_CHARS),
        ("web", &stay.web, LINE_CHARS),
        ("code", &stay.code, LINE_CHARS),
        ("room", &stay.room, NOTE_CHARS),
        ("bike", &stay.bike, NOTE_CHARS),
        ("luggage", &stay.luggage, NOTE_CHARS),
        ("note", &stay.note, NOTE_CHARS),
    ] {
        short(&format!("{at}/{name}"), text, max, faults);
    }
    for (name, count) in [("address", stay.address.len()), ("meals", stay.meals.len())] {
        if count > MAX_STAY_LINES {
            faults.push(Fault::new("validation/too-many", format!("{at}/{name}")).with("max", MAX_STAY_LINES));
        }
    }
    for (index, line) in stay.address.iter().enumerate() {
        short(&format!("{at}/address/{index}"), line, LINE_CHARS, faults);
    }
    for (index, meal) in stay.meals.iter().enumerate() {
        for (name, text) in [("name", &meal.name), ("hour", &meal.hour), ("price", &meal.price)] {
            short(&format!("{at}/meals/{index}/{name}"), text, LINE_CHARS, faults);
        }
    }
    for (name, hour) in [("check_in", &stay.check_in), ("check_out", &stay.check_out)] {
        if let Some(hour) = hour.as_ref().filter(|hour| !is_hour(hour)) {
            let sent: String = hour.chars().take(40).collect();
            faults.push(Fault::new("roadbook/bad-hour", format!("{at}/{name}")).with("value", sent));
        }
    }
}

fn check_voucher(at: &str, voucher: &RoadbookVoucher, faults: &mut Vec<Fault>) {
    for (name, text, max) in [
        ("provider", &voucher.provider, LINE_CHARS),
        ("place", &voucher.place, LINE_CHARS),
        ("phone", &voucher.phone, LINE_CHARS),
        ("service", &voucher.service, NOTE_CHARS),
        ("settlement", &voucher.settlement, NOTE_CHARS),
        ("people", &voucher.people, PEOPLE_CHARS),
    ] {
        short(&format!("{at}/{name}"), text, max, faults);
    }
    for (name, text) in [("provider", &voucher.provider), ("service", &voucher.service)] {
        if text.is_empty() {
            faults.push(Fault::new("validation/required", format!("{at}/{name}")));
        }
    }
    day(&format!("{at}/date"), voucher.date.as_deref(), faults);
}

pub(super) fn short(at: &str, text: &str, max: usize, faults: &mut Vec<Fault>) {
    if text.chars().count() > max {
        faults.push(Fault::new("validation/too-long", at).with("max", max));
    }
}

fn day(at: &str, text: Option<&str>, faults: &mut Vec<Fault>) {
    if let Some(text) = text.filter(|text| !is_day(text)) {
        faults.push(Fault::new("validation/bad-date", at).with("value", text.chars().take(40).collect::<String>()));
    }
}

fn between(at: &str, number: Option<i64>, min: i64, max: i64, faults: &mut Vec<Fault>) {
    if number.is_some_and(|number| !(min..=max).contains(&number)) {
        faults.push(Fault::new("validation/out-of-range", at).with("min", min).with("max", max));
    }
}

/// `HH:MM`, from 00:00 to 23:59.
fn is_hour(text: &str) -> bool {
    let two = |part: &str, most: u8| {
        part.len() == 2 && part.bytes().all(|b| b.is_ascii_digit()) && part.parse::<u8>().is_ok_and(|n| n <= most)
    };
    text.split_once(':').is_some_and(|(hours, minutes)| two(hours, 23) && two(minutes, 59))
}

#[cfg(test)]
mod tests {
    use super::super::settings::{RoadbookContact, RoadbookPage};
    use super::*;
    use crate::Text;

    fn faults_of(settings: &RoadbookSettings) -> Vec<String> {
        let faults = settings.faults(&["fr".to_owned(), "en".to_owned()]);
        faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    #[test]
    fn a_new_one_has_no_fault() {
        assert_eq!(faults_of(&RoadbookSettings::default()), Vec::<String>::new());
    }

    #[test]
    fn each_fault_is_reported_on_its_field() {
        let mut settings = RoadbookSettings {
            language: Some("it".into()),
            starts_on: Some("2027-02-30".into()),
            stays: vec![RoadbookStay { check_in: Some("25:00".into()), ..RoadbookStay::default() }],
            vouchers: vec![RoadbookVoucher { people: "x".repeat(61), ..RoadbookVoucher::default() }],
            clients: vec!["x".repeat(121)],
            ..RoadbookSettings::default()
        };
        settings.pages.push(RoadbookPage { kind: PageKind::Map, ..RoadbookPage::default() });
        settings.pages.push(RoadbookPage { kind: PageKind::Notes, count: Some(21), ..RoadbookPage::default() });
        assert_eq!(
            faults_of(&settings),
            [
                "validation/unknown-language /language",
                "validation/bad-date /starts_on",
                "roadbook/page-twice /pages/13/kind",
                "validation/out-of-range /pages/14/count",
                "validation/too-long /clients/0",
                "roadbook/bad-hour /stays/0/check_in",
                "validation/too-long /vouchers/0/people",
                "validation/required /vouchers/0/provider",
                "validation/required /vouchers/0/service",
            ]
        );
    }

    #[test]
    fn cleaning_leaves_words_alone_and_drops_what_is_empty() {
        let mut settings = RoadbookSettings {
            clients: vec![" Claire <b>Aubertin</b> ".into(), "  ".into()],
            contacts: vec![RoadbookContact::default()],
            starts_on: Some(" ".into()),
            welcome: Text::in_french("Bonjour <script>alert(1)</script>"),
            stays: vec![
                RoadbookStay { step_id: 2, name: "a".into(), ..RoadbookStay::default() },
                RoadbookStay { step_id: 2, name: "b".into(), ..RoadbookStay::default() },
            ],
            ..RoadbookSettings::default()
        };
        settings.clean();
        assert_eq!(settings.clients, ["Claire Aubertin"]);
        assert!(settings.contacts.is_empty() && settings.starts_on.is_none());
        assert_eq!(settings.welcome.fr(), "Bonjour");
        assert_eq!((settings.stays.len(), settings.stays[0].name.as_str()), (1, "a"));
    }
}
