//! Texts to sentences and back: known sentences are not requested, new translations are stored at once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;
use std::time::Duration;

use app::App;
use app::paid_call::Payer;
use app::problem::Internal;
use app::token::checksum;
use connect::translate::{TranslateError, TranslationRequest, batches, in_parts};
use domain::translation::{Guarded, Piece, TextFormat, cut, guard};
use jobs::Failure;
use store::translation::{self as rows, Remembered};
use store::{Connection, StoreError};

use super::TranslationError;
use super::service::ConfiguredTranslator;

/// Letters below which no language is detected: « Le lac » could be several, and a wrong guess translates wrongly.
const TOO_SHORT: usize = 20;

/// From one language into another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub source: &'a str,
    pub target: &'a str,
    /// Whether the source language is sent to the service; else the service detects it.
    pub is_source_given: bool,
}

/// A text with the sentences to send.
#[derive(Debug)]
pub(super) struct Planned {
    parts: Vec<Part>,
    format: TextFormat,
}

#[derive(Debug)]
enum Part {
    Between(String),
    Sentence { sum: String, guarded: Guarded, is_source_given: bool, letters: usize, plain: String },
}

/// A text that came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Composed {
    /// In the language wanted.
    pub words: String,
    /// The language the service found in most of it.
    pub detected: Option<String>,
    /// Whether something that was to be kept did not come back, or a sentence has no translation that can be used and stays as it was.
    pub lost: bool,
    /// Whether a sentence was too large and stays as it was.
    pub too_large: bool,
}

/// What a request costs: sentences to send, sentences known already, characters to send.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub sent: i64,
    pub known: i64,
    pub characters: i64,
}

/// Cuts a text into sentences, and computes the checksum under which each one's translation is stored.
pub(super) fn plan(translator: &ConfiguredTranslator, pair: Pair<'_>, text: &str, format: TextFormat) -> Planned {
    let part = |piece| match piece {
        Piece::Between(words) => Part::Between(words),
        Piece::Sentence(plain) => {
            let guarded = guard(&plain, format, &translator.terms);
            let letters = plain.chars().filter(|c| c.is_alphabetic()).count();
            let is_source_given = pair.is_source_given || letters < TOO_SHORT;
            let source = if is_source_given { pair.source } else { "" };
            let markup = if guarded.html { "html" } else { "" };
            let parts: [&str; 5] = [&translator.settings, source, pair.target, markup, &guarded.sent];
            Part::Sentence { sum: checksum(parts.join("\u{1}").as_bytes()), guarded, is_source_given, letters, plain }
        }
    };
    Planned { parts: cut(text, format).into_iter().map(part).collect(), format }
}

/// The stored translations of sentences, by their checksum. Stored answers that lost a part of their sentence are left out: an older version
/// stored every answer.
async fn recall(
    db: &impl Connection,
    sentences: HashMap<&String, &Guarded>,
) -> Result<HashMap<String, Remembered>, StoreError> {
    let sums: Vec<String> = sentences.keys().map(|sum| (*sum).clone()).collect();
    let mut known = rows::recall(db, &sums).await?;
    known.retain(|sum, found| sentences.get(sum).is_some_and(|guarded| !guarded.restored(&found.words).1));
    Ok(known)
}

/// The cost of requesting these. `met` has the sentences counted before: each one is requested once.
pub(super) async fn estimate(
    app: &App,
    texts: &[Planned],
    met: &mut HashSet<String>,
    cost: &mut Cost,
) -> Result<(), TranslationError> {
    let sentences = texts.iter().flat_map(|text| &text.parts).filter_map(|part| match part {
        Part::Sentence { sum, guarded, .. } => Some((sum, guarded)),
        Part::Between(_) => None,
    });
    let known = recall(app.store.read(), sentences.clone().collect()).await?;
    for (sum, guarded) in sentences {
        if known.contains_key(sum) || !met.insert(sum.clone()) {
            cost.known += 1;
        } else {
            cost.sent += 1;
            cost.characters += guarded.sent.chars().count() as i64;
        }
    }
    Ok(())
}

/// Why sentences were not translated.
#[derive(Debug)]
pub(super) enum AskError {
    /// Refused here or by the service, or a failure of the server.
    Refused(TranslationError),
    /// The job cannot go on here.
    Failed(Failure),
}

impl From<TranslationError> for AskError {
    fn from(error: TranslationError) -> Self {
        Self::Refused(error)
    }
}

impl From<Internal> for AskError {
    fn from(error: Internal) -> Self {
        Self::Refused(error.into())
    }
}

impl From<StoreError> for AskError {
    fn from(error: StoreError) -> Self {
        Self::Refused(error.into())
    }
}

impl From<Failure> for AskError {
    fn from(failure: Failure) -> Self {
        Self::Failed(failure)
    }
}

impl From<AskError> for TranslationError {
    fn from(error: AskError) -> Self {
        match error {
            AskError::Refused(error) => error,
            AskError::Failed(failure) => Internal::new(format!("{failure:?}")).into(),
        }
    }
}

/// A sentence: its checksum, and what is sent to the service.
type Sentence = (String, Guarded);

/// The options shared by all sentences of a batch: the languages, whether the service is given the source language, and whether
/// the sentences hold markup.
#[derive(Debug, Clone, Copy)]
struct BatchOptions<'a> {
    pair: Pair<'a>,
    is_source_given: bool,
    html: bool,
}

/// Asks for all sentences that are not known, in batches. What came is kept batch by batch: when the service stops in the middle,
/// nothing is lost, and nothing is asked for twice. A translation that lost something is returned and not kept.
pub(super) async fn ask(
    app: &App,
    payer: &Payer,
    translator: &ConfiguredTranslator,
    pair: Pair<'_>,
    texts: &[Planned],
    cost: &mut Cost,
) -> Result<HashMap<String, Remembered>, AskError> {
    let sentences = texts.iter().flat_map(|text| &text.parts).filter_map(|part| match part {
        Part::Sentence { sum, guarded, is_source_given, .. } => Some((sum, guarded, *is_source_given)),
        Part::Between(_) => None,
    });
    let mut known =
        recall(app.store.read(), sentences.clone().map(|(sum, guarded, _)| (sum, guarded)).collect()).await?;
    // By markup and by whether the language is given: a batch has one of each.
    let mut groups: BTreeMap<(bool, bool), Vec<Sentence>> = BTreeMap::new();
    let mut met = HashSet::new();
    for (sum, guarded, is_source_given) in sentences {
        if known.contains_key(sum) || !met.insert(sum) {
            cost.known += 1;
        } else {
            groups.entry((guarded.html, is_source_given)).or_default().push((sum.clone(), guarded.clone()));
        }
    }
    for ((html, is_source_given), group) in groups {
        let options = BatchOptions { pair, is_source_given, html };
        let texts: Vec<String> = group.iter().map(|(_, guarded)| guarded.sent.clone()).collect();
        for range in batches(&texts, translator.service.max_bytes()) {
            known.extend(batch(app, payer, translator, options, group[range].to_vec(), cost).await?);
        }
    }
    Ok(known)
}

/// Time between two checks whether other callers have stored the sentences that they claimed.
const POLL_INTERVAL: Duration = Duration::from_millis(250);
/// In total a little longer than the claim of a request whose client disconnected (35 s).
const MAX_POLLS: usize = 140;

/// The translations of a batch. This caller pays for the sentences that it can claim, and waits until other callers have stored
/// those that they claimed.
async fn batch(
    app: &App,
    payer: &Payer,
    translator: &ConfiguredTranslator,
    options: BatchOptions<'_>,
    mut open: Vec<Sentence>,
    cost: &mut Cost,
) -> Result<HashMap<String, Remembered>, AskError> {
    let mut known = HashMap::with_capacity(open.len());
    for poll in 0..MAX_POLLS {
        if poll > 0 {
            tokio::time::sleep(POLL_INTERVAL).await;
        }
        let tx = app.store.begin().await?;
        let sums: Vec<String> = open.iter().map(|(sum, _)| sum.clone()).collect();
        let claimed = payer.claim(app, &tx, &sums).await?;
        // Another caller may have stored some since they were looked up. From now on none can.
        let found = recall(&tx, open.iter().map(|(sum, guarded)| (sum, guarded)).collect()).await?;
        payer.release_in(&tx, &found.keys().cloned().collect::<Vec<_>>()).await?;
        payer.hold(&tx).await?;
        tx.commit_aside().await?;
        cost.known += found.len() as i64;
        open.retain(|(sum, _)| !found.contains_key(sum));
        known.extend(found);
        let (ours, others) = open.into_iter().partition(|(sum, _)| claimed.contains(sum));
        open = others;
        let ours: Vec<Sentence> = ours;
        if !ours.is_empty() {
            known.extend(paid(app, payer, translator, options, ours, cost).await?);
        }
        if open.is_empty() {
            return Ok(known);
        }
    }
    Err(TranslationError::TimedOut.into())
}

/// Requests the service, and stores its answer.
async fn paid(
    app: &App,
    payer: &Payer,
    translator: &ConfiguredTranslator,
    options: BatchOptions<'_>,
    sentences: Vec<Sentence>,
    cost: &mut Cost,
) -> Result<Vec<(String, Remembered)>, AskError> {
    let texts: Arc<[String]> = sentences.iter().map(|(_, guarded)| guarded.sent.clone()).collect();
    let sums: Vec<String> = sentences.iter().map(|(sum, _)| sum.clone()).collect();
    let came = match asked(translator, options, Arc::clone(&texts)).await {
        Ok(came) => came,
        Err(error) => {
            payer.release(app, &sums).await?;
            return Err(error.into());
        }
    };
    let characters = texts.iter().map(|text| text.chars().count()).sum::<usize>() as i64;
    cost.sent += texts.len() as i64;
    cost.characters += characters;
    let mut translations = Vec::with_capacity(sums.len());
    // A bad answer is used once, and asked for again when the sentence is needed again.
    let mut sound = Vec::with_capacity(sums.len());
    for ((sum, guarded), came) in sentences.into_iter().zip(came) {
        let Some((words, detected)) = came else { continue };
        let is_lost = guarded.restored(&words).1;
        let translation = (sum, Remembered { words, detected });
        if !is_lost {
            sound.push(translation.clone());
        }
        translations.push(translation);
    }
    let tx = app.store.begin().await?;
    rows::remember(&tx, &sound, app.now()).await?;
    if let Some(id) = translator.translator {
        rows::count_chars(&tx, id, characters).await?;
    }
    payer.release_in(&tx, &sums).await?;
    payer.hold(&tx).await?;
    tx.commit().await?;
    Ok(translations)
}

/// The translation of one text and the detected language; `None` where the text is too large.
type Translated = Option<(String, Option<String>)>;

async fn asked(
    translator: &ConfiguredTranslator,
    options: BatchOptions<'_>,
    texts: Arc<[String]>,
) -> Result<Vec<Translated>, TranslationError> {
    let BatchOptions { pair, is_source_given, html } = options;
    let service = Arc::clone(&translator.service);
    let (source, target) = (pair.source.to_owned(), pair.target.to_owned());
    let work = move || -> Result<Vec<Translated>, TranslateError> {
        let asked = TranslationRequest {
            texts: &texts,
            source: is_source_given.then_some(source.as_str()),
            target: &target,
            html,
        };
        let came = in_parts(service.as_ref(), asked)?;
        Ok(came.into_iter().map(|one| one.map(|one| (one.text, one.detected))).collect())
    };
    let came = tokio::task::spawn_blocking(work).await.map_err(Internal::new)??;
    if came.iter().all(Option::is_none) {
        return Err(TranslationError::TooLarge);
    }
    Ok(came)
}

/// Puts texts together again and cleans them, on a thread that may wait: long texts take a parser their time.
pub(super) async fn composed(
    planned: Vec<Planned>,
    translations: HashMap<String, Remembered>,
) -> Result<Vec<Composed>, Internal> {
    let work = move || planned.iter().map(|planned| planned.composed(&translations)).collect();
    tokio::task::spawn_blocking(work).await.map_err(Internal::new)
}

impl Planned {
    /// Puts a text together again.
    fn composed(&self, translations: &HashMap<String, Remembered>) -> Composed {
        let mut done = Composed { words: String::new(), detected: None, lost: false, too_large: false };
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for part in &self.parts {
            match part {
                Part::Between(words) => done.words.push_str(words),
                Part::Sentence { sum, guarded, is_source_given, letters, plain } => {
                    let Some(came) = translations.get(sum) else {
                        done.too_large = true;
                        done.words.push_str(plain);
                        continue;
                    };
                    let (words, lost) = guarded.restored(&came.words);
                    done.lost |= lost;
                    done.words.push_str(if words.is_empty() { plain } else { &words });
                    if let Some(language) = came.detected.as_deref().filter(|_| !is_source_given) {
                        *found.entry(language).or_default() += letters;
                    }
                }
            }
        }
        done.detected = found.into_iter().max_by_key(|(_, letters)| *letters).map(|(language, _)| language.to_owned());
        done.words = content::sheet_texts::clean(&done.words, self.format);
        done
    }
}
