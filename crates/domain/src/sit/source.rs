//! A source of records: its address, its format, its selection, its schedule.

use std::collections::HashSet;

use serde::{Deserialize, Serialize};
use utoipa::ToSchema;

use crate::Fault;
use crate::imports::{ImportFile, ImportSchedule, ValueRule};
use crate::record::{Field, Rule, Shape, email, free, line, list_of, sheet, url};
use crate::transport_line::words;

words! {
    /// The format of a source.
    SitKind {
        /// DATAtourisme: the ZIP of a flux, or the pages of its API.
        Datatourisme "datatourisme",
        /// Apidae: its API, or the ZIP of a project's export.
        Apidae "apidae",
        /// Tourinsoft: OData version 2 or 3 as JSON, or Atom.
        Tourinsoft "tourinsoft",
        /// Cirkwi's points of interest.
        Cirkwi "cirkwi",
        /// LEI, of the east of France.
        Lei "lei",
        /// Geotrek: POIs, tourist contents, information desks, services and events.
        Geotrek "geotrek",
    } default Datatourisme
}

words! {
    /// What a column of Tourinsoft may hold: their names are chosen feed by feed.
    SitColumn {
        /// Its name.
        Name "name",
        /// Some sentences.
        Short "short",
        /// The whole text.
        Long "long",
        /// When it is open.
        Opening "opening",
        /// What it costs.
        Tariff "tariff",
        /// Degrees north.
        Latitude "latitude",
        /// Degrees east.
        Longitude "longitude",
        /// Street, postcode, town and INSEE code, packed.
        Address "address",
        /// Telephone, mail, site, packed.
        Contacts "contacts",
        /// Telephone.
        Phone "phone",
        /// Mail address.
        Email "email",
        /// Web site.
        Website "website",
        /// Where to book.
        Booking "booking",
        /// What it is.
        Category "category",
        /// Its labels.
        Labels "labels",
        /// Pictures, packed.
        Pictures "pictures",
    } default Name
}

impl SitColumn {
    /// All of them, in the order of the screen.
    pub const ALL: [Self; 16] = [
        Self::Name,
        Self::Short,
        Self::Long,
        Self::Category,
        Self::Labels,
        Self::Latitude,
        Self::Longitude,
        Self::Address,
        Self::Contacts,
        Self::Phone,
        Self::Email,
        Self::Website,
        Self::Booking,
        Self::Opening,
        Self::Tariff,
        Self::Pictures,
    ];
}

/// What Tourinsoft's columns are usually called; capitals make no other name.
pub const fn usual_columns(column: SitColumn) -> &'static [&'static str] {
    match column {
        SitColumn::Name => &["SyndicObjectName", "title", "NomOffre", "Nom", "NOM"],
        SitColumn::Short => &["DescriptionCommercialeCourte", "DescriptifCourt", "Accroche", "DescriptionSynthetique"],
        SitColumn::Long => &["DescriptionCommerciale", "Descriptif", "Description", "DescriptifLong", "Descriptions"],
        SitColumn::Opening => &["PeriodeOuverture", "PeriodesOuvertures", "Ouverture", "Ouvertures", "Horaires"],
        SitColumn::Tariff => &["Tarifs", "Tarif", "TarifsEnClair"],
        SitColumn::Latitude => &["GmapLatitude", "GooglemapLatitude", "Latitude", "LAT"],
        SitColumn::Longitude => &["GmapLongitude", "GooglemapLongitude", "Longitude", "LON"],
        SitColumn::Address => &["AdresseComplete", "Adresses", "Adresse"],
        SitColumn::Contacts => &["MoyenDeCom", "MoyensCommunications", "MoyenCom", "Contacts"],
        SitColumn::Phone => &["Telephone", "Tel"],
        SitColumn::Email => &["Mail", "Email", "Mel"],
        SitColumn::Website => &["SiteWeb", "Site", "Web", "URL"],
        SitColumn::Booking => &["Reservation", "LienReservation", "UrlReservation", "Resa"],
        SitColumn::Category => &["Classification", "ObjectTypeName", "Categorie", "Type"],
        SitColumn::Labels => &["Labels", "LabelsChartes", "Chartes", "ClassementsllPrefectoral", "Classements"],
        SitColumn::Pictures => &["Photos", "Photo", "Photos2"],
    }
}

/// The most columns that fill one field.
const MAX_COLUMNS: usize = 10;

/// The columns that fill one of our fields, the first that is not empty.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, ToSchema)]
#[serde(deny_unknown_fields)]
pub struct SitColumnRule {
    /// Ours.
    pub to: SitColumn,
    /// Theirs.
    pub from: Vec<String>,
}

impl Field for Vec<SitColumnRule> {
    fn clean(&mut self, _shape: Shape, _sanitise: &dyn Fn(&str) -> String) {
        for rule in &mut *self {
            rule.from.iter_mut().for_each(|from| *from = from.trim().chars().take(80).collect());
            rule.from.retain(|from| !from.is_empty());
        }
        let mut seen = HashSet::new();
        self.retain(|rule| !rule.from.is_empty() && seen.insert(rule.to.as_str()));
    }

    fn check(&self, _rule: Rule, at: &str, _languages: &[String], faults: &mut Vec<Fault>) {
        for (index, _) in self.iter().enumerate().filter(|(_, rule)| rule.from.len() > MAX_COLUMNS) {
            faults.push(Fault::new("validation/too-many", format!("{at}/{index}/from")).with("max", MAX_COLUMNS));
        }
    }
}

sheet! {
    /// What is set of a source of tourist records.
    SitSourceSheet {
        name: String = line(200).required(),
        /// Its format.
        kind: SitKind = free(),
        /// Its address; absent for an uploaded file. `[CLE]` in it stands for the key, which is stored apart.
        url: Option<String> = url(),
        /// Apidae: the number of the project.
        project: Option<String> = line(40),
        /// Numbers of Apidae's selections, or Geotrek's lists.
        selections: Option<String> = line(500),
        /// Apidae: criteria in its own language, `type:RESTAURATION OR type:HOTELLERIE`.
        criteria: Option<String> = line(1_000),
        /// The licence under which its records may be shown; that of its kind by default.
        licence: Option<String> = line(200),
        /// How often it is asked again.
        schedule: ImportSchedule = free(),
        /// Who gets a mail when a run fails; by default the person who changed the source last.
        notify_email: Option<String> = email(),
        /// Which of our categories corresponds to each of its words.
        values: Vec<ValueRule> = list_of(2_000),
        /// Tourinsoft: which columns fill which field.
        columns: Vec<SitColumnRule> = list_of(40),
        /// The uploaded file.
        file: Option<ImportFile> = free(),
    }
}

impl SitSourceSheet {
    /// The licence its records are shown under.
    pub fn shown_licence(&self) -> Option<&str> {
        match (self.licence.as_deref(), self.kind) {
            (Some(said), _) => Some(said),
            (None, SitKind::Datatourisme) => Some("Licence Ouverte 2.0 (Etalab)"),
            (None, _) => None,
        }
    }
}
