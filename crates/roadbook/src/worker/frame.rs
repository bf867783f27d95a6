//! A frame: four bytes of length (little end first), a JSON head of that length, then the bytes that the head announces.
//! Pictures are never text in between.

use std::collections::BTreeMap;
use std::io::{self, Read, Write};
use std::path::PathBuf;

use serde::{Deserialize, Serialize, de::DeserializeOwned};

use crate::blob::Blob;
use crate::data::Roadbook;
use crate::error::RoadbookError;
use crate::report::Report;
use crate::request::{Output, Rendered, Request};

/// The most a head may weigh: 120 days with every point of a GPS fit ten times.
const HEAD_BYTES: u64 = 256 << 20;
/// The most a picture, a font or a finished file may weigh.
const BODY_BYTES: u64 = 1 << 30;

/// A request to the worker process.
#[derive(Serialize, Deserialize)]
struct PrintRequest {
    roadbook: Roadbook,
    tiles: Option<PathBuf>,
    output: Output,
    blobs: Vec<Named>,
}

/// A blob: its bytes follow, or are in a file.
#[derive(Serialize, Deserialize)]
struct Named {
    name: String,
    bytes: Option<u64>,
    file: Option<PathBuf>,
}

/// The answer to a request.
#[derive(Serialize, Deserialize)]
enum Answered {
    Made {
        report: Report,
        pdf: u64,
        previews: Vec<(u32, u64)>,
        /// The child has grown and ends after this.
        retires: bool,
    },
    Refused {
        error: RoadbookError,
        retires: bool,
    },
}

/// An answer, and whether the child that gave it ends now.
pub(super) struct Answer {
    pub(super) result: Result<Rendered, RoadbookError>,
    pub(super) retires: bool,
}

pub(super) fn ask(to: &mut impl Write, request: &Request) -> io::Result<()> {
    let blobs = request.blobs.iter().map(|(name, blob)| match blob {
        Blob::Bytes(bytes) => Named { name: name.clone(), bytes: Some(bytes.len() as u64), file: None },
        Blob::File(path) => Named { name: name.clone(), bytes: None, file: Some(path.clone()) },
    });
    let asked = PrintRequest {
        roadbook: request.roadbook.clone(),
        tiles: request.tiles.clone(),
        output: request.output.clone(),
        blobs: blobs.collect(),
    };
    write_head(to, &asked)?;
    for blob in request.blobs.values() {
        if let Blob::Bytes(bytes) = blob {
            to.write_all(bytes)?;
        }
    }
    to.flush()
}

/// The next request; none where the parent has nothing more to ask.
pub(super) fn asked(from: &mut impl Read) -> io::Result<Option<Request>> {
    let Some(asked) = read_head::<PrintRequest>(from)? else { return Ok(None) };
    let mut blobs = BTreeMap::new();
    for named in asked.blobs {
        let blob = match (named.bytes, named.file) {
            (Some(length), _) => Blob::Bytes(read_body(from, length)?),
            (None, Some(path)) => Blob::File(path),
            (None, None) => continue,
        };
        blobs.insert(named.name, blob);
    }
    Ok(Some(Request { roadbook: asked.roadbook, blobs, tiles: asked.tiles, output: asked.output }))
}

pub(super) fn answer(to: &mut impl Write, answer: &Answer) -> io::Result<()> {
    let retires = answer.retires;
    match &answer.result {
        Err(error) => write_head(to, &Answered::Refused { error: error.clone(), retires })?,
        Ok(made) => {
            let previews = made.previews.iter().map(|(page, bytes)| (*page, bytes.len() as u64)).collect();
            write_head(
                to,
                &Answered::Made { report: made.report.clone(), pdf: made.pdf.len() as u64, previews, retires },
            )?;
            to.write_all(&made.pdf)?;
            for (_, bytes) in &made.previews {
                to.write_all(bytes)?;
            }
        }
    }
    to.flush()
}

pub(super) fn answered(from: &mut impl Read) -> io::Result<Answer> {
    match read_head::<Answered>(from)?.ok_or(io::ErrorKind::UnexpectedEof)? {
        Answered::Refused { error, retires } => Ok(Answer { result: Err(error), retires }),
        Answered::Made { report, pdf, previews, retires } => {
            let pdf = read_body(from, pdf)?;
            let previews = previews.into_iter().map(|(page, length)| Ok((page, read_body(from, length)?)));
            Ok(Answer { result: Ok(Rendered { pdf, previews: previews.collect::<io::Result<_>>()?, report }), retires })
        }
    }
}

fn write_head(to: &mut impl Write, head: &impl Serialize) -> io::Result<()> {
    let json = serde_json::to_vec(head)?;
    let length = u32::try_from(json.len()).map_err(io::Error::other)?;
    to.write_all(&length.to_le_bytes())?;
    to.write_all(&json)
}

fn read_head<T: DeserializeOwned>(from: &mut impl Read) -> io::Result<Option<T>> {
    let mut length = [0; 4];
    let mut got = 0;
    while got < length.len() {
        match from.read(&mut length[got..])? {
            0 if got == 0 => return Ok(None),
            0 => return Err(io::ErrorKind::UnexpectedEof.into()),
            more => got += more,
        }
    }
    let length = u64::from(u32::from_le_bytes(length));
    if length > HEAD_BYTES {
        return Err(io::Error::other("the head of a frame is too long"));
    }
    let json = read_body(from, length)?;
    Ok(Some(serde_json::from_slice(&json)?))
}

fn read_body(from: &mut impl Read, length: u64) -> io::Result<Vec<u8>> {
    if length > BODY_BYTES {
        return Err(io::Error::other("the body of a frame is too long"));
    }
    let mut bytes = Vec::with_capacity(length.min(16 << 20) as usize);
    if from.take(length).read_to_end(&mut bytes)? as u64 == length {
        Ok(bytes)
    } else {
        Err(io::ErrorKind::UnexpectedEof.into())
    }
}

#[cfg(test)]
mod tests {
    use super::{Answer, answer, answered, asked};
    use crate::error::RoadbookError;
    use crate::report::Report;
    use crate::request::Rendered;

    #[test]
    fn an_answer_comes_over_whole() {
        let made = Rendered {
            pdf: vec![1, 2, 3],
            previews: vec![(4, vec![5; 70_000])],
            report: Report { pages: 4, warnings: vec![] },
        };
        for result in [Ok(made), Err(RoadbookError::NoDays)] {
            let mut wire = Vec::new();
            answer(&mut wire, &Answer { result: result.clone(), retires: true }).expect("written");
            let read = answered(&mut wire.as_slice()).expect("read");
            assert_eq!((read.result, read.retires), (result, true));
            assert!(answered(&mut &wire[..wire.len() - 1]).is_err(), "an incomplete frame is an error");
        }
    }

    #[test]
    fn nothing_more_is_no_fault_and_bad_input_is() {
        assert!(asked(&mut [].as_slice()).expect("an end").is_none());
        assert!(asked(&mut [9, 0, 0, 0, b'{'].as_slice()).is_err());
        assert!(asked(&mut [255; 64].as_slice()).is_err());
    }
}
