//! All SQL: migrations, queries, search; and the files (blobs).
//!
//! A query is a free function on a [`Connection`]: `store.read()` to read, a [`Tx`] from `store.begin()` to write.
//! Functions return types of `domain`, never a row. Every test runs on SQLite and on PostgreSQL.
//!
//! Modules use each other one way (decision 0046), from below: `connection` (transactions and what they remember), `sql`,
//! [`page`]; [`record`], which needs one kind at a time; the kinds and [`parcours`]; what goes from one kind to others
//! ([`uses`], [`visible`], [`binned`], [`archive`], through `every_kind`); `migrations`.

pub mod access;
mod advisory_lock;
pub mod archive;
pub mod assistant;
pub mod audio;
pub mod audit;
mod audit_log;
pub mod backup_made;
pub mod binned;
pub mod blob_check;
mod blobs;
pub mod cells;
pub mod client_count;
pub mod client_file;
pub mod closure;
mod connection;
pub mod contact;
pub mod custom;
mod diagnosis;
mod error;
mod every_kind;
pub mod feed;
pub mod feedback;
mod file_access;
pub mod geopackage;
pub mod ground;
mod held_inserts;
pub mod impact;
pub mod imports;
pub mod installation;
pub mod itinerary;
pub mod job;
mod kept_sums;
pub mod known_device;
pub mod latest;
mod lease;
pub mod login_failure;
pub mod media;
mod memo;
mod migrations;
pub mod node;
mod owner_filter;
pub mod page;
pub mod paid_call;
pub mod parcours;
mod parcours_counts;
mod parcours_link;
mod parcours_trace;
pub mod password_reset;
pub mod personal_token;
pub mod plans;
pub mod poi;
pub mod provider_link;
pub mod record;
pub mod region;
mod replica;
pub mod roadbook;
pub mod roadbook_batch;
mod row;
pub mod saved_view;
pub mod sealed;
mod sealed_column;
mod search;
mod seeds;
pub mod server;
pub mod service_key;
pub mod session;
pub mod share;
pub mod sit;
mod sql;
pub mod statistics;
pub mod structure;
pub mod survey_campaign;
pub mod transit;
pub mod translation;
pub mod transport_line;
pub mod tree;
pub mod upload;
pub mod user;
pub mod uses;
pub mod visible;
pub mod vocabulary;
pub mod watch;
pub mod web_build;
pub mod white_label;

pub use blobs::{Blobs, BlobsFault, BlobsPlace, BucketSettings, ByteStream, StoredBlob};
pub use cells::{Cell, Grid};
pub use connection::{Connection, DatabaseSettings, Dialect, Reader, Store, Tx, is_postgres};
pub use error::{SchemaFault, StoreError, is_of_full_disk};
pub use memo::Memo;
pub use migrations::{PendingStep, Schema};
pub use owner_filter::OwnerFilter;
pub use page::{MAX_PER_PAGE, Page};
pub use replica::{MAX_REPLICA_LAG, ReplicaReport, ReplicaState};
pub use seeds::shipped_matches;
pub use sql::STATEMENT_SPANS;
