//! `/api/docs`: the public API as a page, made from its own contract. No script, nothing from elsewhere.

use std::sync::LazyLock;

use axum::http::HeaderValue;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::Response;
use domain::Locale;
use maud::{DOCTYPE, Markup, PreEscaped, html};
use serde_json::Value;

use super::words::sentence;

static PAGE: LazyLock<String> = LazyLock::new(|| page().into_string());

/// The public API, told to whoever writes a client: each address, what it takes, what it answers, why it refuses.
#[utoipa::path(get, path = "/api/docs", tag = "feeds", security(()), responses((status = 200, description = "A page", content_type = "text/html")))]
pub async fn show_api_docs() -> Response {
    let mut response = Response::new(PAGE.as_str().into());
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    headers.insert(CACHE_CONTROL, HeaderValue::from_static("public, max-age=3600"));
    response
}

/// The operations with the tag of the feeds, in their order.
fn operations(contract: &Value) -> Vec<(&str, &Value)> {
    let paths = contract["paths"].as_object().into_iter().flatten();
    let feeds = |operation: &Value| operation["tags"].as_array().is_some_and(|tags| tags.contains(&"feeds".into()));
    let found = paths.map(|(path, item)| (path.as_str(), &item["get"])).filter(|(_, operation)| feeds(operation));
    // The same operations below an address that carries a key are told once, in words.
    found.filter(|(path, _)| !path.starts_with("/k/")).collect()
}

const STYLE: &str = "
:root{color-scheme:light dark;--ink:#1c2b26;--paper:#fff;--soft:#f3f6f4;--line:#c9d4ce;--deep:#0b5f50}
@media(prefers-color-scheme:dark){:root{--ink:#e6efea;--paper:#121a17;--soft:#1b2622;--line:#3a4a43;--deep:#7fd1bd}}
body{margin:0;font:1rem/1.55 system-ui,sans-serif;color:var(--ink);background:var(--paper)}
main{max-width:60rem;margin:0 auto;padding:2rem 1.25rem 4rem}
h1{font-size:1.9rem;margin:0 0 .5rem}h2{margin:2.5rem 0 .5rem;font-size:1.3rem}
article{border-top:1px solid var(--line);padding:1.25rem 0}
h3{font-size:1.05rem;margin:0 0 .35rem;overflow-wrap:anywhere}
code,pre{font:.92em ui-monospace,monospace}pre{background:var(--soft);padding:.75rem 1rem;white-space:pre-wrap;overflow-wrap:anywhere;border-radius:.4rem}
table{border-collapse:collapse;width:100%;font-size:.94rem}caption{text-align:left;font-weight:600;padding:.6rem 0 .2rem}
th,td{text-align:left;vertical-align:top;padding:.3rem .75rem .3rem 0;border-bottom:1px solid var(--line)}
th{font-weight:600;white-space:nowrap}a{color:var(--deep)}nav li{overflow-wrap:anywhere}
";

fn page() -> Markup {
    let contract = serde_json::to_value(crate::openapi()).unwrap_or_default();
    let operations = operations(&contract);
    html! {
        (DOCTYPE)
        html lang="fr" {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                title { "API publique de Jalon" }
                style { (PreEscaped(STYLE)) }
            }
            body {
                main {
                    h1 { "API publique de Jalon" }
                    p { "En lecture seule, avec la clé d’une marque blanche. Elle donne ce qui est publié et diffusé à cette clé, rien d’autre." }
                    (key())
                    nav aria-label="Adresses" { ul { @for (path, operation) in &operations {
                        li { a href={ "#" (operation["operationId"].as_str().unwrap_or_default()) } { code { (path) } } }
                    } } }
                    h2 { "Adresses" }
                    p { "Les descriptions sont en anglais, comme le contrat " code { "openapi.json" } " dont elles viennent." }
                    div lang="en" { @for (path, operation) in &operations { (article(path, operation)) } }
                    h2 { "Refus" }
                    p { "Un refus est un " code { "application/problem+json" } " : " code { "code" } " pour le programme, " code { "detail" } " en français ou en anglais (" code { "?language=" } " ou " code { "Accept-Language" } ") pour la personne." }
                    (refusals())
                }
            }
        }
    }
}

fn key() -> Markup {
    html! {
        h2 { "La clé" }
        pre { "curl -H 'X-Api-Key: <clé>' https://<serveur>/api/public/v1/parcours\ncurl -H 'Authorization: Bearer <clé>' https://<serveur>/api/v2/trek/\ncurl 'https://<serveur>/api/v2/trek/?key=<clé>'" }
        p { "Un widget ou un portail Geotrek ne connaît qu’une adresse : " code { "https://<serveur>/k/<clé des pages>/api/v2/" } ", que donne l’écran Widget. La clé des pages est publique ; une clé secrète y est refusée. Les mêmes adresses existent pour les parcours et les POI : " code { "/k/<clé des pages>/api/public/v1/parcours" } ". Le domaine d’une marque blanche tient lieu de clé : " code { "https://<domaine>/api/v2/" } "." }
        p { "Depuis la page d’un autre site, ce site doit être parmi les « sites autorisés » de la marque blanche. Chaque réponse porte un " code { "ETag" } " : renvoyez-le dans " code { "If-None-Match" } ", et une réponse 304 vous dira que rien n’a changé. Au-delà du rythme permis, la réponse 429 (503 sous " code { "/api/v2/" } ") dit dans " code { "Retry-After" } " quand réessayer." }
    }
}

fn article(path: &str, operation: &Value) -> Markup {
    let words = |value: &Value| value.as_str().unwrap_or_default().to_owned();
    let parameters: Vec<&Value> = operation["parameters"].as_array().into_iter().flatten().collect();
    html! {
        article id=(words(&operation["operationId"])) {
            h3 { code { "GET " (path) } }
            p { (words(&operation["summary"])) }
            @if !parameters.is_empty() {
                table {
                    caption { "Parameters" }
                    @for parameter in parameters {
                        tr {
                            th scope="row" { code { (words(&parameter["name"])) } }
                            td { (words(&parameter["description"])) }
                        }
                    }
                }
            }
            table {
                caption { "Answers" }
                @for (status, answer) in operation["responses"].as_object().into_iter().flatten() {
                    tr {
                        th scope="row" { (status) }
                        td { (words(&answer["description"])) }
                    }
                }
            }
        }
    }
}

fn refusals() -> Markup {
    let codes = [
        "feed/key-required",
        "feed/key-unknown",
        "feed/origin",
        "feed/too-many",
        "feed/not-found",
        "feed/page-beyond",
        "feed/no-endpoint",
        "feed/bad-box",
        "request/bad-query",
    ];
    html! {
        table { @for code in codes {
            tr {
                th scope="row" { code { (code) } }
                td { (sentence(Locale::Fr, code, &Value::Null).unwrap_or_default()) }
            }
        } }
    }
}
