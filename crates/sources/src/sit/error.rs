//! The errors of SIT records.

use app::Rejection;
use app::problem::Internal;
use app::record::RecordError;
use content::poi::PoiError;
use domain::Fault;
use macros::Problem;
use serde_json::Value;

use super::SitSourceResource;

/// Errors of a source.
pub type SitSourceError = RecordError<SitSourceResource>;

/// Why a request on a record is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum SitError {
    /// Not there, or another white-label's.
    #[error("no record {id}")]
    #[problem(404, "sit/not-found")]
    NotFound {
        /// The number asked for.
        id: i64,
    },
    /// Another save, or a run of the source, happened since this version was read.
    #[error("a version that is not the last")]
    #[problem(412, "version/stale")]
    Stale {
        /// The version this save was made from.
        base_version: Option<i64>,
        /// The present state.
        current: Value,
    },
    /// It is a POI already.
    #[error("the record is POI {poi_id}")]
    #[problem(409, "sit/linked")]
    Linked { poi_id: i64 },
    /// The POI is another record already.
    #[error("the POI is record {record_id}")]
    #[problem(409, "sit/poi-taken", field = "/poi_id")]
    PoiTaken { record_id: i64 },
    /// It is no POI.
    #[error("the record is no POI")]
    #[problem(409, "sit/not-linked")]
    NotLinked,
    /// One at a time.
    #[error("a run of this source is at work")]
    #[problem(409, "import/running")]
    Running,
    /// Neither an address nor a file.
    #[error("the source has nothing to read")]
    #[problem(422, "import/nothing-to-read", field = "/url")]
    NothingToRead,
    /// Faults of the input.
    #[error("{} faults", errors.len())]
    #[problem(422, "validation/failed")]
    Invalid { errors: Vec<Fault> },
    /// Refused for the source's sake.
    #[error(transparent)]
    #[problem(transparent)]
    Source(#[from] SitSourceError),
    /// Refused for the POI's sake.
    #[error(transparent)]
    #[problem(transparent)]
    Poi(#[from] PoiError),
    /// Refused before the handler runs.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}
