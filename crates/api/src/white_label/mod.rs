//! White-labels: every user sees their names, their structure's admins edit them, a superadmin makes and deletes them.

mod check;
mod custom;
mod key;
mod list;
mod preview;
mod translation_key;
mod view;
mod widget;

use app::extract::{SettingsManager, Superadmin};
use app::problem::Code;
use app::record::{RecordError, Resource, Return, record_operations};
use app::routes;
use app::{App, audit};
use domain::audit::{Action, Detail};
use domain::white_label::WhiteLabelSheet;
use domain::{Actor, Fault};
use store::record::Stored;
use store::white_label::WhiteLabels;
use store::{Connection, StoreError, Tx};
use utoipa_axum::router::OpenApiRouter;
pub use view::WhiteLabelView;

/// Errors of a white-label.
pub type WhiteLabelError = RecordError<WhiteLabelResource>;

/// The resource of white-labels.
#[derive(Debug)]
pub struct WhiteLabelResource;

impl Resource for WhiteLabelResource {
    type Record = WhiteLabels;
    type Sheet = WhiteLabelSheet;
    type View = WhiteLabelView;
    const PATH: &'static str = "/api/v1/white-labels";
    const NOT_FOUND: &'static str = "white-label/not-found";
    const NOT_YOURS: &'static str = "white-label/not-yours";
    const IN_USE: &'static str = "white-label/in-use";
    const OWN_CODES: &'static [Code] = &check::CODES;

    async fn sees(
        _db: &impl Connection,
        _actor: &Actor,
        _record: &Stored<WhiteLabelSheet>,
    ) -> Result<bool, StoreError> {
        Ok(true)
    }

    async fn check(
        app: &App,
        tx: &Tx,
        _actor: &Actor,
        before: &Stored<WhiteLabelSheet>,
        after: &mut Stored<WhiteLabelSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, WhiteLabelError> {
        check::check(app, tx, before, after, changed).await
    }

    async fn may_return(tx: &Tx, actor: &Actor, record: &Stored<WhiteLabelSheet>) -> Result<Return, StoreError> {
        if !Self::is_theirs(actor, record) {
            return Ok(Return::NotTheirs);
        }
        Ok(if check::is_taken(tx, &record.sheet).await? { Return::Taken } else { Return::Allowed })
    }

    fn audited(before: Option<&WhiteLabelSheet>, after: Option<&WhiteLabelSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, [Action::WhiteLabelCreated, Action::WhiteLabelChanged, Action::WhiteLabelDeleted])
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<WhiteLabelSheet>>,
    ) -> Result<Vec<WhiteLabelView>, StoreError> {
        view::views(db, actor, records).await
    }

    fn written(app: &App, _id: i64) {
        // Its structure decides who works in it.
        app.sessions.forget_all();
    }
}

record_operations! {
    WhiteLabelResource, WhiteLabelSheet, WhiteLabelView, WhiteLabelError;
    noun: "a white-label", tag: "white-labels", base: "/api/v1/white-labels", params: [],
    create: (Superadmin, "reference.manage"), change: (SettingsManager, "settings.manage"),
    delete: (Superadmin, "reference.manage"),
    show_white_label, create_white_label, update_white_label, delete_white_label, list_white_label_uses,
    list_white_label_revisions, show_white_label_revision, restore_white_label_revision,
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    operations()
        .routes(routes!(list::list_white_labels))
        .routes(routes!(custom::list_custom_field_uses))
        .routes(routes!(preview::preview_white_label))
        .routes(routes!(key::make_white_label_key, key::drop_white_label_key))
        .routes(routes!(widget::show_widget))
        .routes(routes!(translation_key::set_translation_key, translation_key::drop_translation_key))
}
