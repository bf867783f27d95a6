//! The number of the current request, for all code that runs in its task.

tokio::task_local! {
    static ID: String;
}

/// The number of the current request; empty outside of a request.
pub fn id() -> String {
    ID.try_with(Clone::clone).unwrap_or_default()
}

/// Runs a request under its number.
pub fn scope<F: Future>(id: String, run: F) -> impl Future<Output = F::Output> {
    ID.scope(id, run)
}
