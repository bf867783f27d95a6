//! How many requests are under way, in all and for each client network. One too many is refused before anything is read of it.

use std::collections::hash_map::Entry;
use std::pin::Pin;
use std::task::{Context, Poll};

use app::client_address::ClientAddress;
use app::error_text::{asked_locale, in_words};
use app::{App, Rejection};
use axum::body::{Body, Bytes, HttpBody};
use axum::extract::Request;
use axum::http::header::ORIGIN;
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use domain::ClientNetwork;
use http_body::{Frame, SizeHint};
use outputs::feed::{is_dialect, needs_key, retried, tell_origin};

/// Seconds after which it is worth trying again.
const RETRY_AFTER_S: i64 = 2;

/// A counted request; dropping it gives its place back.
struct Place {
    app: App,
    network: ClientNetwork,
}

impl Place {
    fn take(app: &App, network: ClientNetwork) -> Result<Self, Rejection> {
        let limits = &app.settings.requests;
        let mut counts = app.in_flight.lock();
        if counts.all >= limits.max_requests {
            return Err(Rejection::Overloaded { retry_after_s: RETRY_AFTER_S });
        }
        let own = counts.by_network.entry(network).or_default();
        if *own >= limits.max_requests_per_address {
            return Err(Rejection::TooMany { retry_after_s: RETRY_AFTER_S });
        }
        *own += 1;
        counts.all += 1;
        Ok(Self { app: app.clone(), network })
    }
}

impl Drop for Place {
    fn drop(&mut self) {
        let mut counts = self.app.in_flight.lock();
        counts.all -= 1;
        if let Entry::Occupied(mut own) = counts.by_network.entry(self.network) {
            *own.get_mut() -= 1;
            if *own.get() == 0 {
                own.remove();
            }
        }
    }
}

/// Lets a request in, or refuses it in the client's language.
pub(super) async fn bound(app: &App, request: Request, next: Next) -> Response {
    let client = ClientAddress::of(request.extensions(), request.headers(), &app.settings);
    match Place::take(app, client.network()) {
        Ok(place) => next.run(request).await.map(|body| Body::new(Counted { body, _place: place })),
        Err(refusal) => {
            let (path, origin) = (request.uri().path(), request.headers().get(ORIGIN).cloned());
            let refusal = if is_dialect(path) { retried(refusal) } else { refusal };
            let locale = asked_locale(request.uri(), request.headers());
            let mut response = refusal.into_response();
            if needs_key(path) {
                tell_origin(response.headers_mut(), origin);
            }
            in_words(response, locale).await
        }
    }
}

/// The body of a response: the request counts until it is sent, or given up.
struct Counted {
    body: Body,
    _place: Place,
}

impl HttpBody for Counted {
    type Data = Bytes;
    type Error = axum::Error;

    fn poll_frame(mut self: Pin<&mut Self>, cx: &mut Context<'_>) -> Poll<Option<Result<Frame<Bytes>, axum::Error>>> {
        Pin::new(&mut self.body).poll_frame(cx)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}
