//! Lines of one kind, gathered and then joined end to end.

use crate::feature::Features;
use crate::geometry::Point;
use crate::geometry::join::join;
use crate::schema::{Kind, Layer};
use std::collections::HashMap;

/// Lines by kind and whether their direction counts.
#[derive(Debug, Default)]
pub(crate) struct Groups {
    index: HashMap<(Kind, bool), usize>,
    lists: Vec<(Kind, bool, Vec<Vec<Point>>)>,
}

impl Groups {
    pub(crate) fn add(&mut self, kind: Kind, directed: bool, line: Vec<Point>) {
        let key = (kind, directed);
        let slot = self.index.get(&key).copied().unwrap_or_else(|| {
            let slot = self.lists.len();
            self.lists.push((key.0.clone(), directed, Vec::new()));
            self.index.insert(key, slot);
            slot
        });
        self.lists[slot].2.push(line);
    }

    /// Joins each group and passes its lines on.
    pub(crate) fn finish(self, features: &mut Features) {
        for (kind, directed, lines) in self.lists {
            let order = importance(&kind);
            for line in join(&lines, directed) {
                features.add_line(kind.clone(), &line, order);
            }
        }
    }
}

/// The drawing order, the highest on top: main roads over paths, long networks over short ones.
fn importance(kind: &Kind) -> i64 {
    match kind.layer {
        Layer::Road | Layer::RoadLabel | Layer::Route | Layer::Line => -i64::from(kind.min_zoom),
        _ => i64::from(kind.min_zoom),
    }
}
