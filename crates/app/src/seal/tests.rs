use std::sync::{Arc, Mutex};

use super::*;

const HERE: &str = "https://api.example:443";

#[test]
fn a_secret_opens_where_it_was_sealed_and_nowhere_else() {
    let key = ServerKey::random();
    let sealed = key.seal(Place::TranslationKey(3, HERE), b"clef");
    assert_eq!(key.open(Place::TranslationKey(3, HERE), &sealed).unwrap(), b"clef");
    let elsewhere = Err(DoesNotOpen::Elsewhere);
    assert_eq!(key.open(Place::TranslationKey(4, HERE), &sealed), elsewhere, "another white-label's");
    assert_eq!(key.open(Place::SitCredential(3, HERE), &sealed), elsewhere, "another secret");
    for moved in ["https://pirate.example:443", "http://api.example:443", "https://api.example:8443", ""] {
        assert_eq!(key.open(Place::TranslationKey(3, moved), &sealed), elsewhere, "{moved}");
    }
    let other = ServerKey::random().open(Place::TranslationKey(3, HERE), &sealed);
    assert_eq!(other, Err(DoesNotOpen::OtherKey(key.ring().current.id())), "another key, named");
}

#[test]
fn what_was_altered_or_cut_does_not_open() {
    let key = ServerKey::random();
    let sealed = key.seal(Place::Totp(1), b"clef");
    for at in 0..sealed.len() {
        let mut altered = sealed.clone();
        altered[at] ^= 1;
        assert!(key.open(Place::Totp(1), &altered).is_err(), "byte {at}");
        assert!(key.open(Place::Totp(1), &sealed[..at]).is_err(), "{at} bytes of it");
    }
}

#[test]
fn the_same_secret_never_looks_the_same_and_is_not_in_what_is_kept() {
    let key = ServerKey::random();
    let [one, other] = [(); 2].map(|()| key.seal(Place::Totp(1), b"une clef assez longue"));
    assert_ne!(one, other);
    assert!(!one.windows(4).any(|part| part == b"clef"));
}

#[test]
fn a_key_is_64_hexadecimal_digits() {
    let key = SecretKey::random();
    let sealed = ServerKey::new(key.clone()).seal(Place::Totp(1), b"clef");
    let read = ServerKey::parse(&format!("{}\n", key.to_text())).unwrap();
    assert_eq!(read.open(Place::Totp(1), &sealed).unwrap(), b"clef");
    for wrong in ["", "abc", &"g".repeat(64), &"é".repeat(32), &"+1".repeat(32)] {
        assert_eq!(ServerKey::parse(wrong).err(), Some(NoKey), "{wrong}");
    }
    assert_eq!((format!("{read:?}"), format!("{key:?}")), ("ServerKey(…)".into(), "SecretKey(…)".into()));
}

/// HKDF-SHA256 without salt, worked out with HMAC as RFC 5869 says.
#[test]
fn sealing_and_signing_keys_are_derived_apart() {
    use hmac::{Hmac, KeyInit, Mac};
    use sha2::Sha256;
    let hmac = |key: &[u8], words: &[u8]| -> Vec<u8> {
        let mut mac = <Hmac<Sha256> as KeyInit>::new_from_slice(key).unwrap();
        mac.update(words);
        mac.finalize().into_bytes().to_vec()
    };
    let master = [0x5e; KEY_BYTES];
    let key = ServerKey::parse(&"5e".repeat(KEY_BYTES)).unwrap();
    let extracted = hmac(&[0; 32], &master);
    let signing = hmac(&extracted, b"jalon/v2/sign\x01");
    assert_eq!(key.sign("widget/1"), domain::hexadecimal(&hmac(&signing, b"widget/1")[..16]));
    assert_ne!(key.sign("widget/1"), key.sign_underived("widget/1"));
    let sealed = key.seal(Place::Totp(1), b"clef");
    assert_eq!(sealed[..9], [&[2], &hmac(&extracted, b"jalon/v2/key-id\x01")[..8]].concat()[..]);
}

#[test]
fn what_the_version_before_sealed_and_signed_still_holds() {
    let key = ServerKey::random();
    let sealed = key.seal_unbound(Place::SitCredential(1, HERE), b"clef");
    assert_eq!(key.open(Place::SitCredential(1, HERE), &sealed).unwrap(), b"clef");
    assert_eq!(key.open(Place::SitCredential(2, HERE), &sealed), Err(DoesNotOpen::NoKeyOpens));
    assert!(!key.is_current(&sealed) && key.is_current(&key.seal(Place::Totp(1), b"clef")));
    assert!(key.verifies("widget/1", &key.sign_underived("widget/1")));
    assert!(key.verifies("widget/1", &key.sign("widget/1")));
    for wrong in [key.sign("widget/2"), key.sign("widget/1").to_uppercase(), String::new(), "0".repeat(32)] {
        assert!(!key.verifies("widget/1", &wrong), "{wrong}");
    }
}

#[test]
fn an_old_key_opens_and_verifies_and_does_not_seal() {
    let [old, new] = [(); 2].map(|()| SecretKey::random());
    let before = ServerKey::new(old.clone());
    let sealed = before.seal(Place::Totp(1), b"clef");
    let after = ServerKey::of(KeyRing { current: new.clone(), old: vec![old.clone()] }, None);
    assert_eq!(after.open(Place::Totp(1), &sealed).unwrap(), b"clef");
    assert!(after.verifies("widget/1", &before.sign("widget/1")) && !after.is_current(&sealed));
    assert_eq!(ServerKey::id_of(&after.seal(Place::Totp(1), b"clef")), Some(new.id()));
    let without = ServerKey::new(new).open(Place::Totp(1), &sealed);
    assert_eq!(without, Err(DoesNotOpen::OtherKey(old.id())), "it says which key is missing");
}

#[test]
fn a_server_that_runs_takes_the_new_key_up_when_it_meets_it() {
    let [old, new] = [(); 2].map(|()| SecretKey::random());
    let file = Arc::new(Mutex::new(KeyRing { current: old.clone(), old: Vec::new() }));
    let read = Arc::clone(&file);
    let running =
        ServerKey::of(file.lock().unwrap().clone(), Some(Arc::new(move || read.lock().ok().map(|ring| ring.clone()))));
    let before = running.seal(Place::Totp(1), b"clef");
    *file.lock().unwrap() = KeyRing { current: new.clone(), old: vec![old] };
    let sealed = ServerKey::new(new.clone()).seal(Place::Totp(2), b"autre");
    assert_eq!(running.open(Place::Totp(2), &sealed).unwrap(), b"autre");
    assert_eq!(running.open(Place::Totp(1), &before).unwrap(), b"clef");
    assert_eq!(ServerKey::id_of(&running.seal(Place::Totp(1), b"clef")), Some(new.id()), "and seals with it");
}

#[test]
fn a_key_is_entered_for_an_address_that_is_encrypted_or_private() {
    let code = |origin, private| origin_fault(origin, private).map(|fault| fault.code);
    assert_eq!(code("https://a.fr:443", false), None);
    assert_eq!(code("service:deepl", false), None);
    assert_eq!(code("http://a.fr:80", true), None, "each connection is judged where it is made");
    assert_eq!(code("http://a.fr:80", false), Some("service-key/https-required"));
    assert_eq!(code("", true), Some("service-key/address-first"));
}
