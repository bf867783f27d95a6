//! `/api/docs`: the public API as a page in French and in English, made from its own contract, with forms that send what they ask.
//! Its only script is `try.js`, from here.

mod words;

use std::collections::{BTreeMap, BTreeSet};
use std::sync::LazyLock;

use app::error_text::{asked_locale, sentence};
use app::problem::AsProblem;
use app::routes;
use app::{App, Rejection};
use axum::http::header::{CACHE_CONTROL, CONTENT_LANGUAGE, CONTENT_TYPE, VARY};
use axum::http::{HeaderMap, HeaderName, HeaderValue, Uri};
use axum::response::Response;
use domain::Locale;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use outputs::feed::FeedError;
use serde_json::{Value, json};
use utoipa_axum::router::OpenApiRouter;

use self::words::{EXAMPLES, FieldWords, OPERATIONS, PARAMETERS, PARCOURS, POI, WHITE_LABEL};
use crate::openapi::{BEFORE, codes_of, resolved};

static CONTRACT: LazyLock<Value> = LazyLock::new(public_contract);
static FRENCH: LazyLock<String> = LazyLock::new(|| page(Locale::Fr).into_string());
static ENGLISH: LazyLock<String> = LazyLock::new(|| page(Locale::En).into_string());
static PUBLIC_CONTRACT: LazyLock<String> = LazyLock::new(|| CONTRACT.to_string());
const TRY: &str = include_str!("try.js");

/// The routes of this folder.
pub(crate) fn router() -> OpenApiRouter<App> {
    OpenApiRouter::new()
        .routes(routes!(show_api_docs))
        .routes(routes!(show_public_contract))
        .routes(routes!(show_docs_script))
}

fn answer(body: &'static str, kind: &'static str) -> Response {
    let mut response = Response::new(body.into());
    let set: [(HeaderName, &'static str); 2] = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "public, max-age=3600")];
    for (name, value) in set {
        response.headers_mut().insert(name, HeaderValue::from_static(value));
    }
    response
}

/// The documentation of the public API, for developers of clients: each address, its parameters, the fields of its answers, its
/// errors, and a form that sends a request with a key.
#[utoipa::path(get, path = "/api/docs", tag = "feeds", security(()),
    params(("language" = Option<String>, Query, description = "`fr` or `en`; the browser’s language unless given")),
    responses((status = 200, description = "A page", content_type = "text/html")))]
pub async fn show_api_docs(uri: Uri, headers: HeaderMap) -> Response {
    let (text, language) = match asked_locale(&uri, &headers) {
        Locale::Fr => (FRENCH.as_str(), "fr"),
        Locale::En => (ENGLISH.as_str(), "en"),
    };
    let mut response = answer(text, "text/html; charset=utf-8");
    response.headers_mut().insert(CONTENT_LANGUAGE, HeaderValue::from_static(language));
    response.headers_mut().insert(VARY, HeaderValue::from_static("accept-language"));
    response
}

/// The contract of the public API alone, as OpenAPI 3.1.
#[utoipa::path(get, path = "/api/docs/openapi.json", tag = "feeds", security(()),
    responses((status = 200, description = "The contract", content_type = "application/json")))]
pub async fn show_public_contract() -> Response {
    answer(PUBLIC_CONTRACT.as_str(), "application/json")
}

/// The script of the documentation page.
#[utoipa::path(get, path = "/api/docs/try.js", tag = "feeds", security(()),
    responses((status = 200, description = "A script", content_type = "text/javascript")))]
pub async fn show_docs_script() -> Response {
    answer(TRY, "text/javascript; charset=utf-8")
}

/// Whether the documentation describes an address. It names the addresses that carry a key, and those of Geotrek without their last
/// slash, in one sentence each, as they answer the same.
fn is_described(path: &str, operation: &Value) -> bool {
    let of_feeds = operation["tags"].as_array().is_some_and(|tags| tags.contains(&"feeds".into()));
    let second = operation["operationId"].as_str().is_none_or(|id| id.ends_with("_unslashed"));
    of_feeds && !second && !path.starts_with("/k/") && !path.starts_with("/api/docs")
}

/// The `GET` operations of the public API, in its order.
fn operations() -> Vec<(&'static str, &'static Value)> {
    let paths = CONTRACT["paths"].as_object().into_iter().flatten();
    paths.map(|(path, item)| (path.as_str(), &item["get"])).filter(|(_, operation)| operation.is_object()).collect()
}

/// The public operations with what they refer to.
fn public_contract() -> Value {
    let mut contract = crate::openapi::only(is_described);
    contract["info"] = json!({"title": "Jalon, public API", "version": contract["info"]["version"]});
    contract
}

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c2b26;--paper:#fff;--soft:#f3f6f4;--line:#c9d4ce;--deep:#0b5f50;--edge:#6b7d74}
@media(prefers-color-scheme:dark){:root{--ink:#e6efea;--paper:#121a17;--soft:#1b2622;--line:#3a4a43;--deep:#7fd1bd;--edge:#8fa39a}}
body{margin:0;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;margin:0 0 .5rem}h2{margin:2.5rem 0 .5rem;font-size:1.3rem}h4{margin:1rem 0 .25rem;font-size:1rem}
article{border-top:1px solid var(--line);padding:1.25rem 0}
h3{font-size:1.05rem;margin:0 0 .35rem;overflow-wrap:anywhere}
code,pre{font:.92em ui-monospace,monospace}pre{background:var(--soft);padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:.4rem;max-height:28rem;overflow:auto}
table{border-collapse:collapse;width:100%;font-size:.94rem}caption{text-align:left;font-weight:600;padding:.6rem 0 .2rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line);overflow-wrap:anywhere}
th{font-weight:600}a{color:var(--deep)}nav li{overflow-wrap:anywhere}
summary{cursor:pointer;color:var(--deep);font-weight:600;padding:.4rem 0}
form{display:grid;grid-template-columns:repeat(auto-fill,minmax(14rem,1fr));gap:.75rem;align-items:end}
form p,form pre{grid-column:1/-1;margin:0}label{display:grid;gap:.2rem;font-size:.94rem}
input{font:inherit;color:inherit;background:var(--paper);border:1px solid var(--edge);border-radius:.3rem;padding:.4rem .5rem}
button{font:inherit;font-weight:600;color:var(--paper);background:var(--deep);border:0;border-radius:.3rem;padding:.5rem 1rem;justify-self:start}
:focus-visible{outline:3px solid var(--deep);outline-offset:2px}
";

/// One of two texts.
fn either<'a>(locale: Locale, french: &'a str, english: &'a str) -> &'a str {
    match locale {
        Locale::Fr => french,
        Locale::En => english,
    }
}

/// Words with code between backticks.
fn coded(words: &str) -> Markup {
    html! {
        @for (place, part) in words.split('`').enumerate() {
            @if place % 2 == 1 { code { (part) } } @else { (part) }
        }
    }
}

fn id_of(operation: &Value) -> &str {
    operation["operationId"].as_str().unwrap_or_default()
}

fn page(locale: Locale) -> Markup {
    let operations = operations();
    let t = |french, english| either(locale, french, english);
    html! {
        (DOCTYPE)
        html lang=(t("fr", "en")) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { (t("API publique de Jalon", "Jalon’s public API")) }
                link rel="icon" href="/favicon.svg" type="image/svg+xml";
                link rel="alternate" hreflang=(t("en", "fr")) href={ "/api/docs?language=" (t("en", "fr")) };
                style { (PreEscaped(STYLE)) }
                script src="/api/docs/try.js" defer {}
            }
            body {
                main {
                    p { a href={ "/api/docs?language=" (t("en", "fr")) } hreflang=(t("en", "fr")) lang=(t("en", "fr")) { (t("English", "Français")) } }
                    h1 { (t("API publique de Jalon", "Jalon’s public API")) }
                    p { (t("En lecture seule, avec la clé d’une marque blanche. Elle donne ce qui est publié et diffusé à cette clé, rien d’autre.", "Read-only, with the key of a white-label. It gives what is published and distributed to that key, and nothing else.")) }
                    p { (t("Le contrat, pour un outil : ", "The contract, for a tool: ")) a href="/api/docs/openapi.json" { "/api/docs/openapi.json" } }
                    (key(locale))
                    nav aria-label=(t("Adresses", "Addresses")) { ul { @for (path, operation) in &operations {
                        li { a href={ "#" (id_of(operation)) } { code { (path) } } }
                    } } }
                    h2 { (t("Adresses", "Addresses")) }
                    @for (path, operation) in &operations { (article(locale, path, operation)) }
                    h2 { (t("Champs", "Fields")) }
                    p { (coded(t("Un « texte par langue » est un objet, `{\"fr\": …, \"en\": …}`, ou un texte quand `language` en choisit une. Un « élément de liste » a `id`, `code`, `label` et parfois `color`.", "A “text by language” is an object, `{\"fr\": …, \"en\": …}`, or a text where `language` chooses one. A “list item” has `id`, `code`, `label` and sometimes `color`."))) }
                    (fields(locale, t("Un parcours", "A parcours"), PARCOURS, true))
                    (fields(locale, t("Un point d’intérêt", "A POI"), POI, false))
                    (fields(locale, t("Une marque blanche", "A white-label"), WHITE_LABEL, false))
                    h2 { (t("Refus", "Refusals")) }
                    p { (coded(t("Un refus est un `application/problem+json` : `code` pour le programme, `detail` en français ou en anglais (`?language=` ou `Accept-Language`) pour la personne.", "A refusal is an `application/problem+json`: `code` for the program, `detail` in French or in English (`?language=` or `Accept-Language`) for the person."))) }
                    (refusals(locale))
                }
            }
        }
    }
}

fn key(locale: Locale) -> Markup {
    let t = |french, english| either(locale, french, english);
    html! {
        h2 { (t("La clé", "The key")) }
        p { label for="key" { (t("Clé d’API, pour essayer depuis cette page. Elle reste dans la page.", "API key, to try from this page. It stays in the page.")) input id="key" type="password" autocomplete="off" spellcheck="false"; } }
        pre tabindex="0" { (t("curl -H 'X-Api-Key: <clé>' https://<serveur>/api/public/v1/parcours\ncurl -H 'Authorization: Bearer <clé>' https://<serveur>/api/v2/trek/\ncurl 'https://<serveur>/api/v2/trek/?key=<clé>'", "curl -H 'X-Api-Key: <key>' https://<server>/api/public/v1/parcours\ncurl -H 'Authorization: Bearer <key>' https://<server>/api/v2/trek/\ncurl 'https://<server>/api/v2/trek/?key=<key>'")) }
        p { (coded(t("Un widget ou un portail Geotrek ne connaît qu’une adresse : `https://<serveur>/k/<clé des pages>/api/v2/`, que donne l’écran Widget. La clé des pages est publique ; une clé secrète y est refusée. Les mêmes adresses existent pour les parcours et les POI : `/k/<clé des pages>/api/public/v1/parcours`. Le domaine d’une marque blanche tient lieu de clé : `https://<domaine>/api/v2/`.", "A Geotrek widget or portal knows an address and nothing else: `https://<server>/k/<key of pages>/api/v2/`, which the Widget screen gives. The key of pages is public; a secret key is refused there. The same addresses exist for parcours and POIs: `/k/<key of pages>/api/public/v1/parcours`. The domain of a white-label replaces the key: `https://<domain>/api/v2/`."))) }
        p { (coded(t("Depuis la page d’un autre site, ce site doit être parmi les « sites autorisés » de la marque blanche. Chaque réponse porte un `ETag` : renvoyez-le dans `If-None-Match`, et une réponse 304 vous dira que rien n’a changé. Au-delà du rythme permis, la réponse 429 (503 sous `/api/v2/`) dit dans `Retry-After` quand réessayer.", "From a page of another site, that site must be among the “allowed sites” of the white-label. Each answer has an `ETag`: send it back in `If-None-Match`, and a 304 tells that nothing changed. Beyond the allowed rate the answer 429 (503 below `/api/v2/`) says in `Retry-After` when to try again."))) }
    }
}

/// The description of an operation, and of its answer.
fn texts_of(locale: Locale, operation: &Value) -> (String, String) {
    let french = OPERATIONS.iter().find(|(id, ..)| *id == id_of(operation));
    if let (Locale::Fr, Some((_, gives, answer))) = (locale, french) {
        return ((*gives).to_owned(), (*answer).to_owned());
    }
    let text = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let whole = [text(&operation["summary"]), text(&operation["description"])].join(" ");
    (whole.trim().to_owned(), text(&operation["responses"]["200"]["description"]))
}

fn parameter_text(locale: Locale, parameter: &Value) -> String {
    let french = PARAMETERS.iter().find(|(name, _)| parameter["name"] == *name);
    match (locale, french) {
        (Locale::Fr, Some((_, words))) => (*words).to_owned(),
        (Locale::En, _) if parameter["description"].is_null() && parameter["name"] == "id" => "Number.".to_owned(),
        _ => parameter["description"].as_str().unwrap_or_default().to_owned(),
    }
}

/// A value to begin with, of what an address cannot do without.
fn sample(operation: &Value, parameter: &str) -> &'static str {
    match (id_of(operation), parameter) {
        ("download_public_trace", "file") => "trace.gpx",
        ("download_open_data", "file") => "schema-randonnee.geojson",
        ("draw_pictogram", "file") => "route-loop.svg",
        (_, "endpoint") => "trek",
        (_, "since") => "2026-01-01",
        (_, "id") => "1",
        _ => "",
    }
}

fn parameters(operation: &Value) -> Vec<&Value> {
    operation["parameters"].as_array().into_iter().flatten().map(|parameter| resolved(&CONTRACT, parameter)).collect()
}

fn article(locale: Locale, path: &str, operation: &'static Value) -> Markup {
    let t = |french, english| either(locale, french, english);
    let (gives, given) = texts_of(locale, operation);
    let parameters = parameters(operation);
    let name_of = |parameter: &Value| parameter["name"].as_str().unwrap_or_default().to_owned();
    let filled = parameters.iter().fold(path.to_owned(), |path, parameter| {
        let name = name_of(parameter);
        path.replace(&format!("{{{name}}}"), sample(operation, &name))
    });
    let asked = if path.ends_with("/changes") { format!("{filled}?since=2026-01-01") } else { filled };
    let example = EXAMPLES.iter().find(|(id, _)| *id == id_of(operation)).map(|(_, text)| *text);
    html! {
        article id=(id_of(operation)) {
            h3 { code { "GET " (path) } }
            p { (coded(&gives)) }
            @if !parameters.is_empty() {
                table {
                    caption { (t("Paramètres", "Parameters")) }
                    tbody { @for parameter in &parameters {
                        tr {
                            th scope="row" { code { (name_of(parameter)) } }
                            td { (coded(&parameter_text(locale, parameter))) }
                        }
                    } }
                }
            }
            table {
                caption { (t("Réponses", "Answers")) }
                tbody { @for (status, codes) in &answers(operation) {
                    @if is_of_reading(status) {
                        tr {
                            th scope="row" { (status) }
                            td { (answer_words(locale, status, codes, &given)) }
                        }
                    }
                } }
            }
            h4 { (t("Exemple", "Example")) }
            pre tabindex="0" { "curl -H 'X-Api-Key: " (t("<clé>", "<key>")) "' 'https://" (t("<serveur>", "<server>")) (asked) "'" @if let Some(example) = example { "\n\n" (example) } }
            (form(locale, path, operation))
        }
    }
}

/// Whether an answer is one of those that a question without a body may have.
fn is_of_reading(status: &str) -> bool {
    ["200", "304", "400", "401", "403", "404", "405", "429", "503"].contains(&status)
}

/// The answers of an operation by status, each with its codes, refusals before the handler included.
fn answers(operation: &'static Value) -> BTreeMap<String, BTreeSet<&'static str>> {
    let known: Vec<_> = Rejection::codes().into_iter().chain(FeedError::codes()).collect();
    let mut found: BTreeMap<String, BTreeSet<&'static str>> = BTreeMap::new();
    for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
        let codes: Vec<&str> = codes_of(&CONTRACT, answer).collect();
        if status == BEFORE {
            for one in known.iter().filter(|one| codes.contains(&one.code)) {
                found.entry(one.status.to_string()).or_default().insert(one.code);
            }
        } else {
            found.entry(status.clone()).or_default().extend(codes_of(&CONTRACT, answer));
        }
    }
    found
}

fn answer_words(locale: Locale, status: &str, codes: &BTreeSet<&str>, given: &str) -> Markup {
    match status {
        "200" => coded(given),
        "304" => coded(either(locale, "Rien n’a changé", "Nothing changed")),
        _ => {
            // Feeds need no session: the codes about sessions are left out.
            let codes: Vec<&&str> =
                codes.iter().filter(|code| !code.starts_with("session/") && !code.starts_with("auth/")).collect();
            html! { @for (place, code) in codes.iter().enumerate() { @if place > 0 { ", " } code { (code) } } }
        }
    }
}

/// A form that sends the question, by the script of the page.
fn form(locale: Locale, path: &str, operation: &Value) -> Markup {
    let t = |french, english| either(locale, french, english);
    let needs_key = operation["security"].to_string().contains("api_key");
    let field = |parameter: &Value| {
        let name = parameter["name"].as_str().unwrap_or_default().to_owned();
        let place = parameter["in"].as_str().unwrap_or_default();
        let value = sample(operation, &name);
        html! {
            label for={ (id_of(operation)) "-" (name) } {
                code { (name) }
                input id={ (id_of(operation)) "-" (name) } name=(name) data-in=(place) value=(value) required[place == "path"] autocomplete="off" spellcheck="false";
            }
        }
    };
    html! {
        details {
            summary { (t("Essayer", "Try it")) " " code { (path) } }
            noscript { p { (t("Essayer demande JavaScript.", "Trying needs JavaScript.")) } }
            form data-path=(path) data-key=(if needs_key { "yes" } else { "no" }) {
                @for parameter in parameters(operation) { @if parameter["in"] != "header" { (field(parameter)) } }
                p { button type="submit" { (t("Envoyer", "Send")) } }
                p role="status" data-status="" {}
                pre tabindex="0" role="region" aria-label=(t("Réponse", "Answer")) hidden {}
            }
        }
    }
}

fn fields(locale: Locale, title: &str, all: &[FieldWords], of_parcours: bool) -> Markup {
    let t = |french, english| either(locale, french, english);
    html! {
        table {
            caption { (title) }
            thead { tr { th scope="col" { (t("Champ", "Field")) } th scope="col" { (t("Type", "Type")) } th scope="col" { (t("Contenu", "Content")) } } }
            tbody { @for FieldWords(name, kind, french, english) in all {
                tr {
                    th scope="row" { code { (name) } }
                    td { (t(french_type(kind), kind)) }
                    td {
                        (coded(t(french, english)))
                        @if of_parcours && feeds::own::LONG_FIELDS.contains(name) {
                            " " (coded(t("(dans une liste : seulement si `fields` le nomme)", "(in a list: only where `fields` names it)")))
                        }
                    }
                }
            } }
        }
    }
}

fn french_type(kind: &str) -> &str {
    match kind {
        "number" => "nombre",
        "numbers" => "nombres",
        "text" => "texte",
        "text by language" => "texte par langue",
        "item" => "élément de liste",
        "items" => "éléments de liste",
        "boolean" => "oui ou non",
        "object" => "objet",
        "list" => "liste",
        "list of [longitude, latitude, altitude]" => "liste de [longitude, latitude, altitude]",
        "[west, south, east, north]" => "[ouest, sud, est, nord]",
        other => other,
    }
}

fn refusals(locale: Locale) -> Markup {
    let codes = [
        "feed/key-required",
        "feed/key-unknown",
        "feed/key-of-pages",
        "feed/secret-in-address",
        "feed/origin",
        "feed/too-many",
        "feed/later",
        "feed/busy",
        "feed/not-found",
        "feed/page-beyond",
        "feed/no-endpoint",
        "feed/not-read",
        "feed/bad-box",
        "request/bad-query",
        "request/missing-query",
    ];
    html! {
        table {
            caption { (either(locale, "Codes de refus", "Codes of refusals")) }
            tbody { @for code in codes {
                tr {
                    th scope="row" { code { (code) } }
                    td { (sentence(locale, code, &Value::Null).unwrap_or_default()) }
                }
            } }
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::Map;

    use super::*;

    #[test]
    fn each_operation_and_parameter_has_its_french_words() {
        let documented = operations();
        assert!(documented.len() > 12, "{} operations", documented.len());
        for (path, operation) in documented {
            assert!(OPERATIONS.iter().any(|(id, ..)| *id == id_of(operation)), "{path}: {}", id_of(operation));
            for parameter in parameters(operation) {
                let name = parameter["name"].as_str().unwrap_or_default();
                assert!(PARAMETERS.iter().any(|(known, _)| *known == name), "{path}: {name}");
                assert!(!parameter_text(Locale::En, parameter).is_empty(), "{path}: {name} in English");
            }
        }
    }

    #[test]
    fn the_public_contract_holds_all_it_points_to_and_nothing_of_the_rest() {
        let schemas = CONTRACT["components"]["schemas"].as_object().map(Map::len).unwrap_or_default();
        assert!(schemas > 0 && schemas < 60, "{schemas} schemas");
        let text = CONTRACT.to_string();
        let named: BTreeSet<&str> =
            text.split("\"$ref\":\"#").skip(1).filter_map(|rest| rest.split('"').next()).collect();
        assert!(named.iter().any(|name| name.starts_with("/components/responses/")));
        for name in named {
            assert!(CONTRACT.pointer(name).is_some_and(Value::is_object), "{name}");
        }
        let paths: Vec<&String> = CONTRACT["paths"].as_object().into_iter().flatten().map(|(path, _)| path).collect();
        assert!(
            paths.iter().all(|path| path.starts_with("/api/public/v1/") || path.starts_with("/api/v2/")),
            "{paths:?}"
        );
        assert!(paths.iter().any(|path| path.as_str() == "/api/public/v1/parcours"));
        let doors = CONTRACT["components"]["securitySchemes"].as_object().into_iter().flatten();
        assert_eq!(doors.map(|(name, _)| name.as_str()).collect::<Vec<_>>(), ["api_key"]);
    }

    #[test]
    fn the_tables_of_fields_are_those_of_the_answers() {
        for long in feeds::own::LONG_FIELDS {
            assert!(PARCOURS.iter().any(|field| field.0 == long), "{long}");
        }
        for (id, text) in EXAMPLES {
            assert!(serde_json::from_str::<Value>(text).is_ok(), "{id}: an example is JSON");
            assert!(OPERATIONS.iter().any(|(known, ..)| known == id), "{id}");
        }
        let known = |names: &[FieldWords]| names.iter().map(|field| field.0).collect::<BTreeSet<_>>().len();
        assert_eq!((known(PARCOURS), known(POI)), (PARCOURS.len(), POI.len()), "no field twice");
        let answered = CONTRACT["components"]["schemas"]["PublicWhiteLabel"]["properties"].as_object();
        let answered: BTreeSet<&str> = answered.into_iter().flatten().map(|(name, _)| name.as_str()).collect();
        assert_eq!(answered, WHITE_LABEL.iter().map(|field| field.0).collect());
    }
}
