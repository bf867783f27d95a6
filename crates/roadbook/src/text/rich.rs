//! Texts of the sheet: plain lines, or HTML of which a few tags are kept.
//!
//! Names and most texts are plain: a `<` or an `&amp;` in them is what their writer typed.

use serde::Serialize;

/// A paragraph or a list's item.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize)]
pub(crate) struct Block {
    /// Whether it is an item of a list.
    pub(crate) item: bool,
    /// The item's number, where the list is numbered.
    pub(crate) number: Option<u32>,
    /// Pieces of one look each.
    pub(crate) runs: Vec<Run>,
}

/// Words of one look.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub(crate) struct Run {
    pub(crate) text: String,
    pub(crate) em: bool,
    pub(crate) strong: bool,
}

/// Reads HTML into paragraphs; a text without any markup, line by line. Never fails: what is not a tag is text.
pub(crate) fn html(text: &str) -> Vec<Block> {
    read(text, looks_like_html(text))
}

/// Reads a plain text into paragraphs, one a line.
pub(crate) fn plain(text: &str) -> Vec<Block> {
    read(text, false)
}

fn read(text: &str, html: bool) -> Vec<Block> {
    let mut reader = Reader::default();
    let mut rest = text;
    while let Some(at) = rest.find(if html { &['<', '\n'][..] } else { &['\n'][..] }) {
        reader.words(&rest[..at], html);
        rest = &rest[at..];
        if rest.starts_with('\n') {
            let lines = rest.len() - rest.trim_start_matches(['\n', '\r', ' ']).len();
            if html {
                reader.words(" ", false);
            } else {
                reader.break_block();
            }
            rest = &rest[lines.max(1)..];
        } else if !rest[1..].starts_with(|c: char| c.is_ascii_alphabetic() || matches!(c, '/' | '!')) {
            reader.words("<", false);
            rest = &rest[1..];
        } else if let Some(end) = rest.find('>') {
            reader.tag(&rest[1..end]);
            rest = &rest[end + 1..];
        } else {
            // A tag that never ends: nothing after it is text.
            rest = "";
        }
    }
    reader.words(rest, html);
    reader.break_block();
    reader.blocks
}

/// A plain text on one line.
pub(crate) fn one_line(text: &str) -> String {
    if !text.contains('\n') {
        return text.trim().to_owned();
    }
    let lines: Vec<String> =
        plain(text).iter().map(|block| block.runs.iter().map(|run| run.text.as_str()).collect()).collect();
    lines.join(" ")
}

fn looks_like_html(text: &str) -> bool {
    text.find('<')
        .is_some_and(|at| text[at + 1..].starts_with(|c: char| c.is_ascii_alphabetic() || c == '/' || c == '!'))
        || text.contains("&nbsp;")
        || text.contains("&amp;")
        || text.contains("&lt;")
        || text.contains("&gt;")
        || text.contains("&#")
}

#[derive(Default)]
struct Reader {
    blocks: Vec<Block>,
    block: Block,
    /// The next number of each open list; none where it has bullets.
    lists: Vec<Option<u32>>,
    em: u32,
    strong: u32,
    /// Inside `script` or `style`, whose text is not shown.
    hidden: bool,
}

impl Reader {
    fn words(&mut self, text: &str, html: bool) {
        if self.hidden || text.is_empty() {
            return;
        }
        let decoded = if html { entities(text) } else { text.to_owned() };
        let (em, strong) = (self.em > 0, self.strong > 0);
        match self.block.runs.last_mut() {
            Some(last) if last.em == em && last.strong == strong => last.text.push_str(&decoded),
            _ => self.block.runs.push(Run { text: decoded, em, strong }),
        }
    }

    fn tag(&mut self, tag: &str) {
        let closes = tag.starts_with('/');
        let name: String = tag
            .trim_start_matches('/')
            .chars()
            .take_while(char::is_ascii_alphanumeric)
            .collect::<String>()
            .to_lowercase();
        let step = |count: &mut u32| *count = if closes { count.saturating_sub(1) } else { *count + 1 };
        match name.as_str() {
            "em" | "i" => step(&mut self.em),
            "strong" | "b" => step(&mut self.strong),
            "script" | "style" => self.hidden = !closes,
            "li" => {
                self.break_block();
                self.block.item = !closes;
                self.block.number = if closes { None } else { self.next_number() };
            }
            "ul" | "ol" => {
                self.break_block();
                self.block = Block::default();
                if closes {
                    self.lists.pop();
                } else {
                    self.lists.push((name == "ol").then(|| start_of(tag)));
                }
            }
            "p" | "br" | "div" | "h1" | "h2" | "h3" | "h4" | "tr" | "blockquote" => self.break_block(),
            _ => {}
        }
    }

    /// The number of the item that begins, where its list is numbered.
    fn next_number(&mut self) -> Option<u32> {
        let next = self.lists.last_mut()?.as_mut()?;
        let number = *next;
        *next = number.saturating_add(1);
        Some(number)
    }

    /// Ends a paragraph; an empty one is forgotten, so that a paragraph that begins an item is the item.
    fn break_block(&mut self) {
        let mut block = std::mem::take(&mut self.block);
        let (item, number) = (block.item, block.number);
        for run in &mut block.runs {
            run.text = squeeze(&run.text);
        }
        if let Some(first) = block.runs.first_mut() {
            first.text = first.text.trim_start().to_owned();
        }
        if let Some(last) = block.runs.last_mut() {
            last.text = last.text.trim_end().to_owned();
        }
        block.runs.retain(|run| !run.text.is_empty());
        if block.runs.is_empty() {
            self.block = Block { item, number, runs: Vec::new() };
        } else {
            self.blocks.push(block);
        }
    }
}

/// The number that a list begins with.
fn start_of(tag: &str) -> u32 {
    let value = tag.split_ascii_whitespace().find_map(|attribute| attribute.strip_prefix("start="));
    value.and_then(|value| value.trim_matches(['"', '\'']).parse().ok()).unwrap_or(1)
}

/// Runs of ordinary white space as one; those that do not break stay.
fn squeeze(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut gap = false;
    for char in text.chars() {
        let blank = matches!(char, ' ' | '\t' | '\n' | '\r');
        if !blank {
            out.push(char);
        } else if !gap {
            out.push(' ');
        }
        gap = blank;
    }
    out
}

fn entities(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut rest = text;
    while let Some(at) = rest.find('&') {
        out.push_str(&rest[..at]);
        rest = &rest[at..];
        let end = rest.char_indices().take(10).find(|(_, c)| *c == ';').map(|(end, _)| end);
        let named = end.and_then(|end| entity(&rest[1..end]).map(|char| (char, end)));
        if let Some((char, end)) = named {
            out.push(char);
            rest = &rest[end + 1..];
        } else {
            out.push('&');
            rest = &rest[1..];
        }
    }
    out.push_str(rest);
    out
}

fn entity(name: &str) -> Option<char> {
    Some(match name {
        "amp" => '&',
        "lt" => '<',
        "gt" => '>',
        "quot" => '"',
        "apos" | "rsquo" => '’',
        "nbsp" => '\u{a0}',
        "laquo" => '«',
        "raquo" => '»',
        "hellip" => '…',
        "euro" => '€',
        "ndash" => '–',
        "mdash" => '—',
        "eacute" => 'é',
        "egrave" => 'è',
        "agrave" => 'à',
        _ => {
            let number = name.strip_prefix('#')?;
            let code = number
                .strip_prefix(['x', 'X'])
                .map_or_else(|| number.parse().ok(), |hex| u32::from_str_radix(hex, 16).ok())?;
            char::from_u32(code)?
        }
    })
}

#[cfg(test)]
mod tests {
    use super::{Block, html, one_line, plain};

    fn texts_of(blocks: &[Block]) -> Vec<String> {
        blocks
            .iter()
            .map(|block| {
                let words: String = block
                    .runs
                    .iter()
                    .map(|run| match (run.em, run.strong) {
                        (true, _) => format!("_{}_", run.text),
                        (_, true) => format!("*{}*", run.text),
                        _ => run.text.clone(),
                    })
                    .collect();
                match (block.item, block.number) {
                    (true, Some(number)) => format!("{number}. {words}"),
                    (true, None) => format!("- {words}"),
                    _ => words,
                }
            })
            .collect()
    }

    #[test]
    fn the_sheets_html_becomes_paragraphs_and_items() {
        assert_eq!(
            texts_of(&html(
                "<p>Un <strong>grand</strong> lac.</p><ul><li>eau</li><li><em>ombre</em> &amp; bancs</li></ul><p> </p>"
            )),
            ["Un *grand* lac.", "- eau", "- _ombre_ & bancs"]
        );
    }

    #[test]
    fn a_numbered_list_keeps_its_numbers() {
        let two = "<ol><li>Car</li><li><p>quai <b>B</b></p></li></ol><p>Puis :</p><ol start=\"3\"><li>bac</li><li>gare</li></ol>";
        assert_eq!(texts_of(&html(two)), ["1. Car", "2. quai *B*", "Puis :", "3. bac", "4. gare"]);
        let nested = "<ol><li>Car<ul><li>eau</li></ul></li><li>quai</li></ol><ul><li>pain</li></ul>";
        assert_eq!(texts_of(&html(nested)), ["1. Car", "- eau", "2. quai", "- pain"]);
        assert_eq!(texts_of(&html("<ol start=x><li>Un<li></ol>Rien<li>eau")), ["1. Un", "Rien", "- eau"]);
    }

    #[test]
    fn plain_lines_are_paragraphs() {
        assert_eq!(texts_of(&html("Un.\n\nDeux, 3 < 4.\nTrois.")), ["Un.", "Deux, 3 < 4.", "Trois."]);
        assert_eq!(one_line("Un\n deux"), "Un deux");
    }

    #[test]
    fn a_plain_text_is_printed_as_it_was_typed() {
        assert_eq!(texts_of(&plain("De <Brève à B> & &amp; C\nsuite")), ["De <Brève à B> & &amp; C", "suite"]);
        assert_eq!(one_line(" A <b &#233; "), "A <b &#233;");
    }

    #[test]
    fn what_is_no_tag_harms_nobody() {
        assert_eq!(texts_of(&html("<script>alert(1)</script><p onclick=x>Lu</p")), ["Lu"]);
        assert_eq!(texts_of(&html("a <b")), ["a"]);
        assert_eq!(texts_of(&html("<p>3 < 4</p>")), ["3 < 4"]);
        assert_eq!(texts_of(&html("<p>a &nope; &#233; &#x1F6B2; b</p>")), ["a &nope; é 🚲 b"]);
        assert!(html("").is_empty());
    }
}
