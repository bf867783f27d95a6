//! Cirkwi's circuits: XML whose texts stand by language, whose line is a file elsewhere, whose steps are places of their own.

use std::collections::BTreeMap;
use std::ops::Range;

use domain::Text;
use quick_xml::events::{BytesStart, Event};
use quick_xml::reader::Reader;
use trace::Position;

use super::package::media_kind;
use super::route::{ImportedMedia, ImportedRoute, Line, Place, Refused, Word};

/// Elements deeper than this are nobody's circuit.
const MAX_DEPTH: usize = 60;

/// The circuits of a document: what names each, and where it stands.
pub(super) fn split(text: &str) -> Result<Vec<(String, Range<usize>)>, Refused> {
    let mut reader = reader(text);
    let (mut items, mut open, mut depth) = (Vec::new(), None, 0_usize);
    loop {
        let before = reader.buffer_position() as usize;
        match reader.read_event().map_err(|error| damaged(text, &reader, &error))? {
            Event::Start(tag) => {
                if tag.local_name().as_ref() == "circuit" && open.is_none() {
                    let id = attribute(&tag, "id_circuit").unwrap_or_else(|| format!("#{}", items.len() + 1));
                    open = Some((id, before, depth));
                }
                depth += 1;
                if depth > MAX_DEPTH {
                    return Err(Refused::new("import/too-deep"));
                }
            }
            Event::End(_) => {
                depth = depth.saturating_sub(1);
                if let Some((id, start, _)) = open.take_if(|(_, _, at)| *at == depth) {
                    items.push((id, start..reader.buffer_position() as usize));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    if items.is_empty() && !text.contains("<circuits") {
        return Err(Refused::new("import/not-cirkwi"));
    }
    Ok(items)
}

/// An element with all that is in it: a circuit is small.
#[derive(Debug, Default)]
struct Node {
    name: String,
    attributes: BTreeMap<String, String>,
    text: String,
    children: Vec<Node>,
}

impl Node {
    fn child(&self, name: &str) -> Option<&Node> {
        self.children.iter().find(|child| child.name == name)
    }

    fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a Node> {
        self.children.iter().filter(move |child| child.name == name)
    }

    fn at(&self, path: &[&str]) -> Option<&Node> {
        path.iter().try_fold(self, |node, name| node.child(name))
    }

    fn words(&self, name: &str) -> Option<String> {
        // Two characters, as some exports write the end of a line.
        let words = self.child(name)?.text.replace("\\r\\n", "\n");
        Some(words.trim().to_owned()).filter(|words| !words.is_empty())
    }

    fn attribute(&self, name: &str) -> Option<&str> {
        self.attributes.get(name).map(|value| value.trim()).filter(|value| !value.is_empty())
    }
}

/// A circuit.
pub(super) fn route(raw: &str) -> Result<ImportedRoute, Refused> {
    let circuit = tree(raw)?;
    let id = circuit.attribute("id_circuit").ok_or_else(|| Refused::new("import/no-id"))?;
    let mut route = ImportedRoute::new(id.chars().filter(|c| !c.is_control()).take(200).collect::<String>());
    let texts = |name: &str| by_language(&circuit, |information| information.words(name));
    route.text("titre", texts("titre"));
    route.text("description", texts("description"));
    route.text("informations_complementaires", by_language(&circuit, extra));
    let tags = circuit
        .child("informations")
        .into_iter()
        .flat_map(|all| all.all("information"))
        .find_map(|one| one.child("tags_publics"));
    let tag = |tag: &Node| {
        Some(Word {
            key: tag.attribute("id")?.to_owned(),
            label: Text::in_french(tag.attribute("nom")?.replace('_', " ")),
        })
    };
    route.words("tags_publics", tags.into_iter().flat_map(|tags| tags.all("tag_public")).filter_map(tag).collect());
    if let Some(locomotion) = circuit.at(&["locomotions", "locomotion"]) {
        let key = locomotion.attribute("id_locomotion").or(locomotion.attribute("type")).unwrap_or_default();
        let label = Text::in_french(locomotion.attribute("type").unwrap_or(key));
        route.words("locomotion", vec![Word { key: key.to_owned(), label }]);
        route.words("difficulte", locomotion.attribute("difficulte").map(Word::plain).into_iter().collect());
        let seconds = locomotion.attribute("duree").and_then(|text| text.parse().ok());
        route.number("duree", seconds.filter(|seconds: &f64| *seconds > 0.0));
    }
    let way = circuit.child("sens_circuit");
    route.number("distance", way.and_then(|way| way.words("distance")).and_then(|metres| metres.parse().ok()));
    route.words("sens", way.and_then(|way| way.attribute("label")).map(Word::plain).into_iter().collect());
    if let Some(url) = circuit.child("fichier_trace").and_then(|file| file.attribute("url")) {
        route.line = Line::At(url.to_owned());
    }
    route.places = places(&circuit);
    route.media = media(&circuit);
    Ok(route)
}

fn by_language(node: &Node, of: impl Fn(&Node) -> Option<String>) -> Text {
    let informations = node.child("informations").into_iter().flat_map(|all| all.all("information"));
    informations.filter_map(|one| Some((one.attribute("langue").unwrap_or("fr").to_owned(), of(one)?))).collect()
}

/// What is told beside the description, under its own titles.
fn extra(information: &Node) -> Option<String> {
    let parts = information.child("informations_complementaires")?.all("information_complementaire");
    let html: String = parts
        .filter_map(|part| {
            let words = part.words("description")?;
            let title = part.words("titre").map(|title| format!("<h3>{}</h3>", escaped(&title))).unwrap_or_default();
            Some(format!("{title}<p>{}</p>", escaped(&words)))
        })
        .collect();
    Some(html).filter(|html| !html.is_empty())
}

fn escaped(words: &str) -> String {
    words.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;")
}

/// The steps of a circuit: beside its texts, and inside its way.
fn places(circuit: &Node) -> Vec<Place> {
    let beside = circuit.child("infos_parcours");
    let inside = circuit.at(&["sens_circuit", "infos_parcours"]);
    let steps = beside.into_iter().chain(inside).flat_map(|all| all.all("info_parcours"));
    steps
        .take(300)
        .filter_map(|step| {
            Some(Place {
                title: by_language(step, |one| one.words("titre")),
                description: by_language(step, |one| one.words("description")),
                position: position(step)?,
            })
        })
        .collect()
}

fn position(step: &Node) -> Option<Position> {
    let address = step.child("adresse")?;
    let number =
        |node: &Node, name: &str| node.words(name)?.replace(',', ".").parse::<f64>().ok().filter(|n| n.is_finite());
    let at = address.child("position")?;
    let (lon, lat) = (number(at, "lng")?, number(at, "lat")?);
    let inside = (-180.0..=180.0).contains(&lon) && (-90.0..=90.0).contains(&lat);
    inside.then(|| Position { ele: number(address, "altitude"), ..Position::new(lon, lat) })
}

/// The media of each language, each once.
fn media(circuit: &Node) -> Vec<ImportedMedia> {
    let mut found: Vec<ImportedMedia> = Vec::new();
    let informations = circuit.child("informations").into_iter().flat_map(|all| all.all("information"));
    for (language, one) in informations.map(|one| (one.attribute("langue").unwrap_or("fr"), one)) {
        let Some(media) = one.child("medias") else { continue };
        for (list, item) in [("images", "image"), ("sons", "son")] {
            for node in media.child(list).into_iter().flat_map(|list| list.all(item)) {
                let Some(url) = node.words("url") else { continue };
                let legend =
                    node.words("legende").map(|words| Text::default().with(language, words)).unwrap_or_default();
                match found.iter_mut().find(|known| known.url == url) {
                    Some(known) => legend.iter().for_each(|(language, words)| known.legend.set(language, words)),
                    None => found.push(ImportedMedia {
                        kind: media_kind(&url),
                        url,
                        legend,
                        author: node.words("credit"),
                        licence: None,
                    }),
                }
            }
        }
    }
    found
}

fn tree(raw: &str) -> Result<Node, Refused> {
    let mut reader = reader(raw);
    let mut open: Vec<Node> = vec![Node::default()];
    loop {
        let event = reader.read_event().map_err(|error| damaged(raw, &reader, &error))?;
        match event {
            Event::Start(tag) if open.len() > MAX_DEPTH => {
                return Err(Refused::new("import/too-deep").with("name", tag.name().as_ref().to_owned()));
            }
            Event::Start(tag) => open.push(node(&tag)),
            Event::Empty(tag) => {
                if let Some(parent) = open.last_mut() {
                    parent.children.push(node(&tag));
                }
            }
            Event::End(_) => {
                if let Some(done) = open.pop()
                    && let Some(parent) = open.last_mut()
                {
                    parent.children.push(done);
                }
            }
            Event::Text(text) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&text.into_inner());
                }
            }
            Event::CData(text) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&text.into_inner());
                }
            }
            Event::GeneralRef(entity) => {
                if let Some(node) = open.last_mut() {
                    node.text.push_str(&resolved(&entity.into_inner()));
                }
            }
            Event::Eof => break,
            _ => {}
        }
    }
    open.into_iter()
        .next()
        .and_then(|root| root.children.into_iter().next())
        .ok_or_else(|| Refused::new("import/damaged"))
}

/// The few entities of XML; those of a DTD are never expanded.
fn resolved(name: &str) -> String {
    let number =
        name.strip_prefix("#x").map(|hex| u32::from_str_radix(hex, 16)).or(name.strip_prefix('#').map(str::parse));
    match (name, number) {
        ("amp", _) => "&".to_owned(),
        ("lt", _) => "<".to_owned(),
        ("gt", _) => ">".to_owned(),
        ("quot", _) => "\"".to_owned(),
        ("apos", _) => "'".to_owned(),
        ("nbsp", _) => "\u{a0}".to_owned(),
        (_, Some(Ok(code))) => char::from_u32(code).map(String::from).unwrap_or_default(),
        _ => String::new(),
    }
}

fn node(tag: &BytesStart) -> Node {
    let name = tag.local_name().as_ref().to_owned();
    let attributes = tag
        .attributes()
        .with_checks(false)
        .flatten()
        .map(|found| {
            let (key, raw) = (found.key.local_name().as_ref().to_owned(), found.value.into_owned());
            (key, quick_xml::escape::unescape(&raw).map(std::borrow::Cow::into_owned).unwrap_or(raw))
        })
        .collect();
    Node { name, attributes, ..Node::default() }
}

fn attribute(tag: &BytesStart, name: &str) -> Option<String> {
    let value = node(tag).attributes.remove(name)?;
    Some(value.chars().filter(|c| !c.is_control()).take(200).collect()).filter(|value: &String| !value.is_empty())
}

fn reader(text: &str) -> Reader<&[u8]> {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.allow_dangling_amp = true;
    reader
}

fn damaged(text: &str, reader: &Reader<&[u8]>, error: &quick_xml::Error) -> Refused {
    let at = (reader.error_position() as usize).min(text.len());
    let line = text.as_bytes()[..at].split(|byte| *byte == b'\n').count();
    Refused::new("trace/malformed").with("detail", error.to_string()).with("line", line.to_string())
}
