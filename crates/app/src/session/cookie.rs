//! The cookie `authToken`.

use axum::http::header::COOKIE;
use axum::http::{HeaderMap, HeaderValue};

use super::SESSION_S;
use crate::Settings;
use crate::token::Token;

/// Its name, as the specification has it.
pub const COOKIE_NAME: &str = "authToken";

/// The session cookie of a request.
pub enum Sent {
    /// There is no cookie.
    Nothing,
    /// There is one that cannot be a token.
    Malformed,
    /// A token, good or not.
    Token(Token),
}

/// The token a request came with.
pub fn read(headers: &HeaderMap) -> Sent {
    let found = value(headers, |name| name == COOKIE_NAME);
    found.map_or(Sent::Nothing, |text| Token::parse(text).map_or(Sent::Malformed, Sent::Token))
}

/// The value of the first cookie of a name that is not empty.
pub fn value(headers: &HeaderMap, is_wanted: impl Fn(&str) -> bool) -> Option<&str> {
    headers
        .get_all(COOKIE)
        .iter()
        .filter_map(|value| value.to_str().ok())
        .flat_map(|line| line.split(';'))
        .filter_map(|pair| pair.trim().split_once('='))
        .find(|(name, value)| is_wanted(name) && !value.is_empty())
        .map(|(_, value)| value)
}

/// The header that hands a token out.
pub fn give(token: &Token, settings: &Settings) -> HeaderValue {
    header(COOKIE_NAME, token.as_str(), "/", SESSION_S, settings)
}

/// The header that takes it back.
pub fn take_back(settings: &Settings) -> HeaderValue {
    header(COOKIE_NAME, "", "/", 0, settings)
}

/// The header that sets a cookie scripts cannot read.
pub fn header(name: &str, value: &str, path: &str, max_age_s: i64, settings: &Settings) -> HeaderValue {
    let secure = if settings.is_https() { "; Secure" } else { "" };
    let text = format!("{name}={value}; Path={path}; Max-Age={max_age_s}; HttpOnly; SameSite=Lax{secure}");
    HeaderValue::from_str(&text).expect("names and tokens are letters, digits and dashes")
}
