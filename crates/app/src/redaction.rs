//! What the log leaves out: tokens, keys and whole e-mail addresses. Request paths are shortened where they are logged
//! (`logged_path`); each line passes `RedactingWriter` on its way out, from whatever code it comes.

use std::borrow::Cow;
use std::io::{self, Write};

use domain::service_key::is_secret_name;

use crate::current_request;

/// Replaces the parts left out.
const LEFT_OUT: char = '…';
/// A run of letters and digits this long with a digit in it is taken for a token; real tokens have 64.
const TOKEN_CHARS: usize = 32;
/// How much of a token is shown, to distinguish two.
const SHOWN_CHARS: usize = 6;
/// In a path without a known route, a part this long is left out.
const LONG_PART_CHARS: usize = 16;

/// The path of a request as the log names it: of a known route (`/api/v1/uploads/{token}`) numbers stay, and whatever else
/// the caller put into the path is left out.
pub fn logged_path(path: &str, route: Option<&str>) -> String {
    let Some(route) = route else {
        let part = |part: &str| if part.chars().count() < LONG_PART_CHARS { part.to_owned() } else { LEFT_OUT.into() };
        return path.split('/').map(part).collect::<Vec<_>>().join("/");
    };
    let mut sent = path.split('/');
    let shown = route.split('/').map(|part| {
        let sent = sent.next().unwrap_or_default();
        if !part.contains('{') {
            return part.to_owned();
        }
        let is_number = !sent.is_empty() && sent.len() < 20 && sent.bytes().all(|byte| byte.is_ascii_digit());
        if is_number { sent.to_owned() } else { LEFT_OUT.into() }
    });
    shown.collect::<Vec<_>>().join("/")
}

/// An e-mail address that may be logged: `a…@exemple.fr`.
pub fn short_email(address: &str) -> String {
    redacted(address).into_owned()
}

/// A line with its tokens, keys and e-mail addresses shortened.
pub fn redacted(line: &str) -> Cow<'_, str> {
    if !line.contains(['@', '=']) && !has_long_run(line) {
        return Cow::Borrowed(line);
    }
    let mut out = String::with_capacity(line.len());
    let mut rest = line;
    while !rest.is_empty() {
        let word_end = rest.find(|c: char| !is_word(c)).unwrap_or(rest.len());
        if word_end == 0 {
            let mut chars = rest.chars();
            out.extend(chars.next());
            rest = chars.as_str();
            continue;
        }
        let (word, after) = rest.split_at(word_end);
        rest = after;
        let sign = after.chars().next();
        if sign == Some('@') && after[1..].starts_with(|c: char| c.is_alphanumeric() || c == '[') {
            // `user:password@host`: nothing of a password stays.
            if !out.ends_with([':', '/']) {
                out.extend(word.chars().next());
            }
            out.push(LEFT_OUT);
        } else if sign == Some('=') && is_secret_name(word) {
            let value = after[1..].trim_start_matches(['"', '\\']);
            let end = value.find(|c: char| c.is_whitespace() || "&\"'#,;)}\\".contains(c)).unwrap_or(value.len());
            out.push_str(word);
            out.push('=');
            if end > 0 {
                out.push(LEFT_OUT);
            }
            rest = &value[end..];
        } else {
            push_without_token(&mut out, word);
        }
    }
    Cow::Owned(out)
}

fn is_word(c: char) -> bool {
    c.is_alphanumeric() || matches!(c, '_' | '-' | '.' | '+' | '%' | '~')
}

fn is_token_char(c: char) -> bool {
    c.is_ascii_alphanumeric() || matches!(c, '_' | '-')
}

fn has_long_run(line: &str) -> bool {
    line.split(|c: char| !is_token_char(c)).any(is_token)
}

fn is_token(run: &str) -> bool {
    run.len() >= TOKEN_CHARS && run.bytes().any(|byte| byte.is_ascii_digit())
}

fn push_without_token(out: &mut String, word: &str) {
    for part in word.split_inclusive(|c: char| !is_token_char(c)) {
        let run = part.trim_end_matches(|c: char| !is_token_char(c));
        if is_token(run) {
            out.push_str(&run[..SHOWN_CHARS]);
            out.push(LEFT_OUT);
            out.push_str(&part[run.len()..]);
        } else {
            out.push_str(part);
        }
    }
}

/// A log line of the current request. The request's number is no token, even where it is as long (a proxy may give it).
fn redacted_of_request<'a>(line: &'a str, id: &str) -> Cow<'a, str> {
    if id.len() < TOKEN_CHARS || !line.contains(id) {
        return redacted(line);
    }
    line.split(id).map(redacted).collect::<Vec<_>>().join(id).into()
}

/// Writes lines with tokens, keys and e-mail addresses shortened. A subscriber writes each line in one piece.
#[derive(Debug)]
pub struct RedactingWriter<W>(pub W);

impl<W: Write> Write for RedactingWriter<W> {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        let line = String::from_utf8_lossy(bytes);
        self.0.write_all(redacted_of_request(&line, &current_request::id()).as_bytes())?;
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        self.0.flush()
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    const TOKEN: &str = "9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08";

    #[test]
    fn of_a_path_only_numbers_of_the_caller_are_logged() {
        let route = Some("/api/v1/uploads/{token}/parts/{id}");
        assert_eq!(logged_path("/api/v1/uploads/abc/parts/12", route), "/api/v1/uploads/…/parts/12");
        assert_eq!(logged_path("/api/v1/parcours", Some("/api/v1/parcours")), "/api/v1/parcours");
        assert_eq!(logged_path("/p/a/b/c.pdf", Some("/p/{*file}")), "/p/…");
        assert_eq!(logged_path(&format!("/mot-de-passe/{TOKEN}"), None), "/mot-de-passe/…");
        assert_eq!(logged_path("/parcours/12", None), "/parcours/12");
    }

    #[test]
    fn addresses_tokens_and_keys_are_shortened_in_a_line() {
        for (line, shown) in [
            ("mail to camille.roux@exemple.fr failed", "mail to c…@exemple.fr failed"),
            ("<\"élise+b@exemple.fr\">", "<\"é…@exemple.fr\">"),
            ("GET https://a.fr/x?apikey=abc&format=gtfs now", "GET https://a.fr/x?apikey=…&format=gtfs now"),
            ("token=\"abc\" other=1", "token=…\" other=1"),
            ("smtps://jalon:s3cret@mail.example:465", "smtps://jalon:…@mail.example:465"),
            ("id=0123456789abcdef took_ms=1.25", "id=0123456789abcdef took_ms=1.25"),
            ("a parcours without @ sign", "a parcours without @ sign"),
            (
                "api::translation::work a_name_that_is_long_and_has_no_digit_in_it",
                "api::translation::work a_name_that_is_long_and_has_no_digit_in_it",
            ),
        ] {
            assert_eq!(redacted(line), shown, "{line}");
        }
        assert_eq!(redacted(&format!("share {TOKEN} ({TOKEN}.pdf)")), "share 9f86d0… (9f86d0….pdf)");
        assert_eq!(short_email("camille@exemple.fr"), "c…@exemple.fr");
    }

    #[test]
    fn a_writer_shortens_whatever_passes() {
        let mut written = RedactingWriter(Vec::new());
        written.write_all(format!("mail to camille@exemple.fr, {TOKEN}\n").as_bytes()).unwrap();
        assert_eq!(String::from_utf8(written.0).unwrap(), "mail to c…@exemple.fr, 9f86d0…\n");
    }
}
