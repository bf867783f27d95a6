//! One's own personal tokens, with which a program acts for its owner: made, listed, ended.

use app::client_address::ClientAddress;
use app::extract::{Account, Body, Path};
use app::problem::Internal;
use app::routes;
use app::session::{ProofError, prove};
use app::token::Token;
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use domain::audit::{Action, Detail, On};
use domain::{DAY_S, Instant, TokenScope};
use macros::Problem;
use serde::{Deserialize, Serialize};
use store::personal_token::{self, MAX_TOKENS, PersonalToken};
use tracing::instrument;
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use crate::mcp::TOKEN_PREFIX;

const MAX_NAME_CHARS: usize = 80;
const MAX_DAYS: i64 = 365;

/// What is refused about personal tokens.
#[derive(Debug, thiserror::Error, Problem)]
pub enum TokenError {
    /// The password does not confirm the user.
    #[error(transparent)]
    #[problem(transparent)]
    Proof(#[from] ProofError),
    /// A name that is empty or too long.
    #[error("a bad name")]
    #[problem(422, "me/token-name", field = "/name")]
    Name {
        /// The most characters.
        max: usize,
    },
    /// Ends too soon or too late.
    #[error("a bad number of days")]
    #[problem(422, "me/token-days", field = "/days")]
    Days {
        /// The most days.
        max: i64,
    },
    /// The person has as many as one may have.
    #[error("too many tokens")]
    #[problem(409, "me/too-many-tokens")]
    TooMany {
        /// The most tokens.
        max: usize,
    },
    /// Not a token of the user.
    #[error("token {id} is not theirs")]
    #[problem(404, "me/no-such-token")]
    NotFound {
        /// The one asked for.
        id: i64,
    },
    /// A failure of the server.
    #[error(transparent)]
    #[problem(500, "internal", hidden)]
    Internal(#[from] Internal),
}

/// A personal token.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PersonalToken)]
pub struct TokenView {
    id: i64,
    name: String,
    /// `read` and, where it may, `propose`.
    scopes: Vec<TokenScope>,
    created_at: Instant,
    expires_at: Instant,
    /// To within five minutes.
    last_used_at: Option<Instant>,
    /// The token itself: only in the answer that makes it.
    #[serde(skip_serializing_if = "Option::is_none")]
    token: Option<String>,
}

impl TokenView {
    fn new(kept: PersonalToken, token: Option<String>) -> Self {
        let PersonalToken { id, user_id: _, name, scopes, created_at, expires_at, last_used_at } = kept;
        Self { id, name, scopes, created_at, expires_at, last_used_at, token }
    }
}

/// The user's tokens, the last one made first.
#[derive(Debug, Serialize, ToSchema)]
#[schema(as = PersonalTokens)]
pub struct TokensView {
    items: Vec<TokenView>,
}

/// A token to be.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TokenInput {
    #[schema(max_length = 80)]
    name: String,
    /// Whether it may also propose changes.
    propose: bool,
    /// Days until it ends.
    #[schema(minimum = 1, maximum = 365)]
    days: i64,
    /// The user's password.
    #[schema(format = Password)]
    password: String,
}

/// List the user's personal tokens.
#[utoipa::path(get, path = "/api/v1/me/tokens", tag = "session", security(("session" = ["content.read"])),
    responses((status = 200, body = TokensView), TokenError))]
pub async fn list_own_tokens(State(app): State<App>, account: Account) -> Result<Json<TokensView>, TokenError> {
    let found = personal_token::open_of(app.store.read(), account.user_id, app.now()).await?;
    Ok(Json(TokensView { items: found.into_iter().map(|one| TokenView::new(one, None)).collect() }))
}

/// Create a personal token for `/mcp`, with the password.
#[utoipa::path(post, path = "/api/v1/me/tokens", tag = "session", security(("session" = ["content.read"])),
    request_body = TokenInput, responses((status = 201, body = TokenView), TokenError))]
#[instrument(name = "me.make_token", skip_all)]
pub async fn make_token(
    State(app): State<App>,
    account: Account,
    client: ClientAddress,
    headers: HeaderMap,
    Body(sent): Body<TokenInput>,
) -> Result<(StatusCode, Json<TokenView>), TokenError> {
    let name = sent.name.trim().to_owned();
    if name.is_empty() || name.chars().count() > MAX_NAME_CHARS || name.chars().any(char::is_control) {
        return Err(TokenError::Name { max: MAX_NAME_CHARS });
    }
    if !(1..=MAX_DAYS).contains(&sent.days) {
        return Err(TokenError::Days { max: MAX_DAYS });
    }
    let known = prove(&app, account.signed_in(), &headers, client, sent.password).await?;
    let (tx, now) = (app.store.begin().await?, app.now());
    known.accept(&tx).await?;
    if personal_token::open_of(&tx, account.user_id, now).await?.len() >= MAX_TOKENS {
        // The password was right: the try is no failure.
        tx.commit_aside().await?;
        return Err(TokenError::TooMany { max: MAX_TOKENS });
    }
    let token = Token::random();
    let mut new = PersonalToken {
        id: 0,
        user_id: account.user_id,
        name,
        scopes: TokenScope::ALL.into_iter().filter(|scope| *scope == TokenScope::Read || sent.propose).collect(),
        created_at: now,
        expires_at: now.plus_s(sent.days * DAY_S),
        last_used_at: None,
    };
    new.id = personal_token::insert(&tx, &token.hash(), &new).await?;
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::TokenMade, on, Detail::None).await?;
    tx.commit().await?;
    let shown = format!("{TOKEN_PREFIX}{}", token.as_str());
    Ok((StatusCode::CREATED, Json(TokenView::new(new, Some(shown)))))
}

/// End one of the user's personal tokens.
#[utoipa::path(delete, path = "/api/v1/me/tokens/{id}", tag = "session", security(("session" = ["content.read"])),
    params(("id" = i64, Path)), responses((status = 204, description = "It is over"), TokenError))]
#[instrument(name = "me.end_token", skip_all)]
pub async fn end_token(
    State(app): State<App>,
    account: Account,
    Path(id): Path<i64>,
) -> Result<StatusCode, TokenError> {
    let tx = app.store.begin().await?;
    if !personal_token::delete_one_of(&tx, account.user_id, id).await? {
        return Err(TokenError::NotFound { id });
    }
    let on = On::user(&account.signed_in().user);
    audit::done(&app, &tx, &*account, Action::TokenEnded, on, Detail::None).await?;
    tx.commit_aside().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The routes of this file.
pub(super) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new().routes(routes!(list_own_tokens, make_token)).routes(routes!(end_token))
}
