//! The mail that tells that a run failed.

use connect::Mail;
use domain::Locale;
use domain::imports::ImportNote;
use serde_json::json;
use store::imports::{ImportRun, ImportSources};

use crate::App;
use crate::feed::sentence;

/// Tells who is named in the source, else whoever asked for the run, else whoever changed the source last.
pub(super) async fn tell(app: &App, run: &ImportRun, failure: &ImportNote) {
    let db = app.store.read();
    let Ok(Some(source)) = store::record::load::<ImportSources>(db, run.source_id).await else { return };
    let who = run.asked_by.as_ref().or(source.updated_by.as_ref()).map(|(id, _)| *id);
    let user = match who {
        Some(id) => store::user::find(db, id).await.ok().flatten(),
        None => None,
    };
    let locale = user.as_ref().map_or(Locale::Fr, |user| user.locale);
    let Some(to) = source.sheet.notify_email.clone().or_else(|| user.map(|user| user.email)) else { return };
    let reason = sentence(locale, &failure.code, &json!(failure.params)).unwrap_or_else(|| failure.code.clone());
    let (name, url, id) = (&source.sheet.name, &app.settings.public_url, run.id);
    let (subject, text) = match locale {
        Locale::Fr => (
            format!("L’import « {name} » a échoué"),
            format!(
                "Bonjour,\n\nL’import « {name} » s’est arrêté : {reason}\n\nLe journal dit ce qui est entré avant :\n\n\
                 {url}/settings/logs-imports-parcours?run={id}\n\nRien n’est perdu : un import relancé reprend sans doublon.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            format!("The import “{name}” failed"),
            format!(
                "Hello,\n\nThe import “{name}” stopped: {reason}\n\nIts log tells what came in before:\n\n\
                 {url}/en/settings/logs-imports-parcours?run={id}\n\nNothing is lost: started again, an import makes nothing twice.\n\nJalon\n"
            ),
        ),
    };
    if let Err(error) = app.mail.send(Mail { to, subject, text }).await {
        tracing::error!(%error, "the mail about a failed import did not leave");
    }
}
