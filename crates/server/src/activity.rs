//! What a connection is doing, and how long it may do so.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;

use tokio::time::Instant;

use crate::Limits;

/// What a connection is doing. Shared by its stream, its requests and the task that watches it.
#[derive(Debug)]
pub struct Activity {
    header_timeout: Duration,
    idle_timeout: Duration,
    write_timeout: Duration,
    time_per_byte: Duration,
    state: Mutex<State>,
}

#[derive(Debug)]
struct State {
    /// Requests whose response is not completely sent.
    open: usize,
    /// How many of these the server is working on. The others wait for the client to read.
    working: usize,
    /// Whether a request has arrived on this connection.
    has_request: bool,
    /// Whether the last one came by HTTP/2.
    http2: bool,
    /// When the first byte of a header arrived that is not complete yet.
    header_since: Option<Instant>,
    /// When the connection began to wait for the client. Bytes that the client reads move it forward, but never beyond now: a client
    /// may pause for the whole time-out, and must read at the minimum rate on average.
    waiting_since: Instant,
    /// Since when the socket accepts no bytes although there are bytes to write.
    blocked_since: Option<Instant>,
    /// How much longer the socket may accept no bytes, counted from `blocked_since`. Bytes that it accepts add to it, up to the time-out.
    blocked_left: Duration,
    /// Whether the stream is to be reset when it is dropped.
    cut: bool,
}

/// Why a connection is closed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Overdue {
    /// No request came within the idle time-out: the connection is closed normally.
    Idle,
    /// The header of a request was not complete in time.
    Header,
    /// The client does not read its response.
    Write,
}

impl Activity {
    /// The activity of a new connection.
    pub fn new(limits: &Limits) -> Arc<Self> {
        Arc::new(Self {
            header_timeout: limits.header_timeout,
            idle_timeout: limits.idle_timeout,
            write_timeout: limits.write_timeout,
            time_per_byte: Duration::from_secs(1) / limits.min_bytes_per_s.max(1),
            state: Mutex::new(State {
                open: 0,
                working: 0,
                has_request: false,
                http2: false,
                header_since: None,
                waiting_since: Instant::now(),
                blocked_since: None,
                blocked_left: limits.write_timeout,
                cut: false,
            }),
        })
    }

    /// Notes that the client sent bytes.
    pub fn read(&self) {
        let mut state = self.lock();
        if state.open == 0 && !state.http2 && state.header_since.is_none() {
            state.header_since = Some(Instant::now());
        }
    }

    /// Notes that the socket accepts no bytes.
    pub fn blocked(&self) {
        self.lock().blocked_since.get_or_insert_with(Instant::now);
    }

    /// Notes that the socket accepted bytes.
    pub fn wrote(&self, bytes: usize) {
        let gained =
            self.time_per_byte.saturating_mul(u32::try_from(bytes).unwrap_or(u32::MAX)).min(self.write_timeout);
        let (mut state, now) = (self.lock(), Instant::now());
        if let Some(since) = state.blocked_since.take() {
            state.blocked_left = state.blocked_left.saturating_sub(now - since);
            if state.open == 0 {
                state.waiting_since = now;
            }
        }
        state.blocked_left = (state.blocked_left + gained).min(self.write_timeout);
        if state.open > 0 {
            state.waiting_since = (state.waiting_since + gained).min(now);
        }
    }

    /// Notes that a request has arrived.
    pub fn start(self: &Arc<Self>, http2: bool) -> RequestInProgress {
        let mut state = self.lock();
        state.open += 1;
        state.working += 1;
        state.has_request = true;
        state.http2 = http2;
        state.header_since = None;
        drop(state);
        RequestInProgress { activity: Arc::clone(self), working: true }
    }

    /// When the connection is to be closed, and why; `None` while the server is working.
    pub fn deadline(&self) -> Option<(Instant, Overdue)> {
        let state = self.lock();
        if let Some(since) = state.blocked_since {
            return Some((since + state.blocked_left, Overdue::Write));
        }
        match (state.working, state.open, state.header_since) {
            (1.., _, _) => None,
            (0, 1.., _) => Some((state.waiting_since + self.write_timeout, Overdue::Write)),
            (0, 0, Some(since)) => Some((since + self.header_timeout, Overdue::Header)),
            (0, 0, None) if !state.has_request => Some((state.waiting_since + self.header_timeout, Overdue::Header)),
            (0, 0, None) => Some((state.waiting_since + self.idle_timeout, Overdue::Idle)),
        }
    }

    /// How long a task may sleep before it reads the deadline again: meanwhile an earlier one may apply.
    pub fn pause(&self) -> Duration {
        self.header_timeout.min(self.idle_timeout).min(self.write_timeout) / 2
    }

    /// Marks the stream to be reset: its unsent data is dropped.
    pub fn cut(&self) {
        self.lock().cut = true;
    }

    /// Whether the stream is to be reset.
    pub fn is_cut(&self) -> bool {
        self.lock().cut
    }

    // A panic of another thread leaves the state readable: its fields are plain values.
    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// A request, until its response is completely sent or abandoned.
#[derive(Debug)]
pub struct RequestInProgress {
    activity: Arc<Activity>,
    working: bool,
}

impl RequestInProgress {
    /// Sets whether the server is working on the response, or waiting for the client to read.
    pub fn set_working(&mut self, working: bool) {
        if self.working == working {
            return;
        }
        self.working = working;
        let mut state = self.activity.lock();
        if working {
            state.working += 1;
        } else {
            state.working -= 1;
            state.waiting_since = Instant::now();
        }
    }
}

impl Drop for RequestInProgress {
    fn drop(&mut self) {
        self.set_working(false);
        let mut state = self.activity.lock();
        state.open -= 1;
        state.waiting_since = Instant::now();
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn limits() -> Limits {
        Limits { min_bytes_per_s: 100, ..Limits::default() }
    }

    fn due(activity: &Activity) -> (u64, Overdue) {
        let (at, overdue) = activity.deadline().unwrap();
        ((at - Instant::now()).as_secs_f64().round() as u64, overdue)
    }

    /// Moves all instants back, as if this time had passed.
    fn pass(activity: &Activity, seconds: u64) {
        let mut state = activity.lock();
        let passed = Duration::from_secs(seconds);
        state.waiting_since -= passed;
        state.header_since = state.header_since.map(|since| since - passed);
        state.blocked_since = state.blocked_since.map(|since| since - passed);
    }

    #[test]
    fn each_state_has_its_timeout() {
        let activity = Activity::new(&limits());
        assert_eq!(due(&activity), (10, Overdue::Header), "nothing has come yet");
        activity.read();
        pass(&activity, 3);
        activity.read();
        assert_eq!(due(&activity), (7, Overdue::Header), "more bytes of a header give no more time");
        let mut request = activity.start(false);
        assert_eq!(activity.deadline(), None, "the server takes the time it needs");
        request.set_working(false);
        assert_eq!(due(&activity), (30, Overdue::Write));
        drop(request);
        assert_eq!(due(&activity), (60, Overdue::Idle));
        activity.read();
        assert_eq!(due(&activity), (10, Overdue::Header), "the next header");
    }

    #[test]
    fn a_response_must_be_read_at_the_minimum_rate() {
        let activity = Activity::new(&limits());
        let mut request = activity.start(true);
        request.set_working(false);
        pass(&activity, 10);
        activity.wrote(500);
        assert_eq!(due(&activity), (25, Overdue::Write), "5 s for 500 bytes");
        activity.wrote(1_000_000);
        assert_eq!(due(&activity), (30, Overdue::Write), "never more than the time-out");
    }

    #[test]
    fn a_socket_that_accepts_no_bytes_is_cut_off_whatever_the_server_does() {
        let activity = Activity::new(&limits());
        let request = activity.start(false);
        activity.blocked();
        pass(&activity, 10);
        activity.blocked();
        assert_eq!(due(&activity), (20, Overdue::Write));
        drop(request);
        assert_eq!(due(&activity), (20, Overdue::Write), "the rest is not sent yet");
        activity.wrote(500);
        assert_eq!(due(&activity), (60, Overdue::Idle));
        activity.blocked();
        assert_eq!(due(&activity), (25, Overdue::Write), "20 s were left, and 5 s for 500 bytes");
    }
}
