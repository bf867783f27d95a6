//! The mails of reviews and reports. Those to strangers contain no text from visitors, so they cannot be used to advertise.

use app::App;
use app::mail::Letter;
use app::slug::slug;
use app::token::Token;
use connect::Mail;
use domain::feedback::{NewReview, Objection, UNCONFIRMED_KEPT_S};
use domain::{Locale, ParcoursId, Text, WhiteLabelId};
use outputs::visitor_words::{Language, kind_word};
use store::feedback::{Report, Review};
use store::parcours as rows;
use store::record::load;
use store::structure::Structures;
use store::user::Administrator;
use store::white_label::WhiteLabels;
use store::{Connection, StoreError};

/// Title and public page of a parcours.
async fn named(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
    language: Language,
) -> Result<(String, String), StoreError> {
    let stored = rows::load(db, id).await?;
    let main = app.settings.main_language();
    let title = stored.map(|stored| stored.sheet.title).unwrap_or_default();
    let page = format!("{}{}/p/{}-{id}", app.settings.public_url, language.pick("", "/en"), slug(title.best(main)));
    Ok((title.best(language.code()).to_owned(), page))
}

fn language(said: &NewReview) -> Language {
    if said.language == "en" { Language::English } else { Language::French }
}

/// The mail with the link that confirms a review.
pub async fn to_confirm(
    app: &App,
    db: &impl Connection,
    id: ParcoursId,
    said: &NewReview,
    token: &Token,
) -> Result<Letter, StoreError> {
    let language = language(said);
    let (title, _) = named(app, db, id, language).await?;
    let link = format!("{}{}/avis/{}", app.settings.public_url, language.pick("", "/en"), token.as_str());
    let (subject, text) = match language {
        Language::French => (
            "Confirmez votre avis".to_owned(),
            format!(
                "Bonjour,\n\nVous venez de donner votre avis sur « {title} ». Pour le confirmer, ouvrez ce lien :\n\n{link}\n\n\
                 Ce lien fonctionne pendant sept jours ; un avis qui n’est pas confirmé est ensuite effacé.\n\nSi vous n’avez pas \
                 donné d’avis, ne faites rien : rien ne sera publié, et votre adresse sera effacée.\n"
            ),
        ),
        Language::English => (
            "Confirm your review".to_owned(),
            format!(
                "Hello,\n\nYou have just reviewed “{title}”. To confirm it, open this link:\n\n{link}\n\n\
                 The link works for seven days; a review that is not confirmed is then erased.\n\nIf you did not write a review, do \
                 nothing: nothing will be published, and your address will be erased.\n"
            ),
        ),
    };
    let mail = Mail { to: said.email.clone(), subject, text };
    Ok(Letter::from(mail).expires_at(app.now().plus_s(UNCONFIRMED_KEPT_S)))
}

/// The mail to the author of a review about the decision of the staff: the reason of a refusal, or their answer. `None` if the author's
/// address was erased.
pub async fn decided(app: &App, db: &impl Connection, review: &Review) -> Result<Option<Letter>, StoreError> {
    if review.said.email.is_empty() {
        return Ok(None);
    }
    let language = language(&review.said);
    let (title, page) = named(app, db, review.parcours_id, language).await?;
    let (subject, text) = match (language, review.objection) {
        (Language::French, Some(objection)) => (
            "Votre avis n’est pas publié".to_owned(),
            format!(
                "Bonjour,\n\nVotre avis sur « {title} » n’est pas publié{}\n{}\nVous pouvez en écrire un autre :\n\n{page}\n",
                reason(language, objection),
                beside(&review.objection_words)
            ),
        ),
        (Language::English, Some(objection)) => (
            "Your review is not published".to_owned(),
            format!(
                "Hello,\n\nYour review of “{title}” is not published{}\n{}\nYou can write another one:\n\n{page}\n",
                reason(language, objection),
                beside(&review.objection_words)
            ),
        ),
        (Language::French, None) => (
            "Une réponse à votre avis".to_owned(),
            format!("Bonjour,\n\nVotre avis sur « {title} » a reçu cette réponse :\n\n{}\n\n{page}\n", review.answer),
        ),
        (Language::English, None) => (
            "An answer to your review".to_owned(),
            format!("Hello,\n\nYour review of “{title}” received this answer:\n\n{}\n\n{page}\n", review.answer),
        ),
    };
    Ok(Some(Letter::from(Mail { to: review.said.email.clone(), subject, text })))
}

fn beside(words: &str) -> String {
    if words.is_empty() { String::new() } else { format!("\n{words}\n") }
}

/// The end of the sentence that gives the reason of a refusal. Another reason is always explained in words of the staff, which follow.
fn reason(language: Language, objection: Objection) -> String {
    match objection {
        Objection::Other => language.pick(" pour la raison suivante :", " for the following reason:").to_owned(),
        known => format!("{}{}.", language.pick(" : ", ": "), objection_words(language, known)),
    }
}

/// The objection to a review, as part of a sentence.
pub const fn objection_words(language: Language, objection: Objection) -> &'static str {
    let (french, english) = match objection {
        Objection::OffTopic => ("il parle d’autre chose", "it is about something else"),
        Objection::Insulting => ("il est blessant", "it is insulting"),
        Objection::PersonalData => {
            ("il nomme une personne ou donne ses coordonnées", "it names a person or gives their contact details")
        }
        Objection::Advertising => ("c’est de la publicité", "it is advertising"),
        Objection::Untrue => ("il ne décrit pas une sortie réelle", "it does not describe a real outing"),
        Objection::Illegal => ("il est contraire à la loi", "it is against the law"),
        Objection::Other => ("pour une autre raison", "for another reason"),
    };
    language.pick(french, english)
}

/// A recipient of a mail about a report.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Recipient {
    /// First and last name.
    pub name: String,
    email: String,
    /// The language of their interface, of those who have an account.
    locale: Option<Locale>,
}

/// The most administrators who get a mail about one report.
const MAX_ADMINISTRATORS: u64 = 5;

/// The recipients of a mail about a report on a parcours: its contact, else its white-label's, else the structure's; else the
/// structure itself, else its administrators, else those of the platform.
pub async fn recipients(
    db: &impl Connection,
    contact: Option<i64>,
    white_label: WhiteLabelId,
) -> Result<Vec<Recipient>, StoreError> {
    let owner = load::<WhiteLabels>(db, white_label.0).await?.map(|owner| owner.sheet);
    let structure_id = owner.as_ref().map(|owner| owner.structure_id);
    let structure = match structure_id {
        Some(id) => load::<Structures>(db, id).await?.map(|structure| structure.sheet),
        None => None,
    };
    let known = [contact, owner.and_then(|owner| owner.contact_id), structure.as_ref().and_then(|one| one.contact_id)];
    for id in known.into_iter().flatten() {
        if let Some(contact) = store::contact::shown_by(db, white_label, id).await? {
            return Ok(vec![Recipient { name: contact.full_name(), email: contact.email, locale: None }]);
        }
    }
    if let Some((name, Some(email))) = structure.map(|one| (one.name, one.email)) {
        return Ok(vec![Recipient { name, email, locale: None }]);
    }
    for structure in [structure_id.map(Some), Some(None)].into_iter().flatten() {
        let administrators = store::user::administrators(db, structure, MAX_ADMINISTRATORS).await?;
        if !administrators.is_empty() {
            let recipient = |Administrator { name, email, locale }| Recipient { name, email, locale: Some(locale) };
            return Ok(administrators.into_iter().map(recipient).collect());
        }
    }
    Ok(Vec::new())
}

/// The mails about a report to the people in charge of its parcours, each in their language; in that of the server to those without an
/// account.
pub async fn reported(app: &App, db: &impl Connection, report: &Report) -> Result<Vec<Letter>, StoreError> {
    let Some(stored) = rows::load(db, report.parcours_id).await? else { return Ok(Vec::new()) };
    let recipients = recipients(db, stored.sheet.contact_id, stored.white_label_id).await?;
    if recipients.is_empty() {
        tracing::warn!(parcours.id = %stored.id, "no contact, structure or administrator: no mail about a field report");
        return Ok(Vec::new());
    }
    let at_m = scaled_at_m(db, &stored, report.at_m).await?;
    let letter = |Recipient { email, locale, .. }: Recipient| {
        let language = match locale.or(app.settings.default_locale) {
            Some(Locale::En) => Language::English,
            Some(Locale::Fr) | None => Language::French,
        };
        let (subject, text) = about(app, report, at_m, &stored.sheet.title, language);
        Letter::from(Mail { to: email, subject, text }).of_white_label(stored.white_label_id)
    };
    Ok(recipients.into_iter().map(letter).collect())
}

/// Metres of a place along the line of a parcours, scaled to the length of its sheet, which visitors read.
async fn scaled_at_m(
    db: &impl Connection,
    stored: &rows::Stored,
    at_m: Option<f64>,
) -> Result<Option<f64>, StoreError> {
    let (Some(line_m), Some(summary)) = (at_m, &stored.trace) else { return Ok(at_m) };
    let line = store::feed::lines(db, &[stored.id]).await?.remove(&stored.id.0).unwrap_or_default();
    Ok(Some(line_m * summary.sheet_per_m(trace::measure(&line).distance_m)))
}

/// The subject and the text of a mail about a report. `at_m` is scaled to the length of the sheet.
fn about(app: &App, report: &Report, at_m: Option<f64>, title: &Text, language: Language) -> (String, String) {
    let title = title.best(language.code());
    let kind = kind_word(language, report.said.kind);
    let at = at_m.map(|at| outputs::visitor_words::kilometre(language, at)).unwrap_or_default();
    let link =
        format!("{}{}/parcours/{}?tab=reviews", app.settings.public_url, language.pick("", "/en"), report.parcours_id);
    match language {
        Language::French => (
            format!("Signalement : {kind} — {title}"),
            format!(
                "Bonjour,\n\nUn visiteur a fait un signalement sur « {title} » : {kind}{at}.\n{}\nPour le consulter et le traiter :\n\n{link}\n",
                beside(&report.said.text)
            ),
        ),
        Language::English => (
            format!("Field report: {kind} — {title}"),
            format!(
                "Hello,\n\nA visitor sent a field report on “{title}”: {kind}{at}.\n{}\nTo view it and deal with it:\n\n{link}\n",
                beside(&report.said.text)
            ),
        ),
    }
}
