//! Bytes written as text.

use std::fmt::Write as _;

/// Bytes as lower-case hexadecimal digits, two a byte.
pub fn hexadecimal(bytes: &[u8]) -> String {
    bytes.iter().fold(String::with_capacity(bytes.len() * 2), |mut text, byte| {
        // Writing to a string does not fail.
        let _ = write!(text, "{byte:02x}");
        text
    })
}
