//! Identifiers of requests that are no field of a sheet, each with the request that tries it.

use domain::record::Kind;

/// An identifier in a request that is not a field of a sheet.
pub struct Identifier {
    /// The operation, as the contract names it.
    pub operation: &'static str,
    /// The property of its body; with `?` a parameter of its query.
    pub property: &'static str,
    /// How it is tried.
    pub tried: Tried,
}

/// How an identifier is tried.
pub enum Tried {
    /// By sending it.
    Sent(Request),
    /// It is not checked, because it does not name a private record of a tenant; the text says why.
    Open(&'static str),
}

/// The request that tries an identifier.
pub struct Request {
    /// What it points to.
    pub to: Kind,
    /// The verb.
    pub verb: &'static str,
    /// The path: `{poi}`, `{parcours}`, `{client_file}` and `{sit_record}` are own records, `{ID}` is the number.
    pub path: &'static str,
    /// The body: `"ID"` is the number.
    pub body: &'static str,
}

const fn sent(
    operation: &'static str,
    property: &'static str,
    to: Kind,
    verb: &'static str,
    path: &'static str,
    body: &'static str,
) -> Identifier {
    Identifier { operation, property, tried: Tried::Sent(Request { to, verb, path, body }) }
}

const fn open(operation: &'static str, property: &'static str, why: &'static str) -> Identifier {
    Identifier { operation, property, tried: Tried::Open(why) }
}

/// All identifiers.
pub const IDENTIFIERS: &[Identifier] = &[
    open(
        "create_closure",
        "/report_id",
        "a visitor's report, no record of the catalogue: feedback.rs tries another tenant's",
    ),
    open(
        "update_closure",
        "/report_id",
        "a visitor's report, no record of the catalogue: feedback.rs tries another tenant's",
    ),
    open("save_trace", "/steps/[]/id", "a step of the parcours itself"),
    open("save_trace", "/steps/[]/line_ids", "lines of transport are read by everybody"),
    open("save_trace", "/steps/[]/practice_type_id", "reference data"),
    open("analyse_trace", "/practice_type_id", "reference data"),
    sent(
        "analyse_trace",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/v1/planner/analysis",
        r#"{"legs":[{"kind":"source","line":[[4.0,47.0],[4.01,47.01]]}],"mode":"source","profile":"hiking","parcours_id":"ID"}"#,
    ),
    sent(
        "update_me",
        "/active_white_label_id",
        Kind::WhiteLabel,
        "PATCH",
        "/api/v1/me",
        r#"{"active_white_label_id":"ID"}"#,
    ),
    open("order_vocabulary", "/ids", "reference data: only superadmins"),
    open("merge_vocabulary_item", "/into_id", "reference data: only superadmins"),
    open("delete_many_vocabulary_items", "/ids", "reference data: only superadmins"),
    open("create_import_source", "/values/[]/term_id", "reference data"),
    open("update_import_source", "/values/[]/term_id", "reference data"),
    open("create_sit_source", "/values/[]/term_id", "reference data"),
    open("update_sit_source", "/values/[]/term_id", "reference data"),
    open("create_user", "/billing_client_id", "a number of the accounts, of no record"),
    open("update_user", "/billing_client_id", "a number of the accounts, of no record"),
    sent("change_many_pois", "/ids", Kind::Poi, "POST", "/api/v1/pois/bulk", r#"{"ids":["ID"],"action":"unpublish"}"#),
    sent(
        "change_many_pois",
        "/filter/ids",
        Kind::Poi,
        "POST",
        "/api/v1/pois/bulk",
        r#"{"filter":{"ids":"ID"},"action":"unpublish"}"#,
    ),
    sent("merge_poi", "/into_id", Kind::Poi, "POST", "/api/v1/pois/{poi}/merge", r#"{"into_id":"ID"}"#),
    sent(
        "change_many_medias",
        "/ids",
        Kind::Media,
        "POST",
        "/api/v1/medias/bulk",
        r#"{"ids":["ID"],"action":"set_copyright","value":"A"}"#,
    ),
    sent(
        "change_many_medias",
        "/filter/ids",
        Kind::Media,
        "POST",
        "/api/v1/medias/bulk",
        r#"{"filter":{"ids":"ID"},"action":"set_copyright","value":"A"}"#,
    ),
    sent(
        "give_ground_entry",
        "/media_ids",
        Kind::Media,
        "PUT",
        "/api/v1/ground/entries/00000000-0000-4000-9000-000000000001",
        r#"{"kind":"photo","language":"fr","made_at":"2026-05-01T08:00:00Z","sent_at":"2026-05-01T08:00:00Z","media_ids":["ID"]}"#,
    ),
    sent(
        "give_ground_entry",
        "/parcours_id",
        Kind::Parcours,
        "PUT",
        "/api/v1/ground/entries/00000000-0000-4000-9000-000000000002",
        r#"{"kind":"survey","language":"fr","made_at":"2026-05-01T08:00:00Z","sent_at":"2026-05-01T08:00:00Z","parcours_id":"ID"}"#,
    ),
    open("give_ground_entry", "/category_id", "reference data"),
    open("give_ground_entry", "/step_id", "a step of the parcours itself"),
    open("give_ground_entry", "/poi_id", "kept as it came: nothing is read by it"),
    sent("link_sit_poi", "/poi_id", Kind::Poi, "PUT", "/api/v1/sit-records/{sit_record}/poi", r#"{"poi_id":"ID"}"#),
    sent(
        "change_many_parcours",
        "/ids",
        Kind::Parcours,
        "POST",
        "/api/v1/parcours/bulk",
        r#"{"ids":["ID"],"action":"unpublish"}"#,
    ),
    sent(
        "change_many_parcours",
        "/filter/ids",
        Kind::Parcours,
        "POST",
        "/api/v1/parcours/bulk",
        r#"{"filter":{"ids":"ID"},"action":"unpublish"}"#,
    ),
    sent(
        "change_many_parcours",
        "/value",
        Kind::Media,
        "POST",
        "/api/v1/parcours/bulk",
        r#"{"ids":["{parcours}"],"action":"add_media","value":"ID"}"#,
    ),
    sent(
        "change_many_parcours",
        "/value",
        Kind::Contact,
        "POST",
        "/api/v1/parcours/bulk",
        r#"{"ids":["{parcours}"],"action":"set_contact","value":"ID"}"#,
    ),
    sent(
        "duplicate_parcours",
        "/model_id",
        Kind::Parcours,
        "POST",
        "/api/v1/parcours/{parcours}/duplicate",
        r#"{"title":"A","model_id":"ID"}"#,
    ),
    sent(
        "create_roadbook_batch",
        "/filter/ids",
        Kind::Parcours,
        "POST",
        "/api/v1/roadbook-batches",
        r#"{"filter":{"ids":"ID"}}"#,
    ),
    sent(
        "create_roadbook_batch",
        "/client_files/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/v1/roadbook-batches",
        r#"{"client_files":{"parcours_id":"ID"}}"#,
    ),
    sent(
        "update_roadbook",
        "/pages/[]/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/roadbook",
        r#"{"pages":[{"kind":"front_cover","media_id":"ID"}]}"#,
    ),
    sent(
        "update_roadbook",
        "/stays/[]/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/roadbook",
        r#"{"stays":[{"step_id":1,"media_id":"ID"}]}"#,
    ),
    open("update_roadbook", "/stays/[]/step_id", "a step of the parcours itself"),
    sent(
        "preview_roadbook",
        "/settings/pages/[]/media_id",
        Kind::Media,
        "POST",
        "/api/v1/parcours/{parcours}/roadbook/preview",
        r#"{"settings":{"pages":[{"kind":"front_cover","media_id":"ID"}]}}"#,
    ),
    sent(
        "preview_roadbook",
        "/settings/stays/[]/media_id",
        Kind::Media,
        "POST",
        "/api/v1/parcours/{parcours}/roadbook/preview",
        r#"{"settings":{"stays":[{"step_id":1,"media_id":"ID"}]}}"#,
    ),
    open("preview_roadbook", "/settings/stays/[]/step_id", "a step of the parcours itself"),
    sent(
        "preview_roadbook",
        "/client_file/stays/[]/media_id",
        Kind::Media,
        "POST",
        "/api/v1/parcours/{parcours}/roadbook/preview",
        r#"{"client_file":{"stays":[{"step_id":1,"media_id":"ID"}]}}"#,
    ),
    open("preview_roadbook", "/client_file/stays/[]/step_id", "a step of the parcours itself"),
    sent(
        "create_client_file",
        "/stays/[]/media_id",
        Kind::Media,
        "POST",
        "/api/v1/parcours/{parcours}/client-files",
        r#"{"reference":"2027-001","stays":[{"step_id":1,"media_id":"ID"}]}"#,
    ),
    open("create_client_file", "/stays/[]/step_id", "a step of the parcours itself"),
    sent(
        "update_client_file",
        "/stays/[]/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{client_file}",
        r#"{"reference":"2027-001","stays":[{"step_id":1,"media_id":"ID"}]}"#,
    ),
    open("update_client_file", "/stays/[]/step_id", "a step of the parcours itself"),
    sent(
        "update_audio_walk",
        "/intro/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/audio/fr",
        r#"{"intro":{"media_id":"ID"}}"#,
    ),
    sent(
        "update_audio_walk",
        "/outro/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/audio/fr",
        r#"{"outro":{"media_id":"ID"}}"#,
    ),
    sent(
        "update_audio_walk",
        "/transition_media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/audio/fr",
        r#"{"transition_media_id":"ID"}"#,
    ),
    sent(
        "update_audio_walk",
        "/stops/[]/story/media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/audio/fr",
        r#"{"stops":[{"position":[4.0,47.0],"story":{"media_id":"ID"}}]}"#,
    ),
    sent(
        "update_audio_walk",
        "/stops/[]/transition_media_id",
        Kind::Media,
        "PUT",
        "/api/v1/parcours/{parcours}/audio/fr",
        r#"{"stops":[{"position":[4.0,47.0],"transition_media_id":"ID"}]}"#,
    ),
    open("update_audio_walk", "/stops/[]/id", "a stop of the walk itself"),
    sent(
        "write_text",
        "/id",
        Kind::Parcours,
        "POST",
        "/api/v1/assistant/texts",
        r#"{"kind":"parcours","id":"ID","task":"summary","field":"summary","language":"fr"}"#,
    ),
    sent(
        "propose_translations",
        "/id",
        Kind::Parcours,
        "POST",
        "/api/v1/translations",
        r#"{"kind":"parcours","id":"ID","source":"fr","target":"en","fields":{"title":"Lac"}}"#,
    ),
    sent(
        "start_translation_job",
        "/ids",
        Kind::Parcours,
        "POST",
        "/api/v1/translation-jobs",
        r#"{"kind":"parcours","ids":["ID"],"source":"fr","target":"en"}"#,
    ),
    sent(
        "estimate_translation_job",
        "/ids",
        Kind::Parcours,
        "POST",
        "/api/v1/translation-jobs/estimate",
        r#"{"kind":"parcours","ids":["ID"],"source":"fr","target":"en"}"#,
    ),
    sent(
        "give_review",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/reviews",
        r#"{"parcours_id":"ID","rating":5}"#,
    ),
    sent(
        "report_review",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/reviews/0/complaints",
        r#"{"parcours_id":"ID","reason":"untrue"}"#,
    ),
    sent(
        "give_report",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/field-reports",
        r#"{"parcours_id":"ID","kind":"danger"}"#,
    ),
    sent(
        "give_review_by_key",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/parcours/1/reviews",
        r#"{"parcours_id":"ID","rating":5}"#,
    ),
    sent(
        "give_report_by_key",
        "/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/parcours/1/field-reports",
        r#"{"parcours_id":"ID","kind":"danger"}"#,
    ),
    sent(
        "take_events",
        "/events/[]/parcours_id",
        Kind::Parcours,
        "POST",
        "/api/public/v1/events",
        r#"{"events":[{"kind":"view","parcours_id":"ID"}]}"#,
    ),
    open(
        "take_events",
        "/events/[]/white_label_id",
        "white-labels are named to everybody; what is counted is theirs only",
    ),
    sent(
        "import_installs",
        "?white_label_id",
        Kind::WhiteLabel,
        "POST",
        "/api/v1/statistics/installs?store=app_store&white_label_id={ID}",
        "{}",
    ),
];
