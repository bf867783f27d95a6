//! The coordinate system of a layer, read from its file.

use super::route::Refused;

/// Lambert-93 on the mainland and Corsica, metres: where coordinates without a named system are taken to be in it.
const LAMBERT_93: [[f64; 2]; 2] = [[0.0, 1_300_000.0], [6_000_000.0, 7_200_000.0]];

/// The EPSG number of a system that is written as WKT: the number that is in it, else its name.
pub(super) fn system_of(wkt: &str) -> Result<u32, Refused> {
    let folded: String = wkt.chars().filter(|c| !c.is_whitespace()).collect::<String>().to_ascii_uppercase();
    let name = wkt.split('"').nth(1).unwrap_or_default();
    // Datum and units have EPSG numbers too: that of the system is the last one, at the end of the text.
    let number = ["AUTHORITY[\"EPSG\",", "ID[\"EPSG\","].iter().find_map(|word| {
        let (_, after) = folded.rsplit_once(word)?;
        let (number, rest) = after.trim_start_matches('"').split_once(['"', ']'])?;
        rest.trim_matches(['"', ']']).is_empty().then(|| number.parse().ok()).flatten()
    });
    let is_geographic = ["GEOGCS[", "GEOGCRS[", "GEODCRS["].iter().any(|word| folded.starts_with(word));
    let plain: String = name.chars().filter(char::is_ascii_alphanumeric).collect::<String>().to_ascii_lowercase();
    let found = if is_geographic { degrees_of(&plain) } else { number.or_else(|| metres_of(&plain)) };
    found.ok_or_else(|| unknown(name))
}

/// Systems in degrees that differ from WGS 84 by less than a metre; they are read as it.
fn degrees_of(name: &str) -> Option<u32> {
    let known = [
        "wgs84", "wgs1984", "etrs", "rgf93", "rgf1993", "rgr92", "rgr1992", "rgfg", "rgm04", "rgm2004", "rgaf", "rgspm",
    ];
    known.iter().any(|known| name.contains(known)).then_some(4326)
}

/// Systems in metres, by the names that QGIS and ArcGIS write: letters and digits alone.
fn metres_of(name: &str) -> Option<u32> {
    if let Some((_, zone)) = name.split_once("utm") {
        let south = zone.ends_with('s');
        let digits = zone.trim_start_matches("zone").trim_end_matches(['n', 's']);
        let zone: u32 = digits.parse().ok().filter(|zone| (1..=60).contains(zone))?;
        let overseas = [
            ("rgr92", 2975),
            ("rgr1992", 2975),
            ("rgfg", 2972),
            ("rgm04", 4471),
            ("rgm2004", 4471),
            ("rgaf", 5490),
            ("rgspm", 4467),
        ];
        let overseas = overseas.iter().find(|(datum, _)| name.contains(datum)).map(|(_, srid)| *srid);
        let is_european = name.contains("etrs") || name.contains("rgf93");
        let world = || match (name.starts_with("wgs"), south) {
            (true, true) => Some(32_700 + zone),
            (true, false) => Some(32_600 + zone),
            (false, _) => None,
        };
        return overseas.or_else(|| if is_european { Some(25_800 + zone) } else { world() });
    }
    if let Some((_, zone)) = name.split_once("cc").filter(|_| name.contains("rgf")) {
        let zone: u32 = zone.get(..2)?.parse().ok().filter(|zone| (42..=50).contains(zone))?;
        return Some(3900 + zone);
    }
    let known = [
        ("lambert93", 2154),
        ("pseudomercator", 3857),
        ("webmercator", 3857),
        ("lv95", 2056),
        ("lv03", 21_781),
        ("lambert2008", 3812),
        ("lambert1972", 31_370),
        ("lambert72", 31_370),
    ];
    known.iter().find(|(known, _)| name.contains(known)).map(|(_, srid)| *srid)
}

/// The system of coordinates that come without one: degrees, or Lambert-93.
pub(super) fn guessed([x, y]: [f64; 2]) -> Result<u32, Refused> {
    let within = |at: f64, [least, most]: [f64; 2]| (least..=most).contains(&at);
    if within(x, [-180.0, 180.0]) && within(y, [-90.0, 90.0]) {
        return Ok(4326);
    }
    if within(x, LAMBERT_93[0]) && within(y, LAMBERT_93[1]) { Ok(2154) } else { Err(unknown("?")) }
}

pub(super) fn unknown(name: &str) -> Refused {
    let name: String = name.chars().filter(|c| !c.is_control()).take(100).collect();
    Refused::new("import/unknown-projection").with("name", name)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_system_is_known_by_its_number_or_by_its_name() {
        for (wkt, srid) in [
            (
                r#"PROJCS["RGF_1993_Lambert_93",GEOGCS["GCS_RGF_1993",DATUM["D_RGF_1993"]],UNIT["Meter",1.0]]"#,
                Some(2154),
            ),
            (
                r#"PROJCS["RGF93 v1 / Lambert-93",GEOGCS["RGF93 v1",AUTHORITY["EPSG","4171"]],AUTHORITY["EPSG","2154"]]"#,
                Some(2154),
            ),
            (r#"PROJCS["RGF93_CC46",GEOGCS["GCS_RGF_1993"]]"#, Some(3946)),
            (r#"GEOGCS["GCS_WGS_1984",DATUM["D_WGS_1984"],AUTHORITY["EPSG","4326"]]"#, Some(4326)),
            (r#"PROJCS["Belge_Lambert_1972",GEOGCS["GCS_Belge_1972",DATUM["D_Belge_1972"]]]"#, Some(31_370)),
            (r#"PROJCS["BD72 / Belgian Lambert 72",GEOGCS["BD72"]]"#, Some(31_370)),
            (r#"PROJCS["WGS_1984_UTM_Zone_31N",GEOGCS["GCS_WGS_1984"]]"#, Some(32_631)),
            (r#"PROJCS["RGR_1992_UTM_40S",GEOGCS["GCS_RGR_1992"]]"#, Some(2975)),
            (r#"PROJCS["ETRS89 / UTM zone 32N",GEOGCS["ETRS89"]]"#, Some(25_832)),
            (r#"PROJCS["ED50 / UTM zone 31N",GEOGCS["ED50"]]"#, None),
            (r#"PROJCS["NTF_Lambert_II_etendu",GEOGCS["GCS_NTF"]]"#, None),
            (r#"GEOGCS["GCS_NTF",DATUM["D_NTF"]]"#, None),
            ("", None),
        ] {
            assert_eq!(system_of(wkt).ok(), srid, "{wkt}");
        }
        assert_eq!(guessed([3.0, 45.0]).ok(), Some(4326));
        assert_eq!(guessed([700_000.0, 6_600_000.0]).ok(), Some(2154));
        assert_eq!(guessed([700_000.0, 2_000_000.0]).map_err(|why| why.code), Err("import/unknown-projection"));
    }
}
