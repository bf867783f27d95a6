//! A stub of a service with a key, on this machine: it reads whole requests and gives a test's answers.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::{Arc, Mutex};

use serde_json::{Value, json};
use testkit::{Client, TestApp};

use crate::imports_kit::Answer;

/// A request that the fake service received.
#[derive(Debug, Clone)]
pub struct ReceivedRequest {
    pub path: String,
    pub headers: HashMap<String, String>,
    pub body: Value,
}

impl ReceivedRequest {
    /// The texts of a request to DeepL or LibreTranslate.
    pub fn texts(&self) -> Vec<String> {
        let texts = self.body.get("text").or(self.body.get("q"));
        texts
            .and_then(Value::as_array)
            .into_iter()
            .flatten()
            .filter_map(|text| text.as_str().map(str::to_owned))
            .collect()
    }
}

type Respond = Arc<dyn Fn(&ReceivedRequest, usize) -> Answer + Send + Sync>;

/// A service that listens until the test ends.
#[derive(Clone)]
pub struct Service {
    pub url: String,
    requests: Arc<Mutex<Vec<ReceivedRequest>>>,
}

impl Service {
    /// Answers each request; `respond` gets the number of requests before it.
    pub fn start(respond: impl Fn(&ReceivedRequest, usize) -> Answer + Send + Sync + 'static) -> Self {
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
    pub fn requests(&self) -> Vec<ReceivedRequest> {
        self.requests.lock().unwrap().clone()
    }

    /// All texts that were sent.
    pub fn texts(&self) -> Vec<String> {
        self.requests().iter().flat_map(ReceivedRequest::texts).collect()
    }
}

/// Reads one request with its body.
pub fn read_request(stream: &TcpStream) -> Option<ReceivedRequest> {
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
    let length = headers.get("content-length").and_then(|length| length.parse().ok()).unwrap_or(0);
    let mut body = vec![0; length];
    reader.read_exact(&mut body).ok()?;
    let path = first.split(' ').nth(1)?.to_owned();
    Some(ReceivedRequest { path, headers, body: serde_json::from_slice(&body).unwrap_or_default() })
}

fn answer(stream: &TcpStream, respond: &Respond, requests: &Mutex<Vec<ReceivedRequest>>) -> Option<()> {
    let heard = read_request(stream)?;
    let before = {
        let mut found = requests.lock().unwrap();
        found.push(heard.clone());
        found.len() - 1
    };
    let Answer(status, more, body) = respond(&heard, before);
    let more: String = more.iter().map(|line| format!("{line}\r\n")).collect();
    let mut stream = stream;
    write!(stream, "HTTP/1.1 {status} X\r\nContent-Length: {}\r\nConnection: close\r\n{more}\r\n", body.len()).ok()?;
    stream.write_all(&body).ok()
}

/// A refusal without a body, as they often are.
pub fn refusal(status: u16) -> Answer {
    Answer(status, Vec::new(), Vec::new())
}

/// The answer of a stub of DeepL: each text in capitals except its protected parts; English is detected where it contains « the ».
pub fn deepl_response(heard: &ReceivedRequest) -> Answer {
    if heard.path.starts_with("/v2/usage") {
        return json!({"character_count": 180_118, "character_limit": 1_250_000}).into();
    }
    let one = |text: String| {
        let detected = if text.contains("the ") { "EN" } else { "FR" };
        json!({"detected_source_language": detected, "text": capitals(&text)})
    };
    json!({"translations": heard.texts().into_iter().map(one).collect::<Vec<_>>()}).into()
}

/// Words in capitals; markup and protected words unchanged.
fn capitals(text: &str) -> String {
    let mut out = String::new();
    let mut rest = text;
    while let Some(start) = rest.find('<') {
        out.push_str(&rest[..start].to_uppercase());
        rest = &rest[start..];
        let end = if rest.starts_with("<span") {
            rest.find("</span>").map(|at| at + 7)
        } else {
            rest.find('>').map(|at| at + 1)
        };
        let end = end.unwrap_or(rest.len());
        out.push_str(&rest[..end]);
        rest = &rest[end..];
    }
    out + &rest.to_uppercase()
}

/// A stub of DeepL that refuses nothing.
pub fn deepl() -> Service {
    Service::start(|heard, _| deepl_response(heard))
}

/// Makes a translator of the platform with a key.
pub async fn translator(app: &TestApp, fields: Value) -> Value {
    let keeper = app.superadmin();
    let mut body = json!({"name": "DeepL de la région", "is_default": true});
    if let (Some(body), Value::Object(fields)) = (body.as_object_mut(), fields) {
        body.extend(fields);
    }
    let made = keeper.post("/api/v1/translators", body).await.expect(201).json();
    let path = format!("/api/v1/translators/{}", made["id"]);
    let key = json!({"key": "279a2e9d-83b3-c416-7e2d-f721593e42a0"});
    keeper.clone().at_version(1).put(format!("{path}/key"), key).await.expect(204);
    keeper.get(path).await.expect(200).json()
}

/// The proposals for texts.
pub async fn proposed(by: &Client, body: Value) -> Value {
    let mut asked = json!({"kind": "poi", "source": "fr", "target": "en"});
    if let (Some(asked), Value::Object(body)) = (asked.as_object_mut(), body) {
        asked.extend(body);
    }
    by.post("/api/v1/translations", asked).await.expect(200).json()
}

/// The words that are proposed for a field.
pub fn words<'a>(proposed: &'a Value, field: &str) -> &'a str {
    let fields = proposed["fields"].as_array().unwrap();
    fields.iter().find(|one| one["field"] == field).and_then(|one| one["words"].as_str()).unwrap_or_default()
}
