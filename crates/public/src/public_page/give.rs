//! The forms at the foot of the page: a review, a report from the ground, a complaint. They are shown once the script that
//! sends them is there.

use domain::feedback::{Objection, ReportKind};
use maud::{Markup, html};
use outputs::visitor_words::{Language, kind_word};

use crate::feedback::objection_words;

/// A form: what it sends, where to, the message when it is done.
struct Form<'a> {
    kind: &'a str,
    url: &'a str,
    done: &'a str,
    /// The message when the answer says that no mail was sent.
    kept: &'a str,
    send: &'a str,
}

impl Form<'_> {
    fn markup(&self, parcours: i64, language: Language, fields: &Markup) -> Markup {
        html! {
            form id=(format!("give{}", self.url.replace('/', "-"))) data-give=(self.kind) data-url=(self.url) data-done=(self.done) data-kept=[(!self.kept.is_empty()).then_some(self.kept)] novalidate {
                div.fields {
                    input type="hidden" name="parcours_id" value=(parcours);
                    (fields)
                    // Invisible field: only a program that fills in every field fills it in.
                    p.trap aria-hidden="true" { label { "Website" input name="website" tabindex="-1" autocomplete="off"; } }
                    p { button.button.primary type="submit" { (self.send) } }
                }
                p role="status" lang=(language.code()) {}
            }
        }
    }
}

/// Both forms, closed until the visitor opens one.
pub fn forms(parcours: i64, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let review = Form {
        kind: "review",
        url: "/api/public/v1/reviews",
        done: t(
            "Merci. Un e-mail vient de partir\u{202f}: ouvrez son lien pour confirmer votre avis, il sera ensuite relu et publié.",
            "Thank you. An e-mail is on its way: open its link to confirm your review, it will then be read and published.",
        ),
        kept: "",
        send: t("Envoyer mon avis", "Send my review"),
    };
    let report = Form {
        kind: "report",
        url: "/api/public/v1/field-reports",
        done: t(
            "Merci. La personne en charge du parcours est prévenue par e-mail.",
            "Thank you. The person in charge of the route has been told by e-mail.",
        ),
        kept: t(
            "Merci. Votre signalement est enregistré\u{202f}: l’équipe du parcours le lira.",
            "Thank you. Your report is saved: the team of the route will read it.",
        ),
        send: t("Envoyer le signalement", "Send the report"),
    };
    html! {
        section.gives aria-labelledby="participer" {
            h2 id="participer" { (t("Vous y êtes allé\u{202f}?", "Have you been there?")) }
            details.give hidden {
                summary.button { (t("Donner votre avis", "Leave a review")) }
                (review.markup(parcours, language, &review_fields(language)))
            }
            details.give hidden {
                summary.button { (t("Signaler un problème sur le terrain", "Report a problem on the ground")) }
                (report.markup(parcours, language, &report_fields(language)))
            }
        }
    }
}

fn review_fields(language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        fieldset.rating {
            legend { (t("Votre note", "Your rating")) }
            @for rating in 1..=5 {
                label { input type="radio" name="rating" value=(rating) required[rating == 1]; (rating) " ★" }
            }
        }
        label { (t("Titre (facultatif)", "Title (optional)")) input name="title" maxlength="120"; }
        label { (t("Votre avis", "Your review")) textarea name="text" rows="5" maxlength="4000" required {} }
        label { (t("Jour de la sortie (facultatif)", "Day of your outing (optional)")) input type="date" name="walked_on"; }
        label { (t("Votre prénom ou pseudonyme, publié avec l’avis", "Your first name or nickname, published with the review")) input name="author" maxlength="60" autocomplete="nickname" required; }
        label { (t("Votre e-mail, jamais publié", "Your e-mail, never published")) input type="email" name="email" autocomplete="email" required; }
        input type="hidden" name="language" value=(language.code());
        p.note { (t(
            "L’e-mail sert à confirmer l’avis et à vous répondre\u{202f}; sans confirmation, tout est effacé après sept jours.",
            "The e-mail is used to confirm the review and to answer you; unconfirmed, everything is erased after seven days.",
        )) }
    }
}

fn report_fields(language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    html! {
        label { (t("Ce que vous avez trouvé", "What you found"))
            select name="kind" { @for kind in ReportKind::ALL { option value=(kind.as_str()) { (kind_word(language, kind)) } } }
        }
        fieldset {
            legend { (t("Où\u{202f}?", "Where?")) }
            p.places {
                button.button type="button" data-here { (t("Joindre ma position", "Add my position")) }
                label { (t("ou au kilomètre", "or at kilometre")) input data-km inputmode="decimal" size="5"; }
            }
            p.note { (t("Vous pouvez aussi toucher la carte de cette page.", "You can also touch the map of this page.")) }
            p.place-told role="status" {}
        }
        label { (t("Description", "Description")) textarea name="text" rows="3" maxlength="2000" {} }
        label { (t("Photo (facultative)", "Photo (optional)")) input type="file" accept="image/jpeg,image/png,image/webp"; }
        label { (t("Votre e-mail, pour vous répondre (facultatif)", "Your e-mail, to answer you (optional)")) input type="email" name="email" autocomplete="email"; }
        input type="hidden" name="language" value=(language.code());
    }
}

/// Below a review: what a reader has against it.
pub fn complaint(parcours: i64, review: i64, language: Language) -> Markup {
    let t = |french: &'static str, english: &'static str| language.pick(french, english);
    let url = format!("/api/public/v1/reviews/{review}/complaints");
    let form = Form {
        kind: "complaint",
        url: &url,
        done: t("Merci, cet avis sera relu.", "Thank you, this review will be looked at."),
        kept: "",
        send: t("Envoyer", "Send"),
    };
    let fields = html! {
        label { (t("Ce qui ne va pas", "What is wrong"))
            select name="reason" { @for reason in Objection::ALL { option value=(reason.as_str()) { (objection_words(language, reason)) } } }
        }
        label { (t("Précisions", "Details")) textarea name="words" rows="2" maxlength="500" {} }
    };
    html! {
        details.give.complaint hidden {
            summary { (t("Dénoncer cet avis", "Report this review")) }
            (form.markup(parcours, language, &fields))
        }
    }
}
