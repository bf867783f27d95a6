//! The lists of Geotrek's API v2, made from the tables of its database. Items have the fields of the API that are read here.

mod tourism;

use std::collections::{HashMap, HashSet};
use std::ops::Range;

use serde_json::{Map, Value, json};
use trace::Position;

use super::super::shape::{Point, Shape};
use super::DumpError;
use super::places::{Places, length};
use super::tables::{Row, TREK_TEXTS, Tables};
use crate::incoming::lenient::is_published;
use crate::incoming::projections::Projections;

/// Lists of names: the list, its table, the column, and the name of the field in the API.
const WORDS: [(&str, &str, &str, &str); 24] = [
    ("trek_practice", "trekking_practice", "name", "name"),
    ("trek_difficulty", "trekking_difficultylevel", "difficulty", "label"),
    ("theme", "common_theme", "label", "label"),
    ("label", "common_label", "name", "name"),
    ("trek_network", "trekking_treknetwork", "network", "label"),
    ("trek_route", "trekking_route", "route", "route"),
    ("trek_rating", "trekking_rating", "name", "name"),
    ("trek_accessibility", "trekking_accessibility", "name", "name"),
    ("trek_accessibility_level", "trekking_accessibilitylevel", "name", "name"),
    ("source", "common_recordsource", "name", "name"),
    ("portal", "common_targetportal", "name", "name"),
    ("city", "zoning_city", "name", "name"),
    ("reservationsystem", "common_reservationsystem", "name", "name"),
    ("poi_type", "trekking_poitype", "label", "label"),
    ("signage_type", "signage_signagetype", "label", "label"),
    ("signage_condition", "signage_signagecondition", "label", "label"),
    ("infrastructure_type", "infrastructure_infrastructuretype", "label", "label"),
    ("infrastructure_condition", "infrastructure_infrastructurecondition", "label", "label"),
    ("service_type", "trekking_servicetype", "name", "name"),
    ("touristiccontent_category", "tourism_touristiccontentcategory", "label", "label"),
    ("touristicevent_type", "tourism_touristiceventtype", "type", "type"),
    ("structure", "authent_structure", "name", "name"),
    ("outdoor_site", "outdoor_site", "name", "name"),
    ("outdoor_course", "outdoor_course", "name", "name"),
];

/// Lists of records: the list, and its table.
const ITEMS: [(&str, &str); 10] = [
    ("trek", "trekking_trek"),
    ("poi", "trekking_poi"),
    ("informationdesk", "tourism_informationdesk"),
    ("touristiccontent", "tourism_touristiccontent"),
    ("touristicevent", "tourism_touristicevent"),
    ("service", "trekking_service"),
    ("signage", "signage_signage"),
    ("infrastructure", "infrastructure_infrastructure"),
    ("sensitivearea", "sensitivity_sensitivearea"),
    ("flatpage", "flatpages_flatpage"),
];

/// Lists of a trek: the field, the table that binds them, and its column.
const TREK_LISTS: [(&str, &str, &str); 8] = [
    ("accessibilities", "trekking_trek_accessibilities", "accessibility_id"),
    ("information_desks", "trekking_trek_information_desks", "informationdesk_id"),
    ("labels", "trekking_trek_labels", "label_id"),
    ("networks", "trekking_trek_networks", "treknetwork_id"),
    ("portal", "trekking_trek_portal", "targetportal_id"),
    ("ratings", "trekking_trek_ratings", "rating_id"),
    ("source", "trekking_trek_source", "recordsource_id"),
    ("themes", "trekking_trek_themes", "theme_id"),
];

/// The lists of a database.
pub(super) struct Lists<'a> {
    address: &'a str,
    /// The rows of each list, by its name, deleted ones left out.
    rows: HashMap<&'static str, Vec<Row<'a>>>,
    topologies: HashMap<&'a str, Row<'a>>,
    bound: HashMap<&'static str, HashMap<&'a str, Vec<Row<'a>>>>,
    /// Rows by their number, of the tables that others refer to.
    numbered: HashMap<&'static str, HashMap<&'a str, Row<'a>>>,
    /// Files of a record: by the model of the record and its number.
    files: HashMap<(&'a str, &'a str), Vec<Row<'a>>>,
    views: HashMap<(&'a str, &'a str), usize>,
    places: Places<'a>,
    projections: Projections,
}

impl<'a> Lists<'a> {
    /// The names of the lists that are written.
    pub fn names() -> impl Iterator<Item = &'static str> {
        ITEMS.iter().map(|(list, _)| *list).chain(WORDS.iter().map(|(list, ..)| *list))
    }

    pub fn of(tables: &'a Tables, address: &'a str) -> Self {
        let topologies = tables.by("core_topology", "id");
        let is_there = |row: &Row<'_>| {
            let topology = row.get("topo_object_id").map(|id| topologies.get(id));
            !row.is("deleted") && topology.is_none_or(|found| found.is_some_and(|topology| !topology.is("deleted")))
        };
        let of_table = |table: &str| {
            let mut rows: Vec<Row<'a>> = tables.rows(table).filter(|row| is_there(row)).collect();
            rows.sort_by_key(|row| row.number("id").or_else(|| row.number("topo_object_id")));
            rows
        };
        // Until 2.101.4, the states of signage were those of infrastructure.
        let table_of = |table: &'static str| match table {
            "signage_signagecondition" if !tables.has(table) => "infrastructure_infrastructurecondition",
            _ => table,
        };
        let tables_of = ITEMS.iter().copied().chain(WORDS.iter().map(|(list, table, ..)| (*list, table_of(table))));
        let rows: HashMap<&'static str, Vec<Row<'a>>> =
            tables_of.map(|(list, table)| (list, of_table(table))).collect();
        let bound = TREK_LISTS.iter().map(|(_, table, _)| (*table, tables.grouped(table, "trek_id")));
        let mut bound: HashMap<_, _> = bound.collect();
        bound.insert("trekking_trek_web_links", tables.grouped("trekking_trek_web_links", "trek_id"));
        for (table, owner) in [
            ("signage_signage_conditions", "signage_id"),
            ("infrastructure_infrastructure_conditions", "infrastructure_id"),
            ("signage_blade", "signage_id"),
            ("signage_line", "blade_id"),
        ]
        .into_iter()
        .chain(tourism::BOUND)
        {
            bound.insert(table, tables.grouped(table, owner));
        }
        for lines in bound.get_mut("signage_line").into_iter().flat_map(HashMap::values_mut) {
            lines.sort_by_key(|row| row.number("number"));
        }
        let mut children = tables.grouped("trekking_orderedtrekchild", "parent_id");
        for rows in children.values_mut() {
            rows.sort_by_key(|row| row.number("order"));
        }
        bound.insert("trekking_orderedtrekchild", children);
        let numbered = [
            "common_license",
            "common_provider",
            "trekking_poitype",
            "tourism_informationdesktype",
            "trekking_weblink",
            "trekking_weblinkcategory",
            "sensitivity_species",
            "tourism_cancellationreason",
            "tourism_touristiceventorganizer",
            "tourism_touristiceventplace",
            "zoning_city",
        ];
        let numbered = numbered.into_iter().map(|table| (table, tables.by(table, "id"))).collect();
        let models: HashMap<&str, &str> =
            tables.rows("django_content_type").filter_map(|row| Some((row.get("id")?, row.get("model")?))).collect();
        let owner = |row: &Row<'a>| Some((*models.get(row.get("content_type_id")?)?, row.get("object_id")?));
        let mut files: HashMap<(&str, &str), Vec<Row<'_>>> = HashMap::new();
        for row in tables.rows("common_attachment") {
            if let Some(owner) = owner(&row) {
                files.entry(owner).or_default().push(row);
            }
        }
        for rows in files.values_mut() {
            rows.sort_by_key(|row| (!row.is("starred"), row.number("id")));
        }
        let mut views: HashMap<(&str, &str), usize> = HashMap::new();
        for owner in tables.rows("common_hdviewpoint").filter_map(|row| owner(&row)) {
            *views.entry(owner).or_default() += 1;
        }
        // A service has no publication of its own: its type has.
        let shown: HashSet<&str> = rows["poi"]
            .iter()
            .filter(|row| is_published(Some(&row.flags("published"))))
            .chain(&rows["service"])
            .filter_map(|row| row.get("topo_object_id"))
            .collect();
        let places = Places::of(tables, &shown);
        let projections = Projections::new();
        Self { address, rows, topologies, bound, numbered, files, views, places, projections }
    }

    /// Keeps the treks, tourist contents and events of some portals and of some structures (of any where none is given), the POIs and services along
    /// these treks, their information desks, the services and the equipment of these structures; no equipment of portals alone, because it is of no portal.
    pub fn narrow(&mut self, portals: &[&str], structures: &[&str]) {
        if portals.is_empty() && structures.is_empty() {
            return;
        }
        let of_structure =
            |row: &Row<'a>| row.get("structure_id").is_some_and(|structure| structures.contains(&structure));
        let bound = |table: &str, trek: &str| self.bound.get(table).and_then(|of| of.get(trek)).into_iter().flatten();
        let is_of_part = |row: &Row<'a>, id: &str, table: &str| {
            let of_portal = |portal: &Row<'a>| portal.get("targetportal_id").is_some_and(|id| portals.contains(&id));
            (structures.is_empty() || of_structure(row)) && (portals.is_empty() || bound(table, id).any(of_portal))
        };
        let mut narrowed = Vec::new();
        for (list, table, id) in [
            ("trek", "trekking_trek_portal", "topo_object_id"),
            ("touristiccontent", "tourism_touristiccontent_portal", "id"),
            ("touristicevent", "tourism_touristicevent_portal", "id"),
        ] {
            let mut rows = self.rows.get(list).cloned().unwrap_or_default();
            rows.retain(|row| is_of_part(row, row.get(id).unwrap_or_default(), table));
            narrowed.push((list, rows));
        }
        let treks = narrowed.first().map(|(_, treks)| treks.as_slice()).unwrap_or_default();
        let kept = treks.iter().filter_map(|row| row.get("topo_object_id"));
        let desks: HashSet<&str> = kept
            .flat_map(|trek| bound("trekking_trek_information_desks", trek))
            .filter_map(|row| row.get("informationdesk_id"))
            .collect();
        self.rows.extend(narrowed);
        let along: HashSet<&str> = self.places_along().flat_map(|(_, places)| places).collect();
        let keep = |list: &str, is_kept: &dyn Fn(&Row<'a>) -> bool, rows: &mut HashMap<&str, Vec<Row<'a>>>| {
            if let Some(rows) = rows.get_mut(list) {
                rows.retain(is_kept);
            }
        };
        let named =
            |row: &Row<'a>, column: &str, among: &HashSet<&str>| row.get(column).is_some_and(|id| among.contains(id));
        keep("poi", &|row| named(row, "topo_object_id", &along), &mut self.rows);
        let is_service = |row: &Row<'a>| named(row, "topo_object_id", &along) || of_structure(row);
        keep("service", &is_service, &mut self.rows);
        keep("informationdesk", &|row| named(row, "id", &desks), &mut self.rows);
        for list in ["signage", "infrastructure"] {
            keep(list, &of_structure, &mut self.rows);
        }
    }

    /// How many items a list has.
    pub fn count(&self, list: &str) -> usize {
        self.rows.get(list).map_or(0, Vec::len)
    }

    /// How many items of a list are read at once.
    pub fn per_page(&self, list: &str) -> usize {
        match list {
            // Their lines come with them, or their pictures are fetched with them.
            "trek" | "poi" | "signage" | "infrastructure" => 50,
            "informationdesk" => 100,
            // Names are asked for at once.
            list if WORDS.iter().any(|(words, ..)| *words == list) => usize::MAX,
            _ => 500,
        }
    }

    /// Some items of a list.
    pub fn items(&mut self, list: &str, at: Range<usize>) -> Result<Vec<Value>, DumpError> {
        let rows: Vec<Row<'a>> = self.rows.get(list).and_then(|rows| rows.get(at)).unwrap_or_default().to_vec();
        rows.into_iter().map(|row| self.item(list, row)).collect()
    }

    fn item(&mut self, list: &str, row: Row<'a>) -> Result<Value, DumpError> {
        match list {
            "trek" => return self.trek(row),
            "poi" => return self.poi(row),
            "informationdesk" => return self.desk(row),
            "touristiccontent" => return self.content(row),
            "touristicevent" => return self.event(row),
            "touristiccontent_category" => return Ok(self.category(row)),
            "service" => return self.service(row),
            "signage" => return self.equipment(row, "signage", "signage_signage_conditions", "signagecondition_id"),
            "infrastructure" => {
                let (table, column) = ("infrastructure_infrastructure_conditions", "infrastructurecondition_id");
                return self.equipment(row, "infrastructure", table, column);
            }
            _ => {}
        }
        if let Some((_, _, column, field)) = WORDS.iter().find(|(words, ..)| *words == list) {
            let id = number(row.get("id").or_else(|| row.get("code")));
            return Ok(json!({"id": id, *field: row.text(column)}));
        }
        let topology = self.topology(row);
        let name = match list {
            "sensitivearea" => {
                self.referred(row, "species_id", "sensitivity_species").map(|species| species.text("name"))
            }
            "flatpage" => Some(row.text("title")),
            _ => Some(row.text("name")),
        };
        let uuid = row.get("uuid").or_else(|| topology?.get("uuid"));
        Ok(json!({"id": number(row.get("topo_object_id").or_else(|| row.get("id"))), "uuid": uuid, "name": name}))
    }

    /// The row of a table that a column refers to.
    fn referred(&self, row: Row<'a>, column: &str, table: &str) -> Option<Row<'a>> {
        self.numbered.get(table)?.get(row.get(column)?).copied()
    }

    fn topology(&self, row: Row<'a>) -> Option<Row<'a>> {
        self.topologies.get(row.get("topo_object_id")?).copied()
    }

    /// Longitude, latitude and height of points, as in GeoJSON.
    fn degrees(&mut self, srid: u32, points: &[Point]) -> Result<Vec<Value>, DumpError> {
        let position = |point: &Point| {
            let [lon, lat] = self.projections.degrees(srid, point.at)?;
            Ok(point.height.map_or_else(|| json!([lon, lat]), |height| json!([lon, lat, height])))
        };
        points.iter().map(position).collect()
    }

    /// The first point of a column.
    fn point(&mut self, row: Row<'a>, column: &str) -> Result<Option<[f64; 2]>, DumpError> {
        let Some((shape, srid)) = row.shape(column) else { return Ok(None) };
        let point = shape.points().next().map(|point| self.projections.degrees(srid, point.at));
        Ok(point.transpose()?)
    }

    fn trek(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let topology = self.topology(row);
        let id = row.get("topo_object_id").unwrap_or_default();
        let mut trek: Map<String, Value> =
            TREK_TEXTS.iter().map(|field| ((*field).to_owned(), row.text(field))).collect();
        for (field, table, column) in TREK_LISTS {
            trek.insert(field.to_owned(), self.numbers(table, id, column).into());
        }
        trek.insert("children".to_owned(), self.numbers("trekking_orderedtrekchild", id, "child_id").into());
        trek.insert("web_links".to_owned(), self.links(id).into());
        trek.insert("attachments".to_owned(), self.attachments("trek", id).into());
        let views = self.views.get(&("trek", id)).copied().unwrap_or(0);
        trek.insert("view_points".to_owned(), (0..views).map(|_| json!({})).collect());
        for (field, column) in [
            ("difficulty", "difficulty_id"),
            ("practice", "practice_id"),
            ("route", "route_id"),
            ("structure", "structure_id"),
            ("accessibility_level", "accessibility_level_id"),
            ("reservation_system", "reservation_system_id"),
        ] {
            trek.insert(field.to_owned(), number(row.get(column)));
        }
        trek.insert("parking_location".to_owned(), json!(self.point(row, "parking_location")?));
        if let Some((Shape::Points(points), srid)) = row.shape("points_reference") {
            let points = self.degrees(srid, &points)?;
            trek.insert("points_reference".to_owned(), json!({"type": "MultiPoint", "coordinates": points}));
        }
        if let Some((shape, srid)) = topology.and_then(shape_of) {
            self.line(&mut trek, &shape, srid)?;
        }
        trek.extend(object(json!({
            "id": number(Some(id)),
            "uuid": topology.and_then(|topology| topology.get("uuid")),
            "published": row.flags("published"),
            "duration": row.float("duration"),
            "disabled_infrastructure": row.text("accessibility_infrastructure"),
            "external_id": row.get("eid"),
            "second_external_id": row.get("eid2"),
            "reservation_id": row.get("reservation_id"),
            "provider": self.provider(row),
        })));
        Ok(trek.into())
    }

    /// The line of a trek, its length and the communes on its way.
    fn line(&mut self, trek: &mut Map<String, Value>, shape: &Shape, srid: u32) -> Result<(), DumpError> {
        let Shape::Lines(lines) = shape else { return Ok(()) };
        let mut degrees = Vec::new();
        for line in lines {
            degrees.push(self.degrees(srid, line)?);
        }
        let mut metres = 0.0;
        for line in lines {
            metres += self.length(srid, line)?;
        }
        let geometry = match &degrees[..] {
            [only] => json!({"type": "LineString", "coordinates": only}),
            _ => json!({"type": "MultiLineString", "coordinates": degrees}),
        };
        trek.insert("geometry".to_owned(), geometry);
        trek.insert("length_2d".to_owned(), json!((metres * 10.0).round() / 10.0));
        let cities = lines.iter().flat_map(|line| self.places.cities(line, srid));
        let mut seen = HashSet::new();
        let cities: Vec<Value> = cities.filter(|city| seen.insert(*city)).map(|city| number(Some(city))).collect();
        trek.insert("cities".to_owned(), cities.into());
        Ok(())
    }

    /// The length of a line in metres on the ground. Those of Web Mercator are shorter the farther north they are, and degrees are none.
    fn length(&mut self, srid: u32, line: &[Point]) -> Result<f64, DumpError> {
        if !matches!(srid, 3857 | 4326) {
            return Ok(length(line));
        }
        let position = |point: &Point| {
            let [lon, lat] = self.projections.degrees(srid, point.at)?;
            Ok::<_, DumpError>(Position::new(lon, lat))
        };
        let positions = line.iter().map(position).collect::<Result<Vec<_>, _>>()?;
        Ok(trace::cumulative_m(&positions).last().copied().unwrap_or_default())
    }

    fn poi(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let topology = self.topology(row);
        let id = row.get("topo_object_id").unwrap_or_default();
        let at = self.first_point(topology)?;
        let kind = self.referred(row, "type_id", "trekking_poitype");
        Ok(json!({
            "id": number(Some(id)),
            "uuid": topology.and_then(|topology| topology.get("uuid")),
            "name": row.text("name"),
            "description": row.text("description"),
            "published": row.flags("published"),
            "geometry": at.map(|at| json!({"type": "Point", "coordinates": at})),
            "type": number(row.get("type_id")),
            "type_label": kind.map(|kind| kind.text("label")),
            "external_id": row.get("eid"),
            "structure": number(row.get("structure_id")),
            "provider": self.provider(row),
            "attachments": self.attachments("poi", id),
        }))
    }

    /// Where a topology is, or begins.
    fn first_point(&mut self, topology: Option<Row<'a>>) -> Result<Option<Value>, DumpError> {
        let shape = topology.and_then(|topology| topology.shape("geom_3d").or_else(|| topology.shape("geom")));
        let Some((shape, srid)) = shape else { return Ok(None) };
        Ok(self.degrees(srid, &shape.points().take(1).collect::<Vec<_>>())?.pop())
    }

    /// Signage or infrastructure: its row, its model, the table of its states and the column of that table that has the state.
    fn equipment(&mut self, row: Row<'a>, model: &str, states: &str, column: &str) -> Result<Value, DumpError> {
        let topology = self.topology(row);
        let id = row.get("topo_object_id").unwrap_or_default();
        let at = self.first_point(topology)?;
        let mut conditions = self.numbers(states, id, column);
        conditions.extend(row.get("condition_id").map(|id| number(Some(id))));
        Ok(json!({
            "id": number(Some(id)),
            "uuid": topology.and_then(|topology| topology.get("uuid")),
            "name": row.text("name"),
            "description": row.text("description"),
            "code": row.get("code"),
            "implantation_year": row.number("implantation_year"),
            "conditions": conditions,
            "type": number(row.get("type_id")),
            "geometry": at.map(|at| json!({"type": "Point", "coordinates": at})),
            "eid": row.get("eid"),
            "structure": number(row.get("structure_id")),
            "blades": if model == "signage" { self.blades(id) } else { Vec::new() },
            "attachments": self.attachments(model, id),
        }))
    }

    /// The blades of a signpost, with what is written on them.
    fn blades(&self, signpost: &str) -> Vec<Value> {
        let of = |table: &str, owner: &str| self.bound.get(table).and_then(|rows| rows.get(owner));
        let line = |line: &Row<'a>| json!({"text": line.get("text"), "distance": line.float("distance"), "time": line.get("time")});
        // Until 2.126.0, a blade that was removed stayed as a row.
        let blades = of("signage_blade", signpost).into_iter().flatten().filter(|blade| !blade.is("deleted"));
        blades
            .map(|blade| {
                let lines = of("signage_line", blade.get("id").unwrap_or_default()).into_iter().flatten();
                json!({"number": blade.get("number"), "lines": lines.map(line).collect::<Vec<_>>()})
            })
            .collect()
    }

    fn desk(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let at = self.point(row, "geom")?;
        let kind = self.referred(row, "type_id", "tourism_informationdesktype");
        Ok(json!({
            "id": number(row.get("id")),
            "uuid": row.get("uuid"),
            "name": row.text("name"),
            "type": kind.map(|kind| json!({"id": number(kind.get("id")), "label": kind.text("label")})),
            "phone": row.get("phone"),
            "email": row.get("email"),
            "website": row.get("website"),
            "street": row.get("street"),
            "postal_code": row.get("postal_code"),
            "municipality": row.get("municipality"),
            "longitude": at.map(|at| at[0]),
            "latitude": at.map(|at| at[1]),
        }))
    }

    fn provider(&self, row: Row<'a>) -> Option<&'a str> {
        let named = self.referred(row, "provider_id", "common_provider").and_then(|provider| provider.get("name"));
        named.or_else(|| row.get("provider")).filter(|name| !name.is_empty())
    }

    /// What a table binds to a trek.
    fn numbers(&self, table: &str, trek: &str, column: &str) -> Vec<Value> {
        let rows = self.bound.get(table).and_then(|of| of.get(trek));
        rows.into_iter().flatten().filter_map(|row| row.get(column)).map(|id| number(Some(id))).collect()
    }

    fn links(&self, trek: &str) -> Vec<Value> {
        let rows = self.bound.get("trekking_trek_web_links").and_then(|of| of.get(trek));
        let links = rows.into_iter().flatten().filter_map(|row| self.referred(*row, "weblink_id", "trekking_weblink"));
        links
            .map(|link| {
                let category = self.referred(link, "category_id", "trekking_weblinkcategory");
                let category = category.map(|category| json!({"label": category.text("label")}));
                json!({"name": link.text("name"), "url": link.get("url"), "category": category})
            })
            .collect()
    }

    /// The files of a record: the one that is starred first, then the oldest.
    fn attachments(&self, model: &str, id: &str) -> Vec<Value> {
        let rows = self.files.get(&(model, id)).map_or(&[][..], Vec::as_slice);
        rows.iter().filter_map(|row| self.attachment(*row)).collect()
    }

    fn attachment(&self, row: Row<'a>) -> Option<Value> {
        let said = |column: &str| row.get(column).filter(|words| !words.is_empty());
        let is_image = row.is("is_image");
        let file = said("attachment_file").map(|path| format!("{}/media/{path}", self.address));
        let (url, kind) = match (file, said("attachment_video"), said("attachment_link")) {
            (Some(url), _, _) if is_image => (url, "image"),
            (_, Some(film), _) => (film.to_owned(), "video"),
            (Some(url), ..) => (url, "file"),
            (None, None, Some(link)) => (link.to_owned(), if is_image { "image" } else { "file" }),
            (None, None, None) => return None,
        };
        let licence = self.referred(row, "license_id", "common_license").and_then(|licence| licence.get("label"));
        Some(json!({
            "type": kind,
            "url": url,
            "author": row.get("author"),
            "license": licence,
            "legend": row.get("legend"),
            "title": row.get("title"),
        }))
    }

    /// The POIs along each trek: its number, and their numbers.
    pub fn along(&self) -> impl Iterator<Item = (&'a str, Vec<Value>)> + '_ {
        let named = |poi: &'a str| {
            let uuid = self.topologies.get(poi).and_then(|topology| topology.get("uuid"));
            json!({"id": number(Some(poi)), "uuid": uuid})
        };
        let pois: HashSet<&str> = self.rows["poi"].iter().filter_map(|row| row.get("topo_object_id")).collect();
        self.places_along().map(move |(trek, places)| {
            (trek, places.into_iter().filter(|place| pois.contains(place)).map(named).collect())
        })
    }

    /// The POIs and the services along each trek.
    fn places_along(&self) -> impl Iterator<Item = (&'a str, Vec<&'a str>)> + '_ {
        self.rows["trek"].iter().filter_map(move |row| {
            let id = row.get("topo_object_id")?;
            let (shape, srid) = shape_of(self.topology(*row)?)?;
            let line: Vec<Point> = shape.points().collect();
            Some((id, self.places.along(id, &line, srid)))
        })
    }
}

/// The line of a topology: the one with heights where it has one, as in the API.
fn shape_of(topology: Row<'_>) -> Option<(Shape, u32)> {
    let whole =
        |(shape, _): &(Shape, u32)| matches!(shape, Shape::Lines(lines) if lines.iter().all(|line| line.len() > 1));
    topology.shape("geom_3d").filter(whole).or_else(|| topology.shape("geom"))
}

/// A number as the API gives it. What is not a number, such as the code of a commune (`01004`), stays a text.
fn number(written: Option<&str>) -> Value {
    let Some(written) = written else { return Value::Null };
    let is_plain = written == "0" || !written.starts_with('0');
    written.parse::<i64>().ok().filter(|_| is_plain).map_or_else(|| written.into(), Value::from)
}

fn object(value: Value) -> Map<String, Value> {
    match value {
        Value::Object(members) => members,
        _ => Map::new(),
    }
}
