//! The page's own words, in both languages.

use super::view::Language;

/// Word of a step's kind.
pub fn step_kind(language: Language, kind: &str) -> &'static str {
    let (french, english) = match kind {
        "departure" => ("Départ", "Start"),
        "arrival" => ("Arrivée", "Finish"),
        "step" => ("Étape", "Stage"),
        "optional_step" => ("Étape facultative", "Optional stage"),
        "night" => ("Nuit", "Night"),
        "nights" => ("Nuits", "Nights"),
        "step_night" => ("Étape avec nuit", "Stage with a night"),
        "favourite" => ("Coup de cœur", "Favourite"),
        "advice" => ("Conseil", "Advice"),
        _ => ("Point de passage", "Way-point"),
    };
    language.pick(french, english)
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
