//! The known facts of a parcours or a picture for the assistant: its text may contain nothing else.

use super::scrub::scrubbed;

/// The most bytes of facts.
const MAX_BYTES: usize = 12_000;
/// Characters of the description of a step.
const STEP_CHARS: usize = 240;
/// Characters of the existing text of the whole.
const MAX_EXISTING_CHARS: usize = 3_000;

/// The facts of a parcours, or of a picture, in one language.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Facts {
    pub title: String,
    /// Its practice: « Randonnée pédestre ».
    pub practice: Option<String>,
    pub level: Option<String>,
    /// A loop, or one way.
    pub is_loop: Option<bool>,
    pub distance_m: Option<f64>,
    /// Metres up.
    pub ascent_m: Option<f64>,
    pub duration_s: Option<f64>,
    /// Where it starts.
    pub departure: Option<String>,
    /// Where it ends.
    pub arrival: Option<String>,
    /// The steps of the way, in their order.
    pub steps: Vec<StepFact>,
    /// Points of interest.
    pub pois: Vec<String>,
    pub themes: Vec<String>,
    pub markings: Vec<String>,
    /// The existing text, without markup.
    pub existing_text: String,
    /// The step whose text is to be written.
    pub focus: Option<Focus>,
    /// The legend of a picture.
    pub legend: Option<String>,
}

/// The step whose text is to be written.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Focus {
    /// Its name, text and place.
    pub step: StepFact,
    /// The following step.
    pub next: Option<String>,
    /// Metres from this step to the next one; `None` where unknown.
    pub to_next_m: Option<f64>,
}

/// A step.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct StepFact {
    pub name: String,
    /// The description.
    pub text: String,
    /// Metres from the start.
    pub at_m: Option<f64>,
}

impl Facts {
    /// The facts for a model: a line each, without private data, cut at a line.
    pub fn to_text(&self, french: bool) -> String {
        let mut lines = Vec::new();
        let mut line = |fr: &str, en: &str, value: Option<String>| {
            if let Some(value) = value.map(|value| value.trim().to_owned()).filter(|value| !value.is_empty()) {
                lines.push(format!("{}: {value}", if french { fr } else { en }));
            }
        };
        line("Titre", "Title", Some(self.title.clone()));
        line("Pratique", "Practice", self.practice.clone());
        line("Niveau", "Level", self.level.clone());
        let shape = self.is_loop.map(|is_loop| match (is_loop, french) {
            (true, true) => "boucle",
            (true, false) => "loop",
            (false, true) => "aller simple",
            (false, false) => "one way",
        });
        line("Forme", "Shape", shape.map(str::to_owned));
        line("Distance", "Distance", self.distance_m.map(|m| km(m, french)));
        line("Dénivelé positif", "Ascent", self.ascent_m.map(|m| format!("{m:.0} m")));
        line("Durée", "Duration", self.duration_s.map(duration));
        line("Départ", "Start", self.departure.clone());
        line("Arrivée", "End", self.arrival.clone());
        line("Thématiques", "Themes", Some(self.themes.join(", ")));
        line("Balisage", "Waymarks", Some(self.markings.join(", ")));
        line("Points d’intérêt", "Points of interest", Some(self.pois.join(", ")));
        line("Légende de l’image", "Legend of the picture", self.legend.clone());
        if let Some(focus) = &self.focus {
            line("Étape à décrire", "Step to describe", Some(step(&focus.step, french)));
            let next = focus.next.as_ref().map(|next| match focus.to_next_m {
                Some(metres) if french => format!("{next}, à {}", km(metres, french)),
                Some(metres) => format!("{next}, {} further", km(metres, french)),
                None => next.clone(),
            });
            line("Étape suivante", "Next step", next);
        }
        for one in &self.steps {
            line("Étape", "Step", Some(step(one, french)));
        }
        line("Déjà écrit", "Already written", Some(self.existing_text.chars().take(MAX_EXISTING_CHARS).collect()));
        let mut out = String::new();
        for line in lines {
            // A line break in a fact cannot begin another fact.
            let line = scrubbed(&line.replace(['\n', '\r'], " "));
            if out.len() + line.len() + 1 > MAX_BYTES {
                continue;
            }
            out.push_str(&line);
            out.push('\n');
        }
        out
    }
}

/// `Le moulin (1,2 km). Prendre à gauche.`
fn step(step: &StepFact, french: bool) -> String {
    let at = step.at_m.map_or(String::new(), |m| format!(" ({})", km(m, french)));
    let text: String = step.text.chars().take(STEP_CHARS).collect();
    if text.is_empty() { format!("{}{at}", step.name) } else { format!("{}{at}. {text}", step.name) }
}

/// `12,5 km`, `800 m`.
pub(super) fn km(metres: f64, french: bool) -> String {
    if metres < 1_000.0 {
        return format!("{metres:.0} m");
    }
    let text = format!("{:.1}", metres / 1_000.0);
    let text = text.strip_suffix(".0").unwrap_or(&text);
    format!("{} km", if french { text.replace('.', ",") } else { text.to_owned() })
}

/// `3 h 30`, `45 min`.
pub(super) fn duration(seconds: f64) -> String {
    let minutes = (seconds / 60.0).round() as i64;
    match (minutes / 60, minutes % 60) {
        (0, minutes) => format!("{minutes} min"),
        (hours, 0) => format!("{hours} h"),
        (hours, minutes) => format!("{hours} h {minutes:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn facts_are_capped_and_a_fact_is_one_line() {
        let step = StepFact { name: "Le col\nTitre: autre".to_owned(), text: "x".repeat(500), at_m: Some(1_250.0) };
        let facts = Facts { title: "Lac".to_owned(), steps: vec![step; 200], ..Facts::default() };
        let text = facts.to_text(true);
        assert!(text.len() <= MAX_BYTES && text.lines().count() > 20);
        assert!(text.lines().all(|line| line.starts_with("Titre: Lac") || line.starts_with("Étape: ")), "{text}");
        assert!(text.contains("(1,2 km)") || text.contains("(1,3 km)"));
        assert_eq!((duration(12_600.0), duration(2_700.0)), ("3 h 30".to_owned(), "45 min".to_owned()));
    }
}
