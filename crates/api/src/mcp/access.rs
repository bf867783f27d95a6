//! Which token a request carries, and how often.

use std::net::SocketAddr;
use std::sync::Arc;
use std::time::Duration;

use app::client_address::ClientAddress;
use app::problem::Internal;
use app::rate_limit::RateLimiter;
use app::session::behind_token;
use app::token::{Token, bearer};
use app::{App, Rejection, client_limit, current_request};
use axum::extract::ConnectInfo;
use axum::http::request::Parts;
use domain::Instant;
use macros::Problem;
use store::personal_token::{self, PersonalToken};

use super::TOKEN_PREFIX;
use super::caller::{Caller, UnderWay};

/// Unknown tokens a minute that one address may try, over all servers: as for keys.
pub const WRONG_TOKENS_A_MINUTE: u32 = 30;
/// Requests a minute of one token to one server.
pub const CALLS_A_MINUTE: u32 = 120;
/// Requests of one token that one server works on at a time.
const CALLS_AT_ONCE: usize = 4;
/// A token in use is noted as such when the note is older than this.
const TOUCH_AFTER_S: i64 = 300;
/// A call never waits longer than this to note it.
const TOUCH_TIMEOUT: Duration = Duration::from_millis(250);

/// Why a request is refused before a tool is called, or a tool before it begins.
#[derive(Debug, thiserror::Error, Problem)]
pub enum McpRefusal {
    /// No token.
    #[error("a personal token is required")]
    #[problem(401, "mcp/token-required")]
    TokenRequired,
    /// No such token, or it ended.
    #[error("an unknown token")]
    #[problem(401, "mcp/token-unknown")]
    TokenUnknown,
    /// Too many requests, or too many unknown tokens.
    #[error("too many requests, wait {retry_after_s} s")]
    #[problem(429, "mcp/too-many")]
    TooMany {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// Too many requests of the token are under way.
    #[error("too many requests of the token are under way")]
    #[problem(429, "mcp/busy")]
    Busy {
        /// Seconds to wait.
        retry_after_s: i64,
    },
    /// The token may not be used for this.
    #[error("the token has no scope `{scope}`")]
    #[problem(403, "mcp/scope")]
    Scope {
        /// The scope it lacks.
        scope: &'static str,
    },
    /// An answer that is too long.
    #[error("the answer is too long")]
    #[problem(422, "mcp/answer-too-long")]
    AnswerTooLong,
    /// What is refused about every request.
    #[error(transparent)]
    #[problem(transparent)]
    Rejected(#[from] Rejection),
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// Requests by token, and unknown tokens by client network.
#[derive(Debug, Default)]
struct Limits {
    calls: RateLimiter,
    wrong: RateLimiter,
    under_way: Arc<UnderWay>,
}

/// The person and the token of a request. The token, its end and the rights of its owner are read from the database each time.
pub(super) async fn admit(app: &App, parts: &Parts) -> Result<Caller, McpRefusal> {
    let client = ClientAddress::of(&parts.extensions, &parts.headers, &app.settings).network();
    let (limits, now) = (app.shared::<Limits>(), app.now());
    let wait = |retry_after_s| McpRefusal::TooMany { retry_after_s };
    limits.wrong.look(client, now, WRONG_TOKENS_A_MINUTE).map_err(wait)?;
    let sent = bearer(&parts.headers).ok_or(McpRefusal::TokenRequired)?;
    let token = sent.strip_prefix(TOKEN_PREFIX).and_then(Token::parse);
    let found = match &token {
        Some(token) => personal_token::find(app.store.read(), &token.hash()).await?,
        None => None,
    };
    let Some((token, kept)) = token.zip(found.filter(|kept| now < kept.expires_at)) else {
        limits.wrong.take(client, now, WRONG_TOKENS_A_MINUTE).map_err(wait)?;
        let counted = client_limit::admit(app, "personal-token", client, WRONG_TOKENS_A_MINUTE.into(), 60).await?;
        if let Err(retry_after_s) = counted {
            // From now on this server refuses without asking the database.
            limits.wrong.empty(client, now);
            return Err(wait(retry_after_s));
        }
        return Err(McpRefusal::TokenUnknown);
    };
    limits.calls.take(kept.id, now, CALLS_A_MINUTE).map_err(wait)?;
    let place = limits.under_way.take(kept.id, CALLS_AT_ONCE).ok_or(McpRefusal::Busy { retry_after_s: 2 })?;
    let person = behind_token(app, &kept, token.hash()).await?;
    touch(app, &kept, now).await;
    let forwarded = ["x-forwarded-for", "forwarded"];
    let forwarded = parts.headers.iter().filter(|(name, _)| forwarded.contains(&name.as_str()));
    Ok(Caller {
        person,
        token_name: kept.name,
        scopes: kept.scopes,
        peer: parts.extensions.get::<ConnectInfo<SocketAddr>>().copied(),
        forwarded: forwarded.map(|(name, value)| (name.clone(), value.clone())).collect(),
        request_id: current_request::id(),
        _place: place,
    })
}

/// Notes that a token is in use, where the database has a moment for it.
async fn touch(app: &App, kept: &PersonalToken, now: Instant) {
    if kept.last_used_at.is_some_and(|last| now.since_s(last) < TOUCH_AFTER_S) {
        return;
    }
    let noted = async {
        let tx = app.store.begin().await?;
        personal_token::touch(&tx, kept.id, now).await?;
        tx.commit_aside().await
    };
    if let Ok(Err(error)) = tokio::time::timeout(TOUCH_TIMEOUT, noted).await {
        tracing::warn!(%error, "the use of a token could not be noted");
    }
}
