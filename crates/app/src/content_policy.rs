//! What a page may load and who may show it in a frame: the header `Content-Security-Policy`.

use crate::App;

/// The servers of Google Analytics: for the pages of a white-label that measures its audience there, of visitors who agreed.
const SCRIPTS_OF_ANALYTICS: &str = " https://*.googletagmanager.com";
const REPORTS_OF_ANALYTICS: &str =
    " https://*.google-analytics.com https://*.analytics.google.com https://*.googletagmanager.com";

/// What a page may load: ours alone, the map's host where the operator chose another map, and the bucket where it sends large
/// files to visitors itself.
/// MapLibre draws in a worker made from a blob and decodes images from blobs; styles set by scripts need `unsafe-inline`.
/// `framed_by` are the sites that may show the page in a frame: none, except for the widget's.
pub fn policy_framed_by(app: &App, framed_by: &str) -> String {
    policy(app, framed_by, ["", ""])
}

/// The same for a page that no site frames and that may load Google Analytics.
pub fn policy_with_analytics(app: &App) -> String {
    policy(app, "'none'", [SCRIPTS_OF_ANALYTICS, REPORTS_OF_ANALYTICS])
}

fn policy(app: &App, framed_by: &str, [scripts, reports]: [&str; 2]) -> String {
    // A space and the origin; nothing if there is no address.
    let source = |url: Option<&str>| url.and_then(origin).map(|origin| format!(" {origin}")).unwrap_or_default();
    let map = source(app.settings.map_style_url.as_deref());
    let files = source(app.blobs.origin_for_visitors());
    format!(
        "default-src 'self'; script-src 'self'{scripts}; style-src 'self' 'unsafe-inline'; img-src 'self' data: blob:{map}{reports}; \
         font-src 'self' data:; connect-src 'self'{map}{files}{reports}; worker-src 'self' blob:; child-src 'self' blob:; \
         media-src 'self' blob:{files}; object-src 'none'; base-uri 'self'; form-action 'self'; frame-ancestors {framed_by}"
    )
}

fn origin(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://")?;
    let host = rest.split('/').next().filter(|host| !host.is_empty() && !host.contains([';', ' ', ',']))?;
    (scheme == "https" || scheme == "http").then(|| format!("{scheme}://{host}"))
}
