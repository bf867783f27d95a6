//! Actions on many parcours at once.

use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::ToSchema;

use super::rules;
use super::sheet::Sheet;
use super::trace_state::TraceMode;
use super::words::Inheritable;
use crate::Fault;
use crate::html::plain_line;

/// What is done to each of those selected.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum BulkAction {
    Publish,
    Unpublish,
    /// Distribute on our own applications.
    DistributeOwn,
    /// Stop distributing on our own applications.
    UndistributeOwn,
    /// Use the source trace unchanged.
    UseSource,
    /// Set the bike carriage.
    BikeCarriage,
    /// Set whether it can be booked.
    Bookable,
    /// Distribute on other applications.
    DistributePartners,
    /// Stop distributing on other applications.
    UndistributePartners,
    /// Set the practice.
    SetPractice,
    /// Set the level.
    SetLevel,
    /// Set the person in charge.
    SetContact,
    /// Set the holder of the rights on the texts.
    SetCopyright,
    /// Add a tag.
    AddTag,
    /// Add a theme.
    AddTheme,
    /// Add a media: the first one is the cover of those that have none.
    AddMedia,
    /// Add an itinerary.
    AddItinerary,
}

/// An action with its value, checked.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case", tag = "action", content = "value")]
pub enum BulkChange {
    /// Publish or unpublish.
    Published(bool),
    /// Distribute on our own applications or not.
    DistributeOwn(bool),
    /// The line in use.
    Mode(TraceMode),
    BikeCarriage(Inheritable),
    /// Reservation.
    Bookable(Inheritable),
    /// Distribute on other applications or not.
    DistributePartners(bool),
    Practice(Option<i64>),
    Level(Option<i64>),
    /// The person in charge.
    Contact(Option<i64>),
    /// The holder of the rights on the texts.
    Copyright(Option<String>),
    /// One more in a list.
    Add(BulkList, i64),
    /// Restores a whole list: undoes [`Self::Add`].
    List(BulkList, Vec<i64>),
}

/// A list of a sheet that an action adds to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum BulkList {
    Tags,
    Themes,
    Media,
    Itineraries,
}

impl BulkList {
    /// The name of the field.
    pub const fn field(self) -> &'static str {
        match self {
            Self::Tags => "tag_ids",
            Self::Themes => "theme_ids",
            Self::Media => "media_ids",
            Self::Itineraries => "itinerary_ids",
        }
    }

    const fn of(self, sheet: &Sheet) -> &Vec<i64> {
        match self {
            Self::Tags => &sheet.tag_ids,
            Self::Themes => &sheet.theme_ids,
            Self::Media => &sheet.media_ids,
            Self::Itineraries => &sheet.itinerary_ids,
        }
    }

    const fn of_mut(self, sheet: &mut Sheet) -> &mut Vec<i64> {
        match self {
            Self::Tags => &mut sheet.tag_ids,
            Self::Themes => &mut sheet.theme_ids,
            Self::Media => &mut sheet.media_ids,
            Self::Itineraries => &mut sheet.itinerary_ids,
        }
    }
}

/// Reads the value of an action as the type that the action needs. `null` is a value: it empties the field.
fn value<T: serde::de::DeserializeOwned>(value: Option<&Value>) -> Result<T, Fault> {
    let given = value.ok_or_else(|| Fault::new("validation/required", "/value"))?;
    let wrong = |_| Fault::new("validation/wrong-type", "/value").with("name", "value");
    serde_json::from_value(given.clone()).map_err(wrong)
}

impl BulkChange {
    /// The change that an action and its value make.
    pub fn new(action: BulkAction, given: Option<&Value>) -> Result<Self, Fault> {
        Ok(match action {
            BulkAction::Publish => Self::Published(true),
            BulkAction::Unpublish => Self::Published(false),
            BulkAction::DistributeOwn => Self::DistributeOwn(true),
            BulkAction::UndistributeOwn => Self::DistributeOwn(false),
            BulkAction::UseSource => Self::Mode(TraceMode::Source),
            BulkAction::BikeCarriage => Self::BikeCarriage(value(given)?),
            BulkAction::Bookable => Self::Bookable(value(given)?),
            BulkAction::DistributePartners => Self::DistributePartners(true),
            BulkAction::UndistributePartners => Self::DistributePartners(false),
            BulkAction::SetPractice => Self::Practice(value(given)?),
            BulkAction::SetLevel => Self::Level(value(given)?),
            BulkAction::SetContact => Self::Contact(value(given)?),
            BulkAction::SetCopyright => {
                let words: Option<String> = value(given)?;
                Self::Copyright(words.map(|words| plain_line(&words)).filter(|words| !words.is_empty()))
            }
            BulkAction::AddTag => Self::Add(BulkList::Tags, value(given)?),
            BulkAction::AddTheme => Self::Add(BulkList::Themes, value(given)?),
            BulkAction::AddMedia => Self::Add(BulkList::Media, value(given)?),
            BulkAction::AddItinerary => Self::Add(BulkList::Itineraries, value(given)?),
        })
    }

    /// The field it changes.
    pub const fn field(&self) -> &'static str {
        match self {
            Self::Published(_) => "published",
            Self::DistributeOwn(_) => "distribute_own",
            Self::Mode(_) => "trace",
            Self::BikeCarriage(_) => "bike_carriage",
            Self::Bookable(_) => "bookable",
            Self::DistributePartners(_) => "distribute_partners",
            Self::Practice(_) => "practice_type_id",
            Self::Level(_) => "level_id",
            Self::Contact(_) => "contact_id",
            Self::Copyright(_) => "copyright",
            Self::Add(list, _) | Self::List(list, _) => list.field(),
        }
    }

    /// Whether its value is checked like the value of a sheet: references and lengths.
    pub const fn is_checked(&self) -> bool {
        matches!(self, Self::Practice(_) | Self::Level(_) | Self::Contact(_) | Self::Copyright(_) | Self::Add(..))
    }

    /// Whether only an agency may do it.
    pub const fn needs_agency(&self) -> bool {
        matches!(self, Self::Bookable(_))
    }

    /// Whether this change can be made. Returns the state that it replaces, to undo it later; `None` where the parcours has the value already; and
    /// the code of the problem where the change is refused.
    pub fn judge(
        &self,
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
            Self::DistributePartners(_) => Self::DistributePartners(sheet.distribute_partners),
            Self::Practice(_) => Self::Practice(sheet.practice_type_id),
            Self::Level(_) => Self::Level(sheet.level_id),
            Self::Contact(_) => Self::Contact(sheet.contact_id),
            Self::Copyright(_) => Self::Copyright(sheet.copyright.clone()),
            Self::Add(list, _) | Self::List(list, _) => Self::List(*list, list.of(sheet).clone()),
        };
        match self {
            _ if before == *self => Ok(None),
            Self::Add(list, id) if list.of(sheet).contains(id) => Ok(None),
            Self::Published(true) if !rules::titled(sheet, languages) => Err("parcours/title-required-to-publish"),
            Self::DistributeOwn(true) if !rules::described(sheet, languages) => Err("parcours/description-required"),
            _ => Ok(Some(before)),
        }
    }

    /// Writes the change into a sheet; publication and mode are written elsewhere.
    pub fn apply_to(&self, sheet: &mut Sheet) {
        match self {
            Self::DistributeOwn(on) => sheet.distribute_own = *on,
            Self::BikeCarriage(value) => sheet.bike_carriage = *value,
            Self::Bookable(value) => sheet.bookable = *value,
            Self::DistributePartners(on) => sheet.distribute_partners = *on,
            Self::Practice(id) => sheet.practice_type_id = *id,
            Self::Level(id) => sheet.level_id = *id,
            Self::Contact(id) => sheet.contact_id = *id,
            Self::Copyright(words) => sheet.copyright.clone_from(words),
            Self::Add(list, id) => list.of_mut(sheet).push(*id),
            Self::List(list, ids) => list.of_mut(sheet).clone_from(ids),
            Self::Published(_) | Self::Mode(_) => {}
        }
    }
}
