//! The page's own words, in both languages.

use domain::step::StepKind;

use super::view::Language;

/// Word of a step's kind.
pub const fn step_kind(language: Language, kind: StepKind) -> &'static str {
    let (french, english) = match kind {
        StepKind::Departure => ("Départ", "Start"),
        StepKind::Arrival => ("Arrivée", "Finish"),
        StepKind::Step => ("Étape", "Stage"),
        StepKind::OptionalStep => ("Étape facultative", "Optional stage"),
        StepKind::Night => ("Nuit", "Night"),
        StepKind::Nights => ("Nuits", "Nights"),
        StepKind::StepNight => ("Étape avec nuit", "Stage with a night"),
        StepKind::Favourite => ("Coup de cœur", "Favourite"),
        StepKind::Advice => ("Conseil", "Advice"),
        StepKind::Waypoint => ("Point de passage", "Way-point"),
    };
    language.pick(french, english)
}

/// The two kinds of step that are drawn otherwise.
pub const fn step_class(kind: StepKind) -> Option<&'static str> {
    match kind {
        StepKind::Departure => Some("departure"),
        StepKind::Arrival => Some("arrival"),
        _ => None,
    }
}

/// `Boucle` or `Aller simple`.
pub fn loop_word(language: Language, is_loop: bool) -> &'static str {
    if is_loop { language.pick("Boucle", "Loop") } else { language.pick("Aller simple", "One-way") }
}

/// Sentence of the guidance.
pub fn guidance(language: Language, guided: bool) -> &'static str {
    if guided {
        language.pick("Guidage pas à pas disponible dans l’application.", "Step-by-step guidance available in the app.")
    } else {
        language.pick(
            "Sans guidage pas à pas : l’application suit le tracé d’origine.",
            "No step-by-step guidance: the app follows the original trace.",
        )
    }
}
