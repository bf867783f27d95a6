//! A review: a rating and words, confirmed by mail, then looked at by the staff.

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use super::given;
use crate::parcours::availability::is_day;
use crate::transport_line::words;
use crate::{DAY_S, Fault};

/// Longest title, characters.
const TITLE_CHARS: usize = 120;
/// Longest text, characters.
const TEXT_CHARS: usize = 4_000;
/// Longest name, characters.
const AUTHOR_CHARS: usize = 60;
/// Longest answer of the staff, characters.
pub const ANSWER_CHARS: usize = 2_000;
/// Longest words beside a refusal or a complaint, characters.
const WORDS_CHARS: usize = 500;

/// An unconfirmed review is erased after so long, and its link ends: a week.
pub const UNCONFIRMED_KEPT_S: i64 = 7 * DAY_S;
/// The author's address is erased so long after the last decision: a year.
pub const REVIEW_EMAIL_KEPT_S: i64 = 365 * DAY_S;

words! {
    /// The state of a review.
    ReviewState {
        /// Its author has not opened the mailed link: it is nowhere, and counts nowhere.
        Unconfirmed "unconfirmed",
        /// Waits for the staff.
        Waiting "waiting",
        /// It is public.
        Published "published",
        /// The staff refused it, with a reason that is stored.
        Refused "refused",
    } default Unconfirmed
}

words! {
    /// The reason of a reader who reports a review, or of the staff who refuse it. A low rating is no reason.
    Objection {
        /// Speaks of something else.
        OffTopic "off_topic",
        /// Insults, hates, threatens.
        Insulting "insulting",
        /// Names a person, a number, an address.
        PersonalData "personal_data",
        /// Sells something.
        Advertising "advertising",
        /// Its author was not there.
        Untrue "untrue",
        /// Is against the law.
        Illegal "illegal",
        /// Something else, explained in words.
        Other "other",
    } default Other
}

impl Objection {
    /// All values.
    pub const ALL: [Self; 7] = [
        Self::OffTopic,
        Self::Insulting,
        Self::PersonalData,
        Self::Advertising,
        Self::Untrue,
        Self::Illegal,
        Self::Other,
    ];
}

/// A review as a visitor writes it, cleaned.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct NewReview {
    /// 1 to 5.
    pub rating: i64,
    /// A line above the text, or nothing.
    pub title: String,
    /// What they say.
    pub text: String,
    /// The name shown beside it.
    pub author: String,
    /// Where the link is mailed to.
    pub email: String,
    /// `fr` or `en`.
    pub language: String,
    /// The day they were there, `YYYY-MM-DD`.
    pub walked_on: Option<String>,
}

impl NewReview {
    /// Removes markup, and returns the faults; `today` is `YYYY-MM-DD`.
    pub fn checked(self, today: &str) -> Result<Self, Vec<Fault>> {
        let mut faults = Vec::new();
        if !(1..=5).contains(&self.rating) {
            faults.push(Fault::new("review/rating", "/rating"));
        }
        let walked_on = self.walked_on.filter(|day| !day.trim().is_empty());
        if let Some(day) = &walked_on {
            if !is_day(day) {
                let shown: String = day.chars().take(40).collect();
                faults.push(Fault::new("validation/bad-date", "/walked_on").with("value", shown));
            } else if day.as_str() > today {
                faults.push(Fault::new("review/day-to-come", "/walked_on"));
            }
        }
        let clean = Self {
            rating: self.rating,
            title: given::line(&self.title, TITLE_CHARS, false, "/title", &mut faults),
            text: given::text(&self.text, TEXT_CHARS, true, "/text", &mut faults),
            author: given::line(&self.author, AUTHOR_CHARS, true, "/author", &mut faults),
            email: given::email(&self.email, true, "/email", &mut faults),
            language: given::language(&self.language),
            walked_on,
        };
        if faults.is_empty() { Ok(clean) } else { Err(faults) }
    }
}

/// Checks the words beside a refusal or a complaint; `Other` requires them.
pub fn check_words(objection: Objection, words: &str) -> Result<String, Vec<Fault>> {
    let mut faults = Vec::new();
    let words = given::text(words, WORDS_CHARS, objection == Objection::Other, "/words", &mut faults);
    if faults.is_empty() { Ok(words) } else { Err(faults) }
}

/// An answer of the staff; an empty one takes it back.
pub fn check_answer(text: &str) -> Result<String, Vec<Fault>> {
    let mut faults = Vec::new();
    let text = given::text(text, ANSWER_CHARS, false, "/text", &mut faults);
    if faults.is_empty() { Ok(text) } else { Err(faults) }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn good() -> NewReview {
        NewReview {
            rating: 4,
            title: "Très  belle\njournée".into(),
            text: "Le balisage est net. <script>alert(1)</script>Un peu de boue si 3 < 5.".into(),
            author: " Léa ".into(),
            email: "Lea@Exemple.fr".into(),
            language: "en-GB".into(),
            walked_on: Some("2026-04-30".into()),
        }
    }

    #[test]
    fn markup_goes_and_words_stay() {
        let review = good().checked("2026-05-01").unwrap();
        assert_eq!(review.title, "Très belle journée");
        assert_eq!(review.text, "Le balisage est net. Un peu de boue si 3 < 5.");
        assert_eq!((review.author.as_str(), review.email.as_str()), ("Léa", "lea@exemple.fr"));
        assert_eq!(review.language, "en");
    }

    #[test]
    fn each_fault_is_reported_on_its_field() {
        let wrong = NewReview {
            rating: 6,
            title: "x".repeat(121),
            text: "<b></b>".into(),
            author: String::new(),
            email: "lea".into(),
            walked_on: Some("2026-05-02".into()),
            ..good()
        };
        let faults = wrong.checked("2026-05-01").unwrap_err();
        let listed: Vec<_> = faults.iter().map(|fault| (fault.code, fault.field.as_str())).collect();
        assert_eq!(
            listed,
            [
                ("review/rating", "/rating"),
                ("review/day-to-come", "/walked_on"),
                ("validation/too-long", "/title"),
                ("validation/required", "/text"),
                ("validation/required", "/author"),
                ("validation/email", "/email"),
            ]
        );
        let faults = NewReview { walked_on: Some("hier".into()), ..good() }.checked("2026-05-01").unwrap_err();
        assert_eq!(faults[0].code, "validation/bad-date");
    }

    #[test]
    fn another_reason_is_reported_in_words() {
        assert_eq!(check_words(Objection::Other, " ").unwrap_err()[0].code, "validation/required");
        assert_eq!(check_words(Objection::Insulting, "").unwrap(), "");
        assert_eq!(check_answer("Merci <b>Léa</b>").unwrap(), "Merci Léa");
    }
}
