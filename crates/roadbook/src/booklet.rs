//! Two A5 pages a side of A4 landscape, in the order for folding: duplex on the short edge, fold, two staples.

use typst::foundations::Smart;
use typst::layout::{Abs, Frame, Point, Sides, Size};
use typst_layout::{Page, PagedDocument};

/// The sides of the sheets as pairs of page indexes, left then right; `None` for a blank page.
fn sides(pages: usize) -> Vec<[Option<usize>; 2]> {
    let whole = pages.next_multiple_of(4);
    // Blank pages come before the back cover, which stays outside.
    let page = |place: usize| match pages {
        0 => None,
        1 => (place == 0).then_some(0),
        _ if place + 1 == whole => Some(pages - 1),
        _ => (place + 1 < pages).then_some(place),
    };
    (0..whole / 4)
        .flat_map(|sheet| {
            [[page(whole - 1 - 2 * sheet), page(2 * sheet)], [page(2 * sheet + 1), page(whole - 2 - 2 * sheet)]]
        })
        .collect()
}

/// Imposes the pages: two on each side of a sheet.
pub(crate) fn impose(document: &PagedDocument) -> PagedDocument {
    let pages = document.pages();
    let half = Abs::mm(148.5);
    let sheets = sides(pages.len()).into_iter().enumerate().map(|(index, side)| {
        let mut frame = Frame::hard(Size::new(half * 2.0, Abs::mm(210.0)));
        for (place, page) in side.into_iter().enumerate() {
            if let Some(page) = page.and_then(|page| pages.get(page)) {
                // A page is half a millimetre narrower than half of A4: the rest goes to the outer edge.
                let left = if place == 0 { half - page.frame.width() } else { half };
                frame.push_frame(Point::with_x(left), page.frame.clone());
            }
        }
        Page {
            frame,
            bleed: Sides::splat(Abs::zero()),
            fill: Smart::Auto,
            numbering: None,
            supplement: typst::foundations::Content::default(),
            number: index as u64 + 1,
        }
    });
    PagedDocument::new(sheets.collect(), typst::model::Document::info(document).clone())
}

#[cfg(test)]
mod tests {
    use super::sides;

    #[test]
    fn eight_pages_fold_into_a_booklet() {
        let pages: Vec<[usize; 2]> =
            sides(8).into_iter().map(|side| side.map(|page| page.map_or(0, |page| page + 1))).collect();
        assert_eq!(pages, [[8, 1], [2, 7], [6, 3], [4, 5]]);
    }

    #[test]
    fn blank_pages_come_before_the_back_cover() {
        let pages: Vec<[usize; 2]> =
            sides(6).into_iter().map(|side| side.map(|page| page.map_or(0, |page| page + 1))).collect();
        assert_eq!(pages, [[6, 1], [2, 0], [0, 3], [4, 5]]);
        assert_eq!(sides(1), [[None, Some(0)], [None, None]]);
    }
}
