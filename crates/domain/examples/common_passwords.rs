//! Makes `crates/domain/data/common-passwords.xor16` and measures it.
//!
//! usage: `common_passwords OUT PASSWORDS WORDS`: files with one entry a line, the commonest first.

#![expect(clippy::print_stdout, reason = "a command that says what it made")]

use std::collections::BTreeSet;
use std::error::Error;
use std::fs;

use domain::common_passwords::{Filter, MIN_CHARS, build, normal};

/// A password that may be chosen has as many characters: shorter entries only serve as words inside one.
const WHOLE_CHARS: usize = 12;
/// So many of the commonest entries are refused as the one word of a password, with digits and signs around it.
const COMMONEST: usize = 50_000;

fn main() -> Result<(), Box<dyn Error>> {
    let [_, out, passwords, words] =
        std::env::args().collect::<Vec<_>>().try_into().map_err(|_| "OUT PASSWORDS WORDS")?;
    let (passwords, words) = (fs::read_to_string(passwords)?, fs::read_to_string(words)?);
    let taken =
        passwords.lines().enumerate().filter(|(rank, entry)| *rank < COMMONEST || entry.chars().count() >= WHOLE_CHARS);
    let keys: BTreeSet<String> = taken.map(|(_, entry)| entry).chain(words.lines()).map(normal).collect();
    let keys: Vec<String> = keys.into_iter().filter(|key| key.chars().count() >= MIN_CHARS).collect();
    let file = build(&keys).ok_or("no seed works")?;
    let filter = Filter::read(&file).ok_or("the file cannot be read back")?;
    if let Some(missed) = keys.iter().find(|key| !filter.contains(key)) {
        return Err(format!("{missed} is missed").into());
    }
    // Sixteen random letters, which no person's password is.
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let (mut mistaken, tries) = (0, 10_000_000_u32);
    for _ in 0..tries {
        let letters: String = (0..16)
            .map(|_| {
                state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
                char::from(b'a' + ((state >> 33) % 26) as u8)
            })
            .collect();
        mistaken += u32::from(filter.contains(&letters));
    }
    fs::write(out, &file)?;
    println!("{} entries, {} bytes, {mistaken} of {tries} random texts taken for one", keys.len(), file.len());
    Ok(())
}
