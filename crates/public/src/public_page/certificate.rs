//! Whether a proxy may get a certificate for a domain: that of a white-label whose site is published.

use app::extract::Query;
use app::problem::Internal;
use app::{App, Rejection};
use axum::extract::State;
use axum::http::StatusCode;
use outputs::feed::site_at;
use serde::Deserialize;
use utoipa::IntoParams;

/// The most bytes of a domain name (RFC 1035).
const MAX_DOMAIN_BYTES: usize = 253;

/// The domain that the proxy asks about.
#[derive(Debug, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct CertificateQuery {
    /// The name that a visitor asks the proxy for.
    #[param(example = "balades.carte.example.fr")]
    domain: Option<String>,
}

/// Whether a proxy may get a certificate for a domain: 200 for that of a white-label whose site is published, else 404. It is the
/// address for `on_demand_tls { ask … }` of Caddy.
#[utoipa::path(get, path = "/certificates/ask", tag = "runtime", security(()), params(CertificateQuery),
    responses((status = 200, description = "A certificate may be issued", body = String, content_type = "text/plain"), Rejection))]
pub async fn ask_for_certificate(
    State(app): State<App>,
    Query(query): Query<CertificateQuery>,
) -> Result<(StatusCode, &'static str), Rejection> {
    let domain = query.domain.unwrap_or_default();
    let not_found = || Rejection::NotFound { path: "/certificates/ask".to_owned() };
    // Another character cannot be part of a host name: the database is not asked.
    let is_name = |name: &str| name.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'.');
    let domain = domain.strip_suffix('.').unwrap_or(&domain);
    if domain.is_empty() || domain.len() > MAX_DOMAIN_BYTES || !is_name(domain) {
        return Err(not_found());
    }
    let site = site_at(&app, domain).await.map_err(Internal::from)?;
    site.filter(|(_, sheet, _)| sheet.published).map(|_| (StatusCode::OK, "yes")).ok_or_else(not_found)
}
