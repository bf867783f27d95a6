//! Contacts: the people a structure answers through. All users of a structure read its contacts, its admins edit them.

mod list;
mod table;

use app::App;
use app::extract::Admin;
use app::problem::Code;
use app::record::owned::locked;
use app::record::{Head, Named, RecordError, Refused, Resource, Return, record_operations};
use app::routes;
use domain::{Actor, Capability, ContactSheet, Fault, StructureId};
use serde::Serialize;
use store::contact::Contacts;
use store::record::Stored;
use store::{Connection, StoreError, Tx};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of a contact.
pub type ContactError = RecordError<ContactResource>;

/// Another contact has the address.
const EMAIL_TAKEN: Code = Code { status: 409, code: "contact/email-taken" };

/// A contact.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Contact)]
pub struct ContactView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: ContactSheet,
    /// The structure they answer for, by name.
    structure: Option<Named>,
}

/// The resource of contacts.
#[derive(Debug)]
pub struct ContactResource;

impl Resource for ContactResource {
    type Record = Contacts;
    type Sheet = ContactSheet;
    type View = ContactView;
    const PATH: &'static str = "/api/v1/contacts";
    const NOT_FOUND: &'static str = "contact/not-found";
    const NOT_YOURS: &'static str = "contact/not-yours";
    const IN_USE: &'static str = "contact/in-use";
    const OWN_CODES: &'static [Code] = &[EMAIL_TAKEN];

    async fn sees(_db: &impl Connection, actor: &Actor, record: &Stored<ContactSheet>) -> Result<bool, StoreError> {
        Ok(actor.may_see_inside(StructureId(record.sheet.structure_id)))
    }

    async fn check(
        _app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Stored<ContactSheet>,
        after: &mut Stored<ContactSheet>,
        changed: &[&'static str],
    ) -> Result<Vec<Fault>, ContactError> {
        if before.version == 0 && after.sheet.structure_id == 0 {
            after.sheet.structure_id = actor.structure_id.0;
        }
        let taken = store::contact::find_by_email(tx, &after.sheet.email).await?;
        if changed.contains(&"email") && taken.is_some_and(|id| id != before.id) {
            return Err(Refused::new(EMAIL_TAKEN, Some("/email")).into());
        }
        Ok(Vec::new())
    }

    async fn may_return(tx: &Tx, actor: &Actor, record: &Stored<ContactSheet>) -> Result<Return, StoreError> {
        if !Self::is_theirs(actor, record) {
            return Ok(Return::NotTheirs);
        }
        let taken = store::contact::find_by_email(tx, &record.sheet.email).await?.is_some();
        Ok(if taken { Return::Taken } else { Return::Allowed })
    }

    async fn views(
        _app: &App,
        db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<ContactSheet>>,
    ) -> Result<Vec<ContactView>, StoreError> {
        let structures: Vec<i64> = records.iter().map(|record| record.sheet.structure_id).collect();
        let names = store::structure::names(db, &structures).await?;
        let view = |record: Stored<ContactSheet>| {
            let id = record.sheet.structure_id;
            ContactView {
                head: Head::of(&record, locked::<Self>(actor, &record, Capability::UsersManage)),
                structure: names.get(&id).map(|name| Named { id, name: name.clone() }),
                sheet: record.sheet,
            }
        };
        Ok(records.into_iter().map(view).collect())
    }
}

record_operations! {
    ContactResource, ContactSheet, ContactView, ContactError;
    noun: "a contact", tag: "people", base: "/api/v1/contacts", params: [],
    create: (Admin, "users.manage"), change: (Admin, "users.manage"), delete: (Admin, "users.manage"),
    show_contact, create_contact, update_contact, delete_contact, list_contact_uses,
    list_contact_revisions, show_contact_revision, restore_contact_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations().routes(routes!(list::list_contacts))
}
