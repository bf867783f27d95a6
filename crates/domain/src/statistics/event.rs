//! One thing that happened to a parcours.

use std::net::IpAddr;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::country::COUNTRIES;
use crate::transport_line::words;
use crate::{DAY_S, Instant, ParcoursId, WhiteLabelId};

/// An application that was offline sends its events when it is back: ten days later at most, which is why the figures of the last
/// ten days may still grow.
pub const MAX_LATE_S: i64 = 10 * DAY_S;
/// A client's clock may be ahead of the server's by so much.
pub const MAX_AHEAD_S: i64 = 300;

words! {
    /// What happened.
    EventKind {
        /// Its page was viewed.
        View "view",
        /// It was viewed in a widget on another site.
        WidgetView "widget_view",
        /// Its trace was taken away as a file.
        Download "download",
        /// Its address was copied or passed on.
        Share "share",
        /// Its roadbook was taken away.
        Pdf "pdf",
        /// A visitor started step-by-step guidance.
        Guidance "guidance",
    } default View
}

impl EventKind {
    /// All of them, in the order they are shown in.
    pub const ALL: [Self; 6] = [Self::View, Self::WidgetView, Self::Download, Self::Share, Self::Pdf, Self::Guidance];
}

words! {
    /// Where it happened.
    EventSource {
        /// The public page.
        PublicPage "public_page",
        /// A widget on another site.
        Widget "widget",
        /// An application.
        App "app",
        /// A link that was handed out.
        ShareLink "share_link",
        /// Another program, by the public API.
        Api "api",
    } default PublicPage
}

/// A stored event. Unknown values are empty texts.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Event {
    pub at: Instant,
    pub parcours_id: ParcoursId,
    pub white_label_id: WhiteLabelId,
    pub kind: EventKind,
    /// The kind of page or application it comes from.
    pub source: EventSource,
    /// The country it was asked from, two letters of ISO 3166-1.
    pub country: String,
    /// The language it was read in, two letters of ISO 639-1.
    pub language: String,
    /// The host of the site that led here.
    pub host: String,
}

/// A country code from a proxy in front of the server; empty (unknown) if it is not a country.
pub fn country(code: &str) -> String {
    let code = code.trim().to_ascii_uppercase();
    if COUNTRIES.contains(&code.as_str()) { code } else { String::new() }
}

/// The language of a tag such as `fr-FR`; unknown (empty) where its first part is not two letters.
pub fn language(tag: &str) -> String {
    let first = tag.trim().split(['-', '_']).next().unwrap_or_default().to_ascii_lowercase();
    if first.len() == 2 && first.bytes().all(|b| b.is_ascii_lowercase()) { first } else { String::new() }
}

/// The host of an address, without the rest of it, which may identify a visitor. Empty for a numeric address, and without a host.
pub fn host(url: &str) -> String {
    let rest = url.split_once("://").map_or(url, |(_, rest)| rest);
    let authority = rest.split(['/', '?', '#']).next().unwrap_or_default();
    let named = authority.rsplit('@').next().unwrap_or_default();
    let host = named.split(':').next().unwrap_or_default().trim_end_matches('.').to_ascii_lowercase();
    let of_names = host.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'.');
    // `1.2.3.4`, and what browsers read as such: `0x7f.1`, `3232235777`.
    let of_a_machine = host.rsplit('.').next().is_some_and(|last| last.starts_with(|c: char| c.is_ascii_digit()))
        || named.starts_with('[')
        || host.parse::<IpAddr>().is_ok();
    let kept = of_names && !of_a_machine && host.contains('.') && host.len() <= 253;
    if kept { host } else { String::new() }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn of_a_referrer_the_host_alone_is_kept() {
        for (url, kept) in [
            ("https://www.Morvan-Tourisme.org/randos?q=marie.dupont@exemple.fr#x", "www.morvan-tourisme.org"),
            ("https://marie:secret@exemple.fr:8443/", "exemple.fr"),
            ("exemple.fr", "exemple.fr"),
            ("android-app://org.exemple.rando/", "org.exemple.rando"),
            ("http://203.0.113.77/page", ""),
            ("http://[2001:db8::7]:80/", ""),
            ("http://3232235777/", ""),
            ("http://0x7f.1/", ""),
            ("http://127.0.0.1./", ""),
            ("localhost", ""),
            ("https://exemple.fr<script>/", ""),
            ("", ""),
        ] {
            assert_eq!(host(url), kept, "{url}");
        }
    }

    #[test]
    fn what_is_no_country_and_no_language_is_unknown() {
        assert_eq!(
            (country(" fr "), country("XX"), country("T1"), country("")),
            ("FR".into(), String::new(), String::new(), String::new())
        );
        assert_eq!(
            (language("fr-FR"), language("de"), language("x"), language("<b>")),
            ("fr".into(), "de".into(), String::new(), String::new())
        );
    }
}
