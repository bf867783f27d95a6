//! The server that the key of a service goes to, whatever it is a key of.

use domain::{WhiteLabelId, service_key};

use crate::imports::ImportSources;
use crate::record::load;
use crate::sealed::SealedColumn;
use crate::sit::SitSources;
use crate::transit::TransportFeeds;
use crate::translation::{self, Translators};
use crate::white_label::WhiteLabels;
use crate::{Connection, StoreError, assistant};

/// The server that a key of a record goes to today. `None` when the record was deleted.
pub async fn current_origin(db: &impl Connection, column: SealedColumn, id: i64) -> Result<Option<String>, StoreError> {
    let of_url = |url: Option<String>| url.as_deref().map(service_key::origin).unwrap_or_default();
    Ok(match column {
        SealedColumn::TotpSecret | SealedColumn::JobPayload => None,
        SealedColumn::TranslationKey => {
            let label = load::<WhiteLabels>(db, id).await?;
            match label {
                Some(label) => Some(translation::own_key_origin(db, label.sheet.translator_id).await?),
                None => None,
            }
        }
        SealedColumn::TranslatorKey => load::<Translators>(db, id).await?.map(|found| found.sheet.key_origin()),
        SealedColumn::AssistantKey => Some(of_url(assistant::setting(db, WhiteLabelId(id)).await?.base_url)),
        SealedColumn::SitCredential => load::<SitSources>(db, id).await?.map(|found| of_url(found.sheet.url)),
        SealedColumn::ImportCredential => load::<ImportSources>(db, id).await?.map(|found| of_url(found.sheet.url)),
        SealedColumn::TransportCredential => load::<TransportFeeds>(db, id).await?.map(|found| of_url(found.sheet.url)),
    })
}
