//! From what the readers collected to a [`Reading`]: bad points out, elevations filled, and everything reported.

mod elevation;
mod spikes;

use std::collections::HashSet;

use crate::draft::{Draft, LineKind, Note, RawLine, RawPoint, line_at};
use crate::error::{MAX_POINTS, ReadError, ReadErrorKind};
use crate::model::{Reading, Repair, RepairKind, Segment, TracePoint, Waypoint};
use crate::{JOIN_BELOW_M, Position, distance_m};

/// Points outside the world may be left out up to this share of all; beyond it the file is in another system.
const MAX_OUT_OF_WORLD_SHARE: f64 = 0.05;
/// More numbered points of routes than this are the shape of the way, not places that a person named.
const MAX_NUMBERED: usize = 30;

/// Repairs a draft. `text` is what line numbers are counted in; the repairs of `without` are left undone.
pub(crate) fn finish(mut draft: Draft, text: Option<&str>, without: &[RepairKind]) -> Result<Reading, ReadError> {
    let wanted = |kind: RepairKind| !(kind.is_undoable() && without.contains(&kind));
    let line_of = |at: Option<usize>| text.zip(at).map(|(text, at)| line_at(text, at));
    refuse_hopeless(&draft, line_of)?;
    note_invalid(&mut draft);
    leave_out_routes(&mut draft, wanted(RepairKind::RoutesLeftOut));
    leave_out_null_island(&mut draft, line_of)?;
    let first_at = draft.lines.iter().flat_map(|line| &line.points).map(|point| point.at).next();
    for line in &mut draft.lines {
        if wanted(RepairKind::DoubledPoints) {
            draft.notes.extend(remove_doubled(&mut line.points));
        }
        if wanted(RepairKind::Spikes) {
            draft.notes.extend(spikes::remove(&mut line.points));
        }
        draft.notes.extend(spikes::holes(&line.points));
    }
    if wanted(RepairKind::ModelElevations) {
        draft.notes.extend(elevation::drop_models(&mut draft.lines));
    }
    draft.notes.extend(elevation::fill(&mut draft.lines, wanted));
    draft.notes.extend(leave_out_lone_points(&mut draft.lines));
    let all: Vec<RawPoint> = draft.lines.iter().flat_map(|line| &line.points).copied().collect();
    if !moves(&all) {
        if !stands_still(&all) {
            return Err(ReadError { kind: ReadErrorKind::OnePoint, line: line_of(first_at) });
        }
        draft.note(RepairKind::NoMovement, 1, first_at);
    }
    if wanted(RepairKind::JoinedSegments) {
        draft.notes.extend(joints(&draft.lines));
    }
    let repairs = sum_up(&draft.notes, line_of);
    let format = draft.format;
    let name = draft.name.or_else(|| draft.lines.iter().find_map(|line| line.name.clone()));
    let segments = draft.lines.into_iter().map(segment).collect();
    Ok(Reading { format, name, description: draft.description, segments, waypoints: draft.waypoints, repairs })
}

fn refuse_hopeless(draft: &Draft, line_of: impl Fn(Option<usize>) -> Option<usize>) -> Result<(), ReadError> {
    let (outside, outside_at) = draft.out_of_world;
    if outside as f64 > draft.seen as f64 * MAX_OUT_OF_WORLD_SHARE {
        return Err(ReadError { kind: ReadErrorKind::OutOfWorld, line: line_of(outside_at) });
    }
    if draft.lines.iter().any(|line| !line.points.is_empty()) {
        return Ok(());
    }
    let (invalid, invalid_at) = draft.invalid;
    if invalid > 0 {
        return Err(ReadError { kind: ReadErrorKind::NoValidPoint, line: line_of(invalid_at) });
    }
    let kind = ReadErrorKind::NoLine { waypoints: draft.waypoints.len() };
    Err(ReadError { kind, line: line_of(draft.root_at) })
}

fn note_invalid(draft: &mut Draft) {
    let ((invalid, invalid_at), (outside, outside_at)) = (draft.invalid, draft.out_of_world);
    let first_at = [invalid_at, outside_at].into_iter().flatten().min();
    draft.note(RepairKind::InvalidPoints, invalid + outside, first_at);
}

/// A device that exports both the plan and the recording means the recording.
fn leave_out_routes(draft: &mut Draft, wanted: bool) {
    draft.lines.retain(|line| !line.points.is_empty());
    if wanted && draft.lines.iter().any(|line| line.kind == LineKind::Track && line.points.len() > 1) {
        let routes = draft.lines.iter().filter(|line| line.kind == LineKind::Route);
        let (count, at) = (routes.clone().count(), routes.clone().next().map(|line| line.points[0].at));
        draft.note(RepairKind::RoutesLeftOut, count, at);
        draft.lines.retain(|line| line.kind == LineKind::Track);
        draft.route_points.clear();
    }
    take_route_points(draft);
}

/// Named points of routes are waypoints, except those that the file has as waypoints too, and those that a program numbered.
fn take_route_points(draft: &mut Draft) {
    let named = std::mem::take(&mut draft.route_points);
    if named.len() > MAX_NUMBERED && is_numbered(&named) {
        return;
    }
    let known: HashSet<String> = draft.waypoints.iter().filter_map(|waypoint| waypoint.name.clone()).collect();
    let room = MAX_POINTS.saturating_sub(draft.waypoints.len());
    let is_new = |waypoint: &Waypoint| waypoint.name.as_ref().is_none_or(|name| !known.contains(name));
    draft.waypoints.extend(named.into_iter().filter(is_new).take(room));
}

/// Whether the names differ by their numbers alone: `RPT001`, `RPT002`.
fn is_numbered(named: &[Waypoint]) -> bool {
    let stem = |waypoint: &Waypoint| -> String {
        waypoint.name.iter().flat_map(|name| name.chars()).filter(|c| !c.is_numeric()).collect()
    };
    named.windows(2).all(|pair| stem(&pair[0]) == stem(&pair[1]))
}

/// Exactly 0, 0 is what devices write before they know where they are; it goes if a line is left without it. Points that are all there
/// are refused: none is a place.
fn leave_out_null_island(draft: &mut Draft, line_of: impl Fn(Option<usize>) -> Option<usize>) -> Result<(), ReadError> {
    let at_null = |point: &RawPoint| point.lat == 0.0 && point.lon == 0.0;
    let points = || draft.lines.iter().flat_map(|line| &line.points);
    let nulls = points().filter(|point| at_null(point)).count();
    let at = points().find(|point| at_null(point)).map(|point| point.at);
    if nulls > 0 && points().count() == nulls {
        return Err(ReadError { kind: ReadErrorKind::NoValidPoint, line: line_of(at) });
    }
    if nulls > 0 && points().count() >= nulls + 2 {
        for line in &mut draft.lines {
            line.points.retain(|point| !at_null(point));
        }
        draft.lines.retain(|line| !line.points.is_empty());
        draft.note(RepairKind::InvalidPoints, nulls, at);
    }
    Ok(())
}

/// Points that repeat the place of the one before; the first one's time stays.
///
/// A recording that never moves keeps its first and last moment: it is one of standing still, not a single point.
fn remove_doubled(points: &mut Vec<RawPoint>) -> Option<Note> {
    if !moves(points) && stands_still(points) {
        return None;
    }
    let (before, mut first) = (points.len(), None);
    points.dedup_by(|point, kept| {
        let doubled = place(point).same_place(place(kept));
        if doubled {
            first.get_or_insert(point.at);
            kept.time_ms = kept.time_ms.or(point.time_ms);
            kept.ele = kept.ele.or(point.ele);
        }
        doubled
    });
    let count = before - points.len();
    (count > 0).then_some(Note { kind: RepairKind::DoubledPoints, count, at: first })
}

/// Segments of one point are kept where they touch a neighbour (some recorders write one per point), else left out.
fn leave_out_lone_points(lines: &mut Vec<RawLine>) -> Option<Note> {
    let touches = |a: &RawPoint, b: &RawPoint| distance_m(place(a), place(b)) < JOIN_BELOW_M;
    let end = |i: Option<usize>| i.and_then(|i| lines.get(i)).and_then(|line| line.points.last());
    let start = |i: usize| lines.get(i).and_then(|line| line.points.first());
    let lone: Vec<bool> = (0..lines.len())
        .map(|i| {
            let [point] = &lines[i].points[..] else { return lines[i].points.is_empty() };
            let near = end(i.checked_sub(1)).is_some_and(|other| touches(other, point))
                || start(i + 1).is_some_and(|other| touches(point, other));
            !near
        })
        .collect();
    let count = lone.iter().filter(|lone| **lone).count();
    let at = lone.iter().position(|lone| *lone).and_then(|i| lines[i].points.first()).map(|point| point.at);
    let mut lone = lone.into_iter();
    lines.retain(|_| !lone.next().unwrap_or(false));
    (count > 0).then_some(Note { kind: RepairKind::LonePoints, count, at })
}

/// Whether time passes from the first point to the last.
fn stands_still(points: &[RawPoint]) -> bool {
    let ends = points.first().zip(points.last());
    ends.and_then(|(first, last)| first.time_ms.zip(last.time_ms)).is_some_and(|(from, to)| from != to)
}

fn moves(points: &[RawPoint]) -> bool {
    points.windows(2).any(|pair| !place(&pair[0]).same_place(place(&pair[1])))
}

/// Where [`Reading::joined`] joins.
fn joints(lines: &[RawLine]) -> Option<Note> {
    let mut first = None;
    let count = lines
        .windows(2)
        .filter_map(|pair| Some((pair[0].points.last()?, pair[1].points.first()?)))
        .filter(|(end, start)| distance_m(place(end), place(start)) < JOIN_BELOW_M)
        .inspect(|(_, start)| {
            first.get_or_insert(start.at);
        })
        .count();
    (count > 0).then_some(Note { kind: RepairKind::JoinedSegments, count, at: first })
}

/// One entry a kind: the sum, and the first line.
fn sum_up(notes: &[Note], line_of: impl Fn(Option<usize>) -> Option<usize>) -> Vec<Repair> {
    RepairKind::ALL
        .into_iter()
        .filter_map(|kind| {
            let of_kind = || notes.iter().filter(|note| note.kind == kind);
            let count = of_kind().map(|note| note.count).sum();
            let at = of_kind().filter_map(|note| note.at).min();
            (count > 0).then(|| Repair { kind, count, line: line_of(at) })
        })
        .collect()
}

pub(crate) fn place(point: &RawPoint) -> Position {
    Position { lon: point.lon, lat: point.lat, ele: point.ele }
}

fn segment(line: RawLine) -> Segment {
    let points =
        line.points.iter().map(|point| TracePoint { position: place(point), time_ms: point.time_ms }).collect();
    Segment { name: line.name, points }
}
