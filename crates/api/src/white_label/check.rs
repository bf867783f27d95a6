//! What a white-label is checked for beyond the rules of its fields: what is taken already, and what its media are.

use app::App;
use app::problem::Code;
use app::record::Refused;
use content::map;
use domain::white_label::WhiteLabelSheet;
use domain::{Fault, MediaId, MediaKind};
use store::record::Stored;
use store::{StoreError, Tx, media, white_label};

use super::WhiteLabelError;

const SLUG_TAKEN: Code = Code { status: 409, code: "white-label/slug-taken" };
const DOMAIN_TAKEN: Code = Code { status: 409, code: "white-label/domain-taken" };

/// The codes of its specific refusals.
pub(super) const CODES: [Code; 2] = [SLUG_TAKEN, DOMAIN_TAKEN];

/// Fills in what follows from the rest, and returns the faults of what changed.
pub(super) async fn check(
    app: &App,
    tx: &Tx,
    before: &Stored<WhiteLabelSheet>,
    after: &mut Stored<WhiteLabelSheet>,
    changed: &[&'static str],
) -> Result<Vec<Fault>, WhiteLabelError> {
    let slug_was_given = !after.sheet.slug.is_empty();
    after.sheet.complete(&before.sheet);
    if !slug_was_given {
        after.sheet.slug = free_slug(tx, &after.sheet.slug, before.id).await?;
    }
    let styles: Vec<&str> = map::STYLES.iter().map(|style| style.code).collect();
    let mut faults = after.sheet.rules(&app.settings.map_domain, &styles);
    faults.retain(|fault| WhiteLabelSheet::concerns(fault, changed));
    faults.extend(media_faults(tx, &after.sheet, changed).await?);
    let is_another = |id: i64| id != before.id;
    if changed.contains(&"slug") && taken(tx, &after.sheet.slug).await?.is_some_and(is_another) {
        return Err(Refused::new(SLUG_TAKEN, Some("/slug")).into());
    }
    // Compared with the sheet before, not by `changed`: the address for trials is derived from the domain after `changed` was found.
    let sites = [
        ("/domain", &before.sheet.domain, &after.sheet.domain),
        ("/preproduction_domain", &before.sheet.preproduction_domain, &after.sheet.preproduction_domain),
    ];
    for (field, former, site) in sites {
        let Some(site) = site.as_deref().filter(|_| former != site) else { continue };
        if white_label::has_site_elsewhere(tx, site, before.id).await? {
            return Err(Refused::new(DOMAIN_TAKEN, Some(field)).into());
        }
    }
    Ok(faults)
}

/// Whether another white-label has its short name or its address.
pub(super) async fn is_taken(tx: &Tx, sheet: &WhiteLabelSheet) -> Result<bool, StoreError> {
    for site in [&sheet.domain, &sheet.preproduction_domain].into_iter().flatten() {
        if white_label::has_site_elsewhere(tx, site, 0).await? {
            return Ok(true);
        }
    }
    Ok(taken(tx, &sheet.slug).await?.is_some())
}

async fn taken(tx: &Tx, slug: &str) -> Result<Option<i64>, StoreError> {
    Ok(white_label::find_by_slug(tx, slug).await?.map(|found| found.id.0))
}

/// `lac`, or `lac-2` where another is called so.
async fn free_slug(tx: &Tx, made: &str, own: i64) -> Result<String, StoreError> {
    let mut slug = made.to_owned();
    let mut number = 2;
    while taken(tx, &slug).await?.is_some_and(|id| id != own) {
        slug = format!("{made}-{number}");
        number += 1;
    }
    Ok(slug)
}

/// A font is a font, a mark a picture.
async fn media_faults(tx: &Tx, sheet: &WhiteLabelSheet, changed: &[&str]) -> Result<Vec<Fault>, StoreError> {
    let wanted = [
        ("fonts", "/fonts/title_media_id", sheet.fonts.title_media_id, MediaKind::Font),
        ("fonts", "/fonts/text_media_id", sheet.fonts.text_media_id, MediaKind::Font),
        ("logo_media_id", "/logo_media_id", sheet.logo_media_id, MediaKind::Image),
        ("pdf_logo_media_id", "/pdf_logo_media_id", sheet.pdf_logo_media_id, MediaKind::Image),
        ("pdf_background_media_id", "/pdf_background_media_id", sheet.pdf_background_media_id, MediaKind::Image),
    ];
    let mut faults = Vec::new();
    for (field, at, id, kind) in wanted {
        let Some(id) = id.filter(|_| changed.contains(&field)) else { continue };
        // An unknown one is reported with the other references.
        let found = media::find(tx, MediaId(id)).await?;
        if found.is_some_and(|media| media.sheet.file.kind != kind) {
            faults.push(Fault::new("white-label/media-kind", at).with("kind", kind.as_str()));
        }
    }
    Ok(faults)
}
