//! Spans reach a collector, and continue the trace of a trusted proxy alone.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::sync::mpsc::{Receiver, channel};
use std::time::Duration;

use crate::running::{Folder, LOG, Running, get_with};

const TRACE: &str = "4bf92f3577b34da6a3ce929d0e0e4736";
/// As nginx writes it; as long as a token.
const NUMBER: &str = "0af7651916cd43dd8448eb211c80319c";

/// A collector that answers each batch with 200 and hands its bytes out.
fn collector() -> (String, Receiver<(String, Vec<u8>)>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = format!("http://{}", listener.local_addr().unwrap());
    let (sender, received) = channel();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let sender = sender.clone();
            std::thread::spawn(move || {
                let mut stream = stream.unwrap();
                while let Some(batch) = read_request(&mut stream) {
                    let _ = stream.write_all(b"HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n");
                    let _ = sender.send(batch);
                }
            });
        }
    });
    (address, received)
}

/// The head and the body of a request; none where the client has gone.
fn read_request(stream: &mut TcpStream) -> Option<(String, Vec<u8>)> {
    let mut head = Vec::new();
    let mut byte = [0];
    while !head.ends_with(b"\r\n\r\n") {
        stream.read_exact(&mut byte).ok()?;
        head.push(byte[0]);
    }
    let head = String::from_utf8(head).unwrap().to_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    stream.read_exact(&mut body).ok()?;
    Some((head, body))
}

fn contains(bytes: &[u8], part: &[u8]) -> bool {
    bytes.windows(part.len()).any(|window| window == part)
}

fn from_hex(digits: &str) -> Vec<u8> {
    (0..digits.len()).step_by(2).map(|at| u8::from_str_radix(&digits[at..at + 2], 16).unwrap()).collect()
}

/// What a server with these settings sends for one request of a proxy that continues a trace; and the answer, and the log.
fn sent(settings: &[(&str, &str)]) -> (Vec<u8>, String, String) {
    let folder = Folder::new(&format!("traces-{}", settings.len()));
    let (address, received) = collector();
    let mut all = vec![
        ("JALON_TRACES__ENDPOINT", address.as_str()),
        ("JALON_TRACES__HEADERS__AUTHORIZATION", "Bearer of-the-collector"),
        ("JALON_LOG", "info,access=debug"),
    ];
    all.extend(settings);
    let server = Running::start(folder.path(), &all);
    let parent = format!("00-{TRACE}-00f067aa0ba902b7-01");
    let headers = [("traceparent", parent.as_str()), ("x-request-id", NUMBER)];
    let answer = get_with(server.port, "/api/v1/parcours/12", &headers).unwrap();
    server.terminate();
    assert!(server.wait().success());
    let mut bytes = Vec::new();
    while let Ok((head, body)) = received.recv_timeout(Duration::from_millis(200)) {
        assert!(
            head.starts_with("post /v1/traces ") && head.contains("authorization: bearer of-the-collector"),
            "{head}"
        );
        bytes.extend(body);
    }
    let log = std::fs::read_to_string(folder.path().join(LOG)).unwrap();
    (bytes, answer, log)
}

#[test]
fn a_request_continues_the_trace_of_a_trusted_proxy() {
    let (bytes, answer, log) = sent(&[("JALON_TRUSTED_PROXIES", "127.0.0.1")]);
    assert!(contains(&bytes, &from_hex(TRACE)), "the trace of the proxy");
    for part in ["GET /api/v1/parcours/{id}", "http.response.status_code", "statement", "service.name"] {
        assert!(contains(&bytes, part.as_bytes()), "{part}");
    }
    assert!(answer.contains(&format!("x-request-id: {NUMBER}")), "{answer}");
    let line = log.lines().find(|line| line.contains("\"answered\"") && line.contains(NUMBER)).unwrap();
    assert!(line.contains("\"status\":401") && line.contains("/api/v1/parcours/12"), "{line}");
}

#[test]
fn of_anybody_else_neither_trace_nor_number_is_taken() {
    let (bytes, answer, log) = sent(&[]);
    assert!(contains(&bytes, b"GET /api/v1/parcours/{id}"));
    assert!(!contains(&bytes, &from_hex(TRACE)));
    assert!(!answer.contains(NUMBER) && answer.contains("x-request-id: "), "{answer}");
    assert!(!log.contains(NUMBER));
}
