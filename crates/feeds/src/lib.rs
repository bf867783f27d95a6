//! What leaves the house for others' clients: our sheets in each dialect of the field.
//!
//! [`sheet`] is what every dialect is made from: plain values, gathered by whoever knows the database. A dialect is a module
//! that turns them into text, and nothing else: no I/O, no clock, no database, no web framework.
//!
//! - [`geotrek`]: the read side of the Geotrek API v2, which portals, widgets and aggregators speak;
//! - [`randonnee`]: the French national schema of hiking routes, as GeoJSON;
//! - [`datatourisme`]: JSON-LD with the words of the DATAtourisme ontology;
//! - [`cirkwi`]: Cirkwi's XML;
//! - [`own`]: our own JSON and GeoJSON.
//!
//! [`incoming`] goes the other way: the bytes of each dialect to routes that look alike, and a reason for each refusal.
//! [`gtfs`] reads what operators of public transport publish: lines, stops, departures.

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

pub use licence::Licence;
pub use object::Chosen;
pub use readers::READERS;
pub use sheet::{CustomValue, Feed, Media, MediaKind, Origin, Owner, Parcours, Poi, Stop, Term};
pub use uuid::uuid;
