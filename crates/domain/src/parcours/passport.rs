//! The publication passport: for each channel, whether a parcours is ready for it, and what it lacks.
//!
//! One table, `Lack::weight`, gives the weight of each lack in each channel.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::rules::{described, titled};
use super::sheet::Sheet;
use super::trace_state::{ReliabilityState, TraceSummary};
use crate::Text;
use crate::step::{Step, StepKind};

/// An output of a parcours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum Channel {
    /// Our own application.
    App,
    /// The white-label's site.
    WhiteLabel,
    /// The widget on other sites.
    Widget,
    /// The open data feed (schéma national des itinéraires de randonnée).
    OpenData,
    Roadbook,
}

impl Channel {
    /// All, in the order of the pips.
    pub const ALL: [Self; 5] = [Self::App, Self::WhiteLabel, Self::Widget, Self::OpenData, Self::Roadbook];

    /// The written word.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::App => "app",
            Self::WhiteLabel => "white_label",
            Self::Widget => "widget",
            Self::OpenData => "open_data",
            Self::Roadbook => "roadbook",
        }
    }

    /// The channel of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|channel| channel.as_str() == word)
    }
}

/// Whether a parcours may go out.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize, ToSchema)]
#[serde(rename_all = "snake_case")]
pub enum ChannelState {
    /// Nothing is lacking.
    #[default]
    Ready,
    /// It may go out, and would be better with what it lacks.
    ToCheck,
    /// Something is lacking without which it does not go out.
    Missing,
}

impl ChannelState {
    /// The state of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        match word {
            "ready" => Some(Self::Ready),
            "to_check" => Some(Self::ToCheck),
            "missing" => Some(Self::Missing),
            _ => None,
        }
    }

    /// The stored number.
    pub const fn code(self) -> i64 {
        self as i64
    }
}

/// Declares the lacks: the word of the API, the bit of the tables, which never changes, and the field that mends it.
macro_rules! lacks {
    ($($(#[$doc:meta])* $name:ident = $bit:literal $word:literal $field:literal,)+) => {
        /// Something a parcours lacks.
        #[derive(Debug, Clone, Copy, PartialEq, Eq)]
        pub enum Lack { $($(#[$doc])* $name,)+ }

        impl Lack {
            /// All values.
            pub const ALL: &'static [Self] = &[$(Self::$name),+];

            /// The written word.
            pub const fn as_str(self) -> &'static str {
                match self { $(Self::$name => $word,)+ }
            }

            /// The bit of the stored number.
            pub const fn bit(self) -> i64 {
                match self { $(Self::$name => 1 << $bit,)+ }
            }

            /// The field that mends it.
            pub const fn field(self) -> &'static str {
                match self { $(Self::$name => $field,)+ }
            }
        }
    };
}

lacks! {
    /// No title in the first language.
    Title = 0 "no_title" "/title",
    /// No summary in the first language.
    Summary = 1 "no_summary" "/summary",
    /// No description in the first language.
    Description = 2 "no_description" "/description",
    /// A text of these three that another language lacks.
    Translation = 3 "no_english" "/title",
    Practice = 4 "no_practice" "/practice_type_id",
    Level = 5 "no_level" "/level_id",
    Trace = 6 "no_trace" "/trace",
    /// A trace that cannot be guided on: its reliability is below `RELIABILITY_THRESHOLD`, or unknown.
    Guidance = 7 "low_reliability" "/trace",
    /// No departure or no arrival with a name.
    Ends = 8 "no_ends" "/steps",
    /// No picture.
    Photo = 9 "no_photo" "/media_ids",
    /// A picture without a legend.
    Legend = 10 "no_legend" "/media_ids",
    /// A picture without a copyright.
    PhotoCopyright = 11 "no_photo_copyright" "/media_ids",
    /// A picture without words for those who do not see it.
    Alt = 12 "no_alt" "/media_ids",
    /// The holder of the rights on the texts is not named.
    Copyright = 13 "no_copyright" "/copyright",
    /// It has no person in charge.
    Contact = 14 "no_contact" "/contact_id",
    /// Not handed to our own applications.
    DistributeOwn = 15 "not_distributed_own" "/distribute_own",
    /// Not handed to other applications.
    DistributePartners = 16 "not_distributed_partners" "/distribute_partners",
    /// A trace without a duration: the file has no times, no planner answered, and none was entered.
    Duration = 17 "no_duration" "/trace",
}

/// How much a lack weighs in a channel.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Weight {
    /// It does not go out.
    Bars,
    /// It goes out, and would be better without.
    Warns,
    /// It does not matter there.
    None,
}

impl Lack {
    /// The lack of a word, if it is one.
    pub fn parse(word: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|lack| lack.as_str() == word)
    }

    /// The table: how much each lack weighs in each channel.
    const fn weight(self, channel: Channel) -> Weight {
        use Weight::{Bars as B, None as O, Warns as W};
        // In the order of Channel::ALL: application, white-label, widget, open data, roadbook.
        let row = match self {
            Self::Title | Self::Trace => [B, B, B, B, B],
            Self::Description | Self::Practice => [B, W, W, B, W],
            Self::Summary | Self::Translation => [W, W, W, O, O],
            Self::Level | Self::Duration => [W, W, W, W, W],
            Self::Guidance => [W, O, O, O, O],
            Self::Ends => [W, W, O, B, W],
            Self::Photo => [B, W, W, O, W],
            Self::Legend => [O, W, W, O, W],
            Self::PhotoCopyright => [W, W, W, B, W],
            Self::Alt => [O, W, W, O, O],
            Self::Copyright => [O, O, O, W, O],
            Self::Contact => [O, O, O, O, W],
            Self::DistributeOwn => [B, O, O, O, O],
            Self::DistributePartners => [O, O, O, B, O],
        };
        row[channel as usize]
    }

    /// What it makes of a channel.
    pub const fn severity(self, channel: Channel) -> ChannelState {
        match self.weight(channel) {
            Weight::Bars => ChannelState::Missing,
            Weight::Warns => ChannelState::ToCheck,
            Weight::None => ChannelState::Ready,
        }
    }
}

/// What a parcours' pictures have.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct Pictures {
    /// How many there are.
    pub count: usize,
    /// One has no legend.
    pub without_legend: bool,
    /// One has no copyright.
    pub without_copyright: bool,
    /// One has no words for those who do not see it.
    pub without_alt: bool,
}

impl Pictures {
    /// The bits that follow from pictures alone.
    pub const BITS: i64 = Lack::Photo.bit() | Lack::Legend.bit() | Lack::PhotoCopyright.bit() | Lack::Alt.bit();

    /// The lacks of the pictures, one bit each.
    pub fn bits(self) -> i64 {
        let lacking = [
            (self.count == 0, Lack::Photo),
            (self.without_legend, Lack::Legend),
            (self.without_copyright, Lack::PhotoCopyright),
            (self.without_alt, Lack::Alt),
        ];
        lacking.into_iter().filter(|(lacking, _)| *lacking).map(|(_, lack)| lack.bit()).sum()
    }
}

/// What a parcours lacks, as one number: a bit each.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Lacks(pub i64);

impl Lacks {
    /// What a parcours lacks. `languages`: those content is written in, the first one first.
    pub fn of(
        sheet: &Sheet,
        steps: &[Step],
        trace: Option<&TraceSummary>,
        pictures: Pictures,
        languages: &[String],
    ) -> Self {
        let first = languages.first().map_or("fr", String::as_str);
        let texts = [&sheet.title, &sheet.summary, &sheet.description];
        let untranslated = languages.iter().skip(1).any(|lang| texts.iter().any(|text| !text.is_written(lang)));
        let named = |kind| steps.iter().any(|step| step.kind == kind && step.title.is_written(first));
        let lacking = |lack: Lack| match lack {
            Lack::Title => !titled(sheet, languages),
            Lack::Summary => !sheet.summary.is_written(first),
            Lack::Description => !described(sheet, languages),
            Lack::Translation => untranslated,
            Lack::Practice => sheet.practice_type_id.is_none(),
            Lack::Level => sheet.level_id.is_none(),
            Lack::Trace => trace.is_none(),
            Lack::Guidance => trace.is_some_and(|trace| trace.reliability_state != ReliabilityState::Ok),
            Lack::Ends => !(named(StepKind::Departure) && named(StepKind::Arrival)),
            Lack::Photo | Lack::Legend | Lack::PhotoCopyright | Lack::Alt => pictures.bits() & lack.bit() != 0,
            Lack::Copyright => sheet.copyright.is_none(),
            Lack::Contact => sheet.contact_id.is_none(),
            Lack::DistributeOwn => !sheet.distribute_own,
            Lack::DistributePartners => !sheet.distribute_partners,
            Lack::Duration => trace.is_some_and(|trace| trace.duration_s.is_none()),
        };
        Self(Lack::ALL.iter().filter(|lack| lacking(**lack)).map(|lack| lack.bit()).sum())
    }

    /// An iterator over them.
    pub fn iter(self) -> impl Iterator<Item = Lack> {
        Lack::ALL.iter().copied().filter(move |lack| self.0 & lack.bit() != 0)
    }

    /// The state of a channel.
    pub fn state(self, channel: Channel) -> ChannelState {
        self.iter().map(|lack| lack.severity(channel)).max().unwrap_or_default()
    }

    /// The states of all channels, in the order of the pips.
    pub fn states(self) -> [ChannelState; 5] {
        Channel::ALL.map(|channel| self.state(channel))
    }

    /// The passport of a parcours with these texts: title, summary, description. A lack of words leads to the language.
    pub fn passport(self, texts: [(&str, &Text); 3], languages: &[String]) -> Vec<Stamp> {
        let first = languages.first().map_or("fr", String::as_str);
        let unwritten = languages.iter().skip(1).find_map(|lang| {
            let (name, _) = texts.iter().find(|(_, text)| !text.is_written(lang))?;
            Some(format!("/{name}/{lang}"))
        });
        let field = |lack: Lack| match lack {
            Lack::Title | Lack::Summary | Lack::Description => format!("{}/{first}", lack.field()),
            Lack::Translation => unwritten.clone().unwrap_or_else(|| lack.field().to_owned()),
            _ => lack.field().to_owned(),
        };
        let stamp = |channel| Stamp {
            channel,
            state: self.state(channel),
            lacks: self
                .iter()
                .filter(|lack| lack.severity(channel) != ChannelState::Ready)
                .map(|lack| LackView {
                    code: lack.as_str().to_owned(),
                    field: field(lack),
                    severity: lack.severity(channel),
                })
                .collect(),
        };
        Channel::ALL.into_iter().map(stamp).collect()
    }
}

/// The lacks that put a channel into a state, as bits: what bars it, and what it is warned of.
pub fn bits_of(channel: Channel, severity: ChannelState) -> i64 {
    Lack::ALL.iter().filter(|lack| lack.severity(channel) == severity).map(|lack| lack.bit()).sum()
}

/// A page of the passport.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct Stamp {
    pub channel: Channel,
    /// Whether it is open.
    pub state: ChannelState,
    /// What is lacking there.
    pub lacks: Vec<LackView>,
}

/// A lack in a passport.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
pub struct LackView {
    /// The stable word: `no_photo`.
    pub code: String,
    /// JSON pointer of the field that mends it.
    pub field: String,
    /// `missing` bars the channel, `to_check` does not.
    pub severity: ChannelState,
}

#[cfg(test)]
mod tests {
    use super::*;

    fn languages() -> Vec<String> {
        vec!["fr".to_owned(), "en".to_owned()]
    }

    #[test]
    fn an_empty_sheet_is_missing_everywhere_and_says_what() {
        let lacks = Lacks::of(&Sheet::default(), &[], None, Pictures::default(), &languages());
        assert_eq!(lacks.states(), [ChannelState::Missing; 5]);
        let (texts, empty) = (["title", "summary", "description"], Text::default());
        let roadbook = lacks.passport(texts.map(|name| (name, &empty)), &languages()).pop();
        let lacks: Vec<&str> =
            roadbook.as_ref().into_iter().flat_map(|stamp| &stamp.lacks).map(|lack| lack.code.as_str()).collect();
        assert_eq!(
            lacks,
            ["no_title", "no_description", "no_practice", "no_level", "no_trace", "no_ends", "no_photo", "no_contact"]
        );
    }

    #[test]
    fn a_lack_weighs_where_the_table_says() {
        let photo = Lacks(Lack::Photo.bit());
        use ChannelState::{Missing, Ready, ToCheck};
        assert_eq!(photo.states(), [Missing, ToCheck, ToCheck, Ready, ToCheck]);
        assert_eq!(Lacks(Lack::Contact.bit()).states(), [Ready, Ready, Ready, Ready, ToCheck]);
        assert_eq!(Lacks::default().states(), [Ready; 5]);
        assert_ne!(bits_of(Channel::App, Missing) & Lack::Photo.bit(), 0);
        assert_eq!(bits_of(Channel::OpenData, Missing) & Lack::Photo.bit(), 0);
    }

    #[test]
    fn a_text_in_one_language_lacks_the_other() {
        let sheet = Sheet { title: Text::in_french("Lac"), ..Sheet::default() };
        let lacks = Lacks::of(&sheet, &[], None, Pictures::default(), &languages());
        assert!(lacks.iter().any(|lack| lack == Lack::Translation) && lacks.iter().all(|lack| lack != Lack::Title));
        let alone = Lacks::of(&sheet, &[], None, Pictures::default(), &["fr".to_owned()]);
        assert!(alone.iter().all(|lack| lack != Lack::Translation));
    }

    #[test]
    fn words_and_bits_name_one_lack_each() {
        let all: i64 = Lack::ALL.iter().map(|lack| lack.bit()).sum();
        assert_eq!(all.count_ones() as usize, Lack::ALL.len());
        assert!(Lack::ALL.iter().all(|lack| Lack::parse(lack.as_str()) == Some(*lack)));
        assert!(Channel::ALL.into_iter().all(|channel| Channel::parse(channel.as_str()) == Some(channel)));
    }
}
