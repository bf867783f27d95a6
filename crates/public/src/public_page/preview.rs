//! The pages of a white-label as its screen shows them: the public pages themselves, with what is being edited there.

use app::App;
use domain::WhiteLabelId;
use domain::white_label::WhiteLabelSheet;
use maud::Markup;
use outputs::feed::site_address;
use outputs::visitor_words::Language;
use store::parcours::{example_of, load as load_parcours};

use super::access::Open;
use super::answer::Refusal;
use super::brand::Brand;
use super::home::{self, HomeQuery};
use super::view::PageLinks;
use super::{load, page, show};

/// Which page is shown.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Previewed {
    /// The home page of its domain.
    Home,
    /// The page of one of its parcours: the last one it published, else the last one it has.
    Parcours,
}

/// A page of a white-label as visitors see it once this sheet is saved and published.
pub async fn preview(
    app: &App,
    (id, sheet): (WhiteLabelId, WhiteLabelSheet),
    previewed: Previewed,
    language: Language,
) -> Result<Markup, Refusal> {
    let sheet = WhiteLabelSheet { published: true, ..sheet };
    match previewed {
        Previewed::Home => {
            let address = sheet.domain.clone().unwrap_or_else(|| app.settings.public_url.clone());
            let mut page = home::load(app, (id.0, sheet, address), &HomeQuery::default(), language).await?;
            page.preview = true;
            page.analytics = None;
            Ok(home::document(&page, language))
        }
        Previewed::Parcours => parcours(app, id, sheet, language).await,
    }
}

async fn parcours(app: &App, id: WhiteLabelId, sheet: WhiteLabelSheet, language: Language) -> Result<Markup, Refusal> {
    let db = app.store.read();
    let example = match example_of(db, id).await? {
        Some(example) => load_parcours(db, example).await?,
        None => None,
    };
    let Some(parcours) = example else {
        let texts = (
            language.pick("Aucun parcours à montrer", "No route to show"),
            language.pick(
                "Cette marque blanche n’a pas encore de parcours. Créez-en un pour voir sa page.",
                "This white-label has no route yet. Create one to see its page.",
            ),
        );
        return Ok(page::sentence(&Brand::of(db, id, &sheet).await?, language, texts, &app.settings.build_id, None));
    };
    let home = site_address(app, &sheet).map(|site| format!("{site}{}", language.pick("/", "/en/")));
    let open = Open { parcours, white_label: sheet, share: None };
    let shown = load::parcours(app, &open, language).await?;
    // A preview stores nothing on the device, measures nothing and asks for no review.
    let links =
        PageLinks { preview: true, home, keep: None, give: None, analytics: None, ..show::links(app, &open, language) };
    Ok(page::document(&shown, &links, language))
}
