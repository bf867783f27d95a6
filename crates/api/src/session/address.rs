//! Where a request comes from, behind the proxies that are ours.

use std::convert::Infallible;
use std::net::SocketAddr;

use axum::extract::{ConnectInfo, FromRequestParts};
use axum::http::request::Parts;

use crate::App;

/// The address of the client.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ClientAddress(pub String);

impl FromRequestParts<App> for ClientAddress {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Infallible> {
        let peer = parts.extensions.get::<ConnectInfo<SocketAddr>>().map(|info| info.0.ip().to_string());
        let told = parts.headers.get("x-forwarded-for").and_then(|value| value.to_str().ok());
        let forwarded = told.and_then(|list| forwarded(list, app.settings.trusted_proxies));
        Ok(Self(forwarded.or(peer).unwrap_or_else(|| "unknown".to_owned())))
    }
}

/// Each proxy adds the address it was called from: the one before our outermost proxy is the client's, and whatever
/// stands further left was written by the client itself.
fn forwarded(list: &str, trusted_proxies: usize) -> Option<String> {
    let back = trusted_proxies.checked_sub(1)?;
    let address = list.rsplit(',').nth(back)?.trim();
    address.parse::<std::net::IpAddr>().ok().map(|address| address.to_string())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_what_our_proxies_wrote_is_believed() {
        assert_eq!(forwarded("1.1.1.1, 2.2.2.2", 0), None);
        assert_eq!(forwarded("1.1.1.1, 2.2.2.2", 1).as_deref(), Some("2.2.2.2"));
        assert_eq!(forwarded("9.9.9.9, 1.1.1.1, 2.2.2.2", 2).as_deref(), Some("1.1.1.1"));
        assert_eq!(forwarded("nonsense", 1), None);
        assert_eq!(forwarded("2.2.2.2", 3), None);
    }
}
