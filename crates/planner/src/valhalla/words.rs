//! The server's manoeuvres as instructions: its own texts in French and in English, from one request for each language.

use super::wire::Manoeuvre;
use routing::{Instruction, InstructionKind};
use trace::Position;

/// A manoeuvre in both languages, and its point of the line.
pub(super) struct Cue<'a> {
    pub fr: &'a Manoeuvre,
    pub en: &'a Manoeuvre,
    pub point: usize,
    /// Which leg, from 0.
    pub leg: usize,
}

/// A leg begins.
const STARTS: std::ops::RangeInclusive<u32> = 1..=3;
/// A leg ends.
const ENDS: std::ops::RangeInclusive<u32> = 4..=6;
/// The way out of a roundabout: the instruction of its entry has named it.
const ROUNDABOUT_EXIT: u32 = 27;

/// The instructions of a line; `legs` is how many it has.
pub(super) fn instructions(cues: &[Cue], line: &[Position], along_m: &[f64], legs: usize) -> Vec<Instruction> {
    let mut found: Vec<Instruction> = cues
        .iter()
        .filter(|cue| {
            let ends_early = ENDS.contains(&cue.fr.kind) && cue.leg + 1 < legs;
            !ends_early && cue.fr.kind != ROUNDABOUT_EXIT
        })
        .map(|cue| {
            let passes = cue.leg > 0 && STARTS.contains(&cue.fr.kind);
            let (fr, en) = (&cue.fr.instruction, &cue.en.instruction);
            Instruction {
                kind: if passes { InstructionKind::Via } else { kind(cue.fr.kind) },
                at_m: along_m[cue.point],
                length_m: 0.0,
                name: cue.fr.street_names.first().cloned(),
                exit: cue.fr.roundabout_exit_count,
                fr: if passes { format!("Vous passez l’étape {}. {fr}", cue.leg) } else { fr.clone() },
                en: if passes { format!("You pass step {}. {en}", cue.leg) } else { en.clone() },
                position: line[cue.point],
            }
        })
        .collect();
    measure(&mut found, along_m.last().copied().unwrap_or_default());
    found
}

/// Lengths from each to the next.
pub(super) fn measure(instructions: &mut [Instruction], total_m: f64) {
    for i in 0..instructions.len() {
        let next_m = instructions.get(i + 1).map_or(total_m, |next| next.at_m);
        instructions[i].length_m = (next_m - instructions[i].at_m).max(0.0);
    }
}

/// The kind of a manoeuvre, from its number (`DirectionsLeg.Maneuver.Type` in Valhalla's `directions.proto`).
pub(super) fn kind(number: u32) -> InstructionKind {
    match number {
        1..=3 => InstructionKind::Depart,
        4..=6 => InstructionKind::Arrive,
        9 | 18 | 20 | 23 | 37 => InstructionKind::SlightRight,
        10 => InstructionKind::TurnRight,
        11 => InstructionKind::SharpRight,
        12 | 13 => InstructionKind::UTurn,
        14 => InstructionKind::SharpLeft,
        15 => InstructionKind::TurnLeft,
        16 | 19 | 21 | 24 | 38 => InstructionKind::SlightLeft,
        26 => InstructionKind::Roundabout,
        28 => InstructionKind::Ferry,
        40 | 41 => InstructionKind::Steps,
        _ => InstructionKind::Continue,
    }
}
