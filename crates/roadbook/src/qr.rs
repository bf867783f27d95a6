//! QR codes as pictures: level M, four modules of margin.

use fast_qr::ECL;
use fast_qr::qr::QRBuilder;

/// Longest link that is still read from a folded page by a phone at arm's length.
const MAX_LINK_BYTES: usize = 300;
const MARGIN: usize = 4;

/// The code of a link; none where it is empty or too long to be read from paper.
pub(crate) fn svg(link: &str) -> Option<String> {
    if link.is_empty() || link.len() > MAX_LINK_BYTES {
        return None;
    }
    let code = QRBuilder::new(link).ecl(ECL::M).build().ok()?;
    let side = code.size + 2 * MARGIN;
    let mut path = String::new();
    for (y, row) in (0..code.size).map(|y| (y, &code[y])) {
        let mut x = 0;
        while x < code.size {
            let start = x;
            while x < code.size && row[x].value() {
                x += 1;
            }
            if x > start {
                path.push_str(&format!("M{} {}h{}v1h-{}z", start + MARGIN, y + MARGIN, x - start, x - start));
            }
            x += 1;
        }
    }
    Some(format!(
        "<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 {side} {side}'><rect width='{side}' height='{side}' fill='#fff'/><path d='{path}'/></svg>"
    ))
}

#[cfg(test)]
mod tests {
    use super::svg;

    #[test]
    fn a_link_becomes_a_square_of_paths() {
        let code = svg("https://jalon.example/p/lac").expect("a code");
        assert!(code.contains("viewBox='0 0 33 33'") || code.contains("viewBox='0 0 37 37'"), "{}", &code[..120]);
        assert_eq!((svg(""), svg(&"x".repeat(400))), (None, None));
    }
}
