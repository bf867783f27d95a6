//! Keys of outside services: the server a key was entered for, and addresses that hold a key in clear. Pure.

/// Replaces the key in an address; the key is encrypted and stored apart.
pub const PLACEHOLDER: &str = "[CLE]";
/// The same as a browser writes it into an address.
const ENCODED_PLACEHOLDER: &str = "%5BCLE%5D";

/// Names of query parameters that carry a secret, in small letters without `-` and `_`.
const SECRET_PARAMETERS: [&str; 21] = [
    "key",
    "apikey",
    "appkey",
    "authkey",
    "accesskey",
    "licensekey",
    "subscriptionkey",
    "xapikey",
    "token",
    "accesstoken",
    "authtoken",
    "apitoken",
    "auth",
    "password",
    "passwd",
    "pwd",
    "pass",
    "secret",
    "clientsecret",
    "sig",
    "signature",
];

/// Scheme, host and port of an address, in small letters and with the port written out: `https://api.example:443`.
/// Empty for a text that is not a web address, also for an empty text.
pub fn origin(url: &str) -> String {
    let Some((scheme, rest)) = url.split_once("://") else { return String::new() };
    let scheme = scheme.to_ascii_lowercase();
    let usual_port = match scheme.as_str() {
        "https" => "443",
        "http" => "80",
        _ => return String::new(),
    };
    let authority = rest.split(['/', '?', '#', '\\']).next().unwrap_or_default();
    let authority = authority.rsplit('@').next().unwrap_or_default().to_ascii_lowercase();
    // The colons of an IPv6 address are inside its brackets.
    let after_brackets = authority.rfind(']').map_or(0, |at| at + 1);
    let (host, port) = match authority[after_brackets..].rfind(':') {
        Some(at) => (&authority[..after_brackets + at], &authority[after_brackets + at + 1..]),
        None => (authority.as_str(), ""),
    };
    let host = host.strip_suffix('.').unwrap_or(host);
    if host.is_empty() {
        return String::new();
    }
    format!("{scheme}://{host}:{}", if port.is_empty() { usual_port } else { port })
}

/// Whether the address of an origin is asked without encryption.
pub fn is_plain_http(url: &str) -> bool {
    url.get(..7).is_some_and(|start| start.eq_ignore_ascii_case("http://"))
}

/// Whether an address has the placeholder of the key.
pub fn has_placeholder(address: &str) -> bool {
    address.contains(PLACEHOLDER) || address.contains(ENCODED_PLACEHOLDER)
}

/// An address with the key in its place, percent-encoded.
pub fn with_key(address: &str, key: &str) -> String {
    address.replace(ENCODED_PLACEHOLDER, PLACEHOLDER).replace(PLACEHOLDER, &percent_encoded(key))
}

/// An address without the key, as it may be stored: a source may repeat the key in the address of its next page.
pub fn without_key(address: &str, key: &str) -> String {
    if key.is_empty() {
        return address.to_owned();
    }
    address.replace(&percent_encoded(key), PLACEHOLDER).replace(key, PLACEHOLDER)
}

/// Percent-encoded, as a value of a query.
pub fn percent_encoded(words: &str) -> String {
    let kept = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'.' | b'_' | b'~');
    words.bytes().map(|byte| if kept(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") }).collect()
}

/// The name of the part of an address with a key in clear: a parameter of its query, a field of the JSON that Apidae takes in
/// `query`, or the part before `@`. `None` where there is no such key, or only the placeholder.
pub fn secret_in(address: &str) -> Option<String> {
    let authority = address.split_once("://").map_or("", |(_, rest)| rest.split(['/', '?', '#']).next().unwrap_or(""));
    if let Some((user, _)) = authority.rsplit_once('@') {
        return Some(format!("{}@", user.split(':').next().unwrap_or_default()));
    }
    let (_, query) = address.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    query.split('&').find_map(|pair| {
        let (name, value) = pair.split_once('=')?;
        let (name, value) = (decoded(name), decoded(value));
        if is_secret_name(&name) && is_secret_value(&value) {
            return Some(name.chars().take(40).collect());
        }
        secret_field(&value)
    })
}

/// Whether a parameter of this name usually carries a secret.
pub fn is_secret_name(name: &str) -> bool {
    let bare: String = name.chars().filter(char::is_ascii_alphanumeric).collect();
    SECRET_PARAMETERS.contains(&bare.to_ascii_lowercase().as_str())
}

fn is_secret_value(value: &str) -> bool {
    !value.is_empty() && value != PLACEHOLDER
}

/// The field of a JSON object in a query that contains a secret.
fn secret_field(value: &str) -> Option<String> {
    if !value.trim_start().starts_with('{') {
        return None;
    }
    let object: serde_json::Map<String, serde_json::Value> = serde_json::from_str(value).ok()?;
    object.into_iter().find_map(|(name, value)| {
        let held = value.as_str().is_none_or(is_secret_value);
        (is_secret_name(&name) && held).then(|| name.chars().take(40).collect())
    })
}

/// A part of a query without its percent signs; bytes that are no text become `?`, which is enough to compare.
fn decoded(part: &str) -> String {
    let bytes = part.as_bytes();
    let mut read = Vec::with_capacity(bytes.len());
    let mut at = 0;
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| part.get(at + 1..at + 3)).flatten();
        if let Some(byte) = code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            read.push(byte);
            at += 3;
        } else {
            read.push(if bytes[at] == b'+' { b' ' } else { bytes[at] });
            at += 1;
        }
    }
    String::from_utf8_lossy(&read).into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_origin_is_scheme_host_and_port() {
        for (url, expected) in [
            ("https://API.example/v2?x", "https://api.example:443"),
            ("HTTPS://api.example.:443", "https://api.example:443"),
            ("http://api.example", "http://api.example:80"),
            ("http://[::1]:5000/translate", "http://[::1]:5000"),
            ("https://[::1]/", "https://[::1]:443"),
            ("https://api.example:8443", "https://api.example:8443"),
            ("https://api.example@pirate.example/", "https://pirate.example:443"),
            ("", ""),
            ("ftp://api.example", ""),
            ("https:///v2", ""),
        ] {
            assert_eq!(origin(url), expected, "{url}");
        }
        assert_ne!(origin("https://api.example"), origin("http://api.example"));
        assert!(is_plain_http("HTTP://a.fr") && !is_plain_http("https://a.fr") && !is_plain_http("é"));
    }

    #[test]
    fn a_key_in_an_address_is_found_under_its_usual_names() {
        for (address, expected) in [
            ("https://a.fr/x?format=gtfs&apikey=abc", Some("apikey")),
            ("https://a.fr/x?API_Key=abc", Some("API_Key")),
            ("https://a.fr/x?api%5Fkey=abc", Some("api_key")),
            ("https://a.fr/x?access-token=abc#y", Some("access-token")),
            ("https://a.fr/?query=%7B%22apiKey%22%3A%22abc%22%7D", Some("apiKey")),
            ("https://moi:secret@a.fr/x", Some("moi@")),
            ("https://a.fr/x?apikey=[CLE]", None),
            ("https://a.fr/x?apikey=%5BCLE%5D", None),
            ("https://a.fr/?query=%7B%22apiKey%22%3A%22%5BCLE%5D%22%7D", None),
            ("https://a.fr/x?apikey=", None),
            ("https://a.fr/x?keyword=lac&portals=2", None),
            ("https://a.fr/x?%zz=%", None),
            ("https://a.fr/", None),
        ] {
            assert_eq!(secret_in(address).as_deref(), expected, "{address}");
        }
    }

    #[test]
    fn the_key_goes_into_its_place_and_out_of_what_is_stored() {
        let address = "https://a.fr/[CLE]/x?k=%5BCLE%5D";
        assert!(has_placeholder(address) && !has_placeholder("https://a.fr"));
        assert_eq!(with_key(address, "k/1"), "https://a.fr/k%2F1/x?k=k%2F1");
        assert_eq!(without_key("https://a.fr/k%2F1/x?k=k/1", "k/1"), "https://a.fr/[CLE]/x?k=[CLE]");
        assert_eq!(without_key("https://a.fr/", ""), "https://a.fr/");
    }
}
