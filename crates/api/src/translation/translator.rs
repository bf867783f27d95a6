//! Services that translate: set by the platform, chosen by white-labels. A key goes in and never comes out again.

use app::extract::{Body, IfMatch, Path, SettingsManager, TranslatorsManager};
use app::problem::Internal;
use app::record::owned::locked;
use app::record::{At, Head, RecordError, Resource, operations, record_operations};
use app::routes;
use app::seal::{Place, origin_fault, typed_key};
use app::source_key::{REASON, address_faults};
use app::{App, audit};
use axum::Json;
use axum::extract::State;
use axum::http::StatusCode;
use domain::audit::{Action, Detail};
use domain::translation::TranslatorSheet;
use domain::{Actor, Capability, Fault, Instant};
use serde::{Deserialize, Serialize};
use store::record::{Stored, raise_version};
use store::translation::{self as rows, TranslatorHead, Translators};
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

use super::TranslationError;
use super::service::configured;

/// How many of the last characters of a key are shown.
const HINT_CHARS: usize = 4;

/// Errors of a translator.
pub type TranslatorError = RecordError<TranslatorResource>;

/// A translation service.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Translator)]
pub struct TranslatorView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: TranslatorSheet,
    /// The last characters of its key; none where it has no key.
    key_hint: Option<String>,
    /// What the last try found.
    check: Option<TranslatorCheck>,
    /// What was used of it.
    usage: TranslatorUsage,
}

/// What a try of a service found.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TranslatorCheck {
    at: Instant,
    /// Why it does not work; none where it does.
    code: Option<String>,
}

/// What was used of a service, in characters.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct TranslatorUsage {
    /// Characters used in this period, as the service counts them.
    used: Option<i64>,
    /// The limit of them.
    limit: Option<i64>,
    /// Sent from here since it was set up.
    sent: i64,
}

/// The resource of translators.
#[derive(Debug)]
pub struct TranslatorResource;

impl Resource for TranslatorResource {
    type Record = Translators;
    type Sheet = TranslatorSheet;
    type View = TranslatorView;
    const PATH: &'static str = "/api/v1/translators";
    const NOT_FOUND: &'static str = "translation/translator-not-found";
    const NOT_YOURS: &'static str = "translation/translator-not-yours";
    const IN_USE: &'static str = "translation/translator-in-use";

    /// Those who choose one for a white-label see them; others have no use for them.
    async fn sees(_db: &impl Connection, actor: &Actor, _record: &Stored<TranslatorSheet>) -> Result<bool, StoreError> {
        Ok(actor.can(Capability::SettingsManage))
    }

    fn is_theirs(actor: &Actor, _record: &Stored<TranslatorSheet>) -> bool {
        actor.can(Capability::TranslatorsManage)
    }

    async fn check(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        _before: &Stored<TranslatorSheet>,
        after: &mut Stored<TranslatorSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, RecordError<Self>> {
        // One is the default: the one that becomes it takes the place of the other.
        if after.sheet.is_default && changed.contains(&"is_default") {
            rows::lock_default(tx).await?;
            for other in rows::list(tx).await?.into_iter().filter(|other| other.sheet.is_default) {
                if other.id != after.id
                    && let Some(other) = store::record::lock::<Translators>(tx, other.id).await?
                {
                    let mut released = other.clone();
                    released.sheet.is_default = false;
                    store::record::save::<Translators>(tx, &other, released, operations::change(app, actor, None))
                        .await?;
                }
            }
        }
        let mut seen = std::collections::HashSet::new();
        after.sheet.protected.retain(|term| seen.insert(term.clone()));
        let mut faults = address_faults(&[("base_url", after.sheet.base_url.as_deref())], changed);
        faults.extend(after.sheet.rules());
        Ok(faults)
    }

    fn audited(before: Option<&TranslatorSheet>, after: Option<&TranslatorSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, audit::SERVICE)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<TranslatorSheet>>,
    ) -> Result<Vec<TranslatorView>, StoreError> {
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let mut heads = rows::heads(db, &ids).await?;
        let view = |record: Stored<TranslatorSheet>| {
            let beside: TranslatorHead = heads.remove(&record.id).unwrap_or_default();
            TranslatorView {
                head: Head::of(&record, locked::<Self>(actor, &record, Capability::TranslatorsManage)),
                key_hint: beside.key_hint,
                check: beside.checked_at.map(|at| TranslatorCheck { at, code: beside.check_code }),
                usage: TranslatorUsage { used: beside.used_chars, limit: beside.limit_chars, sent: beside.own_chars },
                sheet: record.sheet,
            }
        };
        Ok(records.into_iter().map(view).collect())
    }
}

record_operations! {
    TranslatorResource, TranslatorSheet, TranslatorView, TranslatorError;
    noun: "a translator", tag: "translation", base: "/api/v1/translators", params: [],
    create: (TranslatorsManager, "translators.manage"), change: (TranslatorsManager, "translators.manage"),
    delete: (TranslatorsManager, "translators.manage"),
    show_translator, create_translator, update_translator, delete_translator, list_translator_uses,
    list_translator_revisions, show_translator_revision, restore_translator_revision,
}

pub(super) fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list_translators))
        .routes(routes!(set_translator_key, drop_translator_key))
        .routes(routes!(test_translator))
}

/// Translators.
#[derive(Debug, Serialize, ToSchema)]
pub struct TranslatorList {
    pub items: Vec<TranslatorView>,
    pub total: i64,
}

/// The translation services of the platform, by name: what a white-label may choose.
#[utoipa::path(get, path = "/api/v1/translators", tag = "translation", security(("session" = ["settings.manage"])),
    responses((status = 200, body = TranslatorList), TranslatorError))]
pub async fn list_translators(
    State(app): State<App>,
    keeper: SettingsManager,
) -> Result<Json<TranslatorList>, TranslatorError> {
    let db = app.store.read();
    let items = TranslatorResource::views(&app, db, &keeper, rows::list(db).await?).await?;
    Ok(Json(TranslatorList { total: items.len() as i64, items }))
}

// It has no `Debug`: nothing prints it by mistake.
/// A key in a request.
#[derive(Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct TranslatorKey {
    /// The key, as the service gave it.
    #[schema(format = Password, max_length = 500)]
    key: String,
}

/// Set the key of a translator. It takes the place of the one before; of it only the last four characters are ever shown.
/// It is forgotten when the translator moves to another server.
#[utoipa::path(put, path = "/api/v1/translators/{id}/key", tag = "translation",
    params(("id" = i64, Path), ("If-Match" = String, Header)), request_body = TranslatorKey,
    security(("session" = ["translators.manage"])), responses((status = 204, description = "Kept"), TranslatorError))]
#[tracing::instrument(name = "translator.set_key", skip_all, fields(translator.id = %at.id))]
pub async fn set_translator_key(
    State(app): State<App>,
    keeper: TranslatorsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
    Body(sent): Body<TranslatorKey>,
) -> Result<StatusCode, TranslatorError> {
    let key = typed_key(&sent.key)?;
    let tx = app.store.begin().await?;
    let record = operations::held_at::<TranslatorResource>(&app, &tx, &keeper, &at, based_on).await?;
    let origin = record.sheet.key_origin();
    if let Some(fault) = origin_fault(&origin, app.services.asks_private_addresses()) {
        return Err(fault.into());
    }
    raise_version::<Translators>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    let sealed = app.key.seal(Place::TranslatorKey(record.id, &origin), key.as_bytes());
    rows::put_key(&tx, record.id, Some((sealed, origin.as_str(), hint_of(key)))).await?;
    audit::done(&app, &tx, &*keeper, Action::ServiceKeySet, audit::on::<Translators>(&record), Detail::None).await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// Forget the key of a translator.
#[utoipa::path(delete, path = "/api/v1/translators/{id}/key", tag = "translation",
    params(("id" = i64, Path), ("If-Match" = String, Header)), security(("session" = ["translators.manage"])),
    responses((status = 204, description = "Forgotten"), TranslatorError))]
#[tracing::instrument(name = "translator.drop_key", skip_all, fields(translator.id = %at.id))]
pub async fn drop_translator_key(
    State(app): State<App>,
    keeper: TranslatorsManager,
    Path(at): Path<At>,
    based_on: IfMatch,
) -> Result<StatusCode, TranslatorError> {
    let tx = app.store.begin().await?;
    let record = operations::held_at::<TranslatorResource>(&app, &tx, &keeper, &at, based_on).await?;
    if rows::key(&tx, record.id).await?.is_some() {
        raise_version::<Translators>(&tx, &record, operations::change(&app, &keeper, REASON)).await?;
    }
    rows::put_key(&tx, record.id, None).await?;
    audit::done(&app, &tx, &*keeper, Action::ServiceKeyRemoved, audit::on::<Translators>(&record), Detail::None)
        .await?;
    tx.commit().await?;
    Ok(StatusCode::NO_CONTENT)
}

/// The shown end of a key; nothing of a short one, of which four characters would be too much.
pub(crate) fn hint_of(key: &str) -> String {
    let count = key.chars().count();
    if count < 4 * HINT_CHARS { String::new() } else { key.chars().skip(count - HINT_CHARS).collect() }
}

/// Ask a translator whether its key works, and what was used of it. The answer is stored, also a refusal.
#[utoipa::path(post, path = "/api/v1/translators/{id}/test", tag = "translation", params(("id" = i64, Path)),
    security(("session" = ["translators.manage"])), responses((status = 200, body = TranslatorView), TranslationError))]
#[tracing::instrument(name = "translator.test", skip_all, fields(translator.id = %at.id))]
pub async fn test_translator(
    State(app): State<App>,
    keeper: TranslatorsManager,
    Path(at): Path<At>,
) -> Result<Json<TranslatorView>, TranslationError> {
    let found = store::record::load::<Translators>(app.store.read(), at.id).await?;
    let found = found.ok_or(TranslationError::SheetNotFound { id: at.id })?;
    let service = configured(&app, Some(found.id), &found.sheet, None).await?.service;
    let tried = tokio::task::spawn_blocking(move || service.usage()).await.map_err(Internal::new)?;
    let (failure, usage) = match &tried {
        Ok(usage) => (None, (usage.used, usage.limit)),
        Err(error) => (Some(error.code()), (None, None)),
    };
    let tx = app.store.begin().await?;
    rows::record_check(&tx, found.id, failure, usage, app.now()).await?;
    let mut shown = TranslatorResource::views(&app, &tx, &keeper, vec![found]).await?;
    tx.commit().await?;
    tried?;
    shown.pop().map(Json).ok_or(TranslationError::SheetNotFound { id: at.id })
}

#[cfg(test)]
mod tests {
    use super::hint_of;

    #[test]
    fn nothing_is_shown_of_a_short_key() {
        assert_eq!(hint_of("279a2e9d-83b3-c416-7e2d-f721593e42a0:fx"), "0:fx");
        assert_eq!(hint_of("secret"), "");
    }
}
