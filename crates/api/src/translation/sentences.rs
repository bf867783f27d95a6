//! Texts to sentences and back: what is known is not asked for, what is asked for is kept at once.

use std::collections::{BTreeMap, HashMap, HashSet};
use std::sync::Arc;

use connect::translate::{Asked, TranslateError, batches, in_parts};
use domain::translation::{Guarded, Piece, cut, guard};
use store::translation::{self as rows, Remembered};

use super::TranslationError;
use super::office::Office;
use crate::App;
use crate::parcours::checksum;
use crate::problem::Internal;

/// Letters below which a language is not to be found out: of « Le lac » nobody knows it, and a wrong guess translates wrongly.
const TOO_SHORT: usize = 20;

/// From one language into another.
#[derive(Debug, Clone, Copy)]
pub(super) struct Pair<'a> {
    pub source: &'a str,
    pub target: &'a str,
    /// Whether the source is said, and not found out.
    pub said: bool,
}

/// A text as it is sent.
#[derive(Debug)]
pub(super) struct Planned {
    parts: Vec<Part>,
    rich: bool,
}

#[derive(Debug)]
enum Part {
    Between(String),
    Sentence { sum: String, guarded: Guarded, said: bool, letters: usize, plain: String },
}

/// A text that came back.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Composed {
    /// In the language wanted.
    pub words: String,
    /// The language the service found in most of it.
    pub detected: Option<String>,
    /// Whether something that was to be kept did not come back.
    pub lost: bool,
    /// Whether a sentence was too large and stays as it was.
    pub too_large: bool,
}

/// What asking cost.
#[derive(Debug, Clone, Copy, Default)]
pub(super) struct Cost {
    pub sent: i64,
    pub known: i64,
    pub characters: i64,
}

/// Cuts a text into what is sent.
pub(super) fn plan(office: &Office, pair: Pair<'_>, text: &str, rich: bool) -> Planned {
    let part = |piece| match piece {
        Piece::Between(words) => Part::Between(words),
        Piece::Sentence(plain) => {
            let guarded = guard(&plain, rich, &office.terms);
            let letters = plain.chars().filter(|c| c.is_alphabetic()).count();
            let said = pair.said || letters < TOO_SHORT;
            let source = if said { pair.source } else { "" };
            let markup = if guarded.html { "html" } else { "" };
            let parts: [&str; 5] = [&office.settings, source, pair.target, markup, &guarded.sent];
            Part::Sentence { sum: checksum(parts.join("\u{1}").as_bytes()), guarded, said, letters, plain }
        }
    };
    Planned { parts: cut(text, rich).into_iter().map(part).collect(), rich }
}

/// What asking for these would cost. `met` holds what was counted before: a sentence is asked for once.
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
    let sums: Vec<String> = sentences.clone().map(|(sum, _)| sum.clone()).collect::<HashSet<_>>().into_iter().collect();
    let known = rows::recall(app.store.read(), &sums).await?;
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

/// Asks for all sentences that are not known, in batches. What came is kept batch by batch: when the service stops in the middle,
/// nothing is lost, and nothing is asked for twice.
pub(super) async fn ask(
    app: &App,
    office: &Office,
    pair: Pair<'_>,
    texts: &[Planned],
    cost: &mut Cost,
) -> Result<HashMap<String, Remembered>, TranslationError> {
    let sentences = texts.iter().flat_map(|text| &text.parts).filter_map(|part| match part {
        Part::Sentence { sum, guarded, said, .. } => Some((sum, guarded, *said)),
        Part::Between(_) => None,
    });
    let sums: Vec<String> =
        sentences.clone().map(|(sum, ..)| sum.clone()).collect::<HashSet<_>>().into_iter().collect();
    let mut known = rows::recall(app.store.read(), &sums).await?;
    // By markup and by whether the language is said: a batch has one of each.
    let mut groups: BTreeMap<(bool, bool), Vec<(String, String)>> = BTreeMap::new();
    let mut met = HashSet::new();
    for (sum, guarded, said) in sentences {
        if known.contains_key(sum) || !met.insert(sum) {
            cost.known += 1;
        } else {
            groups.entry((guarded.html, said)).or_default().push((sum.clone(), guarded.sent.clone()));
        }
    }
    for ((html, said), group) in groups {
        let (sums, texts): (Vec<String>, Vec<String>) = group.into_iter().unzip();
        for range in batches(&texts, office.service.max_bytes()) {
            let texts: Arc<[String]> = texts[range.clone()].into();
            let came = asked(office, pair, said, html, Arc::clone(&texts)).await?;
            let said: Vec<(String, Remembered)> = sums[range]
                .iter()
                .zip(came)
                .filter_map(|(sum, came)| {
                    came.map(|came| (sum.clone(), Remembered { words: came.0, detected: came.1 }))
                })
                .collect();
            let characters: usize = texts.iter().map(|text| text.chars().count()).sum();
            cost.sent += texts.len() as i64;
            cost.characters += characters as i64;
            let tx = app.store.begin().await?;
            rows::remember(&tx, &said, app.now()).await?;
            if let Some(id) = office.translator {
                rows::count_chars(&tx, id, characters as i64).await?;
            }
            tx.commit().await?;
            known.extend(said);
        }
    }
    Ok(known)
}

/// What came of one text: its words, and the language that was found. None of one that is too large.
type Came = Option<(String, Option<String>)>;

async fn asked(
    office: &Office,
    pair: Pair<'_>,
    said: bool,
    html: bool,
    texts: Arc<[String]>,
) -> Result<Vec<Came>, TranslationError> {
    let service = Arc::clone(&office.service);
    let (source, target) = (pair.source.to_owned(), pair.target.to_owned());
    let work = move || -> Result<Vec<Came>, TranslateError> {
        let asked = Asked { texts: &texts, source: said.then_some(source.as_str()), target: &target, html };
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
    said: HashMap<String, Remembered>,
) -> Result<Vec<Composed>, Internal> {
    let work = move || planned.iter().map(|planned| planned.composed(&said)).collect();
    tokio::task::spawn_blocking(work).await.map_err(Internal::new)
}

impl Planned {
    /// Puts a text together again.
    fn composed(&self, said: &HashMap<String, Remembered>) -> Composed {
        let mut done = Composed { words: String::new(), detected: None, lost: false, too_large: false };
        let mut found: BTreeMap<&str, usize> = BTreeMap::new();
        for part in &self.parts {
            match part {
                Part::Between(words) => done.words.push_str(words),
                Part::Sentence { sum, guarded, said: was_said, letters, plain } => {
                    let Some(came) = said.get(sum) else {
                        done.too_large = true;
                        done.words.push_str(plain);
                        continue;
                    };
                    let (words, lost) = guarded.restored(&came.words);
                    done.lost |= lost || words.is_empty();
                    done.words.push_str(if words.is_empty() { plain } else { &words });
                    if let Some(language) = came.detected.as_deref().filter(|_| !was_said) {
                        *found.entry(language).or_default() += letters;
                    }
                }
            }
        }
        done.detected = found.into_iter().max_by_key(|(_, letters)| *letters).map(|(language, _)| language.to_owned());
        done.words = super::texts::clean(&done.words, self.rich);
        done
    }
}
