//! The travel notebook (carnet de voyage) of a parcours: what is set of it, its rules, and the days a trip is cut into.

mod check;
mod days;
mod settings;

pub use days::{DayCut, days};
pub use settings::{
    AGENCY_PARTS, PageKind, PaperFormat, RoadbookContact, RoadbookMeal, RoadbookPage, RoadbookSettings, RoadbookStay,
    RoadbookVoucher,
};
