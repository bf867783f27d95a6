//! Structures. Their names are no secret: lists are filtered by them. An admin keeps their own; making and deleting them is
//! a superadmin's.

mod list;

use app::extract::{Admin, Superadmin};
use app::record::{Head, LockedReason, RecordError, Resource, record_operations};
use app::routes;
use app::{App, audit};
use domain::audit::{Action, Detail};
use domain::{Actor, Capability, StructureId, StructureSheet};
use serde::Serialize;
use store::record::Stored;
use store::structure::Structures;
use store::{Connection, StoreError};
use utoipa::ToSchema;
use utoipa_axum::router::OpenApiRouter;

/// Errors of a structure.
pub type StructureError = RecordError<StructureResource>;

/// A structure.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Structure)]
pub struct StructureView {
    #[serde(flatten)]
    head: Head,
    #[serde(flatten)]
    sheet: StructureSheet,
}

/// The resource of structures.
#[derive(Debug)]
pub struct StructureResource;

impl Resource for StructureResource {
    type Record = Structures;
    type Sheet = StructureSheet;
    type View = StructureView;
    const PATH: &'static str = "/api/v1/structures";
    const NOT_FOUND: &'static str = "structure/not-found";
    const NOT_YOURS: &'static str = "structure/not-yours";
    const IN_USE: &'static str = "structure/in-use";

    async fn sees(_db: &impl Connection, _actor: &Actor, _record: &Stored<StructureSheet>) -> Result<bool, StoreError> {
        Ok(true)
    }

    fn is_theirs(actor: &Actor, record: &Stored<StructureSheet>) -> bool {
        actor.may_see_inside(StructureId(record.id))
    }

    fn has_open_history(_record: &Stored<StructureSheet>) -> bool {
        false
    }

    fn audited(before: Option<&StructureSheet>, after: Option<&StructureSheet>) -> Vec<(Action, Detail)> {
        audit::saved(before, after, [Action::StructureCreated, Action::StructureChanged, Action::StructureDeleted])
    }

    async fn views(
        _app: &App,
        _db: &impl Connection,
        actor: &Actor,
        records: Vec<Stored<StructureSheet>>,
    ) -> Result<Vec<StructureView>, StoreError> {
        let view = |record: Stored<StructureSheet>| {
            let locked = if !actor.can(Capability::UsersManage) {
                Some(LockedReason::Role)
            } else if !Self::is_theirs(actor, &record) {
                Some(LockedReason::NotYours)
            } else {
                None
            };
            StructureView {
                head: Head::of(&record, locked).named_to(Self::is_theirs(actor, &record)),
                sheet: record.sheet,
            }
        };
        Ok(records.into_iter().map(view).collect())
    }
}

record_operations! {
    StructureResource, StructureSheet, StructureView, StructureError;
    noun: "a structure", tag: "people", base: "/api/v1/structures", params: [],
    create: (Superadmin, "reference.manage"), change: (Admin, "users.manage"), delete: (Superadmin, "reference.manage"),
    show_structure, create_structure, update_structure, delete_structure, list_structure_uses,
    list_structure_revisions, show_structure_revision, restore_structure_revision,
}

/// The routes of this folder.
pub fn router() -> OpenApiRouter<App> {
    operations().routes(routes!(list::list_structures))
}
