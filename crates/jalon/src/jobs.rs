//! `jalon jobs …`: what waits, runs and failed; trying jobs again and cancelling them.

use app::App;
use domain::audit::Who;
use domain::job::{Job, JobState};
use serde_json::json;
use store::job::{Cancelling, JobFilter};

use crate::cli::JobsCommand;
use crate::config::Config;
use crate::{Failure, output, wiring};

/// Runs one; false when a job could not be tried again or cancelled.
pub async fn run(config: &Config, command: &JobsCommand) -> Result<bool, Failure> {
    let app = wiring::app(config, wiring::store(config).await?).await?;
    let done = match command {
        JobsCommand::List { state, kind, most, json } => {
            let filter = JobFilter { structure: None, states: state.iter().copied().collect(), kind: kind.clone() };
            list(&app, &filter, *most, *json).await?;
            true
        }
        JobsCommand::Retry { ids } => {
            let mut all = true;
            for id in ids {
                let is_tried = api::job::retry(&app, Who::default(), *id).await?;
                output::line(format!(
                    "{id}: {}",
                    if is_tried { "waiting" } else { "neither dead nor waiting: unchanged" }
                ));
                all &= is_tried;
            }
            all
        }
        JobsCommand::Cancel { ids } => {
            let mut all = true;
            for id in ids {
                let done = api::job::cancel(&app, Who::default(), *id).await?;
                output::line(format!(
                    "{id}: {}",
                    match done {
                        Cancelling::Cancelled => "cancelled",
                        Cancelling::Asked => "its server was asked to stop",
                        Cancelling::Ended => "has ended, or does not exist",
                    }
                ));
                all &= done != Cancelling::Ended;
            }
            all
        }
    };
    app.store.close().await?;
    Ok(done)
}

async fn list(app: &App, filter: &JobFilter, limit: u64, as_json: bool) -> Result<(), Failure> {
    for job in store::job::list(app.store.read(), filter, None, limit).await? {
        output::line(if as_json { object(app, &job).to_string() } else { line(app, &job) });
    }
    if !as_json {
        let counts = store::job::count(app.store.read(), filter).await?;
        let states =
            JobState::ALL.into_iter().filter(|state| filter.states.is_empty() || filter.states.contains(state));
        let words =
            states.map(|state| format!("{} {}", counts.get(&state).copied().unwrap_or_default(), state.as_str()));
        output::line(words.collect::<Vec<_>>().join(", "));
    }
    Ok(())
}

fn object(app: &App, job: &Job) -> serde_json::Value {
    json!({
        "id": job.id, "kind": job.kind, "is_known": app.jobs().knows(job), "state": job.state,
        "white_label_id": job.white_label_id.map(|id| id.0), "attempts": job.attempts, "max_attempts": job.max_attempts,
        "run_after": job.run_after, "server": job.node, "done": job.done, "total": job.total, "reason": job.reason,
        "created_at": job.created_at, "started_at": job.started_at, "finished_at": job.finished_at,
    })
}

/// `12  mail  waiting  2 of 32 attempts, mail/not-taken, again at 2026-05-01T08:30:00Z`
fn line(app: &App, job: &Job) -> String {
    let mut facts = vec![format!("{} of {} attempts", job.attempts, job.max_attempts)];
    if let (Some(done), Some(total)) = (job.done, job.total) {
        facts.push(format!("{done} of {total} steps"));
    }
    facts.extend(job.node.as_ref().filter(|_| job.state == JobState::Running).map(|node| format!("on {node}")));
    facts.extend(job.reason.as_ref().map(|reason| reason.code.clone()));
    if job.state == JobState::Waiting {
        facts.push(if app.jobs().knows(job) {
            format!("not before {}", job.run_after)
        } else {
            "of a kind that this version does not know".to_owned()
        });
    }
    format!("{:>8}  {:<16}  {:<9}  {}", job.id, job.kind, job.state.as_str(), facts.join(", "))
}
