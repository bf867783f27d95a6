//! Events are answered once they are written. Those of requests that wait while others are written go in the next
//! transaction together: one write to the disk for many of them.

use std::mem;
use std::sync::{Mutex, PoisonError};

use app::App;
use app::problem::Internal;
use domain::statistics::Event;
use store::{StoreError, statistics};
use tokio::sync::oneshot;

use super::StatisticsState;

/// The most events of one transaction, so that others who write do not wait for long.
const MAX_EVENTS: usize = 5_000;

/// Requests whose events are to be written.
#[derive(Debug, Default)]
pub struct Queue {
    waiting: Mutex<Vec<Waiting>>,
    /// The task that has this lock writes.
    turn: tokio::sync::Mutex<()>,
}

#[derive(Debug)]
struct Waiting {
    events: Vec<Event>,
    answer: oneshot::Sender<bool>,
}

impl Queue {
    fn push(&self, events: Vec<Event>) -> oneshot::Receiver<bool> {
        let (answer, answered) = oneshot::channel();
        self.waiting.lock().unwrap_or_else(PoisonError::into_inner).push(Waiting { events, answer });
        answered
    }

    /// The first of those that wait.
    fn take(&self) -> Vec<Waiting> {
        let mut waiting = self.waiting.lock().unwrap_or_else(PoisonError::into_inner);
        let mut events = 0;
        let fits = |one: &&Waiting| {
            let first = events == 0;
            events += one.events.len();
            first || events <= MAX_EVENTS
        };
        let taken = waiting.iter().take_while(fits).count();
        let rest = waiting.split_off(taken);
        mem::replace(&mut *waiting, rest)
    }
}

/// Keeps events; they are on the disk when it comes back.
pub async fn keep(app: &App, events: Vec<Event>) -> Result<(), Internal> {
    let answered = app.shared::<StatisticsState>().queue.push(events);
    // A separate task: a client that hangs up must not lose the others' events.
    tokio::spawn(write(app.clone()));
    match answered.await {
        Ok(true) => Ok(()),
        _ => Err(Internal::new("events could not be written")),
    }
}

/// Writes what waits, when it is its turn. Each request asks for one turn, and an earlier one may have written its events.
async fn write(app: App) {
    let state = app.shared::<StatisticsState>();
    let _turn = state.queue.turn.lock().await;
    let mut requests = state.queue.take();
    if requests.is_empty() {
        return;
    }
    let events: Vec<Event> = requests.iter_mut().flat_map(|request| mem::take(&mut request.events)).collect();
    let written = transaction(&app, &events).await;
    if let Err(error) = &written {
        tracing::error!(%error, events = events.len(), "events could not be written");
    }
    for request in requests {
        // The client may have hung up.
        let _ = request.answer.send(written.is_ok());
    }
}

async fn transaction(app: &App, events: &[Event]) -> Result<(), StoreError> {
    let tx = app.store.begin().await?;
    statistics::keep(&tx, events, &app.settings.time_zone).await?;
    tx.commit_aside().await
}

/// Waits until nothing is left to write: for tests of what is counted aside.
pub async fn settle(app: &App) {
    let state = app.shared::<StatisticsState>();
    loop {
        let _turn = state.queue.turn.lock().await;
        if state.queue.waiting.lock().unwrap_or_else(PoisonError::into_inner).is_empty() {
            return;
        }
        tokio::task::yield_now().await;
    }
}
