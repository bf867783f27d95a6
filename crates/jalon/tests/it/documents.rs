//! Documents are read, and roadbooks made, by children of the binary, within limits.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use app::{ChildPdfReader, PDF_LIMITS};
use connect::program::ProgramLimits;
use media::{PdfQuestion, PdfReader as _, Refusal};
use testkit::samples;

use crate::running::Folder;

fn ask(limits: ProgramLimits, question: PdfQuestion, document: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    let (program, arguments) = (env!("CARGO_BIN_EXE_jalon").into(), vec!["pdf-worker".into()]);
    ChildPdfReader { program, arguments, limits }.ask(question, document).unwrap()
}

#[test]
fn a_document_is_read_within_the_limits() {
    assert_eq!(ask(PDF_LIMITS, PdfQuestion::Pages, samples::pdf(3)), Ok(b"3".to_vec()));
    let page = ask(PDF_LIMITS, PdfQuestion::FirstPage, samples::pdf(3)).unwrap();
    let pixels = page.strip_prefix(b"1280 2133\n").unwrap();
    assert_eq!(pixels.len(), 1280 * 2133 * 3);
}

#[test]
fn a_document_that_is_damaged_is_broken_and_a_program_that_is_not_there_is_a_failure() {
    let damaged = samples::pdf(1)[..40].to_vec();
    assert_eq!(ask(PDF_LIMITS, PdfQuestion::FirstPage, damaged), Err(Refusal::Broken));
    let absent = ChildPdfReader { program: "/nowhere/jalon".into(), arguments: Vec::new(), limits: PDF_LIMITS };
    assert!(absent.ask(PdfQuestion::Pages, samples::pdf(1)).is_err());
}

#[test]
fn a_child_that_does_not_start_or_is_asked_to_end_says_nothing_of_the_document() {
    let folder = Folder::new("documents");
    let other_format = folder.path().join("jalon");
    fs::write(&other_format, [0; 64]).unwrap();
    fs::set_permissions(&other_format, fs::Permissions::from_mode(0o755)).unwrap();
    let no_program = ChildPdfReader { program: other_format, arguments: Vec::new(), limits: PDF_LIMITS };
    assert!(no_program.ask(PdfQuestion::Pages, samples::pdf(1)).is_err());
    let ended_by = |script: &str| {
        let arguments = vec!["-c".into(), script.into()];
        let shell = ChildPdfReader { program: "/bin/sh".into(), arguments, limits: PDF_LIMITS };
        shell.ask(PdfQuestion::Pages, samples::pdf(1))
    };
    // The second is what the binary answers to a subcommand that it does not know.
    for script in ["kill -TERM $$", "exit 2"] {
        assert!(ended_by(script).is_err(), "{script}");
    }
    // The kernel kills a child where the machine has no memory left.
    for script in ["kill -KILL $$", "exit 1"] {
        assert_eq!(ended_by(script).unwrap(), Err(Refusal::Broken), "{script}");
    }
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_that_unpacks_to_a_gigabyte_is_broken() {
    assert_eq!(ask(PDF_LIMITS, PdfQuestion::Pages, samples::pdf_bomb(1_000_000)), Ok(b"1".to_vec()));
    assert_eq!(ask(PDF_LIMITS, PdfQuestion::Pages, samples::pdf_bomb(1 << 30)), Err(Refusal::Broken));
}

#[cfg(target_os = "linux")]
#[test]
fn a_document_that_takes_hours_to_draw_is_broken_after_its_processor_time() {
    use std::time::{Duration, Instant};

    let limits = ProgramLimits { processor_s: Some(1), ..PDF_LIMITS };
    let begun = Instant::now();
    assert_eq!(ask(limits, PdfQuestion::FirstPage, samples::pdf_endless()), Err(Refusal::Broken));
    // Long before `within`, on a loaded machine too.
    assert!(begun.elapsed() < Duration::from_secs(20), "{:?}", begun.elapsed());
}

#[cfg(target_os = "linux")]
#[test]
fn a_child_that_makes_roadbooks_has_a_limit_of_memory() {
    use std::process::{Command, Stdio};
    use std::time::{Duration, Instant};

    let mut command = Command::new(env!("CARGO_BIN_EXE_jalon"));
    command.arg("roadbook-worker").env_clear().stdin(Stdio::piped()).stdout(Stdio::null());
    let mut child = command.spawn().unwrap();
    let limits = format!("/proc/{}/limits", child.id());
    let is_set = |name: &str, most: &str| {
        let limits = fs::read_to_string(&limits).unwrap();
        let line = limits.lines().find_map(|line| line.strip_prefix(name)).unwrap();
        line.split_whitespace().take(2).all(|value| value == most)
    };
    let until = Instant::now() + Duration::from_secs(20);
    while !(is_set("Max data size", "1610612736") && is_set("Max core file size", "0")) {
        assert!(Instant::now() < until, "{}", fs::read_to_string(&limits).unwrap());
        std::thread::yield_now();
    }
    // Its input ends.
    drop(child.stdin.take());
    assert!(child.wait().unwrap().success());
}
