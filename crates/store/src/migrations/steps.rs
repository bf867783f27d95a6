//! All steps, in order, and what each means for servers of versions before it.

use sea_orm_migration::MigrationTrait;

use super::{
    m0001_foundation, m0002_parcours, m0003_catalogue, m0004_media, m0005_white_labels, m0006_itineraries,
    m0007_closures, m0008_shares, m0009_orders, m0010_watch, m0011_roadbook, m0012_statistics, m0013_feeds,
    m0014_reviews, m0015_provider_links, m0017_imports, m0018_roadbook_batches, m0019_sit, m0020_transport,
    m0021_audio, m0022_translation, m0023_assistant, m0025_children, m0028_accounts, m0029_service_keys, m0030_audit,
    m0031_import_said, m0032_single_keys, m0035_detours, m0036_audio_walks_back, m0037_trace_checks,
    m0038_client_files, m0040_import_pois, m0041_jobs, m0042_queues, m0043_imports_as_jobs, m0044_upload_pieces,
    m0045_installation, m0046_schema_version, m0047_web_builds, m0055_client_count, m0060_regions, m0061_nodes,
    m0070_client_batches, m0080_personal_tokens, m0081_ground_entries, m0082_moving_in, m0083_ground_tracks,
    m0090_survey_campaigns, m0091_import_contacts, m0092_campaign_mails, m0093_map_cells, m0094_statistics_of_all,
    m0095_words_by_vector, m0096_covering_box, m0097_deleted_elsewhere, m0098_favoured_parcours, m0099_uuid_base,
    m0100_wanted_pictures, m0101_created_and_priority, m0102_strips_of_places, m0103_uses_of_binned_parcours,
};

/// Whether servers of versions before a step may run on the tables once it was run (decision 0051, `docs/dev/migrations.md`).
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum OlderBinaries {
    /// They may: the step only adds (expand).
    Fit,
    /// They may not: the step changes or removes what they use (contract), or they could not know that they may.
    Break,
}

/// A step of the tables.
pub(super) struct Step {
    pub(super) migration: Box<dyn MigrationTrait>,
    pub(super) older: OlderBinaries,
    /// Its statements for both databases; none where code makes them.
    pub(super) script: Option<&'static str>,
}

impl Step {
    pub(super) fn name(&self) -> String {
        self.migration.name().to_owned()
    }
}

use OlderBinaries::{Break, Fit};

/// A step by its module and what it means for older servers.
macro_rules! step {
    ($module:ident, $older:expr) => {
        Step { migration: Box::new($module::Migration), older: $older, script: Some($module::UP) }
    };
}

/// A step whose statements are made by code.
macro_rules! step_by_code {
    ($module:ident, $older:expr) => {
        Step { migration: Box::new($module::Migration), older: $older, script: None }
    };
}

/// All of them. Up to `m0046_schema_version` the tables did not say who may run on them.
pub(super) fn steps() -> Vec<Step> {
    vec![
        step!(m0001_foundation, Break),
        step!(m0002_parcours, Break),
        step_by_code!(m0003_catalogue, Break),
        step_by_code!(m0004_media, Break),
        step!(m0005_white_labels, Break),
        step!(m0006_itineraries, Break),
        step!(m0007_closures, Break),
        step!(m0008_shares, Break),
        step!(m0009_orders, Break),
        step!(m0010_watch, Break),
        step!(m0011_roadbook, Break),
        step!(m0012_statistics, Break),
        step!(m0013_feeds, Break),
        step!(m0014_reviews, Break),
        step!(m0015_provider_links, Break),
        step!(m0017_imports, Break),
        step!(m0018_roadbook_batches, Break),
        step!(m0019_sit, Break),
        step!(m0020_transport, Break),
        step!(m0021_audio, Break),
        step!(m0022_translation, Break),
        step!(m0023_assistant, Break),
        step!(m0025_children, Break),
        step!(m0028_accounts, Break),
        step!(m0029_service_keys, Break),
        step!(m0030_audit, Break),
        step!(m0031_import_said, Break),
        step!(m0032_single_keys, Break),
        step!(m0035_detours, Break),
        step!(m0036_audio_walks_back, Break),
        step!(m0037_trace_checks, Break),
        step!(m0038_client_files, Break),
        step!(m0040_import_pois, Break),
        step!(m0041_jobs, Break),
        step!(m0042_queues, Break),
        step!(m0043_imports_as_jobs, Break),
        step!(m0044_upload_pieces, Break),
        step!(m0045_installation, Break),
        step!(m0046_schema_version, Break),
        step!(m0047_web_builds, Fit),
        step!(m0055_client_count, Fit),
        step!(m0060_regions, Fit),
        step!(m0061_nodes, Fit),
        step!(m0070_client_batches, Fit),
        step!(m0080_personal_tokens, Fit),
        step!(m0081_ground_entries, Fit),
        step!(m0082_moving_in, Fit),
        step!(m0083_ground_tracks, Fit),
        step!(m0090_survey_campaigns, Fit),
        step!(m0091_import_contacts, Fit),
        step!(m0092_campaign_mails, Fit),
        step!(m0093_map_cells, Fit),
        step!(m0094_statistics_of_all, Fit),
        step!(m0095_words_by_vector, Fit),
        step!(m0096_covering_box, Fit),
        step!(m0097_deleted_elsewhere, Fit),
        step!(m0098_favoured_parcours, Fit),
        step!(m0099_uuid_base, Fit),
        step!(m0100_wanted_pictures, Fit),
        step!(m0101_created_and_priority, Fit),
        step!(m0102_strips_of_places, Fit),
        step!(m0103_uses_of_binned_parcours, Fit),
    ]
}
