//! The looks of the map that a white-label chooses from.

use basemap::Theme;
use domain::Text;
use serde::Serialize;
use utoipa::ToSchema;

/// A look of the map.
#[derive(Debug, Clone, Copy)]
pub struct MapStyle {
    /// Its name in the API and in its address.
    pub code: &'static str,
    /// What it is drawn with.
    pub(crate) theme: Theme,
    label: [&'static str; 2],
}

/// All styles; the first is the recommended one, and the default.
pub const STYLES: [MapStyle; 2] = [
    MapStyle { code: "light", theme: Theme::Light, label: ["Clair", "Light"] },
    MapStyle { code: "dark", theme: Theme::Dark, label: ["Sombre", "Dark"] },
];

/// The recommended one.
const fn recommended() -> &'static str {
    STYLES[0].code
}

/// Where a style is, with names in a language, with the cycle networks or without.
pub fn style_url(code: Option<&str>, locale: &str, cycle_networks: bool) -> String {
    let code = STYLES.iter().map(|style| style.code).find(|own| Some(*own) == code).unwrap_or(recommended());
    let cycle = if cycle_networks { "" } else { "&cycle=off" };
    format!("/map/style-{code}.json?locale={locale}{cycle}")
}

/// A style of the map, for the web app.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MapStyleView {
    code: &'static str,
    label: Text,
    /// The default.
    recommended: bool,
}

impl MapStyleView {
    /// All there are.
    pub(super) fn all() -> Vec<Self> {
        let one = |style: &MapStyle| Self {
            code: style.code,
            label: Text::new(style.label[0], style.label[1]),
            recommended: style.code == recommended(),
        };
        STYLES.iter().map(one).collect()
    }
}
