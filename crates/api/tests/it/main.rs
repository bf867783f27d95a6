//! The API, whole and on both databases.

mod architecture;
mod assets;
mod contract;
mod error_texts;
mod map;
mod matrix;
mod media;
mod password_reset;
mod reads;
mod rows_foundation;
mod runtime;
mod shell;
mod sign_in;
