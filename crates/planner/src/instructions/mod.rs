//! Turn by turn: where the line needs a word, and the word in French and English.

mod english;
mod french;
mod turns;
mod words;

use crate::{climb::decimetres, embedded::Planner, line::Measured};
use serde::{Deserialize, Serialize};
use trace::Position;
use utoipa::ToSchema;

/// What to do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum InstructionKind {
    /// Set out.
    Depart,
    /// Straight on, where that is not obvious.
    Continue,
    /// Bear left.
    SlightLeft,
    /// Turn left.
    TurnLeft,
    /// Turn sharply left.
    SharpLeft,
    /// Bear right.
    SlightRight,
    /// Turn right.
    TurnRight,
    /// Turn sharply right.
    SharpRight,
    /// Turn back.
    UTurn,
    /// Enter a roundabout and leave it at `exit`.
    Roundabout,
    /// Board a ferry.
    Ferry,
    /// Take steps.
    Steps,
    /// A point of the request is passed.
    Via,
    /// The line leaves the network.
    OffNetwork,
    /// The line is back on the network.
    Rejoin,
    /// The end.
    Arrive,
}

/// A language of the instructions.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = InstructionLanguage)]
pub enum Language {
    /// French.
    Fr,
    /// English.
    En,
}

/// One instruction, at its place on the line.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, ToSchema)]
pub struct Instruction {
    /// What to do.
    pub kind: InstructionKind,
    /// Where, in metres from the start, to ten centimetres.
    pub at_m: f64,
    /// Metres to the next instruction, to ten centimetres.
    pub length_m: f64,
    /// Name or reference of the way taken.
    pub name: Option<String>,
    /// Which exit of a roundabout, from 1.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub exit: Option<u8>,
    /// In French; empty where only English was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub fr: String,
    /// In English; empty where only French was asked for.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub en: String,
    /// Where on the map.
    pub position: Position,
}

/// A named way as it stands in a sentence: « la rue du Port » in French, as it is written in English.
pub fn way_in_words(name: &str, language: Language) -> String {
    match language {
        Language::Fr => french::named(name),
        Language::En => name.trim().to_owned(),
    }
}

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
