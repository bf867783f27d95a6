//! Garmin FIT: only the messages that make a line (record, course, course point), read by hand.
//!
//! Nothing is kept of any other message, so a crafted file costs memory in proportion to its size. Source of the layout:
//! Garmin's FIT protocol description; the tests compare with the `fitparser` crate on a real recording.

use crate::draft::{Draft, LineKind, WaypointWords};
use crate::error::{ReadError, ReadErrorKind};
use crate::model::{Format, RepairKind};

/// Seconds from 1970-01-01 to 1989-12-31, where FIT counts from.
const FIT_EPOCH_S: i64 = 631_065_600;
const DEGREES_PER_SEMICIRCLE: f64 = 180.0 / 2_147_483_648.0;

mod message {
    pub const RECORD: u16 = 20;
    pub const COURSE: u16 = 31;
    pub const COURSE_POINT: u16 = 32;
}

#[derive(Clone, Copy)]
struct Field {
    number: u8,
    size: u8,
}

#[derive(Clone)]
struct Definition {
    big_endian: bool,
    message: u16,
    fields: Vec<Field>,
    /// Bytes of developer fields behind them.
    developer_len: usize,
}

/// A cursor that never runs over the end.
struct Bytes<'a>(&'a [u8]);

impl<'a> Bytes<'a> {
    fn take(&mut self, len: usize) -> Option<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(len)?;
        self.0 = rest;
        Some(taken)
    }

    fn byte(&mut self) -> Option<u8> {
        self.take(1).map(|bytes| bytes[0])
    }
}

struct FitReader {
    draft: Draft,
    definitions: [Option<Definition>; 16],
    /// The last full timestamp, which compressed ones complete.
    timestamp: u32,
}

/// Reads the bytes of a FIT file.
pub fn read(bytes: &[u8]) -> Result<Draft, ReadError> {
    let mut reader = FitReader { draft: Draft::new(Format::Fit), definitions: Default::default(), timestamp: 0 };
    let mut rest = bytes;
    let mut whole = true;
    // Files may be chained: header, data, checksum, header… Each is a line of its own.
    while whole && rest.get(8..12) == Some(b".FIT") {
        reader.draft.begin_line(LineKind::Track, None);
        let header_len = usize::from(rest[0]).max(12);
        let declared = u32::from_le_bytes([rest[4], rest[5], rest[6], rest[7]]) as usize;
        let data = rest.get(header_len..).unwrap_or_default();
        // A recorder that lost power never wrote the length.
        let is_open = declared == 0 || declared > data.len();
        let data_len = if is_open { data.len() } else { declared };
        whole = reader.messages(&data[..data_len])? && !is_open;
        rest = data.get(data_len + 2..).unwrap_or_default();
        reader.definitions = Default::default();
    }
    if !whole {
        if reader.draft.lines.iter().all(|line| line.points.len() < 2) {
            return Err(ReadError::malformed("the FIT messages make no sense or stop in the middle", None));
        }
        reader.draft.note(RepairKind::Truncated, 1, None);
    }
    if let Some(line) = reader.draft.lines.first_mut() {
        line.name.clone_from(&reader.draft.name);
    }
    Ok(reader.draft)
}

impl FitReader {
    /// Reads messages to the end; false when they stop making sense before.
    fn messages(&mut self, data: &[u8]) -> Result<bool, ReadError> {
        let mut bytes = Bytes(data);
        while !bytes.0.is_empty() {
            match self.one_message(&mut bytes) {
                Some(Ok(())) => {}
                Some(Err(error)) => return Err(error),
                None => return Ok(false),
            }
        }
        Ok(true)
    }

    fn one_message(&mut self, bytes: &mut Bytes<'_>) -> Option<Result<(), ReadError>> {
        let header = bytes.byte()?;
        if header & 0x80 != 0 {
            let offset = u32::from(header & 0x1f);
            // The offset counts in a window of 32 s from the last full timestamp.
            let mut timestamp = (self.timestamp & !0x1f) | offset;
            if offset < self.timestamp & 0x1f {
                timestamp = timestamp.wrapping_add(0x20);
            }
            self.timestamp = timestamp;
            return self.data(bytes, usize::from(header >> 5 & 0x3));
        }
        let local = usize::from(header & 0x0f);
        if header & 0x40 == 0 {
            return self.data(bytes, local);
        }
        self.definitions[local] = Some(definition(bytes, header & 0x20 != 0)?);
        Some(Ok(()))
    }

    fn data(&mut self, bytes: &mut Bytes<'_>, local: usize) -> Option<Result<(), ReadError>> {
        let definition = self.definitions[local].as_ref()?;
        let mut values = Values::default();
        for field in &definition.fields {
            let raw = bytes.take(usize::from(field.size))?;
            values.set(definition, field.number, raw);
        }
        bytes.take(definition.developer_len)?;
        let message = definition.message;
        if let Some(timestamp) = values.timestamp {
            self.timestamp = timestamp;
        }
        Some(match message {
            message::RECORD => self.record(&values),
            message::COURSE_POINT => self.course_point(values),
            message::COURSE => {
                self.draft.name = values.name;
                Ok(())
            }
            _ => Ok(()),
        })
    }

    fn record(&mut self, values: &Values) -> Result<(), ReadError> {
        let (Some(lat), Some(lon)) = (values.lat, values.lon) else { return Ok(()) };
        let time_ms = (self.timestamp > 0).then(|| (i64::from(self.timestamp) + FIT_EPOCH_S) * 1000);
        if let Some(point) = self.draft.push(Some(lat), Some(lon), 0)? {
            point.ele = values.ele;
            point.time_ms = time_ms;
        }
        Ok(())
    }

    fn course_point(&mut self, values: Values) -> Result<(), ReadError> {
        let words = WaypointWords { name: values.name, ..WaypointWords::default() };
        self.draft
            .push_waypoint(values.lat, values.lon, None, words)
            .map_err(|_| ReadError::new(ReadErrorKind::TooManyPoints))
    }
}

fn definition(bytes: &mut Bytes<'_>, has_developer_fields: bool) -> Option<Definition> {
    bytes.byte()?;
    let big_endian = bytes.byte()? == 1;
    let number = bytes.take(2)?;
    let number = [number[0], number[1]];
    let message = if big_endian { u16::from_be_bytes(number) } else { u16::from_le_bytes(number) };
    let count = usize::from(bytes.byte()?);
    let fields = bytes.take(count * 3)?.chunks_exact(3).map(|raw| Field { number: raw[0], size: raw[1] }).collect();
    let mut developer_len = 0;
    if has_developer_fields {
        let count = usize::from(bytes.byte()?);
        developer_len = bytes.take(count * 3)?.chunks_exact(3).map(|raw| usize::from(raw[1])).sum();
    }
    Some(Definition { big_endian, message, fields, developer_len })
}

/// The values of the messages above that are of use.
#[derive(Default)]
struct Values {
    timestamp: Option<u32>,
    lat: Option<f64>,
    lon: Option<f64>,
    ele: Option<f64>,
    name: Option<String>,
}

impl Values {
    fn set(&mut self, definition: &Definition, number: u8, raw: &[u8]) {
        let word = |invalid: u32| -> Option<u32> {
            let bytes: [u8; 4] = raw.try_into().ok()?;
            let value = if definition.big_endian { u32::from_be_bytes(bytes) } else { u32::from_le_bytes(bytes) };
            (value != invalid).then_some(value)
        };
        let degrees = || word(0x7fff_ffff).map(|value| f64::from(value.cast_signed()) * DEGREES_PER_SEMICIRCLE);
        match (definition.message, number) {
            (_, 253) => self.timestamp = word(u32::MAX),
            (message::RECORD, 0) | (message::COURSE_POINT, 2) => self.lat = degrees(),
            (message::RECORD, 1) | (message::COURSE_POINT, 3) => self.lon = degrees(),
            (message::RECORD, 78) => self.ele = word(u32::MAX).map(|value| f64::from(value) / 5.0 - 500.0).or(self.ele),
            (message::RECORD, 2) => {
                let value = <[u8; 2]>::try_from(raw).ok().map(|bytes| {
                    if definition.big_endian { u16::from_be_bytes(bytes) } else { u16::from_le_bytes(bytes) }
                });
                let coarse = value.filter(|value| *value != u16::MAX).map(|value| f64::from(value) / 5.0 - 500.0);
                self.ele = self.ele.or(coarse);
            }
            (message::COURSE, 5) | (message::COURSE_POINT, 6) => {
                let text = raw.split(|byte| *byte == 0).next().unwrap_or_default();
                self.name = Some(String::from_utf8_lossy(text).trim().to_owned()).filter(|text| !text.is_empty());
            }
            _ => {}
        }
    }
}
