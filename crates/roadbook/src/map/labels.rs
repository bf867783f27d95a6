//! Names on the map: the most important first, each where it covers neither line nor number nor another name.

use serde::Serialize;

use crate::fonts::label_width_mm;
use crate::map::line;
use crate::map::markers::Marker;
use crate::svg::Mm;

/// The largest number of names on a map.
const MAX_LABELS: usize = 26;

/// A name that could be on the map.
#[derive(Debug, Clone)]
pub(crate) struct Name {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    pub(crate) at: Mm,
    /// The lower, the more important.
    pub(crate) rank: u32,
}

/// The kind of thing that is named.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum Kind {
    Town,
    Village,
    Water,
    Summit,
    Hamlet,
}

impl Kind {
    pub(crate) const fn size_pt(self) -> f64 {
        match self {
            Self::Town => 7.6,
            Self::Village => 6.8,
            Self::Water | Self::Summit => 6.6,
            Self::Hamlet => 6.2,
        }
    }
}

impl Name {
    pub(crate) fn town(text: String, at: Mm) -> Self {
        Self { text, kind: Kind::Town, at, rank: 0 }
    }
}

/// A name in its place.
#[derive(Debug, Serialize)]
pub(crate) struct Label {
    pub(crate) text: String,
    pub(crate) kind: Kind,
    /// The dot, for a place; a water's name is put on it.
    pub(crate) at: Mm,
    /// The text's middle.
    pub(crate) x: f64,
    pub(crate) y: f64,
}

/// Left, top, right, bottom.
pub(crate) type Box4 = [f64; 4];

/// Names on a printed map.
pub(crate) fn place(names: Vec<Name>, markers: &[Marker], lines: &[Vec<Mm>], paper: Mm) -> Vec<Label> {
    let mut taken: Vec<Box4> = markers
        .iter()
        .map(|marker| around(marker.disc, 2.2 * marker.size, 2.2 * marker.size))
        .chain(markers.iter().map(|marker| around(marker.at, 0.8, 0.8)))
        .collect();
    // Scale bar, arrow, who made the data.
    taken.extend([
        [0.0, paper[1] - 8.0, 60.0, paper[1]],
        [paper[0] - 11.0, 0.0, paper[0], 13.0],
        [paper[0] - 48.0, paper[1] - 5.0, paper[0], paper[1]],
    ]);
    place_beside(names, taken, lines, paper)
}

/// Names that cover nothing of what is taken already.
pub(crate) fn place_beside(mut names: Vec<Name>, mut taken: Vec<Box4>, lines: &[Vec<Mm>], paper: Mm) -> Vec<Label> {
    names.retain(|name| (0..2).all(|axis| name.at[axis] > 2.0 && name.at[axis] < paper[axis] - 2.0));
    names.sort_by(|a, b| (a.kind, a.rank).cmp(&(b.kind, b.rank)).then(a.text.cmp(&b.text)));
    let mut labels: Vec<Label> = Vec::new();
    let mut written: Vec<Box4> = Vec::new();
    for name in names {
        if labels.len() >= MAX_LABELS {
            break;
        }
        // The same name twice: a place and its station, a lake cut by a tile.
        if labels.iter().any(|label| label.text == name.text) {
            continue;
        }
        // Its dot would be under a name that is placed already.
        let dot = around(name.at, 0.4, 0.4);
        if name.kind != Kind::Water && written.iter().any(|other| overlap(&dot, other)) {
            continue;
        }
        let half = [label_width_mm(&name.text, name.kind.size_pt()) / 2.0 + 0.7, name.kind.size_pt() * 0.2];
        if let Some(at) =
            spots(&name, half).into_iter().find(|&at| free(around(at, half[0], half[1]), &taken, lines, paper))
        {
            taken.push(around(at, half[0] + 0.5, half[1] + 0.4));
            written.push(around(at, half[0], half[1]));
            if name.kind != Kind::Water {
                taken.push(around(name.at, 0.8, 0.8));
            }
            labels.push(Label { text: name.text, kind: name.kind, at: name.at, x: at[0], y: at[1] });
        }
    }
    labels
}

/// Where a name may be put, the best first.
fn spots(name: &Name, half: Mm) -> Vec<Mm> {
    let [x, y] = name.at;
    if name.kind == Kind::Water {
        return vec![[x, y], [x, y - 2.0], [x, y + 2.0]];
    }
    let (aside, above) = (half[0] + 1.2, half[1] + 1.2);
    vec![
        [x + aside, y],
        [x - aside, y],
        [x, y - above],
        [x, y + above],
        [x + aside, y - above],
        [x - aside, y - above],
        [x + aside, y + above],
        [x - aside, y + above],
    ]
}

fn around(at: Mm, half_width: f64, half_height: f64) -> Box4 {
    [at[0] - half_width, at[1] - half_height, at[0] + half_width, at[1] + half_height]
}

fn overlap(a: &Box4, b: &Box4) -> bool {
    a[0] < b[2] && b[0] < a[2] && a[1] < b[3] && b[1] < a[3]
}

fn free(wanted: Box4, taken: &[Box4], lines: &[Vec<Mm>], paper: Mm) -> bool {
    let inside = wanted[0] > 1.0 && wanted[1] > 1.0 && wanted[2] < paper[0] - 1.0 && wanted[3] < paper[1] - 1.0;
    inside
        && !taken.iter().any(|other| overlap(&wanted, other))
        && !lines.iter().flat_map(|line| line.windows(2)).any(|pair| crosses(wanted, pair))
}

/// Whether a piece of line comes nearer to the box than its own width: the box's ends, middle and thirds are asked.
fn crosses(wanted: Box4, pair: &[Mm]) -> bool {
    let (low, high) =
        ([0, 1].map(|a| pair[0][a].min(pair[1][a]) - 1.0), [0, 1].map(|a| pair[0][a].max(pair[1][a]) + 1.0));
    if wanted[2] < low[0] || wanted[0] > high[0] || wanted[3] < low[1] || wanted[1] > high[1] {
        return false;
    }
    let y = f64::midpoint(wanted[1], wanted[3]);
    let reach = (wanted[3] - wanted[1]) / 2.0 + 0.6;
    let steps = ((wanted[2] - wanted[0]) / 1.5).ceil().max(1.0);
    (0..=steps as u32).any(|k| {
        let x = wanted[0] + (wanted[2] - wanted[0]) * f64::from(k) / steps;
        line::beside([x, y], pair[0], pair[1]) < reach
    })
}

#[cfg(test)]
mod tests {
    use super::{Kind, Name, place};

    #[test]
    fn names_neither_touch_nor_repeat_and_the_important_win() {
        let name = |text: &str, kind, x| Name { text: text.to_owned(), kind, at: [x, 50.0], rank: 1 };
        let many = (0..40).map(|k| name(&format!("Hameau {k}"), Kind::Hamlet, 20.0 + f64::from(k) * 0.5));
        let names = many.chain([name("Brion", Kind::Town, 30.0), name("Brion", Kind::Village, 80.0)]).collect();
        let labels = place(names, &[], &[vec![[0.0, 50.0], [120.0, 50.0]]], [123.0, 100.0]);
        assert_eq!(labels[0].text, "Brion");
        assert_eq!(labels.iter().filter(|label| label.text == "Brion").count(), 1);
        assert!(labels.len() > 2 && labels.len() < 12, "{}", labels.len());
        assert!(labels.iter().all(|label| (label.y - 50.0).abs() > 1.5), "off the line");
    }
}
