//! The rules of an item: a unique code, attributes of its kind, a parent of its list and no circle.

use domain::vocabulary::{Attributes, TermSheet};
use domain::{Fault, VocabularyId, fold};
use store::record::Stored;
use store::{StoreError, Tx, vocabulary};

/// The faults of an item beyond those of its fields; its code and its place are made where they are not given.
pub(super) async fn check(
    tx: &Tx,
    before: &Stored<TermSheet>,
    after: &mut Stored<TermSheet>,
    changed: &[&'static str],
) -> Result<Vec<Fault>, StoreError> {
    let mut faults = Vec::new();
    let sheet = &mut after.sheet;
    if sheet.kind != before.sheet.kind {
        faults.push(Fault::new("validation/read-only", "/kind").with("name", "kind"));
        return Ok(faults);
    }
    if sheet.attributes.is_null() {
        sheet.attributes = serde_json::json!({});
    }
    if changed.contains(&"attributes") {
        if !sheet.kind.accepts(&sheet.attributes, &before.sheet.attributes) {
            faults.push(Fault::new("validation/wrong-type", "/attributes").with("name", "attributes"));
        }
        // What was stored before, perhaps by a newer version, is not judged by a change of something else.
        let is_judged = |fault: &Fault| {
            let name = fault.field.split('/').nth(2).unwrap_or_default();
            let sent = sheet.attributes.get(name);
            before.version == 0 || sent.is_none() || sent != before.sheet.attributes.get(name)
        };
        let read = sheet.kind.attributes(sheet.attributes.clone());
        faults.extend(read.iter().flat_map(Attributes::faults).filter(is_judged));
    }
    if sheet.code.is_empty() {
        sheet.code = free_code(tx, before, sheet).await?;
    } else if changed.contains(&"code") {
        let other = vocabulary::find_by_code(tx, sheet.kind, &sheet.code).await?;
        if other.is_some_and(|other| other.id.0 != before.id) {
            faults.push(Fault::new("vocabulary/code-taken", "/code").with("code", sheet.code.as_str()));
        }
    }
    let moved = before.version == 0 || sheet.parent_id != before.sheet.parent_id;
    if moved && let Some(parent) = sheet.parent_id {
        faults.extend(parent_fault(tx, before.id, sheet, parent).await?);
    }
    if moved && (before.version > 0 || sheet.order == 0) {
        sheet.order = vocabulary::next_order(tx, sheet.kind, sheet.parent_id).await?;
    }
    Ok(faults)
}

/// A parent is in the same list, and is neither the item itself nor under it. An unknown one is reported by another rule.
async fn parent_fault(tx: &Tx, id: i64, sheet: &TermSheet, parent: i64) -> Result<Option<Fault>, StoreError> {
    let Some(found) = vocabulary::find(tx, VocabularyId(parent)).await? else { return Ok(None) };
    if found.kind != sheet.kind {
        return Ok(Some(Fault::new("vocabulary/other-list", "/parent_id")));
    }
    let circle = id != 0 && vocabulary::with_those_under(tx, &[id]).await?.contains(&parent);
    Ok(circle.then(|| Fault::new("vocabulary/circle", "/parent_id")))
}

/// A code made from the label that no other item of the list has.
async fn free_code(tx: &Tx, before: &Stored<TermSheet>, sheet: &TermSheet) -> Result<String, StoreError> {
    let made: String = fold(sheet.label.best("fr")).replace(' ', "-").chars().take(60).collect();
    let start = if made.is_empty() { "element".to_owned() } else { made };
    let mut code = start.clone();
    for number in 2..1_000 {
        match vocabulary::find_by_code(tx, sheet.kind, &code).await? {
            Some(other) if other.id.0 != before.id => code = format!("{start}-{number}"),
            _ => break,
        }
    }
    Ok(code)
}
