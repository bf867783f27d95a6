//! The formats that Jalon publishes for other clients, and those that it imports.
//!
//! [`sheet`] has the plain values that every format is made from; `api` reads them from the database. Each format is a
//! module that turns them into text, without I/O, clock, database or web framework:
//!
//! - [`geotrek`]: the read side of the Geotrek API v2, for portals, widgets and aggregators;
//! - [`randonnee`]: the French national schema of hiking routes, as GeoJSON;
//! - [`datatourisme`]: JSON-LD with the words of the DATAtourisme ontology;
//! - [`cirkwi`]: Cirkwi's XML;
//! - [`own`]: Jalon's own JSON and GeoJSON.
//!
//! [`incoming`] reads the same formats and others, and returns routes in one form, with a reason for each item that is
//! refused. [`gtfs`] reads public transport: lines, stops, departures.

pub mod cirkwi;
pub mod datatourisme;
pub mod geotrek;
pub mod gtfs;
pub mod incoming;
pub mod licence;
mod object;
pub mod own;
pub mod randonnee;
mod readers;
pub mod sheet;
mod spoken;
mod uuid;
mod words;

pub use licence::Licence;
pub use object::Chosen;
pub use readers::READERS;
pub use sheet::{
    CustomValue, Feed, Instruction, Itinerary, Media, MediaKind, Origin, Owner, Parcours, Poi, Price, Stop, Term,
    TransportLine,
};
pub use uuid::uuid;
