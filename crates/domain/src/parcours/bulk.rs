//! Actions on many parcours at once.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::fault::Fault;
use super::rules;
use super::sheet::Sheet;
use super::trace_state::TraceMode;
use super::words::Inheritable;

/// What is done to each of those selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BulkAction {
    /// Publish.
    Publish,
    /// Unpublish.
    Unpublish,
    /// Distribute on our own applications.
    DistributeOwn,
    /// Stop that.
    UndistributeOwn,
    /// Use the source trace as it is.
    UseSource,
    /// Set the bike carriage.
    BikeCarriage,
    /// Set whether it can be booked.
    Bookable,
}

/// An action with its value, checked.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "action", content = "value")]
pub enum BulkChange {
    /// Publish or unpublish.
    Published(bool),
    /// Distribute on our own applications or not.
    DistributeOwn(bool),
    /// Which line is used.
    Mode(TraceMode),
    /// Bike carriage.
    BikeCarriage(Inheritable),
    /// Reservation.
    Bookable(Inheritable),
}

impl BulkChange {
    /// The change an action and its value ask for.
    pub fn new(action: BulkAction, value: Option<Inheritable>) -> Result<Self, Fault> {
        let needed = || value.ok_or_else(|| Fault::new("validation/required", "/value"));
        Ok(match action {
            BulkAction::Publish => Self::Published(true),
            BulkAction::Unpublish => Self::Published(false),
            BulkAction::DistributeOwn => Self::DistributeOwn(true),
            BulkAction::UndistributeOwn => Self::DistributeOwn(false),
            BulkAction::UseSource => Self::Mode(TraceMode::Source),
            BulkAction::BikeCarriage => Self::BikeCarriage(needed()?),
            BulkAction::Bookable => Self::Bookable(needed()?),
        })
    }

    /// The field it changes.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Published(_) => "published",
            Self::DistributeOwn(_) => "distribute_own",
            Self::Mode(_) => "trace",
            Self::BikeCarriage(_) => "bike_carriage",
            Self::Bookable(_) => "bookable",
        }
    }

    /// Whether only an agency may do it.
    pub const fn needs_agency(self) -> bool {
        matches!(self, Self::Bookable(_))
    }

    /// What this change would do to a parcours: the state it replaces, nothing when it is so already, or why not.
    pub fn judge(
        self,
        sheet: &Sheet,
        published: bool,
        mode: Option<TraceMode>,
        languages: &[String],
    ) -> Result<Option<Self>, &'static str> {
        let before = match self {
            Self::Published(_) => Self::Published(published),
            Self::DistributeOwn(_) => Self::DistributeOwn(sheet.distribute_own),
            Self::Mode(_) => Self::Mode(mode.ok_or("parcours/no-trace")?),
            Self::BikeCarriage(_) => Self::BikeCarriage(sheet.bike_carriage),
            Self::Bookable(_) => Self::Bookable(sheet.bookable),
        };
        match self {
            _ if before == self => Ok(None),
            Self::Published(true) if !rules::titled(sheet, languages) => Err("parcours/title-required-to-publish"),
            Self::DistributeOwn(true) if !rules::described(sheet, languages) => Err("parcours/description-required"),
            _ => Ok(Some(before)),
        }
    }

    /// Writes the change into a sheet; publication and mode are written elsewhere.
    pub const fn apply_to(self, sheet: &mut Sheet) {
        match self {
            Self::DistributeOwn(on) => sheet.distribute_own = on,
            Self::BikeCarriage(value) => sheet.bike_carriage = value,
            Self::Bookable(value) => sheet.bookable = value,
            Self::Published(_) | Self::Mode(_) => {}
        }
    }
}
