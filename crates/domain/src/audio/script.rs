//! From a text to the words for a voice: local names with their pronunciation, silences where the text asks for them.

use serde::Serialize;

use super::walk::LexiconEntry;
use crate::one_space;

/// The longest silence a text asks for.
const MAX_PAUSE_MS: u64 = 30_000;
/// The longest way to write a silence, with its brackets.
const MAX_PAUSE_BYTES: usize = 64;
/// Between two paragraphs.
const PARAGRAPH_MS: u64 = 600;
/// Most characters of one request: a service accepts it, and answers before the timeout.
const MAX_SAID_CHARS: usize = 800;

/// A part of what is heard.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "snake_case")]
pub enum Piece {
    /// Words.
    Say(String),
    /// A silence, in milliseconds.
    Pause(u64),
}

/// A text as a voice reads it, in parts.
pub fn pieces(text: &str, lexicon: &[LexiconEntry]) -> Vec<Piece> {
    let mut found = Vec::new();
    for part in parts(text) {
        match part {
            Part::Pause(ms) => found.push(Piece::Pause(ms)),
            Part::Words(words) => {
                let paragraphs = words.split("\n\n").map(str::trim).filter(|paragraph| !paragraph.is_empty());
                for (index, paragraph) in paragraphs.enumerate() {
                    if index > 0 {
                        found.push(Piece::Pause(PARAGRAPH_MS));
                    }
                    let said = said(&one_space(paragraph), lexicon);
                    found.extend(cut(&said).into_iter().map(Piece::Say));
                }
            }
        }
    }
    found
}

/// The text for readers: without the marks of silences.
pub fn shown(text: &str) -> String {
    let words: String =
        parts(text).into_iter().map(|part| if let Part::Words(words) = part { words } else { "" }).collect();
    let lines: Vec<String> = words.lines().map(one_space).collect();
    lines.join("\n").trim().to_owned()
}

/// Estimated duration of a text, in seconds, before it is spoken.
pub fn estimated_s(text: &str, words_a_minute: i64) -> f64 {
    let count = |piece: &Piece| match piece {
        Piece::Say(words) => words.split_whitespace().count() as f64 * 60.0 / (words_a_minute.max(1) as f64),
        Piece::Pause(ms) => *ms as f64 / 1000.0,
    };
    pieces(text, &[]).iter().map(count).sum()
}

enum Part<'a> {
    Words(&'a str),
    Pause(u64),
}

/// Words and the silences between them. Brackets that hold no silence are words.
fn parts(text: &str) -> Vec<Part<'_>> {
    let mut found = Vec::new();
    let (mut from, mut at) = (0, 0);
    while let Some(open) = text[at..].find('[').map(|open| at + open) {
        // No silence is written longer: a bracket that never closes is not searched to the end of the text.
        let near = &text.as_bytes()[open..text.len().min(open + MAX_PAUSE_BYTES)];
        let close = near.iter().position(|byte| *byte == b']').map(|close| open + close);
        let pause = close.and_then(|close| Some((pause_ms(&text[open + 1..close])?, close)));
        if let Some((ms, close)) = pause {
            found.push(Part::Words(&text[from..open]));
            found.push(Part::Pause(ms));
            from = close + 1;
            at = from;
        } else {
            at = open + 1;
        }
    }
    found.push(Part::Words(&text[from..]));
    found
}

/// `pause 1s`, `Pause 1,5 s`, `pause 500ms`.
fn pause_ms(inside: &str) -> Option<u64> {
    let inside = inside.trim().to_lowercase();
    let length = inside.strip_prefix("pause")?.trim();
    let (number, unit) = match length.strip_suffix("ms") {
        Some(number) => (number, 1.0),
        None => (length.strip_suffix('s').unwrap_or(length), 1000.0),
    };
    let number = number.trim().replace(',', ".");
    let value: f64 = if number.is_empty() { 1.0 } else { number.parse().ok()? };
    let ms = value * unit;
    (ms.is_finite() && ms > 0.0).then(|| (ms as u64).min(MAX_PAUSE_MS))
}

/// Replaces whole words by their pronunciation, ignoring case; the longest entry first.
fn said(text: &str, lexicon: &[LexiconEntry]) -> String {
    let mut entries: Vec<(Vec<char>, &str)> = lexicon
        .iter()
        .filter(|entry| !entry.word.is_empty())
        .map(|entry| (entry.word.chars().map(small).collect(), entry.say.as_str()))
        .collect();
    if entries.is_empty() {
        return text.to_owned();
    }
    entries.sort_by_key(|(word, _)| std::cmp::Reverse(word.len()));
    let chars: Vec<char> = text.chars().collect();
    let mut out = String::with_capacity(text.len());
    let mut at = 0;
    while at < chars.len() {
        let starts = at == 0 || !chars[at - 1].is_alphanumeric();
        let fits = |word: &Vec<char>| {
            let end = at + word.len();
            end <= chars.len()
                && chars[at..end].iter().zip(word).all(|(c, wanted)| small(*c) == *wanted)
                && chars.get(end).is_none_or(|c| !c.is_alphanumeric())
        };
        if let Some((word, say)) = entries.iter().find(|(word, _)| starts && fits(word)) {
            out.push_str(say);
            at += word.len();
        } else {
            out.push(chars[at]);
            at += 1;
        }
    }
    out
}

fn small(c: char) -> char {
    c.to_lowercase().next().unwrap_or(c)
}

/// Cuts a text into parts for one request each: at ends of sentences, else between words.
fn cut(words: &str) -> Vec<String> {
    let mut found: Vec<String> = Vec::new();
    let mut current = String::new();
    let mut length = 0;
    let mut last_end = None;
    for word in words.split(' ') {
        let count = word.chars().count() + 1;
        if length + count > MAX_SAID_CHARS && !current.is_empty() {
            // What came after the last sentence goes on in the next part.
            let rest = last_end.map_or(String::new(), |end: usize| current.split_off(end));
            found.push(current.trim().to_owned());
            current = rest.trim_start().to_owned();
            length = current.chars().count();
            last_end = None;
        }
        if !current.is_empty() {
            current.push(' ');
        }
        current.push_str(word);
        length += count;
        if word.ends_with(['.', '!', '?', '…']) {
            last_end = Some(current.len());
        }
    }
    found.push(current.trim().to_owned());
    found.retain(|part| !part.is_empty());
    found
}
