//! The mail about a run that failed.

use app::App;
use app::error_text::sentence;
use app::mail::Letter;
use connect::Mail;
use domain::Locale;
use domain::imports::ImportNote;
use domain::record::Kind;
use serde_json::json;
use store::imports::{ImportRun, ImportSources};
use store::sit::SitSources;
use store::{Connection, StoreError};

/// The mail that reports a failed run. It goes to the address that the source names; without one, to the person who asked for the run;
/// without one, to the person who changed the source last.
pub(super) async fn letter(
    app: &App,
    db: &impl Connection,
    run: &ImportRun,
    failure: &ImportNote,
) -> Result<Option<Letter>, StoreError> {
    let (name, notified, changed_by, screen) = if run.kind == Kind::SitSource {
        let Some(source) = store::record::load::<SitSources>(db, run.source_id).await? else { return Ok(None) };
        let screen = format!("pois-sit/sources/{}?tab=log", source.id);
        (source.sheet.name, source.sheet.notify_email, source.updated_by, screen)
    } else {
        let Some(source) = store::record::load::<ImportSources>(db, run.source_id).await? else { return Ok(None) };
        let screen = format!("logs-imports-parcours/{}", run.id);
        (source.sheet.name, source.sheet.notify_email, source.updated_by, screen)
    };
    let who = run.asked_by.as_ref().or(changed_by.as_ref()).map(|(id, _)| *id);
    let user = match who {
        Some(id) => store::user::find(db, id).await?,
        None => None,
    };
    let locale = user.as_ref().map_or(Locale::Fr, |user| user.locale);
    let Some(to) = notified.or_else(|| user.map(|user| user.email)) else { return Ok(None) };
    let reason = sentence(locale, &failure.code, &json!(failure.params)).unwrap_or_else(|| failure.code.clone());
    let url = &app.settings.public_url;
    let (subject, text) = match locale {
        Locale::Fr => (
            format!("L’import « {name} » a échoué"),
            format!(
                "Bonjour,\n\nL’import « {name} » s’est arrêté : {reason}\n\nLe journal indique ce qui a été importé avant l’arrêt :\n\n\
                 {url}/settings/{screen}\n\nRien n’est perdu : vous pouvez relancer l’import, il ne crée pas de doublon.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            format!("The import “{name}” failed"),
            format!(
                "Hello,\n\nThe import “{name}” stopped: {reason}\n\nThe log shows what was imported before it stopped:\n\n\
                 {url}/en/settings/{screen}\n\nNothing is lost: you can run the import again, it creates no duplicates.\n\nJalon\n"
            ),
        ),
    };
    let mail = Mail { to, subject, text };
    Ok(Some(Letter::from(mail).of_white_label(run.white_label_id)))
}
