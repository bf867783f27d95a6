//! One client for the benches: asks planners the same pairs over kept-alive connections, or this engine in process.
//!
//! ```text
//! race build EXTRACT DEM NETWORK               (DEM - : no ground model)
//! race own NETWORK PROFILE PAIRS
//! race all NETWORK THREADS PAIRS               (every profile in turn, in some threads at once: memory and first requests)
//! race agree NETWORK PROFILE PAIRS [RULES.json]        (distance and duration of each pair)
//! race http PROFILE PAIRS NAME=HOST:PORT …     (names: valhalla, osrm, jalon; a session in JALON_COOKIE)
//! ```
//! Servers are asked in turn, pair by pair, so that all see the same machine. Prints one JSON object a line.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use planner::{Dem, Embedded, Network};
use routing::{Language, Profile, RouteEngine, RouteRequest};
use serde_json::json;
use std::{
    env,
    error::Error,
    fs,
    io::{BufRead, BufReader, Read, Write},
    net::TcpStream,
    path::Path,
    sync::{
        Arc,
        atomic::{AtomicU64, Ordering},
    },
    time::{Duration, Instant},
};
use trace::Position;

type Failure = Box<dyn Error>;
type Pair = [Position; 2];

/// Rounds over all pairs; the first warms up and is not counted.
const ROUNDS: usize = 6;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = env::args().skip(1).collect();
    match arguments.iter().map(String::as_str).collect::<Vec<_>>()[..] {
        ["build", extract, dem, network] => build(extract, dem, network),
        ["own", network, profile, pairs] => own(Path::new(network), profile.parse()?, &read(pairs)?),
        ["all", network, threads, pairs] => all(Path::new(network), threads.parse()?, &read(pairs)?),
        ["agree", network, profile, pairs, ref rules @ ..] => {
            agree(Path::new(network), profile.parse()?, &read(pairs)?, rules.first().copied())
        }
        ["http", profile, pairs, ref servers @ ..] => http(profile.parse()?, &read(pairs)?, servers),
        _ => {
            Err("race build EXTRACT DEM NETWORK | own NETWORK PROFILE PAIRS | all NETWORK THREADS PAIRS | http PROFILE PAIRS NAME=HOST:PORT …"
                .into())
        }
    }
}

fn read(path: &str) -> Result<Vec<Pair>, Failure> {
    let number = |text: Option<&str>| text.ok_or("a column is missing")?.parse::<f64>().map_err(Failure::from);
    fs::read_to_string(path)?
        .lines()
        .skip(1)
        .map(|line| {
            let mut cells = line.split(',').skip(1);
            let mut place = || Ok::<_, Failure>(Position::new(number(cells.next())?, number(cells.next())?));
            Ok([place()?, place()?])
        })
        .collect()
}

fn build(extract: &str, dem: &str, network: &str) -> Result<(), Failure> {
    let (before, idle_kb, idle_own_kb) = (cpu_us(), memory_kb("VmRSS"), memory_kb("RssAnon"));
    let most_own_kb = watch_own_memory();
    let dem = if dem == "-" { None } else { Some(Dem::open_dir(Path::new(dem))?) };
    let report = Network::build(Path::new(extract), dem.as_ref(), Path::new(network), &mut |_| {})?;
    let beyond_mb = (memory_kb("VmHWM") - idle_kb) / 1024.0;
    let own_mb = (most_own_kb.load(Ordering::Relaxed) as f64 - idle_own_kb) / 1024.0;
    println!(
        "{}",
        json!({
            "build": report, "processor_ms": (cpu_us() - before) / 1e3, "memory_beyond_idle_mb": beyond_mb,
            "without_mapped_file_mb": own_mb,
        })
    );
    Ok(())
}

/// The whole way with instructions in French, as the peer is asked for it.
fn question(pair: &Pair, profile: Profile) -> RouteRequest {
    RouteRequest { language: Some(Language::Fr), ..RouteRequest::new(pair.to_vec(), profile) }
}

fn own(network: &Path, profile: Profile, pairs: &[Pair]) -> Result<(), Failure> {
    let started = Instant::now();
    let engine = Embedded::new(Network::open(network)?, None);
    let opened_us = started.elapsed().as_micros();
    let ask = |pair: &Pair| engine.route(&question(pair, profile));
    let before = cpu_us();
    ask(&pairs[0]).ok();
    let first_us = cpu_us() - before;
    let mut times = Times::default();
    for pair in pairs.iter().cycle().take(pairs.len() * ROUNDS).skip(pairs.len()) {
        let (started, cpu) = (Instant::now(), thread_us());
        let found = ask(pair);
        times.own_us.push(thread_us() - cpu);
        times.add(started, found.is_ok());
    }
    println!(
        "{}",
        json!({ "engine": "jalon", "profile": profile, "opened_us": opened_us, "first_processor_us": first_us, "memory_mb": memory_kb("VmRSS") / 1024.0, "without_mapped_file_mb": memory_kb("RssAnon") / 1024.0, "times": times.into_json() })
    );
    Ok(())
}

/// What a server that answers for every profile keeps in memory.
fn all(network: &Path, threads: usize, pairs: &[Pair]) -> Result<(), Failure> {
    let engine = Embedded::new(Network::open(network)?, None);
    let mut first_us = Vec::new();
    for profile in Profile::ALL {
        let before = thread_us();
        engine.route(&question(&pairs[0], profile)).ok();
        first_us.push(thread_us() - before);
    }
    std::thread::scope(|scope| {
        for thread in 0..threads {
            let engine = &engine;
            scope.spawn(move || {
                for (index, pair) in pairs.iter().enumerate() {
                    let profile = Profile::ALL[(index + thread) % Profile::ALL.len()];
                    engine.route(&question(pair, profile)).ok();
                }
                // Memory is looked at while all threads have theirs.
                println!(
                    "{}",
                    json!({ "thread": thread, "memory_mb": memory_kb("VmRSS") / 1024.0, "without_mapped_file_mb": memory_kb("RssAnon") / 1024.0 })
                );
            });
        }
    });
    println!("{}", json!({ "first_processor_us": first_us, "without_mapped_file_mb": memory_kb("RssAnon") / 1024.0 }));
    Ok(())
}

/// Distance and duration of every pair, with the built-in profile or another file's.
fn agree(network: &Path, profile: Profile, pairs: &[Pair], rules: Option<&str>) -> Result<(), Failure> {
    let mut engine = Embedded::new(Network::open(network)?, None);
    if let Some(path) = rules {
        engine = engine.with_profile(profile, &fs::read_to_string(path)?)?;
    }
    for (id, pair) in pairs.iter().enumerate() {
        match engine.route(&RouteRequest::new(pair.to_vec(), profile)) {
            Ok(route) => println!(
                "{}",
                json!({ "id": id, "distance_m": route.distance_m, "duration_s": route.duration_s, "ascent_m": route.ascent_m, "geometry": env::var_os("GEOMETRY").map(|_| route.geometry) })
            ),
            Err(error) => println!("{}", json!({ "id": id, "error": error })),
        }
    }
    Ok(())
}

/// The measured times and counts.
#[derive(Default)]
struct Times {
    us: Vec<f64>,
    /// Processor time of this thread, if the engine runs in this process: other programs do not lengthen it.
    own_us: Vec<f64>,
    refused: usize,
    cpu_us: f64,
}

impl Times {
    fn add(&mut self, started: Instant, is_found: bool) {
        if self.us.is_empty() {
            self.cpu_us = cpu_us();
        }
        self.us.push(started.elapsed().as_nanos() as f64 / 1e3);
        self.refused += usize::from(!is_found);
    }

    fn into_json(mut self) -> serde_json::Value {
        let cpu_us = (cpu_us() - self.cpu_us) / self.us.len().max(1) as f64;
        json!({
            "asked": self.us.len(), "refused": self.refused, "p50_us": at(&mut self.us, 0.5), "p95_us": at(&mut self.us, 0.95),
            "p99_us": at(&mut self.us, 0.99), "most_us": at(&mut self.us, 1.0), "client_processor_us": cpu_us,
            "processor_p50_us": at(&mut self.own_us, 0.5), "processor_p99_us": at(&mut self.own_us, 0.99), "processor_most_us": at(&mut self.own_us, 1.0)
        })
    }
}

/// The value that this share of all do not exceed.
fn at(all: &mut [f64], share: f64) -> f64 {
    all.sort_by(f64::total_cmp);
    all.get(((all.len() as f64 - 1.0) * share) as usize).copied().unwrap_or_default()
}

/// The most memory without mapped files that this process has had from now on, in kilobytes, looked at every few milliseconds.
fn watch_own_memory() -> Arc<AtomicU64> {
    let most_kb = Arc::new(AtomicU64::new(0));
    let seen = Arc::clone(&most_kb);
    std::thread::spawn(move || {
        loop {
            seen.fetch_max(memory_kb("RssAnon") as u64, Ordering::Relaxed);
            std::thread::sleep(Duration::from_millis(5));
        }
    });
    most_kb
}

/// A figure of this process that Linux keeps: `VmRSS` now, `RssAnon` without mapped files, `VmHWM` at most.
fn memory_kb(name: &str) -> f64 {
    let text = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = text.lines().find(|line| line.starts_with(name)).unwrap_or_default();
    line.split_whitespace().nth(1).and_then(|number| number.parse().ok()).unwrap_or_default()
}

/// Microseconds this thread has had a processor.
fn thread_us() -> f64 {
    let time = rustix::time::clock_gettime(rustix::time::ClockId::ThreadCPUTime);
    time.tv_sec as f64 * 1e6 + time.tv_nsec as f64 / 1e3
}

/// Microseconds this process has had a processor to itself; 0 where the system does not measure it.
fn cpu_us() -> f64 {
    let text = fs::read_to_string("/proc/self/schedstat").unwrap_or_default();
    text.split(' ').next().and_then(|t| t.parse::<f64>().ok()).unwrap_or_default() / 1e3
}

/// A server and the connection to it.
struct Server<'a> {
    name: &'a str,
    address: &'a str,
    stream: BufReader<TcpStream>,
    times: Times,
}

impl Server<'_> {
    fn ask(&mut self, request: &str) -> Result<bool, Failure> {
        self.stream.get_mut().write_all(request.as_bytes())?;
        answer(&mut self.stream)
    }
}

fn connected(address: &str) -> Result<BufReader<TcpStream>, Failure> {
    let stream = TcpStream::connect(address)?;
    stream.set_nodelay(true)?;
    Ok(BufReader::new(stream))
}

fn http(profile: Profile, pairs: &[Pair], servers: &[&str]) -> Result<(), Failure> {
    let mut servers: Vec<Server> = servers
        .iter()
        .map(|text| {
            let (name, address) = text.split_once('=').ok_or("NAME=HOST:PORT")?;
            Ok(Server { name, address, stream: connected(address)?, times: Times::default() })
        })
        .collect::<Result<_, Failure>>()?;
    for round in 0..ROUNDS {
        for pair in pairs {
            for server in &mut servers {
                let request = request(server.name, server.address, profile, pair)?;
                let mut started = Instant::now();
                let is_found = if let Ok(is_found) = server.ask(&request) {
                    is_found
                } else {
                    // Some servers close a connection after a number of requests: the new connection is not counted.
                    server.stream = connected(server.address)?;
                    started = Instant::now();
                    server.ask(&request)?
                };
                if round > 0 {
                    server.times.add(started, is_found);
                }
            }
        }
    }
    for server in servers {
        println!(
            "{}",
            json!({ "engine": server.name, "profile": profile, "over": "http", "times": server.times.into_json() })
        );
    }
    Ok(())
}

/// The same question in each server's words: the whole line, its climb where it knows it, instructions in French.
fn request(name: &str, address: &str, profile: Profile, [from, to]: &Pair) -> Result<String, Failure> {
    let walks = profile == Profile::Hiking;
    let (path, body) = match name {
        "jalon" => (
            "/api/v1/planner/route".to_owned(),
            json!({
                "points": [[from.lon, from.lat], [to.lon, to.lat]], "profile": profile,
                // As the peers answer: an encoded line, one language.
                "line": "polyline6", "language": "fr",
            })
            .to_string(),
        ),
        "valhalla" => {
            let place = |p: &Position| json!({ "lon": p.lon, "lat": p.lat });
            let costing = if walks { "pedestrian" } else { "bicycle" };
            (
                "/route".to_owned(),
                json!({ "locations": [place(from), place(to)], "costing": costing, "language": "fr-FR" }).to_string(),
            )
        }
        "osrm" => {
            let mode = if walks { "foot" } else { "bicycle" };
            let (a, b) = (format!("{},{}", from.lon, from.lat), format!("{},{}", to.lon, to.lat));
            return Ok(format!(
                "GET /route/v1/{mode}/{a};{b}?overview=full&steps=true HTTP/1.1\r\nHost: {address}\r\n\r\n"
            ));
        }
        _ => return Err(format!("no server is called {name}").into()),
    };
    let cookie =
        env::var("JALON_COOKIE").map(|c| format!("Cookie: {c}\r\nOrigin: http://{address}\r\n")).unwrap_or_default();
    Ok(format!(
        "POST {path} HTTP/1.1\r\nHost: {address}\r\nContent-Type: application/json\r\nContent-Length: {}\r\n{}\r\n{body}",
        body.len(),
        if name == "jalon" { cookie } else { String::new() }
    ))
}

/// Read one answer whole: was it 200?
fn answer(stream: &mut BufReader<TcpStream>) -> Result<bool, Failure> {
    let (mut status, mut length, mut is_chunked) = (String::new(), 0, false);
    if stream.read_line(&mut status)? == 0 {
        return Err("the connection is closed".into());
    }
    loop {
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let line = line.trim_end().to_ascii_lowercase();
        if line.is_empty() {
            break;
        }
        if let Some(value) = line.strip_prefix("content-length:") {
            length = value.trim().parse()?;
        }
        is_chunked |= line.starts_with("transfer-encoding:") && line.contains("chunked");
    }
    let mut body = Vec::new();
    loop {
        if !is_chunked {
            stream.by_ref().take(length).read_to_end(&mut body)?;
            break;
        }
        let mut line = String::new();
        stream.read_line(&mut line)?;
        let size = u64::from_str_radix(line.trim(), 16)?;
        stream.by_ref().take(size + 2).read_to_end(&mut body)?;
        if size == 0 {
            break;
        }
    }
    Ok(status.contains(" 200 "))
}
