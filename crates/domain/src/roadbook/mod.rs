//! The roadbook (carnet de voyage) of a parcours: what is set of it, its rules, and the days a trip is cut into.

mod batch;
mod check;
mod client_file;
mod days;
mod settings;

pub use batch::{BATCH_DAYS, Batch, BatchItem, BatchState, CLIENT_BATCH_DAYS, MAX_BATCH};
pub use check::{MAX_CONTACTS, MAX_STAY_LINES};
pub use client_file::{ClientFile, MAX_CLIENT_FILES};
pub use days::{DayCut, days, last_after_days};
pub use settings::{
    AGENCY_PARTS, PageKind, PaperFormat, RoadbookContact, RoadbookMeal, RoadbookPage, RoadbookSettings, RoadbookStay,
    RoadbookVoucher,
};
