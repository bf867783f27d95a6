//! Tourist contents, tourist events and services, with the fields of Geotrek's API that are read here.

use serde_json::{Map, Value, json};

use super::super::super::shape::{Point, Shape};
use super::super::DumpError;
use super::super::tables::Row;
use super::{Lists, number};

/// Tables that are read by a record of another table: the table, and the column that names it.
pub(super) const BOUND: [(&str, &str); 10] = [
    ("tourism_touristiccontent_portal", "touristiccontent_id"),
    ("tourism_touristiccontent_source", "touristiccontent_id"),
    ("tourism_touristiccontent_themes", "touristiccontent_id"),
    ("tourism_touristiccontent_type1", "touristiccontent_id"),
    ("tourism_touristiccontent_type2", "touristiccontent_id"),
    ("tourism_touristiccontenttype", "category_id"),
    ("tourism_touristicevent_organizers", "touristicevent_id"),
    ("tourism_touristicevent_portal", "touristicevent_id"),
    ("tourism_touristicevent_source", "touristicevent_id"),
    ("tourism_touristicevent_themes", "touristicevent_id"),
];

/// The two lists of types of a category. The API numbers them `101` and `102` in category 1.
const TYPE_LISTS: [(i64, &str, &str); 2] = [
    (1, "tourism_touristiccontent_type1", "touristiccontenttype1_id"),
    (2, "tourism_touristiccontent_type2", "touristiccontenttype2_id"),
];

impl<'a> Lists<'a> {
    /// A tourist content.
    pub(super) fn content(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let id = row.get("id").unwrap_or_default();
        let mut content = self.described(row, ("touristiccontent", id), None)?;
        let category = row.number("category_id");
        let mut types = Map::new();
        for (list, table, column) in TYPE_LISTS {
            let bound = self.bound_rows(table, id);
            // Older versions name both lists by one column.
            let numbers = bound.filter_map(|row| row.get(column).or_else(|| row.get("touristiccontenttype_id")));
            let numbers: Vec<Value> = numbers.map(|id| number(Some(id))).collect();
            types.extend(category.map(|category| (list_number(category, list).to_string(), numbers.into())));
        }
        content.extend(super::object(json!({
            "category": number(row.get("category_id")),
            "types": types,
            "reservation_system": number(row.get("reservation_system_id")),
            "reservation_id": row.get("reservation_id"),
            "label_accessibility": number(row.get("label_accessibility_id")),
            "portal": self.numbers("tourism_touristiccontent_portal", id, "targetportal_id"),
            "source": self.numbers("tourism_touristiccontent_source", id, "recordsource_id"),
            "themes": self.numbers("tourism_touristiccontent_themes", id, "theme_id"),
        })));
        Ok(content.into())
    }

    /// A category of tourist contents, with its types.
    pub(super) fn category(&self, row: Row<'a>) -> Value {
        let id = row.get("id").unwrap_or_default();
        let list = |(list, _, _): (i64, &str, &str)| {
            let of_list = self.bound_rows("tourism_touristiccontenttype", id);
            let values = of_list.filter(|kind| kind.number("in_list") == Some(list));
            let values: Vec<Value> =
                values.map(|kind| json!({"id": number(kind.get("id")), "label": kind.text("label")})).collect();
            let number = row.number("id").map(|id| list_number(id, list));
            json!({"id": number, "label": row.text(&format!("type{list}_label")), "values": values})
        };
        json!({"id": number(row.get("id")), "label": row.text("label"), "types": TYPE_LISTS.map(list)})
    }

    /// A tourist event.
    pub(super) fn event(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let id = row.get("id").unwrap_or_default();
        let place = self.referred(row, "place_id", "tourism_touristiceventplace");
        let mut event = self.described(row, ("touristicevent", id), place)?;
        let organizers: Vec<&str> = self
            .bound_rows("tourism_touristicevent_organizers", id)
            .filter_map(|bound| self.referred(bound, "touristiceventorganizer_id", "tourism_touristiceventorganizer"))
            .chain(self.referred(row, "organizer_id", "tourism_touristiceventorganizer"))
            .filter_map(|organizer| organizer.get("label"))
            .collect();
        let reason = self.referred(row, "cancellation_reason_id", "tourism_cancellationreason");
        event.extend(super::object(json!({
            "begin_date": row.get("begin_date"),
            "end_date": row.get("end_date").or_else(|| row.get("begin_date")),
            "start_time": row.get("start_time").or_else(|| row.get("meeting_time")),
            "end_time": row.get("end_time"),
            "duration": row.get("duration"),
            "meeting_point": row.text("meeting_point"),
            "place": place.and_then(|place| place.get("name")),
            "speaker": row.get("speaker"),
            "organizers": organizers.join(", "),
            "booking": row.text("booking"),
            "bookable": row.is("bookable"),
            "target_audience": row.text("target_audience"),
            "capacity": number(row.get("capacity").or_else(|| row.get("participant_number"))),
            "price": row.float("price"),
            "cancelled": row.is("cancelled"),
            "cancellation_reason": reason.map(|reason| reason.text("label")),
            "type": number(row.get("type_id")),
            "portal": self.numbers("tourism_touristicevent_portal", id, "targetportal_id"),
            "source": self.numbers("tourism_touristicevent_source", id, "recordsource_id"),
            "themes": self.numbers("tourism_touristicevent_themes", id, "theme_id"),
        })));
        Ok(event.into())
    }

    /// A service: a tap, a bench.
    pub(super) fn service(&mut self, row: Row<'a>) -> Result<Value, DumpError> {
        let topology = self.topology(row);
        let at = self.first_point(topology)?;
        Ok(json!({
            "id": number(row.get("topo_object_id")),
            "uuid": topology.and_then(|topology| topology.get("uuid")),
            "geometry": at.map(|at| json!({"type": "Point", "coordinates": at})),
            "type": number(row.get("type_id")),
            "eid": row.get("eid"),
            "structure": number(row.get("structure_id")),
            "provider": self.provider(row),
        }))
    }

    /// The fields that contents and events have both. One that has no place of its own is at its `place`.
    fn described(
        &mut self,
        row: Row<'a>,
        (model, id): (&str, &str),
        place: Option<Row<'a>>,
    ) -> Result<Map<String, Value>, DumpError> {
        let shape = row.shape("geom").or_else(|| place?.shape("geom"));
        let (mut geometry, mut cities) = (Value::Null, Vec::new());
        if let Some((shape, srid)) = &shape {
            geometry = self.geometry(shape, *srid)?;
            cities = self.places.cities(&shape.points().collect::<Vec<_>>(), *srid);
        }
        // In older versions the number of a commune is its code.
        let code = |city: &'a str| self.numbered_row("zoning_city", city).map_or(Some(city), |row| row.get("code"));
        let city_code = cities.first().and_then(|city| code(city));
        let cities: Vec<Value> = cities.into_iter().map(|city| number(Some(city))).collect();
        Ok(super::object(json!({
            "id": number(row.get("id")),
            "uuid": row.get("uuid"),
            "published": row.flags("published"),
            "update_datetime": row.get("date_update").map(moment),
            "name": row.text("name"),
            "description_teaser": row.text("description_teaser"),
            "description": row.text("description"),
            "practical_info": row.text("practical_info"),
            "accessibility": row.text("accessibility"),
            "contact": row.get("contact"),
            "email": row.get("email"),
            "website": row.get("website"),
            "geometry": geometry,
            "cities": cities,
            "departure_city_code": city_code,
            "approved": row.is("approved"),
            "external_id": row.get("eid"),
            "structure": number(row.get("structure_id")),
            "provider": self.provider(row),
            "attachments": self.attachments(model, id),
        })))
    }

    /// A shape as GeoJSON. The rings of several areas are those of one: only the middle of them is read.
    fn geometry(&mut self, shape: &Shape, srid: u32) -> Result<Value, DumpError> {
        let (kind, coordinates) = match shape {
            Shape::Points(points) => {
                let mut points = self.degrees(srid, points)?;
                match points.pop() {
                    Some(only) if points.is_empty() => ("Point", only),
                    last => ("MultiPoint", points.into_iter().chain(last).collect()),
                }
            }
            Shape::Lines(parts) => {
                let mut parts = self.lines(srid, parts)?;
                match parts.pop() {
                    Some(only) if parts.is_empty() => ("LineString", only.into()),
                    last => ("MultiLineString", parts.into_iter().chain(last).collect()),
                }
            }
            Shape::Areas(rings) => ("Polygon", self.lines(srid, rings)?.into()),
        };
        Ok(json!({"type": kind, "coordinates": coordinates}))
    }

    fn lines(&mut self, srid: u32, lines: &[Vec<Point>]) -> Result<Vec<Vec<Value>>, DumpError> {
        lines.iter().map(|line| self.degrees(srid, line)).collect()
    }

    /// The rows that a table binds to a record.
    fn bound_rows(&self, table: &str, id: &str) -> impl Iterator<Item = Row<'a>> {
        self.bound.get(table).and_then(|of| of.get(id)).into_iter().flatten().copied()
    }

    fn numbered_row(&self, table: &str, id: &str) -> Option<Row<'a>> {
        self.numbered.get(table)?.get(id).copied()
    }
}

/// The number of a list of types: its category and its place.
const fn list_number(category: i64, list: i64) -> i64 {
    category.saturating_mul(100).saturating_add(list)
}

/// A moment as the API writes it: `2026-11-22T17:04:01+00:00`, of `2026-11-22 17:04:01+00`.
fn moment(written: &str) -> String {
    let written = written.replacen(' ', "T", 1);
    let zone = written.split_once('T').and_then(|(_, time)| time.rsplit_once(['+', '-']));
    if zone.is_some_and(|(_, zone)| zone.len() == 2) { format!("{written}:00") } else { written }
}
