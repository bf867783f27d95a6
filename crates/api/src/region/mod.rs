//! Regions that are published to all servers (decision 0054): publishing one, and following what is published. A server looks every
//! 2 seconds which bundle is current, fetches its files from the blobs, and replaces the region in use while it serves.

mod fault;
mod fetch;
mod folder;
mod follow;
mod publish;
mod state;

pub use fault::RegionFault;
pub use folder::at_start;
pub use follow::{look, start};
pub use publish::{PublishError, RegionFile, publish};
pub(crate) use state::keeps_unready;
pub use state::{RegionPhase, RegionProgress, progress};
