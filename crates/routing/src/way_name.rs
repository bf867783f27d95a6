//! The name of a way in a sentence. In French generic words take their article, names without one are put between guillemets.

use crate::Language;

/// A named way within a sentence: « la rue du Port » in French, unchanged in English.
pub fn way_in_words(name: &str, language: Language) -> String {
    match language {
        Language::Fr => in_french(name),
        Language::En => name.trim().to_owned(),
    }
}

/// The form of the article before a common noun.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Noun {
    Feminine,
    Masculine,
    Plural,
}

/// The common nouns in names of ways; `None` for any other first word.
fn noun(word: &str) -> Option<Noun> {
    Some(match word {
        "rue" | "avenue" | "route" | "place" | "allée" | "ruelle" | "impasse" | "voie" | "promenade" | "passerelle"
        | "piste" | "sente" | "venelle" | "montée" | "côte" | "traverse" | "esplanade" | "chaussée" | "rocade"
        | "corniche" | "digue" | "draille" | "drève" | "levée" | "placette" | "descente" | "rampe" | "cité"
        | "cour" | "villa" | "autoroute" | "bretelle" | "véloroute" | "ronde" | "calade" | "carriera" | "rambla" => {
            Noun::Feminine
        }
        "chemin" | "boulevard" | "quai" | "sentier" | "cours" | "passage" | "pont" | "square" | "faubourg"
        | "escalier" | "rond-point" | "mail" | "viaduc" | "tunnel" | "col" | "parvis" | "clos" | "carrefour"
        | "raidillon" | "layon" | "parc" | "port" | "môle" | "circuit" | "giratoire" | "hameau" | "lotissement"
        | "val" => Noun::Masculine,
        "allées" | "quais" | "escaliers" | "rampes" | "gorges" | "berges" | "remparts" => Noun::Plural,
        _ => return None,
    })
}

fn in_french(name: &str) -> String {
    let name = name.trim();
    let written = name.split_whitespace().next().unwrap_or_default();
    let first = written.to_lowercase();
    let Some(noun) = noun(&first) else { return format!("« {name} »") };
    // The generic word is a common noun: "la rue du Port", not "la Rue du Port".
    let rest = name[written.len()..].replace('\'', "’");
    let starts_open = first.starts_with(['a', 'e', 'i', 'o', 'u', 'y', 'é', 'è', 'ê', 'â', 'î', 'ô', 'h']);
    let article = match noun {
        Noun::Plural => "les ",
        _ if starts_open && first != "hameau" => "l’",
        Noun::Feminine => "la ",
        Noun::Masculine => "le ",
    };
    format!("{article}{first}{rest}")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn generic_words_take_their_article() {
        for (name, expected) in [
            ("Rue du Port", "la rue du Port"),
            ("Avenue de Monte-Carlo", "l’avenue de Monte-Carlo"),
            ("Boulevard des Moulins", "le boulevard des Moulins"),
            ("Escalier de la Costa", "l’escalier de la Costa"),
            ("Quai Albert 1er", "le quai Albert 1er"),
            ("Allée des Boulingrins", "l’allée des Boulingrins"),
            ("Impasse de la Fontaine", "l’impasse de la Fontaine"),
            ("Chemin de la Turbie", "le chemin de la Turbie"),
            ("Avenue d'Ostende", "l’avenue d’Ostende"),
            ("Carrer Major", "« Carrer Major »"),
            ("Avinguda Meritxell", "« Avinguda Meritxell »"),
            ("GR 11", "« GR 11 »"),
        ] {
            assert_eq!(way_in_words(name, Language::Fr), expected);
        }
    }
}
