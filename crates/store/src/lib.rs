//! All SQL: migrations, queries, search; and the files (blobs).
//!
//! A query is a free function on a [`Connection`]: `store.read()` to read, a [`Tx`] from `store.begin()` to write.
//! Functions return types of `domain`, never a row. Every test runs on SQLite and on PostgreSQL.

pub mod assistant;
pub mod audio;
pub mod audit;
pub mod blob_check;
mod blobs;
mod cells;
pub mod client_file;
pub mod closure;
mod connection;
pub mod contact;
pub mod custom;
mod entity;
mod error;
pub mod feed;
pub mod feedback;
pub mod impact;
pub mod imports;
pub mod itinerary;
pub mod job;
pub mod known_device;
pub mod login_failure;
pub mod media;
mod memo;
mod migrations;
pub mod page;
pub mod paid_call;
pub mod parcours;
pub mod password_reset;
pub mod poi;
pub mod provider_link;
pub mod record;
pub mod roadbook;
pub mod roadbook_batch;
mod row;
pub mod saved_view;
pub mod sealed;
mod search;
mod seeds;
pub mod server;
pub mod session;
pub mod share;
pub mod sit;
mod sql;
pub mod statistics;
pub mod structure;
pub mod transit;
pub mod translation;
pub mod transport_line;
pub mod upload;
pub mod user;
pub mod vocabulary;
pub mod watch;
pub mod white_label;

pub use blobs::{Blobs, BlobsFault, BucketSettings, ByteStream};
pub use cells::{Cell, Grid};
pub use connection::{Connection, Dialect, Reader, Store, Tx};
pub use error::StoreError;
pub use memo::Memo;
pub use page::Page;
