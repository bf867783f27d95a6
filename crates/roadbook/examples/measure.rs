//! What a roadbook costs; `bench/roadbook.sh` runs it on what the example `sample` wrote (`DIR`).
//!
//! `measure cold DIR` one book in a fresh process; `measure warm DIR N` one name changed each time; `measure many DIR WORKER N`
//! through a pool, what this process grows by; `measure parts DIR OUT` what another program needs to set the same.
//! Linux: times and sizes are read from `/proc`.
#![expect(clippy::print_stdout, reason = "an example's answer is what it prints")]

use std::collections::BTreeMap;
use std::path::Path;

use roadbook::{Blob, Output, Pool, PoolOptions, Request};

type Failure = Box<dyn std::error::Error>;

fn main() -> Result<(), Failure> {
    let arguments: Vec<String> = std::env::args().skip(1).collect();
    let words: Vec<&str> = arguments.iter().map(String::as_str).collect();
    match words[..] {
        ["cold", dir] => cold(Path::new(dir)),
        ["warm", dir, count] => warm(Path::new(dir), count.parse()?),
        ["many", dir, worker, count] => many(Path::new(dir), worker, count.parse()?),
        ["parts", dir, out] => parts(Path::new(dir), Path::new(out)),
        _ => Err("measure cold|warm|many|parts DIR …".into()),
    }
}

fn request(dir: &Path) -> Result<Request, Failure> {
    let mut blobs = BTreeMap::new();
    for entry in std::fs::read_dir(dir)? {
        let entry = entry?;
        blobs.insert(entry.file_name().to_string_lossy().into_owned(), Blob::File(entry.path()));
    }
    let roadbook = serde_json::from_slice(&std::fs::read(dir.join("book.json"))?)?;
    Ok(Request { roadbook, blobs, tiles: Some(dir.join("basemap.pmtiles")), output: Output::Pdf })
}

fn cold(dir: &Path) -> Result<(), Failure> {
    let made = roadbook::render(&request(dir)?)?;
    println!(
        "cold: {:.2} s of processor, {} MB at most, {} pages, {} kB",
        cpu_s()?,
        status_mb("VmHWM")?,
        made.report.pages,
        made.pdf.len() / 1000
    );
    Ok(())
}

fn warm(dir: &Path, count: usize) -> Result<(), Failure> {
    let mut request = request(dir)?;
    roadbook::render(&request)?;
    let mut times = Vec::new();
    for index in 0..count {
        request.roadbook.trip.travellers = vec![format!("Claire Aubertin {index}")];
        let before = cpu_s()?;
        roadbook::render(&request)?;
        roadbook::evict_cache();
        times.push(cpu_s()? - before);
    }
    times.sort_by(f64::total_cmp);
    println!(
        "warm: {:.2} s of processor in the middle of {count}, {:.2} at most; {} MB at most",
        times[count / 2],
        times[count - 1],
        status_mb("VmHWM")?
    );
    Ok(())
}

fn many(dir: &Path, worker: &str, count: usize) -> Result<(), Failure> {
    let mut request = request(dir)?;
    let pool = Pool::new(PoolOptions { workers: 1, ..PoolOptions::new(worker, &[]) });
    let mut sizes = Vec::new();
    for index in 0..count {
        request.roadbook.trip.travellers = vec![format!("Claire Aubertin {index}")];
        pool.render(&request)?;
        if index == count / 10 || index + 1 == count {
            sizes.push(status_mb("VmRSS")?);
        }
    }
    println!(
        "many: {count} through a pool; this process {} MB after a tenth of them, {} MB after all",
        sizes[0],
        sizes[sizes.len() - 1]
    );
    Ok(())
}

fn parts(dir: &Path, out: &Path) -> Result<(), Failure> {
    std::fs::create_dir_all(out)?;
    for (name, bytes) in roadbook::parts(&request(dir)?)? {
        std::fs::write(out.join(name), bytes)?;
    }
    Ok(())
}

/// Processor time of this process so far, user and system; a tick is a hundredth of a second.
fn cpu_s() -> Result<f64, Failure> {
    let found = std::fs::read_to_string("/proc/self/stat")?;
    let after_name = found.rsplit(')').next().ok_or("no name")?;
    let fields: Vec<&str> = after_name.split_whitespace().collect();
    Ok((fields[11].parse::<f64>()? + fields[12].parse::<f64>()?) / 100.0)
}

fn status_mb(field: &str) -> Result<u64, Failure> {
    let found = std::fs::read_to_string("/proc/self/status")?;
    let line = found.lines().find(|line| line.starts_with(field)).ok_or("no such field")?;
    Ok(line.split_whitespace().nth(1).ok_or("no number")?.parse::<u64>()? / 1024)
}
