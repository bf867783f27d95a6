//! `jalon migrate`: brings the database to this version, or shows what that would do.

use store::{PendingStep, Schema, SchemaFault, Store, StoreError};

use crate::config::Config;
use crate::wiring::WiringError;
use crate::{Failure, output, wiring};

/// Brings the database to this version; with `plan` only shows what would be done, and is false while steps wait.
pub async fn run(config: &Config, plan: bool) -> Result<bool, Failure> {
    let url = config.database_url();
    let failed = |source| WiringError::Database { url: wiring::without_password(&url), source };
    if plan {
        // A database file that is not there must not be made.
        if let Some(file) = config.database_file()
            && !wiring::exists(&file)?
        {
            output::line(format!("There is no database at {url} yet: jalon migrate creates it."));
            return Ok(false);
        }
        let schema = schema(config).await.map_err(failed)?;
        for line in described(&schema) {
            output::line(line);
        }
        return match schema.fault() {
            None => Ok(true),
            Some(SchemaFault::Older { .. }) => Ok(false),
            Some(fault) => Err(format!("nothing can be done: {fault}").into()),
        };
    }
    let mut migrating = config.clone();
    migrating.database.migrate = true;
    let store = wiring::migrated_store(&migrating).await?;
    let schema = store.schema().await.map_err(failed)?;
    store.close().await.map_err(failed)?;
    match schema.database {
        Some(database) if schema.has_unknown => output::line(format!(
            "The database has version {database}, which is newer than this one ({}). Nothing was done.",
            schema.own
        )),
        _ => output::line(format!("The database is at this version ({}).", schema.own)),
    }
    Ok(true)
}

async fn schema(config: &Config) -> Result<Schema, StoreError> {
    let store = Store::connect(&config.database()).await?;
    let schema = store.schema().await;
    store.close().await?;
    schema
}

/// The plan, line by line.
fn described(schema: &Schema) -> Vec<String> {
    let database = schema.database.map_or_else(|| "no tables yet".to_owned(), |version| format!("version {version}"));
    let mut lines = vec![format!("The database has {database}; this Jalon has version {}.", schema.own)];
    match schema.fault() {
        None if schema.has_unknown => {
            lines.push("Nothing would be done: the tables are newer, and this Jalon may run on them.".to_owned());
        }
        None => lines.push("Nothing would be done.".to_owned()),
        Some(SchemaFault::Older { .. }) => {
            for step in &schema.pending {
                lines.extend(described_step(step));
            }
            lines.push(String::new());
            lines.push(match (schema.database, schema.fits_running_servers()) {
                (None, _) => format!("{} steps make the tables.", schema.pending.len()),
                (_, true) => "Servers of the version before may go on while these steps are run, and after.".to_owned(),
                (_, false) => {
                    "First stop the servers of earlier versions: at least one step does not fit them.".to_owned()
                }
            });
        }
        // Reported as the failure of the command.
        Some(_) => {}
    }
    lines
}

fn described_step(step: &PendingStep) -> Vec<String> {
    let fits =
        if step.fits_older_servers { "fits running servers" } else { "does not fit servers of earlier versions" };
    let mut lines = vec![String::new(), format!("{}: {fits}", step.name)];
    if step.statements.is_empty() {
        lines.push("    (the program writes its statements)".to_owned());
    }
    for line in step.statements.iter().flat_map(|statement| statement.lines()) {
        lines.push(format!("    {line}"));
    }
    lines
}
