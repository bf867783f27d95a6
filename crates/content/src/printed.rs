//! The public roadbooks and cards that are kept in the blobs.

use app::App;
use domain::ParcoursId;
use store::StoreError;

/// Where the roadbook in a language is kept.
pub fn roadbook_key(id: ParcoursId, language: &str) -> String {
    format!("roadbook/{id}-{language}.pdf")
}

/// Deletes the public roadbooks of a deleted parcours; if it is restored, they are rendered again.
pub async fn forget_printed(app: &App, id: ParcoursId) -> Result<(), StoreError> {
    for language in &app.settings.content_languages {
        app.blobs.delete(&roadbook_key(id, language)).await?;
        app.blobs.delete(&card_key(id, language)).await?;
    }
    Ok(())
}

/// Under which key a card is kept.
pub fn card_key(id: ParcoursId, language: &str) -> String {
    format!("card/{id}-{language}.jpg")
}
