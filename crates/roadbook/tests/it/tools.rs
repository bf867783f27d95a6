//! Other people's readers of PDF and QR; where one is missing, its test says so and what to install.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::Command;

/// Runs a tool; its words, or none where it isn't installed.
pub fn run(tool: &str, arguments: &[&str]) -> Option<String> {
    let output = match Command::new(tool).args(arguments).output() {
        Ok(output) => output,
        Err(error) if error.kind() == std::io::ErrorKind::NotFound => {
            let said = "is not installed (packages qpdf, poppler-utils, zbar-tools)";
            // Standard error itself: the harness hides what `eprintln!` says of a test that passes.
            let _ = writeln!(std::io::stderr(), "SKIPPED: what {tool} would say: it {said}");
            return None;
        }
        Err(error) => panic!("{tool}: {error}"),
    };
    let found = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(output.status.success(), "{tool} {arguments:?}: {found}{}", String::from_utf8_lossy(&output.stderr));
    Some(found)
}

/// A word of a page with its box: points from the left (`x`) and from the top (`y`) of the page, start and end of each.
pub struct Word {
    pub letters: String,
    pub x: [f64; 2],
    pub y: [f64; 2],
}

/// A PDF on disk, asked by others.
pub struct Printed {
    dir: tempfile::TempDir,
}

impl Printed {
    pub fn new(pdf: &[u8]) -> Self {
        let printed = Self { dir: tempfile::tempdir().unwrap() };
        std::fs::write(printed.path(), pdf).unwrap();
        printed
    }

    fn path(&self) -> PathBuf {
        self.dir.path().join("book.pdf")
    }

    /// Whether qpdf finds nothing wrong in it.
    pub fn is_sound(&self) {
        if let Some(output) = run("qpdf", &["--check", text(&self.path())]) {
            assert!(output.contains("No syntax or stream encoding errors"), "{output}");
        }
    }

    /// Pages' texts, in the order a reader meets them; none without the tool.
    pub fn pages(&self) -> Option<Vec<String>> {
        let found = run("pdftotext", &["-enc", "UTF-8", text(&self.path()), "-"])?;
        // Lines and fine spaces are the page's matter, not the text's.
        let plain = |page: &str| page.split_whitespace().collect::<Vec<_>>().join(" ");
        Some(found.trim_end_matches('\u{c}').split('\u{c}').map(plain).collect())
    }

    /// What `pdfinfo` says.
    pub fn info(&self, arguments: &[&str]) -> Option<String> {
        let path = self.path();
        run("pdfinfo", &[&["-enc", "UTF-8"], arguments, &[text(&path)]].concat())
    }

    /// Whether `pdfinfo` is there and says so of one thing.
    pub fn tells(&self, what: &str, wanted: &str) {
        if let Some(info) = self.info(&[]) {
            let line = info.lines().find(|line| line.starts_with(what)).unwrap_or_else(|| panic!("no {what}: {info}"));
            assert_eq!(line.split_once(':').unwrap().1.trim(), wanted, "{what}");
        }
    }

    /// All texts by the tags, as a screen reader goes through them, and the tags themselves.
    pub fn read_aloud(&self) -> Option<(String, String)> {
        let found = self.info(&["-struct-text"])?;
        let quoted =
            |line: &str| line.trim().strip_prefix('"').and_then(|line| line.strip_suffix('"')).map(str::to_owned);
        let words: Vec<String> = found.lines().filter_map(quoted).collect();
        Some((words.join(" ").split_whitespace().collect::<Vec<_>>().join(" "), found))
    }

    /// The words of a page with their boxes.
    pub fn words(&self, page: usize) -> Option<Vec<Word>> {
        let page = page.to_string();
        let found = run("pdftotext", &["-bbox", "-enc", "UTF-8", "-f", &page, "-l", &page, text(&self.path()), "-"])?;
        let word = |line: &str| {
            let at = |side: &str| -> f64 {
                line.split_once(&format!("{side}=\"")).unwrap().1.split('"').next().unwrap().parse().unwrap()
            };
            let letters = line.split_once('>').unwrap().1.trim_end_matches("</word>").chars();
            let letters = letters.filter(|c| !c.is_whitespace() && *c != '\u{2060}').collect();
            Word { letters, x: [at("xMin"), at("xMax")], y: [at("yMin"), at("yMax")] }
        };
        Some(found.lines().filter(|line| line.contains("<word ")).map(word).collect())
    }

    /// Where those words of a page end that are numbers, in whole points from its left.
    pub fn ends_of_numbers(&self, page: usize) -> Option<Vec<f64>> {
        let is_number = |word: &Word| !word.letters.is_empty() && word.letters.chars().all(|c| c.is_ascii_digit());
        let numbers = self.words(page)?.into_iter().filter(is_number);
        let mut ends: Vec<f64> = numbers.map(|word| word.x[1].floor()).collect();
        ends.sort_by(f64::total_cmp);
        Some(ends)
    }

    /// The words of a page that stand over each other, in pairs.
    pub fn overlaps(&self, page: usize) -> Option<Vec<[String; 2]>> {
        let words = self.words(page)?;
        // The middle of a word: lines of text that follow each other touch with their accents.
        let middle = |[from, to]: [f64; 2], part: f64| [from + (to - from) * part, to - (to - from) * part];
        let meet = |one: [f64; 2], other: [f64; 2]| one[0] < other[1] && other[0] < one[1];
        let over = |one: &Word, other: &Word| {
            meet(middle(one.x, 0.1), middle(other.x, 0.1)) && meet(middle(one.y, 0.35), middle(other.y, 0.35))
        };
        let mut pairs = Vec::new();
        for (index, one) in words.iter().enumerate() {
            let others = words[index + 1..].iter().filter(|other| over(one, other));
            pairs.extend(others.map(|other| [one.letters.clone(), other.letters.clone()]));
        }
        Some(pairs)
    }

    /// Lines of `pdffonts`, one a face.
    pub fn fonts(&self) -> Option<Vec<String>> {
        let found = run("pdffonts", &[text(&self.path())])?;
        Some(found.lines().skip(2).map(str::to_owned).collect())
    }

    /// What the QR codes of a page say.
    pub fn codes(&self, page: usize) -> Option<Vec<String>> {
        let (page, picture) = (page.to_string(), self.dir.path().join("page"));
        run(
            "pdftoppm",
            &["-r", "150", "-f", &page, "-l", &page, "-png", "-singlefile", text(&self.path()), text(&picture)],
        )?;
        let found = run("zbarimg", &["-q", "--raw", text(&picture.with_extension("png"))])?;
        Some(found.lines().map(str::to_owned).collect())
    }
}

fn text(path: &Path) -> &str {
    path.to_str().unwrap()
}
