//! Which media leave the back office. One rule, written once as SQL (decision 0030): a record shows a media of its own
//! white-label, or one that its white-label added from another white-label of the same structure. A media is public while a
//! published record shows it. A published record that names a media of another tenant does not make that media public. The logo and
//! the fonts of a published white-label are public without being shared (decision 0040).

use std::collections::HashSet;

use domain::record::Kind;
use domain::{MediaId, WhiteLabelId};

use crate::parcours::MODEL_ONLY;
use crate::parcours_link::shown_media_links;
use crate::sql::{NumberList, all, get, numbers};
use crate::{Connection, StoreError};

/// Whether a record of the white-label `owner` may show the media `media`; both are SQL expressions, `media` a table's alias.
fn may_show(owner: &str, media: &str) -> String {
    format!(
        "({owner} = {media}.white_label_id OR EXISTS (SELECT 1 FROM record_white_label added
            JOIN white_label here ON here.id = added.white_label_id
            JOIN white_label there ON there.id = {media}.white_label_id AND there.structure_id = here.structure_id
            WHERE added.kind = {kind} AND added.record_id = {media}.id AND added.white_label_id = {owner} AND added.published = TRUE))",
        kind = Kind::Media.code()
    )
}

/// Whether a published record shows the media `media`, a table's alias.
pub(crate) fn is_shown_in_public(media: &str) -> String {
    format!(
        "(EXISTS (SELECT 1 FROM record_link l JOIN poi p ON p.id = l.from_id
            WHERE l.to_kind = {kind} AND l.to_id = {media}.id AND l.from_kind = {poi} AND p.published = TRUE AND {by_poi})
        OR EXISTS (SELECT 1 FROM parcours_link k JOIN parcours p ON p.id = k.parcours_id
            WHERE k.kind IN {shown} AND k.target_id = {media}.id AND p.published = 1 AND p.relation <> {MODEL_ONLY} AND {by_parcours}))",
        kind = Kind::Media.code(),
        poi = Kind::Poi.code(),
        by_poi = may_show("p.white_label_id", media),
        shown = numbers(&shown_media_links()),
        by_parcours = may_show("p.white_label_id", media),
    )
}

/// The media, of these, that published white-labels use as their logo or their fonts, and may show. Their pages need the files, so
/// every visitor may fetch them; that does not share them: people of other white-labels neither find them nor use them.
pub async fn worn_among(db: &impl Connection, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
    let condition = format!(
        "EXISTS (SELECT 1 FROM record_link l JOIN white_label w ON w.id = l.from_id
            WHERE l.to_kind = {media} AND l.to_id = n.id AND l.from_kind = {label} AND l.field IN ('logo_media_id', 'fonts')
            AND w.published = TRUE AND {by_label})",
        media = Kind::Media.code(),
        label = Kind::WhiteLabel.code(),
        by_label = may_show("w.id", "n"),
    );
    among(db, ids, &condition).await
}

/// The media, of these, that are public.
pub async fn public_among(db: &impl Connection, ids: &[i64]) -> Result<HashSet<i64>, StoreError> {
    among(db, ids, &is_shown_in_public("n")).await
}

/// Whether a media is public.
pub async fn is_public(db: &impl Connection, id: MediaId) -> Result<bool, StoreError> {
    Ok(public_among(db, &[id.0]).await?.contains(&id.0))
}

/// The media, of these, that a record of a white-label may show: its own, those it added from its own structure, and public ones.
/// Whatever a record names, only these leave with it: on pages of shares, in files, as a mark.
pub async fn shown_by(
    db: &impl Connection,
    white_label: WhiteLabelId,
    ids: &[i64],
) -> Result<HashSet<i64>, StoreError> {
    let condition = format!("({} OR {})", may_show(&white_label.0.to_string(), "n"), is_shown_in_public("n"));
    among(db, ids, &condition).await
}

async fn among(db: &impl Connection, ids: &[i64], condition: &str) -> Result<HashSet<i64>, StoreError> {
    if ids.is_empty() {
        return Ok(HashSet::new());
    }
    let list = NumberList::of(db, ids);
    let sql = format!("SELECT n.id FROM media n WHERE {} AND {condition}", list.has("n.id", 1));
    all(db, &sql, list.value()).await?.iter().map(|row| get(row, 0)).collect()
}

/// The numbers of media that published records show, as two statements that start from the links to media: links are fewer than
/// what is published.
pub(super) fn public_ids() -> [String; 2] {
    let (media, poi) = (Kind::Media.code(), Kind::Poi.code());
    [
        // The sign keeps the index of POIs' own links out.
        format!(
            "SELECT m.id FROM record_link l JOIN media m ON m.id = l.to_id WHERE l.to_kind = {media} AND +l.from_kind = {poi}
            AND EXISTS (SELECT 1 FROM poi p WHERE p.id = l.from_id AND p.published = TRUE AND {})",
            may_show("p.white_label_id", "m")
        ),
        format!(
            "SELECT m.id FROM parcours_link k JOIN media m ON m.id = k.target_id WHERE k.kind IN {}
            AND EXISTS (SELECT 1 FROM parcours p WHERE p.id = k.parcours_id AND p.published = 1 AND p.relation <> {MODEL_ONLY} AND {})",
            numbers(&shown_media_links()),
            may_show("p.white_label_id", "m")
        ),
    ]
}
