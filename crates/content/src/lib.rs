//! What the staff writes: parcours and all they are made of, the route planner that draws them, and the map under them. Each folder is a
//! resource with its handlers, views, rules and jobs.
//!
//! The main path: `parcours::trace` reads a file or the clicks of the editor, `parcours::compute` plans it with the engine of
//! [`app::App`], and the sheet, steps and trace are saved in one transaction. `planner` answers the editor and watches the network for
//! changes; `closure`, `poi`, `itinerary` and the reference lists are records ([`app::record`]).
//!
//! Modules use each other one way (decision 0046).

// Parcours.
pub mod closure;
pub mod cluster;
pub mod custom;
pub mod ground;
pub mod itinerary;
pub mod parcours;
pub mod planner;
pub mod poi;
pub mod printed;
pub mod share;
pub mod sheet_texts;
pub mod stops_near;

// Files and the map.
pub mod map;
pub mod media;
pub mod upload;

// Records that parcours refer to.
pub mod contact;
pub mod provider_link;
pub mod structure;
pub mod survey_campaign;
pub mod table;
pub mod transport_line;
pub mod vocabulary;
