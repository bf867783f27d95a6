//! `jalon check-config`: what the configuration means, and whether its parts answer.

use api::seal::ServerKey;
use routing::{EngineStatus, RouteEngine as _};

use crate::config::{Config, Engine};
use crate::{output, server_key, web_app, wiring};

/// Says it part by part; false when one does not answer.
pub async fn run(config: &Config) -> bool {
    output::line(format!("data folder   {}", config.data.display()));
    output::line(format!("address       {} (listening on {}:{})", config.public_url(), config.bind, config.port));
    let mut all_well = true;
    let mut part = |name: &str, found: Result<String, String>| {
        all_well &= found.is_ok();
        let (mark, text) = found.map_or_else(|why| ("FAILED", why), |text| ("ok", text));
        output::line(format!("{name:<13} {mark}: {text}"));
    };

    let url = wiring::without_password(&config.database_url());
    let store = store::Store::connect(&config.database_url()).await;
    let database = match &store {
        Ok(store) => store.ping().await.map(|()| url).map_err(|error| error.to_string()),
        Err(error) => Err(error.to_string()),
    };
    part("database", database);
    part("blobs", blobs(config).await);
    part("server key", key(config, store.as_ref().ok()).await);
    let region = config.region();
    part("network", found(wiring::embedded(&region), |engine| described(&engine.status())));
    if config.planner.engine == Engine::Valhalla {
        part("valhalla", valhalla(config).await);
    }
    part(
        "base map",
        found(wiring::tiles(&region), |tiles| format!("zoom {} to {}", tiles.min_zoom(), tiles.max_zoom())),
    );
    part(
        "mail",
        match wiring::mailer(config) {
            Ok(_) if config.mail.smtp_url.is_empty() => Ok("written to the outbox folder".to_owned()),
            Ok(_) => Ok("by SMTP".to_owned()),
            Err(error) => Err(error.to_string()),
        },
    );
    part(
        "web app",
        match web_app::build() {
            Some((id, _)) => Ok(format!("build {id}")),
            None => Err("not built: make web".to_owned()),
        },
    );
    all_well
}

/// Whether a blob can be written, read and deleted where the configuration puts them.
async fn blobs(config: &Config) -> Result<String, String> {
    config.check_for_serving().map_err(|error| error.to_string())?;
    let blobs = wiring::blobs(config).map_err(|error| error.to_string())?;
    wiring::check_blobs(config, &blobs).await.map_err(|error| error.to_string())?;
    Ok(wiring::blobs_place(config))
}

fn described(status: &EngineStatus) -> String {
    let date = status.data_date.as_deref().unwrap_or("unknown date");
    format!("{} {}, data of {date}", status.engine, status.version)
}

/// Whether the Valhalla server answers, and which engine replaces it where it does not.
async fn valhalla(config: &Config) -> Result<String, String> {
    let server = wiring::valhalla(config);
    let asked = tokio::task::spawn_blocking(move || server.ask_status()).await.map_err(|error| error.to_string())?;
    let url = &config.planner.valhalla_url;
    let stands_in = if config.planner.fallback { "the embedded engine stands in" } else { "nobody stands in" };
    match asked {
        Ok(status) => Ok(format!("{} at {url}; {stands_in}", described(&status))),
        Err(error) => Err(format!("{url}: {error}; {stands_in}")),
    }
}

/// Where the server's key is, and whether it opens the sealed values of the database.
async fn key(config: &Config, store: Option<&store::Store>) -> Result<String, String> {
    let found = server_key::find(config).map_err(|error| error.to_string())?;
    // A database of an older version has no place for secrets yet: nothing is sealed in it.
    let missing = match (&found, store) {
        (Some(ring), Some(store)) => {
            let survey = api::seal::survey(&ServerKey::of(ring.clone(), None), store.read()).await;
            survey.ok().and_then(|survey| survey.missing_keys())
        }
        _ => None,
    };
    let file = server_key::file(config);
    match found {
        _ if missing.is_some() => Err(missing.unwrap_or_default()),
        None => Ok(format!("none yet: the first start makes {}", file.display())),
        Some(_) if config.server_key.is_empty() => Ok(file.display().to_string()),
        Some(_) => Ok("of the configuration".to_owned()),
    }
}

fn found<T>(part: Result<Option<T>, wiring::WiringError>, say: impl Fn(&T) -> String) -> Result<String, String> {
    match part {
        Ok(Some(part)) => Ok(say(&part)),
        Ok(None) => Ok("none: jalon network build <extract>".to_owned()),
        Err(error) => Err(error.to_string()),
    }
}
