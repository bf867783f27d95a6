//! What a white-label is checked for beyond the rules of its fields: what is taken already, and what its media are.

use std::collections::HashSet;

use app::App;
use app::problem::Code;
use app::record::Refused;
use content::map;
use domain::record;
use domain::vocabulary::VocabularyKind;
use domain::white_label::WhiteLabelSheet;
use domain::{Fault, MediaId, MediaKind};
use store::record::Stored;
use store::{StoreError, Tx, media, vocabulary, white_label};

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
    faults.extend(filter_faults(tx, &before.sheet, &after.sheet, changed).await?);
    if let Some((code, field)) = taken_field(tx, before, &after.sheet, changed).await? {
        // With the other faults where there are any, so that they are mended in one go.
        if faults.is_empty() && record::check(&after.sheet, changed, &app.settings.content_languages).is_empty() {
            return Err(Refused::new(code, Some(field)).into());
        }
        faults.push(Fault::new(code.code, field));
    }
    Ok(faults)
}

/// The first field whose value another white-label has.
async fn taken_field(
    tx: &Tx,
    before: &Stored<WhiteLabelSheet>,
    after: &WhiteLabelSheet,
    changed: &[&'static str],
) -> Result<Option<(Code, &'static str)>, StoreError> {
    if changed.contains(&"slug") && taken(tx, &after.slug).await?.is_some_and(|id| id != before.id) {
        return Ok(Some((SLUG_TAKEN, "/slug")));
    }
    // Compared with the sheet before, not by `changed`: the address for trials is derived from the domain after `changed` was found.
    let sites = [
        ("/domain", &before.sheet.domain, &after.domain),
        ("/preproduction_domain", &before.sheet.preproduction_domain, &after.preproduction_domain),
    ];
    for (field, former, site) in sites {
        let Some(site) = site.as_deref().filter(|_| former != site) else { continue };
        if white_label::has_site_elsewhere(tx, site, before.id).await? {
            return Ok(Some((DOMAIN_TAKEN, field)));
        }
    }
    Ok(None)
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

/// Filters name items of the list that they are for. Those that were stored before are not judged.
async fn filter_faults(
    tx: &Tx,
    before: &WhiteLabelSheet,
    after: &WhiteLabelSheet,
    changed: &[&str],
) -> Result<Vec<Fault>, StoreError> {
    let (pois, were) = (&after.poi_filter, &before.poi_filter);
    let (parcours, were_parcours) = (&after.parcours_filter, &before.parcours_filter);
    let lists = [
        ("poi_filter", "category_ids", VocabularyKind::PoiCategory, &pois.category_ids, &were.category_ids),
        ("poi_filter", "theme_ids", VocabularyKind::PoiTheme, &pois.theme_ids, &were.theme_ids),
        (
            "parcours_filter",
            "practice_type_ids",
            VocabularyKind::PracticeType,
            &parcours.practice_type_ids,
            &were_parcours.practice_type_ids,
        ),
    ];
    let mut faults = Vec::new();
    for (field, name, kind, ids, stored) in lists {
        let new: Vec<i64> = ids.iter().copied().filter(|id| !stored.contains(id)).collect();
        if new.is_empty() || !changed.contains(&field) {
            continue;
        }
        let listed: HashSet<i64> = vocabulary::list(tx, kind).await?.iter().map(|item| item.id.0).collect();
        let unknown = new.iter().filter(|id| !listed.contains(*id));
        faults.extend(
            unknown.map(|id| Fault::new("validation/unknown-reference", format!("/{field}/{name}")).with("id", *id)),
        );
    }
    Ok(faults)
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
