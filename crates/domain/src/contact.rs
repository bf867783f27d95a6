//! Contacts: the people a structure answers through.

use crate::record::{Kind, email, line, phone, sheet, to};

sheet! {
    /// The fields of a contact.
    ContactSheet {
        /// Given name.
        first_name: String = line(100),
        /// Family name.
        last_name: String = line(100).required(),
        /// Address, in small letters; no other contact has it.
        email: String = email().required(),
        /// Telephone number, as it is dialled.
        phone: Option<String> = phone(),
        /// What they do there.
        function: Option<String> = line(200),
        /// The structure they answer for.
        structure_id: i64 = to(Kind::Structure).required(),
        /// The white-labels they answer for.
        white_label_ids: Vec<i64> = to(Kind::WhiteLabel),
    }
}

impl ContactSheet {
    /// First and last name.
    pub fn full_name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name).trim().to_owned()
    }
}
