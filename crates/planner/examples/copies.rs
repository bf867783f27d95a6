//! An extract as large as one likes, for scaled runs: `copies EXTRACT COUNT OUT.osm.pbf PAIRS.csv`.
//!
//! Lays copies of an extract side by side with distinct ids, joins each to the next by a few roads, and draws 500 seeded
//! pairs of places: every other pair within one copy, the rest anywhere.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use extract::{Element, MemberKind, Node, Tags, Way};
use planner::truth::Random;
use std::{collections::HashMap, env, error::Error, fmt::Write as _, fs, path::Path};

/// Roads that join a copy to its neighbour.
const JOINTS: usize = 8;
const PAIRS: usize = 500;

type Failure = Box<dyn Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    let [extract, count, out, pairs] = &arguments[..] else {
        return Err("copies EXTRACT COUNT OUT.osm.pbf PAIRS.csv".into());
    };
    let mut elements = Vec::new();
    let header = extract::read(Path::new(extract), |element| elements.push(element))?;
    let copies = Copies::of(&elements, header.bbox.ok_or("the extract declares no box")?, count.parse()?);
    let mut writer = extract::PbfWriter::create(Path::new(out), &extract::Header { bbox: None, ..header })?;
    let mut count = 0;
    copies.laid(&elements, |some| {
        count += some.len();
        writer.write(some)
    })?;
    writer.finish()?;
    fs::write(pairs, copies.pairs())?;
    println!("{}", serde_json::json!({ "elements": count, "bytes": fs::metadata(out)?.len() }));
    Ok(())
}

/// Where the copies go, and the road nodes that joints and pairs are taken from.
struct Copies {
    count: usize,
    columns: usize,
    width: f64,
    height: f64,
    /// Number, longitude, latitude; from west to east.
    places: Vec<(i64, f64, f64)>,
}

impl Copies {
    fn of(elements: &[Element], bbox: [f64; 4], count: usize) -> Self {
        let nodes: HashMap<i64, (f64, f64)> = elements
            .iter()
            .filter_map(|e| if let Element::Node(n) = e { Some((n.id, (n.lon, n.lat))) } else { None })
            .collect();
        let is_road =
            |way: &Way| matches!(way.tags.get("highway"), Some("residential" | "tertiary" | "secondary" | "track"));
        let ends = elements
            .iter()
            .filter_map(|e| if let Element::Way(w) = e { w.nodes.first().filter(|_| is_road(w)) } else { None });
        let is_inside = |(lon, lat): &(f64, f64)| (bbox[0]..bbox[2]).contains(lon) && (bbox[1]..bbox[3]).contains(lat);
        let mut places: Vec<(i64, f64, f64)> =
            ends.filter_map(|id| nodes.get(id).filter(|n| is_inside(n)).map(|(lon, lat)| (*id, *lon, *lat))).collect();
        places.sort_by(|a, b| a.1.total_cmp(&b.1).then(a.0.cmp(&b.0)));
        let columns = (count as f64).sqrt().ceil() as usize;
        Self { count, columns, width: bbox[2] - bbox[0], height: bbox[3] - bbox[1], places }
    }

    fn id(&self, id: i64, copy: usize) -> i64 {
        id * self.count as i64 + copy as i64
    }

    fn shift(&self, copy: usize) -> (f64, f64) {
        ((copy % self.columns) as f64 * self.width, (copy / self.columns) as f64 * self.height)
    }

    /// Nodes of every copy, then ways with the joints, then relations: `each` is called for one copy at a time.
    fn laid<E>(&self, elements: &[Element], mut each: impl FnMut(&[Element]) -> Result<(), E>) -> Result<(), E> {
        for kind in 0..3 {
            for copy in 0..self.count {
                let mut all: Vec<Element> =
                    elements.iter().filter(|e| kind_of(e) == kind).map(|e| self.moved(e, copy)).collect();
                if kind == 1 {
                    let (column, row) = (copy % self.columns, copy / self.columns);
                    let beside = (column + 1 < self.columns).then_some(copy + 1);
                    let below = (row > 0).then(|| copy - self.columns);
                    let others = [beside, below].into_iter().flatten().filter(|other| *other < self.count);
                    all.extend(others.flat_map(|other| self.joints(copy, other)));
                }
                each(&all)?;
            }
        }
        Ok(())
    }

    fn moved(&self, element: &Element, copy: usize) -> Element {
        let (east, north) = self.shift(copy);
        match element {
            Element::Node(n) => Element::Node(Node {
                id: self.id(n.id, copy),
                lon: n.lon + east,
                lat: n.lat + north,
                tags: n.tags.clone(),
            }),
            Element::Way(w) => Element::Way(Way {
                id: self.id(w.id, copy),
                nodes: w.nodes.iter().map(|id| self.id(*id, copy)).collect(),
                tags: w.tags.clone(),
            }),
            Element::Relation(r) => {
                let mut relation = r.clone();
                relation.id = self.id(r.id, copy);
                for member in relation.members.iter_mut().filter(|m| m.kind != MemberKind::Relation) {
                    member.id = self.id(member.id, copy);
                }
                Element::Relation(relation)
            }
        }
    }

    /// Roads from a copy's eastern places to another's western ones.
    fn joints(&self, copy: usize, other: usize) -> Vec<Element> {
        let most = self.places.len() - 1;
        let road = |i: usize| {
            let (from, to) = (self.places[most - i].0, self.places[i].0);
            // Above every number that the extract has.
            let id = i64::from(u32::MAX) * (self.count * 2) as i64 + ((copy * self.count + other) * JOINTS + i) as i64;
            let tags = Tags::from(vec![("highway".to_owned(), "tertiary".to_owned())]);
            Element::Way(Way { id, nodes: vec![self.id(from, copy), self.id(to, other)], tags })
        };
        (0..JOINTS.min(self.places.len())).map(road).collect()
    }

    fn pairs(&self) -> String {
        let mut random = Random::new(42);
        let mut draw = |below: usize| (random.share() * below as f64) as usize;
        let mut text = String::from("id,from_lon,from_lat,to_lon,to_lat\n");
        for pair in 0..PAIRS {
            let home = draw(self.count);
            let away = if pair % 2 == 0 { home } else { draw(self.count) };
            let _ = write!(text, "{pair}");
            for copy in [home, away] {
                let ((_, lon, lat), (east, north)) = (self.places[draw(self.places.len())], self.shift(copy));
                let _ = write!(text, ",{:.7},{:.7}", lon + east, lat + north);
            }
            text.push('\n');
        }
        text
    }
}

fn kind_of(element: &Element) -> usize {
    match element {
        Element::Node(_) => 0,
        Element::Way(_) => 1,
        Element::Relation(_) => 2,
    }
}
