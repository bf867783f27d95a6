//! Documents: how many pages, and the first of them as a picture.
//!
//! A PDF of some kilobytes can unpack to gigabytes, or take hours to draw. It is therefore read by a [`PdfReader`], whose server's
//! implementation starts a child process with limits; the child calls [`answer_pdf`].

use std::fmt::Debug;
use std::io::Result as IoResult;

use hayro::hayro_interpret::InterpreterSettings;
use hayro::hayro_syntax::Pdf;
use hayro::vello_cpu::color::palette::css::WHITE;
use hayro::{PixmapSettings, RenderCache, RenderSettings, render};
use image::{DynamicImage, RgbImage};

use crate::Refusal;

/// Width of the first page, pixels.
const WIDTH: f32 = 1280.0;
/// A page that is longer is drawn smaller.
const MAX_HEIGHT: f32 = 2560.0;

/// The end mark is in the last bytes, as every reader expects it.
const TAIL: usize = 2048;
/// The most bytes of the first line of an answer.
const MAX_LINE: usize = 20;

/// A question about a document.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum PdfQuestion {
    /// The number of its pages. The answer is this number in digits.
    Pages,
    /// Its first page on white. The answer is a line with the width and the height in pixels, then three bytes a pixel: red, green, blue.
    FirstPage,
}

impl PdfQuestion {
    /// Its name on a command line.
    pub const fn as_str(self) -> &'static str {
        match self {
            Self::Pages => "pages",
            Self::FirstPage => "first-page",
        }
    }

    /// The question of a name.
    pub fn parse(name: &str) -> Option<Self> {
        [Self::Pages, Self::FirstPage].into_iter().find(|question| question.as_str() == name)
    }
}

/// Reads documents, within limits of memory and time.
pub trait PdfReader: Debug + Send + Sync {
    /// Answers as [`answer_pdf`] does. A document beyond the limits is refused as broken; an error is a failure of the reader, and says
    /// nothing of the document.
    fn ask(&self, question: PdfQuestion, document: Vec<u8>) -> IoResult<Result<Vec<u8>, Refusal>>;
}

/// Reads documents in this process, without limits: for tests and fuzzing, never for the files of users.
#[derive(Debug, Clone, Copy)]
pub struct InProcessPdfReader;

impl PdfReader for InProcessPdfReader {
    fn ask(&self, question: PdfQuestion, document: Vec<u8>) -> IoResult<Result<Vec<u8>, Refusal>> {
        Ok(answer_pdf(question, document))
    }
}

/// Answers a question about a document, without limits: the caller is a process that has them.
pub fn answer_pdf(question: PdfQuestion, document: Vec<u8>) -> Result<Vec<u8>, Refusal> {
    let pdf = Pdf::new(document).map_err(|_| Refusal::Broken)?;
    match question {
        PdfQuestion::Pages => Ok(pdf.pages().len().to_string().into_bytes()),
        PdfQuestion::FirstPage => drawn(&pdf),
    }
}

/// The number of pages; a document without any, one that cannot be opened or one without its end is broken.
pub(crate) fn pages(reader: &dyn PdfReader, document: Vec<u8>) -> IoResult<Result<u32, Refusal>> {
    let tail = &document[document.len().saturating_sub(TAIL)..];
    if !tail.windows(5).any(|window| window == b"%%EOF") {
        return Ok(Err(Refusal::Broken));
    }
    Ok(reader.ask(PdfQuestion::Pages, document)?.and_then(|answer| {
        let count = std::str::from_utf8(&answer).ok().and_then(|digits| digits.parse::<u32>().ok());
        count.filter(|count| *count > 0).ok_or(Refusal::Broken)
    }))
}

/// The first page on white.
pub(crate) fn first_page(reader: &dyn PdfReader, document: Vec<u8>) -> IoResult<Result<DynamicImage, Refusal>> {
    Ok(reader.ask(PdfQuestion::FirstPage, document)?.and_then(|answer| picture(answer).ok_or(Refusal::Broken)))
}

/// The picture of an answer; none where the answer is not whole.
fn picture(mut answer: Vec<u8>) -> Option<DynamicImage> {
    let end = answer.iter().take(MAX_LINE).position(|byte| *byte == b'\n')?;
    let pixels = answer.split_off(end + 1);
    let (width, height) = std::str::from_utf8(&answer).ok()?.trim_end().split_once(' ')?;
    let (width, height) = (width.parse::<u32>().ok()?, height.parse::<u32>().ok()?);
    let picture = RgbImage::from_raw(width, height, pixels).filter(|_| width > 0 && height > 0)?;
    Some(DynamicImage::ImageRgb8(picture))
}

/// The answer with the first page.
fn drawn(pdf: &Pdf) -> Result<Vec<u8>, Refusal> {
    let page = pdf.pages().first().ok_or(Refusal::Broken)?;
    let (width, height) = page.render_dimensions();
    if !(width >= 1.0 && height >= 1.0) {
        return Err(Refusal::Broken);
    }
    let scale = (WIDTH / width).min(MAX_HEIGHT / height);
    let pixels = PixmapSettings { x_scale: scale, y_scale: scale, bg_color: WHITE };
    let drawn = render(page, &RenderCache::new(), &InterpreterSettings::default(), &RenderSettings::default(), &pixels);
    let mut answer = format!("{} {}\n", drawn.width(), drawn.height()).into_bytes();
    answer.extend(drawn.data_as_u8_slice().chunks_exact(4).flat_map(|pixel| [pixel[0], pixel[1], pixel[2]]));
    Ok(answer)
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A reader that gives the same answer to everything.
    #[derive(Debug)]
    struct Answering(&'static [u8]);

    impl PdfReader for Answering {
        fn ask(&self, _: PdfQuestion, _: Vec<u8>) -> IoResult<Result<Vec<u8>, Refusal>> {
            Ok(Ok(self.0.to_vec()))
        }
    }

    #[test]
    fn an_answer_that_is_not_whole_is_that_of_a_broken_document() {
        let count = |answer| pages(&Answering(answer), b"%%EOF".to_vec()).expect("an answer");
        assert_eq!(count(b"12"), Ok(12));
        for answer in [&b""[..], b"0", b"-1", b"many", b"\xFF", b"99999999999"] {
            assert_eq!(count(answer), Err(Refusal::Broken), "{answer:?}");
        }
        let page = |answer| first_page(&Answering(answer), Vec::new()).expect("an answer");
        assert!(page(b"1 2\n123456").is_ok_and(|page| (page.width(), page.height()) == (1, 2)));
        for answer in [&b""[..], b"1 2", b"1 2\n12345", b"0 2\n", b"12\n123", b"4000000000 4000000000\n123"] {
            assert_eq!(page(answer).err(), Some(Refusal::Broken), "{answer:?}");
        }
    }

    #[test]
    fn a_document_without_its_end_is_not_opened() {
        assert_eq!(pages(&Answering(b"1"), b"%PDF-1.4".to_vec()).expect("an answer"), Err(Refusal::Broken));
    }

    #[test]
    fn a_question_is_known_by_its_name() {
        for question in [PdfQuestion::Pages, PdfQuestion::FirstPage] {
            assert_eq!(PdfQuestion::parse(question.as_str()), Some(question));
        }
        assert_eq!(PdfQuestion::parse("all"), None);
    }
}
