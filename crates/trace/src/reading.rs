//! What can be asked of a file that was read.

use crate::{Gap, JOIN_BELOW_M, Measure, Position, Reading, distance_m, measure};

impl Reading {
    /// How many points its segments have.
    pub fn point_count(&self) -> usize {
        self.segments.iter().map(|segment| segment.points.len()).sum()
    }

    /// The holes between segments that are 30 m or more apart: what must be asked.
    pub fn gaps(&self) -> Vec<Gap> {
        let ends = self.segments.windows(2).enumerate().filter_map(|(i, pair)| {
            let (from, to) = (pair[0].points.last()?.position, pair[1].points.first()?.position);
            Some(Gap { after_segment: i, length_m: distance_m(from, to), from, to })
        });
        ends.filter(|gap| gap.length_m >= JOIN_BELOW_M).collect()
    }

    /// The pieces that are left once segments less than 30 m apart are joined; one piece where nothing must be asked.
    pub fn joined(&self) -> Vec<Vec<Position>> {
        let mut pieces: Vec<Vec<Position>> = Vec::new();
        for segment in self.segments.iter().filter(|segment| !segment.points.is_empty()) {
            let positions = segment.positions();
            match pieces.last_mut().zip(positions.first().copied()) {
                Some((piece, start)) if piece.last().is_some_and(|end| distance_m(*end, start) < JOIN_BELOW_M) => {
                    let repeats = piece.last().is_some_and(|end| end.same_place(start));
                    piece.extend(positions.into_iter().skip(usize::from(repeats)));
                }
                _ => pieces.push(positions),
            }
        }
        pieces
    }

    /// The segments of the file, without those that have no point: the result when none is to be joined.
    pub fn pieces(&self) -> Vec<Vec<Position>> {
        self.segments.iter().filter(|segment| !segment.points.is_empty()).map(crate::Segment::positions).collect()
    }

    /// Every position as one line, gaps crossed straight: the result of joining all pieces.
    pub fn line(&self) -> Vec<Position> {
        self.joined().into_iter().flatten().collect()
    }

    /// The sum of the measures of the joined pieces; gaps do not count.
    pub fn measure(&self) -> Measure {
        self.joined().iter().map(|piece| measure(piece)).reduce(Measure::and).unwrap_or_default()
    }
}
