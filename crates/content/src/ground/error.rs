//! The errors of ground entries.

use app::Rejection;
use app::problem::Internal;
use domain::Fault;
use macros::Problem;

use crate::parcours::ParcoursError;
use crate::poi::PoiError;

/// Why a request on entries from the ground is refused.
#[derive(Debug, thiserror::Error, Problem)]
pub enum GroundError {
    /// Not a UUID, as a device makes them.
    #[error("not an identifier of an entry")]
    #[problem(422, "ground/bad-id")]
    BadId,
    /// Another person's entry has this identifier.
    #[error("the identifier is another person's")]
    #[problem(409, "ground/other-person")]
    OtherPerson,
    /// Not there, or not to be seen.
    #[error("no such entry")]
    #[problem(404, "ground/not-found")]
    NotFound,
    /// Faults of the input.
    #[error("{} faults", errors.len())]
    #[problem(422, "validation/failed")]
    Refused { errors: Vec<Fault> },
    /// Refused for the sake of the parcours.
    #[error(transparent)]
    #[problem(transparent)]
    Parcours(#[from] ParcoursError),
    /// Refused for the sake of the point of interest that is made.
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

impl From<Vec<Fault>> for GroundError {
    fn from(errors: Vec<Fault>) -> Self {
        Self::Refused { errors }
    }
}
