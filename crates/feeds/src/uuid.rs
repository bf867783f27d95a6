//! Numbers that are unique in the world, for dialects that ask for them.

use domain::hexadecimal;
use sha2::{Digest, Sha256};

/// The UUID of something of this server, always the same: version 8 of RFC 9562, from the SHA-256 of an address. `base` is
/// where the server was first: another address today changes no UUID.
pub fn uuid(base: &str, kind: &str, id: i64) -> String {
    let hash = Sha256::digest(format!("{base}/{kind}/{id}"));
    let mut bytes = [0_u8; 16];
    bytes.copy_from_slice(&hash[..16]);
    bytes[6] = bytes[6] & 0x0f | 0x80;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let hex = hexadecimal(&bytes);
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn it_is_always_the_same_and_another_for_each() {
        let one = uuid("https://jalon.example", "parcours", 1);
        assert_eq!(one, uuid("https://jalon.example", "parcours", 1));
        assert_ne!(one, uuid("https://jalon.example", "poi", 1));
        assert_ne!(one, uuid("https://other.example", "parcours", 1));
        assert_eq!((one.len(), &one[14..15]), (36, "8"));
    }
}
