//! Asks a real Valhalla server the questions of the tests and writes down what it answers: `record_valhalla URL FOLDER`.
//! `scripts/record-valhalla.sh` prepares such a server and runs this.

use std::error::Error;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use connect::http::{Addresses, Client, Limits};
use planner::valhalla::Valhalla;
use routing::server::{Answer, Exchange, Unanswered};
use serde_json::{Value, json};

#[path = "../tests/valhalla/questions.rs"]
mod questions;

/// Carries questions and keeps both sides.
struct Recorder {
    client: Client,
    url: String,
    kept: Arc<Mutex<Vec<Value>>>,
}

impl Exchange for Recorder {
    fn ask(&self, action: &str, question: &[u8]) -> Result<Answer, Unanswered> {
        let reply = self
            .client
            .post_json(&format!("{}/{action}", self.url), question, Duration::from_secs(60))
            .map_err(|_| Unanswered::Unreachable)?;
        let read = |bytes: &[u8]| serde_json::from_slice::<Value>(bytes).map_err(|_| Unanswered::BadAnswer);
        let (asked, answer) = (read(question)?, read(&reply.body)?);
        let mut kept = self.kept.lock().map_err(|_| Unanswered::Unreachable)?;
        kept.push(json!({"action": action, "question": asked, "status": reply.status, "answer": answer}));
        Ok(Answer { is_ok: reply.status == 200, body: reply.body })
    }
}

fn main() -> Result<(), Box<dyn Error>> {
    let mut given = std::env::args().skip(1);
    let (Some(url), Some(folder)) = (given.next(), given.next().map(PathBuf::from)) else {
        return Err("record_valhalla URL FOLDER".into());
    };
    let limits = Limits { timeout: Duration::from_secs(60), max_body_bytes: 64 << 20 };
    for (name, ask) in questions::QUESTIONS {
        let kept = Arc::new(Mutex::new(Vec::new()));
        let client = Client::new("valhalla", Addresses::Any, limits);
        let engine = Valhalla::new(Box::new(Recorder { client, url: url.clone(), kept: Arc::clone(&kept) }));
        let reply_text = ask(&engine);
        eprintln!("{name}: {}", reply_text.chars().take(300).collect::<String>());
        let lines: Vec<String> = kept.lock().map_err(|_| "poisoned")?.iter().map(Value::to_string).collect();
        // One exchange a line: a change is seen where it is.
        std::fs::write(folder.join(format!("{name}.jsonl")), lines.join("\n") + "\n")?;
    }
    Ok(())
}
