//! A bare child process for tests and benches; the product's is `jalon roadbook-worker`.
//! `--die-on TITLE` ends it in the middle of that roadbook, `--hang-on TITLE` never answers it.

use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments: Vec<String> = std::env::args().collect();
    let after =
        |flag: &str| arguments.iter().position(|argument| argument == flag).and_then(|at| arguments.get(at + 1));
    let (deadly, endless) = (after("--die-on"), after("--hang-on"));
    let served = roadbook::serve(std::io::stdin().lock(), std::io::stdout().lock(), |request| {
        let title = Some(&request.roadbook.trip.title);
        if title == deadly {
            std::process::abort();
        }
        if title == endless {
            loop {
                std::thread::park();
            }
        }
    });
    if served.is_ok() { ExitCode::SUCCESS } else { ExitCode::FAILURE }
}
