//! Checks that a server of Jalon answers (`jalon health`).

use std::io::{self, Read as _, Write as _};
use std::net::{SocketAddr, TcpStream};
use std::time::Duration;

/// Time-out: health checks usually run every few seconds.
const TIMEOUT: Duration = Duration::from_secs(4);
/// The most bytes that are read: the first line of an answer is short.
const MAX_BYTES: u64 = 256;

/// The status with which the server at this address answers for a path. Where it expects the PROXY protocol, a header
/// without an address goes before the request.
pub fn probe(address: SocketAddr, path: &str, proxy_protocol: bool) -> io::Result<u16> {
    let mut stream = TcpStream::connect_timeout(&address, TIMEOUT)?;
    stream.set_read_timeout(Some(TIMEOUT))?;
    stream.set_write_timeout(Some(TIMEOUT))?;
    let proxy = if proxy_protocol { "PROXY UNKNOWN\r\n" } else { "" };
    stream
        .write_all(format!("{proxy}GET {path} HTTP/1.1\r\nhost: localhost\r\nconnection: close\r\n\r\n").as_bytes())?;
    let mut head = Vec::new();
    let mut limited = stream.take(MAX_BYTES);
    while !head.contains(&b'\n') {
        let mut part = [0; MAX_BYTES as usize];
        let read = limited.read(&mut part)?;
        if read == 0 {
            break;
        }
        head.extend_from_slice(&part[..read]);
    }
    let line = String::from_utf8_lossy(&head);
    let status = line.strip_prefix("HTTP/1.1 ").and_then(|rest| rest.get(..3)).and_then(|status| status.parse().ok());
    status.ok_or_else(|| io::Error::new(io::ErrorKind::InvalidData, "the answer is not HTTP"))
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::net::TcpListener;

    use super::*;

    /// Probes a listener that sends this answer in two parts; returns the status and what the listener received.
    fn asked(answer: &'static str, proxy_protocol: bool) -> (io::Result<u16>, String) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = listener.local_addr().unwrap();
        let server = std::thread::spawn(move || {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            while !request.ends_with(b"\r\n\r\n") {
                let mut byte = [0];
                stream.read_exact(&mut byte).unwrap();
                request.push(byte[0]);
            }
            let (first, second) = answer.split_at(answer.len() / 2);
            stream.write_all(first.as_bytes()).unwrap();
            // The two parts must arrive in two reads; one read would make the test trivial, not wrong.
            std::thread::sleep(Duration::from_millis(20));
            stream.write_all(second.as_bytes()).unwrap();
            String::from_utf8(request).unwrap()
        });
        (probe(address, "/livez", proxy_protocol), server.join().unwrap())
    }

    #[test]
    fn the_status_is_read_and_other_answers_are_errors() {
        let (status, request) = asked("HTTP/1.1 200 OK\r\ncontent-length: 0\r\n\r\n", false);
        assert_eq!(status.unwrap(), 200);
        assert!(request.starts_with("GET /livez HTTP/1.1\r\n"), "{request}");
        let (status, request) = asked("HTTP/1.1 503 Service Unavailable\r\n\r\n", true);
        assert_eq!(status.unwrap(), 503);
        assert!(request.starts_with("PROXY UNKNOWN\r\nGET /livez "), "{request}");
        assert_eq!(asked("SSH-2.0-OpenSSH_9.2\r\n", false).0.unwrap_err().kind(), io::ErrorKind::InvalidData);
        let closed = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
        assert!(probe(closed, "/livez", false).is_err());
    }
}
