//! The sheets of all kinds with translated texts: who may change them, and how words are written into them.

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
use domain::{Actor, ParcoursId, Text};
use store::parcours as parcours_rows;
use store::record::Change;
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
        Kind::Parcours => write_parcours(app, tx, id, languages, words, change).await,
        Kind::Poi => write_record::<PoiResource>(app, tx, id, languages, words, change).await,
        Kind::Media => write_record::<MediaResource>(app, tx, id, languages, words, change).await,
        Kind::Itinerary => write_record::<ItineraryResource>(app, tx, id, languages, words, change).await,
        Kind::Closure => write_record::<ClosureResource>(app, tx, id, languages, words, change).await,
        Kind::Vocabulary => write_record::<TermResource>(app, tx, id, languages, words, change).await,
        Kind::ProviderLink => write_record::<ProviderLinkResource>(app, tx, id, languages, words, change).await,
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
    let Some(before) = store::record::lock::<R::Record>(tx, id).await? else { return Ok(done) };
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
        store::record::save::<R::Record>(tx, &before, after, change).await?;
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
