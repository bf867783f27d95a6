//! Text as the search sees it: small letters without accents.

/// Small letters without accents, ligatures opened, anything else than letters and digits turned into one space.
///
/// Search compares folded text with folded words, on both databases alike.
pub fn fold(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for c in text.chars().flat_map(char::to_lowercase) {
        match c {
            // A combining accent belongs to the letter before it.
            '\u{300}'..='\u{36f}' => {}
            c if c.is_ascii_alphanumeric() => out.push(c),
            c => match unaccented(c) {
                Some(letters) => out.push_str(letters),
                None if c.is_alphanumeric() => out.push(c),
                None => {
                    if !out.is_empty() && !out.ends_with(' ') {
                        out.push(' ');
                    }
                }
            },
        }
    }
    out.truncate(out.trim_end().len());
    out
}

/// The plain letters of an accented Latin letter or ligature.
const fn unaccented(c: char) -> Option<&'static str> {
    Some(match c {
        'à' | 'á' | 'â' | 'ã' | 'ä' | 'å' | 'ā' | 'ă' | 'ą' => "a",
        'ç' | 'ć' | 'ĉ' | 'č' => "c",
        'ď' | 'đ' | 'ð' => "d",
        'è' | 'é' | 'ê' | 'ë' | 'ē' | 'ė' | 'ę' | 'ě' => "e",
        'ĝ' | 'ğ' | 'ģ' => "g",
        'ì' | 'í' | 'î' | 'ï' | 'ī' | 'į' | 'ı' => "i",
        'ł' | 'ĺ' | 'ļ' | 'ľ' => "l",
        'ñ' | 'ń' | 'ņ' | 'ň' => "n",
        'ò' | 'ó' | 'ô' | 'õ' | 'ö' | 'ø' | 'ō' | 'ő' => "o",
        'ŕ' | 'ř' => "r",
        'ś' | 'ŝ' | 'ş' | 'š' | 'ș' => "s",
        'ţ' | 'ť' | 'ț' => "t",
        'ù' | 'ú' | 'û' | 'ü' | 'ū' | 'ů' | 'ű' | 'ų' => "u",
        'ŵ' => "w",
        'ý' | 'ÿ' | 'ŷ' => "y",
        'ź' | 'ż' | 'ž' => "z",
        'œ' => "oe",
        'æ' => "ae",
        'ß' => "ss",
        'þ' => "th",
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn accents_capitals_ligatures_and_punctuation_do_not_count() {
        assert_eq!(fold("  L’Œuvre d’Été, à VÉLO ! "), "l oeuvre d ete a velo");
        assert_eq!(fold("Vélo"), fold("Ve\u{301}lo"));
        assert_eq!(fold("GR 34 – Île-d'Ys"), "gr 34 ile d ys");
        assert_eq!(fold("…"), "");
    }
}
