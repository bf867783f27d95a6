//! Structures, white-labels and users.

use crate::ground::BBOX;

/// The password of every demo account. It opens a demo and nothing else.
pub const DEMO_PASSWORD: &str = "balise-jaune-2026";

/// A legal body.
#[derive(Debug, Clone)]
pub struct Structure {
    /// Stable name.
    pub key: &'static str,
    /// Name.
    pub name: &'static str,
    /// Code in the list of structure types.
    pub kind: &'static str,
    /// City.
    pub city: &'static str,
}

/// The structures.
pub const STRUCTURES: [Structure; 3] = [
    Structure {
        key: "ot-orsel",
        name: "Office de tourisme du Val d’Orsel",
        kind: "office-tourisme",
        city: "Montpezel",
    },
    Structure { key: "pays-sauvelle", name: "Syndicat mixte du Pays de Sauvelle", kind: "pays-petr", city: "Sauvelle" },
    Structure {
        key: "sentes-rivieres",
        name: "Sentes & Rivières voyages",
        kind: "agence-voyages",
        city: "La Roche-Vive",
    },
];

/// What a white-label is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum WhiteLabelKind {
    /// A destination's site.
    Destination,
    /// A travel agency's site.
    Travel,
}

/// A branded site.
#[derive(Debug, Clone)]
pub struct WhiteLabel {
    /// Stable name.
    pub key: &'static str,
    /// Its structure's key.
    pub structure: &'static str,
    /// Name.
    pub name: &'static str,
    /// What it is.
    pub kind: WhiteLabelKind,
    /// Name of its site, before the platform's map domain.
    pub site: &'static str,
    /// Primary, secondary and tertiary colours.
    pub colors: [&'static str; 3],
    /// West, south, east, north, degrees.
    pub bounds: [f64; 4],
}

/// The white-labels.
pub fn white_labels() -> Vec<WhiteLabel> {
    let [west, south, east, north] = BBOX;
    vec![
        WhiteLabel {
            key: "val-d-orsel",
            structure: "ot-orsel",
            name: "Val d’Orsel",
            kind: WhiteLabelKind::Destination,
            site: "valdorsel",
            colors: ["#14507A", "#AD5315", "#F4EFE3"],
            bounds: [west, 44.84, 3.25, north],
        },
        WhiteLabel {
            key: "pays-de-sauvelle",
            structure: "pays-sauvelle",
            name: "Pays de Sauvelle",
            kind: WhiteLabelKind::Destination,
            site: "sauvelle",
            colors: ["#2F6B3A", "#8A4B08", "#F1F3E8"],
            bounds: [west, south, east, 44.87],
        },
        WhiteLabel {
            key: "sentes-et-rivieres",
            structure: "sentes-rivieres",
            name: "Sentes & Rivières",
            kind: WhiteLabelKind::Travel,
            site: "sentes-rivieres",
            colors: ["#5B2A6E", "#9A5A00", "#F6F0F8"],
            bounds: [west, south, east, north],
        },
    ]
}

/// What a user may do.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Role {
    /// Everything, everywhere.
    Superadmin,
    /// Everything inside its structure.
    Admin,
    /// Content, and what is for sale.
    Agency,
    /// Content.
    Editor,
    /// Reading and export.
    Reader,
}

/// A member of staff.
#[derive(Debug, Clone)]
pub struct User {
    /// Stable name.
    pub key: &'static str,
    /// First name.
    pub first_name: &'static str,
    /// Last name.
    pub last_name: &'static str,
    /// E-mail: signs in with it and [`DEMO_PASSWORD`].
    pub email: &'static str,
    /// Role.
    pub role: Role,
    /// Its structure's key.
    pub structure: &'static str,
    /// Keys of its white-labels, the active one first.
    pub white_labels: &'static [&'static str],
    /// Interface language.
    pub locale: &'static str,
    /// Whether it may not sign in.
    pub blocked: bool,
    /// Whether it sees every field.
    pub advanced_view: bool,
}

const BASE: User = User {
    key: "",
    first_name: "",
    last_name: "",
    email: "",
    role: Role::Reader,
    structure: "ot-orsel",
    white_labels: &["val-d-orsel"],
    locale: "fr",
    blocked: false,
    advanced_view: false,
};

/// The users: every role, an editor of a neighbouring structure, and a former user.
pub const USERS: [User; 8] = [
    User {
        key: "superadmin",
        first_name: "Solène",
        last_name: "Marchal",
        email: "superadmin@demo.jalon.example",
        role: Role::Superadmin,
        white_labels: &["val-d-orsel", "pays-de-sauvelle", "sentes-et-rivieres"],
        advanced_view: true,
        ..BASE
    },
    User {
        key: "admin",
        first_name: "Maïlys",
        last_name: "Chabrol",
        email: "admin@demo.jalon.example",
        role: Role::Admin,
        advanced_view: true,
        ..BASE
    },
    User {
        key: "editor",
        first_name: "Théo",
        last_name: "Bastide",
        email: "editeur@demo.jalon.example",
        role: Role::Editor,
        ..BASE
    },
    User {
        key: "reader",
        first_name: "Ewen",
        last_name: "Tallec",
        email: "lecteur@demo.jalon.example",
        role: Role::Reader,
        ..BASE
    },
    User {
        key: "editor-sauvelle",
        first_name: "Inès",
        last_name: "Roumégas",
        email: "editeur.sauvelle@demo.jalon.example",
        role: Role::Editor,
        structure: "pays-sauvelle",
        white_labels: &["pays-de-sauvelle"],
        ..BASE
    },
    User {
        key: "admin-sauvelle",
        first_name: "Paul",
        last_name: "Vidalenc",
        email: "admin.sauvelle@demo.jalon.example",
        role: Role::Admin,
        structure: "pays-sauvelle",
        white_labels: &["pays-de-sauvelle"],
        ..BASE
    },
    User {
        key: "agency",
        first_name: "Hannah",
        last_name: "Whitcombe",
        email: "agence@demo.jalon.example",
        role: Role::Agency,
        structure: "sentes-rivieres",
        white_labels: &["sentes-et-rivieres"],
        locale: "en",
        advanced_view: true,
        ..BASE
    },
    User {
        key: "blocked",
        first_name: "Régis",
        last_name: "Fontvieille",
        email: "bloque@demo.jalon.example",
        role: Role::Editor,
        blocked: true,
        ..BASE
    },
];
