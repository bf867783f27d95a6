//! The texts of sheets, whatever their kind: read, and judged. `translation` writes them.

use app::markup::sanitise;
use app::token::checksum;
use domain::html;
use domain::parcours::Sheet as ParcoursFields;
use domain::record::Kind;
use domain::translation::{TextFormat, TextState, Written, same_words, state_of, texts_of, texts_of_parcours};
use domain::{ParcoursId, WhiteLabelId};
use store::closure::Closures;
use store::itinerary::Itineraries;
use store::media::Medias;
use store::parcours as parcours_rows;
use store::poi::Pois;
use store::provider_link::ProviderLinks;
use store::record::{Record, Stored};
use store::translation::{self as translation_rows, Mark};
use store::vocabulary::Terms;
use store::{Connection, StoreError};

/// A sheet with texts in several languages.
#[derive(Debug, Clone)]
pub struct Found {
    pub id: i64,
    /// Its title in French, else in another language.
    pub title: String,
    /// The white-label that owns it.
    pub owner: Option<WhiteLabelId>,
    /// Its texts, each in all its languages.
    pub texts: Vec<Written>,
}

/// The fields of a kind that are written in several languages, with their formats; none for a kind that has none.
pub(super) fn fields_of(kind: Kind) -> Vec<(String, TextFormat)> {
    fn of<R: Record>() -> Vec<Written> {
        texts_of(&R::Sheet::default())
    }
    let texts = match kind {
        Kind::Parcours => texts_of_parcours(&ParcoursFields::default(), &[]),
        Kind::Poi => of::<Pois>(),
        Kind::Media => of::<Medias>(),
        Kind::Itinerary => of::<Itineraries>(),
        Kind::Closure => of::<Closures>(),
        Kind::Vocabulary => of::<Terms>(),
        Kind::ProviderLink => of::<ProviderLinks>(),
        _ => Vec::new(),
    };
    texts.into_iter().map(|text| (text.field, text.format)).collect()
}

/// The format of a field of a kind; `None` if it is not a text.
pub fn format_of(kind: Kind, field: &str) -> Option<TextFormat> {
    let mut parts = field.split('/');
    if kind == Kind::Parcours && parts.next() == Some("steps") {
        let name = parts.nth(1);
        let is_text = matches!(name, Some("title" | "description")) && parts.next().is_none();
        return is_text.then_some(TextFormat::Plain);
    }
    fields_of(kind).into_iter().find(|(name, _)| name == field).map(|(_, format)| format)
}

/// Several sheets, in the order of their numbers given.
pub async fn load(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<Vec<Found>, StoreError> {
    async fn records<R: Record>(db: &impl Connection, ids: &[i64]) -> Result<Vec<Found>, StoreError> {
        Ok(store::record::load_many::<R>(db, ids).await?.iter().map(of_record::<R>).collect())
    }
    match kind {
        Kind::Parcours => {
            let ids: Vec<ParcoursId> = ids.iter().map(|id| ParcoursId(*id)).collect();
            Ok(parcours_rows::load_many(db, &ids).await?.iter().map(of_parcours).collect())
        }
        Kind::Poi => records::<Pois>(db, ids).await,
        Kind::Media => records::<Medias>(db, ids).await,
        Kind::Itinerary => records::<Itineraries>(db, ids).await,
        Kind::Closure => records::<Closures>(db, ids).await,
        Kind::Vocabulary => records::<Terms>(db, ids).await,
        Kind::ProviderLink => records::<ProviderLinks>(db, ids).await,
        _ => Ok(Vec::new()),
    }
}

fn of_record<R: Record>(record: &Stored<R::Sheet>) -> Found {
    Found {
        id: record.id,
        title: R::title(&record.sheet).best("fr").to_owned(),
        owner: record.white_label_id,
        texts: texts_of(&record.sheet),
    }
}

fn of_parcours(stored: &parcours_rows::Stored) -> Found {
    Found {
        id: stored.id.0,
        title: stored.sheet.title.best("fr").to_owned(),
        owner: Some(stored.white_label_id),
        texts: texts_of_parcours(&stored.sheet, &stored.steps),
    }
}

/// The present words of a field in a language.
pub async fn words_of(
    db: &impl Connection,
    kind: Kind,
    id: i64,
    field: &str,
    language: &str,
) -> Result<String, StoreError> {
    let found = load(db, kind, &[id]).await?.pop();
    let text = found.as_ref().and_then(|found| found.texts.iter().find(|text| text.field == field));
    Ok(text.and_then(|text| text.text.get(language)).unwrap_or_default().to_owned())
}

/// The stored form of a text.
pub fn clean(words: &str, format: TextFormat) -> String {
    match format {
        TextFormat::Plain => html::plain(words),
        TextFormat::Html => html::rich(words, &sanitise),
    }
}

/// The checksum of words: of markup, only its readable text.
pub fn sum_of(words: &str, format: TextFormat) -> String {
    checksum(same_words(words, format).as_bytes())
}

/// What the words of a text in a language are.
pub fn judged(written: &Written, language: &str, marks: &[Mark]) -> (TextState, Option<String>) {
    let Some(words) = written.text.get(language) else { return (TextState::Missing, None) };
    let sum = sum_of(words, written.format);
    let own = |mark: &&Mark| mark.field == written.field && mark.language == language && mark.words_sum == sum;
    let mark = marks.iter().find(own);
    let fresh = |mark: &Mark| {
        written.text.get(&mark.source_language).is_some_and(|source| sum_of(source, written.format) == mark.source_sum)
    };
    let state = state_of(true, mark.map(|mark| (mark.origin, fresh(mark))));
    (state, mark.map(|mark| mark.source_language.clone()))
}

/// The parcours of a white-label with a text that was translated into this language and whose source changed since. This shows only
/// in checksums of the texts, so the texts are read: those of the translated parcours, a hundred at a time.
pub(crate) async fn stale_parcours(
    db: &impl Connection,
    white_label: WhiteLabelId,
    language: &str,
) -> Result<Vec<i64>, StoreError> {
    let translated = translation_rows::parcours_translated_into(db, white_label, language).await?;
    let mut stale = Vec::new();
    for ids in translated.chunks(100) {
        let marks = translation_rows::marks(db, Kind::Parcours, ids).await?;
        for found in load(db, Kind::Parcours, ids).await? {
            let marks = marks.get(&found.id).map_or(&[][..], Vec::as_slice);
            if found.texts.iter().any(|text| judged(text, language, marks).0 == TextState::Stale) {
                stale.push(found.id);
            }
        }
    }
    Ok(stale)
}
