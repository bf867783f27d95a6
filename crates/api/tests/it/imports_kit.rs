//! Shared by the tests of imports: a stub server on this machine with given answers.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::path::PathBuf;
use std::sync::{Arc, Mutex};

use axum::body::Body;
use axum::http::Request;
use serde_json::{Value, json};
use testkit::{Client, TestApp};

/// An answer: status, further headers, body.
#[derive(Debug, Clone)]
pub struct Answer(pub u16, pub Vec<String>, pub Vec<u8>);

impl From<Value> for Answer {
    fn from(body: Value) -> Self {
        Self(200, vec!["Content-Type: application/json".to_owned()], body.to_string().into_bytes())
    }
}

impl From<Vec<u8>> for Answer {
    fn from(body: Vec<u8>) -> Self {
        Self(200, Vec::new(), body)
    }
}

type Respond = Arc<dyn Fn(&str, &HashMap<String, String>) -> Answer + Send + Sync>;

/// A server that listens until the test ends.
#[derive(Clone)]
pub struct Stub {
    pub url: String,
    requests: Arc<Mutex<Vec<String>>>,
}

impl Stub {
    /// Answers each path with its query.
    pub fn start(respond: impl Fn(&str, &HashMap<String, String>) -> Answer + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let (requests, respond): (_, Respond) = (Arc::new(Mutex::new(Vec::new())), Arc::new(respond));
        let received = Arc::clone(&requests);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (respond, received) = (Arc::clone(&respond), Arc::clone(&received));
                std::thread::spawn(move || answer(&stream, &respond, &received));
            }
        });
        Self { url, requests }
    }

    /// The received requests, in their order.
    pub fn requests(&self) -> Vec<String> {
        self.requests.lock().unwrap().clone()
    }

    /// How many received requests have a path that begins with this.
    pub fn request_count(&self, path: &str) -> usize {
        self.requests().iter().filter(|request| request.starts_with(path)).count()
    }
}

/// An application of the tests that answers over HTTP on this machine, at its own public address; and the requests it received.
pub fn listening(app: &TestApp) -> (TestApp, Stub) {
    let slot: Arc<Mutex<Option<TestApp>>> = Arc::default();
    let (server, runtime) = (Arc::clone(&slot), tokio::runtime::Handle::current());
    let stub = Stub::start(move |path, headers| {
        let server = server.lock().unwrap().clone().expect("the application is there before it is asked");
        let mut request = Request::builder().uri(path);
        if let Some(key) = headers.get("x-api-key") {
            request = request.header("x-api-key", key);
        }
        let reply = runtime.block_on(server.send(request.body(Body::empty()).expect("a request")));
        let kind = format!("Content-Type: {}", reply.header("content-type"));
        Answer(reply.status.as_u16(), vec![kind], reply.bytes)
    });
    let app = app.changed(|parts| parts.settings.public_url.clone_from(&stub.url));
    *slot.lock().unwrap() = Some(app.clone());
    (app, stub)
}

fn answer(stream: &TcpStream, respond: &Respond, requests: &Mutex<Vec<String>>) -> Option<()> {
    let mut reader = BufReader::new(stream.try_clone().ok()?);
    let mut first = String::new();
    reader.read_line(&mut first).ok()?;
    let mut headers = HashMap::new();
    loop {
        let mut line = String::new();
        reader.read_line(&mut line).ok()?;
        let Some((name, value)) = line.trim().split_once(':') else { break };
        headers.insert(name.to_ascii_lowercase(), value.trim().to_owned());
    }
    let path = first.split(' ').nth(1)?.to_owned();
    requests.lock().unwrap().push(path.clone());
    let Answer(status, more, body) = respond(&path, &headers);
    let more: String = more.iter().map(|line| format!("{line}\r\n")).collect();
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", body.len()).ok()?;
    stream.write_all(&body).ok()
}

/// A trek as Geotrek sends it: its line depends on its number.
pub fn trek(number: u32, name: &str) -> Value {
    let north = 47.0 + f64::from(number) * 0.004;
    let line: Vec<[f64; 3]> = (0..20).map(|at| [4.0 + f64::from(at) * 0.001, north, 500.0]).collect();
    json!({
        "id": number, "uuid": format!("trek-{number}"), "name": {"fr": name, "en": ""},
        "description_teaser": {"fr": "<p>Une boucle &eacute;tonnante.</p>"}, "description": {"fr": "<p>Pas à pas.</p>", "en": "<p>Step by step.</p>"},
        "practice": 4, "difficulty": 2, "themes": [1, 2], "labels": [], "networks": [], "route": 1, "duration": 2.5,
        "departure": {"fr": "La gare"}, "arrival": {"fr": "Le lac"}, "attachments": [],
        "geometry": {"type": "LineString", "coordinates": line},
    })
}

/// A Geotrek server that holds treks, which the test may change.
pub fn geotrek(treks: &Arc<Mutex<Vec<Value>>>) -> Stub {
    let treks = Arc::clone(treks);
    Stub::start(move |path, _| geotrek_answer(&treks, path))
}

/// What a Geotrek server that holds these treks answers.
pub fn geotrek_answer(treks: &Mutex<Vec<Value>>, path: &str) -> Answer {
    let (path, query) = path.split_once('?').unwrap_or((path, ""));
    let of = |name: &str| query.split('&').find_map(|part| part.strip_prefix(&format!("{name}=")));
    let number = |name: &str, usual: usize| of(name).and_then(|text| text.parse().ok()).unwrap_or(usual);
    let named = |names: &[(u32, &str)], field: &str| -> Answer {
        let results: Vec<Value> = names.iter().map(|(id, name)| json!({"id": id, field: {"fr": name}})).collect();
        json!({"count": results.len(), "next": null, "results": results}).into()
    };
    match path {
        "/api/v2/trek/" => {
            let (page, size) = (number("page", 1), number("page_size", 10));
            let all = treks.lock().unwrap();
            let changed = |trek: &&Value| of("updated_after").is_none() || trek["touched"] == true;
            let found: Vec<&Value> = all.iter().filter(changed).collect();
            let next = (page * size < found.len()).then(|| format!("http://ailleurs.example/?page={}", page + 1));
            let part: Vec<&Value> = found.iter().skip((page - 1) * size).take(size).copied().collect();
            json!({"count": found.len(), "next": next, "previous": null, "results": part}).into()
        }
        "/api/v2/trek_practice/" => named(&[(4, "Pédestre")], "name"),
        "/api/v2/trek_difficulty/" => named(&[(2, "Facile"), (9, "Sportif à l’ancienne")], "label"),
        "/api/v2/theme/" => named(&[(1, "Faune et flore"), (2, "Contrebande")], "label"),
        "/api/v2/trek_route/" => named(&[(1, "Boucle")], "route"),
        _ => Answer(404, Vec::new(), Vec::new()),
    }
}

/// A sample of the shared test data; none where the folder is missing.
pub fn sample(path: &str) -> Option<Vec<u8>> {
    let folder: PathBuf = testkit::shared_data()?;
    std::fs::read(folder.join("imports").join(path)).ok()
}

/// Makes a source.
pub async fn source(by: &Client, fields: Value) -> Value {
    let mut body = json!({"name": "Le parc", "kind": "geotrek"});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    by.post("/api/v1/import-sources", body).await.expect(201).json()
}

/// Runs a source, and waits until all is done; returns the run.
pub async fn run_source(app: &TestApp, by: &Client, source: &Value) -> Value {
    finished_run(app, by, source, json!({"dry": false})).await
}

/// Runs a source without writing, and waits until all is done; returns the run.
pub async fn dry_run(app: &TestApp, by: &Client, source: &Value) -> Value {
    finished_run(app, by, source, json!({"dry": true})).await
}

async fn finished_run(app: &TestApp, by: &Client, source: &Value, body: Value) -> Value {
    let run = by.post(format!("/api/v1/import-sources/{}/runs", source["id"]), body).await.expect(202).json();
    settled(app, by, &run).await
}

/// Waits until a run is done; returns it.
pub async fn settled(app: &TestApp, by: &Client, run: &Value) -> Value {
    sources::import_job::settle(app.app()).await.unwrap();
    by.get(format!("/api/v1/import-runs/{}", run["id"])).await.expect(200).json()
}

/// The lines of the report of a run that have this outcome.
pub async fn lines_of_run(by: &Client, run: &Value, outcome: &str) -> Vec<Value> {
    let path = format!("/api/v1/import-runs/{}/lines?outcome={outcome}&per_page=200", run["id"]);
    by.get(path).await.expect(200).json()["items"].as_array().unwrap().clone()
}

/// The codes of the notes of a line.
pub fn codes(line: &Value) -> Vec<&str> {
    line["notes"].as_array().unwrap().iter().filter_map(|note| note["code"].as_str()).collect()
}
