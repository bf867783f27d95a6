//! Value types, states, capabilities and validation. No I/O.
//!
//! A record is declared once with `sheet!` ([`record`], `docs/dev/adding-a-resource.md`): from the declaration follow its merge
//! patch, its cleaning, its validation and its history. Parcours are in [`parcours`]; permissions are in `actor` and `role`. A
//! refusal is a [`Fault`]: a stable code, the field, and parameters; the client translates it.

mod actor;
mod address;
pub mod assistant;
pub mod audio;
pub mod audit;
mod client_network;
mod clock;
pub mod closure;
pub mod common_passwords;
mod contact;
pub mod country;
mod email;
mod fault;
pub mod feedback;
mod fold;
pub mod ground;
mod hexadecimal;
pub mod html;
mod ids;
pub mod impact;
pub mod imports;
pub mod itinerary;
pub mod job;
pub mod link;
mod locale;
pub mod login_wait;
pub mod markup;
pub mod media;
pub mod parcours;
mod password;
mod phone;
mod planner_profile;
mod poi;
pub mod provider_link;
#[doc(hidden)]
pub mod readers;
pub mod record;
pub mod region;
pub mod rest;
pub mod roadbook;
mod role;
pub mod service_key;
pub mod share;
pub mod sit;
pub mod statistics;
pub mod step;
mod structure;
pub mod survey_campaign;
pub mod text;
mod time_zone;
mod token_scope;
pub mod transit;
pub mod translation;
pub mod transport_line;
mod user;
pub mod vocabulary;
mod vocabulary_kind;
pub mod watch;
pub mod white_label;
mod white_space;

pub use actor::Actor;
pub use address::Address;
pub use client_network::{ClientNetwork, NotANetwork, TrustedProxies};
pub use clock::{Clock, DAY_S, FrozenClock, HOUR_S, Instant, SystemClock};
pub use contact::ContactSheet;
pub use email::{composed, normalise_email, typed_emails};
pub use fault::Fault;
pub use fold::fold;
pub use hexadecimal::hexadecimal;
pub use ids::{
    ClosureId, ContactId, ItineraryId, MediaId, ParcoursId, PoiId, StructureId, TransportLineId, UserId, VocabularyId,
    WhiteLabelId,
};
pub use locale::Locale;
pub use media::MediaKind;
pub use password::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, PasswordFault, check_password};
pub use poi::{PoiFlags, PoiSheet, poi_lack_bit};
pub use role::{Capability, Role};
pub use structure::StructureSheet;
pub use text::Text;
pub use time_zone::TimeZone;
pub use token_scope::TokenScope;
pub use user::{User, UserSheet, UserStatus};
pub use white_label::WhiteLabel;
pub use white_space::one_space;
