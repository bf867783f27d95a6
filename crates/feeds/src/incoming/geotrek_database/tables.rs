//! The tables of a Geotrek database that the import reads, in memory, with only the columns that it uses.

use std::collections::HashMap;

use serde_json::{Map, Value};

use super::super::shape::Shape;

/// The tables that are read, each with the columns that are kept. The name of a text names its translations too: `name` keeps `name_fr` and `name_en`. The
/// texts of treks are in [`TREK_TEXTS`].
pub(super) const TABLES: &[(&str, &[&str])] = &[
    ("auth_user", &["id", "username", "first_name", "last_name", "email", "is_active"]),
    ("authent_structure", &["id", "name"]),
    ("authent_userprofile", &["user_id", "structure_id"]),
    (
        "common_attachment",
        &[
            "id",
            "object_id",
            "content_type_id",
            "attachment_file",
            "attachment_video",
            "attachment_link",
            "author",
            "title",
            "legend",
            "starred",
            "is_image",
            "license_id",
        ],
    ),
    ("common_hdviewpoint", &["id", "object_id", "content_type_id"]),
    ("common_label", &["id", "name"]),
    ("common_license", &["id", "label"]),
    ("common_provider", &["id", "name"]),
    ("common_recordsource", &["id", "name"]),
    ("common_reservationsystem", &["id", "name"]),
    ("common_targetportal", &["id", "name"]),
    ("common_theme", &["id", "label"]),
    ("core_pathaggregation", &["start_position", "end_position", "path_id", "topo_object_id", "order"]),
    ("core_topology", &["id", "uuid", "deleted", "kind", "geom", "geom_3d"]),
    ("django_content_type", &["id", "app_label", "model"]),
    ("django_migrations", &["app", "name"]),
    ("flatpages_flatpage", &["id", "title"]),
    ("infrastructure_infrastructure", EQUIPMENT),
    ("infrastructure_infrastructure_conditions", &["id", "infrastructure_id", "infrastructurecondition_id"]),
    ("infrastructure_infrastructurecondition", &["id", "label"]),
    ("infrastructure_infrastructuretype", &["id", "label"]),
    ("outdoor_course", &["id", "uuid", "name"]),
    ("outdoor_site", &["id", "uuid", "name"]),
    ("sensitivity_sensitivearea", &["id", "species_id", "deleted"]),
    ("sensitivity_species", &["id", "name"]),
    ("signage_blade", &["id", "number", "signage_id", "deleted"]),
    ("signage_line", &["id", "number", "text", "distance", "time", "blade_id"]),
    ("signage_signage", EQUIPMENT),
    ("signage_signage_conditions", &["id", "signage_id", "signagecondition_id"]),
    ("signage_signagecondition", &["id", "label"]),
    ("signage_signagetype", &["id", "label"]),
    ("tourism_cancellationreason", &["id", "label"]),
    (
        "tourism_informationdesk",
        &[
            "id",
            "uuid",
            "name",
            "type_id",
            "phone",
            "email",
            "website",
            "street",
            "postal_code",
            "municipality",
            "geom",
        ],
    ),
    ("tourism_informationdesktype", &["id", "label"]),
    ("tourism_touristiccontent", CONTENT),
    ("tourism_touristiccontent_portal", &["id", "touristiccontent_id", "targetportal_id"]),
    ("tourism_touristiccontent_source", &["id", "touristiccontent_id", "recordsource_id"]),
    ("tourism_touristiccontent_themes", &["id", "touristiccontent_id", "theme_id"]),
    (
        "tourism_touristiccontent_type1",
        &["id", "touristiccontent_id", "touristiccontenttype1_id", "touristiccontenttype_id"],
    ),
    (
        "tourism_touristiccontent_type2",
        &["id", "touristiccontent_id", "touristiccontenttype2_id", "touristiccontenttype_id"],
    ),
    ("tourism_touristiccontentcategory", &["id", "label", "type1_label", "type2_label"]),
    ("tourism_touristiccontenttype", &["id", "label", "in_list", "category_id"]),
    ("tourism_touristicevent", EVENT),
    ("tourism_touristicevent_organizers", &["id", "touristicevent_id", "touristiceventorganizer_id"]),
    ("tourism_touristicevent_portal", &["id", "touristicevent_id", "targetportal_id"]),
    ("tourism_touristicevent_source", &["id", "touristicevent_id", "recordsource_id"]),
    ("tourism_touristicevent_themes", &["id", "touristicevent_id", "theme_id"]),
    ("tourism_touristiceventorganizer", &["id", "label"]),
    ("tourism_touristiceventplace", &["id", "name", "geom"]),
    ("tourism_touristiceventtype", &["id", "type"]),
    ("trekking_accessibility", &["id", "name"]),
    ("trekking_accessibilitylevel", &["id", "name"]),
    ("trekking_difficultylevel", &["id", "difficulty"]),
    ("trekking_orderedtrekchild", &["parent_id", "child_id", "order"]),
    (
        "trekking_poi",
        &[
            "topo_object_id",
            "published",
            "name",
            "description",
            "eid",
            "structure_id",
            "type_id",
            "provider_id",
            "provider",
        ],
    ),
    ("trekking_poitype", &["id", "label"]),
    ("trekking_practice", &["id", "name"]),
    ("trekking_rating", &["id", "name"]),
    ("trekking_route", &["id", "route"]),
    ("trekking_service", &["topo_object_id", "type_id", "eid", "structure_id", "provider_id", "provider"]),
    ("trekking_servicetype", &["id", "name"]),
    ("trekking_trek", TREK),
    ("trekking_trek_accessibilities", &["id", "trek_id", "accessibility_id"]),
    ("trekking_trek_information_desks", &["id", "trek_id", "informationdesk_id"]),
    ("trekking_trek_labels", &["id", "trek_id", "label_id"]),
    ("trekking_trek_networks", &["id", "trek_id", "treknetwork_id"]),
    ("trekking_trek_pois_excluded", &["trek_id", "poi_id"]),
    ("trekking_trek_portal", &["id", "trek_id", "targetportal_id"]),
    ("trekking_trek_ratings", &["id", "trek_id", "rating_id"]),
    ("trekking_trek_source", &["id", "trek_id", "recordsource_id"]),
    ("trekking_trek_themes", &["id", "trek_id", "theme_id"]),
    ("trekking_trek_web_links", &["id", "trek_id", "weblink_id"]),
    ("trekking_treknetwork", &["id", "network"]),
    ("trekking_weblink", &["id", "name", "url", "category_id"]),
    ("trekking_weblinkcategory", &["id", "label"]),
    ("zoning_city", &["id", "code", "name", "geom"]),
];

/// Texts of a trek that have the same name in the database and in the API.
pub(super) const TREK_TEXTS: &[&str] = &[
    "name",
    "departure",
    "arrival",
    "description_teaser",
    "description",
    "ambiance",
    "access",
    "advised_parking",
    "public_transport",
    "advice",
    "gear",
    "ratings_description",
    "accessibility_advice",
    "accessibility_covering",
    "accessibility_exposure",
    "accessibility_signage",
    "accessibility_slope",
    "accessibility_width",
];

/// The other columns of treks.
const TREK: &[&str] = &[
    "topo_object_id",
    "published",
    "accessibility_infrastructure",
    "accessibility_level_id",
    "duration",
    "parking_location",
    "points_reference",
    "eid",
    "eid2",
    "difficulty_id",
    "practice_id",
    "route_id",
    "structure_id",
    "reservation_id",
    "reservation_system_id",
    "provider_id",
    "provider",
];

/// The columns of signage and infrastructure. Older versions have one state, `condition_id`.
const EQUIPMENT: &[&str] = &[
    "topo_object_id",
    "name",
    "description",
    "code",
    "implantation_year",
    "eid",
    "structure_id",
    "type_id",
    "condition_id",
];

/// The columns of tourist contents.
const CONTENT: &[&str] = &[
    "id",
    "uuid",
    "deleted",
    "published",
    "date_update",
    "name",
    "description_teaser",
    "description",
    "practical_info",
    "accessibility",
    "contact",
    "email",
    "website",
    "geom",
    "eid",
    "approved",
    "category_id",
    "reservation_system_id",
    "reservation_id",
    "structure_id",
    "label_accessibility_id",
    "provider_id",
    "provider",
];

/// The columns of tourist events. Older versions have one organizer, `organizer_id`, the hour in `meeting_time`, and the number of people in
/// `participant_number`.
const EVENT: &[&str] = &[
    "id",
    "uuid",
    "deleted",
    "published",
    "date_update",
    "name",
    "description_teaser",
    "description",
    "practical_info",
    "accessibility",
    "contact",
    "email",
    "website",
    "geom",
    "begin_date",
    "end_date",
    "start_time",
    "meeting_time",
    "end_time",
    "duration",
    "meeting_point",
    "place_id",
    "speaker",
    "organizer_id",
    "booking",
    "bookable",
    "target_audience",
    "capacity",
    "participant_number",
    "price",
    "cancelled",
    "cancellation_reason_id",
    "eid",
    "approved",
    "type_id",
    "structure_id",
    "provider_id",
    "provider",
];

/// The columns that hold a geometry.
const GEOMETRIES: [&str; 4] = ["geom", "geom_3d", "parking_location", "points_reference"];

/// A value of a row.
#[derive(Debug)]
enum Cell {
    Null,
    Text(Box<str>),
    /// A geometry as PostGIS stores it.
    Geometry(Box<[u8]>),
}

/// A table.
#[derive(Debug, Default)]
pub(super) struct Table {
    columns: Vec<String>,
    rows: Vec<Box<[Cell]>>,
}

/// What is kept of a table that is being read: its name, and for each of its columns whether it is kept.
pub(super) struct Wanted {
    table: &'static str,
    keeps: Vec<bool>,
    /// The index of `kind` among the kept columns, in the table of topologies: geometries are kept only for the kinds that the import reads.
    kind: Option<usize>,
}

impl Wanted {
    /// Whether each column is kept, in their order.
    pub fn keeps(&self) -> &[bool] {
        &self.keeps
    }
}

/// The tables, by name.
#[derive(Debug, Default)]
pub(super) struct Tables(HashMap<&'static str, Table>);

impl Tables {
    /// Begins a table with these columns; `None` where the import does not use the table.
    pub fn begin(&mut self, name: &str, columns: Vec<String>) -> Option<Wanted> {
        let (table, wanted) = TABLES.iter().find(|(table, _)| *table == name)?;
        let texts = if *table == "trekking_trek" { TREK_TEXTS } else { &[] };
        let is_kept = |column: &String| {
            let name = without_language(column, &columns);
            wanted.contains(&name) || texts.contains(&name)
        };
        let keeps: Vec<bool> = columns.iter().map(is_kept).collect();
        let kept: Vec<String> =
            columns.into_iter().zip(&keeps).filter(|(_, kept)| **kept).map(|(column, _)| column).collect();
        let kind = kept.iter().position(|column| column == "kind");
        self.0.insert(table, Table { columns: kept, rows: Vec::new() });
        Some(Wanted { table, keeps, kind })
    }

    /// Adds a row: the values of the columns that are kept.
    pub fn add(&mut self, wanted: &Wanted, values: Vec<Option<String>>) {
        let Some(table) = self.0.get_mut(wanted.table) else { return };
        let kind = wanted.kind.and_then(|at| values.get(at)?.as_deref());
        let has_shape =
            kind.is_none_or(|kind| matches!(kind, "TREK" | "POI" | "SERVICE" | "SIGNAGE" | "INFRASTRUCTURE"));
        let mut cells = Vec::with_capacity(table.columns.len());
        for value in values {
            let is_geometry = table.columns.get(cells.len()).is_some_and(|name| GEOMETRIES.contains(&name.as_str()));
            cells.push(match value {
                Some(value) if is_geometry && has_shape => bytes_of(&value).map_or(Cell::Null, Cell::Geometry),
                Some(value) if !is_geometry => Cell::Text(value.into()),
                _ => Cell::Null,
            });
        }
        table.rows.push(cells.into());
    }

    /// The rows of a table; none where the dump does not have it.
    pub fn rows(&self, table: &str) -> impl Iterator<Item = Row<'_>> {
        let table = self.0.get(table);
        table.into_iter().flat_map(|table| table.rows.iter().map(move |cells| Row { table, cells }))
    }

    /// Whether the dump has a table.
    pub fn has(&self, table: &str) -> bool {
        self.0.contains_key(table)
    }

    /// The rows of a table by the value of a column that is different in each row.
    pub fn by<'a>(&'a self, table: &str, column: &str) -> HashMap<&'a str, Row<'a>> {
        self.rows(table).filter_map(|row| Some((row.get(column)?, row))).collect()
    }

    /// The rows of a table grouped by the value of the column `owner`; each group is sorted by `id`.
    pub fn grouped<'a>(&'a self, table: &str, owner: &str) -> HashMap<&'a str, Vec<Row<'a>>> {
        let mut groups: HashMap<&str, Vec<Row<'_>>> = HashMap::new();
        for row in self.rows(table) {
            if let Some(owner) = row.get(owner) {
                groups.entry(owner).or_default().push(row);
            }
        }
        for rows in groups.values_mut() {
            rows.sort_by_key(|row| row.number("id"));
        }
        groups
    }
}

/// A row of a table.
#[derive(Debug, Clone, Copy)]
pub(super) struct Row<'a> {
    table: &'a Table,
    cells: &'a [Cell],
}

impl<'a> Row<'a> {
    fn cell(&self, column: &str) -> Option<&'a Cell> {
        self.cells.get(self.table.columns.iter().position(|name| name == column)?)
    }

    /// A value; none where it is NULL, or this version of Geotrek has no such column.
    pub fn get(&self, column: &str) -> Option<&'a str> {
        match self.cell(column)? {
            Cell::Text(text) => Some(text),
            _ => None,
        }
    }

    /// A whole number.
    pub fn number(&self, column: &str) -> Option<i64> {
        self.get(column)?.parse().ok()
    }

    /// A number.
    pub fn float(&self, column: &str) -> Option<f64> {
        self.get(column)?.parse().ok().filter(|number: &f64| number.is_finite())
    }

    /// Whether a column is true.
    pub fn is(&self, column: &str) -> bool {
        self.get(column) == Some("t")
    }

    /// A geometry, in the coordinates of the database, and the number of their system.
    pub fn shape(&self, column: &str) -> Option<(Shape, u32)> {
        match self.cell(column)? {
            Cell::Geometry(bytes) => Shape::read(bytes),
            _ => None,
        }
    }

    /// A text in the languages that the database has it in, as the API gives it: `{"fr": …, "en": …}`; a plain one where it has no translations.
    pub fn text(&self, column: &str) -> Value {
        let mut languages = Map::new();
        for name in &self.table.columns {
            if let Some(language) = language_of(name, column) {
                languages.insert(language.to_owned(), self.get(name).map_or(Value::Null, Value::from));
            }
        }
        if languages.values().any(|words| words.as_str().is_some_and(|words| !words.is_empty())) {
            return languages.into();
        }
        self.get(column).map_or(Value::Null, Value::from)
    }

    /// In which languages it is true: `{"fr": true, "en": false}`.
    pub fn flags(&self, column: &str) -> Value {
        let languages = self.table.columns.iter().filter_map(|name| Some((language_of(name, column)?, self.is(name))));
        let languages: Map<String, Value> = languages.map(|(language, is)| (language.to_owned(), is.into())).collect();
        if languages.is_empty() { self.is(column).into() } else { languages.into() }
    }
}

/// `fr`, of `name_fr` as a translation of `name`.
fn language_of<'a>(name: &'a str, column: &str) -> Option<&'a str> {
    let language = name.strip_prefix(column)?.strip_prefix('_')?;
    let of_letters = |part: &str| part.len() == 2 && part.bytes().all(|byte| byte.is_ascii_lowercase());
    // `_id` is the number of a row of another table. `zh_hans` and the like have no place here.
    (of_letters(language) && language != "id").then_some(language)
}

/// `name`, of `name_fr` in a table that has `name` too.
fn without_language<'a>(column: &'a str, columns: &[String]) -> &'a str {
    let base = column.rsplit_once('_').map(|(base, _)| base);
    base.filter(|base| language_of(column, base).is_some() && columns.iter().any(|name| name == base)).unwrap_or(column)
}

/// The bytes of a value in hexadecimal.
fn bytes_of(hex: &str) -> Option<Box<[u8]>> {
    let digit = |byte: u8| (byte as char).to_digit(16);
    let pair = |pair: &[u8]| Some((digit(*pair.first()?)? * 16 + digit(*pair.get(1)?)?) as u8);
    hex.as_bytes().chunks(2).map(pair).collect()
}
