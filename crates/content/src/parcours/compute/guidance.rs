//! The instructions of a line that is put together from legs.

use domain::parcours::line::{Along, Pace};
use routing::{Instruction, InstructionKind};
use trace::Position;

use super::tenth;

/// The place of an instruction that is further from the line is not on it.
const BESIDE_M: f64 = 20.0;

/// How far before and behind the metres that it is expected at an instruction is looked for first.
const AROUND_M: f64 = 2_000.0;

/// Instructions of one line that are looked for along all the rest of it. Further ones that are not around their metres are left out.
const MAX_FAR: usize = 200;

/// Instructions of a match, each at its place on the line in use: they say metres of the match's own line, which may be longer or
/// shorter. Those that have no place on the line, in their order, are left out.
pub(super) fn placed(instructions: &[Instruction], line: &[Position]) -> Vec<Instruction> {
    let along = Along::new(line, Pace::default(), None);
    let length_m = along.length_m();
    // How far the line is ahead of the match's own.
    let (mut after_m, mut ahead_m) = (0.0_f64, 0.0_f64);
    let mut far = 0;
    let mut found: Vec<Instruction> = Vec::with_capacity(instructions.len());
    for instruction in instructions {
        let foot = match instruction.kind {
            InstructionKind::Depart => along.end(0.0),
            InstructionKind::Arrive => along.end(length_m),
            _ => {
                let (hint_m, from_m) = (instruction.at_m + ahead_m, after_m - 1.0);
                let between = |between_m| along.nearest_between(instruction.position, hint_m, between_m, BESIDE_M);
                between((from_m.max(hint_m - AROUND_M), hint_m.max(after_m) + AROUND_M)).or_else(|| {
                    far += 1;
                    if far > MAX_FAR { None } else { between((from_m, f64::INFINITY)) }
                })
            }
        };
        let Some(foot) = foot.filter(|foot| foot.at_m >= after_m - 1.0) else { continue };
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
        Position::new(east_m / trace::DEGREE_OF_LATITUDE_M, north_m / trace::DEGREE_OF_LATITUDE_M)
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

    #[test]
    fn many_instructions_of_a_long_line_stay_in_their_order() {
        // 200 km east and back, a point each 10 m, a turn each 20 m. The match's own line is a little shorter.
        let line: Vec<Position> =
            (0..=20_000).chain((0..20_000).rev()).map(|step| at(f64::from(step) * 10.0, 0.0)).collect();
        let metres: Vec<f64> = (0..20_000).map(|turn| f64::from(turn) * 20.0).collect();
        let asked: Vec<Instruction> = metres
            .iter()
            .map(|at_m| instruction(InstructionKind::Continue, at_m * 0.999, at(at_m.min(400_000.0 - at_m), 0.0)))
            .collect();
        let found = placed(&asked, &line);
        assert_eq!(found.len(), asked.len());
        for (one, at_m) in found.iter().zip(metres) {
            assert!((one.at_m - at_m).abs() < 0.5, "{} is not {at_m}", one.at_m);
        }
    }

    #[test]
    fn few_instructions_are_looked_for_along_the_whole_line() {
        // The match's own line lacks 10 km of the line in use.
        let line = [at(0.0, 0.0), at(5_000.0, 0.0), at(5_000.0, 5_000.0), at(5_000.0, 0.0), at(20_000.0, 0.0)];
        let lost = instruction(InstructionKind::TurnLeft, 5_500.0, at(5_500.0, 900.0));
        let ahead = instruction(InstructionKind::TurnRight, 6_000.0, at(6_000.0, 0.0));
        let kinds = |lost_ones: usize| {
            let asked: Vec<Instruction> = std::iter::repeat_n(lost.clone(), lost_ones).chain([ahead.clone()]).collect();
            placed(&asked, &line).iter().map(|one| (one.kind, one.at_m.round())).collect::<Vec<_>>()
        };
        assert_eq!(kinds(MAX_FAR - 1), [(InstructionKind::TurnRight, 16_000.0)]);
        assert!(kinds(MAX_FAR).is_empty(), "the search has an end");
    }
}
