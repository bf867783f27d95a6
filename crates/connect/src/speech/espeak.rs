//! espeak-ng: a separate program, which gets the words on its input and gives the sound on its output.

use std::path::{Path, PathBuf};
use std::time::Duration;

use super::{Speak, SpeechError, SpeechRequest};
use crate::program::{Program, ProgramError, ProgramLimits};

/// A thousand characters take it a fraction of a second.
const WITHIN: Duration = Duration::from_secs(30);

pub(super) struct Espeak {
    pub program: PathBuf,
}

/// Whether the program is there and runs.
pub(super) fn is_there(program: &Path) -> bool {
    run(program, &["--version"], "").is_ok()
}

impl Speak for Espeak {
    fn speak(&self, asked: SpeechRequest<'_>) -> Result<Vec<u8>, SpeechError> {
        let voice = if asked.voice.is_empty() { asked.language } else { asked.voice };
        // A name, not a file of this machine.
        if voice.starts_with(['-', '/']) || voice.contains("..") {
            return Err(SpeechError::Voice);
        }
        let rate = asked.words_a_minute.to_string();
        let arguments = ["-v", voice, "-s", &rate, "-b", "1", "--stdin", "--stdout"];
        // Two brackets would begin espeak's phonetic alphabet.
        let sound = run(&self.program, &arguments, &asked.words.replace("[[", "[ ["))?;
        if sound.len() <= 44 { Err(SpeechError::Failed("no sound".to_owned())) } else { Ok(sound) }
    }

    fn voices(&self, language: &str) -> Vec<String> {
        let listed = run(&self.program, &[&format!("--voices={language}")], "").unwrap_or_default();
        let mut found = vec![language.to_owned()];
        for line in String::from_utf8_lossy(&listed).lines().skip(1) {
            let mut columns = line.split_whitespace().skip(1);
            let (name, file) = (columns.next(), columns.nth(2).unwrap_or_default());
            // Voices of MBROLA are listed whether they are installed or not.
            if let Some(name) = name.filter(|name| !file.starts_with("mb/") && !found.iter().any(|one| one == name)) {
                found.push(name.to_owned());
            }
        }
        found
    }
}

fn run(program: &Path, arguments: &[&str], words: &str) -> Result<Vec<u8>, SpeechError> {
    let arguments = arguments.iter().map(Into::into).collect();
    let limits = ProgramLimits { within: WITHIN, ..ProgramLimits::default() };
    let asked = Program { path: program, arguments, environment: Vec::new(), input: words.into(), limits };
    asked.run().map(|wrote| wrote.output).map_err(|error| match error {
        ProgramError::NotThere => SpeechError::EngineMissing,
        ProgramError::TimedOut => SpeechError::TimedOut,
        ProgramError::Failed { errors, .. } if errors.contains("voice") => SpeechError::Voice,
        ProgramError::Failed { errors: error_text, .. } => {
            tracing::warn!(error_text, "espeak-ng failed");
            SpeechError::Failed(error_text)
        }
        error @ ProgramError::NotStarted(_) => {
            tracing::warn!(%error, "espeak-ng failed");
            SpeechError::Failed(error.to_string())
        }
    })
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    const ASKED: SpeechRequest<'_> = SpeechRequest { words: "Le lac.", language: "fr", voice: "", words_a_minute: 150 };

    /// A program of the test's own in the place of espeak-ng.
    fn program(name: &str, script: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt;
        let path = std::env::temp_dir().join(format!("jalon-speech-{name}-{}", std::process::id()));
        std::fs::write(&path, format!("#!/bin/sh\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
        path
    }

    #[test]
    fn words_go_in_on_the_input_and_never_among_the_arguments() {
        let path = program("echo", r#"echo "$@"; cat; printf '%050d' 0"#);
        let asked = SpeechRequest { words: "$(touch /tmp/x) --path=/etc [[a]]", ..ASKED };
        let came = Espeak { program: path.clone() }.speak(asked).unwrap();
        let came = String::from_utf8(came).unwrap();
        let (arguments, words) = came.split_once('\n').unwrap();
        assert_eq!(arguments, "-v fr -s 150 -b 1 --stdin --stdout");
        assert!(words.starts_with("$(touch /tmp/x) --path=/etc [ [a]]"), "{words}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn the_program_gets_nothing_of_the_environment() {
        let path = program("environment", "cat > /dev/null; env; printf '%050d' 0");
        let came = String::from_utf8(Espeak { program: path.clone() }.speak(ASKED).unwrap()).unwrap();
        // The shell adds its own three.
        let own = ["PWD=", "SHLVL=", "_=", "OLDPWD="];
        let names: Vec<&str> = came
            .lines()
            .filter(|line| line.contains('=') && !own.iter().any(|own| line.starts_with(own)))
            .filter_map(|line| line.split('=').next())
            .collect();
        assert!(std::env::vars_os().count() > 3, "this test has an environment to hide");
        assert!(names.iter().all(|name| ["PATH", "LANG"].contains(name)) && names.len() == 2, "{names:?}");
        std::fs::remove_file(path).unwrap();
    }

    #[test]
    fn what_is_missing_or_fails_is_reported() {
        let code = |program: PathBuf| Espeak { program }.speak(ASKED).unwrap_err().code();
        assert_eq!(code("/nowhere/espeak-ng".into()), "speech/engine-missing");
        let voice = program("voice", "echo 'Error: The specified espeak-ng voice does not exist.' >&2; exit 1");
        assert_eq!(code(voice.clone()), "speech/voice-unknown");
        let broken = program("broken", "exit 3");
        assert_eq!(code(broken.clone()), "speech/failed");
        for voice in ["../../etc/passwd", "/etc/passwd", "-w/tmp/x"] {
            let refused = Espeak { program: "/bin/true".into() }.speak(SpeechRequest { voice, ..ASKED }).unwrap_err();
            assert_eq!(refused.code(), "speech/voice-unknown", "{voice}");
        }
        let mute = program("mute", "cat > /dev/null");
        assert_eq!(code(mute.clone()), "speech/failed");
        for path in [voice, broken, mute] {
            std::fs::remove_file(path).unwrap();
        }
    }
}
