//! Inputs that make a careless reader slow: each repeats something that opens and never closes, nests, or is searched for.

use std::fmt::Write as _;

/// A family of inputs of any length.
#[derive(Debug, Clone, Copy)]
pub struct Input {
    /// Its name, for the report.
    pub name: &'static str,
    make: fn(&str, usize) -> Vec<u8>,
    piece: &'static str,
}

impl Input {
    /// An input of about this many bytes.
    pub fn of(&self, bytes: usize) -> Vec<u8> {
        (self.make)(self.piece, bytes)
    }
}

/// Pieces that are repeated unchanged.
const REPEATED: &[&str] = &[
    "<",
    "<a",
    "<a ",
    "</",
    "<!--",
    "-->",
    "<!",
    "<![CDATA[",
    "]]>",
    "<?",
    ">",
    "/>",
    "<b>",
    "</b>",
    "<p>",
    "<div>",
    "<p><b>",
    "<b x=1><p>",
    "<a href=x>",
    "<li><ul>",
    "<table>",
    "<svg>",
    "<script>",
    "<script></script>",
    "<script></scrip",
    "<style>a</",
    "<span translate=\"no\">",
    "</span>",
    "<span",
    "&",
    "&amp;",
    "&#",
    "&#x41;",
    "&lt",
    "[",
    "]",
    "[]",
    "[ID_",
    "[pause ",
    "[pause 1s]",
    "{",
    "{{",
    "}",
    "{}",
    "\"",
    "\"\"",
    "\\",
    "\\u",
    "'",
    "(",
    ")",
    "a@",
    "a@b.fr ",
    "1",
    "1.",
    "1 ",
    "1,",
    "0.1 ",
    "-",
    "+",
    "+1 ",
    ".",
    ". ",
    "M. ",
    "!",
    "?",
    "**",
    "*",
    "_",
    "#",
    "%",
    "%4",
    " ",
    "\t",
    "\n",
    "\r\n",
    "\n\n",
    ",",
    ";",
    ":",
    "=",
    "|",
    "/",
    "~",
    "x",
    "a.b.",
    "é",
    "\u{300}",
    "\u{a0}",
    "\0",
    "\u{1}",
    "https://",
    "https://a.fr/",
    "www.",
    "«",
    "» ",
    "3 h 30 ",
    "12 km",
    "a,b\n",
    "\"a\",\n",
    "sk-",
    "0123456789",
    "km/h",
    "10%",
    "Lac ",
    "Lac. ",
    "<br>",
    "<p>a</p>",
    "<ele>1</ele>",
    "<trkpt lat=\"1\" lon=\"1\"/>",
    "[1,2],",
    "{\"a\":1},",
];

/// Makes an input of about the given number of bytes, from a piece of text.
type Maker = fn(&str, usize) -> Vec<u8>;

/// All families.
pub fn inputs() -> Vec<Input> {
    let repeated = REPEATED.iter().map(|piece| Input { name: piece, make: repeat, piece });
    let made: [(&'static str, Maker, &'static str); 13] = [
        ("elements that nest and close", nested, "div"),
        ("inline elements that nest and close", nested, "b"),
        ("elements of many names", |_, bytes| numbered(bytes, |n| format!("<e{n}>")), ""),
        ("attributes of many names", |_, bytes| numbered(bytes, |n| format!(" a{n}=\"1\"")), ""),
        (
            "an element with many attributes",
            |_, bytes| around("<a", numbered(bytes, |n| format!(" a{n}=\"1\"")), ">x</a>"),
            "",
        ),
        ("bold of many kinds, then paragraphs", |_, bytes| formatted(bytes), ""),
        ("lists that nest and close", |_, bytes| [b"[".repeat(bytes / 2), b"]".repeat(bytes / 2)].concat(), ""),
        (
            "objects that nest and close",
            |_, bytes| [b"{\"a\":".repeat(bytes / 6), b"1".to_vec(), b"}".repeat(bytes / 6)].concat(),
            "",
        ),
        (
            "an object of many keys",
            |_, bytes| around("{", numbered(bytes, |n| format!("\"k{n}\":{n},")), "\"z\":0}"),
            "",
        ),
        ("columns of many names", |_, bytes| numbered(bytes, |n| format!("c{n},")), ""),
        ("entities of many numbers", |_, bytes| numbered(bytes, |n| format!("&#{n};")), ""),
        ("an archive of many files", |_, bytes| archive(bytes), ""),
        ("noise", |_, bytes| noise(bytes), ""),
    ];
    repeated.chain(made.into_iter().map(|(name, make, piece)| Input { name, make, piece })).collect()
}

fn repeat(piece: &str, bytes: usize) -> Vec<u8> {
    piece.as_bytes().repeat(bytes.div_ceil(piece.len()))
}

fn nested(name: &str, bytes: usize) -> Vec<u8> {
    let count = bytes / (2 * name.len() + 5);
    [format!("<{name}>").repeat(count), "x".to_owned(), format!("</{name}>").repeat(count)].concat().into_bytes()
}

fn numbered(bytes: usize, one: impl Fn(usize) -> String) -> Vec<u8> {
    let mut out = String::with_capacity(bytes + 32);
    let mut number = 0;
    while out.len() < bytes {
        out.push_str(&one(number));
        number += 1;
    }
    out.into_bytes()
}

fn around(before: &str, inside: Vec<u8>, after: &str) -> Vec<u8> {
    [before.as_bytes(), &inside, after.as_bytes()].concat()
}

/// Each of the first elements is formatting that an HTML parser opens again in every block that follows.
fn formatted(bytes: usize) -> Vec<u8> {
    let mut out = String::new();
    for number in 0..bytes / 40 {
        let _ = write!(out, "<b x={number}>");
    }
    while out.len() < bytes {
        out.push_str("<p>x</p>");
    }
    out.into_bytes()
}

/// A zip file of empty files, by its format (PKWARE APPNOTE 6.3.10).
fn archive(bytes: usize) -> Vec<u8> {
    let (mut out, mut directory) = (Vec::new(), Vec::new());
    let count = (bytes / 90).clamp(1, 65_000) as u16;
    for number in 0..count {
        let name = format!("{number:05}.xml");
        let fields: [u16; 13] = [20, 0, 0, 0, 0x21, 0, 0, 0, 0, 0, 0, name.len() as u16, 0];
        let fields: Vec<u8> = fields.iter().flat_map(|field| field.to_le_bytes()).collect();
        let offset = out.len() as u32;
        out.extend([b"PK\x03\x04".as_slice(), &fields, name.as_bytes()].concat());
        directory.extend(
            [b"PK\x01\x02\x14\0".as_slice(), &fields, &[0; 10], &offset.to_le_bytes(), name.as_bytes()].concat(),
        );
    }
    let (start, length) = (out.len() as u32, directory.len() as u32);
    out.extend(directory);
    out.extend(b"PK\x05\x06\0\0\0\0");
    out.extend([count.to_le_bytes(), count.to_le_bytes()].concat());
    out.extend([length.to_le_bytes(), start.to_le_bytes()].concat());
    out.extend([0; 2]);
    out
}

fn noise(bytes: usize) -> Vec<u8> {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    (0..bytes).map(|_| numbers.below(256) as u8).collect()
}

/// An input made of hostile pieces, each repeated some times, the same for the same seed.
pub fn mixed(seed: u64) -> Vec<u8> {
    let mut numbers = Numbers(seed);
    let most = 1 << (6 + numbers.below(11));
    let mut out = Vec::new();
    while out.len() < most {
        let times = 1 << numbers.below(12);
        if numbers.below(16) == 0 {
            let length = numbers.below(200);
            out.extend((0..length).map(|_| numbers.below(256) as u8));
        } else {
            let piece = REPEATED[numbers.below(REPEATED.len())].as_bytes();
            out.extend(piece.repeat(times.min(most / piece.len() + 1)));
        }
    }
    out.truncate(most);
    out
}

/// The same numbers at each run (a linear congruential generator, Knuth's multiplier).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, most: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % most
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn inputs_are_as_long_as_asked() {
        for input in inputs() {
            for bytes in [4_096, 65_536] {
                let length = input.of(bytes).len();
                assert!(length > bytes / 2 && length < bytes * 2, "{} of {bytes} has {length}", input.name);
            }
        }
    }
}
