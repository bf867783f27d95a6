//! What comes from elsewhere: imports of routes, tourist records (SIT), and transport feeds, each fetched from its address or read from
//! an uploaded file, by a job.
//!
//! The main path: a run (`imports::work`) reads its source with the readers of `feeds`, decides what each item becomes (`imports::decide`),
//! and writes it as a person would. [`import_job`] is the kind of job that advances a run of routes or of tourist records.
//!
//! Modules use each other one way (decision 0046).

pub mod import_job;
pub mod imports;
pub mod sit;
mod sit_record;
pub mod transit;
