//! Turn-by-turn instructions: the places of a line that need one, and its text in French and in English.

mod english;
mod french;
mod turns;
mod words;

use crate::{climb::decimetres, line::Measured, planner::Planner};
use routing::{Instruction, Language};

/// The instructions of a line; `borders` are the indexes of the request's points on it.
pub(crate) fn of(planner: &Planner, measured: &Measured, borders: &[usize]) -> Vec<Instruction> {
    let found = turns::find(planner, measured, borders);
    let speaks = |language| planner.language.is_none_or(|asked| asked == language);
    let (in_french, in_english) = (speaks(Language::Fr), speaks(Language::En));
    let total_m = measured.length_m();
    let next_at = |i: usize| found.get(i + 1).map_or(total_m, |next: &turns::Cue| measured.along_m[next.point]);
    found
        .iter()
        .enumerate()
        .map(|(i, cue)| {
            let at_m = measured.along_m[cue.point];
            Instruction {
                kind: cue.kind,
                at_m: decimetres(at_m),
                length_m: decimetres(next_at(i) - at_m),
                name: cue.way.name.or(cue.way.reference).map(str::to_owned),
                exit: cue.exit,
                fr: if in_french { french::sentence(cue) } else { String::new() },
                en: if in_english { english::sentence(cue) } else { String::new() },
                position: measured.line.points[cue.point],
            }
        })
        .collect()
}
