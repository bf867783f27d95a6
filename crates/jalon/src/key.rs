//! `jalon key …`: what is sealed with which key, a new key, and the old ones forgotten.

use std::fs;

use app::seal::{self, KeyRing, SecretKey, ServerKey, Survey};
use domain::{Clock as _, SystemClock};
use store::Store;

use crate::cli::KeyCommand;
use crate::config::Config;
use crate::{Failure, output, server_key, wiring};

/// Runs one; false when something is left to do.
pub async fn run(config: &Config, command: &KeyCommand) -> Result<bool, Failure> {
    if matches!(command, KeyCommand::New) {
        output::line(SecretKey::random().to_text());
        return Ok(true);
    }
    let store = wiring::store(config).await?;
    let ring = match server_key::find(config)? {
        Some(ring) => ring,
        // The key of the database is lost: this server gets a new one.
        None if matches!(command, KeyCommand::Adopt) => server_key::find_or_make(config)?.ring(),
        None => {
            return Err(match store::installation::server_key(store.read()).await? {
                Some(recorded) => wiring::WiringError::MissingKey(recorded).into(),
                None => "this server has no key yet: the first start creates one".into(),
            });
        }
    };
    let done = match command {
        KeyCommand::New => true,
        KeyCommand::Status => status(ring, &store).await?,
        KeyCommand::Adopt => adopt(ring, &store).await?,
        KeyCommand::Rotate => rotate(config, ring, &store).await?,
        KeyCommand::Retire => retire(config, ring, &store).await?,
    };
    store.close().await?;
    Ok(done)
}

fn print_survey(ring: &KeyRing, found: &Survey) {
    output::line(format!("current key  {}: seals {}", ring.current.id(), found.current));
    let names: Vec<String> = ring.old.iter().map(|key| key.id().to_string()).collect();
    let names = if names.is_empty() { "none".to_owned() } else { names.join(", ") };
    output::line(format!(
        "old keys     {names}: {} secrets are still encrypted with them or in an older form",
        found.old
    ));
    if let Some(missing) = found.missing_keys() {
        output::line(format!("missing      {missing}"));
    }
    for place in &found.damaged {
        output::line(format!("damaged      {place} cannot be decrypted with any key: enter it again"));
    }
}

async fn status(ring: KeyRing, store: &Store) -> Result<bool, Failure> {
    let found = seal::survey(&ServerKey::of(ring.clone(), None), store.read()).await?;
    print_survey(&ring, &found);
    Ok(found.unreadable() == 0)
}

/// Records the key of this server as the one that all servers of the database use. Secrets that it cannot decrypt are reported; the key
/// is adopted all the same.
async fn adopt(ring: KeyRing, store: &Store) -> Result<bool, Failure> {
    seal::adopt(&ring, store, SystemClock.now()).await?;
    output::line(format!("the key of this database is now {}", ring.current.id()));
    status(ring, store).await?;
    Ok(true)
}

/// A new key, unless the last rotation was not finished; then everything is sealed again with the current one.
async fn rotate(config: &Config, ring: KeyRing, store: &Store) -> Result<bool, Failure> {
    let before = seal::survey(&ServerKey::of(ring.clone(), None), store.read()).await?;
    if let Some(missing) = before.missing_keys() {
        return Err(missing.into());
    }
    if !config.server_key.is_empty() && ring.old.is_empty() && before.old == 0 {
        return Err("nothing to rotate: server_key of the configuration is the only key. Make a new one (jalon key new), set it as \
                    server_key and add the present one to old_server_keys, then run this again"
            .into());
    }
    server_key::delete_unfinished(config)?;
    let is_unfinished = !ring.old.is_empty() && before.old > 0;
    let ring = if !config.server_key.is_empty() {
        output::line(format!("server_key of the configuration is the new key: {}", ring.current.id()));
        ring
    } else if is_unfinished {
        output::line(format!("the last rotation continues, to the key {}", ring.current.id()));
        ring
    } else {
        let new = server_key::renew(config, &ring)?;
        output::line(format!("the new key is {}: back up {}", new.current.id(), server_key::file(config).display()));
        new
    };
    seal::agree(&ring, store, SystemClock.now()).await??;
    let key = ServerKey::of(ring.clone(), None);
    let counts = seal::reseal(&key, store, SystemClock.now()).await?;
    output::line(format!(
        "encrypted again: {}; changed meanwhile: {}; left: {}",
        counts.done, counts.changed, counts.left
    ));
    let after = seal::survey(&key, store.read()).await?;
    print_survey(&ring, &after);
    let is_done = after.old == 0;
    output::line(if is_done {
        "Everything is encrypted with the current key. Once every server has it, delete the old ones: jalon key retire, or \
         without old_server_keys in the configuration. Backups made before need the old ones."
    } else {
        "Secrets were changed meanwhile: run jalon key rotate again."
    });
    Ok(is_done)
}

/// Forgets the old keys of the file, when nothing is sealed with them. Other files that may hold a key are named, and stay.
async fn retire(config: &Config, ring: KeyRing, store: &Store) -> Result<bool, Failure> {
    let found = seal::survey(&ServerKey::of(ring.clone(), None), store.read()).await?;
    if found.old > 0 {
        print_survey(&ring, &found);
        return Err("secrets are still encrypted with the old keys: run jalon key rotate first".into());
    }
    match fs::remove_file(server_key::old_file(config)) {
        Ok(()) => output::line(format!("{} is deleted", server_key::old_file(config).display())),
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => output::line("there is no old key"),
        Err(error) => return Err(error.into()),
    }
    server_key::delete_unfinished(config)?;
    for copy in server_key::possible_copies(config)? {
        output::line(format!("{} may hold a key: keep it elsewhere, or delete it", copy.display()));
    }
    if !config.old_server_keys.is_empty() {
        output::line("old_server_keys is still in the configuration: remove it there");
    }
    Ok(true)
}
