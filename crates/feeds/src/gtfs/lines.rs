//! Lines, with their operators.

use std::collections::HashMap;

use domain::transit::TransitLine;

use super::files::Files;
use super::look;
use super::remarks::Remarks;
use super::rules::{address, text};
use super::services::too_many;
use crate::incoming::Refused;

/// The most lines: more than any feed has.
const MAX_LINES: usize = 100_000;
/// The longest name that is a code.
const MAX_CODE: usize = 40;

/// All lines.
#[derive(Debug, Default)]
pub(super) struct Lines {
    pub by_id: HashMap<Box<[u8]>, u32>,
    pub all: Vec<TransitLine>,
}

/// Operators, by their identifier.
type Agencies = HashMap<Box<[u8]>, String>;

impl Lines {
    pub(super) fn read(files: &mut Files<'_>, remarks: &mut Remarks) -> Result<Self, Refused> {
        let agencies = agencies(files)?;
        let mut lines = Self::default();
        let mut table = files
            .table("routes.txt")?
            .ok_or_else(|| Refused::new("transport/missing-file").with("file", "routes.txt"))?;
        let [id, agency, short, long, description, kind, url, color, ink, pickup, drop_off] = [
            "route_id",
            "agency_id",
            "route_short_name",
            "route_long_name",
            "route_desc",
            "route_type",
            "route_url",
            "route_color",
            "route_text_color",
            "continuous_pickup",
            "continuous_drop_off",
        ]
        .map(|name| table.column(name));
        while table.next()? {
            let own = table.get(id);
            if own.is_empty() {
                remarks.add("transport/unnamed-line", table.get(long));
                continue;
            }
            if lines.by_id.contains_key(own) {
                remarks.add("transport/double-line", own);
                continue;
            }
            if lines.all.len() >= MAX_LINES {
                return Err(too_many("routes.txt"));
            }
            let number = std::str::from_utf8(table.get(kind)).ok().and_then(|text| text.parse::<u32>().ok());
            let mode = number.and_then(look::mode).unwrap_or_else(|| {
                remarks.add("transport/bad-type", table.get(kind));
                domain::transport_line::LineMode::Other
            });
            let route = text(own, 200).unwrap_or_default();
            let code = text(table.get(short), MAX_CODE).unwrap_or_else(|| tail(&route));
            let names = [table.get(long), table.get(description), table.get(short)];
            let long_name = names.into_iter().find_map(|name| text(name, 200)).unwrap_or_else(|| route.clone());
            let operator = operator(&agencies, table.get(agency), remarks);
            let color = look::color(table.get(color));
            let ink = look::color(table.get(ink));
            let called = |column| matches!(table.get(column), b"2" | b"3");
            let bookable = called(pickup) || called(drop_off) || number.is_some_and(look::on_demand);
            let website = (!table.get(url).is_empty()).then(|| address(table.get(url), remarks)).flatten();
            lines.by_id.insert(own.into(), lines.all.len() as u32);
            lines.all.push(TransitLine {
                text_color: color.as_deref().map(|color| look::words_on(color, ink)),
                route,
                code,
                long_name,
                operator,
                mode,
                color,
                website,
                bookable,
                ..TransitLine::default()
            });
        }
        Ok(lines)
    }
}

fn agencies(files: &mut Files<'_>) -> Result<Agencies, Refused> {
    let mut agencies = Agencies::new();
    let Some(mut table) = files.table("agency.txt")? else { return Ok(agencies) };
    let (id, name) = (table.column("agency_id"), table.column("agency_name"));
    while table.next()? && agencies.len() < MAX_LINES {
        if let Some(name) = text(table.get(name), 200) {
            agencies.entry(table.get(id).into()).or_insert(name);
        }
    }
    Ok(agencies)
}

/// The operator of a line. A feed with one agency uses that one, whatever the line says.
fn operator(agencies: &Agencies, id: &[u8], remarks: &mut Remarks) -> Option<String> {
    if let Some(name) = agencies.get(id) {
        return Some(name.clone());
    }
    if !id.is_empty() {
        remarks.add("transport/unknown-agency", id);
    }
    agencies.values().next().filter(|_| agencies.len() == 1).cloned()
}

/// The end of an identifier such as `FR:12:Line:C14`.
fn tail(id: &str) -> String {
    let end = id.rsplit([':', '|', '/']).find(|part| !part.trim().is_empty()).unwrap_or(id);
    end.trim().chars().take(MAX_CODE).collect()
}
