//! Prints what each file given is: `cargo run -p trace --example inspect -- files…`.
#![expect(clippy::print_stdout, reason = "an example talks")]

fn main() {
    for path in std::env::args().skip(1) {
        let Ok(bytes) = std::fs::read(&path) else {
            println!("{path}: not found");
            continue;
        };
        let start = std::time::Instant::now();
        let name = path.rsplit('/').next().unwrap_or(&path);
        match trace::read(&bytes, name) {
            Ok(reading) => {
                let measure = reading.measure();
                let repairs: Vec<String> =
                    reading.repairs.iter().map(|r| format!("{}×{}@{:?}", r.kind, r.count, r.line)).collect();
                println!(
                    "{name} | {} | {} pts {} seg {} pieces {} wpt | {:.2} km +{:?} -{:?} | {:?} | {repairs:?} | {:.1} ms",
                    reading.format,
                    reading.point_count(),
                    reading.segments.len(),
                    reading.joined().len(),
                    reading.waypoints.len(),
                    measure.distance_m / 1000.0,
                    measure.ascent_m.map(f64::round),
                    measure.descent_m.map(f64::round),
                    reading.name,
                    start.elapsed().as_secs_f64() * 1000.0
                );
            }
            Err(error) => println!("{name} | {} | {error}", error.code()),
        }
    }
}
