//! Structures: who owns the white-labels.

use crate::Address;
use crate::record::{Kind, email, free, line, phone, sheet, to, to_term, url};
use crate::vocabulary::VocabularyKind;

sheet! {
    /// The fields of a structure: a legal body that owns white-labels and employs users.
    StructureSheet {
        name: String = line(200).required(),
        /// Its type, an item of the structure types.
        kind_id: i64 = to_term(VocabularyKind::StructureType).required(),
        /// Postal address.
        address: Address = free(),
        /// Where one asks: degrees east and north.
        #[schema(value_type = Option<trace::Place>)]
        location: Option<[f64; 2]> = free(),
        /// Web site.
        website: Option<String> = url(),
        /// Telephone number, as it is dialled.
        phone: Option<String> = phone(),
        /// Mail address.
        email: Option<String> = email(),
        /// Number of its registration, as a travel agency must show it.
        registration: Option<String> = line(100),
        /// The guarantor if the agency fails (Code du tourisme, R. 211-4): name and place.
        guarantor: Option<String> = line(200),
        /// The insurer of its liability: name, place, number of the contract.
        insurer: Option<String> = line(200),
        /// The mediator with its clients: name and site.
        mediator: Option<String> = line(200),
        /// The person in charge.
        contact_id: Option<i64> = to(Kind::Contact),
    }
}
