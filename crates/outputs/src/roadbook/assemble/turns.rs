//! The planner's turns as rows of the table of steps: where they are dense, several become one row.
//!
//! Two rules, and no turn onto another named way is ever left out:
//! - An instruction that keeps to the way of the one before it (the same name, at most [`SAME_WAY_M`] further on) is not printed:
//!   the row says how far to follow that way instead. Turning back, roundabouts, ferries and stairs are always printed.
//! - A turn at most [`CLOSE_M`] after another is printed in the same row, with its distance: at most [`TURNS_A_ROW`] a row.
//!
//! A step of the sheet between two instructions always parts them.

use routing::{Instruction, InstructionKind, Language};
use trace::Position;

/// An instruction further than this from the one before it confirms the way: it is printed.
const SAME_WAY_M: f64 = 500.0;
/// Turns nearer than this are read together: at 15 km/h a cyclist has 24 seconds from one to the next.
const CLOSE_M: f64 = 100.0;
/// More sentences than this are not remembered in one look.
const TURNS_A_ROW: usize = 3;

/// One or several turns, printed together at the place of the first.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct Turns {
    pub(super) at_m: f64,
    pub(super) kind: InstructionKind,
    pub(super) position: Position,
    /// The sentence of the first.
    pub(super) title: String,
    /// How far its way is followed, and the turns that come right after.
    pub(super) text: String,
}

/// An instruction that is printed, and the place of the last instruction that stays on the same way.
struct PrintedTurn<'a> {
    turn: &'a Instruction,
    kept_to_m: Option<f64>,
}

/// The rows of some instructions in the order of the way. `steps_at_m` are the sheet's steps that are printed.
pub(super) fn rows(turns: &[Instruction], steps_at_m: &[f64], language: &str) -> Vec<Turns> {
    let mut rows: Vec<Vec<PrintedTurn<'_>>> = Vec::new();
    let mut before: Option<&Instruction> = None;
    for turn in turns {
        let near = before.filter(|before| !steps_at_m.iter().any(|at| *at > before.at_m && *at <= turn.at_m));
        match (near, rows.last_mut()) {
            (Some(before), Some(row)) if keeps_to_the_way(before, turn) => {
                if let Some(last) = row.last_mut() {
                    last.kept_to_m = Some(turn.at_m);
                }
            }
            (Some(before), Some(row))
                if is_bend(before.kind)
                    && is_bend(turn.kind)
                    && turn.at_m - before.at_m <= CLOSE_M
                    && row.len() < TURNS_A_ROW =>
            {
                row.push(PrintedTurn { turn, kept_to_m: None });
            }
            _ => rows.push(vec![PrintedTurn { turn, kept_to_m: None }]),
        }
        before = Some(turn);
    }
    let ends = |from_m: f64, turn: &Instruction| {
        let next = turns.iter().map(|next| next.at_m).find(|at| *at > from_m);
        let step = steps_at_m.iter().copied().filter(|at| *at > from_m).min_by(f64::total_cmp);
        let far = turn.at_m + turn.length_m;
        next.into_iter().chain(step).min_by(f64::total_cmp).unwrap_or(far.max(from_m))
    };
    rows.iter().filter_map(|row| in_words(row, &ends, language)).collect()
}

/// Whether nothing is to be decided there but to stay on the way one is on.
fn keeps_to_the_way(before: &Instruction, turn: &Instruction) -> bool {
    let same = before.name.is_some() && before.name == turn.name;
    let is_on_it = is_bend(before.kind) || before.kind == InstructionKind::Roundabout;
    same && is_on_it && is_bend(turn.kind) && turn.at_m - before.at_m <= SAME_WAY_M
}

/// A change of direction that is seen and done at once.
const fn is_bend(kind: InstructionKind) -> bool {
    matches!(
        kind,
        InstructionKind::Continue
            | InstructionKind::SlightLeft
            | InstructionKind::SlightRight
            | InstructionKind::TurnLeft
            | InstructionKind::TurnRight
    )
}

fn in_words(row: &[PrintedTurn<'_>], ends: &dyn Fn(f64, &Instruction) -> f64, language: &str) -> Option<Turns> {
    let first = row.first()?.turn;
    let mut texts: Vec<String> = Vec::new();
    let mut last_m = first.at_m;
    for (index, printed) in row.iter().enumerate() {
        let turn = printed.turn;
        if index > 0 {
            texts.push(then(&metres(turn.at_m - last_m, language), sentence(turn, language), language));
        }
        // Where another turn follows in the row, its distance says the same.
        if let Some(kept_to_m) = printed.kept_to_m.filter(|_| index + 1 == row.len()) {
            texts.push(follow(turn, &metres(ends(kept_to_m, turn) - turn.at_m, language), language));
        }
        last_m = turn.at_m;
    }
    Some(Turns {
        at_m: first.at_m,
        kind: first.kind,
        position: first.position,
        title: sentence(first, language).to_owned(),
        text: texts.join(" "),
    })
}

/// Instructions are made in French and in English; the other languages read English.
fn sentence<'a>(turn: &'a Instruction, language: &str) -> &'a str {
    if language == "fr" { &turn.fr } else { &turn.en }
}

fn follow(turn: &Instruction, distance: &str, language: &str) -> String {
    let name = turn.name.as_deref().unwrap_or_default();
    if language != "fr" {
        return format!("Follow {} for {distance}.", routing::way_in_words(name, Language::En));
    }
    // The article of a number of a road or a path is in the planner's sentence.
    let numbered = ["la ", "le ", "l’"].map(|article| format!("{article}{name}"));
    let said = numbered.into_iter().find(|numbered| turn.fr.contains(numbered));
    let way = said.unwrap_or_else(|| routing::way_in_words(name, Language::Fr));
    format!("Suivez {way} sur {distance}.")
}

fn then(distance: &str, sentence: &str, language: &str) -> String {
    let mut chars = sentence.chars();
    let small: String = chars.next().map(char::to_lowercase).into_iter().flatten().chain(chars).collect();
    if language == "fr" { format!("Puis, à {distance}, {small}") } else { format!("Then, after {distance}, {small}") }
}

/// To ten metres, or to a hundred from one kilometre on.
fn metres(length_m: f64, language: &str) -> String {
    let tens = (length_m / 10.0).round().max(1.0) * 10.0;
    if tens < 1_000.0 {
        return format!("{tens} m");
    }
    let km = format!("{:.1}", length_m / 1_000.0);
    let km = km.strip_suffix(".0").unwrap_or(&km);
    if language == "fr" { format!("{} km", km.replace('.', ",")) } else { format!("{km} km") }
}

#[cfg(test)]
mod tests {
    use super::*;
    use InstructionKind::{Continue, Roundabout, SlightRight, TurnLeft, TurnRight, UTurn};

    const GREEN: &str = "Voie verte de la Sauvelle";
    const ROAD: &str = "Route de Sauvelle";

    fn turn(at_m: f64, kind: InstructionKind, name: &str) -> Instruction {
        let on = routing::way_in_words(name, Language::Fr);
        Instruction {
            kind,
            at_m,
            length_m: 50.0,
            name: Some(name.to_owned()),
            exit: None,
            fr: format!("Tournez sur {on}."),
            en: format!("Turn onto {name}."),
            position: Position::new(4.0, 47.0),
        }
    }

    fn printed_rows(turns: &[Instruction], steps_at_m: &[f64], language: &str) -> Vec<(f64, String)> {
        rows(turns, steps_at_m, language).into_iter().map(|row| (row.at_m, row.text)).collect()
    }

    #[test]
    fn instructions_that_keep_to_a_way_say_how_far_to_follow_it() {
        let turns = [
            turn(1_000.0, TurnLeft, GREEN),
            turn(1_300.0, SlightRight, GREEN),
            turn(1_700.0, TurnRight, GREEN),
            turn(1_900.0, Continue, GREEN),
            turn(3_000.0, TurnLeft, ROAD),
        ];
        assert_eq!(
            printed_rows(&turns, &[], "fr"),
            [(1_000.0, "Suivez la voie verte de la Sauvelle sur 2 km.".to_owned()), (3_000.0, String::new())]
        );
        assert_eq!(printed_rows(&turns, &[], "en")[0].1, "Follow Voie verte de la Sauvelle for 2 km.");
        for (reference, followed) in [("D 12", "la D 12"), ("GR 11", "le GR 11"), ("EuroVelo 8", "l’EuroVelo 8")] {
            let turns = [0.0, 200.0].map(|at_m| Instruction {
                fr: format!("Tournez à gauche sur {followed}."),
                ..turn(at_m, TurnLeft, reference)
            });
            assert_eq!(printed_rows(&turns, &[], "fr")[0].1, format!("Suivez {followed} sur 200 m."));
        }
    }

    #[test]
    fn a_turn_onto_another_named_way_is_always_announced() {
        let turns = [
            turn(0.0, TurnLeft, GREEN),
            turn(30.0, TurnLeft, ROAD),
            turn(90.0, TurnRight, GREEN),
            turn(120.0, TurnRight, ROAD),
        ];
        let rows = rows(&turns, &[], "fr");
        assert_eq!(rows.len(), 2, "{rows:?}");
        assert_eq!(
            rows[0].text,
            "Puis, à 30 m, tournez sur la route de Sauvelle. Puis, à 60 m, tournez sur la voie verte de la Sauvelle."
        );
        assert_eq!((rows[1].at_m, rows[1].title.as_str()), (120.0, "Tournez sur la route de Sauvelle."));
        // Further apart, each has a separate row.
        let apart = [turn(0.0, TurnLeft, GREEN), turn(150.0, TurnLeft, ROAD)];
        assert_eq!(printed_rows(&apart, &[], "fr").len(), 2);
    }

    #[test]
    fn turning_back_and_roundabouts_stand_alone() {
        let turns = [
            turn(0.0, TurnLeft, ROAD),
            turn(50.0, UTurn, ROAD),
            turn(80.0, TurnRight, ROAD),
            turn(120.0, Roundabout, ROAD),
        ];
        assert_eq!(
            printed_rows(&turns, &[], "fr").iter().map(|row| row.0).collect::<Vec<_>>(),
            [0.0, 50.0, 80.0, 120.0]
        );
    }

    #[test]
    fn a_step_of_the_sheet_parts_instructions_and_ends_what_is_followed() {
        let turns = [turn(0.0, TurnLeft, GREEN), turn(200.0, SlightRight, GREEN), turn(450.0, Continue, GREEN)];
        assert_eq!(
            printed_rows(&turns, &[400.0], "fr"),
            [(0.0, "Suivez la voie verte de la Sauvelle sur 400 m.".to_owned()), (450.0, String::new())]
        );
    }

    #[test]
    fn the_distance_to_the_next_turn_of_a_row_is_printed_once() {
        let turns = [turn(0.0, TurnLeft, GREEN), turn(20.0, SlightRight, GREEN), turn(50.0, TurnRight, ROAD)];
        assert_eq!(
            printed_rows(&turns, &[], "fr"),
            [(0.0, "Puis, à 50 m, tournez sur la route de Sauvelle.".to_owned())]
        );
    }

    #[test]
    fn far_instructions_on_one_way_confirm_it() {
        let turns = [turn(0.0, TurnLeft, GREEN), turn(8_000.0, SlightRight, GREEN)];
        assert_eq!(printed_rows(&turns, &[], "fr").len(), 2);
    }

    /// The fourth day of the demo's great crossing, as the planner gives it: 21 instructions in two kilometres.
    #[test]
    fn the_dense_way_into_sauvelle_fits_on_half_the_rows() {
        let way = [
            (55_066.4, TurnLeft, ROAD),
            (55_385.2, TurnLeft, GREEN),
            (55_560.5, TurnLeft, ROAD),
            (55_594.4, TurnLeft, GREEN),
            (55_741.6, TurnLeft, ROAD),
            (55_852.7, TurnLeft, GREEN),
            (55_906.6, TurnLeft, ROAD),
            (55_986.5, TurnLeft, GREEN),
            (56_014.3, TurnRight, GREEN),
            (56_024.2, SlightRight, GREEN),
            (56_038.7, TurnLeft, ROAD),
            (56_128.9, UTurn, ROAD),
            (56_219.2, TurnRight, GREEN),
            (56_243.5, TurnLeft, GREEN),
            (56_271.4, TurnRight, ROAD),
            (56_351.2, TurnRight, GREEN),
            (56_405.2, TurnRight, ROAD),
            (56_516.3, TurnRight, GREEN),
            (56_663.4, TurnRight, ROAD),
            (56_697.3, TurnRight, GREEN),
            (56_872.6, TurnRight, ROAD),
        ];
        let turns: Vec<Instruction> = way.iter().map(|(at_m, kind, name)| turn(*at_m, *kind, name)).collect();
        let rows = rows(&turns, &[], "fr");
        assert_eq!(rows.len(), 12, "{rows:#?}");
        // Each change of way is still given: 21 instructions less the three that keep to the green way.
        let sentences: usize = rows.iter().map(|row| 1 + row.text.matches("Puis, à ").count()).sum();
        assert_eq!(sentences, 18);
    }
}
