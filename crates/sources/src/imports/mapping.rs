//! The mapping of a source: the fields and the words it was seen to use, and what each is mapped to.

use app::App;
use app::extract::{Importer, Path};
use app::record::At;
use app::record::operations::seen;
use axum::Json;
use axum::extract::State;
use domain::Text;
use domain::imports::{FieldRule, ImportSourceSheet, ImportTarget};
use domain::vocabulary::{Attributes, VocabularyItem, VocabularyKind};
use feeds::incoming::Word;
use serde::Serialize;
use store::imports::{self as rows};
use store::{Connection, StoreError};
use utoipa::ToSchema;

use super::mapped::{Meanings, rules_of};
use super::{ImportError, ImportSourceResource, places};

/// A mapping.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportMappingView {
    /// The fields here, in the order they are shown, and whether several source fields may fill one.
    pub targets: Vec<ImportTargetView>,
    /// The rules in use: those that were set, and those that follow from the kind.
    pub rules: Vec<FieldRule>,
    /// The source's fields, as the last runs met them.
    pub fields: Vec<ImportFieldView>,
    /// The source's words, as the last runs met them.
    pub words: Vec<ImportWordView>,
    /// How many words still need a meaning.
    pub waiting: i64,
}

/// A field of Jalon.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportTargetView {
    /// The field.
    pub target: ImportTarget,
    /// Whether several source fields may fill it.
    pub several: bool,
}

/// A field of a source.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportFieldView {
    pub name: String,
    /// The beginning of one of its values.
    pub sample: String,
}

/// A word of a source.
#[derive(Debug, Serialize, ToSchema)]
pub struct ImportWordView {
    /// Our list it is for.
    pub list: VocabularyKind,
    /// Its name in a mapping.
    pub key: String,
    /// As the source writes it.
    pub label: Text,
    /// Our item.
    pub term_id: Option<i64>,
    /// `mapped` by a person, `alike`: called the same, `left_out` by a person, `waiting`.
    pub state: &'static str,
}

/// The items of the lists that a source's words may mean.
pub(super) async fn terms(db: &impl Connection) -> Result<Vec<VocabularyItem>, StoreError> {
    let mut terms = Vec::new();
    for kind in [
        VocabularyKind::PracticeType,
        VocabularyKind::Level,
        VocabularyKind::ParcoursTheme,
        VocabularyKind::Tag,
        VocabularyKind::Marking,
        VocabularyKind::PoiCategory,
    ] {
        terms.extend(store::vocabulary::list(db, kind).await?);
    }
    // Levels of other scales are not for parcours.
    terms.retain(|item| !matches!(&item.attributes, Attributes::Level(level) if level.scale != "general"));
    Ok(terms)
}

/// The fields that a source may fill: those of POIs where its points become some.
fn targets_of(sheet: &ImportSourceSheet) -> Vec<ImportTargetView> {
    let of_pois = ImportTarget::OF_POIS.into_iter().filter(|_| places::takes_places(sheet));
    let all = ImportTarget::OF_PARCOURS.into_iter().chain(of_pois);
    all.map(|target| ImportTargetView { target, several: target.takes_several() }).collect()
}

/// The mapping of a source, and the words that still need a meaning.
#[utoipa::path(get, path = "/api/v1/import-sources/{id}/mapping", tag = "imports", params(("id" = i64, Path)),
    security(("session" = ["content.import"])), responses((status = 200, body = ImportMappingView), ImportError))]
pub async fn show_import_mapping(
    State(app): State<App>,
    importer: Importer,
    Path(at): Path<At>,
) -> Result<Json<ImportMappingView>, ImportError> {
    let db = app.store.read();
    let source = seen::<ImportSourceResource>(db, &importer, &at).await?;
    let lists = terms(db).await?;
    let meanings = Meanings::of(&source.sheet.values, source.sheet.kind.as_str(), &lists);
    let words: Vec<ImportWordView> = rows::words(db, at.id)
        .await?
        .into_iter()
        .map(|found| {
            let meaning = meanings.of_word(found.list, &Word { key: found.word.clone(), label: found.label.clone() });
            let (term_id, state) = (meaning.term(), meaning.as_str());
            ImportWordView { list: found.list, key: found.word, label: found.label, term_id, state }
        })
        .collect();
    let fields = rows::fields(db, at.id).await?;
    Ok(Json(ImportMappingView {
        targets: targets_of(&source.sheet),
        rules: rules_of(&source.sheet),
        fields: fields.into_iter().map(|found| ImportFieldView { name: found.name, sample: found.sample }).collect(),
        waiting: words.iter().filter(|word| word.state == "waiting").count() as i64,
        words,
    }))
}
