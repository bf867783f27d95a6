//! The pages of the book and their order, made from the editor's list.

use crate::data::{PageChoice, PageKind};

/// A part of the book, in order.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Part {
    /// A page that is not repeated for each day.
    Page(PageChoice),
    /// Each day's page types, in the editor's order.
    Days(Vec<PageChoice>),
}

const fn daily(kind: PageKind) -> bool {
    matches!(kind, PageKind::Map | PageKind::Profile | PageKind::Steps | PageKind::Stay | PageKind::Photos)
}

/// The order of the book: cover first, back cover last, daily pages at the place of the first daily page.
pub(crate) fn order(pages: &[PageChoice]) -> Vec<Part> {
    let standard;
    let pages = if pages.is_empty() {
        standard = PageChoice::standard();
        &standard
    } else {
        pages
    };
    let mut wanted: Vec<&PageChoice> = Vec::with_capacity(pages.len());
    for page in pages.iter().filter(|page| page.on) {
        if page.kind.may_repeat() || !wanted.iter().any(|earlier| earlier.kind == page.kind) {
            wanted.push(page);
        }
    }
    let only = |kind| wanted.iter().filter(move |page| page.kind == kind).map(|page| Part::Page((*page).clone()));
    let days: Vec<PageChoice> = wanted.iter().filter(|page| daily(page.kind)).map(|page| (*page).clone()).collect();
    let mut parts: Vec<Part> = only(PageKind::FrontCover).collect();
    let mut has_days = false;
    for page in &wanted {
        match page.kind {
            PageKind::FrontCover | PageKind::BackCover => {}
            kind if daily(kind) => {
                if !has_days {
                    parts.push(Part::Days(days.clone()));
                    has_days = true;
                }
            }
            _ => parts.push(Part::Page((*page).clone())),
        }
    }
    parts.extend(only(PageKind::BackCover));
    parts
}

#[cfg(test)]
mod tests {
    use super::{Part, order};
    use crate::data::{PageChoice, PageKind as K};

    fn kinds(pages: &[PageChoice]) -> Vec<String> {
        order(pages)
            .iter()
            .map(|part| match part {
                Part::Page(page) => format!("{:?}", page.kind),
                Part::Days(days) => days.iter().map(|page| format!("{:?}", page.kind)).collect::<Vec<_>>().join("+"),
            })
            .collect()
    }

    #[test]
    fn an_empty_list_gives_the_standard_pages() {
        let usual = [
            "FrontCover",
            "Welcome",
            "Description",
            "Overview",
            "Map+Profile+Steps+Stay+Photos",
            "Notes",
            "Voucher",
            "Memo",
            "BackCover",
        ];
        assert_eq!(kinds(&[]), usual);
    }

    #[test]
    fn pages_are_switched_off_moved_and_repeated() {
        let off = |kind| PageChoice { on: false, ..PageChoice::new(kind) };
        let list =
            [K::BackCover, K::Notes, K::Stay, K::Memo, K::Map, K::Memo, K::Description, K::Description, K::Notes]
                .map(PageChoice::new);
        let list: Vec<PageChoice> = list.into_iter().chain([off(K::Steps), PageChoice::new(K::FrontCover)]).collect();
        assert_eq!(
            kinds(&list),
            ["FrontCover", "Notes", "Stay+Map", "Memo", "Description", "Description", "Notes", "BackCover"]
        );
        assert!(order(&[off(K::Map)]).is_empty());
    }
}
