//! The public key in the pages of a white-label's partners: `w12-<signature>`.
//!
//! It is derived from the server's own key, so it is stored nowhere and always the same. It opens what the widget shows, from the
//! allowed sites only, and nothing else: to withdraw access, remove the site. Decision 0021.

use app::seal::ServerKey;

/// The key of a white-label's pages.
pub fn of(server: &ServerKey, white_label: i64) -> String {
    format!("w{white_label}-{}", server.sign(&name(white_label)))
}

/// The signed text for a white-label.
fn name(white_label: i64) -> String {
    format!("widget/{white_label}")
}

/// Whether a text has the form of one, ours or not.
pub(super) fn is_one(sent: &str) -> bool {
    parts(sent).is_some()
}

/// The white-label of a key that this server made.
pub(super) fn white_label(server: &ServerKey, sent: &str) -> Option<i64> {
    let (white_label, signature) = parts(sent)?;
    let is_ours = sent == format!("w{white_label}-{signature}") && server.verifies(&name(white_label), signature);
    is_ours.then_some(white_label)
}

fn parts(sent: &str) -> Option<(i64, &str)> {
    let (number, signature) = sent.strip_prefix('w')?.split_once('-')?;
    let known = signature.len() == 32 && signature.bytes().all(|digit| digit.is_ascii_hexdigit());
    number.parse().ok().filter(|number: &i64| known && *number > 0).map(|number| (number, signature))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_a_key_of_this_server_and_of_this_white_label_is_taken() {
        let server = ServerKey::random();
        let key = of(&server, 12);
        assert_eq!(white_label(&server, &key), Some(12));
        assert_eq!(white_label(&ServerKey::random(), &key), None);
        assert_eq!(white_label(&server, &key.replace("w12-", "w13-")), None);
        for other in ["", "w", "w12", "w-", "w12-", "w012-0", "12-abc", &key.to_uppercase(), &"0".repeat(64)] {
            assert_eq!(white_label(&server, other), None, "{other}");
        }
        assert!(is_one(&key) && !is_one("w12-"));
    }
}
