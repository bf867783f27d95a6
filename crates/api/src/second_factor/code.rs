//! The codes of the telephone: six figures, another every thirty seconds.

use std::fmt::Write as _;

use app::problem::Internal;
use app::qr::svg;
use app::random::random_bytes;
use domain::Instant;
use fast_qr::ECL;
use fast_qr::qr::QRBuilder;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use totp_rs::{Algorithm, Builder, Totp};

/// What every telephone understands: SHA-1, six figures, thirty seconds.
const DIGITS: u8 = 6;
const STEP_S: u64 = 30;
/// A clock may be one step off, and a code still be on its way.
const SKEW_STEPS: u16 = 1;
/// As RFC 4226 recommends.
const SECRET_BYTES: usize = 20;
/// Under what name the telephone shows the account.
const ISSUER: &str = "Jalon";

/// A secret that is offered, and the ways to enter it into a telephone.
pub(crate) struct Offer {
    /// The secret itself.
    pub bytes: [u8; SECRET_BYTES],
}

impl Offer {
    /// A new one.
    ///
    /// # Panics
    /// When the system has no randomness, without which nothing is safe.
    pub fn random() -> Self {
        Self { bytes: random_bytes() }
    }

    /// For who types: Base32.
    pub fn typed(&self) -> String {
        totp(&self.bytes).secret().to_base32()
    }

    /// For the telephone: `otpauth://totp/…`.
    pub fn uri(&self, email: &str) -> String {
        let mut uri = format!("otpauth://totp/{ISSUER}:{}", utf8_percent_encode(email, NON_ALPHANUMERIC));
        // Writing to a string does not fail.
        let _ = write!(uri, "?secret={}&issuer={ISSUER}&algorithm=SHA1&digits={DIGITS}&period={STEP_S}", self.typed());
        uri
    }

    /// For its camera.
    pub fn qr_svg(&self, email: &str) -> Result<String, Internal> {
        let code = QRBuilder::new(self.uri(email)).ecl(ECL::M).build();
        Ok(svg(&code.map_err(|error| Internal::new(error.to_string()))?, None))
    }
}

/// The six figures of what was typed, spaces aside. None when it is something else.
pub(super) fn parse(typed: &str) -> Option<String> {
    let figures: String = typed.chars().filter(|c| !c.is_whitespace()).collect();
    (figures.len() == usize::from(DIGITS) && figures.bytes().all(|b| b.is_ascii_digit())).then_some(figures)
}

/// The step (thirty seconds since 1970) whose code this is: the present one, the one before, the one after.
pub(crate) fn step_of(secret: &[u8], code: &str, now: Instant) -> Option<i64> {
    let now_s = u64::try_from(now.0).ok()?;
    totp(secret).check(code, now_s).and_then(|step| i64::try_from(step).ok())
}

fn totp(secret: &[u8]) -> Totp {
    Builder::new()
        .with_algorithm(Algorithm::SHA1)
        .with_digits(DIGITS)
        .with_step_duration(STEP_S)
        .with_skew(SKEW_STEPS)
        .with_secret(secret.to_vec())
        .build_noncompliant()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The secret of RFC 6238, appendix B; its codes are the last six figures of the eight given there.
    const SECRET: &[u8] = b"12345678901234567890";

    #[test]
    fn codes_are_those_of_the_standard() {
        for (time, code) in
            [(59, "287082"), (1_111_111_109, "081804"), (1_234_567_890, "005924"), (20_000_000_000, "353130")]
        {
            assert_eq!(step_of(SECRET, code, Instant(time)), Some(time / 30), "{time}");
        }
    }

    #[test]
    fn a_code_is_valid_one_step_before_and_after_its_time() {
        let steps: Vec<i64> =
            (-3..=3).filter(|off| step_of(SECRET, "287082", Instant(59 + off * 30)).is_some()).collect();
        assert_eq!(steps, [-1, 0, 1]);
        assert_eq!(step_of(SECRET, "287082", Instant(89)), Some(1), "the step is the code's own");
    }

    #[test]
    fn six_figures_are_a_code_with_or_without_spaces() {
        assert_eq!(parse(" 123 456 ").as_deref(), Some("123456"));
        for other in ["", "12345", "1234567", "12345a", "१२३४५६"] {
            assert_eq!(parse(other), None, "{other}");
        }
    }

    #[test]
    fn the_address_for_the_telephone_names_the_account() {
        let offer = Offer { bytes: SECRET.try_into().unwrap_or_default() };
        assert_eq!(offer.typed(), "GEZDGNBVGY3TQOJQGEZDGNBVGY3TQOJQ");
        let uri = offer.uri("camille+a@morvan.example");
        assert!(uri.starts_with("otpauth://totp/Jalon:camille%2Ba%40morvan%2Eexample?secret=GEZDGNBV"), "{uri}");
        assert!(uri.ends_with("&issuer=Jalon&algorithm=SHA1&digits=6&period=30"), "{uri}");
        assert!(offer.qr_svg("camille@morvan.example").is_ok_and(|svg| svg.starts_with("<svg")));
    }
}
