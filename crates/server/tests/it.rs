//! The server on a real port: slow clients, many clients, HTTP/2, PROXY protocol, the end.
#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use std::net::SocketAddr;
use std::time::{Duration, Instant};

use axum::Router;
use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{HeaderMap, Request, StatusCode, Uri};
use axum::routing::{get, post};
use domain::TrustedProxies;
use http_body_util::BodyExt;
use hyper_util::rt::{TokioExecutor, TokioIo};
use server::Limits;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpSocket, TcpStream};
use tokio::sync::oneshot;
use tokio::task::JoinHandle;
use tokio::time::timeout;

const GET: &[u8] = b"GET / HTTP/1.1\r\nHost: jalon.example\r\n\r\n";

/// A server on a free port, with short time-outs.
struct Server {
    address: SocketAddr,
    stop: oneshot::Sender<()>,
    ended: JoinHandle<()>,
}

fn limits() -> Limits {
    Limits {
        max_connections: 500,
        max_connections_per_address: 100,
        header_timeout: Duration::from_millis(400),
        idle_timeout: Duration::from_millis(800),
        write_timeout: Duration::from_millis(600),
        min_bytes_per_s: 50_000,
        ..Limits::default()
    }
}

fn router() -> Router {
    let who = async |ConnectInfo(peer): ConnectInfo<SocketAddr>, uri: Uri, headers: HeaderMap| {
        format!("{} {uri} {}", peer.ip(), headers["host"].to_str().unwrap())
    };
    let slow = async || {
        tokio::time::sleep(Duration::from_millis(1_500)).await;
        "done"
    };
    Router::new()
        .route("/", get(who))
        .route("/slow", get(slow))
        .route("/large", get(async || vec![b'x'; 64 * 1024 * 1024]))
        .route("/echo", post(async |body: Body| body))
        .route("/unchanged", get(async || (StatusCode::NOT_MODIFIED, [("etag", "\"a\"")])))
        .route("/refused", post(async || StatusCode::FORBIDDEN))
}

async fn start(limits: Limits, trusted: &[&str]) -> Server {
    let listener = TcpListener::bind("0.0.0.0:0").await.unwrap();
    let port = listener.local_addr().unwrap().port();
    let (stop, stopped) = oneshot::channel::<()>();
    let trusted = TrustedProxies::networks(trusted.iter().copied()).unwrap();
    let ended = tokio::spawn(async move {
        let stopped = async {
            let _ = stopped.await;
        };
        server::serve(listener, router(), limits, trusted, stopped).await;
    });
    Server { address: SocketAddr::from(([127, 0, 0, 1], port)), stop, ended }
}

impl Server {
    async fn connect(&self) -> TcpStream {
        TcpStream::connect(self.address).await.unwrap()
    }

    /// A connection from another address of this machine.
    async fn connect_from(&self, last: u8) -> TcpStream {
        let socket = TcpSocket::new_v4().unwrap();
        socket.bind(SocketAddr::from(([127, 0, 0, last], 0))).unwrap();
        socket.connect(self.address).await.unwrap()
    }
}

/// The bytes received until the server closes.
async fn read_to_end(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    let _ = timeout(Duration::from_secs(10), stream.read_to_end(&mut bytes)).await.expect("the server closes");
    String::from_utf8_lossy(&bytes).into_owned()
}

/// The first answer that comes.
async fn answer(stream: &mut TcpStream, request: &[u8]) -> String {
    stream.write_all(request).await.unwrap();
    let mut bytes = vec![0; 4_096];
    let read = timeout(Duration::from_secs(10), stream.read(&mut bytes)).await.expect("an answer").unwrap_or(0);
    String::from_utf8_lossy(&bytes[..read]).into_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn an_answer_that_nothing_changed_has_no_length() {
    let server = start(limits(), &[]).await;
    for verb in ["HEAD", "GET"] {
        let mut stream = server.connect().await;
        let request = format!("{verb} /unchanged HTTP/1.1\r\nHost: jalon.example\r\n\r\n");
        let answer = answer(&mut stream, request.as_bytes()).await.to_lowercase();
        assert!(answer.starts_with("http/1.1 304") && answer.contains("etag: \"a\""), "{verb}: {answer}");
        assert!(!answer.contains("content-length"), "{verb}: {answer}");
    }
    let mut stream = server.connect().await;
    let found = answer(&mut stream, b"HEAD / HTTP/1.1\r\nHost: jalon.example\r\n\r\n").await;
    assert!(found.contains("content-length: 2"), "{found}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_unfinished_header_closes_the_connection() {
    let server = start(limits(), &[]).await;
    let mut nothing = server.connect().await;
    let mut slow = server.connect().await;
    slow.write_all(b"GET / HTTP/1.1\r\nHost: x\r\n").await.unwrap();
    let mut half_preface = server.connect().await;
    half_preface.write_all(b"PRI * HTTP/2.0\r\n").await.unwrap();
    let started = Instant::now();
    let drip = tokio::spawn(async move {
        while slow.write_all(b"x-a: b\r\n").await.is_ok() && started.elapsed() < Duration::from_secs(8) {
            tokio::time::sleep(Duration::from_millis(50)).await;
        }
        started.elapsed()
    });
    assert_eq!(read_to_end(&mut nothing).await, "");
    assert_eq!(read_to_end(&mut half_preface).await, "");
    let ended = drip.await.unwrap();
    assert!(started.elapsed() < Duration::from_secs(3) && ended < Duration::from_secs(3), "{ended:?}");
}

#[tokio::test(flavor = "multi_thread")]
async fn an_idle_connection_is_closed_and_a_busy_one_is_not() {
    let server = start(limits(), &[]).await;
    let mut idle = server.connect().await;
    let started = Instant::now();
    assert!(answer(&mut idle, GET).await.starts_with("HTTP/1.1 200"));
    assert!(answer(&mut idle, GET).await.starts_with("HTTP/1.1 200"), "kept alive");
    assert_eq!(read_to_end(&mut idle).await, "");
    assert!(started.elapsed() >= Duration::from_millis(800) && started.elapsed() < Duration::from_secs(5));
    let mut busy = server.connect().await;
    assert!(answer(&mut busy, b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await.ends_with("done"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_does_not_read_its_answer_is_cut_off() {
    let server = start(limits(), &[]).await;
    let large = b"GET /large HTTP/1.1\r\nHost: x\r\n\r\n";
    let (mut greedy, mut quick) = (server.connect().await, server.connect().await);
    greedy.write_all(large).await.unwrap();
    quick.write_all(large).await.unwrap();
    let mut taken = 0;
    let mut piece = vec![0; 1024 * 1024];
    while taken < 64 * 1024 * 1024 {
        taken += timeout(Duration::from_secs(10), quick.read(&mut piece)).await.unwrap().unwrap();
    }
    tokio::time::sleep(Duration::from_secs(2)).await;
    // The reset shows once what the system of this side holds is read.
    let mut taken = 0;
    let broken = loop {
        match timeout(Duration::from_secs(10), greedy.read(&mut piece)).await.expect("the server does not wait") {
            Ok(0) | Err(_) => break true,
            Ok(read) => taken += read,
        }
        if taken > 60 * 1024 * 1024 {
            break false;
        }
    };
    assert!(broken, "all of it came");
}

#[tokio::test(flavor = "multi_thread")]
async fn two_thousand_connections_of_one_address_do_not_keep_another_out() {
    server::make_room_for(5_000);
    let server = start(Limits { idle_timeout: Duration::from_secs(60), ..limits() }, &[]).await;
    let mut held = Vec::new();
    for _ in 0..2_000 {
        held.push(server.connect_from(2).await);
    }
    let mut other = server.connect_from(3).await;
    let found = answer(&mut other, GET).await;
    assert!(found.starts_with("HTTP/1.1 200") && found.ends_with("127.0.0.3 / jalon.example"), "{found}");
    let refused = read_to_end(held.last_mut().unwrap()).await;
    assert!(refused.starts_with("HTTP/1.1 503") && refused.contains("Retry-After: 5"), "{refused}");
    drop(held);
    let mut again = String::new();
    for _ in 0..50 {
        again = answer(&mut server.connect_from(2).await, GET).await;
        if again.starts_with("HTTP/1.1 200") {
            break;
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert!(again.starts_with("HTTP/1.1 200"), "places are given back: {again}");
}

#[tokio::test(flavor = "multi_thread")]
async fn the_connections_of_all_addresses_are_bounded_too() {
    let server = start(Limits { max_connections: 3, ..limits() }, &["127.0.0.9"]).await;
    let mut held = Vec::new();
    for last in 2..5 {
        let mut stream = server.connect_from(last).await;
        assert!(answer(&mut stream, GET).await.starts_with("HTTP/1.1 200"));
        held.push(stream);
    }
    assert!(read_to_end(&mut server.connect_from(9).await).await.starts_with("HTTP/1.1 503"), "a proxy too");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_trusted_proxy_is_not_limited_as_one_network() {
    let server = start(Limits { max_connections_per_address: 2, ..limits() }, &["127.0.0.9"]).await;
    let mut held = Vec::new();
    for _ in 0..10 {
        let mut stream = server.connect_from(9).await;
        assert!(answer(&mut stream, GET).await.starts_with("HTTP/1.1 200"));
        held.push(stream);
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn http_2_is_spoken_with_prior_knowledge_and_idle_connections_end() {
    let server = start(limits(), &[]).await;
    let io = TokioIo::new(server.connect().await);
    let (mut sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.unwrap();
    let ended = tokio::spawn(connection);
    let request =
        |path: &str| Request::builder().uri(format!("http://jalon.example{path}")).body(Body::empty()).unwrap();
    let listed = sender.send_request(request("/?a=b")).await.unwrap().into_body().collect().await.unwrap().to_bytes();
    assert_eq!(&listed[..], b"127.0.0.1 /?a=b jalon.example", "the same to a handler as HTTP/1.1");
    let all = (0..50).map(|_| sender.send_request(request("/slow"))).collect::<Vec<_>>();
    for one in all {
        assert_eq!(one.await.unwrap().status(), 200);
    }
    timeout(Duration::from_secs(5), ended).await.expect("idle: closed").unwrap().unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn http_2_headers_are_bounded_and_a_stalled_stream_is_cut_off() {
    let server = start(Limits { max_header_bytes: 8 * 1024, ..limits() }, &[]).await;
    let open = async || {
        let io = TokioIo::new(server.connect().await);
        let (sender, connection) = hyper::client::conn::http2::handshake(TokioExecutor::new(), io).await.unwrap();
        (sender, tokio::spawn(connection))
    };
    let (mut sender, _connection) = open().await;
    let large = Request::builder().uri("http://x/").header("x-a", "b".repeat(20 * 1024)).body(Body::empty()).unwrap();
    let refused = sender.send_request(large).await;
    assert!(refused.is_err() || refused.unwrap().status() == 431);
    let (mut sender, connection) = open().await;
    let request = Request::builder().uri("http://x/large").body(Body::empty()).unwrap();
    let response = sender.send_request(request).await.unwrap();
    // The body is not read: the stream's window fills, the connection itself is free.
    let ended = timeout(Duration::from_secs(5), connection).await;
    assert!(ended.is_ok(), "a stream nobody reads keeps its connection");
    drop(response);
}

#[tokio::test(flavor = "multi_thread")]
async fn a_proxy_protocol_header_is_believed_from_trusted_proxies_alone() {
    let limits = Limits { proxy_protocol: true, max_connections_per_address: 1, ..limits() };
    let server = start(limits, &["127.0.0.9"]).await;
    let named = |client: &str| [format!("PROXY TCP4 {client} 10.0.0.1 51000 80\r\n").as_bytes(), GET].concat();
    let mut first = server.connect_from(9).await;
    let found = answer(&mut first, &named("203.0.113.7")).await;
    assert!(found.ends_with("203.0.113.7 / jalon.example"), "{found}");
    let mut second = server.connect_from(9).await;
    assert_eq!(answer(&mut second, &named("203.0.113.7")).await, "", "its network has one connection already");
    let mut other = server.connect_from(9).await;
    assert!(answer(&mut other, &named("203.0.113.8")).await.ends_with("203.0.113.8 / jalon.example"));
    let mut without = server.connect_from(9).await;
    assert_eq!(answer(&mut without, GET).await, "");
    let mut liar = server.connect_from(3).await;
    assert!(answer(&mut liar, &named("203.0.113.9")).await.starts_with("HTTP/1.1 400"));
}

#[tokio::test(flavor = "multi_thread")]
async fn a_stop_lets_answers_finish_and_closes_the_rest() {
    let server = start(Limits { idle_timeout: Duration::from_secs(60), ..limits() }, &[]).await;
    let mut idle = server.connect().await;
    assert!(answer(&mut idle, GET).await.starts_with("HTTP/1.1 200"));
    let mut busy = server.connect().await;
    busy.write_all(b"GET /slow HTTP/1.1\r\nHost: x\r\n\r\n").await.unwrap();
    tokio::time::sleep(Duration::from_millis(300)).await;
    server.stop.send(()).unwrap();
    assert!(read_to_end(&mut busy).await.ends_with("done"));
    assert_eq!(read_to_end(&mut idle).await, "");
    timeout(Duration::from_secs(5), server.ended).await.expect("it ends").unwrap();
    assert!(TcpStream::connect(server.address).await.is_err(), "nobody listens any more");
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_is_passed_on_unchanged() {
    let server = start(limits(), &[]).await;
    let mut stream = server.connect().await;
    let request = b"POST /echo HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\n\r\nhello";
    assert!(answer(&mut stream, request).await.contains("200 OK"));
    let mut absolute = server.connect().await;
    let found = answer(&mut absolute, b"GET http://jalon.example/?q=1 HTTP/1.1\r\nHost: other\r\n\r\n").await;
    assert!(found.ends_with("/?q=1 jalon.example"), "{found}");
}

/// Reads an answer without a body and returns its header.
async fn header(stream: &mut TcpStream) -> String {
    let mut header = Vec::new();
    while !header.ends_with(b"\r\n\r\n") {
        header.push(timeout(Duration::from_secs(5), stream.read_u8()).await.unwrap().unwrap());
    }
    String::from_utf8(header).unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn after_a_refusal_with_an_unread_short_body_the_connection_stays_open() {
    let server = start(limits(), &[]).await;
    let mut stream = server.connect().await;
    for _ in 0..20 {
        stream.write_all(b"POST /refused HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9000\r\n\r\n").await.unwrap();
        // The body comes a little after the header, as most clients send it.
        tokio::time::sleep(Duration::from_millis(5)).await;
        stream.write_all(&[b'x'; 9000]).await.unwrap();
        let header = header(&mut stream).await;
        assert!(header.starts_with("HTTP/1.1 403") && !header.contains("connection: close"), "{header}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_refusal_that_leaves_a_long_body_unread_says_that_it_closes() {
    let server = start(limits(), &[]).await;
    for head in ["Content-Length: 70000", "Content-Length: 10\r\nExpect: 100-continue", "Content-Length: 10"] {
        let mut stream = server.connect().await;
        stream
            .write_all(format!("POST /refused HTTP/1.1\r\nHost: a.example\r\n{head}\r\n\r\n").as_bytes())
            .await
            .unwrap();
        let header = header(&mut stream).await;
        assert!(header.starts_with("HTTP/1.1 403") && header.contains("connection: close"), "{header}");
        assert_eq!(read_to_end(&mut stream).await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_client_that_sends_a_long_body_to_its_end_gets_the_refusal() {
    let server = start(limits(), &[]).await;
    for _ in 0..5 {
        let mut stream = server.connect().await;
        stream
            .write_all(b"POST /refused HTTP/1.1\r\nHost: a.example\r\nContent-Length: 3000000\r\n\r\n")
            .await
            .unwrap();
        // A proxy goes on sending after the answer has come, and reads it afterwards.
        for _ in 0..30 {
            tokio::time::sleep(Duration::from_millis(2)).await;
            stream.write_all(&[b'x'; 100_000]).await.unwrap();
        }
        let header = header(&mut stream).await;
        assert!(header.starts_with("HTTP/1.1 403") && header.contains("connection: close"), "{header}");
        assert_eq!(read_to_end(&mut stream).await, "");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn a_body_without_end_is_not_read_for_ever_after_a_refusal() {
    // None of the connection's own bounds closes it within a minute: a byte now and then is no idle connection, and no header.
    let minute = Duration::from_secs(60);
    let patient = Limits { header_timeout: minute, idle_timeout: minute, write_timeout: minute, ..Limits::default() };
    let server = start(patient, &[]).await;
    let mut stream = server.connect().await;
    let head = b"POST /refused HTTP/1.1\r\nHost: a.example\r\nContent-Length: 9000000000\r\n\r\n";
    stream.write_all(head).await.unwrap();
    let header = header(&mut stream).await;
    assert!(header.starts_with("HTTP/1.1 403") && header.contains("connection: close"), "{header}");
    let sending = async {
        while stream.write_all(b"x").await.is_ok() {
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    };
    timeout(Duration::from_secs(20), sending).await.expect("the connection is closed after two seconds");
}
