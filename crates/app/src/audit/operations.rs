//! Which operations of the contract the journal records, and as which actions. The test `audit_operations` calls each operation and
//! fails where the journal has other events, and where a changing operation is neither here nor in the test's list of operations
//! without an event, each with its reason.

use domain::audit::Action;

/// When an operation that succeeds leaves an event.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum When {
    /// Each time. A refusal is recorded under its first action.
    Always,
    /// Only in some cases: a deletion that is forced, for instance. A refusal is recorded as [`Action::Access`].
    Sometimes,
}

/// An operation that is recorded.
#[derive(Debug, Clone, Copy)]
pub struct Recorded {
    /// Verb and path, as the contract writes them.
    pub operation: &'static str,
    /// In which cases it is recorded.
    pub when: When,
    /// The actions its events may have.
    pub actions: &'static [Action],
}

/// The action an operation is always recorded as.
pub(super) fn always(operation: &str) -> Option<Action> {
    let found = RECORDED.iter().find(|one| one.operation == operation)?;
    (found.when == When::Always).then(|| found.actions.first().copied())?
}

const fn always_as(operation: &'static str, actions: &'static [Action]) -> Recorded {
    Recorded { operation, when: When::Always, actions }
}

const fn sometimes_as(operation: &'static str, actions: &'static [Action]) -> Recorded {
    Recorded { operation, when: When::Sometimes, actions }
}

use Action as A;

/// What may happen to the references to a deleted record.
const DELETION: &[Action] = &[A::DeletionForced, A::RecordReplaced];
const RESTORATION: &[Action] = &[A::RevisionRestored];
const UNDO: &[Action] = &[A::BulkUndone];
const USER_SAVED: &[Action] = &[A::UserChanged, A::UserRoleChanged, A::UserBlocked, A::UserUnblocked];
const USER_RESTORED: &[Action] =
    &[A::RevisionRestored, A::UserChanged, A::UserRoleChanged, A::UserBlocked, A::UserUnblocked];
const SERVICE_REMOVED: &[Action] = &[A::ServiceRemoved, A::DeletionForced, A::RecordReplaced, A::ServiceKeyRemoved];
const SERVICE_RESTORED: &[Action] = &[A::RevisionRestored, A::ServiceChanged, A::ServiceKeyRemoved];
const SERVICE_CHANGED: &[Action] = &[A::ServiceChanged, A::ServiceKeyRemoved];

/// Every operation that is recorded.
pub const RECORDED: &[Recorded] = &[
    always_as("POST /api/v1/session", &[A::SignIn]),
    sometimes_as("DELETE /api/v1/session", &[A::SignOut]),
    always_as("DELETE /api/v1/sessions", &[A::SessionsEnded]),
    always_as("PUT /api/v1/me/password", &[A::PasswordChanged]),
    always_as("DELETE /api/v1/me/sessions", &[A::SessionsEnded]),
    always_as("DELETE /api/v1/me/sessions/{id}", &[A::SessionsEnded]),
    always_as("DELETE /api/v1/users/{id}/sessions", &[A::SessionsEnded]),
    always_as("PUT /api/v1/me/totp", &[A::SecondFactorOn]),
    always_as("DELETE /api/v1/me/totp", &[A::SecondFactorOff]),
    always_as("POST /api/v1/me/tokens", &[A::TokenMade]),
    always_as("DELETE /api/v1/me/tokens/{id}", &[A::TokenEnded]),
    // Only if the account exists, which the answer does not reveal.
    sometimes_as("POST /api/v1/password-resets", &[A::PasswordResetAsked]),
    always_as("PUT /api/v1/password-resets/{token}", &[A::PasswordReset]),
    always_as("POST /api/v1/users", &[A::UserCreated, A::UserInvited]),
    sometimes_as("PATCH /api/v1/users/{id}", USER_SAVED),
    always_as("DELETE /api/v1/users/{id}", &[A::UserDeleted, A::DeletionForced, A::RecordReplaced]),
    always_as("POST /api/v1/users/{id}/revisions/{version}/restoration", USER_RESTORED),
    always_as("POST /api/v1/users/{id}/invitation", &[A::UserInvited]),
    always_as("DELETE /api/v1/users/{id}/totp", &[A::SecondFactorOff]),
    always_as("POST /api/v1/structures", &[A::StructureCreated]),
    sometimes_as("PATCH /api/v1/structures/{id}", &[A::StructureChanged]),
    always_as("DELETE /api/v1/structures/{id}", &[A::StructureDeleted, A::DeletionForced, A::RecordReplaced]),
    always_as(
        "POST /api/v1/structures/{id}/revisions/{version}/restoration",
        &[A::RevisionRestored, A::StructureChanged],
    ),
    always_as("POST /api/v1/white-labels", &[A::WhiteLabelCreated]),
    sometimes_as("PATCH /api/v1/white-labels/{id}", &[A::WhiteLabelChanged, A::ServiceKeyRemoved]),
    always_as("DELETE /api/v1/white-labels/{id}", &[A::WhiteLabelDeleted, A::DeletionForced, A::RecordReplaced]),
    always_as(
        "POST /api/v1/white-labels/{id}/revisions/{version}/restoration",
        &[A::RevisionRestored, A::WhiteLabelChanged, A::ServiceKeyRemoved],
    ),
    always_as("POST /api/v1/white-labels/{id}/api-key", &[A::ApiKeyMade, A::ApiKeyRotated]),
    always_as("DELETE /api/v1/white-labels/{id}/api-key", &[A::ApiKeyRemoved]),
    always_as("PUT /api/v1/white-labels/{id}/translation-key", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/white-labels/{id}/translation-key", &[A::ServiceKeyRemoved]),
    always_as("PUT /api/v1/white-labels/{id}/assistant", SERVICE_CHANGED),
    always_as("PUT /api/v1/white-labels/{id}/assistant/key", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/white-labels/{id}/assistant/key", &[A::ServiceKeyRemoved]),
    always_as("POST /api/v1/translators", &[A::ServiceAdded, A::ServiceKeyRemoved]),
    sometimes_as("PATCH /api/v1/translators/{id}", SERVICE_CHANGED),
    always_as("DELETE /api/v1/translators/{id}", SERVICE_REMOVED),
    always_as("POST /api/v1/translators/{id}/revisions/{version}/restoration", SERVICE_RESTORED),
    always_as("PUT /api/v1/translators/{id}/key", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/translators/{id}/key", &[A::ServiceKeyRemoved]),
    always_as("POST /api/v1/import-sources", &[A::ServiceAdded]),
    sometimes_as("PATCH /api/v1/import-sources/{id}", SERVICE_CHANGED),
    always_as("DELETE /api/v1/import-sources/{id}", SERVICE_REMOVED),
    always_as("POST /api/v1/import-sources/{id}/revisions/{version}/restoration", SERVICE_RESTORED),
    always_as("POST /api/v1/import-runs/{id}/undo", &[A::ImportUndone]),
    always_as("POST /api/v1/sit-sources", &[A::ServiceAdded]),
    sometimes_as("PATCH /api/v1/sit-sources/{id}", SERVICE_CHANGED),
    always_as("DELETE /api/v1/sit-sources/{id}", SERVICE_REMOVED),
    always_as("POST /api/v1/sit-sources/{id}/revisions/{version}/restoration", SERVICE_RESTORED),
    always_as("PUT /api/v1/import-sources/{id}/credential", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/import-sources/{id}/credential", &[A::ServiceKeyRemoved]),
    always_as("PUT /api/v1/transport-feeds/{id}/credential", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/transport-feeds/{id}/credential", &[A::ServiceKeyRemoved]),
    always_as("PUT /api/v1/sit-sources/{id}/credential", &[A::ServiceKeySet]),
    always_as("DELETE /api/v1/sit-sources/{id}/credential", &[A::ServiceKeyRemoved]),
    always_as("POST /api/v1/transport-feeds", &[A::ServiceAdded]),
    sometimes_as("PATCH /api/v1/transport-feeds/{id}", SERVICE_CHANGED),
    always_as("DELETE /api/v1/transport-feeds/{id}", SERVICE_REMOVED),
    always_as("POST /api/v1/transport-feeds/{id}/revisions/{version}/restoration", SERVICE_RESTORED),
    sometimes_as("DELETE /api/v1/vocabularies/{kind}/{id}", DELETION),
    always_as("POST /api/v1/vocabularies/{kind}/{id}/revisions/{version}/restoration", RESTORATION),
    always_as("POST /api/v1/vocabularies/{kind}/{id}/merge", &[A::RecordMerged]),
    always_as("POST /api/v1/vocabularies/{kind}/bulk/undo", UNDO),
    sometimes_as("DELETE /api/v1/contacts/{id}", DELETION),
    always_as("POST /api/v1/contacts/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/pois/{id}", DELETION),
    always_as("POST /api/v1/pois/{id}/revisions/{version}/restoration", RESTORATION),
    always_as("POST /api/v1/pois/{id}/merge", &[A::RecordMerged]),
    always_as("POST /api/v1/pois/bulk/undo", UNDO),
    sometimes_as("DELETE /api/v1/medias/{id}", DELETION),
    always_as("POST /api/v1/medias/{id}/revisions/{version}/restoration", RESTORATION),
    always_as("POST /api/v1/medias/bulk/undo", UNDO),
    sometimes_as("DELETE /api/v1/transport-lines/{id}", DELETION),
    always_as("POST /api/v1/transport-lines/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/itineraries/{id}", DELETION),
    always_as("POST /api/v1/itineraries/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/closures/{id}", DELETION),
    always_as("POST /api/v1/closures/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/provider-links/{id}", DELETION),
    always_as("POST /api/v1/provider-links/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/survey-campaigns/{id}", DELETION),
    always_as("POST /api/v1/survey-campaigns/{id}/revisions/{version}/restoration", RESTORATION),
    sometimes_as("DELETE /api/v1/parcours/{id}", DELETION),
    always_as("POST /api/v1/parcours/{id}/revisions/{version}/restoration", RESTORATION),
    always_as("POST /api/v1/parcours/bulk/undo", UNDO),
    always_as("POST /api/v1/bin/{id}/restoration", &[A::BinRestored, A::ServiceKeyRemoved]),
    always_as("GET /api/v1/tables/{kind}", &[A::ListExported]),
    always_as("POST /api/v1/tables/{kind}/undo", UNDO),
    always_as("GET /api/v1/parcours/export.csv", &[A::ListExported]),
    always_as("GET /api/v1/parcours/export.geojson", &[A::ListExported]),
    always_as("GET /api/v1/survey-campaigns/{id}/coverage.csv", &[A::ListExported]),
    always_as("GET /api/v1/survey-campaigns/{id}/coverage.geojson", &[A::ListExported]),
    always_as("GET /api/v1/statistics/export.csv", &[A::ListExported]),
    always_as("GET /api/v1/audit-events/export.csv", &[A::ListExported]),
    always_as("POST /api/v1/roadbook-batches", &[A::ListExported]),
    always_as("GET /api/v1/parcours/{id}/trace/source", &[A::RecordingExported]),
    always_as("DELETE /api/v1/parcours/{id}/client-files/{file_id}", &[A::ClientFileDeleted]),
    always_as("POST /api/v1/jobs/{id}/retry", &[A::JobRetried]),
    always_as("POST /api/v1/jobs/{id}/cancel", &[A::JobCancelled]),
];
