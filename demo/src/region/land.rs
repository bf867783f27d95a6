//! What covers the land, and its water, as areas and lines.

use super::Builder;
use super::lines::Built;
use super::streets;
use super::tags::TagList;
use crate::contour::{self, Area, WHOLE};
use crate::curve;
use crate::ground::{Spot, distance, inside};
use crate::random::{noise, rough};
use crate::terrain::{self, Course};

const CELL_M: f64 = 110.0;

/// The land's heights and distances, looked up by square.
struct Survey {
    columns: usize,
    cells: Vec<Cell>,
}

#[derive(Clone, Copy)]
struct Cell {
    height_m: f64,
    river_m: f64,
    water_m: f64,
    slope: f64,
}

impl Survey {
    fn new() -> Self {
        let (columns, rows) = ((WHOLE[2] / CELL_M) as usize + 1, (WHOLE[3] / CELL_M) as usize + 1);
        let spot = |k: usize| [(k % columns) as f64 * CELL_M, (k / columns) as f64 * CELL_M];
        let heights: Vec<f64> = (0..columns * rows).map(|k| terrain::height(spot(k))).collect();
        let slope = |k: usize| {
            let (i, j) = (k % columns, k / columns);
            let (e, n) =
                (heights[j * columns + (i + 1).min(columns - 1)], heights[((j + 1).min(rows - 1)) * columns + i]);
            ((e - heights[k]).hypot(n - heights[k])) / CELL_M
        };
        let cell = |k: usize| Cell {
            height_m: heights[k],
            river_m: terrain::from_river_m(spot(k)),
            water_m: terrain::from_lake_m(spot(k)).min(terrain::from_pond_m(spot(k))),
            slope: slope(k),
        };
        Self { columns, cells: (0..columns * rows).map(cell).collect() }
    }

    fn at(&self, spot: Spot) -> Cell {
        let index = |metres: f64| (metres / CELL_M).round() as usize;
        self.cells[(index(spot[1]) * self.columns + index(spot[0])).min(self.cells.len() - 1)]
    }

    /// Positive in a forest, negative outside: forests are drawn along its zero line. From the terrain: more forest on slopes and away from rivers,
    /// none above the tree line, in settlements and at the water.
    fn forest(&self, spot: Spot, settlements: &[Built]) -> f64 {
        let here = self.at(spot);
        let houses = settlements.iter().map(|built| streets::within(built, spot)).fold(f64::MIN, f64::max);
        let slopes = ((here.slope - 0.10) * 3.0).clamp(-0.3, 0.5);
        let valley_floor = ((here.river_m - 420.0) / 500.0).clamp(-1.0, 0.25);
        let tree_line = ((1_330.0 - here.height_m) / 250.0).clamp(-1.0, 0.2);
        let wood = rough(spot, 1_300.0, 4, 31) * 0.75 + slopes + valley_floor + tree_line - 0.33;
        wood.min((-90.0 - houses) / 300.0).min((here.water_m - 70.0) / 200.0)
    }
}

/// Woods, meadows, fields, heaths, built-up land.
pub fn cover(builder: &mut Builder, settlements: &[Built]) {
    let survey = Survey::new();
    let forest = |spot: Spot| survey.forest(spot, settlements);
    for (index, area) in contour::areas(WHOLE, CELL_M, 40_000.0, forest).iter().enumerate() {
        let leaf = ["broadleaved", "mixed", "needleleaved"][index % 3];
        let name = [
            "Bois de Chantemerle",
            "Forêt des Échines",
            "Bois Noir",
            "Forêt de l’Orsel",
            "Bois du Vernet",
            "Forêt de Malaval",
        ];
        let large = contour::signed_m2(&area.outer) > 2_500_000.0;
        let tags = TagList::of(&[("landuse", "forest"), ("leaf_type", leaf)]);
        let tags = if large { tags.with("name", name.get(index % 12).copied().unwrap_or_default()) } else { tags };
        builder.area(&smooth(area), tags);
    }
    let open = |spot: Spot| -forest(spot) - 0.05;
    let meadow = |spot: Spot| {
        let here = survey.at(spot);
        open(spot)
            .min((1_150.0 - here.height_m) / 400.0)
            .min(0.1 - noise(spot, 600.0, 41))
            .min((here.water_m - 30.0) / 200.0)
    };
    let field = |spot: Spot| {
        let here = survey.at(spot);
        open(spot)
            .min((1_100.0 - here.river_m) / 900.0)
            .min(noise(spot, 600.0, 41) - 0.16)
            .min((here.water_m - 60.0) / 200.0)
    };
    let pasture = |spot: Spot| open(spot).min((survey.at(spot).height_m - 1_170.0) / 300.0);
    let mut lay = |field: &dyn Fn(Spot) -> f64, key: &str, value: &str| {
        for area in contour::areas(WHOLE, CELL_M, 20_000.0, field) {
            builder.area(&smooth(&area), TagList::of(&[(key, value)]));
        }
    };
    lay(&meadow, "landuse", "meadow");
    lay(&field, "landuse", "farmland");
    lay(&pasture, "natural", "grassland");
    for built in settlements {
        let [x, y] = built.centre;
        for area in contour::areas([x - 1_200.0, y - 1_200.0, x + 1_200.0, y + 1_200.0], 40.0, 5_000.0, |s| {
            (streets::within(built, s) + 20.0).min(terrain::from_lake_m(s) - 10.0)
        }) {
            builder.area(&area, TagList::of(&[("landuse", "residential"), ("name", built.name)]));
        }
    }
    reserve(builder);
}

fn reserve(builder: &mut Builder) {
    let centre = [11_600.0, 16_900.0];
    let field = |spot: Spot| 1_500.0 + 420.0 * noise(spot, 1_100.0, 55) - distance(spot, centre);
    for area in contour::areas([8_000.0, 13_000.0, 15_500.0, 21_000.0], 150.0, 1e6, field) {
        let tags = [("leisure", "nature_reserve"), ("name", "Réserve des Échines"), ("protect_class", "4")];
        builder.area(&area, TagList::of(&tags));
    }
}

/// The lake, the ponds, the rivers and the streams.
pub fn water(builder: &mut Builder, courses: &[Course]) {
    let lake_window = [5_000.0, 15_500.0, 13_500.0, 22_500.0];
    for area in contour::areas(lake_window, 45.0, 1e5, |spot| -terrain::from_lake_m(spot)) {
        builder.area(
            &smooth(&area),
            TagList::of(&[("natural", "water"), ("water", "lake"), ("name", "Lac de Brève"), ("ele", "487")]),
        );
    }
    let names = ["Étang Neuf", "Étang du Milieu", "Étang aux Moines"];
    let ponds =
        contour::areas([8_500.0, 7_600.0, 11_000.0, 9_300.0], 22.0, 5_000.0, |spot| -terrain::from_pond_m(spot));
    for (area, name) in ponds.iter().zip(names) {
        builder.area(&smooth(area), TagList::of(&[("natural", "water"), ("water", "pond"), ("name", name)]));
    }
    for course in courses {
        let visible: Vec<Spot> = course
            .line
            .spots
            .iter()
            .copied()
            .filter(|spot| {
                inside(*spot, 0.0) && terrain::from_lake_m(*spot) > -60.0 && terrain::from_pond_m(*spot) > -30.0
            })
            .collect();
        let fine: Vec<Spot> = curve::through(&visible, 22.0).into_iter().map(|(spot, _)| spot).collect();
        let kind = if course.is_river { "river" } else { "stream" };
        builder.line(&fine, TagList::of(&[("waterway", kind), ("name", course.name)]));
        if course.is_river {
            builder.area(
                &Area { outer: banks(&fine), holes: Vec::new() },
                TagList::of(&[("natural", "water"), ("water", "river")]),
            );
        }
    }
    builder.line(
        &[[7_500.0, 17_640.0], [7_640.0, 17_440.0], [7_900.0, 17_380.0]],
        TagList::of(&[("waterway", "dam"), ("name", "Digue de Brève")]),
    );
}

fn smooth(area: &Area) -> Area {
    Area { outer: curve::rounded(&area.outer), holes: area.holes.iter().map(|hole| curve::rounded(hole)).collect() }
}

/// Both banks of a river, which widens from 7 m to 24 m.
fn banks(line: &[Spot]) -> Vec<Spot> {
    let last = line.len().saturating_sub(1);
    let side = |i: usize, sign: f64| {
        let (a, b) = (line[i.saturating_sub(1)], line[(i + 1).min(last)]);
        let run = distance(a, b).max(0.1);
        let half = sign * (3.5 + 8.5 * i as f64 / last.max(1) as f64);
        [line[i][0] - (b[1] - a[1]) / run * half, line[i][1] + (b[0] - a[0]) / run * half]
    };
    (0..=last).map(|i| side(i, -1.0)).chain((0..=last).rev().map(|i| side(i, 1.0))).collect()
}
