//! Runs third-party programs that check our files.

use std::io::ErrorKind;
use std::process::Command;

use crate::skipped;

/// The output of a program. `None` where it is not installed, which is reported on a separate line.
///
/// # Panics
/// When it is there and refuses.
pub fn asked(program: &str, package: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(program).args(arguments).output() {
        Ok(output) => output,
        Err(error) if error.kind() == ErrorKind::NotFound => {
            skipped(&format!("what {program} would say"), &format!("it is not installed (package {package})"));
            return None;
        }
        Err(error) => panic!("{program}: {error}"),
    };
    let (output_text, complained) = (String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    assert!(output.status.success(), "{program} {arguments:?}: {output_text}{complained}");
    assert!(!complained.contains("Warning"), "{program} {arguments:?}: {complained}");
    Some(output_text.into_owned())
}
