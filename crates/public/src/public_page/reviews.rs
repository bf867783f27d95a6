//! Visitors' feedback on the public page: warnings and reviews.

use app::App;
use domain::ParcoursId;
use maud::{Markup, html};
use outputs::visitor_words::{Language, PublicWarning, Words, figures};
use store::feedback::{self, Review};
use store::{Page, StoreError};

use super::give::complaint;
use super::parts::paragraphs;
use super::view::{PublicReview, PublicReviews};

/// Reviews on the page: the last of them.
const SHOWN: u64 = 20;

/// The reviews of a parcours.
pub async fn load(app: &App, id: ParcoursId, language: Language) -> Result<PublicReviews, StoreError> {
    let db = app.store.read();
    let rating = feedback::rating(db, id).await?;
    if rating.reviews == 0 {
        return Ok(PublicReviews::default());
    }
    let found = feedback::published_reviews(db, id, Page::new(1, SHOWN)).await?;
    let items = found.into_iter().map(|review| shown(app, review, language)).collect();
    Ok(PublicReviews { average: rating.shown(), total: rating.reviews, items })
}

fn shown(app: &App, review: Review, language: Language) -> PublicReview {
    let Review { id, said, sent_at, answer, .. } = review;
    let lang = (said.language != language.code()).then_some(said.language);
    let words = |text: String| Words { text, lang: lang.clone() };
    PublicReview {
        id,
        rating: said.rating,
        title: (!said.title.is_empty()).then(|| words(said.title)),
        text: words(said.text),
        author: said.author,
        day: app.day_of(sent_at),
        walked_on: said.walked_on,
        answer: (!answer.is_empty()).then_some(answer),
    }
}

/// Reports of visitors that are not resolved yet: near the closures, as a visitor must know them before a start.
pub fn warnings(warnings: &[PublicWarning], language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section.warnings aria-labelledby="signalements" {
            h2 id="signalements" { (t("Signalé sur le terrain", "Reported on the ground")) }
            ul {
                @for warning in warnings {
                    li {
                        strong { (warning.kind) (warning.at) }
                        " · " (t("signalé le ", "reported on ")) (figures::day(language, &warning.day))
                        @if let Some(words) = &warning.words { div.prose lang=[&words.lang] { (paragraphs(&words.text)) } }
                    }
                }
            }
        }
    }
}

/// The average and the last reviews.
pub fn section(reviews: &PublicReviews, give: Option<i64>, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        section.reviews aria-labelledby="avis" {
            h2 id="avis" { (t("Avis", "Reviews")) }
            @if let Some(average) = reviews.average {
                p.average { strong { (figures::decimal(language, average)) "\u{202f}/\u{202f}5" } " · " (how_many(language, reviews.total)) }
            }
            ul {
                @for review in &reviews.items { li id=(format!("avis-{}", review.id)) {
                    (one(review, language))
                    @if let Some(id) = give { (complaint(id, review.id, language)) }
                } }
            }
            @if reviews.total > reviews.items.len() as i64 {
                p.note { (t("Les plus récents sont montrés\u{202f}; la note compte tous les avis.", "The latest are shown; the rating counts all reviews.")) }
            }
            p.note { (t(
                "Chaque avis est confirmé par e-mail et relu avant d’être publié, du plus récent au plus ancien. La note est la moyenne de tous les avis publiés.",
                "Each review is confirmed by e-mail and read before it is published, the latest first. The rating is the average of all published reviews.",
            )) }
        }
    }
}

fn one(review: &PublicReview, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        p.who {
            span.stars role="img" aria-label=(stars_words(language, review.rating)) { (stars(review.rating)) }
            " " strong { (review.author) }
            " · " (figures::day(language, &review.day))
            @if let Some(day) = &review.walked_on { " · " (t("sortie du ", "outing of ")) (figures::day(language, day)) }
        }
        @if let Some(title) = &review.title { h3 lang=[&title.lang] { (title.text) } }
        div.prose lang=[&review.text.lang] { (paragraphs(&review.text.text)) }
        @if let Some(answer) = &review.answer {
            div.answer { p { strong { (t("Réponse", "Answer")) } } div.prose { (paragraphs(answer)) } }
        }
    }
}

fn how_many(language: Language, total: i64) -> String {
    match (language, total) {
        (Language::French, _) => format!("{total} avis"),
        (Language::English, 1) => "1 review".to_owned(),
        (Language::English, _) => format!("{total} reviews"),
    }
}

fn stars(rating: i64) -> String {
    (1..=5).map(|star| if star <= rating { '★' } else { '☆' }).collect()
}

fn stars_words(language: Language, rating: i64) -> String {
    match language {
        Language::French => format!("{rating} sur 5"),
        Language::English => format!("{rating} out of 5"),
    }
}
