//! `jalon serve`.

use std::io::IsTerminal as _;
use std::net::SocketAddr;
use std::time::Duration;

use sd_notify::NotifyState;
use tokio::net::TcpListener;
use tokio::signal::unix::{Signal, SignalKind, signal};

use crate::config::{Config, ConfigError};
use crate::wiring::{self, SHUTDOWN_TIMEOUT, WiringError};
use crate::{observe, output, web_app};

/// Why the server does not run.
#[derive(Debug, thiserror::Error)]
pub enum ServeError {
    /// The configuration does not fit a server.
    #[error(transparent)]
    Config(#[from] ConfigError),
    /// A part is missing or broken.
    #[error(transparent)]
    Wiring(#[from] WiringError),
    /// The port is taken, or not ours to open.
    #[error("port {0} cannot be opened: {1}")]
    Port(SocketAddr, std::io::Error),
    /// The system does not let the server listen to signals.
    #[error("the signals that stop the server cannot be listened to: {0}")]
    Signals(std::io::Error),
}

/// Serves until it is asked to stop (Ctrl C, SIGTERM, or a terminal that is closed), then lets the answers under way finish.
pub async fn run(config: &Config) -> Result<(), ServeError> {
    config.check_for_serving()?;
    let measurements = observe::start(&config.metrics);
    let app = wiring::app(config, wiring::migrated_store(config).await?).await?;
    match wiring::check_blobs(config, &app.blobs).await {
        // What is there can still be read, and writing works again once there is room.
        Err(full @ WiringError::Full(_)) => tracing::error!("{full}"),
        checked => checked?,
    }
    publish_web_app(&app).await;
    let signals = StopSignals::listen().map_err(ServeError::Signals)?;
    let address = SocketAddr::new(config.bind, config.port);
    let listener = TcpListener::bind(address).await.map_err(|error| ServeError::Port(address, error))?;
    let measured = match measurements {
        Some(measurements) => {
            let listener = observe::listen(&config.metrics).await;
            Some((listener.map_err(|(address, error)| ServeError::Port(address, error))?, measurements))
        }
        None => None,
    };
    if !web_app::is_built() {
        output::offer("The web app is not built yet (make web): only the API answers.");
    }
    output::offer(format!("Jalon is at {}", config.public_url()));
    if let Some((listener, measurements)) = measured {
        observe::serve(listener, measurements, app.clone());
        output::offer(format!("Measurements are at http://{}:{}/metrics", config.metrics.bind, config.metrics.port));
    }
    let (store, leaving) = (app.store.clone(), app.clone());
    api::tidy::start(app.clone());
    api::region::start(app.clone());
    api::status::start(app.clone());
    content::planner::watch::start(app.clone());
    let jobs = api::job::start(&app);
    let mut limits = config.http.connections();
    let fitting = server::make_room_for(limits.max_connections);
    if fitting < limits.max_connections {
        tracing::warn!(
            wanted = limits.max_connections,
            max_connections = fitting,
            "the limit of open files is too low (ulimit -n): fewer connections are accepted"
        );
        limits.max_connections = fitting;
    }
    if let Some(warning) = config.trusted_proxies.warning(config.public_url().starts_with("https://")) {
        tracing::warn!("{warning}");
    }
    notify(&[NotifyState::Ready]);
    let (stop, mut watch) = tokio::sync::watch::channel(false);
    let (stopping, drain) = (app.clone(), Duration::from_secs(config.http.drain_s));
    let serving = server::serve(listener, api::router(app), limits, config.trusted_proxies(), async move {
        let stopped_by = signals.stopped().await;
        api::runtime::begin_stop(&stopping);
        notify(&[NotifyState::Stopping]);
        if stopped_by == StoppedBy::Terminate && !drain.is_zero() {
            // Load balancers ask `/readyz` and send no new requests; those that come until they know are answered.
            tracing::info!(drain_s = drain.as_secs(), "the server is stopping");
            tokio::time::sleep(drain).await;
        }
        let _ = stop.send(true);
    });
    let mut stop_watch = watch.clone();
    let answers = async {
        tokio::select! {
            () = serving => {}
            () = async {
                let _ = watch.wait_for(|stop| *stop).await;
                tokio::time::sleep(SHUTDOWN_TIMEOUT).await;
            } => tracing::warn!("some answers were not finished"),
        }
    };
    let jobs = async {
        let _ = stop_watch.wait_for(|stop| *stop).await;
        jobs.stop().await;
    };
    // Answers and jobs end side by side; the leases of jobs that did not end are handed back.
    tokio::join!(answers, jobs);
    if let Err(error) = api::status::leave(&leaving).await {
        tracing::debug!(%error, "the row of this server was not deleted");
    }
    if let Err(error) = store.close().await {
        tracing::warn!(%error, "the database was not closed cleanly");
    }
    Ok(())
}

/// Stores the chunks of the web app for servers of other versions. Where that fails, pages of this version reload when they meet one.
async fn publish_web_app(app: &app::App) {
    match tokio::time::timeout(PUBLISH_TIME, public::web_build::publish(app)).await {
        Ok(Ok(())) => {}
        Ok(Err(error)) => {
            tracing::warn!(%error, "the chunks of the web app could not be stored for servers of other versions");
        }
        Err(_) => tracing::warn!("the chunks of the web app could not be stored in time for servers of other versions"),
    }
}

/// How long the chunks of the web app may take to be stored when a server starts.
const PUBLISH_TIME: Duration = Duration::from_secs(60);

/// Reports to systemd where it started this process (`Type=notify`).
fn notify(state: &[NotifyState<'_>]) {
    if let Err(error) = sd_notify::notify(state) {
        tracing::warn!(%error, "systemd cannot be reached");
    }
}

/// Who asked the server to stop.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum StoppedBy {
    /// A person at a terminal.
    Interrupt,
    /// A supervisor.
    Terminate,
}

/// The signals that stop a server. Once it listens to them they no longer end the process, so that this comes before the first answer.
struct StopSignals {
    interrupt: Signal,
    terminate: Signal,
    hang_up: Signal,
    /// Read before a signal comes: when a terminal is closed, standard error is no terminal any more.
    is_at_terminal: bool,
}

impl StopSignals {
    /// # Errors
    ///
    /// A handler that the system does not take.
    fn listen() -> std::io::Result<Self> {
        Ok(Self {
            interrupt: signal(SignalKind::interrupt())?,
            terminate: signal(SignalKind::terminate())?,
            hang_up: signal(SignalKind::hangup())?,
            is_at_terminal: std::io::stderr().is_terminal(),
        })
    }

    /// Waits until the server is asked to stop. A terminal that is closed sends SIGHUP too; elsewhere it asks a service to read its
    /// configuration again, which this one does not.
    async fn stopped(mut self) -> StoppedBy {
        loop {
            tokio::select! {
                _ = self.interrupt.recv() => return StoppedBy::Interrupt,
                _ = self.terminate.recv() => return StoppedBy::Terminate,
                _ = self.hang_up.recv() => {
                    if self.is_at_terminal {
                        return StoppedBy::Interrupt;
                    }
                    tracing::warn!("SIGHUP: the configuration is not read again while the server runs: restart it");
                }
            }
        }
    }
}
