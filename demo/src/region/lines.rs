//! The ways as lines, before they are cut into a network.

use std::collections::HashMap;

use super::grid::{CELL_M, Grid, Taste};
use super::plan::{self, Class, SETTLEMENTS, Size};
use crate::contour;
use crate::curve::{self, nudged};
use crate::ground::{Spot, distance, inside};
use crate::random::{Random, noise};
use crate::terrain;

/// A way of the region.
#[derive(Debug, Clone)]
pub struct Line {
    /// Its kind.
    pub class: Class,
    /// Its name, or nothing.
    pub name: String,
    /// Its number, or nothing.
    pub reference: String,
    /// Additional tags, beyond those of its kind.
    pub extra: Vec<(&'static str, &'static str)>,
    /// Its points; those on a vertex of the grid are shared with the other ways there.
    pub points: Vec<(Spot, Option<usize>)>,
}

/// A settlement where it was built.
#[derive(Debug, Clone)]
pub struct Built {
    /// Its name.
    pub name: &'static str,
    /// How large it is.
    pub size: Size,
    /// Its inhabitants.
    pub inhabitants: u32,
    /// Its centre, on the network.
    pub centre: Spot,
}

/// Everything laid on the grid, and what was found on the way.
#[derive(Debug)]
pub struct Layout {
    /// The ways.
    pub lines: Vec<Line>,
    /// The settlements.
    pub settlements: Vec<Built>,
    /// Tops: name and place.
    pub tops: Vec<(&'static str, Spot)>,
    /// Passes: name and place, on their way.
    pub passes: Vec<(&'static str, Spot)>,
    /// Viewpoints above the lake, on a path.
    pub viewpoints: Vec<(&'static str, Spot)>,
    /// Where the ferry lands.
    pub landings: [Spot; 2],
    /// The two gates of the estate whose drive is closed.
    pub gates: Vec<Spot>,
}

struct Draft {
    class: Class,
    name: String,
    reference: String,
    extra: Vec<(&'static str, &'static str)>,
    line: Vec<usize>,
    runs: Vec<Vec<usize>>,
}

struct Surveyor {
    grid: Grid,
    random: Random,
    drafts: Vec<Draft>,
    places: HashMap<&'static str, usize>,
    gates: Vec<usize>,
}

/// Lays every way.
pub fn layout(seed: u64) -> Layout {
    let mut random = Random::new(seed);
    let grid = Grid::new(&mut random);
    let mut places: HashMap<&'static str, usize> =
        SETTLEMENTS.iter().map(|(name, _, _, spot)| (*name, grid.settled(*spot, 480.0))).collect();
    places.extend(plan::ANCHORS.iter().map(|(name, spot)| (*name, grid.vertex(*spot))));
    let tops: Vec<usize> = grid.tops(1_500.0).into_iter().take(plan::TOPS.len()).collect();
    let mut surveyor = Surveyor { grid, random, drafts: Vec::new(), places, gates: Vec::new() };
    surveyor.wishes(Class::Lane);
    surveyor.bypass();
    let shore = surveyor.shore_path();
    surveyor.wishes(Class::Path);
    let viewpoints = surveyor.viewpoints(&shore);
    surveyor.private_ways(&shore);
    surveyor.tops(&tops);
    surveyor.blind_ways();
    surveyor.finished(&tops, &viewpoints, &shore)
}

fn taste(class: Class) -> Taste {
    let (gentle, steepest, joins) = match class {
        Class::Trunk => (0.05, 0.07, 1.5),
        Class::Primary => (0.06, 0.07, 0.7),
        Class::Secondary => (0.07, 0.08, 0.7),
        Class::Tertiary => (0.085, 0.09, 0.72),
        Class::Lane | Class::Street => (0.10, 0.12, 0.72),
        Class::Cycleway => (0.025, 0.05, 2.2),
        Class::Track => (0.13, 0.17, 1.0),
        Class::Path => (0.20, 0.30, 1.1),
    };
    Taste { gentle, steepest, joins, shore: false, bank: class == Class::Cycleway }
}

impl Surveyor {
    /// Lays the wished ways of the road classes (up to lanes), or the rest.
    fn wishes(&mut self, last: Class) {
        let roads = last == Class::Lane;
        for (class, name, reference, through) in plan::WISHES {
            if (class <= Class::Lane) == roads {
                for leg in through.windows(2) {
                    let (from, to) = (self.places[leg[0]], self.places[leg[1]]);
                    self.lay((class, name, reference), Vec::new(), from, to, &taste(class));
                }
            }
        }
    }

    /// The road around the town, closed to walkers and bicycles.
    fn bypass(&mut self) {
        let main: Vec<usize> = self
            .drafts
            .iter()
            .filter(|draft| draft.class == Class::Primary)
            .flat_map(|draft| draft.line.clone())
            .collect();
        let [west, south, east] = plan::BYPASS.map(|spot| self.grid.vertex(spot));
        let stops = [self.nearest(&main, west), south, self.nearest(&main, east)];
        let closed = vec![("foot", "no"), ("bicycle", "no")];
        for leg in stops.windows(2) {
            let named = (Class::Trunk, "Déviation de La Roche-Vive", "D 906A");
            self.lay(named, closed.clone(), leg[0], leg[1], &taste(Class::Trunk));
        }
    }

    fn lay(
        &mut self,
        (class, name, reference): (Class, &str, &str),
        extra: Vec<(&'static str, &'static str)>,
        from: usize,
        to: usize,
        taste: &Taste,
    ) {
        let line = self.grid.line(from, to, taste);
        let runs = self.grid.lay(&line);
        self.drafts.push(Draft { class, name: name.to_owned(), reference: reference.to_owned(), extra, line, runs });
    }

    /// The path around the lake: vertices about 95 m from the shore, all the way round.
    fn shore_path(&mut self) -> Vec<usize> {
        let window = [5_000.0, 15_500.0, 13_500.0, 22_500.0];
        let around = contour::areas(window, 80.0, 1e5, |spot| 95.0 - terrain::from_lake_m(spot));
        let Some(area) = around.first() else { return Vec::new() };
        let mut stops: Vec<usize> = curve::resampled(&area.outer, 620.0)
            .into_iter()
            .map(|spot| self.grid.vertex(spot))
            .filter(|vertex| !self.grid.is_water(*vertex))
            .collect();
        stops.dedup();
        stops.extend(stops.first().copied());
        let on_shore = Taste { gentle: 0.2, steepest: 0.4, joins: 1.0, shore: true, bank: false };
        for pair in stops.windows(2) {
            self.lay(
                (Class::Path, "Sentier du lac de Brève", ""),
                vec![("surface", "fine_gravel")],
                pair[0],
                pair[1],
                &on_shore,
            );
        }
        let montpezel = self.places["Montpezel"];
        let brevine = self.places["Brévine"];
        for (place, name) in [(montpezel, "Descente du Lavoir"), (brevine, "Chemin du Port")] {
            let nearest = self.nearest(&stops, place);
            self.lay((Class::Path, name, ""), vec![("surface", "cobblestone")], place, nearest, &taste(Class::Path));
        }
        stops
    }

    fn nearest(&self, of: &[usize], to: usize) -> usize {
        let away = |vertex: usize| distance(self.grid.spot(vertex), self.grid.spot(to));
        of.iter().copied().min_by(|a, b| away(*a).total_cmp(&away(*b))).unwrap_or(to)
    }

    /// Loops from the shore up to a viewpoint and down again.
    fn viewpoints(&mut self, shore: &[usize]) -> Vec<(&'static str, usize)> {
        let wanted = [
            ("Belvédère de la Digue", "Sentier des Belvédères", [8_750.0, 17_250.0]),
            ("Belvédère de la Roche-aux-Hérons", "Sentier de la Roche-aux-Hérons", [7_800.0, 19_350.0]),
            ("Belvédère de Chantegrive", "Sentier de Chantegrive", [10_250.0, 18_650.0]),
        ];
        let mut found = Vec::new();
        for (name, path, spot) in wanted {
            let top = self.grid.vertex(spot);
            let mut ends = shore.to_vec();
            ends.sort_by(|a, b| {
                let away = |v: &usize| distance(self.grid.spot(*v), spot);
                away(a).total_cmp(&away(b))
            });
            ends.dedup();
            let fresh = Taste { joins: 2.5, ..taste(Class::Path) };
            for end in ends.iter().take(3).step_by(2) {
                self.lay((Class::Path, path, ""), vec![("sac_scale", "hiking")], *end, top, &fresh);
            }
            found.push((name, top));
        }
        found
    }

    /// Ways that are there and may not be taken.
    fn private_ways(&mut self, shore: &[usize]) {
        let apart = Taste { joins: 6.0, ..taste(Class::Track) };
        let closed = vec![("access", "private")];
        let near_dam = self.nearest(shore, self.grid.vertex([8_900.0, 18_000.0]));
        let further = self.nearest(shore, self.grid.vertex([9_700.0, 18_700.0]));
        self.lay((Class::Track, "Piste de la digue", ""), closed.clone(), near_dam, further, &apart);
        for (name, from, to) in [
            ("Allée de Peyregrosse", "Peyremarle", "Bellesagne"),
            ("Piste de la réserve d’eau", "Aigrevent", "Hautier"),
            ("Allée des Séquoias", "Sauvelle", "Malaval"),
        ] {
            self.lay((Class::Track, name, ""), closed.clone(), self.places[from], self.places[to], &apart);
        }
        // A drive across an estate, beside the public track that goes around it.
        let around = self.drafts.iter().find(|draft| draft.name == "Chemin du Plateau").map(|draft| draft.line.clone());
        let ends = around.as_ref().and_then(|line| line.get(line.len() * 3 / 8).zip(line.get(line.len() * 5 / 8)));
        if let Some((from, to)) = ends {
            self.gates = vec![*from, *to];
            let straight = Taste { joins: 30.0, gentle: 0.3, steepest: 0.4, ..apart };
            self.lay((Class::Track, "Allée du Grand Domaine", ""), closed.clone(), *from, *to, &straight);
        }
        let gorge = vec![("bicycle", "no")];
        let (from, to) = (self.places["Malaval"], self.places["Peyremarle"]);
        self.lay((Class::Path, "Sentier des Gorges de Malaval", ""), gorge, from, to, &taste(Class::Path));
    }

    /// Two ways up each top.
    fn tops(&mut self, tops: &[usize]) {
        for (top, name) in tops.iter().zip(plan::TOPS) {
            let mut near: Vec<usize> = SETTLEMENTS.iter().map(|(place, ..)| self.places[place]).collect();
            near.sort_by(|a, b| {
                let away = |v: &usize| distance(self.grid.spot(*v), self.grid.spot(*top));
                away(a).total_cmp(&away(b))
            });
            for (from, kind) in near.iter().zip(["Sentier", "Montée"]) {
                let climbs = Taste { joins: 0.55, ..taste(Class::Path) };
                self.lay((Class::Path, &format!("{kind} : {name}"), ""), Vec::new(), *from, *top, &climbs);
            }
        }
    }

    /// Tracks and paths into the woods that end there, and some that come back to another way.
    fn blind_ways(&mut self) {
        for (index, name) in plan::BLIND.iter().enumerate() {
            let Some((from, to)) = self.stretch(700.0, 1_900.0) else { continue };
            let class = if index % 3 == 0 { Class::Path } else { Class::Track };
            let extra = if index % 11 == 5 { vec![("access", "private")] } else { Vec::new() };
            self.lay((class, name, ""), extra, from, to, &Taste { joins: 2.0, ..taste(class) });
        }
    }

    fn stretch(&mut self, least_m: f64, most_m: f64) -> Option<(usize, usize)> {
        for _ in 0..4_000 {
            let from = self.random.index(self.grid.columns * self.grid.rows);
            if !self.grid.has_way(from) || !inside(self.grid.spot(from), 600.0) {
                continue;
            }
            let (turn, far) = (self.random.within(0.0, std::f64::consts::TAU), self.random.within(least_m, most_m));
            let [x, y] = self.grid.spot(from);
            let end = [x + far * turn.cos(), y + far * turn.sin()];
            let to = self.grid.vertex(end);
            if inside(end, 500.0)
                && !self.grid.has_way(to)
                && !self.grid.is_water(to)
                && terrain::from_river_m(end) > 350.0
            {
                return Some((from, to));
            }
        }
        None
    }

    fn finished(mut self, tops: &[usize], viewpoints: &[(&'static str, usize)], shore: &[usize]) -> Layout {
        let spots = self.smoothed();
        let settlements: Vec<Built> = SETTLEMENTS
            .iter()
            .map(|(name, size, inhabitants, _)| Built {
                name,
                size: *size,
                inhabitants: *inhabitants,
                centre: spots[self.places[name]],
            })
            .collect();
        let passes = plan::PASSES.iter().filter_map(|(name, way)| {
            let on_way = self.drafts.iter().filter(|draft| draft.name == *way).flat_map(|draft| &draft.line);
            let highest = on_way.max_by(|a, b| self.grid.height_m(**a).total_cmp(&self.grid.height_m(**b)))?;
            // A way whose highest point is a village goes over no pass.
            let houses = |built: &Built| distance(built.centre, spots[*highest]) < 700.0;
            (!settlements.iter().any(houses)).then_some((*name, spots[*highest]))
        });
        let landing = |near: Spot| spots[self.nearest(shore, self.grid.vertex(near))];
        Layout {
            passes: passes.collect(),
            tops: tops.iter().zip(plan::TOPS).map(|(vertex, name)| (name, spots[*vertex])).collect(),
            viewpoints: viewpoints.iter().map(|(name, vertex)| (*name, spots[*vertex])).collect(),
            landings: [landing([7_300.0, 18_100.0]), landing([10_350.0, 19_400.0])],
            gates: self.gates.iter().map(|vertex| spots[*vertex]).collect(),
            settlements,
            lines: self.drafts.iter().flat_map(|draft| drawn(draft, &spots)).collect(),
        }
    }

    /// Where each vertex ends up: shaken, then drawn straighter along the first way through it.
    fn smoothed(&mut self) -> Vec<Spot> {
        let count = self.grid.columns * self.grid.rows;
        let mut spots: Vec<Spot> = (0..count).map(|v| nudged(self.grid.spot(v), 22.0, &mut self.random)).collect();
        for anchor in plan::ANCHORS {
            let vertex = self.places[anchor.0];
            spots[vertex] = self.grid.spot(vertex);
        }
        let mut sides: HashMap<usize, (usize, usize)> = HashMap::new();
        for draft in &self.drafts {
            for three in draft.line.windows(3) {
                sides.entry(three[1]).or_insert((three[0], three[2]));
            }
        }
        let mut through: Vec<(usize, (usize, usize))> = sides.into_iter().collect();
        through.sort_unstable();
        for _ in 0..3 {
            let before = spots.clone();
            for (vertex, (a, b)) in &through {
                let middle = crate::ground::between(before[*a], before[*b], 0.5);
                spots[*vertex] = crate::ground::between(before[*vertex], middle, 0.5);
            }
        }
        spots
    }
}

fn drawn(draft: &Draft, spots: &[Spot]) -> Vec<Line> {
    let line = |run: &Vec<usize>| {
        let through: Vec<Spot> = run.iter().map(|vertex| spots[*vertex]).collect();
        Line {
            class: draft.class,
            name: draft.name.clone(),
            reference: draft.reference.clone(),
            extra: draft.extra.clone(),
            points: curve::through(&through, CELL_M / 3.0)
                .into_iter()
                .map(|(spot, index)| {
                    (if index.is_some() { spot } else { uneven(spot, draft.class) }, index.map(|i| run[i]))
                })
                .collect(),
        }
    };
    draft.runs.iter().map(line).collect()
}

/// Feet and tractors leave a less even line than road builders.
fn uneven([x, y]: Spot, class: Class) -> Spot {
    let by_m = match class {
        Class::Path => 7.0,
        Class::Track => 4.0,
        _ => 1.0,
    };
    [x + by_m * noise([x, y], 55.0, 95), y + by_m * noise([x, y], 55.0, 96)]
}
