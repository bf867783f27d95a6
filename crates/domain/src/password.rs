//! What a password must be (CNIL deliberation 2022-100: 80 bits, or 14 characters; no common one).

use crate::common_passwords;

/// The fewest characters.
pub const MIN_PASSWORD_CHARS: usize = 12;
/// The most characters: refused beyond, never cut.
pub const MAX_PASSWORD_CHARS: usize = 256;
/// Bits of entropy asked of a password shorter than [`LONG_CHARS`].
const MIN_ENTROPY_BITS: f64 = 80.0;
/// From this length on a password needs no mix of kinds.
const LONG_CHARS: usize = 14;

/// Why a password is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PasswordFault {
    /// Fewer than 12 characters.
    TooShort,
    /// More than 256 characters.
    TooLong,
    /// Between 12 and 13 characters of too few kinds.
    TooSimple,
    /// A common word, a row of keys, the user's name, a password known from a breach.
    Common,
}

impl PasswordFault {
    /// The word sent to the client.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::TooShort => "too_short",
            Self::TooLong => "too_long",
            Self::TooSimple => "too_simple",
            Self::Common => "common",
        }
    }
}

/// Words that attackers try first. [`is_common`] removes them from a password and judges the rest.
const COMMON: &[&str] = &[
    "motdepasse",
    "password",
    "passw0rd",
    "azerty",
    "azertyuiop",
    "qwerty",
    "qwertyuiop",
    "qsdfghjklm",
    "asdfghjkl",
    "wxcvbn",
    "zxcvbnm",
    "bonjour",
    "soleil",
    "chocolat",
    "doudou",
    "loulou",
    "iloveyou",
    "jetaime",
    "welcome",
    "bienvenue",
    "admin",
    "administrateur",
    "administrator",
    "changeme",
    "changezmoi",
    "letmein",
    "princesse",
    "marseille",
    "football",
    "secret",
    "tourisme",
    "jalon",
    "parcours",
    "velo",
    "rando",
    "randonnee",
    "france",
    "123456789",
    "12345678",
    "1234567",
    "123456",
    "12345",
    "1234",
    "123",
    "987654321",
    "abcdef",
    "abc",
    "test",
];

/// Checks a password; `own_words` are the person's names and address, which it may not be made of.
pub fn check_password(password: &str, own_words: &[&str]) -> Result<(), PasswordFault> {
    let length = password.chars().count();
    if length < MIN_PASSWORD_CHARS {
        return Err(PasswordFault::TooShort);
    }
    if length > MAX_PASSWORD_CHARS {
        return Err(PasswordFault::TooLong);
    }
    if is_common(password, own_words) || is_listed(password) {
        return Err(PasswordFault::Common);
    }
    if length < LONG_CHARS && length as f64 * alphabet(password).log2() < MIN_ENTROPY_BITS {
        return Err(PasswordFault::TooSimple);
    }
    Ok(())
}

/// The number of characters a guesser must try for each place.
/// Signs count 40 (CNIL counts 12 characters of the four kinds as 80 bits); letters outside ASCII, 40 more.
fn alphabet(password: &str) -> f64 {
    let has = |kind: fn(char) -> bool| password.chars().any(kind);
    let kinds = [
        (has(|c| c.is_ascii_lowercase()), 26.0),
        (has(|c| c.is_ascii_uppercase()), 26.0),
        (has(|c| c.is_ascii_digit()), 10.0),
        (has(|c| c.is_ascii() && !c.is_ascii_alphanumeric()), 40.0),
        (has(|c| !c.is_ascii()), 40.0),
    ];
    kinds.into_iter().filter(|(there, _)| *there).map(|(_, size)| size).sum::<f64>().max(1.0)
}

/// Whether little is left of it without common words, the user's names, sequences of digits and repeated characters.
fn is_common(password: &str, own_words: &[&str]) -> bool {
    let joined = |text: &str| crate::fold(text).replace(' ', "");
    let plain = joined(password);
    let parts = own_words.iter().flat_map(|words| words.split(['@', '.', '-', ' ', '_']));
    let mut own: Vec<String> =
        own_words.iter().copied().chain(parts).map(joined).filter(|word| word.len() >= 3).collect();
    // "legoff" before "goff", which is a part of it.
    own.sort_by_key(|word| std::cmp::Reverse(word.len()));
    let mut rest = plain.clone();
    for word in own.iter().map(String::as_str).chain(COMMON.iter().copied()) {
        rest = rest.replace(word, "");
    }
    // Signs between such words, and a year beside them, are what attackers try first.
    let is_number = rest.bytes().all(|byte| byte.is_ascii_digit());
    let is_year = rest.len() == 4 && is_number && (rest.starts_with("19") || rest.starts_with("20"));
    let signs = if rest.is_empty() || is_year { 0 } else { password.chars().filter(|c| !c.is_alphanumeric()).count() };
    // A run such as "aaaa" or "4567" is worth its first character.
    let worth = rest.chars().zip(rest.chars().skip(1)).filter(|(a, b)| !follows(*a, *b)).count()
        + usize::from(!rest.is_empty());
    let distinct = plain.chars().collect::<std::collections::HashSet<_>>().len();
    distinct < 4 || worth + signs.min(4) < 6
}

/// A word of the list is accepted with at least this many digits and signs before and after it, added up.
const ENOUGH_AROUND: usize = 8;

/// Whether it is in the list of common and breached passwords, or is one word of the list with few digits and signs around it.
fn is_listed(password: &str) -> bool {
    let word = password.trim_matches(|c: char| !c.is_alphabetic());
    let around = password.chars().count() - word.chars().count();
    common_passwords::contains(password) || (around < ENOUGH_AROUND && common_passwords::contains(word))
}

const fn follows(a: char, b: char) -> bool {
    let step = b as i64 - a as i64;
    step >= -1 && step <= 1
}

#[cfg(test)]
mod tests {
    use super::*;

    fn judged(password: &str) -> Result<(), PasswordFault> {
        check_password(password, &["Camille", "Le Goff", "camille.legoff@morvan.example"])
    }

    #[test]
    fn a_long_sentence_or_a_mixed_twelve_passes() {
        for password in ["cheval agrafe pile", "T7#kw!mQz92&", "le vent tourne à gauche"] {
            assert_eq!(judged(password), Ok(()), "{password}");
        }
    }

    #[test]
    fn short_simple_and_endless_ones_are_distinguished() {
        assert_eq!(judged("T7#kw!mQz92"), Err(PasswordFault::TooShort));
        assert_eq!(judged("kwmqzxptrvbn"), Err(PasswordFault::TooSimple));
        assert_eq!(judged(&"xq7".repeat(100)), Err(PasswordFault::TooLong));
    }

    #[test]
    fn what_breaches_brought_to_light_is_refused_also_with_digits_around_it() {
        for password in [
            "1qaz2wsx3edc4rfv",
            "ghbdtnrfrltkf!1",
            "motherfucker",
            "Chickenwing101",
            "Chaussure-2026!",
            "!!Gouvernement-33",
        ] {
            assert_eq!(judged(password), Err(PasswordFault::Common), "{password}");
        }
        // A common word among others, or with enough around it, is accepted.
        for password in ["la chaussure du dimanche", "chaussure-8305-7719-2264"] {
            assert_eq!(judged(password), Ok(()), "{password}");
        }
    }

    #[test]
    fn what_everybody_tries_is_refused_however_long() {
        for password in [
            "motdepasse123",
            "MotDePasse2026!",
            "azertyuiop123456",
            "aaaaaaaaaaaaaaaa",
            "abcdefghijklmnop",
            "12345678901234567",
            "Camille.LeGoff123",
            "Camille Le Goff 2026",
            "Camille-LeGoff-1990!",
            "Jalon Parcours 2026",
            "Tourisme-Rando-2026",
            "PasswordPassword1",
        ] {
            assert_eq!(judged(password), Err(PasswordFault::Common), "{password}");
        }
    }
}
