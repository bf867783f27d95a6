//! Finding where a way would go: the cheapest line over the land for a road, a track or a path.
//!
//! Ways share the grid's vertices, so that two that meet have a node in common.

use std::cmp::Reverse;
use std::collections::BinaryHeap;

use crate::ground::{HEIGHT_M, Spot, WIDTH_M, distance, inside};
use crate::random::{Random, noise};
use crate::terrain;

/// The distance between two vertices, metres.
pub const CELL_M: f64 = 80.0;

const STEPS: [(isize, isize); 8] = [(1, 0), (0, 1), (-1, 0), (0, -1), (1, 1), (-1, 1), (-1, -1), (1, -1)];

/// What a kind of way likes.
#[derive(Debug, Clone, Copy)]
pub struct Taste {
    /// The gradient at which a metre costs twice.
    pub gentle: f64,
    /// The gradient it takes only when it can't do otherwise.
    pub steepest: f64,
    /// The cost of a metre on an existing way, against one of a new way.
    pub joins: f64,
    /// Keeps to the lake's shore.
    pub shore: bool,
    /// Keeps to a river's bank.
    pub bank: bool,
}

/// The land as a grid of vertices.
#[derive(Debug)]
pub struct Grid {
    /// Vertices from west to east.
    pub columns: usize,
    /// Vertices from south to north.
    pub rows: usize,
    heights_m: Vec<f32>,
    water: Vec<bool>,
    shore_m: Vec<f32>,
    river_m: Vec<f32>,
    stream: Vec<bool>,
    whim: Vec<f32>,
    /// For each vertex, a bit for each direction in which a way leaves it.
    laid: Vec<u8>,
    near: Vec<u8>,
}

impl Grid {
    /// The region's grid with nothing on it.
    pub fn new(random: &mut Random) -> Self {
        let (columns, rows) = ((WIDTH_M / CELL_M) as usize + 1, (HEIGHT_M / CELL_M) as usize + 1);
        let spots: Vec<Spot> =
            (0..columns * rows).map(|v| [(v % columns) as f64 * CELL_M, (v / columns) as f64 * CELL_M]).collect();
        Self {
            columns,
            rows,
            heights_m: spots.iter().map(|spot| terrain::height(*spot) as f32).collect(),
            water: spots.iter().map(|s| terrain::from_lake_m(*s) < 45.0 || terrain::from_pond_m(*s) < 40.0).collect(),
            shore_m: spots.iter().map(|spot| terrain::from_lake_m(*spot) as f32).collect(),
            river_m: spots.iter().map(|spot| terrain::from_river_m(*spot) as f32).collect(),
            stream: spots.iter().map(|spot| terrain::by_stream(*spot, 45.0)).collect(),
            whim: spots
                .iter()
                .map(|s| {
                    (1.0 + 0.3 * noise(*s, 700.0, 91) + 0.3 * noise(*s, 240.0, 92) + random.within(-0.1, 0.1)) as f32
                })
                .collect(),
            laid: vec![0; columns * rows],
            near: vec![0; columns * rows],
        }
    }

    /// The place of a vertex.
    pub fn spot(&self, vertex: usize) -> Spot {
        [(vertex % self.columns) as f64 * CELL_M, (vertex / self.columns) as f64 * CELL_M]
    }

    /// The vertex nearest to a spot.
    pub fn vertex(&self, [x, y]: Spot) -> usize {
        let index = |metres: f64, count: usize| ((metres / CELL_M).round().max(0.0) as usize).min(count - 1);
        index(y, self.rows) * self.columns + index(x, self.columns)
    }

    /// The height of a vertex, metres.
    pub fn height_m(&self, vertex: usize) -> f64 {
        f64::from(self.heights_m[vertex])
    }

    /// Whether a way already goes through a vertex.
    pub fn has_way(&self, vertex: usize) -> bool {
        self.near[vertex] == 2
    }

    /// Whether a vertex lies in a lake or a pond.
    pub fn is_water(&self, vertex: usize) -> bool {
        self.water[vertex]
    }

    /// The steepest slope around a vertex.
    pub fn slope(&self, vertex: usize) -> f64 {
        self.around(vertex)
            .map(|(other, run, _)| (self.height_m(other) - self.height_m(vertex)).abs() / run)
            .fold(0.0, f64::max)
    }

    /// A good place for houses near a spot: level, dry, not in a river.
    pub fn settled(&self, spot: Spot, within_m: f64) -> usize {
        let cost = |vertex: usize| {
            let wet = self.water[vertex] || self.river_m[vertex] < 130.0 || self.shore_m[vertex] < 130.0;
            self.slope(vertex) * 3_000.0 + distance(self.spot(vertex), spot) + if wet { 1e6 } else { 0.0 }
        };
        let reach = (within_m / CELL_M) as isize;
        let centre = self.vertex(spot);
        (-reach..=reach)
            .flat_map(|dy| (-reach..=reach).filter_map(move |dx| self.moved(centre, dx, dy)))
            .min_by(|a, b| cost(*a).total_cmp(&cost(*b)))
            .unwrap_or(centre)
    }

    fn moved(&self, vertex: usize, dx: isize, dy: isize) -> Option<usize> {
        let column = (vertex % self.columns).checked_add_signed(dx).filter(|c| *c < self.columns)?;
        let row = (vertex / self.columns).checked_add_signed(dy).filter(|r| *r < self.rows)?;
        Some(row * self.columns + column)
    }

    /// The vertices around one, with their distance and their direction (0 to 7).
    fn around(&self, vertex: usize) -> impl Iterator<Item = (usize, f64, u8)> {
        STEPS.into_iter().zip(0..).filter_map(move |((dx, dy), direction)| {
            let run = if dx == 0 || dy == 0 { CELL_M } else { CELL_M * std::f64::consts::SQRT_2 };
            self.moved(vertex, dx, dy).map(|other| (other, run, direction))
        })
    }

    fn is_laid(&self, from: usize, direction: u8) -> bool {
        self.laid[from] & (1 << direction) != 0
    }

    fn cost(&self, from: usize, (to, run, direction): (usize, f64, u8), taste: &Taste) -> f64 {
        let gradient = (self.height_m(to) - self.height_m(from)).abs() / run;
        let mut cost = run * f64::from(self.whim[to]) * (1.0 + (gradient / taste.gentle).powi(2));
        if gradient > taste.steepest {
            cost += run * 25.0 * (gradient / taste.steepest - 1.0) + run * 2.0;
        }
        if taste.shore {
            cost *= 1.0 + ((f64::from(self.shore_m[to]) - 95.0).abs() / 90.0).min(12.0);
        }
        if taste.bank {
            cost *= 1.0 + ((f64::from(self.river_m[to]) - 150.0).abs() / 130.0).min(8.0);
        }
        if self.is_laid(from, direction) {
            return cost * taste.joins;
        }
        if f64::from(self.river_m[to]) < 60.0 {
            cost += 300.0;
        }
        if self.stream[to] {
            cost *= 1.7;
        }
        if self.near[to] > 0 { cost * 1.4 } else { cost }
    }

    /// The way from one vertex to another; empty when water lies all around.
    pub fn line(&self, from: usize, to: usize, taste: &Taste) -> Vec<usize> {
        let goal = self.spot(to);
        let floor = taste.joins.min(1.0) * 0.75;
        let guess = |vertex: usize| distance(self.spot(vertex), goal) * floor;
        let mut best = vec![(f64::MAX, usize::MAX); self.laid.len()];
        best[from] = (0.0, from);
        // Costs in millimetres: whole numbers order the heap the same way everywhere.
        let mut heap = BinaryHeap::from([(Reverse((guess(from) * 1e3) as u64), from)]);
        while let Some((Reverse(key), vertex)) = heap.pop() {
            if vertex == to {
                break;
            }
            let here = best[vertex].0;
            if key > ((here + guess(vertex)) * 1e3) as u64 {
                continue;
            }
            for step in self.around(vertex) {
                let other = step.0;
                if self.water[other] && other != to {
                    continue;
                }
                let cost = here + self.cost(vertex, step, taste);
                if cost < best[other].0 {
                    best[other] = (cost, vertex);
                    heap.push((Reverse(((cost + guess(other)) * 1e3) as u64), other));
                }
            }
        }
        let mut line = vec![to];
        let mut at = to;
        while at != from {
            at = best[at].1;
            if at == usize::MAX {
                return Vec::new();
            }
            line.push(at);
        }
        line.reverse();
        line
    }

    /// Marks a line's edges as taken; answers the runs of vertices that were free before.
    pub fn lay(&mut self, line: &[usize]) -> Vec<Vec<usize>> {
        let mut runs: Vec<Vec<usize>> = Vec::new();
        let mut open = false;
        for pair in line.windows(2) {
            let Some((.., out)) = self.around(pair[0]).find(|(other, ..)| *other == pair[1]) else { continue };
            if self.is_laid(pair[0], out) {
                open = false;
                continue;
            }
            let back = out / 4 * 4 + (out + 2) % 4;
            self.laid[pair[0]] |= 1 << out;
            self.laid[pair[1]] |= 1 << back;
            if !open {
                runs.push(vec![pair[0]]);
                open = true;
            }
            runs.last_mut().expect("a run was just opened").push(pair[1]);
        }
        for vertex in line {
            let ring: Vec<usize> = self.around(*vertex).map(|(other, ..)| other).collect();
            for other in ring {
                self.near[other] = self.near[other].max(1);
            }
            self.near[*vertex] = 2;
        }
        runs
    }

    /// The highest tops, each at least `apart_m` from a higher one, highest first.
    pub fn tops(&self, apart_m: f64) -> Vec<usize> {
        let mut by_height: Vec<usize> =
            (0..self.heights_m.len()).filter(|v| inside(self.spot(*v), 700.0)).filter(|v| self.is_top(*v)).collect();
        by_height.sort_by(|a, b| self.heights_m[*b].total_cmp(&self.heights_m[*a]));
        let mut kept: Vec<usize> = Vec::new();
        for vertex in by_height {
            if kept.iter().all(|other| distance(self.spot(*other), self.spot(vertex)) > apart_m) {
                kept.push(vertex);
            }
        }
        kept
    }

    fn is_top(&self, vertex: usize) -> bool {
        self.around(vertex).all(|(other, ..)| self.heights_m[other] < self.heights_m[vertex])
    }
}
