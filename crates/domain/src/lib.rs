//! The words and the rules: value types, states, capabilities, validation. No I/O.

mod actor;
mod clock;
mod fold;
mod ids;
mod locale;
mod media;
pub mod parcours;
mod password;
mod poi;
mod role;
pub mod share;
pub mod step;
mod structure;
mod text;
pub mod throttle;
mod user;
pub mod vocabulary;
mod white_label;

pub use actor::Actor;
pub use clock::{Clock, FrozenClock, Instant, SystemClock};
pub use fold::fold;
pub use ids::{MediaId, ParcoursId, PoiId, StructureId, UserId, VocabularyId, WhiteLabelId};
pub use locale::Locale;
pub use media::{Media, MediaKind};
pub use parcours::Fault;
pub use password::{MAX_PASSWORD_CHARS, MIN_PASSWORD_CHARS, PasswordFault, check_password};
pub use poi::{Poi, PoiFlags};
pub use role::{Capability, Role};
pub use structure::Structure;
pub use text::Text;
pub use user::{User, UserStatus, normalise_email};
pub use white_label::WhiteLabel;
