//! The texts of sheets, whatever their kind: read, judged, written.

use domain::html;
use domain::imports::ImportNote;
use domain::parcours::{AGENCY_FIELDS, Sheet as ParcoursFields, clean::clean_changed, rules};
use domain::record::{Kind, Sheet, check};
use domain::text::check_text;
use domain::translation::{TextState, Written, fill, put_parcours, same_words, state_of, texts_of, texts_of_parcours};
use domain::{Actor, ParcoursId, Text, WhiteLabelId};
use store::closure::Closures;
use store::itinerary::Itineraries;
use store::media::Medias;
use store::parcours as parcours_rows;
use store::poi::Pois;
use store::provider_link::ProviderLinks;
use store::record::{Change, Stored};
use store::translation::{self as translation_rows, Mark};
use store::vocabulary::Terms;
use store::{Connection, StoreError, Tx};

use crate::App;
use crate::markup::sanitise;
use crate::record::Resource;
use crate::token::checksum;

/// A sheet with texts in several languages.
#[derive(Debug, Clone)]
pub(super) struct Found {
    pub id: i64,
    pub title: String,
    pub owner: Option<WhiteLabelId>,
    pub texts: Vec<Written>,
}

/// Does the same with the type of a kind that has translated texts.
macro_rules! for_texts {
    ($kind:expr, $R:ident => $do:expr, parcours => $parcours:expr, none => $none:expr) => {
        match $kind {
            Kind::Parcours => $parcours,
            Kind::Poi => {
                type $R = Pois;
                $do
            }
            Kind::Media => {
                type $R = Medias;
                $do
            }
            Kind::Itinerary => {
                type $R = Itineraries;
                $do
            }
            Kind::Closure => {
                type $R = Closures;
                $do
            }
            Kind::Vocabulary => {
                type $R = Terms;
                $do
            }
            Kind::ProviderLink => {
                type $R = ProviderLinks;
                $do
            }
            _ => $none,
        }
    };
}

/// The fields of a kind that are written in several languages, with whether they hold markup; none for a kind that has none.
pub(super) fn fields_of(kind: Kind) -> Vec<(String, bool)> {
    let texts = for_texts!(kind,
        R => texts_of(&<R as store::record::Record>::Sheet::default()),
        parcours => texts_of_parcours(&ParcoursFields::default(), &[]),
        none => Vec::new());
    texts.into_iter().map(|text| (text.field, text.rich)).collect()
}

/// Whether a field of a kind holds markup; `None` if it is not a text.
pub(crate) fn is_rich(kind: Kind, field: &str) -> Option<bool> {
    let mut parts = field.split('/');
    if kind == Kind::Parcours && parts.next() == Some("steps") {
        let name = parts.nth(1);
        return matches!(name, Some("title" | "description")).then_some(false).filter(|_| parts.next().is_none());
    }
    fields_of(kind).into_iter().find(|(name, _)| name == field).map(|(_, rich)| rich)
}

/// Several sheets, in the order of their numbers given.
pub(super) async fn load(db: &impl Connection, kind: Kind, ids: &[i64]) -> Result<Vec<Found>, StoreError> {
    async fn records<R: Resource>(db: &impl Connection, ids: &[i64]) -> Result<Vec<Found>, StoreError> {
        let found = store::record::load_many::<R>(db, ids).await?;
        Ok(found.iter().map(of_record::<R>).collect())
    }
    for_texts!(kind,
        R => records::<R>(db, ids).await,
        parcours => {
            let ids: Vec<ParcoursId> = ids.iter().map(|id| ParcoursId(*id)).collect();
            Ok(parcours_rows::load_many(db, &ids).await?.iter().map(of_parcours).collect())
        },
        none => Ok(Vec::new()))
}

fn of_record<R: Resource>(record: &Stored<R::Sheet>) -> Found {
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
pub(crate) async fn words_of(
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

/// Whether the person sees a sheet, and whether they may change it.
pub(super) async fn rights(
    db: &impl Connection,
    actor: &Actor,
    kind: Kind,
    id: i64,
) -> Result<Option<bool>, StoreError> {
    async fn of<R: Resource>(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<bool>, StoreError> {
        let Some(record) = store::record::load::<R>(db, id).await? else { return Ok(None) };
        Ok(R::sees(db, actor, &record).await?.then(|| R::is_theirs(actor, &record)))
    }
    for_texts!(kind,
        R => of::<R>(db, actor, id).await,
        parcours => {
            let seen = parcours_rows::header(db, ParcoursId(id), actor).await?;
            Ok(seen.map(|header| actor.works_in(header.white_label_id)))
        },
        none => Ok(None))
}

/// The stored form of a text.
pub(super) fn clean(words: &str, rich: bool) -> String {
    if rich { html::rich(words, &sanitise) } else { html::plain(words) }
}

/// The checksum of words: of markup, only its readable text.
pub(crate) fn sum_of(words: &str, rich: bool) -> String {
    checksum(same_words(words, rich).as_bytes())
}

/// What the words of a text in a language are.
pub(super) fn judged(written: &Written, language: &str, marks: &[Mark]) -> (TextState, Option<String>) {
    let Some(words) = written.text.get(language) else { return (TextState::Missing, None) };
    let sum = sum_of(words, written.rich);
    let own = |mark: &&Mark| mark.field == written.field && mark.language == language && mark.words_sum == sum;
    let mark = marks.iter().find(own);
    let fresh = |mark: &Mark| {
        written.text.get(&mark.source_language).is_some_and(|source| sum_of(source, written.rich) == mark.source_sum)
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

/// Whether a field may be written only with the right to fill in an agency's fields.
pub(super) fn is_of_agency(kind: Kind, field: &str) -> bool {
    kind == Kind::Parcours && AGENCY_FIELDS.contains(&field)
}

/// Words to write into a field.
#[derive(Debug, Clone)]
pub(super) struct Words {
    pub field: String,
    pub new: String,
    /// What they were made from: of a text that was changed meanwhile nothing is written.
    pub source: String,
}

/// The fields that were written, and remarks about the others.
#[derive(Debug, Default)]
pub(super) struct Done {
    pub fields: Vec<String>,
    pub notes: Vec<ImportNote>,
}

/// Writes words of a language into a sheet: field by field, each by its rule.
pub(super) async fn write(
    app: &App,
    tx: &Tx,
    kind: Kind,
    id: i64,
    (source, target): (&str, &str),
    words: &[Words],
    change: Change<'_>,
) -> Result<Done, StoreError> {
    for_texts!(kind,
        R => write_record::<R>(app, tx, id, (source, target), words, change).await,
        parcours => write_parcours(app, tx, id, (source, target), words, change).await,
        none => Ok(Done::default()))
}

/// The words whose source is still the same; the others become notes.
fn current<'a>(texts: &[Written], source: &str, words: &'a [Words], done: &mut Done) -> Vec<&'a Words> {
    let (same, other): (Vec<&Words>, Vec<&Words>) = words.iter().partition(|words| {
        let text = texts.iter().find(|text| text.field == words.field);
        text.and_then(|text| text.text.get(source)) == Some(words.source.as_str())
    });
    done.notes.extend(other.iter().map(|words| ImportNote::new("translation/changed-meanwhile").on(&words.field)));
    same
}

fn note_of(fault: &domain::Fault, field: &str) -> ImportNote {
    let note = ImportNote::new(fault.code).on(field);
    fault.params.iter().fold(note, |note, (name, value)| {
        note.with(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    })
}

async fn write_record<R: Resource>(
    app: &App,
    tx: &Tx,
    id: i64,
    (source, target): (&str, &str),
    words: &[Words],
    change: Change<'_>,
) -> Result<Done, StoreError> {
    let mut done = Done::default();
    let Some(before) = store::record::lock::<R>(tx, id).await? else { return Ok(done) };
    let mut after = before.clone();
    for words in current(&texts_of(&before.sheet), source, words, &mut done) {
        let mut next = after.sheet.clone();
        let put = fill(&mut next, &words.field, target, &words.new);
        next.clean_changed(&after.sheet, &sanitise);
        let changed = next.changed_since(&after.sheet);
        let languages = &app.settings.content_languages;
        if let Some(fault) = put.err().or_else(|| check(&next, &changed, languages).into_iter().next()) {
            done.notes.push(note_of(&fault, &words.field));
        } else {
            after.sheet = next;
            done.fields.push(words.field.clone());
        }
    }
    if after != before {
        store::record::save::<R>(tx, &before, after, change).await?;
        R::written(app, id);
    }
    Ok(done)
}

async fn write_parcours(
    app: &App,
    tx: &Tx,
    id: i64,
    (source, target): (&str, &str),
    words: &[Words],
    change: Change<'_>,
) -> Result<Done, StoreError> {
    let mut done = Done::default();
    let Some(before) = parcours_rows::lock(tx, ParcoursId(id)).await? else { return Ok(done) };
    let languages = &app.settings.content_languages;
    let mut after = before.clone();
    for words in current(&texts_of_parcours(&before.sheet, &before.steps), source, words, &mut done) {
        let (mut sheet, mut steps) = (after.sheet.clone(), after.steps.clone());
        let put = put_parcours(&mut sheet, &mut steps, &words.field, target, &words.new);
        clean_changed(&mut sheet, &after.sheet, &sanitise);
        let changed = sheet.changed_since(&after.sheet);
        let mut faults: Vec<_> = put.err().into_iter().collect();
        let own = format!("/{}", words.field);
        let found = rules::check(&sheet, &changed, rules::RuleContext { languages });
        faults.extend(found.into_iter().filter(|fault| fault.field.starts_with(&own)));
        if words.field.starts_with("steps/") {
            let max = if words.field.ends_with("/title") { 200 } else { 20_000 };
            let text = Text::default().with(target, words.new.as_str());
            check_text(&own, &text, max, languages, &mut faults);
        }
        if let Some(fault) = faults.first() {
            done.notes.push(note_of(fault, &words.field));
        } else {
            (after.sheet, after.steps) = (sheet, steps);
            done.fields.push(words.field.clone());
        }
    }
    if after != before {
        parcours_rows::save(tx, &before, after, None, change).await?;
    }
    Ok(done)
}
