//! Query parameters that lists share: identifiers, a box, the owner of the content.

use store::OwnerFilter;

use crate::Rejection;

/// The most identifiers of a filter, where its list has no other maximum.
const MAX_IDS: usize = 1_000;

/// `1,2,3` as numbers; none when absent or empty.
pub fn ids(field: &str, asked: Option<&str>) -> Result<Option<Vec<i64>>, Rejection> {
    ids_up_to(MAX_IDS, field, asked)
}

/// `1,2,3` as at most `max` numbers; none when absent or empty.
pub fn ids_up_to(max: usize, field: &str, asked: Option<&str>) -> Result<Option<Vec<i64>>, Rejection> {
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return Ok(None) };
    let read: Option<Vec<i64>> = asked.split(',').map(|id| id.trim().parse().ok()).collect();
    read.filter(|ids| ids.len() <= max).map(Some).ok_or_else(|| Rejection::BadQuery { name: field.to_owned() })
}

/// `west,south,east,north` in degrees.
pub fn bbox(asked: Option<&str>) -> Result<Option<[f64; 4]>, Rejection> {
    let Some(asked) = asked.filter(|asked| !asked.trim().is_empty()) else { return Ok(None) };
    let read: Option<Vec<f64>> = asked.split(',').map(|degrees| degrees.trim().parse().ok()).collect();
    let corners = read.and_then(|read| <[f64; 4]>::try_from(read).ok());
    let sane = corners.filter(|[west, south, east, north]| {
        west <= east
            && south <= north
            && west.abs() <= 540.0
            && east.abs() <= 540.0
            && south.abs() <= 90.0
            && north.abs() <= 90.0
    });
    sane.map(Some).ok_or_else(|| Rejection::BadQuery { name: "bbox".to_owned() })
}

/// `true` or `false`; none when absent or empty.
pub fn flag(field: &str, asked: Option<&str>) -> Result<Option<bool>, Rejection> {
    number(field, asked)
}

/// One value; none when absent or empty.
pub fn number<T: std::str::FromStr>(field: &str, asked: Option<&str>) -> Result<Option<T>, Rejection> {
    let Some(asked) = asked.map(str::trim).filter(|asked| !asked.is_empty()) else { return Ok(None) };
    asked.parse().map(Some).map_err(|_| Rejection::BadQuery { name: field.to_owned() })
}

/// Words of a closed list, with commas.
pub fn words<T>(name: &str, asked: Option<&str>, parse: impl Fn(&str) -> Option<T>) -> Result<Vec<T>, Rejection> {
    let asked = asked.unwrap_or_default().split(',').map(str::trim).filter(|word| !word.is_empty());
    asked.map(|word| parse(word).ok_or_else(|| Rejection::BadQuery { name: name.to_owned() })).collect()
}

/// `mine`, `shared` or `all`.
pub fn owner(asked: Option<&str>) -> Result<OwnerFilter, Rejection> {
    match asked {
        Some("mine") => Ok(OwnerFilter::Mine),
        Some("shared") => Ok(OwnerFilter::Shared),
        None | Some("all" | "") => Ok(OwnerFilter::All),
        Some(_) => Err(Rejection::BadQuery { name: "owner".to_owned() }),
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn a_box_has_four_corners_in_order_inside_the_world() {
        assert_eq!(bbox(Some("-4.5,47.8,-4.0,48.1")).unwrap(), Some([-4.5, 47.8, -4.0, 48.1]));
        assert_eq!(bbox(Some("")).unwrap(), None);
        for wrong in ["1,2,3", "1,2,0,3", "1,50,2,40", "a,b,c,d", "0,0,1,NaN", "0,-100,1,0"] {
            assert!(bbox(Some(wrong)).is_err(), "{wrong}");
        }
    }

    #[test]
    fn identifiers_are_numbers_with_commas() {
        assert_eq!(ids("ids", Some("1, 2")).unwrap(), Some(vec![1, 2]));
        assert_eq!(ids("ids", None).unwrap(), None);
        assert!(ids("ids", Some("1,x")).is_err());
        assert_eq!(ids_up_to(2, "ids", Some("1,2")).unwrap(), Some(vec![1, 2]));
        assert!(ids_up_to(2, "ids", Some("1,2,3")).is_err());
    }
}
