//! E-mail addresses.

use unicode_normalization::UnicodeNormalization as _;

/// The most bytes of an address (RFC 5321, 4.5.3.1.3 without its brackets).
const MAX_BYTES: usize = 254;
/// The most bytes of the part before the @ (RFC 5321, 4.5.3.1.1).
const MAX_NAME_BYTES: usize = 64;
/// The most bytes of a part of a host between two points (RFC 1035, 2.3.4).
const MAX_LABEL_BYTES: usize = 63;
/// The signs that a name may have beside letters and digits (`atext` of RFC 5322, 3.2.3).
const NAME_SIGNS: &str = "!#$%&'*+-/=?^_`{|}~";

/// The stored and compared form of an e-mail address: trimmed, in small letters, composed (NFC). None when no mail can be sent to it, or when
/// it looks like another address: it has invisible characters, or forms of letters and digits that are kept for compatibility alone.
pub fn normalise_email(typed: &str) -> Option<String> {
    // Small letters before and after: a few letters have them in their composed form alone.
    let email = composed(&composed(&typed.trim().to_lowercase()).to_lowercase());
    let (name, host) = email.rsplit_once('@')?;
    let is_whole = email.len() <= MAX_BYTES && name.len() <= MAX_NAME_BYTES;
    let is_name = name.split('.').all(|part| !part.is_empty() && part.chars().all(|c| is_letter(c) || is_name_sign(c)));
    let is_host = host.contains('.') && host.split('.').all(is_label);
    let is_plain = is_whole && is_name && is_host && email.nfkc().eq(email.chars());
    is_plain.then_some(email)
}

/// The addresses of accounts that a typed one may mean: as it was typed, trimmed and in small letters, and its composed form where that is
/// another. Accounts made before [`normalise_email`] composed addresses have them as they were typed. Empty when it cannot be an address.
pub fn typed_emails(typed: &str) -> Vec<String> {
    let email = typed.trim().to_lowercase();
    let has_host = email.rsplit_once('@').is_some_and(|(name, host)| !name.is_empty() && host.contains('.'));
    if !has_host || email.len() > MAX_BYTES || email.chars().any(char::is_control) {
        return Vec::new();
    }
    let mut found = vec![email];
    found.extend(normalise_email(typed).filter(|normal| *normal != found[0]));
    found
}

/// A text with its letters and their accents composed (NFC): texts that look the same and differ in this alone become one.
pub fn composed(text: &str) -> String {
    text.nfc().collect()
}

fn is_name_sign(c: char) -> bool {
    NAME_SIGNS.contains(c)
}

fn is_label(label: &str) -> bool {
    let is_end = |c: Option<char>| c.is_some_and(is_letter);
    label.len() <= MAX_LABEL_BYTES
        && is_end(label.chars().next())
        && is_end(label.chars().next_back())
        && label.chars().all(|c| is_letter(c) || c == '-')
}

/// Whether a character is a letter or a digit of any script, and visible: the fillers of Korean and the vowels of Khmer that are not shown
/// count as letters.
fn is_letter(c: char) -> bool {
    c.is_alphanumeric() && !matches!(c, '\u{115f}' | '\u{1160}' | '\u{17b4}' | '\u{17b5}' | '\u{3164}' | '\u{ffa0}')
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_small_letters() {
        assert_eq!(normalise_email(" Camille@Morvan.Example "), Some("camille@morvan.example".to_owned()));
        for wrong in ["", "camille", "@morvan.fr", "camille@", "camille@morvan", "a b@c.fr", "a@b..fr", "a<b>@c.fr"] {
            assert_eq!(normalise_email(wrong), None, "{wrong}");
        }
    }

    #[test]
    fn what_no_mail_reaches_is_no_address() {
        for wrong in [
            ".a@b.fr",
            "a.@b.fr",
            "a..b@c.fr",
            "a@b@c.fr",
            "a@-b.fr",
            "a@b-.fr",
            "a@b_c.fr",
            "a@b!c.fr",
            "a@.fr",
            "a@b.",
        ] {
            assert_eq!(normalise_email(wrong), None, "{wrong}");
        }
        let long = |name: usize, label: usize| format!("{}@{}.fr", "a".repeat(name), "b".repeat(label));
        assert!(normalise_email(&long(64, 63)).is_some());
        assert_eq!(normalise_email(&long(65, 3)), None);
        assert_eq!(normalise_email(&long(3, 64)), None);
        assert_eq!(normalise_email(&format!("{}é@b.fr", "a".repeat(63))), None, "bytes count, not letters");
        assert_eq!(normalise_email(&format!("a@{}fr", "bbbbbbbbb.".repeat(26))), None);
        for right in ["o'neil+jalon@b.fr", "a.b-c_d@b-c.co.uk", "zoé@forêt.example", "a@1.example", "имя@почта.рф"]
        {
            assert_eq!(normalise_email(right).as_deref(), Some(right));
        }
    }

    #[test]
    fn addresses_that_look_the_same_are_one_or_refused() {
        assert_eq!(normalise_email("zoe\u{301}@b.fr"), normalise_email("zoé@b.fr"));
        // Zero width space and joiner, soft hyphen, direction marks, byte order mark, a selector of variants, a tag, a Korean filler.
        for hidden in [
            '\u{200b}',
            '\u{200d}',
            '\u{ad}',
            '\u{200e}',
            '\u{202e}',
            '\u{2066}',
            '\u{feff}',
            '\u{fe0f}',
            '\u{e0061}',
            '\u{34f}',
            '\u{180e}',
            '\u{115f}',
            '\u{1160}',
            '\u{3164}',
            '\u{ffa0}',
            '\u{17b4}',
            '\u{a0}',
            '\u{2028}',
            '\u{7f}',
        ] {
            assert_eq!(normalise_email(&format!("cam{hidden}ille@b.fr")), None, "{hidden:?}");
            assert_eq!(normalise_email(&format!("camille@b{hidden}c.fr")), None, "{hidden:?}");
        }
        for wide in ["ａ@b.fr", "a@ｂ.fr", "ﬁ@b.fr", "a²@b.fr", "a@b。fr", "a＠b.fr"] {
            assert_eq!(normalise_email(wide), None, "{wide}");
        }
    }

    #[test]
    fn a_normal_address_is_its_own_normal_form() {
        for typed in ["ZOE\u{301}@B.fr", "İ@b.fr", "ΟΔΟΣ@b.fr", "ẞ@b.fr", "\u{1e9b}\u{323}@b.fr", "\u{345}a@b.fr"]
        {
            if let Some(normal) = normalise_email(typed) {
                assert_eq!(normalise_email(&normal).as_ref(), Some(&normal), "{typed}");
            }
        }
    }

    #[test]
    fn an_account_is_found_as_it_was_stored_and_in_its_composed_form() {
        assert_eq!(typed_emails(" A@B.fr "), ["a@b.fr"]);
        assert_eq!(typed_emails("Zoe\u{301}@b.fr"), ["zoe\u{301}@b.fr", "zoé@b.fr"]);
        assert_eq!(typed_emails("a..b@c.fr"), ["a..b@c.fr"], "no longer accepted, and stored by an older version");
        assert!(typed_emails("a\0@b.fr").is_empty() && typed_emails("a@b").is_empty());
    }
}
