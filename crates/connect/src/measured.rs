//! Measures the duration of outgoing requests by service. Never by host: users choose hosts, so their number has no bound.

use std::time::Instant;

use metrics::histogram;

/// Measures a request to a service until its answer began; the status is 0 if there is no answer.
pub(crate) fn measured(service: &'static str, status: u16, started: Instant) {
    let outcome = match status {
        0 => "failed",
        1..=299 => "2xx",
        300..=399 => "3xx",
        400..=499 => "4xx",
        _ => "5xx",
    };
    histogram!("jalon_outgoing_request_duration_seconds", "service" => service, "outcome" => outcome)
        .record(started.elapsed());
}
