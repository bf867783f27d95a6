//! A client file (dossier client): the part of a roadbook that is for one client. All else comes from the roadbook of the parcours.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::check::{PEOPLE_CHARS, short};
use super::settings::{RoadbookContact, RoadbookSettings, RoadbookStay, RoadbookVoucher};
use crate::html::plain_line;
use crate::{Fault, Instant, Text};

/// The most client files of one parcours.
pub const MAX_CLIENT_FILES: i64 = 500;
/// As long as the file number of a parcours, which it replaces.
const REFERENCE_CHARS: usize = 100;

/// The part of a roadbook that is for one client.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(default, deny_unknown_fields)]
pub struct ClientFile {
    /// The file number at the agency. Printed instead of the file number of the parcours; voucher numbers begin with it.
    pub reference: String,
    /// The travellers. Never those of the parcours' roadbook.
    pub clients: Vec<String>,
    /// For how many, in words or as a number: for the vouchers that come from the parcours' roadbook.
    pub people: String,
    /// The first day, `YYYY-MM-DD`. Never that of the parcours' roadbook.
    pub starts_on: Option<String>,
    /// One of the content languages; that of the parcours' roadbook unless given.
    pub language: Option<String>,
    /// A word of welcome, plain; that of the parcours' roadbook where empty.
    pub welcome: Text,
    /// The signature; that of the parcours' roadbook where empty.
    pub signature: String,
    /// Contacts to call; those of the parcours' roadbook where empty.
    pub contacts: Vec<RoadbookContact>,
    /// Where this client sleeps. A stay without a name is the one of the parcours' roadbook with what is given here; one with
    /// another name replaces it whole.
    pub stays: Vec<RoadbookStay>,
    /// What is handed over; where empty those of the parcours' roadbook, on the same days of this client's trip.
    pub vouchers: Vec<RoadbookVoucher>,
}

impl ClientFile {
    /// Cleans it in place, by the rules of a roadbook.
    pub fn clean(&mut self) {
        let mut printed = self.as_settings();
        printed.clean();
        *self = Self {
            reference: plain_line(&self.reference),
            clients: printed.clients,
            people: plain_line(&self.people),
            starts_on: printed.starts_on,
            language: printed.language,
            welcome: printed.welcome,
            signature: printed.signature,
            contacts: printed.contacts,
            stays: printed.stays,
            vouchers: printed.vouchers,
        };
    }

    /// All faults. `languages` are those content is written in.
    pub fn faults(&self, languages: &[String]) -> Vec<Fault> {
        let mut faults = Vec::new();
        if self.reference.is_empty() {
            faults.push(Fault::new("validation/required", "/reference"));
        }
        short("/reference", &self.reference, REFERENCE_CHARS, &mut faults);
        short("/people", &self.people, PEOPLE_CHARS, &mut faults);
        faults.extend(self.as_settings().faults(languages));
        faults
    }

    /// The media its stays name, each with its field.
    pub fn media(&self) -> Vec<(String, i64)> {
        let stays = self.stays.iter().enumerate();
        stays.filter_map(|(index, stay)| Some((format!("/stays/{index}/media_id"), stay.media_id?))).collect()
    }

    /// The settings of this client's roadbook, made from those of the parcours' roadbook. Client names and dates of the latter
    /// are another client's: they are never taken over.
    pub fn applied_to(&self, model: RoadbookSettings) -> RoadbookSettings {
        let stays = self.stays_over(&model.stays);
        let vouchers = if self.vouchers.is_empty() { self.vouchers_of(&model) } else { self.vouchers.clone() };
        RoadbookSettings {
            language: self.language.clone().or(model.language),
            // An anonymous roadbook is for resellers and names no client.
            anonymous: false,
            starts_on: self.starts_on.clone(),
            clients: self.clients.clone(),
            welcome: if self.welcome.is_empty() { model.welcome } else { self.welcome.clone() },
            signature: given(&self.signature, &model.signature),
            contacts: if self.contacts.is_empty() { model.contacts } else { self.contacts.clone() },
            stays,
            vouchers,
            ..model
        }
    }

    /// The stays of the model, with those of this file over them.
    fn stays_over(&self, model: &[RoadbookStay]) -> Vec<RoadbookStay> {
        let own = |stay: &RoadbookStay| self.stays.iter().find(|own| own.step_id == stay.step_id);
        let known = model.iter().map(|stay| own(stay).map_or_else(|| stay.clone(), |own| own.over(stay)));
        let others = self.stays.iter().filter(|own| !model.iter().any(|stay| stay.step_id == own.step_id));
        known.chain(others.cloned()).collect()
    }

    /// The vouchers of the model for this client: on the same day of the trip. Without both first days they have no date, for
    /// that of the model is another client's.
    fn vouchers_of(&self, model: &RoadbookSettings) -> Vec<RoadbookVoucher> {
        let moved = |date: &str| {
            let day_of_trip = Instant::days_between(model.starts_on.as_deref()?, date)?;
            Instant::day_after(self.starts_on.as_deref()?, day_of_trip)
        };
        let own = |voucher: &RoadbookVoucher| RoadbookVoucher {
            date: voucher.date.as_deref().and_then(moved),
            people: given(&self.people, &voucher.people),
            ..voucher.clone()
        };
        model.vouchers.iter().map(own).collect()
    }

    /// The same as settings without pages, so that cleaning and checks are those of a roadbook.
    fn as_settings(&self) -> RoadbookSettings {
        RoadbookSettings {
            language: self.language.clone(),
            starts_on: self.starts_on.clone(),
            clients: self.clients.clone(),
            welcome: self.welcome.clone(),
            signature: self.signature.clone(),
            contacts: self.contacts.clone(),
            pages: Vec::new(),
            stays: self.stays.clone(),
            vouchers: self.vouchers.clone(),
            ..RoadbookSettings::default()
        }
    }
}

impl RoadbookStay {
    /// This stay with its empty fields filled from another; unchanged where it names another place: the telephone and door code
    /// of the other one do not apply to it.
    fn over(&self, model: &Self) -> Self {
        if !self.name.is_empty() && self.name != model.name {
            return self.clone();
        }
        Self {
            step_id: self.step_id,
            name: model.name.clone(),
            kind: given(&self.kind, &model.kind),
            address: if self.address.is_empty() { model.address.clone() } else { self.address.clone() },
            phone: given(&self.phone, &model.phone),
            web: given(&self.web, &model.web),
            check_in: self.check_in.clone().or_else(|| model.check_in.clone()),
            check_out: self.check_out.clone().or_else(|| model.check_out.clone()),
            code: given(&self.code, &model.code),
            room: given(&self.room, &model.room),
            meals: if self.meals.is_empty() { model.meals.clone() } else { self.meals.clone() },
            bike: given(&self.bike, &model.bike),
            luggage: given(&self.luggage, &model.luggage),
            note: given(&self.note, &model.note),
            media_id: self.media_id.or(model.media_id),
        }
    }
}

/// The given value, else the model's.
fn given(own: &str, model: &str) -> String {
    if own.is_empty() { model.to_owned() } else { own.to_owned() }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn model() -> RoadbookSettings {
        RoadbookSettings {
            booklet: true,
            anonymous: true,
            language: Some("en".into()),
            starts_on: Some("2027-05-14".into()),
            clients: vec!["Claire Aubertin".into()],
            welcome: Text::in_french("Bienvenue"),
            signature: "Maud".into(),
            contacts: vec![RoadbookContact { name: "Maud".into(), ..RoadbookContact::default() }],
            stays: vec![
                RoadbookStay {
                    step_id: 3,
                    name: "Auberge du Pré".into(),
                    phone: "+33353014210".into(),
                    code: "2741 A".into(),
                    ..RoadbookStay::default()
                },
                RoadbookStay { step_id: 4, name: "Gîte du Lac".into(), ..RoadbookStay::default() },
            ],
            vouchers: vec![RoadbookVoucher {
                provider: "Auberge du Pré".into(),
                service: "1 nuit".into(),
                people: "2 adultes".into(),
                date: Some("2027-05-15".into()),
                ..RoadbookVoucher::default()
            }],
            ..RoadbookSettings::default()
        }
    }

    #[test]
    fn what_a_file_leaves_empty_comes_from_the_parcours_but_for_names_and_dates() {
        let printed = ClientFile { reference: "2027-001".into(), ..ClientFile::default() }.applied_to(model());
        assert!(printed.clients.is_empty() && printed.starts_on.is_none() && !printed.anonymous && printed.booklet);
        assert_eq!(printed.vouchers[0].date, None, "the date of another client");
        let kept = (printed.language.as_deref(), printed.welcome.fr(), printed.signature.as_str());
        assert_eq!(kept, (Some("en"), "Bienvenue", "Maud"));
        assert_eq!((printed.contacts, printed.stays), (model().contacts, model().stays));
        assert_eq!(printed.pages, model().pages);
    }

    #[test]
    fn what_a_file_gives_stands_in_its_place() {
        let file = ClientFile {
            clients: vec!["Noé Petit".into()],
            people: "4 adultes".into(),
            starts_on: Some("2027-07-01".into()),
            language: Some("fr".into()),
            welcome: Text::in_french("Cher Noé"),
            signature: "Yann".into(),
            contacts: vec![RoadbookContact { name: "Yann".into(), ..RoadbookContact::default() }],
            ..ClientFile::default()
        };
        let printed = file.applied_to(model());
        assert_eq!((printed.clients[0].as_str(), printed.starts_on.as_deref()), ("Noé Petit", Some("2027-07-01")));
        assert_eq!((printed.welcome.fr(), printed.signature.as_str()), ("Cher Noé", "Yann"));
        assert_eq!((printed.language.as_deref(), printed.contacts[0].name.as_str()), (Some("fr"), "Yann"));
        let voucher = &printed.vouchers[0];
        assert_eq!((voucher.date.as_deref(), voucher.people.as_str()), (Some("2027-07-02"), "4 adultes"));
        let own =
            RoadbookVoucher { provider: "Loueur".into(), service: "2 vélos".into(), ..RoadbookVoucher::default() };
        let printed = ClientFile { vouchers: vec![own.clone()], ..file }.applied_to(model());
        assert_eq!(printed.vouchers, [own]);
    }

    #[test]
    fn a_night_without_a_name_is_the_same_house_and_one_with_another_name_is_another() {
        let room = RoadbookStay { step_id: 3, room: "7".into(), ..RoadbookStay::default() };
        let moved = RoadbookStay { step_id: 4, name: "Hôtel de la Gare".into(), ..RoadbookStay::default() };
        let added = RoadbookStay { step_id: 9, name: "Refuge".into(), ..RoadbookStay::default() };
        let file = ClientFile { stays: vec![added, moved, room], ..ClientFile::default() };
        let stays = file.applied_to(model()).stays;
        let listed: Vec<_> = stays.iter().map(|stay| (stay.step_id, stay.name.as_str(), stay.code.as_str())).collect();
        assert_eq!(listed, [(3, "Auberge du Pré", "2741 A"), (4, "Hôtel de la Gare", ""), (9, "Refuge", "")]);
        assert_eq!((stays[0].room.as_str(), stays[0].phone.as_str()), ("7", "+33353014210"));
        // The same place with its name written again.
        let same = RoadbookStay { step_id: 3, name: "Auberge du Pré".into(), ..RoadbookStay::default() };
        let file = ClientFile { stays: vec![same], ..ClientFile::default() };
        assert_eq!(file.applied_to(model()).stays[0].code, "2741 A");
    }

    #[test]
    fn a_file_is_checked_by_the_rules_of_a_roadbook_and_needs_a_reference() {
        let mut file = ClientFile {
            reference: " <b> </b>".into(),
            clients: vec![" Claire <b>Aubertin</b> ".into(), " ".into()],
            people: "x".repeat(61),
            starts_on: Some("2027-02-30".into()),
            language: Some("it".into()),
            stays: vec![RoadbookStay { check_in: Some("25:00".into()), ..RoadbookStay::default() }],
            vouchers: vec![RoadbookVoucher { provider: "Auberge".into(), ..RoadbookVoucher::default() }],
            ..ClientFile::default()
        };
        file.clean();
        assert_eq!(file.clients, ["Claire Aubertin"]);
        let faults = file.faults(&["fr".to_owned(), "en".to_owned()]);
        let listed: Vec<String> = faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect();
        assert_eq!(
            listed,
            [
                "validation/required /reference",
                "validation/too-long /people",
                "validation/unknown-language /language",
                "validation/bad-date /starts_on",
                "roadbook/bad-hour /stays/0/check_in",
                "validation/required /vouchers/0/service",
            ]
        );
    }
}
