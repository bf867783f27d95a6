//! Follows which bundle is current: fetches it, opens it, and replaces the region in use.

use std::path::Path;
use std::time::Duration;

use app::{App, Region, RegionSource};
use domain::region::BundleId;
use store::StoreError;
use store::region::{self as rows, Bundle, CurrentBundle};

use super::RegionFault;
use super::fetch::{alone_now, fetch, is_whole};
use super::folder::{delete_old, note_use};
use super::state::RegionState;

/// How often a server looks which bundle is current.
const POLL_INTERVAL: Duration = Duration::from_secs(2);

/// Follows what is published. It ends with the runtime.
pub fn start(app: App) {
    let Some(source) = app.region_source.clone() else { return };
    tokio::spawn(async move {
        loop {
            // Where the database does not answer, the server goes on with the region it has; the probes report the database.
            if let Err(error) = look_from(&app, &source).await {
                tracing::debug!(%error, "which region is published could not be read");
            }
            tokio::time::sleep(POLL_INTERVAL).await;
        }
    });
}

/// Looks once, and takes the bundle that is current into use where it is another one: for tests, which end. After a failure it tries
/// again without a wait.
pub async fn look(app: &App) -> Result<(), StoreError> {
    let Some(source) = app.region_source.clone() else { return Ok(()) };
    app.shared::<RegionState>().try_again();
    look_from(app, &source).await
}

async fn look_from(app: &App, source: &RegionSource) -> Result<(), StoreError> {
    let state = app.shared::<RegionState>();
    let current = rows::current(app.store.read()).await?;
    let Some(current) = current.filter(|current| app.region().bundle.as_ref() != Some(&current.id)) else {
        let bundle = app.region().bundle.clone();
        let is_first = state.up_to_date(bundle.clone());
        // A server that was killed while it fetched, or before it could delete what is old, left that behind.
        if let Some(id) = bundle.filter(|_| is_first) {
            clear(&source.folder, id).await;
        }
        return Ok(());
    };
    if !state.wants(&current) {
        return Ok(());
    }
    match take(app, source, &state, &current).await {
        Ok(bundle) => {
            state.up_to_date(Some(current.id.clone()));
            let data_date = bundle.network.data_date;
            tracing::info!(bundle = current.id.short(), data_date, "this server uses the region that is published");
        }
        Err(fault) => {
            let (bundle, code) = (current.id.short(), "region/refused");
            tracing::error!(bundle, code, "the region that is published cannot be used: {fault}");
            state.refuse(&fault);
        }
    }
    Ok(())
}

async fn take(
    app: &App,
    source: &RegionSource,
    state: &RegionState,
    current: &CurrentBundle,
) -> Result<Bundle, RegionFault> {
    let found = rows::find(app.store.read(), &current.id).await.map_err(RegionFault::Manifest)?;
    // The row of the current bundle cannot be deleted.
    let bundle = found.ok_or_else(|| RegionFault::Blobs("the bundle is not noted any more".to_owned()))?;
    let folder = fetch(&app.blobs, &bundle.manifest, &source.folder, |done, all| state.fetched(done, all)).await?;
    let (opener, opened) = (std::sync::Arc::clone(&source.opener), folder.clone());
    let opened = tokio::task::spawn_blocking(move || opener.open(&opened)).await;
    match opened {
        Ok(Ok(region)) => app.replace_region(Region { bundle: Some(current.id.clone()), ..region }),
        failed => {
            let why = match failed {
                Ok(Err(failure)) => failure.detail,
                Err(error) => error.to_string(),
                Ok(Ok(_)) => String::new(),
            };
            // A file that was damaged on this disk is fetched again; one that this program cannot read stays.
            if !is_whole(&folder, &bundle.manifest).await? {
                std::fs::remove_dir_all(&folder).map_err(RegionFault::folder(&folder))?;
            }
            return Err(RegionFault::Unreadable(why));
        }
    }
    clear(&source.folder, current.id.clone()).await;
    Ok(bundle)
}

/// Notes that a bundle is in use, and deletes what is not needed any more, unless another server over the same folder fetches now.
async fn clear(regions: &Path, in_use: BundleId) {
    let regions = regions.to_owned();
    let cleared = tokio::task::spawn_blocking(move || {
        note_use(&regions.join(in_use.as_str()));
        if let Some(_alone) = alone_now(&regions) {
            delete_old(&regions, &in_use);
        }
    });
    if let Err(error) = cleared.await {
        tracing::warn!(%error, "old regions could not be deleted");
    }
}
