//! The line and its profile as SVG, drawn by the server: readable without script, printable, light.

use std::fmt::Write as _;

use domain::closure::Detour;
use maud::{Markup, PreEscaped, html};
use outputs::visitor_words::{Language, figures};
use trace::edit::trim;
use trace::{Position, cumulative_m, simplify};

use super::view::PublicParcours;

const WIDTH: f64 = 720.0;
const HEIGHT: f64 = 420.0;
/// What a printed map shows on each side of its frame, in the frame's units.
const STRIP: f64 = 60.0;
/// The last zoom of the map's squares.
const LAST_ZOOM: u8 = 18;
const PLOT_TOP: f64 = 12.0;
const PLOT_BOTTOM: f64 = 148.0;
const PLOT_LEFT: f64 = 44.0;
const PLOT_RIGHT: f64 = 708.0;

/// The elevation profile, or nothing where the line has no elevation.
pub fn profile(parcours: &PublicParcours, language: Language) -> Option<Markup> {
    let along: Vec<f64> = cumulative_m(&parcours.line).into_iter().map(|at| at * parcours.sheet_per_m).collect();
    let total = along.last().copied().filter(|total| *total > 0.0)?;
    let points: Vec<(f64, f64)> =
        along.iter().zip(&parcours.line).filter_map(|(at, position)| position.ele.map(|ele| (*at, ele))).collect();
    if points.len() < 2 {
        return None;
    }
    let points = thin(&points, 360);
    let lowest = points.iter().map(|point| point.1).fold(f64::INFINITY, f64::min);
    let highest = points.iter().map(|point| point.1).fold(f64::NEG_INFINITY, f64::max);
    let (base, top) = (((lowest - 10.0) / 50.0).floor() * 50.0, ((highest + 10.0) / 50.0).ceil() * 50.0);
    let x = |at: f64| PLOT_LEFT + (PLOT_RIGHT - PLOT_LEFT) * at / total;
    let y = |ele: f64| PLOT_BOTTOM - (PLOT_BOTTOM - PLOT_TOP) * (ele - base) / (top - base).max(1.0);

    let mut path = String::new();
    for (index, (at, ele)) in points.iter().enumerate() {
        let _ = write!(path, "{}{:.1} {:.1}", if index == 0 { "M" } else { "L" }, x(*at), y(*ele));
    }
    let area = format!("{path}L{:.1} {PLOT_BOTTOM}L{:.1} {PLOT_BOTTOM}Z", x(points.last()?.0), x(points.first()?.0));
    let label = match language {
        Language::French => format!(
            "Profil altimétrique\u{202f}: de {} à {} d’altitude sur {}",
            figures::metres(language, lowest),
            figures::metres(language, highest),
            figures::distance(language, total)
        ),
        Language::English => format!(
            "Elevation profile: from {} to {} over {}",
            figures::metres(language, lowest),
            figures::metres(language, highest),
            figures::distance(language, total)
        ),
    };
    let rise_step = nice_step((top - base) / 4.0);
    let mut rises = Vec::new();
    let mut rise = (base / rise_step).ceil() * rise_step;
    while rise <= top {
        rises.push(rise);
        rise += rise_step;
    }
    let run_step = nice_step(total / 8.0 / 1000.0) * 1000.0;
    let runs = (0..=(total / run_step) as usize).map(|count| count as f64 * run_step);
    Some(html! {
        svg class="profile" viewBox="0 0 720 176" role="img" aria-label=(label) {
            @for rise in rises {
                line x1=(PLOT_LEFT) x2=(PLOT_RIGHT) y1=(format!("{:.1}", y(rise))) y2=(format!("{:.1}", y(rise))) class="grid" {}
                text x=(PLOT_LEFT - 6.0) y=(format!("{:.1}", y(rise) + 4.0)) text-anchor="end" { (figures::whole(language, rise)) }
            }
            path d=(area) class="area" {}
            path d=(path) class="line" {}
            @for at in parcours.steps.iter().filter_map(|step| step.at_m).filter(|at| *at > 0.0 && *at < total) {
                line x1=(format!("{:.1}", x(at))) x2=(format!("{:.1}", x(at))) y1=(PLOT_TOP) y2=(PLOT_BOTTOM) class="step" {}
            }
            @for run in runs {
                text x=(format!("{:.1}", x(run))) y="168" text-anchor="middle" { (kilometres(run)) }
            }
            g class="cursor" hidden {
                line x1="0" x2="0" y1=(PLOT_TOP) y2=(PLOT_BOTTOM) {}
            }
        }
    })
}

/// The shape of the line, north up, for readers without script and for printing; closed stretches are struck out. Where the base map is
/// this server's, its squares lie below when the page is printed: browsers load them for that alone.
pub fn shape(parcours: &PublicParcours, language: Language, has_squares: bool) -> Markup {
    let line = &parcours.line[..];
    let label = language.pick("Forme du tracé, nord en haut", "Shape of the trace, north up");
    let Some((start, end)) = line.first().zip(line.last()).filter(|_| line.len() > 1) else {
        return html! {};
    };
    let around: Vec<&[Position]> = detours(parcours).map(|detour| &detour.line[..]).collect();
    // What leaves the line may leave its box too.
    let all: Vec<Position> = line.iter().chain(around.iter().copied().flatten()).copied().collect();
    let frame = Frame::around(&all);
    let place = |position: Position| frame.place(position);
    let path = path(line, place);
    let (start, end) = (place(*start), place(*end));
    html! {
        @if has_squares {
            div class="ground" aria-hidden="true" {
                @for square in frame.squares() { img loading="lazy" alt="" src=(square.path) style=(square.style()); }
            }
        }
        svg class="shape" viewBox="0 0 720 420" role="img" aria-label=(label) {
            path d=(path) class="casing" {}
            path d=(path) class="line" {}
            @for stretch in closed_today(parcours) {
                path d=(self::path(&stretch, place)) class="closed-casing" {}
                path d=(self::path(&stretch, place)) class="closed" {}
            }
            @for detour in around {
                path d=(self::path(detour, place)) class="casing" {}
                path d=(self::path(detour, place)) class="detour" {}
            }
            circle cx=(format!("{:.1}", end.0)) cy=(format!("{:.1}", end.1)) r="9" class="end" {}
            circle cx=(format!("{:.1}", start.0)) cy=(format!("{:.1}", start.1)) r="9" class="start" {}
        }
    }
}

/// The stretches of the line that are closed today.
pub fn closed_today(parcours: &PublicParcours) -> Vec<Vec<Position>> {
    let stretches = parcours.closures.iter().filter(|closure| closure.now).flat_map(|closure| &closure.stretches);
    let parts = stretches.map(|(from_m, to_m)| trim(&parcours.line, *from_m, *to_m));
    parts.filter(|part| part.len() > 1).collect()
}

/// The ways round what is closed today.
pub fn detours(parcours: &PublicParcours) -> impl Iterator<Item = &Detour> {
    parcours.closures.iter().filter(|closure| closure.now).flat_map(|closure| &closure.detours)
}

/// The ways round as a JSON array of lines.
pub fn detours_json(parcours: &PublicParcours) -> PreEscaped<String> {
    let lines: Vec<String> = detours(parcours).map(|detour| line_json(&detour.line).0).collect();
    PreEscaped(format!("[{}]", lines.join(",")))
}

/// The closed stretches as a JSON array of lines.
pub fn closed_json(parcours: &PublicParcours) -> PreEscaped<String> {
    let lines: Vec<String> = closed_today(parcours).iter().map(|part| line_json(part).0).collect();
    PreEscaped(format!("[{}]", lines.join(",")))
}

/// The line as a JSON array of positions, thinned for a page: five decimals, at most 2,000 points.
pub fn line_json(line: &[Position]) -> PreEscaped<String> {
    let mut kept = simplify(line, 3.0);
    let mut tolerance_m = 6.0;
    // Doubling past the Earth's girth leaves two points of any line.
    while kept.len() > 2_000 && tolerance_m < 1e8 {
        kept = simplify(&kept, tolerance_m);
        tolerance_m *= 2.0;
    }
    let mut text = String::from("[");
    for (index, position) in kept.iter().enumerate() {
        let comma = if index == 0 { "" } else { "," };
        let _ = match position.ele {
            Some(ele) => write!(text, "{comma}[{:.5},{:.5},{ele:.0}]", position.lon, position.lat),
            None => write!(text, "{comma}[{:.5},{:.5}]", position.lon, position.lat),
        };
    }
    text.push(']');
    PreEscaped(text)
}

fn path(line: &[Position], place: impl Fn(Position) -> (f64, f64)) -> String {
    let mut path = String::new();
    for (index, position) in simplify(line, 12.0).iter().enumerate() {
        let (x, y) = place(*position);
        let _ = write!(path, "{}{x:.1} {y:.1}", if index == 0 { "M" } else { "L" });
    }
    path
}

/// A frame of 720 × 420 around positions, with a margin, in Web Mercator as the squares of the map.
struct Frame {
    /// The middle, in parts of the world's side from its north-western corner.
    middle: (f64, f64),
    /// Units of the frame for the world's side.
    scale: f64,
}

impl Frame {
    fn around(line: &[Position]) -> Self {
        let all = line.iter().map(|position| on_world(*position));
        let bounds = all.fold([f64::INFINITY, f64::INFINITY, f64::NEG_INFINITY, f64::NEG_INFINITY], |b, (x, y)| {
            [b[0].min(x), b[1].min(y), b[2].max(x), b[3].max(y)]
        });
        let (width, height) = ((bounds[2] - bounds[0]).max(1e-9), (bounds[3] - bounds[1]).max(1e-9));
        Self {
            middle: (f64::midpoint(bounds[0], bounds[2]), f64::midpoint(bounds[1], bounds[3])),
            scale: ((WIDTH - 48.0) / width).min((HEIGHT - 48.0) / height),
        }
    }

    fn place(&self, position: Position) -> (f64, f64) {
        let (x, y) = on_world(position);
        (WIDTH / 2.0 + (x - self.middle.0) * self.scale, HEIGHT / 2.0 + (y - self.middle.1) * self.scale)
    }

    /// The squares of the map that cover the frame, and a strip on both sides of it: a printed map is wider. Each is printed at 256 to
    /// 512 units, or larger beyond the last zoom.
    fn squares(&self) -> Vec<Square> {
        let zoom = (self.scale / 256.0).log2().floor().clamp(0.0, f64::from(LAST_ZOOM)) as u8;
        let side = 2f64.powi(i32::from(zoom));
        let size = self.scale / side;
        let last = side as u32 - 1;
        let column = |at: f64| ((at * side).floor().max(0.0) as u32).min(last);
        let half = ((WIDTH / 2.0 + STRIP) / self.scale, HEIGHT / 2.0 / self.scale);
        let (columns, rows) = (
            column(self.middle.0 - half.0)..=column(self.middle.0 + half.0),
            column(self.middle.1 - half.1)..=column(self.middle.1 + half.1),
        );
        let square = |x: u32, y: u32| Square {
            path: format!("/map/squares/{zoom}/{x}/{y}.svg"),
            left: WIDTH / 2.0 + (f64::from(x) / side - self.middle.0) * self.scale,
            top: HEIGHT / 2.0 + (f64::from(y) / side - self.middle.1) * self.scale,
            size,
        };
        rows.flat_map(|y| columns.clone().map(move |x| square(x, y))).collect()
    }
}

/// A square of the map in the units of a frame.
struct Square {
    path: String,
    left: f64,
    top: f64,
    size: f64,
}

impl Square {
    /// Where it is, in hundredths of the frame. A little larger, so that no seam is seen.
    fn style(&self) -> String {
        let of = |units: f64, whole: f64| units / whole * 100.0;
        format!(
            "left:{:.3}%;top:{:.3}%;width:{:.3}%;height:{:.3}%",
            of(self.left, WIDTH),
            of(self.top, HEIGHT),
            of(self.size + 0.5, WIDTH),
            of(self.size + 0.5, HEIGHT)
        )
    }
}

/// Web Mercator: parts of the world's side from its north-western corner.
fn on_world(position: Position) -> (f64, f64) {
    let [x, y] = trace::web_mercator::project([position.lon, position.lat]);
    (x, y)
}

fn thin(points: &[(f64, f64)], most: usize) -> Vec<(f64, f64)> {
    if points.len() <= most {
        return points.to_vec();
    }
    let mut kept: Vec<_> = (0..most).map(|index| points[index * (points.len() - 1) / (most - 1)]).collect();
    kept.dedup();
    kept
}

/// 1, 2 or 5 times a power of ten, not below `rough`.
fn nice_step(rough: f64) -> f64 {
    let power = 10f64.powf(rough.max(1e-3).log10().floor());
    [1.0, 2.0, 5.0, 10.0].into_iter().map(|factor| factor * power).find(|step| *step >= rough).unwrap_or(10.0 * power)
}

fn kilometres(metres: f64) -> String {
    let value = metres / 1000.0;
    if value.fract().abs() < 0.05 { format!("{value:.0}") } else { format!("{value:.1}") }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn steps_of_axes_are_round() {
        assert!((nice_step(37.0) - 50.0).abs() < 1e-9);
        assert!((nice_step(1.2) - 2.0).abs() < 1e-9);
        assert!((nice_step(0.13) - 0.2).abs() < 1e-9);
    }

    #[test]
    fn the_squares_of_a_printed_map_cover_its_frame_and_fit_the_line() {
        for (from, to) in [
            (Position::new(3.2, 44.9), Position::new(3.4, 44.8)),
            (Position::new(3.2, 44.9), Position::new(3.2001, 44.9001)),
            (Position::new(-4.8, 42.3), Position::new(8.2, 51.1)),
        ] {
            let frame = Frame::around(&[from, to]);
            let squares = frame.squares();
            assert!(squares.len() <= 20, "{} squares", squares.len());
            let (x, y) = frame.place(from);
            assert!(
                (24.0..=WIDTH - 24.0).contains(&x.round()) && (24.0..=HEIGHT - 24.0).contains(&y.round()),
                "{x} {y}"
            );
            let holds = |x: f64, y: f64| {
                squares.iter().any(|one| {
                    (one.left..one.left + one.size).contains(&x) && (one.top..one.top + one.size).contains(&y)
                })
            };
            for (x, y) in [(x, y), (1.0, 1.0), (WIDTH - 1.0, HEIGHT - 1.0), (1.0 - STRIP, 210.0)] {
                assert!(holds(x, y), "{x} {y} of {from:?}");
            }
        }
        // The square under the start is the one whose column and row are those of the start in Web Mercator tiles.
        let start = Position::new(3.2, 44.9);
        let frame = Frame::around(&[start, Position::new(3.4, 44.8)]);
        let (x, y) = frame.place(start);
        let below = frame
            .squares()
            .into_iter()
            .find(|one| (one.left..one.left + one.size).contains(&x) && (one.top..one.top + one.size).contains(&y));
        assert_eq!(below.map(|square| square.path).as_deref(), Some("/map/squares/11/1042/737.svg"));
    }

    #[test]
    fn the_json_of_a_long_line_is_small() {
        let line: Vec<_> =
            (0..50_000).map(|i| Position::new(f64::from(i) * 1e-4, 44.0 + (f64::from(i) * 0.7).sin() * 0.01)).collect();
        assert!(line_json(&line).0.len() < 80_000);
    }
}
