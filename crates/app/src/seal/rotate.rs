//! The sealed values of the database: the keys they need, and sealing them again with the current one.

use std::collections::BTreeMap;

use domain::Instant;
use domain::audit::{Action, Detail, Event, On, Outcome, Who};
use store::sealed::{self, SealedColumn, SealedValue};
use store::{Connection, Store, StoreError};

use super::{DoesNotOpen, KeyId, Place, ServerKey};

/// Values sealed again in one transaction: few, so that others write in between.
const SLICE: usize = 8;

/// How many secrets are sealed, with which keys.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Survey {
    /// With the current key.
    pub current: usize,
    /// With another key that is here, or in the older form, which a key that is here opens.
    pub old: usize,
    /// With keys that are not here.
    pub missing: BTreeMap<KeyId, usize>,
    /// In the older form, which names no key, and no key here opens them.
    pub unnamed: usize,
    /// The key is here, and they do not open: altered, or copied from elsewhere.
    pub damaged: Vec<String>,
}

impl Survey {
    /// How many secrets there are.
    pub fn total(&self) -> usize {
        self.readable() + self.unreadable() + self.damaged.len()
    }

    /// How many open.
    pub fn readable(&self) -> usize {
        self.current + self.old
    }

    /// How many were sealed with keys that are not here.
    pub fn unreadable(&self) -> usize {
        self.unnamed + self.missing.values().sum::<usize>()
    }

    /// The missing keys, in one sentence; none where every key is here.
    pub fn missing_keys(&self) -> Option<String> {
        if self.unreadable() == 0 {
            return None;
        }
        let named: Vec<String> = self.missing.iter().map(|(id, count)| format!("{count} with the key {id}")).collect();
        let unnamed = (self.unnamed > 0).then(|| format!("{} with an older key", self.unnamed));
        let parts: Vec<String> = named.into_iter().chain(unnamed).collect();
        Some(format!(
            "{} of {} secrets of this database are encrypted with keys that this server does not have ({}): give them as \
             server_key, or as old_server_keys after a rotation. Until then the keys of services and the codes of second \
             factors that they encrypt do not work; recovery codes do",
            self.unreadable(),
            self.total(),
            parts.join(", "),
        ))
    }
}

/// The origin a value is bound to: the one stored with it, or for an older value the server its key goes to today.
async fn origin_of(db: &impl Connection, column: SealedColumn, value: &SealedValue) -> Result<String, StoreError> {
    match &value.origin {
        Some(origin) => Ok(origin.clone()),
        None if column.has_origin() => {
            Ok(store::service_key::current_origin(db, column, value.id).await?.unwrap_or_default())
        }
        None => Ok(String::new()),
    }
}

/// Counts all secrets by the key they are sealed with; nothing is changed.
pub async fn survey(key: &ServerKey, db: &impl Connection) -> Result<Survey, StoreError> {
    let mut found = Survey::default();
    for column in SealedColumn::ALL {
        let mut after = 0;
        loop {
            let values = sealed::page(db, column, after, SLICE).await?;
            let Some(last) = values.last() else { break };
            after = last.id;
            for value in &values {
                let origin = origin_of(db, column, value).await?;
                match key.open(Place::of(column, value.id, &origin), &value.sealed) {
                    Ok(_) if key.is_current(&value.sealed) => found.current += 1,
                    Ok(_) => found.old += 1,
                    Err(DoesNotOpen::OtherKey(id)) => *found.missing.entry(id).or_default() += 1,
                    Err(DoesNotOpen::NoKeyOpens) => found.unnamed += 1,
                    Err(DoesNotOpen::Elsewhere | DoesNotOpen::Damaged) => {
                        found.damaged.push(format!("{} {}", column.name(), value.id));
                    }
                }
            }
        }
    }
    Ok(found)
}

/// Whether the keys open the sealed values of the database: `None` when nothing is sealed there yet.
pub async fn opens(key: &ServerKey, db: &impl Connection) -> Result<Option<bool>, StoreError> {
    let found = survey(key, db).await?;
    Ok((found.total() > 0).then(|| found.unreadable() == 0))
}

/// The counts of sealing the secrets of a database again.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Resealed {
    /// Sealed again.
    pub done: usize,
    /// Values that changed while they were sealed again; the change is kept. Run it again.
    pub changed: usize,
    /// Values that could not be opened and were not changed.
    pub left: usize,
}

/// Seals everything again that is not sealed in the present form with the current key, a slice a transaction, and records it in the
/// journal. It may be stopped and run again, and servers may run meanwhile: a value that was changed in between is not touched.
pub async fn reseal(key: &ServerKey, store: &Store, at: Instant) -> Result<Resealed, StoreError> {
    let counts = sealed_again(key, store, |_| true).await?;
    let tx = store.begin().await?;
    let event = Event {
        at,
        who: Who::default(),
        network: None,
        action: Action::SealingKeyRotated,
        on: On::NOTHING,
        outcome: Outcome::Done,
        detail: Detail::Count { count: counts.done as u64 },
        request_id: String::new(),
    };
    store::audit::record(&tx, event).await?;
    tx.commit_aside().await?;
    Ok(counts)
}

/// Binds keys of services that an older version sealed to the server they go to today. Keys that are bound are not changed.
pub async fn bind_old_keys(key: &ServerKey, store: &Store) -> Result<Resealed, StoreError> {
    sealed_again(key, store, |value| ServerKey::id_of(&value.sealed).is_none()).await
}

async fn sealed_again(
    key: &ServerKey,
    store: &Store,
    wanted: impl Fn(&SealedValue) -> bool,
) -> Result<Resealed, StoreError> {
    let mut counts = Resealed::default();
    for column in SealedColumn::ALL {
        let mut after = 0;
        loop {
            let values = sealed::page(store.read(), column, after, SLICE).await?;
            let Some(last) = values.last() else { break };
            after = last.id;
            let mut again = Vec::new();
            for value in values.iter().filter(|value| !key.is_current(&value.sealed) && wanted(value)) {
                let origin = origin_of(store.read(), column, value).await?;
                let place = Place::of(column, value.id, &origin);
                match key.open(place, &value.sealed) {
                    Ok(secret) => again.push((value, key.seal(place, &secret), origin)),
                    Err(_) => counts.left += 1,
                }
            }
            if again.is_empty() {
                continue;
            }
            let tx = store.begin().await?;
            let mut done = 0;
            for (value, sealed, origin) in again {
                if sealed::replace(&tx, column, value, sealed, Some(&origin)).await? {
                    done += 1;
                } else {
                    counts.changed += 1;
                }
            }
            tx.commit_aside().await?;
            counts.done += done;
        }
    }
    Ok(counts)
}
