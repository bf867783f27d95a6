//! The key of a source that is fetched from an address (tourist records, routes, transport feeds): sealed when it is received, bound
//! to the server of that address, never shown.

use axum::http::StatusCode;
use base64::Engine as _;
use base64::prelude::BASE64_STANDARD;
use domain::audit::{Action, Detail};
use domain::imports::ImportNote;
use domain::{Actor, Fault, service_key};
use serde::Deserialize;
use store::Connection;
use store::record::raise_version;
use store::sealed::{self, SealedColumn};
use utoipa::ToSchema;

use crate::extract::IfMatch;
use crate::problem::Internal;
use crate::record::{At, RecordError, Resource, operations};
use crate::seal::{DoesNotOpen, Place, origin_fault, typed_key};
use crate::{App, audit};

/// A source whose address may need a key.
pub trait KeyedSource: Resource {
    /// Where its sealed key is.
    const COLUMN: SealedColumn;

    /// Its address; `None` for an uploaded file.
    fn address(sheet: &Self::Sheet) -> Option<&str>;
}

// It has no `Debug`: nothing prints it by mistake.
/// A key in a request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SourceKey {
    /// The key as the source gave it; `name:password` where it asks for both.
    #[schema(format = Password, max_length = 500)]
    key: String,
}

/// Why a record has a new version: a key of a service, which is stored beside it, was set or forgotten. A second request based on the same
/// version is refused, instead of replacing a key that another user has just set.
pub const REASON: Option<&str> = Some("service_key");

/// Sets the key of a source; without one, forgets it.
pub async fn put<R: KeyedSource>(
    app: &App,
    actor: &Actor,
    at: &At,
    based_on: IfMatch,
    sent: Option<&SourceKey>,
) -> Result<StatusCode, RecordError<R>> {
    let key = sent.map(|sent| typed_key(&sent.key)).transpose()?;
    let tx = app.store.begin().await?;
    let record = operations::held_at::<R>(app, &tx, actor, at, based_on).await?;
    let origin = service_key::origin(R::address(&record.sheet).unwrap_or_default());
    if let Some(fault) = key.and_then(|_| origin_fault(&origin, app.fetcher.asks_private_addresses())) {
        return Err(fault.into());
    }
    let sealed = key.map(|key| app.key.seal(Place::of(R::COLUMN, record.id, &origin), key.as_bytes()));
    if sealed.is_some() || sealed::find(&tx, R::COLUMN, record.id).await?.is_some() {
        raise_version::<R::Record>(&tx, &record, operations::change(app, actor, REASON)).await?;
    }
    sealed::put(&tx, R::COLUMN, record.id, sealed.map(|sealed| (sealed, origin.as_str()))).await?;
    let action = if sent.is_some() { Action::ServiceKeySet } else { Action::ServiceKeyRemoved };
    audit::done(app, &tx, actor, action, audit::on::<R::Record>(&record), Detail::None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The key of a source for the server of its address, opened. A key that was entered for another server is not used.
pub async fn opened(
    app: &App,
    db: &impl Connection,
    column: SealedColumn,
    id: i64,
    address: Option<&str>,
) -> Result<Result<Option<String>, ImportNote>, Internal> {
    let Some(value) = sealed::find(db, column, id).await? else { return Ok(Ok(None)) };
    let origin = service_key::origin(address.unwrap_or_default());
    Ok(match app.key.open(Place::of(column, id, &origin), &value.sealed) {
        Ok(bytes) => String::from_utf8(bytes).map(Some).map_err(|_| ImportNote::new("server/other-key")),
        Err(DoesNotOpen::Elsewhere) => Ok(None),
        Err(_) => Err(ImportNote::new("server/other-key")),
    })
}

/// The request to a source: its address, and headers for its server alone.
pub struct Keyed {
    /// With the key in its place, where the address has one. Written into no log and no table.
    pub url: String,
    /// The key as `name:password` or `Bearer …`, else as `x-api-key`, where the address has no place for it.
    pub headers: Vec<(&'static str, String)>,
}

/// A key that begins with this is sent as `Authorization: Bearer` (RFC 6750).
pub const BEARER: &str = "Bearer ";

/// An address with its key.
pub fn keyed(address: &str, key: Option<&str>) -> Result<Keyed, ImportNote> {
    let placed = service_key::has_placeholder(address);
    match key {
        None if placed => Err(ImportNote::new("sit/key-missing")),
        None => Ok(Keyed { url: address.to_owned(), headers: Vec::new() }),
        Some(key) if placed => Ok(Keyed { url: service_key::with_key(address, key), headers: Vec::new() }),
        Some(key) => {
            let header = if key.starts_with(BEARER) {
                ("authorization", key.to_owned())
            } else if key.contains(':') {
                ("authorization", format!("Basic {}", BASE64_STANDARD.encode(key)))
            } else {
                ("x-api-key", key.to_owned())
            };
            Ok(Keyed { url: address.to_owned(), headers: vec![header] })
        }
    }
}

/// A fault where an address of a sheet contains a key in clear: all readers of the sheet or its history would see it.
pub fn address_faults(fields: &[(&'static str, Option<&str>)], changed: &[&'static str]) -> Vec<Fault> {
    let fault = |(name, address): &(&'static str, Option<&str>)| {
        let found = service_key::secret_in((*address)?)?;
        Some(Fault::new("service-key/in-address", format!("/{name}")).with("name", found))
    };
    fields.iter().filter(|(name, _)| changed.contains(name)).filter_map(fault).collect()
}
