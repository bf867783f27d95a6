//! The rules of a parcours: those of single fields come from the declaration of the sheet, those between fields are here.

use super::sheet::Sheet;
use crate::Fault;
use crate::record::Sheet as _;
use crate::text::first_text;

/// What the rules need to know besides the sheet.
#[derive(Debug, Clone, Copy)]
pub struct RuleContext<'a> {
    /// Languages content is written in; the first is the one that is required where a text is.
    pub languages: &'a [String],
}

/// All faults of a sheet. `changed` names the fields of this save: rules between fields apply only when one of them changed.
pub fn check(sheet: &Sheet, changed: &[&str], context: RuleContext<'_>) -> Vec<Fault> {
    let mut faults = sheet.faults(context.languages);
    check_money(sheet, &mut faults);
    // A parcours that was shown only under a parent keeps its relation when the parent is deleted.
    let relation_moved = changed.iter().any(|name| ["relation", "parent_id"].contains(name));
    if sheet.relation.is_child() && sheet.parent_id.is_none() && relation_moved {
        faults.push(Fault::new("parcours/parent-required", "/parent_id"));
    }
    let distribution_moved = changed.iter().any(|name| ["distribute_own", "description"].contains(name));
    if sheet.distribute_own && distribution_moved && !described(sheet, context.languages) {
        faults.push(Fault::new("parcours/description-required", first_text("description", context.languages)));
    }
    faults
}

/// Whether the description is written in the first language ("The description is required for distribution on the app").
pub fn described(sheet: &Sheet, languages: &[String]) -> bool {
    languages.first().is_some_and(|lang| sheet.description.is_written(lang))
}

/// Whether there is a title in the first language, without which nothing is published or shared.
pub fn titled(sheet: &Sheet, languages: &[String]) -> bool {
    languages.first().is_some_and(|lang| sheet.title.is_written(lang))
}

/// The fault of a save that removes the title of a published parcours. A save is not refused for a title that was missing before.
pub fn title_lost(before: &Sheet, after: &Sheet, published: bool, languages: &[String]) -> Option<Fault> {
    let is_lost = published && titled(before, languages) && !titled(after, languages);
    is_lost.then(|| Fault::new("parcours/title-required-to-publish", first_text("title", languages)))
}

fn check_money(sheet: &Sheet, faults: &mut Vec<Fault>) {
    if let (Some(price), Some(max)) = (sheet.price_cents, sheet.max_price_cents)
        && max < price
    {
        faults.push(Fault::new("parcours/max-price-below-price", "/max_price_cents"));
    }
    if sheet.deposit_percent.is_some_and(|percent| !(0..=100).contains(&percent)) {
        faults.push(Fault::new("parcours/deposit-out-of-range", "/deposit_percent").with("min", 0).with("max", 100));
    }
}
