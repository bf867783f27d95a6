//! Users, as an administrator manages them: those of their own structure, up to their own role; all of them for a superadmin. Other
//! users get 404.

mod create;
mod invitation;
mod list;
mod rules;
mod second_factor;
mod sessions;

use app::App;
use app::extract::Admin;
use app::problem::Code;
use app::record::owned::locked;
use app::record::{Head, Named, RecordError, Resource, Return, record_changes};
use app::routes;
use domain::audit::{Action, Detail};
use domain::{Actor, Capability, Fault, Instant, Role, StructureId, UserId, UserSheet};
use serde::Serialize;
use store::record::Stored;
use store::user::{Account, Users};
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of a user.
pub type UserError = RecordError<UserResource>;

/// A person who signs in.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = User)]
pub struct UserView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: UserSheet,
    /// The structure that employs them.
    structure: Option<Named>,
    /// When they last signed in.
    last_login_at: Option<Instant>,
    /// When they were last invited.
    invited_at: Option<Instant>,
    /// Whether they have chosen a password: one invited has not yet.
    has_password: bool,
    /// Whether signing in asks them for a second factor.
    totp_enabled: bool,
}

/// The resource of users.
#[derive(Debug)]
pub struct UserResource;

impl Resource for UserResource {
    type Record = Users;
    type Sheet = UserSheet;
    type View = UserView;
    const PATH: &'static str = "/api/v1/users";
    const NOT_FOUND: &'static str = "user/not-found";
    const NOT_YOURS: &'static str = "user/not-yours";
    const IN_USE: &'static str = "user/in-use";
    const OWN_CODES: &'static [Code] = rules::CODES;

    async fn sees(_db: &impl Connection, actor: &Actor, record: &Stored<UserSheet>) -> Result<bool, StoreError> {
        Ok(actor.can(Capability::UsersManage) && actor.may_see_inside(StructureId(record.sheet.structure_id)))
    }

    fn is_theirs(actor: &Actor, record: &Stored<UserSheet>) -> bool {
        let above = record.sheet.role == Role::Superadmin && actor.role != Role::Superadmin;
        actor.may_see_inside(StructureId(record.sheet.structure_id)) && !above
    }

    async fn check(
        _app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Stored<UserSheet>,
        after: &mut Stored<UserSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, UserError> {
        if before.version == 0 && after.sheet.structure_id == 0 && actor.role != Role::Superadmin {
            after.sheet.structure_id = actor.structure_id.0;
        }
        rules::check(tx, actor, before, after, changed).await
    }

    async fn may_go(tx: &Tx, actor: &Actor, record: &Stored<UserSheet>) -> Result<(), UserError> {
        rules::may_go(tx, actor, record).await
    }

    async fn may_return(tx: &Tx, actor: &Actor, record: &Stored<UserSheet>) -> Result<Return, StoreError> {
        rules::may_return(tx, actor, record).await
    }

    fn written(app: &App, id: i64) {
        app.sessions.forget(UserId(id));
    }

    fn audited(before: Option<&UserSheet>, after: Option<&UserSheet>) -> Vec<(Action, Detail)> {
        rules::audited(before, after)
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<UserSheet>>,
    ) -> Result<Vec<UserView>, StoreError> {
        let ids: Vec<i64> = records.iter().map(|record| record.id).collect();
        let accounts = store::user::accounts(db, &ids).await?;
        let structures: Vec<i64> = records.iter().map(|record| record.sheet.structure_id).collect();
        let names = store::structure::names(db, &structures).await?;
        let view = |record: Stored<UserSheet>| {
            let id = record.sheet.structure_id;
            let account: Account = accounts.get(&record.id).copied().unwrap_or_default();
            UserView {
                head: Head::of(&record, locked::<Self>(actor, &record, Capability::UsersManage)),
                sheet: record.sheet,
                structure: names.get(&id).map(|name| Named { id, name: name.clone() }),
                last_login_at: account.last_login_at,
                invited_at: account.invited_at,
                has_password: account.has_password,
                totp_enabled: account.totp_enabled,
            }
        };
        Ok(records.into_iter().map(view).collect())
    }
}

record_changes! {
    UserResource, UserSheet, UserView, UserError;
    noun: "a user", tag: "users", base: "/api/v1/users", params: [],
    change: (Admin, "users.manage"), delete: (Admin, "users.manage"),
    show_user, update_user, delete_user, list_user_uses, list_user_revisions, show_user_revision, restore_user_revision,
}

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    changes()
        .routes(routes!(list::list_users, create::create_user))
        .routes(routes!(invitation::invite_user))
        .routes(routes!(second_factor::drop_user_totp))
        .routes(routes!(sessions::end_user_sessions))
}
