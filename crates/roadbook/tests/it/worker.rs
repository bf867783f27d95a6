use std::time::Duration;

use roadbook::{Output, Pool, PoolOptions, RoadbookError};

use crate::sample::{Shape, request};

const SMALL: Shape = Shape { days: 1, steps: 4, photos: 0, stays: 0 };

fn pool(arguments: &[&str]) -> Pool {
    Pool::new(PoolOptions { workers: 1, ..PoolOptions::new(env!("CARGO_BIN_EXE_roadbook-worker"), arguments) })
}

#[test]
fn a_child_answers_as_this_process_would() {
    let pool = pool(&[]);
    let asked = request(SMALL);
    let made = pool.render(&asked).unwrap();
    assert!(made.pdf.starts_with(b"%PDF-"));
    assert_eq!(made.report, roadbook::render(&asked).unwrap().report);
    let mut nobody = asked.clone();
    nobody.roadbook.days.clear();
    assert_eq!(pool.render(&nobody).unwrap_err(), RoadbookError::NoDays);
}

#[test]
fn a_roadbook_that_kills_its_child_harms_no_other() {
    let pool = pool(&["--die-on", "Fatal"]);
    let asked = request(SMALL);
    let mut fatal = asked.clone();
    fatal.roadbook.trip.title = "Fatal".to_owned();
    for _ in 0..2 {
        assert!(pool.render(&asked).is_ok());
        assert!(matches!(pool.render(&fatal), Err(RoadbookError::Crashed { .. })));
    }
    assert!(pool.render(&asked).is_ok());
}

#[test]
fn a_child_that_takes_too_long_is_killed() {
    let options = PoolOptions::new(env!("CARGO_BIN_EXE_roadbook-worker"), &["--hang-on", "Endless"]);
    let pool = Pool::new(PoolOptions { workers: 1, timeout: Duration::from_millis(300), ..options });
    let mut endless = request(SMALL);
    endless.roadbook.trip.title = "Endless".to_owned();
    assert_eq!(pool.render(&endless).unwrap_err(), RoadbookError::TimedOut { after: Duration::from_millis(300) });
}

#[test]
fn a_program_that_is_not_there_is_reported() {
    let pool = Pool::new(PoolOptions::new("/nowhere/jalon", &[]));
    assert!(matches!(pool.render(&request(SMALL)), Err(RoadbookError::Crashed { .. })));
}

#[test]
fn pages_can_be_looked_at_as_pictures() {
    let mut asked = request(SMALL);
    asked.output = Output::Preview { pages: vec![2, 1, 99], width_px: 300 };
    let made = pool(&[]).render(&asked).unwrap();
    assert!(made.pdf.is_empty());
    assert_eq!(made.previews.iter().map(|(page, _)| *page).collect::<Vec<_>>(), [1, 2]);
    // The width is at byte 16 of a PNG.
    assert!(made.previews.iter().all(|(_, png)| png[16..20] == 300u32.to_be_bytes()));
}
