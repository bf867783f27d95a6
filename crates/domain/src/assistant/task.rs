//! What the assistant may be asked.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::record::Kind;
use crate::transport_line::words;

words! {
    /// What the assistant writes.
    AssistantTask {
        /// A description, of the parcours' facts.
        Description "description",
        /// Two or three sentences.
        Summary "summary",
        /// A line under the title.
        Subtitle "subtitle",
        /// A title for search engines.
        SeoTitle "seo_title",
        /// A description for search engines.
        SeoDescription "seo_description",
        /// A draft that is easy to read and understand (FALC).
        Falc "falc",
        /// The text of an audio guide.
        AudioScript "audio_script",
        /// The text of a step: where it is, and what comes next.
        StepInstructions "step_instructions",
        /// The alternative text of a picture, from its legend.
        ImageAlt "image_alt",
        /// The same text, written anew.
        Rewrite "rewrite",
        /// The same text, shorter.
        Shorten "shorten",
        /// The same text, longer.
        Expand "expand",
        /// The same text in another tone.
        ChangeTone "change_tone",
        /// The same text without mistakes.
        FixSpelling "fix_spelling",
        /// A text of another language, in this one.
        Translate "translate",
    } default Description
}

words! {
    /// The tone of the text.
    Tone {
        /// Plain and warm.
        Usual "usual",
        /// For families.
        Family "family",
        /// For those who come for sport.
        Sporty "sporty",
        /// Short and factual.
        Sober "sober",
    } default Usual
}

words! {
    /// What is written of.
    Subject {
        /// A parcours.
        Parcours "parcours",
        /// A picture.
        Media "media",
    } default Parcours
}

impl Subject {
    /// The kind of its record.
    pub const fn record(self) -> Kind {
        match self {
            Self::Parcours => Kind::Parcours,
            Self::Media => Kind::Media,
        }
    }
}

impl AssistantTask {
    /// What is written without any service.
    pub const TEMPLATES: [Self; 9] = [
        Self::Description,
        Self::Summary,
        Self::Subtitle,
        Self::SeoTitle,
        Self::SeoDescription,
        Self::Falc,
        Self::AudioScript,
        Self::StepInstructions,
        Self::ImageAlt,
    ];

    /// Whether it works on a text that is there.
    pub const fn needs_text(self) -> bool {
        matches!(
            self,
            Self::Rewrite | Self::Shorten | Self::Expand | Self::ChangeTone | Self::FixSpelling | Self::Translate
        )
    }

    /// The most characters of what it writes.
    pub const fn max_chars(self) -> Option<usize> {
        match self {
            Self::Subtitle => Some(120),
            Self::Summary | Self::StepInstructions => Some(300),
            Self::SeoTitle => Some(60),
            Self::SeoDescription => Some(155),
            Self::ImageAlt => Some(125),
            _ => None,
        }
    }
}

/// Languages that are written without any service.
pub const TEMPLATE_LANGUAGES: [&str; 2] = ["fr", "en"];
