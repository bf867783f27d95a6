//! Accounts: sessions are listed by their owner, failures fade, devices that signed in before are known.

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

// session: `last_seen_at` is written every few minutes at most; `browser` and `system` are names such as Firefox and Windows.
// login_failure: `faded_at` is when the last failure is forgotten, `last_at` the last try, `failed_at` the last try that is
// known to have failed. Failures counted before this step are forgotten.
// known_device: a device on which an account signed in; it is not held up by others' failures.
pub(super) const UP: &str = r#"
CREATE TABLE open_session (
  id {id},
  token_hash {bytes} NOT NULL UNIQUE,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  created_at BIGINT NOT NULL,
  expires_at BIGINT NOT NULL,
  last_seen_at BIGINT NOT NULL,
  browser TEXT NOT NULL,
  system TEXT NOT NULL
);
INSERT INTO open_session (token_hash, user_id, created_at, expires_at, last_seen_at, browser, system)
  SELECT token_hash, user_id, created_at, expires_at, created_at, '', '' FROM session;
DROP TABLE session;
ALTER TABLE open_session RENAME TO session;
CREATE INDEX session_by_user ON session (user_id);
CREATE INDEX session_expiry ON session (expires_at);

DROP TABLE login_failure;
CREATE TABLE login_failure (
  subject TEXT PRIMARY KEY,
  faded_at BIGINT NOT NULL,
  last_at BIGINT NOT NULL,
  failed_at BIGINT NOT NULL
);
CREATE INDEX login_failure_faded ON login_failure (faded_at);

CREATE TABLE known_device (
  token_hash {bytes} PRIMARY KEY,
  user_id BIGINT NOT NULL REFERENCES "user" (id) ON DELETE CASCADE,
  last_used_at BIGINT NOT NULL
);
CREATE INDEX known_device_by_user ON known_device (user_id, last_used_at);
"#;
