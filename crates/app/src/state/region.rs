//! The region that this server plans on and draws: network, base map, heights. It is replaced while the server runs.

use std::fmt::Debug;
use std::path::{Path, PathBuf};
use std::sync::Arc;

use domain::region::BundleId;
use tokio::sync::watch;

use super::PlannerFailure;

/// A region, open for reading. Who holds it goes on with it when another one takes its place.
#[derive(Clone, Default)]
pub struct Region {
    /// The id of the bundle it is (decision 0054); none for the folder `region/` of this server, and where there is no region.
    pub bundle: Option<BundleId>,
    /// The planner, where there is a network.
    pub engine: Option<Arc<dyn routing::RouteEngine>>,
    /// Why the planner network on disk cannot be used; the server then runs without planner and reports this failure.
    pub engine_failure: Option<PlannerFailure>,
    /// The base map's tiles, where there are any.
    pub tiles: Option<Arc<basemap::Tiles>>,
    /// The file of these tiles, which other processes open; it may not exist (yet).
    pub tiles_file: Option<PathBuf>,
}

/// Opens the files of a region.
pub trait OpenRegion: Debug + Send + Sync {
    /// Opens the region in a folder, or says why it cannot be used. It reads files: call it outside the async threads.
    fn open(&self, folder: &Path) -> Result<Region, PlannerFailure>;
}

/// Where regions come from.
#[derive(Debug, Clone)]
pub struct RegionSource {
    /// The folder of the bundles that this server has fetched.
    pub folder: PathBuf,
    /// Opens them.
    pub opener: Arc<dyn OpenRegion>,
}

/// The region in use, and who waits for the next one.
pub(super) struct CurrentRegion(watch::Sender<Arc<Region>>);

impl CurrentRegion {
    pub(super) fn new(region: Region) -> Self {
        Self(watch::Sender::new(Arc::new(region)))
    }

    pub(super) fn get(&self) -> Arc<Region> {
        Arc::clone(&self.0.borrow())
    }

    pub(super) fn replace(&self, region: Region) {
        self.0.send_replace(Arc::new(region));
    }

    pub(super) fn watch(&self) -> watch::Receiver<Arc<Region>> {
        self.0.subscribe()
    }
}
