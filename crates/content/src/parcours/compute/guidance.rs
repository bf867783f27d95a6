//! The instructions of a line that is put together from legs.

use domain::parcours::line::{Along, Pace};
use routing::{Instruction, InstructionKind};
use trace::Position;

use super::tenth;

/// The place of an instruction that is further from the line is not on it.
const BESIDE_M: f64 = 20.0;

/// Instructions of a match, each at its place on the line in use: they say metres of the match's own line, which may be longer or
/// shorter. Those that have no place on the line, in their order, are left out.
pub(super) fn placed(instructions: &[Instruction], line: &[Position]) -> Vec<Instruction> {
    let along = Along::new(line, Pace::default(), None);
    let length_m = along.length_m();
    // How far the line is ahead of the match's own.
    let (mut after_m, mut ahead_m) = (0.0, 0.0);
    let mut found: Vec<Instruction> = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        let foot = match instruction.kind {
            InstructionKind::Depart => along.end(0.0),
            InstructionKind::Arrive => along.end(length_m),
            _ => along.nearest_in_order(instruction.position, Some(instruction.at_m + ahead_m), after_m),
        };
        let Some(foot) = foot.filter(|foot| foot.offset_m <= BESIDE_M && foot.at_m >= after_m - 1.0) else { continue };
        after_m = foot.at_m.max(after_m);
        ahead_m = after_m - instruction.at_m;
        let position = foot.position.rounded();
        found.push(Instruction { at_m: tenth(after_m), position, ..instruction.clone() });
    }
    let ends: Vec<f64> = found.iter().skip(1).map(|next| next.at_m).chain([tenth(length_m)]).collect();
    for (instruction, end_m) in found.iter_mut().zip(ends) {
        instruction.length_m = tenth(end_m - instruction.at_m);
    }
    found
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Metres east and north of a place on the equator.
    fn at(east_m: f64, north_m: f64) -> Position {
        let degree_m = trace::EARTH_RADIUS_M.to_radians();
        Position::new(east_m / degree_m, north_m / degree_m)
    }

    fn instruction(kind: InstructionKind, at_m: f64, position: Position) -> Instruction {
        Instruction {
            kind,
            at_m,
            length_m: 0.0,
            name: None,
            exit: None,
            fr: String::new(),
            en: String::new(),
            position,
        }
    }

    #[test]
    fn instructions_stand_at_their_metres_of_the_line_in_use() {
        // 1 km east, a side way of 200 m north and back, 1 km east. The match's own line lacks the side way.
        let line = [at(0.0, 0.0), at(1_000.0, 0.0), at(1_000.0, 200.0), at(1_000.0, 0.0), at(2_000.0, 0.0)];
        let asked = [
            instruction(InstructionKind::Depart, 0.0, at(0.0, 0.0)),
            instruction(InstructionKind::TurnLeft, 500.0, at(500.0, 3.0)),
            instruction(InstructionKind::UTurn, 1_050.0, at(1_000.0, 200.0)),
            instruction(InstructionKind::Continue, 1_060.0, at(1_000.0, 0.0)),
            instruction(InstructionKind::TurnRight, 1_500.0, at(1_500.0, 90.0)),
            instruction(InstructionKind::Arrive, 2_000.0, at(2_000.0, 0.0)),
        ];
        let found = placed(&asked, &line);
        let figures: Vec<_> = found.iter().map(|one| (one.kind, one.at_m.round(), one.length_m.round())).collect();
        assert_eq!(
            figures,
            [
                (InstructionKind::Depart, 0.0, 500.0),
                (InstructionKind::TurnLeft, 500.0, 700.0),
                (InstructionKind::UTurn, 1_200.0, 200.0),
                (InstructionKind::Continue, 1_400.0, 1_000.0),
                (InstructionKind::Arrive, 2_400.0, 0.0),
            ],
            "what is 90 m beside the line is left out"
        );
        assert!(trace::distance_m(found[1].position, at(500.0, 0.0)) < 0.1);
    }
}
