//! Pictures: landscapes drawn from the region's own land, as JPEG.

use std::f64::consts::TAU;

use image::codecs::jpeg::JpegEncoder;
use image::{ExtendedColorType, ImageEncoder};

use super::Text;
use crate::DemoError;
use crate::ground::{Spot, between, spot};
use crate::random::{Random, noise, rough};
use crate::region::Region;
use crate::terrain;

/// Width, pixels.
const WIDE: usize = 1600;
/// Height, pixels.
const HIGH: usize = 1067;

/// The hour and the season.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Picturing {
    /// Clear day.
    Day,
    /// First light.
    Dawn,
    /// Last light.
    Dusk,
    /// Autumn woods.
    Autumn,
    /// First snow.
    Snow,
    /// Mist in the valley.
    Mist,
}

/// A picture that is drawn when asked for.
#[derive(Debug, Clone)]
pub struct Picture {
    /// Stable name.
    pub key: &'static str,
    /// Key of the white-label that owns it.
    pub white_label: &'static str,
    /// Its file's name.
    pub file_name: String,
    /// Legend.
    pub legend: Text,
    /// What it shows, for those who don't see it.
    pub alt: Text,
    /// The owner of the rights; empty where it is unknown.
    pub copyright: &'static str,
    /// Where it was taken, longitude and latitude, degrees.
    pub lon_lat: [f64; 2],
    bearing_deg: f64,
    light: Picturing,
    water: bool,
}

type Row = (&'static str, &'static str, f64, Picturing, bool, [&'static str; 2], [&'static str; 2]);

/// Key, place, bearing, light, water in front, legend, what it shows.
const ROWS: [Row; 24] = [
    (
        "lac-digue",
        "Belvédère de la Digue",
        330.0,
        Picturing::Day,
        true,
        ["Le lac de Brève depuis la Digue", "Lake Brève from the Digue"],
        ["Le lac entre deux versants boisés, par temps clair", "The lake between two wooded slopes on a clear day"],
    ),
    (
        "lac-aube",
        "Port de Brévine",
        225.0,
        Picturing::Dawn,
        true,
        ["Premières lueurs au port de Brévine", "First light at Brévine harbour"],
        ["Le lac rose au lever du jour, montagnes au loin", "The lake pink at sunrise, mountains beyond"],
    ),
    (
        "lac-soir",
        "Ponton des pêcheurs",
        60.0,
        Picturing::Dusk,
        true,
        ["Soir d’août sur le ponton", "August evening on the jetty"],
        ["L’eau orangée du soir et les crêtes en ombre", "Orange evening water and ridges in shadow"],
    ),
    (
        "brevine",
        "Brévine",
        200.0,
        Picturing::Day,
        true,
        ["Brévine et sa rive", "Brévine and its shore"],
        ["Une rive herbeuse, le lac et la forêt", "A grassy shore, the lake and the forest"],
    ),
    (
        "montpezel",
        "Montpezel",
        40.0,
        Picturing::Autumn,
        false,
        ["Montpezel, les bois d’octobre", "Montpezel, October woods"],
        ["Des bois roux au-dessus d’un pré", "Rust-coloured woods above a meadow"],
    ),
    (
        "echines-automne",
        "Les Échines",
        20.0,
        Picturing::Autumn,
        false,
        ["Sentier des Échines à l’automne", "The Échines path in autumn"],
        ["Une crête couverte de hêtres roux", "A ridge covered in copper beeches"],
    ),
    (
        "hetre-neige",
        "Col du Hêtre",
        300.0,
        Picturing::Snow,
        false,
        ["Col du Hêtre sous la première neige", "Hêtre pass under first snow"],
        ["Des croupes blanches sous un ciel pâle", "White hills under a pale sky"],
    ),
    (
        "chantemerle",
        "Chantemerle",
        110.0,
        Picturing::Day,
        false,
        ["Bois de Chantemerle", "Chantemerle wood"],
        ["Un vallon vert fermé par une colline boisée", "A green valley closed by a wooded hill"],
    ),
    (
        "hautier-aube",
        "Hautier",
        190.0,
        Picturing::Dawn,
        false,
        ["Crêtes du Hautier au lever du jour", "The Hautier ridges at sunrise"],
        ["Plusieurs plans de crêtes dans la lumière rose", "Ridge after ridge in pink light"],
    ),
    (
        "lorne-brume",
        "Lornay",
        60.0,
        Picturing::Mist,
        true,
        ["Brume sur la Lorne", "Mist on the Lorne"],
        ["La rivière sous un voile de brume", "The river beneath a veil of mist"],
    ),
    (
        "lorne-quais",
        "La Roche-Vive",
        245.0,
        Picturing::Dusk,
        true,
        ["La Roche-Vive, les quais le soir", "La Roche-Vive, the quays in the evening"],
        ["La rivière au couchant", "The river at sunset"],
    ),
    (
        "veloroute-lornay",
        "Lornay",
        85.0,
        Picturing::Day,
        false,
        ["Véloroute, halte de Lornay", "Greenway, Lornay halt"],
        ["Une vallée ouverte sous un ciel bleu", "An open valley under a blue sky"],
    ),
    (
        "etangs",
        "Observatoire des Étangs",
        340.0,
        Picturing::Day,
        true,
        ["Étangs de Charnoux", "Charnoux ponds"],
        ["Un étang calme devant une colline", "A still pond before a hill"],
    ),
    (
        "etangs-soir",
        "Charnoux",
        160.0,
        Picturing::Dusk,
        true,
        ["Charnoux, l’heure des grenouilles", "Charnoux, the hour of frogs"],
        ["Un étang au crépuscule", "A pond at dusk"],
    ),
    (
        "vernet-plateau",
        "Table d’orientation du Plateau",
        130.0,
        Picturing::Day,
        false,
        ["Plateau de Vernet", "Vernet plateau"],
        ["Un plateau d’herbe et des sommets à l’horizon", "A grassy plateau with peaks on the horizon"],
    ),
    (
        "dolmen",
        "Dolmen de la Fade",
        75.0,
        Picturing::Dawn,
        false,
        ["Le plateau au dolmen", "The plateau by the dolmen"],
        ["Une lande au petit matin", "Heathland in the early morning"],
    ),
    (
        "malaval-gorge",
        "Malaval",
        180.0,
        Picturing::Autumn,
        false,
        ["Au-dessus des gorges de Malaval", "Above the Malaval gorge"],
        ["Un vallon étroit aux bois roux", "A narrow valley with copper woods"],
    ),
    (
        "sauvelle-vignes",
        "Sauvelle",
        250.0,
        Picturing::Day,
        false,
        ["Coteaux de Sauvelle", "Sauvelle hillsides"],
        ["Des coteaux verts sous de petits nuages", "Green hillsides beneath small clouds"],
    ),
    (
        "valserre",
        "Valserre",
        280.0,
        Picturing::Mist,
        false,
        ["Valserre, matin d’avril", "Valserre, an April morning"],
        ["Des collines qui sortent de la brume", "Hills rising out of mist"],
    ),
    (
        "fontbrune",
        "Fontbrune",
        235.0,
        Picturing::Dusk,
        false,
        ["Fontbrune et la Lorne haute", "Fontbrune and the upper Lorne"],
        ["Une longue vallée au soleil couchant", "A long valley at sundown"],
    ),
    (
        "orsel-tours",
        "Orsel-le-Vieux",
        230.0,
        Picturing::Mist,
        false,
        ["Vallée de l’Orsel depuis les tours", "The Orsel valley from the towers"],
        ["Une vallée embrumée vue d’en haut", "A misty valley seen from above"],
    ),
    (
        "epinette",
        "Cascade de l’Épinette",
        250.0,
        Picturing::Day,
        false,
        ["Bois de l’Épinette", "Épinette wood"],
        ["Un versant de forêt dense", "A slope of dense forest"],
    ),
    (
        "roche-vive",
        "La Roche-Vive",
        160.0,
        Picturing::Day,
        true,
        ["La Roche-Vive, la Lorne", "La Roche-Vive, the Lorne"],
        ["La rivière devant un versant boisé", "The river before a wooded slope"],
    ),
    (
        "tremoulede",
        "Trémoulède",
        200.0,
        Picturing::Snow,
        false,
        ["Hiver à Trémoulède", "Winter at Trémoulède"],
        ["Des collines enneigées", "Snow-covered hills"],
    ),
];

/// The pictures, none drawn yet.
pub(super) fn pictures(region: &Region) -> Vec<Picture> {
    ROWS.iter()
        .enumerate()
        .filter_map(|(index, (key, place, bearing_deg, light, water, legend, alt))| {
            let place = region.place(place)?;
            let north = place.lat > 44.855;
            Some(Picture {
                key,
                white_label: if north { "val-d-orsel" } else { "pays-de-sauvelle" },
                file_name: format!("{key}.jpg"),
                legend: Text::new(legend[0], legend[1]),
                alt: Text::new(alt[0], alt[1]),
                copyright: match index % 8 {
                    // One in eight was never credited: the library has a filter for those.
                    4 => "",
                    0 | 3 | 6 => "Théo Bastide, OT Val d’Orsel",
                    1 | 5 => "Inès Roumégas, Pays de Sauvelle",
                    _ => "Atelier Sente claire",
                },
                lon_lat: [place.lon, place.lat],
                bearing_deg: *bearing_deg,
                light: *light,
                water: *water,
            })
        })
        .collect()
}

type Color = [f64; 3];

/// Colours of a light: zenith, horizon, haze, woods, grass, sun (or nothing).
struct Palette {
    zenith: Color,
    horizon: Color,
    haze: Color,
    woods: Color,
    grass: Color,
    sun: Option<Color>,
    haze_strength: f64,
}

impl Picturing {
    fn palette(self) -> Palette {
        let clear = |zenith, horizon, haze, woods, grass, sun, haze_strength| Palette {
            zenith,
            horizon,
            haze,
            woods,
            grass,
            sun,
            haze_strength,
        };
        match self {
            Self::Day => clear(
                [70.0, 132.0, 205.0],
                [196.0, 221.0, 238.0],
                [176.0, 202.0, 222.0],
                [48.0, 84.0, 46.0],
                [122.0, 148.0, 68.0],
                None,
                0.75,
            ),
            Self::Dawn => clear(
                [98.0, 122.0, 178.0],
                [248.0, 204.0, 178.0],
                [222.0, 186.0, 184.0],
                [56.0, 62.0, 70.0],
                [110.0, 112.0, 78.0],
                Some([255.0, 236.0, 196.0]),
                0.85,
            ),
            Self::Dusk => clear(
                [64.0, 74.0, 132.0],
                [246.0, 164.0, 104.0],
                [206.0, 140.0, 118.0],
                [42.0, 40.0, 58.0],
                [74.0, 68.0, 58.0],
                Some([255.0, 214.0, 140.0]),
                0.8,
            ),
            Self::Autumn => clear(
                [104.0, 152.0, 202.0],
                [226.0, 226.0, 214.0],
                [204.0, 200.0, 192.0],
                [142.0, 84.0, 38.0],
                [148.0, 142.0, 74.0],
                None,
                0.7,
            ),
            Self::Snow => clear(
                [150.0, 172.0, 200.0],
                [226.0, 232.0, 238.0],
                [206.0, 216.0, 228.0],
                [176.0, 188.0, 200.0],
                [236.0, 240.0, 246.0],
                None,
                0.6,
            ),
            Self::Mist => clear(
                [176.0, 190.0, 204.0],
                [228.0, 230.0, 228.0],
                [220.0, 224.0, 224.0],
                [70.0, 92.0, 78.0],
                [126.0, 142.0, 92.0],
                None,
                1.0,
            ),
        }
    }
}

fn mixed(a: Color, b: Color, part: f64) -> Color {
    std::array::from_fn(|i| a[i] + (b[i] - a[i]) * part.clamp(0.0, 1.0))
}

/// Smooth noise over the picture, made on a coarse mesh and read between its points.
struct Grain {
    values: Vec<f64>,
    columns: usize,
}

const MESH: usize = 4;

impl Grain {
    fn new(stretch: f64, size: f64, octaves: u32, seed: u64) -> Self {
        let (columns, rows) = (WIDE / MESH + 2, HIGH / MESH + 2);
        let at = |k: usize| [(k % columns) as f64 * MESH as f64 / stretch, (k / columns) as f64 * MESH as f64];
        Self { values: (0..columns * rows).map(|k| rough(at(k), size, octaves, seed)).collect(), columns }
    }

    fn at(&self, x: usize, y: usize) -> f64 {
        let (i, j) = (x / MESH, y / MESH);
        let (u, v) = ((x % MESH) as f64 / MESH as f64, (y % MESH) as f64 / MESH as f64);
        let value = |i: usize, j: usize| self.values[j * self.columns + i];
        (value(i, j) * (1.0 - u) + value(i + 1, j) * u) * (1.0 - v)
            + (value(i, j + 1) * (1.0 - u) + value(i + 1, j + 1) * u) * v
    }
}

/// Where each distance band ends, metres.
const BANDS: [f64; 6] = [900.0, 1_800.0, 3_200.0, 5_500.0, 9_000.0, 15_000.0];
const SIGHTS: usize = 320;

/// How far a band is, from 0 (at hand) to 1 (the horizon).
fn depth(band: usize) -> f64 {
    band as f64 / (BANDS.len() - 1) as f64
}

impl Picture {
    /// Draws the picture: JPEG, 1600 × 1067, the same bytes each time.
    pub fn jpeg(&self) -> Result<Vec<u8>, DemoError> {
        let pixels = self.draw();
        let mut bytes = Vec::new();
        JpegEncoder::new_with_quality(&mut bytes, 80)
            .write_image(&pixels, WIDE as u32, HIGH as u32, ExtendedColorType::Rgb8)
            .map_err(|error| DemoError::Picture { key: self.key, why: error.to_string() })?;
        Ok(bytes)
    }

    fn draw(&self) -> Vec<u8> {
        let palette = self.light.palette();
        let seed = self.key.bytes().fold(3, |sum: u64, byte| sum * 31 % 65_521 + u64::from(byte));
        let mut canvas = self.sky(&palette, seed);
        self.ridges(&mut canvas, &palette, seed);
        self.front(&mut canvas, &palette, seed);
        let mut random = Random::new(seed);
        canvas
            .iter()
            .flat_map(|color| {
                let grain = random.within(-2.5, 2.5);
                color.map(|channel| (channel + grain).clamp(0.0, 255.0) as u8)
            })
            .collect()
    }

    fn sky(&self, palette: &Palette, seed: u64) -> Vec<Color> {
        let clouds = Grain::new(3.4, 150.0, 5, seed);
        let (sun_x, sun_y) = (WIDE as f64 * (0.25 + 0.5 * noise([7.0, seed as f64], 3.0, 1).abs()), HIGH as f64 * 0.36);
        let overcast = if self.light == Picturing::Mist { 0.0 } else { 0.85 };
        let mut canvas = Vec::with_capacity(WIDE * HIGH);
        for y in 0..HIGH {
            let down = (y as f64 / (HIGH as f64 * 0.52)).min(1.0);
            let base = mixed(palette.zenith, palette.horizon, down.powf(1.3));
            for x in 0..WIDE {
                let mut color = base;
                if down < 1.0 {
                    let cloud = ((clouds.at(x, y) - 0.12) * 1.7).clamp(0.0, 1.0) * overcast * (1.0 - down * 0.7);
                    color = mixed(color, mixed([250.0; 3], palette.horizon, 0.3), cloud);
                }
                if let Some(sun) = palette.sun {
                    let away = ((x as f64 - sun_x).powi(2) + (y as f64 - sun_y).powi(2)).sqrt();
                    color = mixed(color, sun, (0.75 * (-away / 170.0).exp()) + if away < 30.0 { 0.9 } else { 0.0 });
                }
                canvas.push(color);
            }
        }
        canvas
    }

    /// The land seen in each direction, as the highest angle in each band of distance.
    fn sights(&self) -> Vec<[f64; BANDS.len()]> {
        let eye = spot(self.lon_lat[0], self.lon_lat[1]);
        let eye_m = terrain::height(eye) + 70.0;
        (0..=SIGHTS)
            .map(|k| {
                let turn = (self.bearing_deg + 62.0 * (k as f64 / SIGHTS as f64 - 0.5)) / 360.0 * TAU;
                let far: Spot = [eye[0] + turn.sin() * 1_000.0, eye[1] + turn.cos() * 1_000.0];
                let mut highest = [-1.0_f64; BANDS.len()];
                let mut away_m = 350.0;
                while away_m < BANDS[BANDS.len() - 1] {
                    let angle = (terrain::height(between(eye, far, away_m / 1_000.0)) - eye_m) / away_m;
                    let band = BANDS.iter().position(|end| away_m < *end).unwrap_or(0);
                    highest[band] = highest[band].max(angle);
                    away_m *= 1.055;
                }
                highest
            })
            .collect()
    }

    fn ridges(&self, canvas: &mut [Color], palette: &Palette, seed: u64) {
        let sights = self.sights();
        let texture = Grain::new(1.0, 46.0, 4, seed + 50);
        let horizon = HIGH as f64 * 0.56;
        let shore = self.shore();
        for x in 0..WIDE {
            let at = x as f64 / WIDE as f64 * SIGHTS as f64;
            let (k, u) = (at as usize, at.fract());
            let tops: [f64; BANDS.len()] = std::array::from_fn(|band| {
                let angle = sights[k][band] * (1.0 - u) + sights[(k + 1).min(SIGHTS)][band] * u;
                // Tree tops roughen what is near.
                let rough_px = noise([x as f64, band as f64 * 40.0], 5.0, seed) * 6.0 * (1.0 - depth(band));
                (horizon - angle * HIGH as f64 * 1.25 + rough_px).clamp(HIGH as f64 * 0.12, HIGH as f64)
            });
            let highest = tops.iter().copied().fold(HIGH as f64, f64::min) as usize;
            for y in highest..shore {
                // The nearest slope that reaches this high hides the others.
                let Some(band) = tops.iter().position(|top| *top <= y as f64) else { continue };
                let part = depth(band);
                let fade = (0.12 + part * palette.haze_strength).min(0.93);
                let below = (y as f64 - tops[band]) / 260.0;
                let light = 1.0 + 0.32 * texture.at(x, y) * (1.0 - part * 0.7) - below.min(1.0) * 0.12;
                let open = (texture.at((x + 400) % WIDE, y) * 0.8 + below * 0.35).clamp(0.0, 0.85);
                let cover = mixed(palette.woods, palette.grass, open);
                let mist = if self.light == Picturing::Mist { below.min(0.8) } else { below.min(1.0) * 0.12 };
                canvas[y * WIDE + x] =
                    mixed(cover.map(|channel| channel * light), palette.haze, (fade + mist * 0.6).min(0.96));
            }
        }
    }

    /// The row where the land ends and the water or the meadow begins.
    fn shore(&self) -> usize {
        (HIGH as f64 * if self.water { 0.64 } else { 0.80 }) as usize
    }

    /// Water that mirrors what is above it, or a meadow; and a few firs.
    fn front(&self, canvas: &mut [Color], palette: &Palette, seed: u64) {
        let ripples = Grain::new(6.0, 9.0, 3, seed + 90);
        let shore = self.shore();
        for y in shore..HIGH {
            let depth = (y - shore) as f64 / (HIGH - shore) as f64;
            for x in 0..WIDE {
                let wave = ripples.at(x, y);
                canvas[y * WIDE + x] = if self.water {
                    let mirrored =
                        (shore as f64 - (y - shore) as f64 * 1.15 + wave * 9.0 * (0.3 + depth)).max(0.0) as usize;
                    let seen = canvas[mirrored.min(shore - 1) * WIDE + x].map(|channel| channel * 0.88);
                    mixed(seen, palette.zenith.map(|channel| channel * 0.55), 0.22 + 0.28 * depth + 0.05 * wave)
                } else {
                    let blades = 1.0 - 0.22 * depth + 0.22 * wave;
                    mixed(palette.grass, palette.woods, 0.25 + 0.3 * depth).map(|channel| channel * blades)
                };
            }
        }
        let mut random = Random::new(seed + 7);
        for _ in 0..26 {
            let side = if random.chance(0.5) { random.within(-0.04, 0.24) } else { random.within(0.80, 1.04) };
            let tall = random.within(90.0, 300.0);
            let foot = shore as f64 + random.within(-4.0, if self.water { 10.0 } else { 120.0 });
            fir(canvas, [side * WIDE as f64, foot], tall, palette, &mut random);
        }
    }
}

fn fir(canvas: &mut [Color], [x, foot]: Spot, tall: f64, palette: &Palette, random: &mut Random) {
    let dark = mixed(palette.woods, [18.0, 26.0, 24.0], 0.62);
    for row in 0..tall as usize {
        let y = foot - tall + row as f64;
        let part = row as f64 / tall;
        // Branches in tiers, wider towards the foot.
        let half = tall * 0.19 * part * (0.62 + 0.38 * (part * tall / 17.0).fract()) + random.within(0.0, 2.0);
        if y < 0.0 || y >= HIGH as f64 {
            continue;
        }
        for column in (x - half).max(0.0) as usize..(x + half).clamp(0.0, WIDE as f64) as usize {
            let lit = 0.85 + 0.3 * (column as f64 - x + half) / (2.0 * half).max(1.0);
            canvas[y as usize * WIDE + column] = dark.map(|channel| channel * lit);
        }
    }
}
