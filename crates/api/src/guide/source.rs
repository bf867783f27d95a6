//! The pages of `docs/guide`, read once: Markdown made into clean HTML.

use std::sync::LazyLock;

use domain::fold;
use pulldown_cmark::{CowStr, Event, HeadingLevel, Options, Parser, Tag, TagEnd, html};
use rust_embed::RustEmbed;

/// The files of the guide.
#[derive(RustEmbed)]
#[folder = "../../docs/guide"]
pub(super) struct Files;

/// A page of the guide.
pub(super) struct Page {
    /// Name in addresses: the file's, without its number.
    pub slug: String,
    /// Its first heading.
    pub title: String,
    /// The rest, as clean HTML.
    pub html: String,
    /// Its words, for excerpts.
    pub text: String,
    /// Its words as the search sees them.
    folded: String,
}

/// All pages, in the order of their numbers.
pub(super) static PAGES: LazyLock<Vec<Page>> = LazyLock::new(|| {
    let mut names: Vec<_> = Files::iter().filter(|name| name.ends_with(".md")).collect();
    names.sort();
    names.iter().filter_map(|name| Some(page(name, std::str::from_utf8(&Files::get(name)?.data).ok()?))).collect()
});

impl Page {
    /// Whether every word of a folded question starts a word of the page.
    pub fn holds(&self, folded: &str) -> bool {
        folded.split(' ').all(|asked| self.folded.split(' ').any(|word| word.starts_with(asked)))
    }

    /// Some words around the first one asked for.
    pub fn excerpt(&self, folded: &str) -> String {
        let asked = folded.split(' ').next().unwrap_or_default();
        let words: Vec<&str> = self.text.split_whitespace().collect();
        let at = words.iter().position(|word| fold(word).split(' ').any(|word| word.starts_with(asked))).unwrap_or(0);
        let (from, to) = (at.saturating_sub(10), (at + 20).min(words.len()));
        let (before, after) = (if from > 0 { "… " } else { "" }, if to < words.len() { " …" } else { "" });
        format!("{before}{}{after}", words[from..to].join(" "))
    }
}

fn page(name: &str, markdown: &str) -> Page {
    let stem = name.trim_end_matches(".md");
    let slug = stem.trim_start_matches(|c: char| c.is_ascii_digit() || c == '-').to_owned();
    let options = Options::ENABLE_TABLES | Options::ENABLE_STRIKETHROUGH;
    let (title, events) = without_title(Parser::new_ext(markdown, options));
    let text = words(&events);
    let mut rendered = String::new();
    html::push_html(&mut rendered, events.into_iter().map(linked));
    let clean = ammonia::Builder::default().link_rel(Some("noopener")).clean(&rendered).to_string();
    let folded = fold(&format!("{title} {text}"));
    Page { slug, title, html: clean, text, folded }
}

/// The first heading apart from the rest: the app shows it as the page's own.
fn without_title(parser: Parser<'_>) -> (String, Vec<Event<'_>>) {
    let (mut title, mut rest, mut inside, mut done) = (String::new(), Vec::new(), false, false);
    for event in parser {
        match event {
            Event::Start(Tag::Heading { level: HeadingLevel::H1, .. }) if !done => inside = true,
            Event::End(TagEnd::Heading(HeadingLevel::H1)) if inside => (inside, done) = (false, true),
            Event::Text(words) | Event::Code(words) if inside => title.push_str(&words),
            _ if inside => {}
            event => rest.push(event),
        }
    }
    (title, rest)
}

fn words(events: &[Event<'_>]) -> String {
    let mut text = String::new();
    for event in events {
        match event {
            Event::Text(words) | Event::Code(words) => text.push_str(words),
            Event::End(_) | Event::SoftBreak | Event::HardBreak => text.push(' '),
            _ => {}
        }
    }
    text
}

/// Rewrites links and pictures for the app: `02-se-reperer.md` is a page of the help, `img/…` a file of this server.
fn linked(event: Event<'_>) -> Event<'_> {
    match event {
        Event::Start(Tag::Link { link_type, dest_url, title, id }) => {
            let dest_url = match dest_url.split_once(".md") {
                Some((stem, anchor)) if !stem.contains("://") => {
                    let slug =
                        stem.trim_start_matches("./").trim_start_matches(|c: char| c.is_ascii_digit() || c == '-');
                    CowStr::from(format!("/help/{slug}{anchor}"))
                }
                _ => dest_url,
            };
            Event::Start(Tag::Link { link_type, dest_url, title, id })
        }
        Event::Start(Tag::Image { link_type, dest_url, title, id }) => {
            let dest_url = match dest_url.strip_prefix("img/") {
                Some(file) => CowStr::from(format!("/guide/img/{file}")),
                None => dest_url,
            };
            Event::Start(Tag::Image { link_type, dest_url, title, id })
        }
        event => event,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_page_has_its_title_clean_html_and_our_addresses() {
        let page = page(
            "03-la-liste.md",
            "# La liste\n\nVoir [repérer](02-se-reperer.md#carte) et ![x](img/a.png)<script>1</script>",
        );
        assert_eq!((page.slug.as_str(), page.title.as_str()), ("la-liste", "La liste"));
        assert!(page.html.contains(r#"href="/help/se-reperer#carte""#), "{}", page.html);
        assert!(page.html.contains(r#"src="/guide/img/a.png""#), "{}", page.html);
        assert!(!page.html.contains("script") && !page.html.contains("<h1"), "{}", page.html);
        assert!(page.holds("reperer list") && !page.holds("velo"));
    }

    #[test]
    fn every_page_of_the_guide_is_there_with_a_title() {
        assert!(PAGES.len() >= 9);
        for page in PAGES.iter() {
            assert!(!page.title.is_empty() && !page.slug.is_empty() && !page.html.is_empty(), "{}", page.slug);
        }
    }
}
