//! The sheets of all kinds with translated texts: who may change them, and how words are written into them.

use std::marker::PhantomData;

use app::App;
use app::markup::sanitise;
use app::record::Resource;
use content::closure::ClosureResource;
use content::itinerary::ItineraryResource;
use content::media::MediaResource;
use content::poi::PoiResource;
use content::provider_link::ProviderLinkResource;
use content::vocabulary::TermResource;
use domain::imports::ImportNote;
use domain::parcours::{AGENCY_FIELDS, clean::clean_changed, rules};
use domain::record::{Kind, Sheet, check};
use domain::text::check_text;
use domain::translation::{Written, fill, put_parcours, texts_of, texts_of_parcours};
use domain::{Actor, Fault, ParcoursId, Text};
use store::parcours as parcours_rows;
use store::record::{Change, Stored};
use store::{Connection, StoreError, Tx};

/// Whether the person sees a sheet, and whether they may change it.
pub(super) async fn rights(
    db: &impl Connection,
    actor: &Actor,
    kind: Kind,
    id: i64,
) -> Result<Option<bool>, StoreError> {
    async fn of<R: Resource>(db: &impl Connection, actor: &Actor, id: i64) -> Result<Option<bool>, StoreError> {
        let Some(record) = store::record::load::<R::Record>(db, id).await? else { return Ok(None) };
        Ok(R::sees(db, actor, &record).await?.then(|| R::is_theirs(actor, &record)))
    }
    match kind {
        Kind::Parcours => {
            let seen = parcours_rows::header(db, ParcoursId(id), actor).await?;
            Ok(seen.map(|header| actor.works_in(header.white_label_id)))
        }
        Kind::Poi => of::<PoiResource>(db, actor, id).await,
        Kind::Media => of::<MediaResource>(db, actor, id).await,
        Kind::Itinerary => of::<ItineraryResource>(db, actor, id).await,
        Kind::Closure => of::<ClosureResource>(db, actor, id).await,
        Kind::Vocabulary => of::<TermResource>(db, actor, id).await,
        Kind::ProviderLink => of::<ProviderLinkResource>(db, actor, id).await,
        _ => Ok(None),
    }
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
    let languages = (source, target);
    match kind {
        Kind::Parcours => write_into::<Parcours>(app, tx, id, languages, words, change).await,
        Kind::Poi => write_into::<Record<PoiResource>>(app, tx, id, languages, words, change).await,
        Kind::Media => write_into::<Record<MediaResource>>(app, tx, id, languages, words, change).await,
        Kind::Itinerary => write_into::<Record<ItineraryResource>>(app, tx, id, languages, words, change).await,
        Kind::Closure => write_into::<Record<ClosureResource>>(app, tx, id, languages, words, change).await,
        Kind::Vocabulary => write_into::<Record<TermResource>>(app, tx, id, languages, words, change).await,
        Kind::ProviderLink => write_into::<Record<ProviderLinkResource>>(app, tx, id, languages, words, change).await,
        _ => Ok(Done::default()),
    }
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

fn note_of(fault: &Fault, field: &str) -> ImportNote {
    let note = ImportNote::new(fault.code).on(field);
    fault.params.iter().fold(note, |note, (name, value)| {
        note.with(name, value.as_str().map_or_else(|| value.to_string(), str::to_owned))
    })
}

/// What words are written into: a record, or a parcours with its steps.
trait WithTexts {
    /// What is stored of one.
    type Stored: Clone + PartialEq;

    /// One, locked until the transaction ends.
    async fn lock(tx: &Tx, id: i64) -> Result<Option<Self::Stored>, StoreError>;

    /// Its texts.
    fn texts(stored: &Self::Stored) -> Vec<Written>;

    /// It with words of a language in a field, cleaned; or the first fault.
    fn with(stored: &Self::Stored, words: &Words, target: &str, languages: &[String]) -> Result<Self::Stored, Fault>;

    /// Saves it.
    async fn save(
        app: &App,
        tx: &Tx,
        before: &Self::Stored,
        after: Self::Stored,
        change: Change<'_>,
    ) -> Result<(), StoreError>;
}

/// Writes words field by field; those with a fault, and those whose source was changed, become notes.
async fn write_into<S: WithTexts>(
    app: &App,
    tx: &Tx,
    id: i64,
    (source, target): (&str, &str),
    words: &[Words],
    change: Change<'_>,
) -> Result<Done, StoreError> {
    let mut done = Done::default();
    let Some(before) = S::lock(tx, id).await? else { return Ok(done) };
    let mut after = before.clone();
    for words in current(&S::texts(&before), source, words, &mut done) {
        match S::with(&after, words, target, &app.settings.content_languages) {
            Ok(next) => {
                after = next;
                done.fields.push(words.field.clone());
            }
            Err(fault) => done.notes.push(note_of(&fault, &words.field)),
        }
    }
    if after != before {
        S::save(app, tx, &before, after, change).await?;
    }
    Ok(done)
}

/// A record of a resource.
struct Record<R>(PhantomData<R>);

impl<R: Resource> WithTexts for Record<R> {
    type Stored = Stored<R::Sheet>;

    async fn lock(tx: &Tx, id: i64) -> Result<Option<Self::Stored>, StoreError> {
        store::record::lock::<R::Record>(tx, id).await
    }

    fn texts(stored: &Self::Stored) -> Vec<Written> {
        texts_of(&stored.sheet)
    }

    fn with(stored: &Self::Stored, words: &Words, target: &str, languages: &[String]) -> Result<Self::Stored, Fault> {
        let mut next = stored.clone();
        fill(&mut next.sheet, &words.field, target, &words.new)?;
        next.sheet.clean_changed(&stored.sheet, &sanitise);
        let changed = next.sheet.changed_since(&stored.sheet);
        check(&next.sheet, &changed, languages).into_iter().next().map_or(Ok(next), Err)
    }

    async fn save(
        app: &App,
        tx: &Tx,
        before: &Self::Stored,
        after: Self::Stored,
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        let id = before.id;
        store::record::save::<R::Record>(tx, before, after, change).await?;
        R::written(app, id);
        Ok(())
    }
}

/// A parcours with its steps.
struct Parcours;

impl WithTexts for Parcours {
    type Stored = parcours_rows::Stored;

    async fn lock(tx: &Tx, id: i64) -> Result<Option<Self::Stored>, StoreError> {
        parcours_rows::lock(tx, ParcoursId(id)).await
    }

    fn texts(stored: &Self::Stored) -> Vec<Written> {
        texts_of_parcours(&stored.sheet, &stored.steps)
    }

    fn with(stored: &Self::Stored, words: &Words, target: &str, languages: &[String]) -> Result<Self::Stored, Fault> {
        let mut next = stored.clone();
        put_parcours(&mut next.sheet, &mut next.steps, &words.field, target, &words.new)?;
        clean_changed(&mut next.sheet, &stored.sheet, &sanitise);
        let changed = next.sheet.changed_since(&stored.sheet);
        let own = format!("/{}", words.field);
        // Faults of other fields were there before.
        let mut faults = rules::check(&next.sheet, &changed, rules::RuleContext { languages });
        faults.retain(|fault| fault.field.starts_with(&own));
        faults.extend(rules::title_lost(&stored.sheet, &next.sheet, stored.published, languages));
        if words.field.starts_with("steps/") {
            let max = if words.field.ends_with("/title") { 200 } else { 20_000 };
            let text = Text::default().with(target, words.new.as_str());
            check_text(&own, &text, max, languages, &mut faults);
        }
        faults.into_iter().next().map_or(Ok(next), Err)
    }

    async fn save(
        _app: &App,
        tx: &Tx,
        before: &Self::Stored,
        after: Self::Stored,
        change: Change<'_>,
    ) -> Result<(), StoreError> {
        parcours_rows::save(tx, before, after, None, change).await?;
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use domain::parcours::{Drawing, Sheet as ParcoursSheet};
    use domain::{Instant, WhiteLabelId};

    use super::*;

    #[test]
    fn no_translation_empties_the_title_of_a_published_parcours() {
        let stored = parcours_rows::Stored {
            id: ParcoursId(1),
            white_label_id: WhiteLabelId(1),
            version: 1,
            published: true,
            sheet: ParcoursSheet { title: Text::new("Lac", "Lake"), ..ParcoursSheet::default() },
            steps: Vec::new(),
            last_step_id: 0,
            trace: None,
            drawing: Drawing::default(),
            trace_revision: None,
            created_at: Instant(0),
            updated_at: Instant(0),
            updated_by: None,
        };
        let languages = ["fr".to_owned(), "en".to_owned()];
        let fault = |new: &str, target: &str| {
            let words = Words { field: "title".to_owned(), new: new.to_owned(), source: "Lake".to_owned() };
            Parcours::with(&stored, &words, target, &languages).err().map(|fault| fault.code)
        };
        assert_eq!(fault("<i></i>", "fr"), Some("parcours/title-required-to-publish"));
        assert_eq!(fault("<i></i>", "en"), None);
        assert_eq!(fault("Le lac", "fr"), None);
    }
}
