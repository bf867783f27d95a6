//! The kinds of jobs that a program can run.

use std::collections::BTreeMap;
use std::fmt;
use std::future::Future;
use std::marker::PhantomData;
use std::pin::Pin;
use std::sync::Arc;

use domain::job::JobReason;
use serde::Serialize;
use serde::de::DeserializeOwned;
use store::job::RunnableKind;
use store::{StoreError, Tx};

use crate::{Backoff, Failure, Lease};

/// The result of a run that did not fail.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// The job is done.
    Done,
    /// There is more to do: it waits for its turn among the other jobs.
    Again,
    /// There is more to do, after a number of seconds.
    Later { seconds: i64 },
    /// A user stopped the work outside the jobs table (for example an import). The job ends as a cancelled one, and [`JobKind::on_event`] is called.
    Cancelled,
}

/// A change of a job that its kind must know of: see [`JobKind::on_event`].
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobEvent {
    /// It failed too often, or can never succeed.
    Dead,
    /// A person cancelled it.
    Cancelled,
    /// It was dead and is tried again.
    TriedAgain,
}

/// One kind of job.
pub trait JobKind: Send + Sync + 'static {
    /// The state that its jobs use: the application.
    type Context: Clone + Send + Sync + 'static;
    /// The arguments of a job, stored as JSON.
    type Payload: fmt::Debug + Serialize + DeserializeOwned + Send + Sync + 'static;

    /// Its name in the table: small letters and `_`.
    const NAME: &'static str;
    /// Version of the payload. It grows when older payloads can no longer be read.
    const VERSION: i64 = 1;
    /// The most that run at once over all servers.
    const LIMIT: i64;
    /// The most that run at once on one server.
    const LIMIT_PER_SERVER: i64 = Self::LIMIT;
    /// Attempts without progress after which a job is dead.
    const MAX_ATTEMPTS: i64 = store::job::MAX_ATTEMPTS;
    /// Attempts without progress after which a job is dead where its server died in each of them. Fewer than [`JobKind::MAX_ATTEMPTS`] for a
    /// kind whose input may itself kill the server, with the work of others on it.
    const MAX_DEATHS: i64 = Self::MAX_ATTEMPTS;
    /// Waiting times after failures.
    const BACKOFF: Backoff = Backoff::DEFAULT;
    /// Jobs with a lower number start first.
    const PRIORITY: i64 = 0;

    /// Runs a job, or a step of one. Dropped at any `await` when the lease is lost, the job is cancelled or the server stops.
    fn run(
        context: Self::Context,
        lease: Lease,
        payload: Self::Payload,
    ) -> impl Future<Output = Result<Step, Failure>> + Send;

    /// Called in the transaction that writes the change, for changes other than success.
    fn on_event(
        _context: &Self::Context,
        _tx: &Tx,
        _payload: &Self::Payload,
        _event: JobEvent,
    ) -> impl Future<Output = Result<(), StoreError>> + Send {
        async { Ok(()) }
    }
}

pub(crate) type RunFuture = Pin<Box<dyn Future<Output = Result<Step, Failure>> + Send>>;
type EventFuture<'a> = Pin<Box<dyn Future<Output = Result<(), StoreError>> + Send + 'a>>;

/// The form of [`JobKind`] that can be a trait object: payloads are JSON text.
pub(crate) trait AnyKind<C>: Send + Sync {
    fn limits(&self) -> RunnableKind;
    fn max_deaths(&self) -> i64;
    fn backoff(&self) -> Backoff;
    fn run(&self, context: C, lease: Lease, version: i64, payload: &str) -> Result<RunFuture, JobReason>;
    fn on_event<'a>(
        &self,
        context: &'a C,
        tx: &'a Tx,
        version: i64,
        payload: &'a str,
        event: JobEvent,
    ) -> EventFuture<'a>;
}

struct KindOf<K>(PhantomData<fn() -> K>);

fn parse_payload<K: JobKind>(version: i64, payload: &str) -> Result<K::Payload, JobReason> {
    if version != K::VERSION {
        let reason = JobReason::new("job/payload-version").with("found", version).with("expected", K::VERSION);
        return Err(reason);
    }
    serde_json::from_str(payload).map_err(|error| {
        tracing::error!(kind = K::NAME, %error, "the payload of a job cannot be read");
        JobReason::new("job/payload-unreadable")
    })
}

impl<K: JobKind> AnyKind<K::Context> for KindOf<K> {
    fn limits(&self) -> RunnableKind {
        RunnableKind { name: K::NAME, version: K::VERSION, limit: K::LIMIT, limit_per_server: K::LIMIT_PER_SERVER }
    }

    fn max_deaths(&self) -> i64 {
        K::MAX_DEATHS
    }

    fn backoff(&self) -> Backoff {
        K::BACKOFF
    }

    fn run(&self, context: K::Context, lease: Lease, version: i64, payload: &str) -> Result<RunFuture, JobReason> {
        let payload = parse_payload::<K>(version, payload)?;
        Ok(Box::pin(K::run(context, lease, payload)))
    }

    fn on_event<'a>(
        &self,
        context: &'a K::Context,
        tx: &'a Tx,
        version: i64,
        payload: &'a str,
        event: JobEvent,
    ) -> EventFuture<'a> {
        Box::pin(async move {
            match parse_payload::<K>(version, payload) {
                Ok(payload) => K::on_event(context, tx, &payload, event).await,
                Err(_) => Ok(()),
            }
        })
    }
}

/// The kinds of jobs that a program can run. Jobs of others stay where they are: another server may know them.
pub struct Kinds<C>(BTreeMap<&'static str, Arc<dyn AnyKind<C>>>);

impl<C> Default for Kinds<C> {
    fn default() -> Self {
        Self(BTreeMap::new())
    }
}

impl<C> Kinds<C> {
    /// With one more kind.
    #[must_use]
    pub fn with<K: JobKind<Context = C>>(mut self) -> Self {
        self.0.insert(K::NAME, Arc::new(KindOf::<K>(PhantomData)));
        self
    }

    /// Only the kind of one name: for commands and tests that run no other job.
    #[must_use]
    pub fn only(&self, name: &str) -> Self {
        Self(
            self.0
                .iter()
                .filter(|(known, _)| **known == name)
                .map(|(known, kind)| (*known, Arc::clone(kind)))
                .collect(),
        )
    }

    /// Their names.
    pub fn names(&self) -> impl Iterator<Item = &'static str> + '_ {
        self.0.keys().copied()
    }

    /// Whether a job of this kind and version of payload can be run here, or at least be judged.
    pub fn knows(&self, kind: &str, version: i64) -> bool {
        self.0.get(kind).is_some_and(|known| version <= known.limits().version)
    }

    pub(crate) fn get(&self, kind: &str) -> Option<&Arc<dyn AnyKind<C>>> {
        self.0.get(kind)
    }

    pub(crate) fn limits(&self) -> Vec<RunnableKind> {
        self.0.values().map(|kind| kind.limits()).collect()
    }
}

impl<C> fmt::Debug for Kinds<C> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_set().entries(self.0.keys()).finish()
    }
}
