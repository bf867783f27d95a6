//! The warnings of a parcours in a reader's language.

use app::App;
use domain::ParcoursId;
use domain::feedback::ReportKind;
use store::StoreError;
use store::feedback::Warning;

use crate::visitor_words::{Language, Words, kilometre};

/// A warning as a walker reads it.
#[derive(Debug, Clone)]
pub struct PublicWarning {
    /// What was found.
    pub kind: &'static str,
    /// ` au km 2,3`, or nothing.
    pub at: String,
    /// The day it was reported, `YYYY-MM-DD`.
    pub day: String,
    /// The staff's words.
    pub words: Option<Words>,
}

impl PublicWarning {
    /// The same in one line, as files carry it.
    pub(crate) fn line(&self) -> String {
        let words = self.words.as_ref().map(|words| format!(" {}", words.text)).unwrap_or_default();
        format!("{}{}.{words}", self.kind, self.at)
    }
}

/// What walkers of a parcours are warned of, in the order they meet it. Kilometres are scaled by `sheet_per_m`
/// (`TraceSummary::sheet_per_m`), 1 for those of the line.
pub async fn warnings(
    app: &App,
    id: ParcoursId,
    language: Language,
    sheet_per_m: f64,
) -> Result<Vec<PublicWarning>, StoreError> {
    Ok(warnings_in(app, language, &store::feedback::warnings(app.store.read(), id).await?, sheet_per_m))
}

/// Stored warnings in a reader's language, with kilometres scaled as for [`warnings`].
pub(crate) fn warnings_in(app: &App, language: Language, found: &[Warning], sheet_per_m: f64) -> Vec<PublicWarning> {
    let shown = found.iter().map(|one| PublicWarning {
        kind: kind_word(language, one.kind),
        at: one.at_m.map(|at| kilometre(language, at * sheet_per_m)).unwrap_or_default(),
        day: app.day_of(one.at),
        words: Words::of(&one.words, language),
    });
    shown.collect()
}

/// The kind of a report, in a word.
pub const fn kind_word(language: Language, kind: ReportKind) -> &'static str {
    let (french, english) = match kind {
        ReportKind::FallenTree => ("Arbre tombé", "Fallen tree"),
        ReportKind::Marking => ("Balisage absent ou faux", "Missing or wrong marking"),
        ReportKind::Path => ("Chemin abîmé ou envahi", "Damaged or overgrown path"),
        ReportKind::Equipment => ("Équipement abîmé", "Damaged equipment"),
        ReportKind::Danger => ("Danger", "Danger"),
        ReportKind::Closed => ("Passage fermé", "Way closed"),
        ReportKind::Animals => ("Animaux", "Animals"),
        ReportKind::Rubbish => ("Déchets", "Rubbish"),
        ReportKind::Information => ("Information fausse", "Wrong information"),
        ReportKind::Other => ("Autre chose", "Something else"),
    };
    language.pick(french, english)
}
