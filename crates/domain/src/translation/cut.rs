//! Cuts a text into sentences. Each is translated alone, so that after a small change only the changed sentences are sent again.

use super::TextFormat;

/// A part of a text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Piece {
    /// The text between sentences: tags of blocks, breaks, blanks, figures alone.
    Between(String),
    /// A sentence, with its inline markup.
    Sentence(String),
}

/// Elements that end a sentence where they begin or end.
const BLOCKS: [&str; 9] = ["p", "br", "ul", "ol", "li", "h2", "h3", "h4", "blockquote"];
/// Words that a full stop shortens.
const SHORT: [&str; 14] = ["env", "alt", "dir", "av", "bd", "ch", "cf", "ex", "st", "ste", "mr", "mme", "etc", "min"];

/// Cuts a text; its pieces in their order are the text again.
pub fn cut(text: &str, format: TextFormat) -> Vec<Piece> {
    let mut pieces = Vec::new();
    let mut run = String::new();
    let mut rest = text;
    let last_close = text.rfind('>');
    while !rest.is_empty() {
        // After the last `>` no tag ends: it is not searched for again at each `<`.
        let tags = last_close.is_some_and(|close| close > text.len() - rest.len());
        let (token, ends) = next_token(rest, format, tags);
        if ends {
            sentences(&run, format, &mut pieces);
            run.clear();
            between(&mut pieces, token);
        } else {
            run.push_str(token);
        }
        rest = &rest[token.len()..];
    }
    sentences(&run, format, &mut pieces);
    pieces
}

/// The next part of a text, and whether a sentence ends there: at a tag of a block, at a break. `tags`: whether a tag ends further
/// on.
fn next_token(rest: &str, format: TextFormat, tags: bool) -> (&str, bool) {
    if !format.is_html() {
        return match rest.find('\n') {
            Some(0) => (&rest[..1], true),
            Some(at) => (&rest[..at], false),
            None => (rest, false),
        };
    }
    if tags
        && let Some(inside) = rest.strip_prefix('<')
        && let Some(end) = rest.find('>')
    {
        let name: String =
            inside.trim_start_matches('/').chars().take_while(char::is_ascii_alphanumeric).take(20).collect();
        return (&rest[..=end], BLOCKS.contains(&name.to_ascii_lowercase().as_str()));
    }
    let first = rest.chars().next().map_or(0, char::len_utf8);
    (rest[first..].find('<').map_or(rest, |at| &rest[..first + at]), false)
}

fn between(pieces: &mut Vec<Piece>, words: &str) {
    match pieces.last_mut() {
        _ if words.is_empty() => {}
        Some(Piece::Between(before)) => before.push_str(words),
        _ => pieces.push(Piece::Between(words.to_owned())),
    }
}

/// Cuts a run without breaks into its sentences; inside an inline element nothing is cut.
fn sentences(run: &str, format: TextFormat, pieces: &mut Vec<Piece>) {
    let mut start = 0;
    let mut depth = 0_i32;
    let mut in_tag = false;
    let chars: Vec<(usize, char)> = run.char_indices().collect();
    let mut ends = Ends { chars: &chars, run, known: None };
    for (index, (at, c)) in chars.iter().enumerate() {
        match c {
            '<' if format.is_html() => {
                in_tag = true;
                depth += if run[at + 1..].starts_with('/') { -1 } else { 1 };
            }
            '>' if in_tag => in_tag = false,
            '.' | '!' | '?' | '…' if !in_tag && depth <= 0 => {
                if let Some(end) = ends.after(index) {
                    sentence(&run[start..end], format, pieces);
                    start = end;
                }
            }
            _ => {}
        }
    }
    sentence(&run[start..], format, pieces);
}

/// Where sentences end in a run.
struct Ends<'a> {
    chars: &'a [(usize, char)],
    run: &'a str,
    /// The last row of marks that was looked at: where it began and ended, and where the next sentence begins if one ends there.
    /// Each further mark of the row has the same answer.
    known: Option<(usize, usize, Option<usize>)>,
}

impl Ends<'_> {
    /// Where the next sentence begins, if one ends with the mark at this place.
    fn after(&mut self, index: usize) -> Option<usize> {
        let (at, mark) = self.chars[index];
        if mark == '.' {
            let word: String = self.run[..at].chars().rev().take_while(|c| c.is_alphabetic()).take(5).collect();
            let word: String = word.chars().rev().collect::<String>().to_lowercase();
            if word.chars().count() == 1 || SHORT.contains(&word.as_str()) {
                return None;
            }
        }
        if let Some((from, to, next)) = self.known
            && (from..to).contains(&(index + 1))
        {
            return next;
        }
        let marks = self.chars[index + 1..].iter();
        let count = marks.take_while(|(_, c)| matches!(c, '.' | '!' | '?' | '…' | ')' | '"' | '”')).count();
        let next = self.next_sentence(index + 1 + count);
        self.known = Some((index + 1, index + 1 + count, next));
        next
    }

    /// The sentence that begins after the marks that end at this place.
    fn next_sentence(&self, end: usize) -> Option<usize> {
        let mut after = self.chars[end..].iter();
        let (_, blank) = after.next()?;
        if !blank.is_whitespace() {
            return None;
        }
        // « Ah ! » : the quote that closes after a blank belongs to the sentence.
        let (next_at, next) = after.find(|(_, c)| !c.is_whitespace() && *c != '»')?;
        let begins =
            next.is_uppercase() || next.is_numeric() || matches!(next, '«' | '"' | '“' | '[' | '(' | '<' | '–' | '—');
        begins.then_some(*next_at)
    }
}

fn sentence(words: &str, format: TextFormat, pieces: &mut Vec<Piece>) {
    let core = words.trim();
    if !has_words(core, format) {
        between(pieces, words);
        return;
    }
    let lead = words.len() - words.trim_start().len();
    between(pieces, &words[..lead]);
    pieces.push(Piece::Sentence(core.to_owned()));
    between(pieces, &words[lead + core.len()..]);
}

/// Whether there is something to translate: two letters in a row outside tags and entities.
fn has_words(text: &str, format: TextFormat) -> bool {
    let mut hidden = None;
    let mut letters = 0;
    for c in text.chars() {
        match (hidden, c) {
            (Some(end), c) => hidden = (c != end).then_some(end),
            (None, '<') if format.is_html() => hidden = Some('>'),
            (None, '&') if format.is_html() => hidden = Some(';'),
            (None, c) if c.is_alphabetic() => {
                letters += 1;
                if letters == 2 {
                    return true;
                }
            }
            _ => letters = 0,
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::TextFormat::{Html, Plain};
    use super::*;

    fn sentences_of(text: &str, format: TextFormat) -> Vec<String> {
        let pieces = cut(text, format);
        let whole: String = pieces
            .iter()
            .map(|piece| match piece {
                Piece::Between(words) | Piece::Sentence(words) => words.as_str(),
            })
            .collect();
        assert_eq!(whole, text, "its pieces are the text again");
        pieces
            .into_iter()
            .filter_map(|piece| match piece {
                Piece::Sentence(words) => Some(words),
                Piece::Between(_) => None,
            })
            .collect()
    }

    #[test]
    fn a_plain_text_is_cut_at_its_sentences_and_lines() {
        assert_eq!(
            sentences_of(
                "Départ du lac. Montez 300 m ! À droite au col ?\n\nAlt. 1 200 m env. au col. 12,5 km\n",
                Plain
            ),
            ["Départ du lac.", "Montez 300 m !", "À droite au col ?", "Alt. 1 200 m env. au col.", "12,5 km"]
        );
        assert_eq!(sentences_of("Vu par M. Dupont en 2024. Le col est à 1.200 m.", Plain).len(), 2);
        assert_eq!(sentences_of("bas < haut. Et loin > tôt", Plain), ["bas < haut.", "Et loin > tôt"]);
        assert_eq!(sentences_of("  \n 12,5 km \n…", Plain), ["12,5 km"]);
        assert!(sentences_of("12 500\n", Plain).is_empty());
        assert_eq!(sentences_of("« Ah ! » Puis la forêt.", Plain), ["« Ah ! »", "Puis la forêt."]);
    }

    #[test]
    fn a_rich_text_is_cut_at_its_blocks_and_never_inside_an_inline_element() {
        assert_eq!(
            sentences_of(
                "<p>Le <strong>lac. Bleu</strong> est là. Puis le <a href=\"https://x.fr/a.b\">col</a>.</p><ul><li>Eau</li></ul>",
                Html
            ),
            ["Le <strong>lac. Bleu</strong> est là.", "Puis le <a href=\"https://x.fr/a.b\">col</a>.", "Eau"]
        );
        assert_eq!(sentences_of("<p>Un<br>deux &amp; trois</p><p>&nbsp;</p>", Html), ["Un", "deux &amp; trois"]);
        assert!(sentences_of("<p><", Html).is_empty());
    }
}
