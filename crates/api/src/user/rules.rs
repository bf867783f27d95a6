//! Rules on changes of users: permissions, and the administrators that must stay.

use app::audit;
use app::problem::Code;
use app::record::{Refused, Resource as _, Return};
use domain::audit::{Action, Detail};
use domain::record::Sheet as _;
use domain::{Actor, Fault, Role, StructureId, UserId, UserSheet, UserStatus, WhiteLabelId};
use store::record::Stored;
use store::user::{find_by_email, lock_user_managers, other_user_managers, others_of};
use store::{StoreError, Tx};

use super::{UserError, UserResource};

/// Another person has the address.
const EMAIL_TAKEN: Code = Code { status: 409, code: "user/email-taken" };
/// It would leave no administrator.
const LAST_ADMIN: Code = Code { status: 409, code: "user/last-admin" };
/// A user may not block, delete or promote their own account.
pub(super) const NOT_YOURSELF: Code = Code { status: 409, code: "user/not-yourself" };
/// A role above the person's own.
const ROLE_ABOVE: Code = Code { status: 403, code: "user/role-above-yours" };
/// An invitation to an account that is blocked.
pub(super) const BLOCKED: Code = Code { status: 409, code: "user/blocked" };
/// No server took the mail.
pub(super) const MAIL_NOT_SENT: Code = Code { status: 503, code: "user/mail-not-sent" };

/// All codes.
pub(super) const CODES: &[Code] = &[EMAIL_TAKEN, LAST_ADMIN, NOT_YOURSELF, ROLE_ABOVE, BLOCKED, MAIL_NOT_SENT];

/// The rules of a save, beyond those of the fields.
pub(super) async fn check(
    tx: &Tx,
    actor: &Actor,
    before: &Stored<UserSheet>,
    after: &Stored<UserSheet>,
    changed: &[&'static str],
) -> Result<Vec<Fault>, UserError> {
    if after.sheet.role.is_above(actor.role) && changed.contains(&"role") {
        return Err(Refused::new(ROLE_ABOVE, Some("/role")).into());
    }
    if before.version != 0 {
        keeps_a_caretaker(tx, before, Some(&after.sheet)).await?;
        let own = ["role", "status", "structure_id"].into_iter().find(|field| changed.contains(field));
        if let Some(field) = own.filter(|_| before.id == actor.user_id.0) {
            return Err(Refused::new(NOT_YOURSELF, Some(pointer(field))).into());
        }
    }
    if changed.contains(&"email") {
        let taken = find_by_email(tx, &after.sheet.email).await?;
        if taken.is_some_and(|(other, _)| other.id.0 != before.id) {
            return Err(Refused::new(EMAIL_TAKEN, Some("/email")).into());
        }
        // Links were sent to the former address.
        if before.version != 0 {
            store::password_reset::delete_all_of(tx, UserId(before.id)).await?;
        }
    }
    let touched = ["white_label_ids", "structure_id", "role"].iter().any(|field| changed.contains(field));
    if touched { white_labels(tx, actor, &after.sheet).await } else { Ok(Vec::new()) }
}

/// Whether a user may be deleted.
pub(super) async fn may_go(tx: &Tx, actor: &Actor, record: &Stored<UserSheet>) -> Result<(), UserError> {
    keeps_a_caretaker(tx, record, None).await?;
    if record.id == actor.user_id.0 {
        return Err(Refused::new(NOT_YOURSELF, None).into());
    }
    Ok(())
}

/// Whether a deleted user may be restored.
pub(super) async fn may_return(tx: &Tx, actor: &Actor, record: &Stored<UserSheet>) -> Result<Return, StoreError> {
    if record.sheet.role.is_above(actor.role) {
        return Ok(Return::RoleAbove);
    }
    if !UserResource::is_theirs(actor, record) {
        return Ok(Return::NotTheirs);
    }
    let taken = find_by_email(tx, &record.sheet.email).await?.is_some();
    Ok(if taken { Return::Taken } else { Return::Allowed })
}

/// There is always a superadmin, and an administrator of each structure that has people and had one.
async fn keeps_a_caretaker(tx: &Tx, before: &Stored<UserSheet>, after: Option<&UserSheet>) -> Result<(), UserError> {
    if !before.sheet.looks_after_others() {
        return Ok(());
    }
    lock_user_managers(tx).await?;
    let still = after.filter(|sheet| sheet.looks_after_others());
    let last = || Refused::new(LAST_ADMIN, None);
    let super_still = still.is_some_and(|sheet| sheet.role == Role::Superadmin);
    if before.sheet.role == Role::Superadmin && !super_still && other_user_managers(tx, before.id, None).await? == 0 {
        return Err(last().into());
    }
    let structure = before.sheet.structure_id;
    let here_still = still.is_some_and(|sheet| sheet.structure_id == structure);
    if !here_still
        && other_user_managers(tx, before.id, Some(structure)).await? == 0
        && others_of(tx, before.id, structure).await? > 0
    {
        return Err(last().into());
    }
    Ok(())
}

/// A person works in white-labels of their structure; those whose role does not open them all need one at least.
async fn white_labels(tx: &Tx, actor: &Actor, sheet: &UserSheet) -> Result<Vec<Fault>, UserError> {
    const FIELD: &str = "/white_label_ids";
    let all_open = matches!(sheet.role, Role::Superadmin | Role::Admin);
    if sheet.white_label_ids.is_empty() {
        return Ok(if all_open { Vec::new() } else { vec![Fault::new("validation/required", FIELD)] });
    }
    // A structure that this person does not see inside of is refused as unknown.
    if sheet.role == Role::Superadmin || !actor.may_see_inside(StructureId(sheet.structure_id)) {
        return Ok(Vec::new());
    }
    let known = store::white_label::find_many(tx, &ids_of(sheet)).await?;
    let theirs = store::white_label::ids(tx, Some(StructureId(sheet.structure_id))).await?;
    // A white-label that this user does not work in is refused as unknown.
    let elsewhere = known.iter().filter(|one| actor.works_in(one.id) && !theirs.contains(&one.id));
    Ok(elsewhere.map(|one| Fault::new("user/white-label-elsewhere", FIELD).with("id", one.id.0)).collect())
}

/// What the journal records of a save or a deletion: the values of role and blocking, the names of all other fields.
pub(super) fn audited(before: Option<&UserSheet>, after: Option<&UserSheet>) -> Vec<(Action, Detail)> {
    let (before, after) = match (before, after) {
        (None, _) => return vec![(Action::UserCreated, Detail::None)],
        (Some(_), None) => return vec![(Action::UserDeleted, Detail::None)],
        (Some(before), Some(after)) => (before, after),
    };
    let mut events = Vec::new();
    let mut changed = after.changed_since(before);
    changed.retain(|field| !["role", "status"].contains(field));
    if !changed.is_empty() {
        events.push((Action::UserChanged, Detail::Fields { names: audit::names(changed) }));
    }
    if before.role != after.role {
        events.push((Action::UserRoleChanged, Detail::Roles { before: before.role, after: after.role }));
    }
    if before.status != after.status {
        let blocked = after.status == UserStatus::Blocked;
        events.push((if blocked { Action::UserBlocked } else { Action::UserUnblocked }, Detail::None));
    }
    events
}

fn ids_of(sheet: &UserSheet) -> Vec<WhiteLabelId> {
    sheet.white_label_ids.iter().copied().map(WhiteLabelId).collect()
}

fn pointer(field: &str) -> &'static str {
    match field {
        "role" => "/role",
        "status" => "/status",
        _ => "/structure_id",
    }
}
