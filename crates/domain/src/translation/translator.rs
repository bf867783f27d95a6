//! A configured translation service.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;
use crate::record::{free, line, list_of, sheet, url};
use crate::transport_line::words;

/// Characters of a protected name.
const MAX_TERM_CHARS: usize = 120;

words! {
    TranslationService {
        /// DeepL.
        Deepl "deepl",
        /// A LibreTranslate server.
        Libretranslate "libretranslate",
        /// Google Cloud Translation, basic edition.
        Google "google",
        /// Azure AI Translator.
        Azure "azure",
    } default Deepl
}

words! {
    /// How readers are addressed, where the service and the language know a difference.
    Formality {
        /// The service's default.
        Usual "usual",
        /// Formally: « vous », « Sie ».
        More "more",
        /// Familiarly: « tu », « du ».
        Less "less",
    } default Usual
}

words! {
    /// The English that DeepL writes; the other services have one.
    EnglishVariant {
        /// American English.
        American "american",
        /// British English.
        British "british",
    } default American
}

sheet! {
    /// What is set of a translation service. Its key is in no sheet.
    TranslatorSheet {
        /// Its name here.
        name: String = line(200).required(),
        service: TranslationService = free(),
        /// Its address; the service's own address by default.
        base_url: Option<String> = url(),
        /// The region of the key, for Azure.
        region: Option<String> = line(60),
        /// How readers are addressed.
        formality: Formality = free(),
        /// The English that is written, for DeepL.
        english: EnglishVariant = free(),
        /// Names that are left as they are in every language: places, brands, words of the region.
        protected: Vec<String> = list_of(2_000),
        /// Whether it translates for the white-labels that name none.
        is_default: bool = free(),
    }
}

impl TranslatorSheet {
    /// The server its key goes to, as [`crate::service_key::origin`] writes it; the name of the service where it is asked at
    /// its own address, which no setting changes.
    pub fn key_origin(&self) -> String {
        match self.base_url.as_deref() {
            Some(url) => crate::service_key::origin(url),
            None => format!("service:{}", self.service.as_str()),
        }
    }

    /// The rules between its fields.
    pub fn rules(&self) -> Vec<Fault> {
        let mut faults = Vec::new();
        // A service of this kind has no public server.
        if self.service == TranslationService::Libretranslate && self.base_url.is_none() {
            faults.push(Fault::new("validation/required", "/base_url"));
        }
        if let Some(at) = self.protected.iter().position(|term| term.chars().count() > MAX_TERM_CHARS) {
            faults.push(Fault::new("validation/too-long", format!("/protected/{at}")).with("max", MAX_TERM_CHARS));
        }
        faults
    }
}
