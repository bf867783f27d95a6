//! A server on this machine that answers as a test wants: what was recorded, late, wrongly, or not at all.

use std::collections::HashMap;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::Value;

/// The answer of the server.
pub enum Reply {
    /// A status and a body, after a while.
    After(Duration, u16, Vec<u8>),
    /// The line is cut.
    Cut,
}

impl Reply {
    pub fn of(status: u16, body: impl Into<Vec<u8>>) -> Self {
        Self::After(Duration::ZERO, status, body.into())
    }
}

/// A server that listens until the test ends.
pub struct Server {
    pub url: String,
    pub asked: Arc<AtomicUsize>,
}

impl Server {
    /// Answers each action and question; the number counts them from 0.
    pub fn start(answer: impl Fn(&str, &Value, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
        let url = format!("http://{}", listener.local_addr().expect("its address"));
        let (asked, answer) = (Arc::new(AtomicUsize::new(0)), Arc::new(answer));
        let count = Arc::clone(&asked);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let (answer, count) = (Arc::clone(&answer), Arc::clone(&count));
                std::thread::spawn(move || serve(stream, answer.as_ref(), &count));
            }
        });
        Self { url, asked }
    }

    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }
}

fn serve(
    stream: TcpStream,
    answer: &(dyn Fn(&str, &Value, usize) -> Reply + Send + Sync),
    count: &AtomicUsize,
) -> Option<()> {
    let mut writer = stream.try_clone().ok()?;
    let mut reader = BufReader::new(stream);
    loop {
        let (mut first, mut length) = (String::new(), 0);
        if reader.read_line(&mut first).ok()? == 0 {
            return None;
        }
        loop {
            let mut line = String::new();
            reader.read_line(&mut line).ok()?;
            if line.trim().is_empty() {
                break;
            }
            let (key, value) = line.split_once(':')?;
            if key.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok()?;
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body).ok()?;
        let action = first.split(' ').nth(1)?.trim_start_matches('/').to_owned();
        let question = serde_json::from_slice(&body).unwrap_or(Value::Null);
        let Reply::After(wait, status, body) = answer(&action, &question, count.fetch_add(1, Ordering::SeqCst)) else {
            return None;
        };
        std::thread::sleep(wait);
        let head =
            format!("HTTP/1.1 {status} Told\r\nContent-Type: application/json\r\nContent-Length: {}\r\n", body.len());
        let head = if status / 100 == 3 { head + "Location: http://127.0.0.1:1/\r\n" } else { head };
        writer.write_all((head + "\r\n").as_bytes()).ok()?;
        writer.write_all(&body).ok()?;
    }
}

/// The recorded answers, by action and request.
pub struct Recorded(HashMap<(String, String), (u16, String)>);

impl Recorded {
    pub fn read() -> Self {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/valhalla/recorded");
        let mut all = HashMap::new();
        for entry in std::fs::read_dir(folder).expect("recordings").flatten() {
            if entry.path().extension().is_none_or(|extension| extension != "jsonl") {
                continue;
            }
            let text = std::fs::read_to_string(entry.path()).expect("a recording");
            for line in text.lines() {
                let exchange: Value = serde_json::from_str(line).expect("one exchange a line");
                let key = (exchange["action"].as_str().unwrap_or_default().to_owned(), in_words(&exchange["question"]));
                let status = u16::try_from(exchange["status"].as_u64().unwrap_or_default()).unwrap_or_default();
                all.insert(key, (status, exchange["answer"].to_string()));
            }
        }
        Self(all)
    }

    pub fn reply(&self, action: &str, question: &Value) -> Reply {
        match self.0.get(&(action.to_owned(), in_words(question))) {
            Some((status, body)) => Reply::of(*status, body.clone()),
            None => Reply::of(500, format!("\"{action} was not recorded in these words: {question}\"")),
        }
    }
}

/// A request as a key of the recordings: the last bit of a number depends on the parser, and the sixth decimal of a degree is a
/// decimetre.
fn in_words(question: &Value) -> String {
    match question {
        Value::Number(number) if number.is_f64() => format!("{:.6}", number.as_f64().unwrap_or_default()),
        Value::Array(items) => format!("[{}]", items.iter().map(in_words).collect::<Vec<_>>().join(",")),
        Value::Object(members) => {
            let member = |(name, value): (&String, &Value)| format!("{name}:{}", in_words(value));
            format!("{{{}}}", members.iter().map(member).collect::<Vec<_>>().join(","))
        }
        other => other.to_string(),
    }
}
