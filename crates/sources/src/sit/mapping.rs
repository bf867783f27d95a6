//! Maps a source's category words to our reference items, and the columns of Tourinsoft to fields.

use app::App;
use app::extract::{Importer, Path};
use app::record::At;
use app::record::operations::seen;
use axum::Json;
use axum::extract::State;
use domain::Text;
use domain::sit::{SitColumn, usual_columns};
use domain::vocabulary::VocabularyKind;
use feeds::incoming::Word;
use serde::Serialize;
use store::sit::{self as rows};
use utoipa::ToSchema;

use super::{SitError, SitSourceResource};
use crate::imports::mapped::Meanings;

/// A mapping.
#[derive(Debug, Serialize, ToSchema)]
pub struct SitMappingView {
    /// The source's words, as the last runs met them.
    pub words: Vec<SitWordView>,
    /// How many words still need a meaning.
    pub waiting: i64,
    /// For Tourinsoft: the columns of the last runs.
    pub columns: Vec<SitColumnView>,
    /// For Tourinsoft: the fields here, and the columns that usually fill each.
    pub fields: Vec<SitFieldView>,
}

/// A word of a source.
#[derive(Debug, Serialize, ToSchema)]
pub struct SitWordView {
    /// Its name in a mapping.
    pub key: String,
    /// As the source writes it.
    pub label: Text,
    /// Our category.
    pub term_id: Option<i64>,
    /// `mapped` by a person, `alike`: called the same, `left_out` by a person, `waiting`.
    pub state: &'static str,
}

/// A column of a source.
#[derive(Debug, Serialize, ToSchema)]
pub struct SitColumnView {
    pub name: String,
    /// The beginning of one of its values.
    pub sample: String,
}

/// A field of Jalon.
#[derive(Debug, Serialize, ToSchema)]
pub struct SitFieldView {
    /// The field.
    pub to: SitColumn,
    /// The columns in use: those that were set, else those of this source that usually fill it.
    pub from: Vec<String>,
}

/// The mapping of a source, and the words that still need a meaning.
#[utoipa::path(get, path = "/api/v1/sit-sources/{id}/mapping", tag = "sit", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 200, body = SitMappingView), SitError))]
pub async fn show_sit_mapping(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
) -> Result<Json<SitMappingView>, SitError> {
    let db = app.store.read();
    let source = seen::<SitSourceResource>(db, &importer, &at).await?;
    let list = VocabularyKind::PoiCategory;
    let lists = store::vocabulary::list(db, list).await?;
    let meanings = Meanings::of(&source.sheet.values, source.sheet.kind.as_str(), &lists);
    let words: Vec<SitWordView> = rows::words(db, at.id)
        .await?
        .into_iter()
        .map(|found| {
            let meaning = meanings.of_word(list, &Word { key: found.word.clone(), label: found.label.clone() });
            let (term_id, state) = (meaning.term(), meaning.as_str());
            SitWordView { key: found.word, label: found.label, term_id, state }
        })
        .collect();
    let columns: Vec<SitColumnView> = rows::columns(db, at.id)
        .await?
        .into_iter()
        .map(|found| SitColumnView { name: found.name, sample: found.sample })
        .collect();
    let usual = |to: SitColumn| {
        let there = columns
            .iter()
            .filter(|column| usual_columns(to).iter().any(|name| name.eq_ignore_ascii_case(&column.name)));
        there.map(|column| column.name.clone()).collect()
    };
    let field = |to: SitColumn| {
        let said = source.sheet.columns.iter().find(|rule| rule.to == to);
        SitFieldView { to, from: said.map_or_else(|| usual(to), |rule| rule.from.clone()) }
    };
    let fields = if columns.is_empty() { Vec::new() } else { SitColumn::ALL.into_iter().map(field).collect() };
    let waiting = words.iter().filter(|word| word.state == "waiting").count() as i64;
    Ok(Json(SitMappingView { words, waiting, columns, fields }))
}
