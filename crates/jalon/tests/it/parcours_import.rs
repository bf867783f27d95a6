//! `jalon parcours import`: what is printed of a file.

use std::fs;

use crate::running::{Folder, jalon};

#[test]
fn the_gaps_and_the_repairs_of_an_imported_recording_are_printed_one_a_line() {
    let folder = Folder::new("parcours-import");
    let run = |arguments: &[&str]| {
        let output = jalon(folder.path(), &[], arguments).output().unwrap();
        assert!(output.status.success(), "{output:?}");
        String::from_utf8(output.stdout).unwrap()
    };
    run(&["demo", "--people-only"]);
    // Two pieces a kilometre apart; the second place of the first one is recorded twice.
    let piece = |places: &[f64]| {
        let points: String = places.iter().map(|lat| format!("<trkpt lat=\"{lat}\" lon=\"3.1\"/>\n")).collect();
        format!("<trkseg>{points}</trkseg>")
    };
    let pieces = piece(&[47.0, 47.001, 47.001, 47.002]) + &piece(&[47.012, 47.013]);
    let file = folder.path().join("walk.gpx");
    fs::write(&file, format!("<gpx version=\"1.1\"><trk><name>Tour du lac</name>{pieces}</trk></gpx>")).unwrap();
    let import: [&str; 4] = ["parcours", "import", "--no-match", file.to_str().unwrap()];
    let printed = run(&import);
    let lines: Vec<&str> = printed.lines().map(str::trim).collect();
    assert!(lines[0].contains("walk.gpx: parcours "), "{printed}");
    assert!(lines.contains(&"gap between pieces 1 and 2: 1112 m, joined by a straight line"), "{printed}");
    assert!(lines.iter().any(|line| line.starts_with("doubled points: 1")), "{printed}");
    let with_json: Vec<&str> = import.into_iter().chain(["--json"]).collect();
    let printed = run(&with_json);
    for part in ["\"kind\":\"doubled_points\"", "\"gaps\":[{\"after_piece\":0,\"distance_m\":1112.0}]"] {
        assert!(printed.contains(part), "{part} is missing: {printed}");
    }
}
