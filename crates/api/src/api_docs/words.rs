//! The words of the documentation page: French sentences of each operation and parameter (the English ones are the contract's), and
//! the tables of fields in both languages.

/// A field of an answer: its name, its type, what it is in French and in English.
pub struct FieldWords(pub &'static str, pub &'static str, pub &'static str, pub &'static str);

/// An operation in French: its `operationId`, its description, the description of its answer.
pub const OPERATIONS: &[(&str, &str, &str)] = &[
    (
        "list_public_parcours",
        "Les parcours diffusés à la clé, dans l’ordre de leurs numéros si un autre n’est pas demandé.",
        "Une page : `total`, `page`, `per_page`, `pages`, `next`, `items` ; ou une collection GeoJSON",
    ),
    (
        "show_public_parcours",
        "Un parcours entier : textes, étapes, tracé, médias. Un parcours montré seulement sous un autre est là aussi.",
        "Le parcours ; ou un objet GeoJSON",
    ),
    (
        "list_public_changes",
        "Ce qui a changé depuis un instant : les parcours enregistrés depuis, et les numéros de ceux qui ne sont plus diffusés. Redemandez ensuite avec `until`.",
        "`until`, `total`, `next`, `updated`, `removed` ; ce qui est retiré est sur la première page",
    ),
    ("download_public_trace", "Le tracé d’un parcours en GPX, KML, GeoJSON ou TCX.", "Le fichier"),
    (
        "download_public_pack",
        "Un parcours à emporter, dans un seul ZIP : sa fiche, ses points d’intérêt, son tracé, ses images et ses sons, et la carte autour de lui.",
        "Le fichier ZIP",
    ),
    ("show_public_audio", "Les balades audio d’un parcours, avec leurs sons.", "Les balades"),
    (
        "list_public_pois",
        "Les points d’intérêt diffusés à la clé, dans l’ordre de leurs numéros.",
        "Une page, comme pour les parcours ; ou une collection GeoJSON",
    ),
    ("show_public_poi", "Un point d’intérêt.", "Le point d’intérêt ; ou un objet GeoJSON"),
    (
        "show_public_white_label",
        "Les réglages de la marque blanche de la clé : son apparence, sa carte, son calculateur, ses adresses et ses identifiants de mesure d’audience.",
        "Les réglages",
    ),
    ("list_public_reviews", "Les avis publiés d’un parcours.", "Une page d’avis"),
    (
        "download_open_data",
        "Tout ce qui est diffusé à d’autres, dans un seul fichier d’un format ouvert.",
        "Le fichier",
    ),
    ("draw_pictogram", "Le pictogramme d’un élément d’une liste de référence. Sans clé.", "Un dessin SVG"),
    (
        "list_geotrek",
        "Une liste dans le dialecte de Geotrek : `trek`, `tour`, `poi`, `theme`, `trek_practice` …",
        "Une page : `count`, `next`, `previous`, `results`",
    ),
    ("show_geotrek", "Un élément d’une de ces listes.", "L’élément"),
    (
        "show_geotrek_profile",
        "Les altitudes le long d’un itinéraire, comme Geotrek les donne : chaque point a sa distance, son altitude et sa place. Avec `format=svg`, un dessin.",
        "`profile` et ses `limits` ; ou un dessin",
    ),
    (
        "show_geotrek_dem",
        "Le terrain autour d’un itinéraire, comme Geotrek le donne : une grille d’altitudes, comptées depuis la plus basse. Un objet vide quand aucune altitude n’est connue.",
        "`center`, `resolution`, `size`, `extent`, `altitudes`",
    ),
];

/// A parameter in French.
pub const PARAMETERS: &[(&str, &str)] = &[
    ("id", "Numéro."),
    (
        "file",
        "Nom du fichier : `trace.gpx`, `trace.kml`, `trace.geojson` ou `trace.tcx` pour un tracé ; `schema-randonnee.geojson`, `datatourisme.jsonld`, `cirkwi.xml` ou `cirkwi-pois.xml` pour les données ouvertes ; `<numéro>.svg`, `route-loop.svg`, `booking.svg` ou `desk.svg` pour un pictogramme.",
    ),
    ("endpoint", "Le nom de la liste dans Geotrek. Ce que Geotrek a et que Jalon n’a pas est une liste vide."),
    (
        "language",
        "Une langue : les textes sont alors des textes. Sans elle, ce sont des objets avec toutes les langues.",
    ),
    ("format", "`geojson` pour une collection d’objets avec leur tracé, `svg` pour un profil dessiné ; JSON sinon."),
    (
        "fields",
        "Les champs voulus, séparés par des virgules. Une liste ne donne les champs longs (`description`, `steps`, `line` …) que s’ils sont nommés ici.",
    ),
    ("omit", "Les champs à laisser de côté, séparés par des virgules."),
    ("page", "Numéro de la page, à partir de 1."),
    (
        "after",
        "Ce qui vient après ce numéro, au lieu d’une page ; `next` le porte, pour que la lecture de page en page ne perde rien quand des éléments arrivent ou partent. Après le dernier, la liste est vide. Pas avec `sort=priority`.",
    ),
    ("per_page", "Éléments par page, 500 au plus."),
    (
        "page_size",
        "Éléments par page, 1 000 au plus ; sinon 50 treks, tours, POI ou contenus, et 1 000 des autres listes.",
    ),
    ("ids", "Des numéros, séparés par des virgules."),
    ("bbox", "`ouest,sud,est,nord` en degrés."),
    ("in_bbox", "`ouest,sud,est,nord` en degrés."),
    ("practices", "Numéros de pratiques ; celles qui sont dessous comptent aussi."),
    ("themes", "Numéros de thèmes ; ceux qui sont dessous comptent aussi."),
    ("itineraries", "Numéros d’itinéraires."),
    ("categories", "Numéros de catégories ; celles qui sont dessous comptent aussi."),
    (
        "types",
        "Numéros de types de points d’intérêt ; ceux qui sont dessous comptent aussi. Les contenus touristiques n’en ont pas : un numéro ne donne aucun résultat.",
    ),
    (
        "updated_after",
        "Enregistrés après ce jour ou cet instant, ou dont les fermetures ou les avis ont changé depuis.",
    ),
    (
        "sort",
        "`priority` pour les parcours mis en avant d’abord, ceux de la plus haute `display_priority` avant les autres ; sinon dans l’ordre des numéros.",
    ),
    ("since", "Le `until` de la réponse précédente ; un jour ou un instant."),
    ("published", "Tout est publié ici : `false` ne donne aucun résultat."),
    ("trek", "Les points d’intérêt qu’un itinéraire nomme."),
    (
        "near_trek",
        "Les points d’intérêt à moins de 500 m d’un itinéraire, ou les itinéraires dont l’emprise touche la sienne.",
    ),
    ("portals", "Numéros de portails ; il y en a un, la marque blanche de la clé."),
    ("structures", "Numéros de structures."),
    ("q", "Des mots, le dernier pouvant être commencé."),
    ("difficulties", "Numéros de difficultés."),
    ("difficulty_min", "La difficulté la plus basse, sur l’échelle de Cirkwi comme dans Geotrek."),
    ("difficulty_max", "La difficulté la plus haute, sur l’échelle de Cirkwi comme dans Geotrek."),
    ("duration_min", "La durée la plus courte, en heures."),
    ("duration_max", "La durée la plus longue, en heures."),
    ("length_min", "La longueur la plus courte, en mètres."),
    ("length_max", "La longueur la plus grande, en mètres."),
    ("ascent_min", "La montée la plus faible, en mètres."),
    ("ascent_max", "La montée la plus forte, en mètres."),
    ("labels", "Numéros d’étiquettes de Geotrek, qui sont les tags de Jalon."),
    ("labels_exclude", "Numéros d’étiquettes que les parcours ne portent pas."),
    ("networks", "Numéros de balisages."),
    ("routes", "Numéros de formes : 1 pour une boucle, 3 pour une traversée."),
    ("ratings", "Numéros de cotations."),
    ("cities", "Numéros de communes. Aucune n’est connue ici : un numéro ne donne aucun résultat."),
    ("districts", "Numéros de secteurs. Aucun n’est connu ici : un numéro ne donne aucun résultat."),
    ("accessibilities", "Numéros d’accessibilités. Aucune n’est connue ici : un numéro ne donne aucun résultat."),
    (
        "accessibility_level",
        "Numéros de niveaux d’accessibilité. Aucun n’est connu ici : un numéro ne donne aucun résultat.",
    ),
    (
        "labels_accessibility",
        "Numéros d’étiquettes d’accessibilité. Aucune n’est connue ici : un numéro ne donne aucun résultat.",
    ),
];

/// The fields of a parcours.
pub const PARCOURS: &[FieldWords] = &[
    FieldWords("id", "number", "Numéro", "Number"),
    FieldWords("uuid", "text", "Identifiant universel", "Universal identifier"),
    FieldWords("title", "text by language", "Titre", "Title"),
    FieldWords("subtitle", "text by language", "Sous-titre", "Line under the title"),
    FieldWords("summary", "text by language", "Résumé, sans mise en forme", "Summary, plain"),
    FieldWords("description", "text by language", "Description, en HTML sûr", "Description, safe HTML"),
    FieldWords("practice", "item", "Pratique", "Practice"),
    FieldWords("level", "item", "Niveau sur l’échelle générale", "Level on the general scale"),
    FieldWords("ratings", "items", "Niveaux sur d’autres échelles", "Levels on other scales"),
    FieldWords("themes", "items", "Thèmes", "Themes"),
    FieldWords(
        "markings",
        "items",
        "Balisages, avec les couleurs de leurs signes (`colors`)",
        "Markings, with the colours of their signs (`colors`)",
    ),
    FieldWords(
        "itineraries",
        "list",
        "Les grands itinéraires qu’il suit : `id`, `name`, `kind` (`cycle_route` ou `river`), `code`, `color`",
        "The long-distance ways it follows: `id`, `name`, `kind` (`cycle_route` or `river`), `code`, `color`",
    ),
    FieldWords("equipment", "items", "Équipement à prendre", "Equipment to take"),
    FieldWords("tags", "items", "Tags", "Tags"),
    FieldWords("is_loop", "boolean", "Boucle, ou traversée", "A loop, or one way"),
    FieldWords("is_stay", "boolean", "Séjour, ou circuit", "A stay, or a circuit"),
    FieldWords("parent_id", "number", "Le parcours sous lequel il est montré", "The parcours it is shown under"),
    FieldWords("child_ids", "numbers", "Les parcours montrés sous lui", "The parcours shown under it"),
    FieldWords("distance_m", "number", "Longueur, en mètres", "Length, metres"),
    FieldWords("duration_s", "number", "Durée, en secondes", "Duration, seconds"),
    FieldWords("ascent_m", "number", "Montée, en mètres", "Climb, metres"),
    FieldWords("descent_m", "number", "Descente, en mètres", "Descent, metres"),
    FieldWords("min_ele_m", "number", "Altitude la plus basse, en mètres", "Lowest point, metres"),
    FieldWords("max_ele_m", "number", "Altitude la plus haute, en mètres", "Highest point, metres"),
    FieldWords("start", "[longitude, latitude]", "Le départ", "Where it starts"),
    FieldWords("bbox", "[west, south, east, north]", "L’emprise", "The box around it"),
    FieldWords("bike_carriage", "boolean", "Un vélo peut être transporté", "Whether a bicycle can be carried"),
    FieldWords(
        "guided",
        "boolean",
        "Le guidage pas à pas est possible : la fiabilité atteint le seuil",
        "Step-by-step guidance is possible: the reliability reaches the threshold",
    ),
    FieldWords(
        "display_priority",
        "number",
        "Priorité d’affichage : 0 normale, 1 favorisée, 2 prioritaire",
        "Display priority: 0 normal, 1 favoured, 2 priority",
    ),
    FieldWords("warning", "text by language", "Fermetures et signalements en cours", "Closures and warnings"),
    FieldWords("reviews", "object", "Avis : `average` sur 5 et `total`", "Reviews: `average` of 5 and `total`"),
    FieldWords(
        "media",
        "list",
        "Médias : `kind`, `url`, `translations` (les fichiers dans d’autres langues), `thumbnail_url`, `mime`, `legend`, `alt`, `copyright`, `licence`",
        "Media: `kind`, `url`, `translations` (the files in other languages), `thumbnail_url`, `mime`, `legend`, `alt`, `copyright`, `licence`",
    ),
    FieldWords("copyright", "text", "Auteur des textes", "Who holds the rights on the texts"),
    FieldWords(
        "custom",
        "object",
        "Les champs propres à la marque blanche, par leur clé : `label`, `type`, `value`",
        "The white-label’s own fields, by their key: `label`, `type`, `value`",
    ),
    FieldWords(
        "source",
        "object",
        "La marque blanche : `id`, `name`, `structure`, `website`",
        "The white-label: `id`, `name`, `structure`, `website`",
    ),
    FieldWords("page_url", "text", "Adresse de sa page", "Address of its page"),
    FieldWords("gpx_url", "text", "Adresse de son GPX", "Address of its GPX"),
    FieldWords("kml_url", "text", "Adresse de son KML", "Address of its KML"),
    FieldWords("roadbook_url", "text by language", "Adresse de son carnet de voyage", "Address of its roadbook"),
    FieldWords(
        "steps",
        "list",
        "Étapes : `id`, `kind`, `title`, `description`, `position`, `at_m`, `distance_to_next_m`, `duration_to_next_s`, `nights`, `practice` (la pratique à partir d’ici), `lines` (les lignes de transport : `mode`, `short_name`, `long_name`, `operator`, `color`, `bike_carriage`, `conditions`, `bookable`, `booking_url`, `booking_phone`, `booking_note`, `website`)",
        "Steps: `id`, `kind`, `title`, `description`, `position`, `at_m`, `distance_to_next_m`, `duration_to_next_s`, `nights`, `practice` (the practice from here on), `lines` (the lines of public transport: `mode`, `short_name`, `long_name`, `operator`, `color`, `bike_carriage`, `conditions`, `bookable`, `booking_url`, `booking_phone`, `booking_note`, `website`)",
    ),
    FieldWords("line", "list of [longitude, latitude, altitude]", "Le tracé", "The line"),
    FieldWords(
        "instructions",
        "list",
        "Les consignes du guidage, là où il est possible : `kind`, `at_m`, `length_m`, `name`, `exit`, `text`, `position`",
        "The instructions of the guidance, where it is possible: `kind`, `at_m`, `length_m`, `name`, `exit`, `text`, `position`",
    ),
    FieldWords("poi_ids", "numbers", "Les points d’intérêt qu’il nomme", "The POIs it names"),
    FieldWords("booking", "object", "Réserver : `url` et `label`", "Booking: `url` and `label`"),
    FieldWords(
        "price_cents",
        "number",
        "Prix, ou prix le plus bas, en centimes d’euro",
        "Price, or lowest price, in cents of a euro",
    ),
    FieldWords(
        "max_price_cents",
        "number",
        "Prix le plus haut, en centimes d’euro",
        "Highest price, in cents of a euro",
    ),
    FieldWords("price_includes", "text by language", "Ce que le prix comprend", "What is in the price"),
    FieldWords("price_excludes", "text by language", "Ce que le prix ne comprend pas", "What is not in the price"),
    FieldWords(
        "deposit_percent",
        "number",
        "Acompte à la réservation, en pour cent du prix",
        "Deposit when booking, percent of the price",
    ),
    FieldWords("availability", "list", "Périodes où il se fait : `from`, `to`", "Days it can be done: `from`, `to`"),
    FieldWords("created_at", "instant", "Créé le", "Made at"),
    FieldWords("updated_at", "instant", "Enregistré le", "Last saved at"),
];

/// The fields of a POI.
pub const POI: &[FieldWords] = &[
    FieldWords("id", "number", "Numéro", "Number"),
    FieldWords("uuid", "text", "Identifiant universel", "Universal identifier"),
    FieldWords("title", "text by language", "Nom", "Name"),
    FieldWords("description", "text by language", "Description, en HTML sûr", "Description, safe HTML"),
    FieldWords("location", "[longitude, latitude]", "Sa place", "Where it is"),
    FieldWords("categories", "items", "Catégories, la principale d’abord", "Categories, the main one first"),
    FieldWords("themes", "items", "Thèmes", "Themes"),
    FieldWords(
        "flags",
        "object",
        "Ses coches : `good_address`, `must_see`, `detour_point`, `landmark`, `bookable`",
        "Its ticks: `good_address`, `must_see`, `detour_point`, `landmark`, `bookable`",
    ),
    FieldWords("media", "list", "Médias, comme pour un parcours", "Media, as of a parcours"),
    FieldWords("address", "object", "Adresse postale", "Postal address"),
    FieldWords("phone", "text", "Téléphone", "Phone"),
    FieldWords("email", "text", "Adresse e-mail", "E-mail address"),
    FieldWords("website", "text", "Site web", "Website"),
    FieldWords("opening", "text by language", "Ouverture", "When it is open"),
    FieldWords("booking_url", "text", "Où réserver", "Where to book"),
    FieldWords("custom", "object", "Les champs propres à la marque blanche", "The white-label’s own fields"),
    FieldWords("source", "object", "La marque blanche", "The white-label"),
    FieldWords(
        "record_url",
        "text",
        "La fiche SIT dont il vient, là où sa marque blanche montre ces fiches",
        "The tourist record it came from, where its white-label shows these",
    ),
    FieldWords(
        "record_source",
        "object",
        "La source de la fiche SIT dont il vient : `name`, `licence`",
        "The source of the tourist record it came from: `name`, `licence`",
    ),
    FieldWords("created_at", "instant", "Créé le", "Made at"),
    FieldWords("updated_at", "instant", "Enregistré le", "Last saved at"),
];

/// The settings of a white-label.
pub const WHITE_LABEL: &[FieldWords] = &[
    FieldWords("id", "number", "Numéro", "Number"),
    FieldWords("name", "text", "Nom", "Name"),
    FieldWords(
        "kind",
        "text",
        "`common`, `destination`, `travel` ou `app`",
        "`common`, `destination`, `travel` or `app`",
    ),
    FieldWords("structure", "text", "Sa structure", "Its structure"),
    FieldWords(
        "languages",
        "list",
        "Langues des contenus, la première d’abord",
        "Languages of content, the first one first",
    ),
    FieldWords(
        "site_url",
        "text",
        "Adresse de son site, s’il est publié",
        "Address of its site, where it is published",
    ),
    FieldWords("return_url", "text", "Où un lecteur retourne", "Where a reader goes back to"),
    FieldWords(
        "sit_record_url",
        "text",
        "Où se montre une fiche SIT ; `[ID_OBJET]` tient la place de sa clé",
        "Where a tourist record is shown; `[ID_OBJET]` stands for its key",
    ),
    FieldWords(
        "colors",
        "object",
        "Couleurs `#RRGGBB` : `primary`, `secondary`, `tertiary`",
        "Colours `#RRGGBB`: `primary`, `secondary`, `tertiary`",
    ),
    FieldWords("logo_url", "text", "Son logo", "Its logo"),
    FieldWords("title_font_url", "text", "Police des titres", "Font of titles"),
    FieldWords("text_font_url", "text", "Police des textes", "Font of texts"),
    FieldWords(
        "map",
        "object",
        "Sa carte : `style_url` (MapLibre), `first_view` (ouest, sud, est, nord), `center`, `zoom`",
        "Its map: `style_url` (MapLibre), `first_view` (west, south, east, north), `center`, `zoom`",
    ),
    FieldWords("planner_profiles", "list", "Profils que propose son calculateur", "Profiles that its planner offers"),
    FieldWords(
        "analytics",
        "object",
        "Identifiants de mesure d’audience : `web`, `android`, `ios` ; un visiteur doit d’abord donner son accord",
        "Identifiers at an audience measurement: `web`, `android`, `ios`; a visitor must agree first",
    ),
    FieldWords("public_transport", "boolean", "Montrer les transports en commun", "Public transport is shown"),
    FieldWords("tourist_maas", "boolean", "Offrir le MaaS touristique", "The tourist’s mobility service is offered"),
    FieldWords("open_data_licence", "text", "Licence de ses données ouvertes", "The licence of its open data"),
];

/// An answer, shortened.
pub const EXAMPLES: &[(&str, &str)] = &[
    (
        "list_public_parcours",
        r#"{"total": 1, "page": 1, "per_page": 50, "pages": 1, "next": null, "items": [
  {"id": 12, "title": {"fr": "Tour du lac", "en": "Around the lake"}, "distance_m": 8420, "duration_s": 9000,
   "practice": {"id": 4, "code": "randonnee", "label": {"fr": "Randonnée", "en": "Hiking"}}, "start": [4.0, 47.0]}]}"#,
    ),
    (
        "show_public_parcours",
        r#"{"id": 12, "title": {"fr": "Tour du lac", "en": "Around the lake"},
 "steps": [{"id": 1, "kind": "departure", "title": {"fr": "La halle"}, "position": [4.0, 47.0, 512.0], "at_m": 0}],
 "line": [[4.0, 47.0, 512.0], [4.001, 47.0, 514.5]],
 "custom": {"revetement": {"label": {"fr": "Revêtement"}, "type": "choice", "value": "Sable"}}}"#,
    ),
    (
        "list_public_changes",
        r#"{"until": "2026-05-04T08:29:59Z", "total": 1, "next": null,
 "updated": [{"id": 12, "title": {"fr": "Tour du lac", "en": "Around the lake"}}], "removed": [7]}"#,
    ),
    (
        "list_geotrek",
        r#"{"count": 1, "next": null, "previous": null, "results": [
  {"id": 12, "name": {"fr": "Tour du lac", "en": "Around the lake"}, "length_2d": 8420.0, "duration": 2.5, "practice": 4}]}"#,
    ),
    (
        "show_geotrek_profile",
        r#"{"profile": [[0.0, 512.0, [4.0, 47.0]], [75.9, 514.5, [4.001, 47.0]]], "limits": {"ceil": 1612, "floor": 412}}"#,
    ),
];
