//! The translation service of a white-label: its own choice, else the platform's; its own key, else that of the choice.

use std::sync::Arc;

use app::App;
use app::seal::{DoesNotOpen, Place};
use connect::translate::{Account, English, Manner, Service, Translate, translator};
use domain::WhiteLabelId;
use domain::translation::{EnglishVariant, Formality, TranslationService, TranslatorSheet};
use serde_json::json;
use store::sealed::SealedColumn;
use store::translation::{self as rows, Translators};
use store::white_label::WhiteLabels;

use super::TranslationError;

/// A translation service with its settings and its key, ready for requests.
#[derive(Clone)]
pub(super) struct ConfiguredTranslator {
    /// Its record; none where a white-label has nothing but a key.
    pub translator: Option<i64>,
    /// What it is called: `deepl`.
    pub name: &'static str,
    /// Its client.
    pub service: Arc<dyn Translate>,
    /// Names that are not translated.
    pub terms: Vec<String>,
    /// All that affects the result: translations made with other settings are not reused.
    pub settings: String,
}

/// The translation service of a white-label.
pub(super) async fn translator_of(
    app: &App,
    white_label: WhiteLabelId,
) -> Result<ConfiguredTranslator, TranslationError> {
    let db = app.store.read();
    let chosen = store::record::load::<WhiteLabels>(db, white_label.0).await?.and_then(|own| own.sheet.translator_id);
    let id = match chosen {
        Some(id) => Some(id),
        None => rows::default_of(db).await?,
    };
    let own_key = store::white_label::translation_key(db, white_label.0).await?;
    let found = match id {
        Some(id) => store::record::load::<Translators>(db, id).await?,
        None => None,
    };
    let own = |sealed: Vec<u8>| (SealedColumn::TranslationKey, white_label.0, sealed);
    match (found, own_key) {
        (Some(found), sealed) => configured(app, Some(found.id), &found.sheet, sealed.map(own)).await,
        // A key without settings is a DeepL key.
        (None, Some(sealed)) => configured(app, None, &TranslatorSheet::default(), Some(own(sealed))).await,
        (None, None) => Err(TranslationError::NoTranslator),
    }
}

/// Whether a service with a key is set up for a white-label.
pub(super) async fn translates(app: &App, white_label: WhiteLabelId) -> bool {
    !matches!(translator_of(app, white_label).await, Err(TranslationError::NoTranslator | TranslationError::NoKey))
}

/// The service of a translator record. `own_key` is a key of a white-label that is used instead of the record's.
pub(super) async fn configured(
    app: &App,
    id: Option<i64>,
    sheet: &TranslatorSheet,
    own_key: Option<(SealedColumn, i64, Vec<u8>)>,
) -> Result<ConfiguredTranslator, TranslationError> {
    let sealed = match (own_key, id) {
        (Some(own), _) => Some(own),
        (None, Some(id)) => {
            rows::key(app.store.read(), id).await?.map(|sealed| (SealedColumn::TranslatorKey, id, sealed))
        }
        (None, None) => None,
    };
    let key = match sealed {
        Some((column, record, sealed)) => {
            let origin = sheet.key_origin();
            let opened = app.key.open(Place::of(column, record, &origin), &sealed).map_err(|error| match error {
                // Entered for another server than the one that is set now.
                DoesNotOpen::Elsewhere => TranslationError::NoKey,
                _ => TranslationError::OtherKey,
            })?;
            Some(String::from_utf8(opened).map_err(|_| TranslationError::OtherKey)?)
        }
        None if sheet.service == TranslationService::Libretranslate => None,
        None => return Err(TranslationError::NoKey),
    };
    let account = Account {
        service: match sheet.service {
            TranslationService::Deepl => Service::Deepl,
            TranslationService::Libretranslate => Service::LibreTranslate,
            TranslationService::Google => Service::Google,
            TranslationService::Azure => Service::Azure,
        },
        key,
        base_url: sheet.base_url.clone(),
        region: sheet.region.clone(),
        manner: match sheet.formality {
            Formality::Usual => Manner::Usual,
            Formality::More => Manner::More,
            Formality::Less => Manner::Less,
        },
        english: match sheet.english {
            EnglishVariant::American => English::American,
            EnglishVariant::British => English::British,
        },
    };
    let mut settings = vec![json!(sheet.service), json!(sheet.base_url), json!(sheet.formality)];
    // American English has always been the default: only British English changes the settings, so that older translations stay
    // usable.
    if sheet.english == EnglishVariant::British {
        settings.push(json!(sheet.english));
    }
    Ok(ConfiguredTranslator {
        translator: id,
        name: sheet.service.as_str(),
        service: Arc::from(translator(account, &app.services)),
        terms: sheet.protected.clone(),
        settings: json!(settings).to_string(),
    })
}
