//! Visitors' feedback: reviews, field reports, the actions on them, and the rating of a parcours.

use sea_orm_migration::prelude::*;

use super::run_script;

#[derive(DeriveMigrationName)]
pub struct Migration;

#[async_trait::async_trait]
impl MigrationTrait for Migration {
    async fn up(&self, manager: &SchemaManager) -> Result<(), DbErr> {
        run_script(manager, UP).await
    }
}

// No foreign keys to the parcours: reviews and reports of one that is in the bin come back with it.
pub(super) const UP: &str = r"
CREATE TABLE review (
  id {id},
  parcours_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  state TEXT NOT NULL,
  rating SMALLINT NOT NULL,
  title TEXT NOT NULL,
  body TEXT NOT NULL,
  author TEXT NOT NULL,
  email TEXT NOT NULL,
  language TEXT NOT NULL,
  walked_on TEXT,
  confirm_hash {bytes},
  sent_at BIGINT NOT NULL,
  confirmed_at BIGINT,
  decided_at BIGINT,
  objection TEXT,
  objection_words TEXT NOT NULL DEFAULT '',
  answer TEXT NOT NULL DEFAULT '',
  answered_at BIGINT,
  complaints BIGINT NOT NULL DEFAULT 0
);
CREATE INDEX review_by_parcours ON review (parcours_id, state, id);
CREATE INDEX review_by_token ON review (confirm_hash) WHERE confirm_hash IS NOT NULL;
CREATE INDEX review_waiting ON review (parcours_id) WHERE state = 'waiting' OR complaints > 0;

CREATE TABLE field_report (
  id {id},
  parcours_id BIGINT NOT NULL,
  white_label_id BIGINT NOT NULL,
  state TEXT NOT NULL,
  kind TEXT NOT NULL,
  lon DOUBLE PRECISION,
  lat DOUBLE PRECISION,
  at_m DOUBLE PRECISION,
  body TEXT NOT NULL,
  email TEXT NOT NULL,
  language TEXT NOT NULL,
  photo_hash {bytes},
  photo_key TEXT,
  shown SMALLINT NOT NULL DEFAULT 0,
  warning TEXT NOT NULL DEFAULT '{}',
  sent_at BIGINT NOT NULL,
  solved_at BIGINT
);
CREATE INDEX field_report_by_parcours ON field_report (parcours_id, state, id);
CREATE INDEX field_report_by_token ON field_report (photo_hash) WHERE photo_hash IS NOT NULL;
CREATE INDEX field_report_new ON field_report (parcours_id) WHERE state = 'new';

-- What was done with a review or a report, by whom and when; nobody for a visitor.
CREATE TABLE feedback_history (
  id {id},
  subject TEXT NOT NULL,
  subject_id BIGINT NOT NULL,
  what TEXT NOT NULL,
  kind TEXT NOT NULL,
  words TEXT NOT NULL,
  user_id BIGINT,
  at BIGINT NOT NULL
);
CREATE INDEX feedback_history_of ON feedback_history (subject, subject_id, id);

-- Follows from the published reviews, always; changed_at also moves with the warnings that are shown.
CREATE TABLE parcours_feedback (
  parcours_id BIGINT PRIMARY KEY,
  stars BIGINT NOT NULL,
  reviews BIGINT NOT NULL,
  changed_at BIGINT NOT NULL
);
CREATE INDEX parcours_feedback_by_change ON parcours_feedback (changed_at);
";
