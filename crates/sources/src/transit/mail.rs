//! The mail about a feed that could not be read.

use app::App;
use app::error_text::sentence;
use app::mail::Letter;
use connect::Mail;
use domain::Locale;
use domain::imports::ImportNote;
use serde_json::json;
use store::transit::{TransitRun, TransportFeeds};
use store::{Connection, StoreError};

/// The mail that reports a failed run. It goes to the address that the feed names; without one, to the person who asked for the run;
/// without one, to the person who changed the feed last.
pub(super) async fn letter(
    app: &App,
    db: &impl Connection,
    run: &TransitRun,
    failure: &ImportNote,
) -> Result<Option<Letter>, StoreError> {
    let Some(feed) = store::record::load::<TransportFeeds>(db, run.feed_id).await? else { return Ok(None) };
    let who = run.asked_by.as_ref().or(feed.updated_by.as_ref()).map(|(id, _)| *id);
    let user = match who {
        Some(id) => store::user::find(db, id).await?,
        None => None,
    };
    let locale = user.as_ref().map_or(Locale::Fr, |user| user.locale);
    let Some(to) = feed.sheet.notify_email.clone().or_else(|| user.map(|user| user.email)) else { return Ok(None) };
    let reason = sentence(locale, &failure.code, &json!(failure.params)).unwrap_or_else(|| failure.code.clone());
    let (name, url, id) = (&feed.sheet.name, &app.settings.public_url, run.feed_id);
    let (subject, text) = match locale {
        Locale::Fr => (
            format!("Le flux de transport « {name} » n’a pas pu être lu"),
            format!(
                "Bonjour,\n\nLe flux de transport « {name} » n’a pas pu être lu : {reason}\n\n\
                 Les lignes et les arrêts de la dernière lecture réussie restent affichés. Pour voir le flux :\n\n{url}/lignes/flux/{id}\n\nJalon\n"
            ),
        ),
        Locale::En => (
            format!("The transport feed “{name}” could not be read"),
            format!(
                "Hello,\n\nThe transport feed “{name}” could not be read: {reason}\n\n\
                 The lines and stops of the last successful run are still shown. To view the feed:\n\n{url}/en/lignes/flux/{id}\n\nJalon\n"
            ),
        ),
    };
    let mail = Mail { to, subject, text };
    Ok(Some(Letter::from(mail).of_white_label(run.white_label_id)))
}
