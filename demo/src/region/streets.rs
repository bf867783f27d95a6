//! Streets and houses of the settlements.

use std::collections::HashMap;

use super::lines::{Built, Line};
use super::plan::{Class, STREETS, Size};
use crate::curve::nudged;
use crate::ground::{Spot, between, distance, to_segment};
use crate::random::{Random, noise};
use crate::terrain;

/// A house: its four corners.
pub type House = [Spot; 4];

fn radius_m(size: Size) -> f64 {
    match size {
        Size::Town => 720.0,
        Size::Village => 330.0,
        Size::Hamlet => 150.0,
    }
}

/// The edge of a settlement in one direction from its centre, as a number: above zero within.
pub fn within(built: &Built, spot: Spot) -> f64 {
    radius_m(built.size) * (1.0 + 0.35 * noise(spot, 260.0, 61)) - distance(built.centre, spot)
}

/// A settlement's streets: a crooked mesh, thinned, whose rows and columns are streets with a name.
pub fn streets(built: &Built, roads: &[Line], random: &mut Random) -> Vec<Line> {
    let near = |spot: Spot, margin_m: f64| {
        roads
            .iter()
            .flat_map(|line| line.points.windows(2))
            .any(|pair| (pair[0].0[0] - spot[0]).abs() < 300.0 && to_segment(spot, pair[0].0, pair[1].0).0 < margin_m)
    };
    let reach = (radius_m(built.size) / 82.0).ceil() as i32;
    let turn = random.within(0.0, 1.5);
    let mut knots: HashMap<(i32, i32), Spot> = HashMap::new();
    for row in -reach..=reach {
        for column in -reach..=reach {
            let (x, y) = (f64::from(column) * 88.0, f64::from(row) * 74.0);
            let placed =
                [built.centre[0] + x * turn.cos() - y * turn.sin(), built.centre[1] + x * turn.sin() + y * turn.cos()];
            let placed = nudged(placed, 17.0, random);
            let near_bank =
                !terrain::courses().iter().any(|course| course.is_river && course.crosses(built.centre, placed));
            let dry = near_bank && terrain::from_river_m(placed) > 45.0 && terrain::from_lake_m(placed) > 45.0;
            if within(built, placed) > 0.0 && dry {
                knots.insert((row, column), placed);
            }
        }
    }
    let mut lines = Vec::new();
    for across in [true, false] {
        for track in -reach..=reach {
            let name = STREETS[random.index(STREETS.len())];
            let one_way = built.size == Size::Town && random.chance(0.35);
            let mut run: Vec<Spot> = Vec::new();
            for step in -reach..=reach + 1 {
                let key = if across { (track, step) } else { (step, track) };
                let knot = knots.get(&key).copied();
                let kept = random.chance(if across { 0.9 } else { 0.66 });
                let joins = match (run.last(), knot) {
                    (Some(last), Some(spot)) => kept && !near(between(*last, spot, 0.5), 21.0),
                    _ => false,
                };
                if !joins {
                    push_street(&mut lines, &std::mem::take(&mut run), name, one_way, random);
                }
                run.extend(knot);
            }
            push_street(&mut lines, &run, name, one_way, random);
        }
    }
    lines
}

fn push_street(lines: &mut Vec<Line>, run: &[Spot], name: &str, one_way: bool, random: &mut Random) {
    if run.len() < 2 {
        return;
    }
    let mut extra = Vec::new();
    if one_way {
        extra.push(("oneway", "yes"));
        if random.chance(0.5) {
            extra.push(("oneway:bicycle", "no"));
        }
    }
    let mut points = Vec::new();
    for pair in run.windows(2) {
        points.push((pair[0], None));
        // A street is seldom quite straight.
        let middle = between(pair[0], pair[1], 0.5);
        points.push((nudged(middle, 3.5, random), None));
    }
    points.extend(run.last().map(|spot| (*spot, None)));
    lines.push(Line { class: Class::Street, name: name.to_owned(), reference: String::new(), extra, points });
}

/// Houses along the ways of a settlement, none on a way, none on another, none in the water.
pub fn houses(built: &Built, ways: &[(Class, Vec<Spot>)], random: &mut Random) -> Vec<House> {
    let around: Vec<&(Class, Vec<Spot>)> =
        ways.iter().filter(|(_, line)| line.iter().any(|spot| within(built, *spot) > -60.0)).collect();
    let mut taken: Vec<Spot> = Vec::new();
    let mut houses = Vec::new();
    for (class, line) in &around {
        if !matches!(class, Class::Street | Class::Primary | Class::Secondary | Class::Tertiary | Class::Lane) {
            continue;
        }
        for pair in line.windows(2) {
            let run = distance(pair[0], pair[1]);
            let mut at = random.within(0.0, 9.0);
            while at < run {
                for side in [-1.0, 1.0] {
                    if let Some(house) = house(pair[0], pair[1], at / run, side, built, random) {
                        let centre = between(house[0], house[2], 0.5);
                        let free = taken.iter().all(|other| distance(*other, centre) > 15.5)
                            && around.iter().all(|(_, line)| line.windows(2).all(|s| clear(&house, centre, s)));
                        if free {
                            taken.push(centre);
                            houses.push(house);
                        }
                    }
                }
                at += random.within(15.0, 24.0);
            }
        }
    }
    houses
}

fn house(a: Spot, b: Spot, part: f64, side: f64, built: &Built, random: &mut Random) -> Option<House> {
    let on_street = between(a, b, part);
    let edge = within(built, on_street) / radius_m(built.size);
    // Close together in the middle, scattered at the edge.
    if edge < -0.1 || !random.chance(0.45 + edge.clamp(0.0, 0.5)) {
        return None;
    }
    let run = distance(a, b);
    let along = [(b[0] - a[0]) / run, (b[1] - a[1]) / run];
    let out = [-along[1] * side, along[0] * side];
    let (wide, deep) = (random.within(8.0, 14.0), random.within(7.5, 11.5));
    let back = random.within(6.0, if edge > 0.45 { 8.0 } else { 14.0 });
    let corner = |u: f64, v: f64| [on_street[0] + along[0] * u + out[0] * v, on_street[1] + along[1] * u + out[1] * v];
    let house = [
        corner(-wide / 2.0, back),
        corner(wide / 2.0, back),
        corner(wide / 2.0, back + deep),
        corner(-wide / 2.0, back + deep),
    ];
    house.iter().all(|c| terrain::from_lake_m(*c) > 12.0 && terrain::from_river_m(*c) > 22.0).then_some(house)
}

fn clear(house: &House, centre: Spot, segment: &[Spot]) -> bool {
    if to_segment(centre, segment[0], segment[1]).0 > 24.0 {
        return true;
    }
    house.iter().chain([&centre]).all(|corner| to_segment(*corner, segment[0], segment[1]).0 > 4.2)
}
