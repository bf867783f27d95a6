//! The view of a white-label.

use app::record::owned::locked;
use app::record::{Head, Named, Resource};
use domain::white_label::WhiteLabelSheet;
use domain::{Actor, Capability, Instant, WhiteLabelId};
use serde::Serialize;
use store::record::Stored;
use store::sealed::SealedColumn;
use store::white_label::key_heads;
use store::{Connection, StoreError};
use utoipa::ToSchema;

use super::WhiteLabelResource;

/// A white-label. Its names and looks are no secret: visitors see them. Its keys are shown to those who may change them.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = WhiteLabel)]
pub struct WhiteLabelView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: WhiteLabelSheet,
    /// The structure that owns it.
    structure: Option<Named>,
    /// Whether the person works in it.
    mine: bool,
    /// Two letters of its mark.
    initials: String,
    /// Colour of its mark, `#RRGGBB`.
    color: String,
    /// The key of its public API, where it has one.
    api_key: Option<KeyView>,
    /// Whether it has a key of its translation service; the key itself is never shown.
    translation_key_set: bool,
}

/// The part of a key that is shown after it was made.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = ApiKeyHead)]
pub struct KeyView {
    /// Its first letters.
    prefix: String,
    created_at: Instant,
}

/// White-labels for one reader, in their order.
pub(super) async fn views(
    db: &impl Connection,
    actor: &Actor,
    records: Vec<Stored<WhiteLabelSheet>>,
) -> Result<Vec<WhiteLabelView>, StoreError> {
    let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
    let structures: Vec<i64> = records.iter().map(|record| record.sheet.structure_id).collect();
    let names = store::structure::names(db, &structures).await?;
    let mut keys = key_heads(db, &ids).await?;
    let translated = store::sealed::with_key(db, SealedColumn::TranslationKey, &ids).await?;
    let view = |record: Stored<WhiteLabelSheet>| {
        let locked = locked::<WhiteLabelResource>(actor, &record, Capability::SettingsManage);
        let key = keys.remove(&record.id).filter(|_| locked.is_none());
        WhiteLabelView {
            structure: names
                .get(&record.sheet.structure_id)
                .map(|name| Named { id: record.sheet.structure_id, name: name.clone() }),
            mine: actor.works_in(WhiteLabelId(record.id)),
            initials: record.sheet.initials(),
            color: record.sheet.color().to_owned(),
            api_key: key.map(|head| KeyView { prefix: head.prefix, created_at: head.created_at }),
            translation_key_set: locked.is_none() && translated.contains(&record.id),
            head: Head::of(&record, locked).named_to(WhiteLabelResource::is_theirs(actor, &record)),
            sheet: record.sheet,
        }
    };
    Ok(records.into_iter().map(view).collect())
}
