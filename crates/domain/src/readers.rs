//! Every function of this crate that reads a text from outside. Tests and fuzz targets measure that the time each takes is
//! proportional to the length: a new reader is added here.

use crate::assistant::{hidden, scrubbed, shortened};
use crate::audio::{LexiconEntry, estimated_s, pieces, shown};
use crate::html::{decode_entities, escaped, plain, plain_line, rich, words_of_html};
use crate::imports::word_key;
use crate::link::check_link;
use crate::markup::simplified;
use crate::statistics::{host, read_store_report};
use crate::translation::{TextFormat, cut, guard, same_words};
use crate::{fold, normalise_email};

/// Its name, the function, and pairs of texts to put before and after an input.
type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All readers of this crate.
pub const READERS: &[Reader] = &[
    ("plain", |bytes| drop(plain(&text(bytes))), &[("<script>", ""), ("", ">"), ("<!--", "-->")]),
    ("plain line", |bytes| drop(plain_line(&text(bytes))), &[("\n", "")]),
    ("rich", |bytes| drop(rich(&text(bytes), &str::to_owned)), &[]),
    (
        "HTML before it is parsed",
        |bytes| drop(simplified(&text(bytes)).into_owned()),
        &[("<p ", ">x</p>"), ("<table>", ""), ("<p x='", "'>")],
    ),
    ("words of HTML", |bytes| drop(words_of_html(&text(bytes))), &[("", ">")]),
    ("fold", |bytes| drop(fold(&text(bytes))), &[]),
    ("e-mail", |bytes| drop(normalise_email(&text(bytes))), &[("a@", ""), ("", "@b.fr")]),
    ("link", |bytes| _ = check_link(&text(bytes)), &[("https://", ""), ("https://a.fr/", "")]),
    ("word of an import", |bytes| drop(word_key(&text(bytes))), &[]),
    ("sentences", |bytes| drop(cut(&text(bytes), TextFormat::Plain)), &[("Le lac ", ".")]),
    (
        "sentences of HTML",
        |bytes| drop(cut(&text(bytes), TextFormat::Html)),
        &[("<p>Le lac ", "</p>"), ("<a href=\"", "\">")],
    ),
    ("protected words", |bytes| guarded(&text(bytes), TextFormat::Plain), &[("Le lac ", "")]),
    ("protected words of HTML", |bytes| guarded(&text(bytes), TextFormat::Html), &[("<p>Le lac ", "</p>")]),
    ("same words", |bytes| drop(same_words(&text(bytes), TextFormat::Html)), &[]),
    ("scrub", |bytes| drop(scrubbed(&text(bytes))), &[]),
    ("hide", |bytes| drop(hidden(&text(bytes))), &[]),
    ("decode", |bytes| drop(decode_entities(&text(bytes))), &[("&", ";")]),
    ("escape", |bytes| drop(escaped(&text(bytes))), &[]),
    ("shorten", |bytes| drop(shortened(&text(bytes), 1_000)), &[]),
    ("spoken text", |bytes| drop(pieces(&text(bytes), &lexicon())), &[("[", "]")]),
    ("spoken text as shown", |bytes| drop(shown(&text(bytes))), &[("[", "]")]),
    ("length of a spoken text", |bytes| _ = estimated_s(&text(bytes), 150), &[]),
    ("address of an event", |bytes| drop(host(&text(bytes))), &[("https://", "")]),
    ("report of a store", |bytes| drop(read_store_report(bytes)), &[("Date,Units\n", "")]),
];

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// Protected, and read again as a service would return it.
fn guarded(sentence: &str, format: TextFormat) {
    let terms = ["Lac Bleu".to_owned(), "Lac".to_owned(), "x".to_owned()];
    let guarded = guard(sentence, format, &terms);
    drop(guarded.restored(&guarded.sent));
    drop(guarded.restored(sentence));
}

fn lexicon() -> [LexiconEntry; 2] {
    [("Lac", "lak"), ("x", "iks")].map(|(word, say)| LexiconEntry { word: word.to_owned(), say: say.to_owned() })
}
