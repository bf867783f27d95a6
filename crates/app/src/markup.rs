//! HTML that people write, made safe.
//!
//! A parser takes milliseconds over a long text. Handlers call [`prepare`] before they begin a transaction: it sanitises the long
//! texts of a request on a thread that may wait, and keeps what comes of them for a moment, so that the save finds them done.

use std::borrow::Cow;
use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::{LazyLock, Mutex, PoisonError};

use ammonia::Builder;
use domain::Fault;
use domain::html::{decode_entities, escaped, plain, words_of_html};
use domain::markup::{TAGS, simplified};
use domain::record::{Sheet, too_long};
use serde_json::{Map, Value};
use sha2::{Digest, Sha256};

/// The longest HTML that is parsed, in bytes: more than any field takes. Of a longer text the words alone stay.
const MAX_BYTES: usize = 400_000;
/// The most bytes that the serialiser searches in a whole text.
const MAX_SEARCHED: usize = 1_000_000_000;
/// The most bytes that it searches without a tag between. 3,000 of the bytes it stops at, in 100 kB, stay below it.
/// Above it, the search would take longer than everything else and grow with the square of the length.
const MAX_SEARCHED_BETWEEN_TAGS: usize = 320_000_000;
/// A longer text, in bytes, is sanitised ahead and the result kept for a moment.
const LONG: usize = 2_048;
/// The most bytes of results that are kept.
const MAX_KEPT: usize = 16 * 1024 * 1024;

/// The markup a rich text may hold: what its editor makes, and nothing that runs.
static RICH: LazyLock<Builder<'static>> = LazyLock::new(|| {
    let mut builder = Builder::empty();
    builder
        .tags(HashSet::from(TAGS))
        .clean_content_tags(HashSet::from(["script", "style"]))
        .add_tag_attributes("a", ["href"])
        .add_tag_attributes("ol", ["start"])
        .attribute_filter(kept_value)
        .url_schemes(HashSet::from(["http", "https", "mailto", "tel"]))
        .link_rel(Some("noopener noreferrer"));
    builder
});

/// The highest number that a list may begin with.
const MAX_START: u16 = 9_999;

/// The value of an attribute; none where a list does not begin with a number from 2 to [`MAX_START`].
fn kept_value<'a>(element: &str, attribute: &str, value: &'a str) -> Option<Cow<'a, str>> {
    if (element, attribute) != ("ol", "start") {
        return Some(Cow::Borrowed(value));
    }
    let start: u16 = value.trim().parse().ok()?;
    (2..=MAX_START).contains(&start).then(|| Cow::Owned(start.to_string()))
}

/// Results of the last long texts. One that is no longer kept is made again: nothing depends on it but time.
static KEPT: LazyLock<Mutex<Cache>> = LazyLock::new(Mutex::default);

/// A rich text without what could harm.
pub fn sanitise(html: &str) -> String {
    if html.len() < LONG {
        return parsed(&RICH, html);
    }
    let key = Sha256::digest(html.as_bytes()).into();
    if let Some(known) = kept().get(&key) {
        return known;
    }
    let safe = parsed(&RICH, html);
    kept().put(key, &safe);
    safe
}

/// HTML by the rules of a builder, in time proportional to its length.
pub fn parsed(rules: &Builder<'_>, html: &str) -> String {
    // The serialiser searches the rest of a text again at each of these bytes: `&`, and the first of « and of other signs. Tags
    // that the parser drops do not end a text: the whole is bounded too.
    let stops = |text: &str| text.bytes().filter(|byte| matches!(byte, b'&' | 0xc2)).count();
    let between_tags: usize = html.split(['<', '>']).map(|text| stops(text) * text.len()).sum();
    let searched = stops(html) * html.len();
    if html.len() > MAX_BYTES || searched > MAX_SEARCHED || between_tags > MAX_SEARCHED_BETWEEN_TAGS {
        return escaped(&plain(html));
    }
    rules.clean(&simplified(html)).to_string()
}

/// Refuses the rich texts of a record's request that are over their limits, and sanitises the long ones: call it before a transaction.
pub async fn prepare<S: Sheet>(sent: &Map<String, Value>) -> Result<(), Vec<Fault>> {
    ahead(too_long::<S>(sent), sent).await
}

/// Sanitises the long rich texts of an import before they are saved, without a check of their limits. It blocks: the thread must be one for blocking work.
pub fn sanitise_long(patch: &Map<String, Value>) {
    let mut long = Vec::new();
    patch.values().for_each(|value| collect(value, &mut long));
    for html in &long {
        drop(sanitise(html));
    }
}

async fn ahead(faults: Vec<Fault>, sent: &Map<String, Value>) -> Result<(), Vec<Fault>> {
    if !faults.is_empty() {
        return Err(faults);
    }
    let mut long = Vec::new();
    for value in sent.values() {
        collect(value, &mut long);
    }
    warm(long).await;
    Ok(())
}

/// Sanitises the long texts of a stored sheet that is about to be taken back.
pub(crate) async fn prepare_stored<S: Sheet>(sheet: &S) {
    let mut long = Vec::new();
    collect(&serde_json::to_value(sheet).unwrap_or_default(), &mut long);
    warm(long).await;
}

async fn warm(long: Vec<String>) {
    if !long.is_empty() {
        // A panic of the parser is met again, and answered, where the text is used.
        let _ = tokio::task::spawn_blocking(move || long.iter().for_each(|html| drop(sanitise(html)))).await;
    }
}

/// The long texts with markup, of a field alone or by language. Deeper values hold none.
fn collect(value: &Value, long: &mut Vec<String>) {
    match value {
        Value::String(html) if html.len() >= LONG && html.contains(['<', '&', '\0']) => long.push(html.clone()),
        Value::Object(languages) => {
            for text in languages.values().filter(|text| text.is_string()) {
                collect(text, long);
            }
        }
        _ => {}
    }
}

fn kept() -> std::sync::MutexGuard<'static, Cache> {
    KEPT.lock().unwrap_or_else(PoisonError::into_inner)
}

type Key = [u8; 32];

#[derive(Default)]
struct Cache {
    results: HashMap<Key, String>,
    /// The oldest first.
    order: VecDeque<Key>,
    bytes: usize,
}

impl Cache {
    fn get(&self, key: &Key) -> Option<String> {
        self.results.get(key).cloned()
    }

    fn put(&mut self, key: Key, safe: &str) {
        // Sanitised text is sanitised again when its record is saved, without a change: both keys give the same result.
        for key in [key, Sha256::digest(safe.as_bytes()).into()] {
            if self.results.insert(key, safe.to_owned()).is_none() {
                self.order.push_back(key);
                self.bytes += safe.len();
            }
        }
        while self.bytes > MAX_KEPT
            && let Some(oldest) = self.order.pop_front()
        {
            self.bytes -= self.results.remove(&oldest).map_or(0, |safe| safe.len());
        }
    }
}

/// A text with markup: what has none gets paragraphs.
pub fn as_html(words: &str) -> String {
    if words.contains('<') {
        return words.to_owned();
    }
    let paragraphs = words.split("\n\n").map(str::trim).filter(|part| !part.is_empty());
    paragraphs.map(|part| format!("<p>{}</p>", part.replace('\n', "<br>"))).collect()
}

/// A text without markup: entities are characters again.
pub fn as_plain(html: &str) -> String {
    if !html.contains(['<', '&']) {
        return plain(html);
    }
    plain(&decode_entities(&words_of_html(&sanitise(html)).replace("&nbsp;", " ")))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_text_is_parsed_once() {
        let html = format!("<p onclick=x>{}</p><script>x</script>", "lac ".repeat(1_000));
        let safe = sanitise(&html);
        assert_eq!(safe, format!("<p>{}</p>", "lac ".repeat(1_000)));
        assert_eq!(kept().get(&Sha256::digest(html.as_bytes()).into()).as_ref(), Some(&safe));
        assert_eq!(
            kept().get(&Sha256::digest(safe.as_bytes()).into()).as_ref(),
            Some(&safe),
            "saved again, it is known"
        );
    }

    #[test]
    fn a_numbered_list_keeps_the_number_that_it_begins_with() {
        let list = |start: &str| format!("<ol{start}><li>Car</li></ol>");
        assert_eq!(sanitise(&list(" start=\"3\" type=\"a\"")), list(" start=\"3\""));
        assert_eq!(sanitise(&list(" start=\" 09999\"")), list(" start=\"9999\""));
        for other in ["1", "0", "-2", "10000", "3.5", "iii", ""] {
            assert_eq!(sanitise(&list(&format!(" start=\"{other}\""))), list(""), "{other}");
        }
        assert_eq!(sanitise("<ul start=\"3\"><li>Car</li></ul>"), "<ul><li>Car</li></ul>");
        // A long text that is reduced before it is parsed.
        let row = format!("<table><tr><td>{}</td></tr></table>", "lac ".repeat(1_000));
        assert!(sanitise(&(row + &list(" start=3"))).ends_with(&list(" start=\"3\"")));
    }

    #[test]
    fn what_is_kept_is_bounded() {
        let mut kept = Cache::default();
        for number in 0..40_u8 {
            kept.put([number; 32], &number.to_string().repeat(1_000_000));
        }
        assert!(kept.bytes <= MAX_KEPT && kept.results.len() == kept.order.len(), "{}", kept.bytes);
        assert_eq!(kept.bytes, kept.results.values().map(String::len).sum::<usize>());
    }

    #[test]
    fn a_long_text_with_many_signs_keeps_its_markup() {
        let words = "« le lac » & le col ".repeat(1_000);
        let html = format!("<p>{words}</p>").repeat(3);
        assert_eq!(sanitise(&html).matches("<p>« le lac » &amp; le col").count(), 3);
    }

    #[test]
    fn of_a_text_longer_than_any_field_the_words_alone_stay() {
        let html = format!("<p>{}</p>", "a < b ".repeat(100_000));
        assert!(sanitise(&html).starts_with("a &lt; b a &lt; b"));
    }
}
