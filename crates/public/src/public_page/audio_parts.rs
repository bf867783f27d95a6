//! The audio walk on the public page: every stop can be listened to, and read.

use maud::{Markup, html};
use outputs::audio::{PublicAudioWalk, PublicStory};
use outputs::visitor_words::{Language, figures};

use super::parts;

/// The walk with its stops in their order. Kilometres are scaled by `sheet_per_m`.
pub fn walk(walk: &PublicAudioWalk, sheet_per_m: f64, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let lang = (walk.language != language.code()).then_some(walk.language.as_str());
    let length_s: f64 =
        walk.stories().filter_map(|story| story.sound.as_ref()).filter_map(|sound| sound.duration_s).sum();
    let bytes: i64 = walk.stories().filter_map(|story| story.sound.as_ref()).map(|sound| sound.bytes).sum();
    let count = walk.stops.len();
    let stops = match count {
        1 => t("1 arrêt", "1 stop").to_owned(),
        _ => format!("{count} {}", t("arrêts", "stops")),
    };
    let part = |one: &PublicStory, name: &str| story(one, name, sheet_per_m, lang, language);
    html! {
        section aria-labelledby="balade-audio" {
            h2 id="balade-audio" { (t("Balade audio", "Audio walk")) }
            p.where {
                (stops)
                @if length_s >= 1.0 { " · " (length(length_s)) (t(" d’écoute", " to listen to")) }
                @if bytes > 0 { " · " (figures::decimal(language, bytes as f64 / 1e6)) (t("\u{202f}Mo", "\u{202f}MB")) }
            }
            ol.around {
                @if let Some(intro) = &walk.intro { li { (part(intro, t("Introduction", "Introduction"))) } }
                @for (index, stop) in walk.stops.iter().enumerate() {
                    li {
                        @let name = if stop.title.is_empty() { format!("{} {}", t("Arrêt", "Stop"), index + 1) } else { stop.title.clone() };
                        (part(stop, &name))
                    }
                }
                @if let Some(outro) = &walk.outro { li { (part(outro, t("Conclusion", "Closing words"))) } }
            }
        }
    }
}

fn story(story: &PublicStory, name: &str, sheet_per_m: f64, lang: Option<&str>, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    // A default name is in the page's language, a title in the walk's.
    let named = lang.filter(|_| !story.title.is_empty());
    html! {
        h3 lang=[named] { (name) }
        @if let Some(pass) = story.pass {
            p.where { (t("Au km ", "At km ")) (figures::decimal(language, pass.enters_m * sheet_per_m / 1000.0)) }
        }
        @if let Some(sound) = &story.sound {
            audio controls preload="none" src=(sound.url) aria-label=(name) {}
            @if let Some(credit) = &sound.credit { p.where { (credit) } }
        }
        @if !story.transcript.is_empty() {
            @if story.sound.is_some() {
                details {
                    summary { (t("Lire le texte", "Read the text")) }
                    div.prose lang=[lang] { (parts::paragraphs(&story.transcript)) }
                }
            } @else {
                div.prose lang=[lang] { (parts::paragraphs(&story.transcript)) }
            }
        }
    }
}

/// `6 min 20`, `45 s`.
fn length(seconds: f64) -> String {
    let seconds = seconds.round() as i64;
    if seconds < 60 {
        format!("{seconds}\u{202f}s")
    } else {
        format!("{}\u{202f}min\u{202f}{:02}", seconds / 60, seconds % 60)
    }
}
