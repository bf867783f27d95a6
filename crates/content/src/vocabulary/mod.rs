//! The reference lists: one resource with nine kinds. Every user reads them; only those who manage the reference data write.

mod list;
mod merge;
mod order;
mod rules;

use app::App;
use app::extract::Superadmin;
use app::record::owned::locked;
use app::record::{At, Head, RecordError, Resource, Return, record_operations};
use app::routes;
use domain::vocabulary::{Attributes, TermSheet, VocabularyKind};
use domain::{Actor, Capability, Fault};
use serde::Serialize;
use store::record::{Change, Stored};
use store::vocabulary::Terms;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of an item of a list.
pub type TermError = RecordError<TermResource>;

/// An item of a reference list.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = VocabularyTerm)]
pub struct TermView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: TermSheet,
    /// How many use it.
    uses_total: i64,
}

/// The resource of items of reference lists.
#[derive(Debug)]
pub struct TermResource;

impl Resource for TermResource {
    type Record = Terms;
    type Sheet = TermSheet;
    type View = TermView;
    const PATH: &'static str = "/api/v1/vocabularies/{kind}";
    const NOT_FOUND: &'static str = "vocabulary/item-not-found";
    const NOT_YOURS: &'static str = "auth/forbidden";
    const IN_USE: &'static str = "vocabulary/in-use";

    async fn sees(_db: &impl Connection, _actor: &Actor, _record: &Stored<TermSheet>) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn stands_at(at: &At, record: &Stored<TermSheet>) -> bool {
        at.kind == Some(record.sheet.kind)
    }

    fn blank(app: &App, _actor: &Actor, at: &At) -> Stored<TermSheet> {
        let mut blank = Stored::blank(None, app.now());
        blank.sheet = TermSheet { kind: at.kind.unwrap_or_default(), ..TermSheet::default() };
        blank
    }

    async fn check(
        _app: &App,
        tx: &Tx,
        _actor: &Actor,
        before: &Stored<TermSheet>,
        after: &mut Stored<TermSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, TermError> {
        Ok(rules::check(tx, before, after, changed).await?)
    }

    async fn carry(tx: &Tx, gone: &TermSheet, stays: &TermSheet, change: Change<'_>) -> Result<(), StoreError> {
        if gone.kind == VocabularyKind::PracticeType {
            store::vocabulary::rename_practice(tx, &gone.code, &stays.code, change).await?;
        }
        Ok(())
    }

    async fn may_return(tx: &Tx, actor: &Actor, record: &Stored<TermSheet>) -> Result<Return, StoreError> {
        if !Self::is_theirs(actor, record) {
            return Ok(Return::NotTheirs);
        }
        let taken = store::vocabulary::find_by_code(tx, record.sheet.kind, &record.sheet.code).await?.is_some();
        Ok(if taken { Return::Taken } else { Return::Allowed })
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<TermSheet>>,
    ) -> Result<Vec<TermView>, StoreError> {
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let totals = store::vocabulary::uses_totals(db, &ids).await?;
        let view = |record: Stored<TermSheet>| TermView {
            head: Head::of(&record, locked::<Self>(actor, &record, Capability::ReferenceManage)),
            uses_total: totals.get(&record.id).copied().unwrap_or(0),
            sheet: TermSheet { attributes: shown(record.sheet.kind, &record.sheet.attributes), ..record.sheet },
        };
        Ok(records.into_iter().map(view).collect())
    }
}

/// Attributes as their kind writes them: with its defaults, without what is empty.
fn shown(kind: VocabularyKind, attributes: &serde_json::Value) -> serde_json::Value {
    let read: Option<Attributes> = kind.attributes(attributes.clone());
    read.and_then(|read| serde_json::to_value(read).ok()).unwrap_or_default()
}

record_operations! {
    TermResource, TermSheet, TermView, TermError;
    noun: "a reference item", tag: "reference", base: "/api/v1/vocabularies/{kind}",
    params: [("kind" = VocabularyKind, Path),],
    create: (Superadmin, "reference.manage"), change: (Superadmin, "reference.manage"),
    delete: (Superadmin, "reference.manage"),
    show_vocabulary_item, create_vocabulary_item, update_vocabulary_item, delete_vocabulary_item, list_vocabulary_item_uses,
    list_vocabulary_item_revisions, show_vocabulary_item_revision, restore_vocabulary_item_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_vocabulary))
        .routes(routes!(order::order_vocabulary))
        .routes(routes!(merge::merge_vocabulary_item))
        .routes(routes!(merge::delete_many_vocabulary_items))
        .routes(routes!(merge::undo_vocabulary_bulk))
}
