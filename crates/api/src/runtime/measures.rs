//! What is counted when measurements are asked for, not while requests are answered.

use app::App;
use domain::job::JobState;
use metrics::{counter, gauge};
use store::{ReplicaState, StoreError};

/// States of jobs that are measured.
const STATES: [JobState; 3] = [JobState::Waiting, JobState::Running, JobState::Dead];

/// Sets the gauges: requests under way, connections to the database, jobs by kind and state.
pub async fn measure(app: &App) -> Result<(), StoreError> {
    gauge!("jalon_http_requests_in_flight").set(app.in_flight.lock().all as f64);
    for (pool, connections, idle) in app.store.connections() {
        gauge!("jalon_database_connections", "pool" => pool, "state" => "idle").set(idle as f64);
        gauge!("jalon_database_connections", "pool" => pool, "state" => "used")
            .set(f64::from(connections) - idle as f64);
    }
    if let Some(replica) = app.store.replica() {
        let is_ok = replica.state == ReplicaState::Ok;
        gauge!("jalon_database_replica_ok").set(if is_ok { 1.0 } else { 0.0 });
        if let Some(behind) = replica.behind {
            gauge!("jalon_database_replica_behind_seconds").set(behind.as_secs_f64());
        }
        counter!("jalon_database_replica_reads_total", "from" => "replica").absolute(replica.reads);
        counter!("jalon_database_replica_reads_total", "from" => "primary").absolute(replica.reads_instead);
    }
    // A kind of which no job is left has 0, not its last number.
    for kind in app.jobs().kinds().names() {
        for state in STATES {
            gauge!("jalon_jobs", "kind" => kind, "state" => state.as_str()).set(0.0);
        }
        gauge!("jalon_jobs_wait_seconds", "kind" => kind).set(0.0);
    }
    for found in store::job::count_by_kind(app.store.read()).await? {
        gauge!("jalon_jobs", "kind" => found.kind.clone(), "state" => found.state.as_str()).set(found.count as f64);
        if found.state == JobState::Waiting {
            let wait_s = app.now().since_s(found.first_due).max(0);
            gauge!("jalon_jobs_wait_seconds", "kind" => found.kind).set(wait_s as f64);
        }
    }
    Ok(())
}
