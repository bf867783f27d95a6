//! The settings of a white-label.

use std::collections::BTreeMap;

use super::parts::{
    Analytics, Bounds, Colors, CustomField, Fonts, OpenDataLicence, ParcoursChoice, PlannerPreference, PoiChoice,
    WhiteLabelFlags, WhiteLabelKind,
};
use crate::Fault;
use crate::link::check_link;
use crate::planner_profile::PLANNER_PROFILES;
use crate::record::{Kind, between, free, line, list_of, sheet, to, url};

/// The short name where the name has no letter that an address may have.
const UNNAMED_SLUG: &str = "site";

/// The share of a price that is paid in advance where neither a parcours nor its white-label sets one, percent.
pub const USUAL_DEPOSIT_PERCENT: i64 = 30;

/// The zoom of a map of which only the middle is set.
const USUAL_ZOOM: f64 = 11.0;

/// The map of a first view, in CSS pixels: the usual size on a screen.
const FIRST_VIEW_PX: [f64; 2] = [960.0, 600.0];

/// The width of the world at zoom 0, in CSS pixels.
const WORLD_PX: f64 = 512.0;

/// The placeholder for the number of the object in the address of a SIT record.
const PLACEHOLDER: &str = "/[ID_OBJET]";

/// The default colour.
pub const DEFAULT_COLOR: &str = "#0B5F50";

sheet! {
    /// What is set of a white-label.
    WhiteLabelSheet {
        name: String = line(100).required(),
        /// Short name in addresses, unique; made from the name when it is absent.
        slug: String = line(60),
        kind: WhiteLabelKind = free(),
        /// The structure that owns it.
        structure_id: i64 = to(Kind::Structure).required(),
        /// The person in charge.
        contact_id: Option<i64> = to(Kind::Contact),
        /// Whether its site is shown.
        published: bool = free(),
        /// The address of its site: https, under the platform's map domain.
        domain: Option<String> = url(),
        /// The address where it is tried out; made from the other when it is absent.
        preproduction_domain: Option<String> = url(),
        /// Where a POI of a tourist information system is shown, with `/[ID_OBJET]` in the place of its number.
        sit_record_url: Option<String> = line(2_000),
        /// Where a reader goes back to; on the host of its site.
        return_url: Option<String> = url(),
        /// Its three colours.
        colors: Colors = free(),
        /// Its two fonts.
        fonts: Fonts = to(Kind::Media),
        /// Its mark.
        logo_media_id: Option<i64> = to(Kind::Media),
        /// Its mark on documents.
        pdf_logo_media_id: Option<i64> = to(Kind::Media),
        /// The background of documents.
        pdf_background_media_id: Option<i64> = to(Kind::Media),
        /// The look of its map.
        map_style: Option<String> = line(60),
        /// What its map shows at first.
        bounds: Option<Bounds> = free(),
        /// The middle of its map.
        #[schema(value_type = Option<trace::Place>)]
        center: Option<[f64; 2]> = free(),
        /// How near its map is.
        zoom: Option<f64> = between(0, 22),
        /// The profiles its planner offers; all when empty.
        planner_profiles: Vec<String> = list_of(8),
        /// Its preferences, by profile.
        planner_preferences: BTreeMap<String, PlannerPreference> = free(),
        /// Its identifiers at an audience measurement.
        analytics: Analytics = free(),
        /// The translation service it uses.
        translator_id: Option<i64> = to(Kind::Translator),
        custom_fields: Vec<CustomField> = list_of(50),
        /// The POIs it shows.
        poi_filter: PoiChoice = to(Kind::Vocabulary),
        /// The balades it shows.
        parcours_filter: ParcoursChoice = to(Kind::Vocabulary),
        /// Content rated less is not shown.
        rating_min: Option<f64> = between(0, 5),
        /// Content rated more is not shown.
        rating_max: Option<f64> = between(0, 5),
        /// Its switches.
        flags: WhiteLabelFlags = free(),
        /// Sites whose pages may ask its public API, beside its own: `https://site.example`.
        allowed_origins: Vec<String> = list_of(50),
        /// Under which licence its open data go out.
        open_data_licence: OpenDataLicence = free(),
        /// The share of a price that is paid in advance where a parcours sets none, percent; 30 by default.
        deposit_percent: Option<i64> = between(0, 100),
        /// The share of the duration of a parcours that is added for pauses to find the last way home, percent; 33 by default.
        pauses_percent: Option<i64> = between(0, 200),
        /// How many days a client file is kept after the last day of its trip, or after its last save where it has no first day;
        /// until it is deleted when absent.
        client_files_kept_days: Option<i64> = between(1, 3_650),
    }
}

impl WhiteLabelSheet {
    /// The share of a duration that is kept for pauses, percent.
    pub fn pauses(&self) -> i64 {
        self.pauses_percent.unwrap_or(crate::transit::USUAL_PAUSES_PERCENT)
    }

    /// What its maps show at first: its bounds, else what is around its middle at its zoom. West, south, east, north in degrees; none
    /// where it sets neither.
    pub fn first_view(&self) -> Option<[f64; 4]> {
        if let Some(Bounds { ne, sw }) = self.bounds {
            return Some([sw[0], sw[1], ne[0], ne[1]]);
        }
        let [lon, lat] = self.center?;
        // Degrees of longitude a pixel; in the Mercator projection a degree of latitude is longer by 1 / cos(latitude).
        let degrees = 360.0 / (WORLD_PX * self.zoom.unwrap_or(USUAL_ZOOM).exp2());
        let [wide, high] = FIRST_VIEW_PX.map(|px| degrees * px / 2.0);
        let high = high * lat.to_radians().cos();
        Some([(lon - wide).max(-180.0), (lat - high).max(-85.0), (lon + wide).min(180.0), (lat + high).min(85.0)])
    }

    /// The faults between its fields. `map_domain` is the platform's, `styles` the looks of the map that there are.
    pub fn rules(&self, map_domain: &str, styles: &[&str]) -> Vec<Fault> {
        let mut faults = Vec::new();
        // The address before production that is made from the domain is as wrong as the domain.
        let is_made = self.preproduction_domain == self.domain.as_deref().and_then(tried_out_at);
        let tried_out = self.preproduction_domain.as_ref().filter(|_| !is_made);
        for (field, site) in [("/domain", self.domain.as_ref()), ("/preproduction_domain", tried_out)] {
            if site.is_some_and(|site| !is_under(site, map_domain)) {
                faults.push(Fault::new("white-label/domain-host", field).with("host", map_domain));
            }
        }
        if let Some(sit) = &self.sit_record_url {
            if sit.contains(PLACEHOLDER) {
                // The placeholder is replaced by digits: with digits in its place the address must be valid.
                if let Err(wrong) = check_link(&sit.replace("[ID_OBJET]", "1")) {
                    faults.push(Fault::new(wrong.code(), "/sit_record_url"));
                }
            } else {
                faults.push(
                    Fault::new("white-label/sit-placeholder", "/sit_record_url").with("placeholder", PLACEHOLDER),
                );
            }
        }
        if let (Some(back), Some(site)) = (&self.return_url, &self.domain)
            && host_of(back) != host_of(site)
        {
            faults.push(Fault::new("white-label/url-host", "/return_url").with("host", site.trim_end_matches('/')));
        }
        if let (Some(least), Some(most)) = (self.rating_min, self.rating_max)
            && least > most
        {
            faults.push(Fault::new("white-label/ratings", "/rating_max").with("min", least));
        }
        if self.map_style.as_deref().is_some_and(|style| !styles.contains(&style)) {
            faults.push(Fault::new("validation/unknown-reference", "/map_style"));
        }
        for profile in self.planner_profiles.iter().filter(|profile| !PLANNER_PROFILES.contains(&profile.as_str())) {
            faults.push(Fault::new("validation/unknown-reference", "/planner_profiles").with("id", profile.clone()));
        }
        for profile in self.planner_preferences.keys().filter(|profile| !PLANNER_PROFILES.contains(&profile.as_str())) {
            // A key may be of any length: the fault contains its beginning.
            let sent: String = profile.chars().take(40).collect();
            faults.push(Fault::new("validation/unknown-reference", "/planner_preferences").with("id", sent));
        }
        for origin in self.allowed_origins.iter().filter(|origin| !is_origin(origin)) {
            let sent: String = origin.chars().take(100).collect();
            faults.push(Fault::new("white-label/origin", "/allowed_origins").with("origin", sent));
        }
        let slug = self.slug.as_str();
        let plain = slug.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-');
        if !plain || slug.len() < 2 || slug.starts_with('-') || slug.ends_with('-') {
            faults.push(Fault::new("white-label/slug", "/slug"));
        }
        faults
    }

    /// Fills in empty fields that follow from others: the short name, and the address for trials. The latter follows the domain
    /// until a user edits it (`before` shows whether it was edited).
    pub fn complete(&mut self, before: &Self) {
        if self.slug.is_empty() {
            // Letters without a plain form cannot be in an address.
            let name: String =
                crate::fold(&self.name).chars().filter(|c| c.is_ascii_alphanumeric() || *c == ' ').collect();
            let slug = name.split_whitespace().collect::<Vec<_>>().join("-");
            slug.chars().take(60).collect::<String>().trim_end_matches('-').clone_into(&mut self.slug);
            if self.slug.len() < 2 {
                UNNAMED_SLUG.clone_into(&mut self.slug);
            }
        }
        let sites = [&mut self.domain, &mut self.preproduction_domain].into_iter().flatten();
        for site in sites.chain(&mut self.allowed_origins) {
            *site = site.trim_end_matches('/').to_lowercase();
        }
        let was_made = before.preproduction_domain == before.domain.as_deref().and_then(tried_out_at);
        if self.preproduction_domain == before.preproduction_domain && was_made {
            self.preproduction_domain = None;
        }
        if self.preproduction_domain.is_none() {
            self.preproduction_domain = self.domain.as_deref().and_then(tried_out_at);
        }
    }

    /// The colour of its mark.
    pub fn color(&self) -> &str {
        self.colors.primary.as_deref().unwrap_or(DEFAULT_COLOR)
    }

    /// Whether a fault is reported when these fields change: a fault of one of them, or one that depends on them.
    pub fn concerns(fault: &Fault, changed: &[&str]) -> bool {
        let top = fault.field.split('/').nth(1).unwrap_or_default();
        let beside = match top {
            "return_url" => "domain",
            "rating_max" => "rating_min",
            _ => top,
        };
        changed.iter().any(|name| *name == top || *name == beside)
    }

    /// Two letters for the switcher: « Val d’Orsel » is VO, the small words between names are no initials.
    pub fn initials(&self) -> String {
        let words: Vec<&str> = self
            .name
            .split(|c: char| !c.is_alphanumeric())
            .filter(|word| word.starts_with(char::is_alphanumeric))
            .collect();
        let named: Vec<&str> = words.iter().copied().filter(|word| word.starts_with(char::is_uppercase)).collect();
        let letters: String = match if named.is_empty() { words } else { named }.as_slice() {
            [] => "?".to_owned(),
            [one] => one.chars().take(2).collect(),
            [first, second, ..] => first.chars().take(1).chain(second.chars().take(1)).collect(),
        };
        letters.to_uppercase()
    }
}

/// The share of a price that is paid in advance, percent: that of the parcours, else that of its white-label, else the usual one. None
/// where there is no deposit (0).
pub fn deposit(of_parcours: Option<i64>, of_white_label: Option<i64>) -> Option<i64> {
    let percent = of_parcours.or(of_white_label).unwrap_or(USUAL_DEPOSIT_PERCENT);
    (percent > 0).then_some(percent)
}

/// The address of the record of a tourist information system, for the record's key there; `template` is a `sit_record_url`.
pub fn sit_record_address(template: &str, item: &str) -> String {
    // A key as part of an address: `23/005424b9-…` keeps its slash.
    let path: Vec<String> = item.split('/').map(crate::service_key::percent_encoded).collect();
    template.replace("[ID_OBJET]", &path.join("/"))
}

/// The host of an address.
pub fn host_of(url: &str) -> Option<&str> {
    url.split_once("://").and_then(|(_, rest)| rest.split(['/', '?', '#']).next())
}

/// A scheme, a host and perhaps a port, as a browser names where a page comes from.
fn is_origin(origin: &str) -> bool {
    let Some((scheme, rest)) = origin.split_once("://") else { return false };
    let (host, port) = rest.rsplit_once(':').unwrap_or((rest, "443"));
    let label = |label: &str| {
        !label.is_empty()
            && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
    };
    let local = host == "localhost";
    (scheme == "https" || scheme == "http" && local)
        && port.parse::<u16>().is_ok()
        && host.split('.').all(label)
        && (local || host.contains('.'))
}

/// `https`, and a name in front of the platform's domain; nothing behind it.
fn is_under(site: &str, map_domain: &str) -> bool {
    let Some(rest) = site.strip_prefix("https://") else { return false };
    let host = rest.strip_suffix('/').unwrap_or(rest);
    let name = host.strip_suffix(map_domain).and_then(|name| name.strip_suffix('.'));
    name.is_some_and(|name| {
        !name.is_empty()
            && name.split('.').all(|label| {
                !label.is_empty()
                    && !label.starts_with('-')
                    && !label.ends_with('-')
                    && label.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || byte == b'-')
            })
    })
}

/// `https://lac.carte.example` is tried out at `https://lac-preprod.carte.example`.
fn tried_out_at(site: &str) -> Option<String> {
    let rest = site.strip_prefix("https://")?;
    let (name, domain) = rest.split_once('.')?;
    Some(format!("https://{name}-preprod.{domain}"))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Sheet as _;

    fn faults_of(sheet: &WhiteLabelSheet) -> Vec<String> {
        let mut faults = sheet.faults(&["fr".to_owned()]);
        faults.extend(sheet.rules("carte.example", &["light"]));
        faults.iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect()
    }

    fn good() -> WhiteLabelSheet {
        let mut sheet = WhiteLabelSheet {
            name: "Lac de Brève".into(),
            structure_id: 1,
            domain: Some("https://lac.carte.example".into()),
            ..WhiteLabelSheet::default()
        };
        sheet.complete(&WhiteLabelSheet::default());
        sheet
    }

    #[test]
    fn where_it_is_tried_out_goes_with_its_domain_until_a_person_says_otherwise() {
        let before = good();
        let moved = |preproduction: Option<&str>| {
            let mut after = WhiteLabelSheet {
                domain: Some("https://Lacs.carte.example/".into()),
                preproduction_domain: preproduction.map(str::to_owned),
                ..before.clone()
            };
            after.complete(&before);
            (after.domain.unwrap_or_default(), after.preproduction_domain.unwrap_or_default())
        };
        let domain = "https://lacs.carte.example".to_owned();
        assert_eq!(
            moved(before.preproduction_domain.as_deref()),
            (domain.clone(), "https://lacs-preprod.carte.example".into())
        );
        let own = "https://essai.carte.example";
        assert_eq!(moved(Some(own)), (domain, own.into()));
    }

    #[test]
    fn a_deposit_is_that_of_the_parcours_else_of_the_white_label_else_the_usual_one() {
        let found = [(Some(40), Some(25)), (None, Some(25)), (None, None)].map(|(of, own)| deposit(of, own));
        assert_eq!(found, [Some(40), Some(25), Some(30)]);
        assert_eq!((deposit(Some(0), Some(25)), deposit(None, Some(0))), (None, None));
    }

    #[test]
    fn a_map_opens_on_the_bounds_else_around_the_middle() {
        let bounds = Bounds { ne: [4.5, 47.5], sw: [3.5, 46.5] };
        let both = WhiteLabelSheet { bounds: Some(bounds), center: Some([4.0, 47.0]), zoom: Some(9.0), ..good() };
        assert_eq!(both.first_view(), Some([3.5, 46.5, 4.5, 47.5]));
        let around = WhiteLabelSheet { bounds: None, ..both };
        let [west, south, east, north] = around.first_view().unwrap_or_default();
        // At zoom 9 a pixel is 360 / (512 · 512) degrees: 480 of them to each side, 300 shorter ones up and down.
        assert!((east - 4.0 - 0.659).abs() < 1e-3 && (4.0 - west - 0.659).abs() < 1e-3, "{west} {east}");
        assert!((north - 47.0 - 0.281).abs() < 1e-3 && (47.0 - south - 0.281).abs() < 1e-3, "{south} {north}");
        let all = WhiteLabelSheet { zoom: Some(0.0), ..around };
        assert_eq!(all.first_view().map(|[west, _, east, _]| (west, east)), Some((-180.0, 180.0)));
        assert_eq!(good().first_view(), None);
    }

    #[test]
    fn a_fault_is_reported_with_what_it_is_judged_against() {
        let fault = Fault::new("white-label/url-host", "/return_url");
        assert!(WhiteLabelSheet::concerns(&fault, &["domain"]) && WhiteLabelSheet::concerns(&fault, &["return_url"]));
        assert!(!WhiteLabelSheet::concerns(&fault, &["name"]));
    }

    #[test]
    fn what_follows_from_the_rest_is_filled_in() {
        let sheet = good();
        assert_eq!(faults_of(&sheet), Vec::<String>::new());
        assert_eq!((sheet.slug.as_str(), sheet.initials().as_str()), ("lac-de-breve", "LB"));
        assert_eq!(sheet.preproduction_domain.as_deref(), Some("https://lac-preprod.carte.example"));
        let mut tokyo = WhiteLabelSheet { name: "東京".into(), structure_id: 1, ..WhiteLabelSheet::default() };
        tokyo.complete(&WhiteLabelSheet::default());
        assert_eq!((tokyo.slug.as_str(), faults_of(&tokyo)), ("site", Vec::new()));
    }

    #[test]
    fn a_site_stands_under_the_platforms_domain() {
        for wrong in [
            "http://lac.carte.example",
            "https://carte.example",
            "https://lac.carte.example.evil.example",
            "https://laccarte.example",
            "https://lac.carte.example/page",
            "https://-lac.carte.example",
        ] {
            let sheet = WhiteLabelSheet { domain: Some(wrong.into()), ..good() };
            assert_eq!(faults_of(&sheet), ["white-label/domain-host /domain"], "{wrong}");
            let made = WhiteLabelSheet { preproduction_domain: tried_out_at(wrong), ..sheet };
            assert_eq!(faults_of(&made), ["white-label/domain-host /domain"], "{wrong}");
        }
    }

    #[test]
    fn addresses_hold_their_placeholder_and_their_host() {
        let sheet = |sit: &str, back: &str| WhiteLabelSheet {
            sit_record_url: Some(sit.into()),
            return_url: Some(back.into()),
            ..good()
        };
        assert_eq!(
            faults_of(&sheet("https://sit.example/fiche/[ID_OBJET]", "https://lac.carte.example/retour")),
            Vec::<String>::new()
        );
        assert_eq!(
            faults_of(&sheet("https://sit.example/fiche", "https://lac.carte.example.evil.example/")),
            ["white-label/sit-placeholder /sit_record_url", "white-label/url-host /return_url"]
        );
        assert_eq!(
            faults_of(&sheet("sit/[ID_OBJET]", "https://lac.carte.example")),
            ["validation/url-invalid /sit_record_url"]
        );
    }

    #[test]
    fn the_address_of_a_sit_record_has_its_key_in_place_of_the_placeholder() {
        let address = |item| sit_record_address("https://sit.example/fiche/[ID_OBJET]?vue=1", item);
        assert_eq!(address("23/0054-b9"), "https://sit.example/fiche/23/0054-b9?vue=1");
        assert_eq!(address("a b&c"), "https://sit.example/fiche/a%20b%26c?vue=1");
    }

    #[test]
    fn an_origin_is_a_scheme_and_a_host_and_nothing_else() {
        let sheet = |origin: &str| {
            let mut sheet = WhiteLabelSheet { allowed_origins: vec![origin.into()], ..good() };
            sheet.complete(&WhiteLabelSheet::default());
            sheet
        };
        for good in
            ["https://mairie.example", "https://Mairie.example/", "https://a.b.example:8443", "http://localhost:3000"]
        {
            assert_eq!(faults_of(&sheet(good)), Vec::<String>::new(), "{good}");
        }
        for wrong in [
            "*",
            "mairie.example",
            "http://mairie.example",
            "https://mairie",
            "https://m.example/page",
            "https://*.example",
            "https://",
            "null",
        ] {
            assert_eq!(faults_of(&sheet(wrong)), ["white-label/origin /allowed_origins"], "{wrong}");
        }
    }

    #[test]
    fn bounds_ratings_and_identifiers_are_the_right_way_up() {
        let sheet = WhiteLabelSheet {
            bounds: Some(Bounds { ne: [4.0, 47.0], sw: [4.5, 47.5] }),
            rating_min: Some(4.0),
            rating_max: Some(3.0),
            analytics: Analytics {
                web: Some("1:123456789012:android:0123456789abcdef".into()),
                android: Some("1:123456789012:android:0123456789abcdef".into()),
                ios: Some("1:123456789012:android:0123456789abcdef".into()),
            },
            colors: Colors { primary: Some("#12".into()), ..Colors::default() },
            map_style: Some("moon".into()),
            ..good()
        };
        assert_eq!(
            faults_of(&sheet),
            [
                "validation/color /colors/primary",
                "white-label/bounds /bounds",
                "white-label/analytics-id /analytics/web",
                "white-label/analytics-id /analytics/ios",
                "white-label/ratings /rating_max",
                "validation/unknown-reference /map_style",
            ]
        );
    }

    #[test]
    fn a_field_of_its_own_has_a_name_a_label_and_its_words() {
        let field =
            |key: &str| CustomField { key: key.into(), label: crate::Text::in_french("Sol"), ..CustomField::default() };
        let choice = CustomField { kind: super::super::parts::CustomType::Choice, ..field("ground") };
        let sheet = WhiteLabelSheet { custom_fields: vec![field("Sol"), field("ground"), choice], ..good() };
        assert_eq!(
            faults_of(&sheet),
            [
                "white-label/custom-key /custom_fields/0/key",
                "white-label/custom-key-taken /custom_fields/2/key",
                "validation/required /custom_fields/2/options",
            ]
        );
    }

    #[test]
    fn a_choice_offers_each_option_once() {
        let choice = |options: &[&str]| CustomField {
            key: "ground".into(),
            kind: super::super::parts::CustomType::Choice,
            label: crate::Text::in_french("Sol"),
            options: options.iter().map(|option| (*option).to_owned()).collect(),
            ..CustomField::default()
        };
        let sheet = |field: CustomField| WhiteLabelSheet { custom_fields: vec![field], ..good() };
        let faults = |field: CustomField| faults_of(&sheet(field));
        assert_eq!(faults(choice(&["Moins de 1,5 m", "Plus de 1,5 m", "T4", "T4+"])), Vec::<String>::new());
        let repeated = choice(&["Sable", "Gravier", "sable ", "gravier"]);
        assert_eq!(faults(repeated.clone()), ["white-label/custom-option-twice /custom_fields/0/options"]);
        assert_eq!(sheet(repeated).faults(&["fr".to_owned()])[0].params["option"], "sable");
        // Of another type, the options are not shown and cannot be corrected.
        let text = CustomField { kind: super::super::parts::CustomType::Text, ..choice(&["Sable", "Sable"]) };
        assert_eq!(faults(text), Vec::<String>::new());
    }
}
