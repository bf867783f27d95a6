//! The binary: configuration, command line, wiring of the crates, the built web application inside.
//!
//! `main` reads the command line and the configuration, `wiring` opens the database, the blobs, the region and the services
//! and makes the application of `api`, `serve` runs it until it is asked to stop.

mod backup;
mod blobs;
mod bucket_access;
mod cli;
mod config;
mod demo_data;
#[cfg(test)]
mod deploy_files;
mod doctor;
mod export;
mod files;
mod full_export;
mod geotrek_dump;
mod geotrek_parts;
mod health;
mod import;
mod intake;
mod jobs;
mod key;
mod mcp;
mod memory;
mod migrate;
mod migrate_from;
mod network;
mod observe;
mod output;
mod parcours_check;
mod pdf_worker;
mod plan;
mod renderer;
mod roadbook_render;
mod serve;
mod server_key;
mod synthetic;
mod trace_inspect;
mod traces;
mod user_create;
mod web_app;
mod wiring;

use std::process::ExitCode;
use std::time::Duration;

use app::redaction::RedactingWriter;
use clap::Parser as _;

use crate::cli::{
    Cli, Command, ExportCommand, ImportCommand, MigrateFrom, ParcoursCommand, RoadbookCommand, TraceCommand,
    UserCommand,
};
use crate::config::Config;
use crate::traces::Traces;

type Failure = Box<dyn std::error::Error>;

/// How long blocking work on other threads may still take once the server has stopped.
const RUNTIME_SHUTDOWN_TIMEOUT: Duration = Duration::from_secs(1);

/// The exit code of `jalon migrate --plan` while steps wait: a script tells it from a failure (1) and from wrong arguments (2).
const STEPS_WAIT: u8 = 3;

fn main() -> ExitCode {
    memory::share_heaps();
    let cli = Cli::parse();
    let is_plan = matches!(cli.command, Command::Migrate { plan: true });
    match run(cli) {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) if is_plan => ExitCode::from(STEPS_WAIT),
        Ok(false) => ExitCode::FAILURE,
        Err(error) => {
            eprintln!("jalon: {error}");
            ExitCode::FAILURE
        }
    }
}

/// True when all went well, false when the command itself says that something did not, or that steps wait.
fn run(cli: Cli) -> Result<bool, Failure> {
    if let Command::Trace(TraceCommand::Inspect { files, json }) = &cli.command {
        return Ok(trace_inspect::run(files, *json));
    }
    if let Command::Plan(asked) = &cli.command {
        return Ok(plan::run(asked)?);
    }
    match &cli.command {
        Command::Roadbook(RoadbookCommand::Render(asked)) => return roadbook_render::run(asked).map(|()| true),
        // Before the configuration: the machine of an assistant may have none.
        Command::Mcp(asked) => return mcp::run(asked).map(|()| true),
        // Before the configuration: the child is given nothing of what the server knows.
        Command::RoadbookWorker => {
            renderer::work()?;
            return Ok(true);
        }
        Command::PdfWorker { question } => return pdf_worker::run(question).map(|()| true),
        _ => {}
    }
    if let Command::Openapi { public } = cli.command {
        let audience = if public { api::Audience::Public } else { api::Audience::Staff };
        output::line(api::document(audience).trim_end());
        return Ok(true);
    }
    // Before the first thread and the first file.
    files::make_private();
    let mut config = Config::load(cli.config.as_deref())?;
    if let Some(data) = cli.data {
        config.data = data;
    }
    if let Command::Serve { port, no_migrate } = cli.command {
        config.port = port.unwrap_or(config.port);
        config.database.migrate &= !no_migrate;
    }
    if let Command::Health { ready } = cli.command {
        return Ok(health::run(&config, ready));
    }
    files::check_user(&config)?;
    let is_server = matches!(cli.command, Command::Serve { .. });
    let runtime = tokio::runtime::Runtime::new()?;
    let done = runtime.block_on(command(&config, cli.command));
    if is_server {
        // Work of requests that were not finished, such as the reading of a document, would otherwise be waited for without a bound.
        runtime.shutdown_timeout(RUNTIME_SHUTDOWN_TIMEOUT);
    }
    done
}

async fn command(config: &Config, command: Command) -> Result<bool, Failure> {
    match command {
        Command::Serve { .. } => {
            let traces = Traces::start(&config.traces)?;
            log(config, traces.as_ref());
            let served = serve::run(config).await;
            if let Some(traces) = traces {
                traces.stop().await;
            }
            served?;
        }
        Command::Migrate { plan } => return migrate::run(config, plan).await,
        Command::MigrateFrom(MigrateFrom::Geotrek(asked)) => return migrate_from::run(config, &asked).await,
        Command::Demo { parcours, catalogue, white_labels, pois, medias, events, people_only } => {
            use synthetic::catalogue::Made;

            demo_data::run(config, people_only).await?;
            if let Some(count) = white_labels {
                synthetic::owners::run(config, count).await?;
            }
            if let Some(count) = parcours {
                synthetic::run(config, count).await?;
            }
            let of_each = [
                (Made::Pois, pois.or(catalogue)),
                (Made::Medias, medias.or(catalogue)),
                (Made::Contacts, catalogue),
                (Made::Lines, catalogue),
            ];
            for (made, count) in of_each.into_iter().filter_map(|(made, count)| Some((made, count?))) {
                synthetic::catalogue::run(config, made, count).await?;
            }
            if let Some(count) = events {
                synthetic::events::run(config, count).await?;
            }
        }
        Command::Network(asked) => network::run(config, &asked).await?,
        Command::Parcours(ParcoursCommand::Import(asked)) => return Ok(import::run(config, &asked).await?),
        Command::Parcours(ParcoursCommand::Export { output }) => export::run(config, output.as_deref()).await?,
        Command::Parcours(ParcoursCommand::Check { fix }) => return Ok(parcours_check::run(config, fix).await?),
        Command::User(UserCommand::Create(asked)) => {
            let store = wiring::new_or_current_store(config).await?;
            user_create::create(&store, &asked).await?;
            store.close().await?;
        }
        Command::Key(asked) => return key::run(config, &asked).await,
        Command::Export(ExportCommand::All { file }) => return full_export::export(config, &file).await,
        Command::Import(ImportCommand::All { file }) => return full_export::import(config, &file).await,
        Command::Backup(asked) => return backup::run(config, &asked).await,
        Command::Blobs(asked) => return blobs::run(config, &asked).await,
        Command::Jobs(asked) => return jobs::run(config, &asked).await,
        Command::Doctor => return Ok(doctor::run(config).await),
        // Answered before.
        Command::Trace(_)
        | Command::Health { .. }
        | Command::Plan(_)
        | Command::Roadbook(_)
        | Command::RoadbookWorker
        | Command::PdfWorker { .. }
        | Command::Mcp(_)
        | Command::Openapi { .. } => {}
    }
    Ok(true)
}

/// One line an event on standard error, readable on a terminal, JSON elsewhere; and spans to the collector of traces.
fn log(config: &Config, traces: Option<&Traces>) {
    use std::io::IsTerminal as _;
    use tracing_subscriber::layer::SubscriberExt as _;
    use tracing_subscriber::util::SubscriberInitExt as _;
    use tracing_subscriber::{EnvFilter, Layer as _};

    let mut filter = EnvFilter::try_new(&config.log).unwrap_or_else(|_| EnvFilter::new("info"));
    // These write addresses with keys, passwords and whole mails into their finer lines.
    for quiet in ["ureq=info", "ureq_proto=info", "lettre=info", "rustls=info", "object_store=info", "hyper_util=info"]
    {
        if let Ok(quiet) = quiet.parse() {
            filter = filter.add_directive(quiet);
        }
    }
    let writer = || RedactingWriter(std::io::stderr());
    let lines = tracing_subscriber::fmt::layer().with_writer(writer);
    let lines = if std::io::stderr().is_terminal() { lines.boxed() } else { lines.json().boxed() };
    tracing_subscriber::registry().with(lines.with_filter(filter)).with(traces.map(Traces::layer)).init();
}
