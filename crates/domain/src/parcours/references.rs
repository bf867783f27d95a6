//! What a parcours points to: by its sheet, and by its steps.

use super::sheet::Sheet;
use super::words::Relation;
use crate::record::{Field as _, Kind, Reference, Sheet as _, Target};
use crate::step::{Step, StepReferences};
use crate::vocabulary_kind::VocabularyKind;

/// The field of steps that names lines of public transport. Their practices are of the field `steps`.
pub const STEP_LINES: &str = "line_ids";

/// All that a sheet and its steps point to.
pub fn references(sheet: &Sheet, steps: &StepReferences) -> Vec<Reference> {
    let practices = Target { kind: Kind::Vocabulary, list: Some(VocabularyKind::PracticeType) };
    let lines = Target { kind: Kind::TransportLine, list: None };
    let mut found = sheet.references();
    found.extend(steps.practices.iter().map(|id| Reference { field: "steps", target: practices, id: *id }));
    found.extend(steps.lines.iter().map(|id| Reference { field: STEP_LINES, target: lines, id: *id }));
    found
}

/// Makes a sheet and its steps point to `to` instead of `from`, or to nothing.
pub fn repoint(sheet: &mut Sheet, steps: &mut [Step], kind: Kind, from: i64, to: Option<i64>) {
    sheet.repoint(kind, from, to);
    match kind {
        Kind::TransportLine => steps.iter_mut().for_each(|step| step.line_ids.repoint(from, to)),
        Kind::Vocabulary => steps.iter_mut().for_each(|step| step.practice_type_id.repoint(from, to)),
        // A child that is shown only under its parent keeps its relation: it stays hidden until its own people decide.
        Kind::Parcours if sheet.parent_id.is_none() && sheet.relation == Relation::Child => {
            sheet.relation = Relation::None;
        }
        _ => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_term_is_replaced_wherever_it_stands_and_nothing_else() {
        let mut sheet = Sheet {
            practice_type_id: Some(1),
            theme_ids: vec![1, 2],
            tag_ids: vec![3],
            poi_ids: vec![1],
            special_levels: [("effort".to_owned(), 1), ("risk".to_owned(), 2)].into(),
            ..Sheet::default()
        };
        repoint(&mut sheet, &mut [], Kind::Vocabulary, 1, Some(2));
        assert_eq!((sheet.practice_type_id, sheet.theme_ids.as_slice()), (Some(2), &[2][..]));
        assert_eq!((sheet.special_levels["effort"], sheet.poi_ids.as_slice()), (2, &[1][..]));
        repoint(&mut sheet, &mut [], Kind::Vocabulary, 2, None);
        assert!(sheet.special_levels.is_empty() && sheet.theme_ids.is_empty() && sheet.practice_type_id.is_none());
        assert_eq!(sheet.tag_ids, [3]);
    }
}
