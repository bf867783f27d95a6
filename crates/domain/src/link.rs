//! Addresses typed by a person: the scheme and the host.

/// Why an address is refused.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum LinkFault {
    /// Not an address.
    Invalid,
    /// Another scheme than http or https.
    Scheme,
    /// Longer than 2,000 characters.
    TooLong,
}

impl LinkFault {
    /// The stable code.
    pub const fn code(self) -> &'static str {
        match self {
            Self::Invalid => "validation/url-invalid",
            Self::Scheme => "validation/url-scheme",
            Self::TooLong => "validation/too-long",
        }
    }
}

/// The most characters an address may have.
pub const MAX_LINK_CHARS: usize = 2_000;

/// Checks an address of the web.
pub fn check_link(url: &str) -> Result<(), LinkFault> {
    if url.chars().count() > MAX_LINK_CHARS {
        return Err(LinkFault::TooLong);
    }
    let (scheme, rest) = url.split_once(':').ok_or(LinkFault::Invalid)?;
    let is_scheme = scheme.starts_with(|c: char| c.is_ascii_alphabetic())
        && scheme.chars().all(|c| c.is_ascii_alphanumeric() || "+-.".contains(c));
    if !is_scheme {
        return Err(LinkFault::Invalid);
    }
    if !scheme.eq_ignore_ascii_case("http") && !scheme.eq_ignore_ascii_case("https") {
        return Err(LinkFault::Scheme);
    }
    let rest = rest.strip_prefix("//").ok_or(LinkFault::Invalid)?;
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    if !is_authority(authority) || url.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\"\\^`{|}".contains(c))
    {
        return Err(LinkFault::Invalid);
    }
    Ok(())
}

/// A host name or an address, with an optional port; no user name, which is how addresses deceive.
fn is_authority(authority: &str) -> bool {
    if authority.contains('@') {
        return false;
    }
    if let Some(rest) = authority.strip_prefix('[') {
        let Some((inside, port)) = rest.split_once(']') else { return false };
        return inside.parse::<std::net::Ipv6Addr>().is_ok() && (port.is_empty() || is_port(port));
    }
    let (name, port) = match authority.find(':') {
        Some(at) => authority.split_at(at),
        None => (authority, ""),
    };
    let label = |part: &str| {
        !part.is_empty() && part.len() <= 63 && part.chars().all(|c| c.is_alphanumeric() || c == '-' || c == '_')
    };
    let name = name.strip_suffix('.').unwrap_or(name);
    name.len() <= 253 && name.split('.').all(label) && (port.is_empty() || is_port(port))
}

fn is_port(port: &str) -> bool {
    port.strip_prefix(':').is_some_and(|digits| digits.parse::<u16>().is_ok())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn web_addresses_are_right() {
        for url in ["https://exemple.fr", "http://a.b-c.fr:8080/x?y=1#z", "HTTPS://été.fr/é", "https://[::1]/a"] {
            assert_eq!(check_link(url), Ok(()), "{url}");
        }
    }

    #[test]
    fn another_scheme_is_reported_as_such() {
        for url in ["javascript:alert(1)", "data:text/html,x", "ftp://a.fr", "mailto:a@b.fr"] {
            assert_eq!(check_link(url), Err(LinkFault::Scheme), "{url}");
        }
    }

    #[test]
    fn what_is_no_address_is_refused() {
        for url in [
            "",
            "exemple.fr",
            "https://",
            "https:///x",
            "https://a b.fr",
            "https://moi@banque.fr",
            "https://a..b",
            "https://a.fr:99999",
            "1http://a.fr",
        ] {
            assert_eq!(check_link(url), Err(LinkFault::Invalid), "{url}");
        }
        assert_eq!(check_link(&format!("https://a.fr/{}", "x".repeat(2_000))), Err(LinkFault::TooLong));
    }
}
