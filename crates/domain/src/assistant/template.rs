//! The writer that needs no service: built-in sentences, one for each known fact.

use super::facts::{Facts, duration, km};
use super::task::{AssistantTask, TEMPLATE_LANGUAGES};
use crate::html::escaped;
use crate::one_space;

/// The text; `None` where the task is not supported, the language is not supported, or no fact is known.
pub fn written(task: AssistantTask, facts: &Facts, language: &str) -> Option<String> {
    if !TEMPLATE_LANGUAGES.contains(&language) {
        return None;
    }
    let fr = language == "fr";
    let says = Says { facts, fr };
    let text = match task {
        AssistantTask::Description => says.description(),
        AssistantTask::Summary => joined(&[says.opening(), says.figures()]),
        AssistantTask::Subtitle => says.subtitle(),
        AssistantTask::SeoTitle => says.seo_title(),
        AssistantTask::SeoDescription => joined(&[says.opening(), says.figures(), says.sights()]),
        AssistantTask::Falc => says.falc(),
        AssistantTask::AudioScript => {
            joined(&[says.welcome(), says.spoken_shape(), says.spoken_figures(), says.way(), says.sights()])
        }
        AssistantTask::StepInstructions => says.step(),
        AssistantTask::ImageAlt => one_space(facts.legend.as_deref().unwrap_or_default()),
        _ => return None,
    };
    let text = if fr { set_in_french(&text) } else { text };
    let text = task.max_chars().map_or(text.clone(), |max| shortened(&text, max));
    Some(text).filter(|text| !text.trim().is_empty())
}

/// No line begins with a colon or ends with an opening quote; a figure stays with its unit.
fn set_in_french(text: &str) -> String {
    let text = text.replace(" :", "\u{a0}:").replace("« ", "«\u{a0}").replace(" »", "\u{a0}»");
    let mut out = String::with_capacity(text.len());
    for word in text.split(' ') {
        let is_unit = ["km", "m", "h", "min"].contains(&word.trim_end_matches(['.', ',']));
        let after_figure = out.ends_with(|c: char| c.is_ascii_digit());
        if !out.is_empty() {
            out.push(if is_unit && after_figure { '\u{a0}' } else { ' ' });
        }
        out.push_str(word);
    }
    out
}

pub(super) struct Says<'a> {
    pub facts: &'a Facts,
    pub fr: bool,
}

pub(super) fn joined(parts: &[Option<String>]) -> String {
    parts.iter().flatten().cloned().collect::<Vec<_>>().join(" ")
}

/// `a, b et c`.
fn listed(items: &[String], fr: bool) -> String {
    match items {
        [] => String::new(),
        [one] => one.clone(),
        [start @ .., last] => format!("{} {} {last}", start.join(", "), if fr { "et" } else { "and" }),
    }
}

/// A text of at most a number of characters, cut after a sentence where one ends, else after a word.
pub fn shortened(text: &str, max: usize) -> String {
    if text.chars().count() <= max {
        return text.to_owned();
    }
    let short: String = text.chars().take(max).collect();
    if let Some(at) = short.rfind(". ").filter(|at| *at > max / 3) {
        return short[..=at].to_owned();
    }
    let words: String = text.chars().take(max - 1).collect();
    let at = words.rfind(' ').unwrap_or(words.len());
    format!("{}…", words[..at].trim_end_matches([',', ' ', ':']))
}

/// `Facile` → `facile`; `VTT` and `GR 59` stay.
fn lower_first(text: &str) -> String {
    let mut chars = text.chars();
    let Some(first) = chars.next() else { return String::new() };
    if !chars.clone().next().is_some_and(char::is_lowercase) {
        return text.to_owned();
    }
    first.to_lowercase().chain(chars).collect()
}

impl Says<'_> {
    pub fn title(&self) -> Option<&str> {
        Some(self.facts.title.trim()).filter(|title| !title.is_empty())
    }

    pub fn shape(&self) -> Option<&'static str> {
        self.facts.is_loop.map(|is_loop| match (is_loop, self.fr) {
            (true, true) => "une boucle",
            (true, false) => "a loop",
            (false, true) => "un aller simple",
            (false, false) => "a one-way route",
        })
    }

    /// « Tour du lac est une boucle au départ du parking. »
    fn opening(&self) -> Option<String> {
        let title = self.title()?;
        let start = self.facts.departure.as_deref();
        let from = start.map(|start| {
            if self.fr { format!(" au départ de « {start} »") } else { format!(" starting at “{start}”") }
        });
        let what = match (self.shape(), from.as_deref()) {
            (None, None) => return None,
            (Some(shape), from) => format!("{shape}{}", from.unwrap_or_default()),
            (None, Some(from)) => format!("{}{from}", if self.fr { "un parcours" } else { "a route" }),
        };
        Some(format!("{title} {} {what}.", if self.fr { "est" } else { "is" }))
    }

    /// « Il compte 12,5 km et 320 m de dénivelé, pour 3 h 30. »
    fn figures(&self) -> Option<String> {
        let mut figures = Vec::new();
        figures.extend(self.facts.distance_m.filter(|m| *m > 0.0).map(|m| km(m, self.fr)));
        figures.extend(
            self.facts
                .ascent_m
                .filter(|m| *m >= 1.0)
                .map(|m| if self.fr { format!("{m:.0} m de dénivelé positif") } else { format!("{m:.0} m of ascent") }),
        );
        let time = self.facts.duration_s.filter(|s| *s >= 60.0).map(duration);
        match (figures.is_empty(), time, self.fr) {
            (true, None, _) => None,
            (true, Some(time), true) => Some(format!("Comptez {time}.")),
            (true, Some(time), false) => Some(format!("Allow {time}.")),
            (false, None, fr) => Some(format!(
                "{} {}.",
                if fr { "Le parcours compte" } else { "The route covers" },
                listed(&figures, fr)
            )),
            (false, Some(time), true) => {
                Some(format!("Le parcours compte {}. Prévoyez {time}.", listed(&figures, true)))
            }
            (false, Some(time), false) => Some(format!("The route covers {}. Allow {time}.", listed(&figures, false))),
        }
    }

    fn practice(&self) -> Option<String> {
        let practice = self.facts.practice.as_deref()?;
        let level = self.facts.level.as_deref();
        Some(match (self.fr, level) {
            (true, Some(level)) => format!("Pratique : {}. Niveau : {}.", lower_first(practice), lower_first(level)),
            (true, None) => format!("Pratique : {}.", lower_first(practice)),
            (false, Some(level)) => format!("Activity: {}. Level: {}.", lower_first(practice), lower_first(level)),
            (false, None) => format!("Activity: {}.", lower_first(practice)),
        })
    }

    pub fn names(&self) -> Vec<String> {
        self.facts.steps.iter().map(|step| step.name.trim().to_owned()).filter(|name| !name.is_empty()).collect()
    }

    /// « En chemin : le moulin, la source et le belvédère. »
    fn way(&self) -> Option<String> {
        let names = self.names();
        if names.is_empty() {
            return None;
        }
        let names = &names[..names.len().min(8)];
        Some(format!("{} {}.", if self.fr { "En chemin :" } else { "On the way:" }, listed(names, self.fr)))
    }

    fn sights(&self) -> Option<String> {
        let pois = &self.facts.pois[..self.facts.pois.len().min(5)];
        if pois.is_empty() {
            return None;
        }
        Some(format!("{} {}.", if self.fr { "À voir :" } else { "Worth seeing:" }, listed(pois, self.fr)))
    }

    fn markings(&self) -> Option<String> {
        if self.facts.markings.is_empty() {
            return None;
        }
        let listed = listed(&self.facts.markings, self.fr);
        Some(if self.fr { format!("Balisage à suivre : {listed}.") } else { format!("Waymarks to follow: {listed}.") })
    }

    fn themes(&self) -> Option<String> {
        if self.facts.themes.is_empty() {
            return None;
        }
        let themes: Vec<String> = self.facts.themes.iter().map(|theme| lower_first(theme)).collect();
        Some(format!("{} {}.", if self.fr { "Thèmes :" } else { "Themes:" }, listed(&themes, self.fr)))
    }

    /// « Le parcours se termine à la gare. »
    fn ending(&self) -> Option<String> {
        let end = self.facts.arrival.as_deref().filter(|end| Some(*end) != self.facts.departure.as_deref())?;
        Some(if self.fr { format!("Arrivée : {end}.") } else { format!("End: {end}.") })
    }

    fn description(&self) -> String {
        let paragraphs = [
            joined(&[self.opening(), self.figures(), self.practice()]),
            joined(&[self.way(), self.ending()]),
            joined(&[self.sights(), self.themes(), self.markings()]),
        ];
        paragraphs.iter().filter(|text| !text.is_empty()).map(|text| format!("<p>{}</p>", escaped(text))).collect()
    }

    fn subtitle(&self) -> String {
        let mut parts = Vec::new();
        let shape = self.facts.is_loop.map(|is_loop| match (is_loop, self.fr) {
            (true, true) => "Boucle",
            (true, false) => "Loop",
            (false, true) => "Aller simple",
            (false, false) => "One way",
        });
        parts.extend(shape.map(str::to_owned));
        parts.extend(self.facts.distance_m.filter(|m| *m > 0.0).map(|m| km(m, self.fr)));
        parts.extend(
            self.facts
                .departure
                .as_ref()
                .map(|start| if self.fr { format!("départ {start}") } else { format!("from {start}") }),
        );
        parts.join(" · ")
    }

    fn seo_title(&self) -> String {
        let Some(title) = self.title() else { return String::new() };
        let distance = self.facts.distance_m.filter(|m| *m > 0.0).map(|m| km(m, self.fr));
        let practice = self.facts.practice.clone();
        let more: Vec<String> = [practice, distance].into_iter().flatten().collect();
        let colon = if self.fr { " :" } else { ":" };
        let whole = format!("{title}{colon} {}", more.join(", "));
        if more.is_empty() || whole.chars().count() > 60 { title.to_owned() } else { whole }
    }

    fn welcome(&self) -> Option<String> {
        let title = self.title()?;
        Some(if self.fr { format!("Bienvenue sur le parcours {title}.") } else { format!("Welcome to {title}.") })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::super::facts::{Focus, StepFact};
    use super::*;

    fn lake() -> Facts {
        let step = |name: &str| StepFact { name: name.to_owned(), ..StepFact::default() };
        Facts {
            title: "Tour du lac".to_owned(),
            practice: Some("Randonnée pédestre".to_owned()),
            level: Some("Facile".to_owned()),
            is_loop: Some(true),
            distance_m: Some(12_500.0),
            ascent_m: Some(320.0),
            duration_s: Some(12_600.0),
            departure: Some("parking du port".to_owned()),
            steps: vec![step("Le moulin"), step("La source")],
            pois: vec!["Chapelle Saint-Point".to_owned()],
            legend: Some("Le port au petit matin".to_owned()),
            focus: Some(Focus {
                step: StepFact { at_m: Some(3_200.0), ..step("Le moulin") },
                next: Some("La source".to_owned()),
                to_next_m: Some(1_100.0),
            }),
            ..Facts::default()
        }
    }

    /// With plain spaces, as they are typed here.
    fn plainly(task: AssistantTask, facts: &Facts, language: &str) -> String {
        written(task, facts, language).unwrap().replace('\u{a0}', " ")
    }

    #[test]
    fn it_writes_nine_texts_of_the_facts_in_two_languages() {
        for task in AssistantTask::TEMPLATES {
            for language in ["fr", "en"] {
                let text = written(task, &lake(), language).unwrap();
                assert!(task.max_chars().is_none_or(|max| text.chars().count() <= max), "{task:?} {text}");
                assert!(!text.contains("12,5") || language == "fr", "{task:?} {text}");
            }
        }
        assert_eq!(
            plainly(AssistantTask::Description, &lake(), "fr"),
            "<p>Tour du lac est une boucle au départ de « parking du port ». Le parcours compte 12,5 km et 320 m de dénivelé positif. \
            Prévoyez 3 h 30. Pratique : randonnée pédestre. Niveau : facile.</p><p>En chemin : Le moulin et La source.</p>\
            <p>À voir : Chapelle Saint-Point.</p>"
        );
        assert_eq!(plainly(AssistantTask::Subtitle, &lake(), "en"), "Loop · 12.5 km · from parking du port");
        assert_eq!(plainly(AssistantTask::SeoTitle, &lake(), "fr"), "Tour du lac : Randonnée pédestre, 12,5 km");
        assert_eq!(
            plainly(AssistantTask::AudioScript, &lake(), "fr"),
            "Bienvenue sur le parcours Tour du lac. C’est une boucle. Point de départ : parking du port. Vous allez parcourir \
            environ douze kilomètres et demi. Le chemin monte de trois cent vingt mètres. Prévoyez trois heures trente. \
            En chemin : Le moulin et La source. À voir : Chapelle Saint-Point."
        );
        assert_eq!(
            plainly(AssistantTask::StepInstructions, &lake(), "fr"),
            "Le moulin, à 3,2 km du départ. Étape suivante : La source, à 1,1 km."
        );
        assert_eq!(plainly(AssistantTask::ImageAlt, &lake(), "en"), "Le port au petit matin");
        assert_eq!(
            written(AssistantTask::Description, &lake(), "de"),
            None,
            "what it does not speak it does not write"
        );
        let bike = Facts { practice: Some("VTT".to_owned()), level: None, ..lake() };
        assert!(plainly(AssistantTask::Description, &bike, "fr").contains("Pratique : VTT."));
    }

    #[test]
    fn without_a_fact_there_is_no_sentence() {
        for task in AssistantTask::TEMPLATES {
            assert_eq!(written(task, &Facts::default(), "fr"), None, "{task:?}");
        }
        let bare = Facts { title: "Lac".to_owned(), ..Facts::default() };
        assert_eq!(written(AssistantTask::Summary, &bare, "fr"), None);
        let subtitle = written(AssistantTask::Subtitle, &lake(), "fr").unwrap();
        assert!(subtitle.contains("12,5\u{a0}km"), "a figure stays with its unit: {subtitle}");
        assert_eq!(written(AssistantTask::Falc, &bare, "fr").unwrap(), "Ce parcours s’appelle Lac.");
        // Each fact taken away takes its words along.
        let less = Facts { duration_s: None, ascent_m: None, pois: Vec::new(), ..lake() };
        let text = written(AssistantTask::Description, &less, "fr").unwrap();
        assert!(!text.contains("Prévoyez") && !text.contains("dénivelé") && !text.contains("À voir"), "{text}");
        assert_eq!(written(AssistantTask::Rewrite, &lake(), "fr"), None);
    }

    #[test]
    fn what_is_too_long_is_cut_after_a_sentence_or_a_word() {
        assert_eq!(shortened("Un deux trois. Quatre cinq six", 20), "Un deux trois.");
        assert_eq!(shortened("Unmot deuxmots troismots", 16), "Unmot deuxmots…");
    }
}
