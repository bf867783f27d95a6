//! The log of user actions: one structured line for each event, once its transaction is committed.

use std::sync::{Mutex, PoisonError};

use domain::audit::{Detail, Event};

/// Events of a transaction that is not committed yet. They are logged at the commit, so the log has no event that was rolled back.
#[derive(Debug, Default)]
pub(crate) struct Pending(Mutex<Vec<Event>>);

impl Pending {
    /// Adds an event that was just recorded.
    pub(crate) fn push(&self, event: Event) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(event);
    }

    /// Logs the events: the transaction is committed.
    pub(crate) fn log(&self) {
        for event in std::mem::take(&mut *self.0.lock().unwrap_or_else(PoisonError::into_inner)) {
            log(&event);
        }
    }
}

/// One structured line an event, target `audit`: what a SIEM collects.
fn log(event: &Event) {
    tracing::info!(
        target: "audit",
        at = %event.at,
        action = event.action.as_str(),
        outcome = event.outcome.as_str(),
        actor = event.who.user.map(|id| id.0),
        structure = event.on.structure.or(event.who.structure).map(|id| id.0),
        white_label = event.on.white_label.map(|id| id.0),
        network = event.network.as_deref(),
        kind = event.on.record.map(|(kind, _)| kind.as_str()),
        record = event.on.record.map(|(_, id)| id),
        detail = (event.detail != Detail::None).then(|| serde_json::to_string(&event.detail).unwrap_or_default()),
        request_id = event.request_id.as_str(),
        "audit"
    );
}
