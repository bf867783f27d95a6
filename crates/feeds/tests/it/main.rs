//! Each dialect, held against what its readers expect.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

mod cirkwi;
mod datatourisme;
mod geotrek;
mod geotrek_database;
mod gtfs;
mod incoming;
mod own;
mod randonnee;
mod samples;
mod sit;
