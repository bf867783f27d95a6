//! The API, whole and on both databases.

#![allow(clippy::unwrap_used, reason = "a test that unwraps says where it failed")]

mod architecture;
mod assets;
mod catalogue_kit;
mod closures;
mod contacts;
mod contract;
mod coverage;
mod custom_fields;
mod error_texts;
mod home;
mod impact;
mod itineraries;
mod map;
mod matrix;
mod media;
mod parcours_bulk;
mod parcours_history;
mod parcours_kit;
mod parcours_list;
mod parcours_passport;
mod parcours_planned;
mod parcours_rights;
mod parcours_share;
mod parcours_sheet;
mod parcours_trace;
mod password_reset;
mod pois;
mod public_page;
mod reads;
mod rows_catalogue;
mod rows_foundation;
mod rows_media;
mod rows_parcours;
mod rows_public;
mod runtime;
mod shell;
mod sign_in;
mod structures;
mod totp;
mod transport_lines;
mod uploads;
mod users;
mod vocabularies;
mod white_labels;
