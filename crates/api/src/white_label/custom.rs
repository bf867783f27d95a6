//! How many records hold a value of each field a white-label adds.

use app::App;
use app::extract::{Path, Reader};
use app::record::{At, operations};
use axum::Json;
use axum::extract::State;
use domain::WhiteLabelId;
use domain::record::Kind;
use domain::white_label::{CustomField, CustomOn};
use serde::Serialize;
use utoipa::ToSchema;

use super::{WhiteLabelError, WhiteLabelResource};

/// How many records hold a value of a field.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomFieldUse {
    key: String,
    /// What it is added to.
    on: CustomOn,
    /// Whether the white-label still has it. The values of a deleted field are stored, and shown again when it is restored.
    defined: bool,
    records: i64,
}

/// All fields.
#[derive(Debug, Serialize, ToSchema)]
pub struct CustomFieldUses {
    items: Vec<CustomFieldUse>,
}

/// How many records hold a value of each field of a white-label's own: to be asked before one is taken away or becomes
/// another. The values stay; those that no longer fit are not shown.
#[utoipa::path(get, path = "/api/v1/white-labels/{id}/custom-fields", tag = "white-labels", params(("id" = i64, Path)),
    security(("session" = ["content.read"])), responses((status = 200, body = CustomFieldUses), WhiteLabelError))]
pub async fn list_custom_field_uses(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
) -> Result<Json<CustomFieldUses>, WhiteLabelError> {
    let db = app.store.read();
    let fields = operations::seen::<WhiteLabelResource>(db, &reader, &at).await?.sheet.custom_fields;
    let used = store::custom::uses(db, WhiteLabelId(at.id)).await?;
    let uses = used.into_iter().map(|used| {
        let on = if used.kind == Kind::Poi { CustomOn::Poi } else { CustomOn::Parcours };
        let is_it = |field: &CustomField| field.on == on && field.key == used.key;
        CustomFieldUse { on, defined: fields.iter().any(is_it), records: used.records, key: used.key }
    });
    let mut items: Vec<CustomFieldUse> = uses.collect();
    for field in &fields {
        if !items.iter().any(|item| item.on == field.on && item.key == field.key) {
            items.push(CustomFieldUse { key: field.key.clone(), on: field.on, defined: true, records: 0 });
        }
    }
    Ok(Json(CustomFieldUses { items }))
}
