//! Sample files made here: each is a real one of its format, without rights of others.

use std::io::Cursor;

use image::codecs::jpeg::JpegEncoder;
use image::{DynamicImage, ExtendedColorType, ImageEncoder, ImageFormat, Rgb, RgbImage, Rgba, RgbaImage};

/// A landscape of these sides: left red, right blue, brighter below.
pub fn landscape(width: u32, height: u32) -> RgbImage {
    RgbImage::from_fn(width, height, |x, y| {
        let light = (y * 200 / height.max(1)) as u8;
        if x < width / 2 { Rgb([255, light, 0]) } else { Rgb([0, light, 255]) }
    })
}

/// A JPEG photo.
pub fn jpeg(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = Vec::new();
    JpegEncoder::new_with_quality(&mut bytes, 85)
        .write_image(&landscape(width, height), width, height, ExtendedColorType::Rgb8)
        .expect("a JPEG can be written");
    bytes
}

/// A JPEG photo with a camera's notes: which way up, and where (degrees, minutes and seconds as cameras write them).
pub fn jpeg_with_notes(width: u32, height: u32, orientation: u16, place: Option<[f64; 2]>) -> Vec<u8> {
    let plain = jpeg(width, height);
    let notes = exif(orientation, place);
    let length = u16::try_from(notes.len() + 8).expect("notes are short");
    [&plain[..2], &[0xFF, 0xE1], &length.to_be_bytes(), b"Exif\0\0", &notes, &plain[2..]].concat()
}

/// A camera's notes: TIFF, least byte first.
pub fn exif(orientation: u16, place: Option<[f64; 2]>) -> Vec<u8> {
    let entry = |tag: u16, kind: u16, count: u32, value: [u8; 4]| {
        [&tag.to_le_bytes()[..], &kind.to_le_bytes(), &count.to_le_bytes(), &value].concat()
    };
    let mut tiff = b"II\x2A\0\x08\0\0\0".to_vec();
    let short = |value: u16| [value.to_le_bytes()[0], value.to_le_bytes()[1], 0, 0];
    // The first list has two entries and ends at 8 + 2 + 24 + 4 = 38, the second has four and ends at 92.
    tiff.extend(2_u16.to_le_bytes());
    tiff.extend(entry(0x0112, 3, 1, short(orientation)));
    tiff.extend(entry(0x8825, 4, 1, 38_u32.to_le_bytes()));
    tiff.extend(0_u32.to_le_bytes());
    let Some([lon, lat]) = place else {
        tiff.extend([0; 6]);
        return tiff;
    };
    let letter = |positive: u8, negative: u8, value: f64| [if value < 0.0 { negative } else { positive }, 0, 0, 0];
    tiff.extend(4_u16.to_le_bytes());
    tiff.extend(entry(1, 2, 2, letter(b'N', b'S', lat)));
    tiff.extend(entry(2, 5, 3, 92_u32.to_le_bytes()));
    tiff.extend(entry(3, 2, 2, letter(b'E', b'W', lon)));
    tiff.extend(entry(4, 5, 3, 116_u32.to_le_bytes()));
    tiff.extend(0_u32.to_le_bytes());
    for degrees in [lat.abs(), lon.abs()] {
        let minutes = degrees.fract() * 60.0;
        for (number, divisor) in [(degrees.trunc(), 1), (minutes.trunc(), 1), (minutes.fract() * 60_000.0, 1000)] {
            tiff.extend((number.round() as u32).to_le_bytes());
            tiff.extend(u32::to_le_bytes(divisor));
        }
    }
    tiff
}

/// A PNG picture.
pub fn png(width: u32, height: u32) -> Vec<u8> {
    written(DynamicImage::ImageRgb8(landscape(width, height)), ImageFormat::Png)
}

/// A PNG mark that shows through around its middle.
pub fn png_mark(width: u32, height: u32) -> Vec<u8> {
    let mark = RgbaImage::from_fn(width, height, |x, _| Rgba([0, 90, 80, if x < width / 2 { 0 } else { 255 }]));
    written(DynamicImage::ImageRgba8(mark), ImageFormat::Png)
}

/// A WebP picture.
pub fn webp(width: u32, height: u32) -> Vec<u8> {
    written(DynamicImage::ImageRgb8(landscape(width, height)), ImageFormat::WebP)
}

fn written(picture: DynamicImage, format: ImageFormat) -> Vec<u8> {
    let mut bytes = Cursor::new(Vec::new());
    picture.write_to(&mut bytes, format).expect("a picture can be written");
    bytes.into_inner()
}

/// A PNG of a few bytes that says it has these sides: the header of a bomb.
pub fn png_bomb(width: u32, height: u32) -> Vec<u8> {
    let mut bytes = png(1, 1);
    bytes[16..20].copy_from_slice(&width.to_be_bytes());
    bytes[20..24].copy_from_slice(&height.to_be_bytes());
    let checksum = crc32(&bytes[12..29]);
    bytes[29..33].copy_from_slice(&checksum.to_be_bytes());
    bytes
}

fn crc32(bytes: &[u8]) -> u32 {
    !bytes.iter().fold(u32::MAX, |crc, byte| {
        (0..8).fold(crc ^ u32::from(*byte), |crc, _| if crc & 1 == 1 { (crc >> 1) ^ 0xEDB8_8320 } else { crc >> 1 })
    })
}

fn boxed(name: [u8; 4], content: &[u8]) -> Vec<u8> {
    [&(content.len() as u32 + 8).to_be_bytes()[..], &name, content].concat()
}

/// A picture in boxes that cannot be decoded here, with a camera's notes inside.
pub fn avif(width: u32, height: u32, place: Option<[f64; 2]>) -> Vec<u8> {
    let extent = boxed(*b"ispe", &[&[0; 4][..], &width.to_be_bytes(), &height.to_be_bytes()].concat());
    let properties = boxed(*b"iprp", &boxed(*b"ipco", &extent));
    let head = boxed(*b"ftyp", b"avif\0\0\0\0avifmif1miaf");
    let notes = [&6_u32.to_be_bytes()[..], b"Exif\0\0", &exif(1, place)].concat();
    let handler = boxed(*b"hdlr", &[&[0; 8][..], b"pict", &[0; 13]].concat());
    let info = [&[2, 0, 0, 0][..], &1_u16.to_be_bytes(), &[0; 2], b"Exif\0"].concat();
    let infos = boxed(*b"iinf", &[&[0; 4][..], &1_u16.to_be_bytes(), &boxed(*b"infe", &info)].concat());
    // The place of the notes is counted from the start of the file; its length does not depend on the numbers in it.
    let described = |at: u32| {
        let item = [1_u16.to_be_bytes(), [0; 2], 1_u16.to_be_bytes()].concat();
        let places = [
            &[0; 4][..],
            &[0x44, 0],
            &1_u16.to_be_bytes(),
            &item,
            &at.to_be_bytes(),
            &(notes.len() as u32).to_be_bytes(),
        ]
        .concat();
        boxed(*b"meta", &[&[0; 4][..], &handler, &infos, &boxed(*b"iloc", &places), &properties].concat())
    };
    let at = (head.len() + described(0).len() + 8) as u32;
    [head, described(at), boxed(*b"mdat", &notes)].concat()
}

/// A photo as some telephones keep it.
pub fn heic() -> Vec<u8> {
    [boxed(*b"ftyp", b"heic\0\0\0\0mif1heic"), boxed(*b"mdat", &[0; 64])].concat()
}

/// A video of this length: its boxes are right, its picture is noise. With a place as telephones note it.
pub fn mp4(seconds: u32, width: u32, height: u32) -> Vec<u8> {
    let header = [&[0; 12][..], &1000_u32.to_be_bytes(), &(seconds * 1000).to_be_bytes(), &[0; 80]].concat();
    let mut track = vec![0; 84];
    // No turn: the matrix starts with one.
    track[40..44].copy_from_slice(&0x0001_0000_u32.to_be_bytes());
    track[76..80].copy_from_slice(&(width << 16).to_be_bytes());
    track[80..84].copy_from_slice(&(height << 16).to_be_bytes());
    let place = boxed(*b"udta", &boxed(*b"\xA9xyz", b"\0\x12\x15\xC7+47.1234+004.5678/"));
    let movie = [boxed(*b"mvhd", &header), boxed(*b"trak", &boxed(*b"tkhd", &track)), place].concat();
    [boxed(*b"ftyp", b"isom\0\0\x02\0isommp42"), boxed(*b"moov", &movie), boxed(*b"mdat", &[7; 4000])].concat()
}

fn element(id: &[u8], content: &[u8]) -> Vec<u8> {
    let size = (0x0100_0000_0000_0000 | content.len() as u64).to_be_bytes();
    [id, &size, content].concat()
}

/// A WebM video of this length.
pub fn webm(seconds: u32, width: u16, height: u16) -> Vec<u8> {
    let head = element(&[0x1A, 0x45, 0xDF, 0xA3], &element(&[0x42, 0x82], b"webm"));
    let length = f64::from(seconds) * 1000.0;
    let info = element(
        &[0x15, 0x49, 0xA9, 0x66],
        &[element(&[0x2A, 0xD7, 0xB1], &1_000_000_u32.to_be_bytes()), element(&[0x44, 0x89], &length.to_be_bytes())]
            .concat(),
    );
    let video = [element(&[0xB0], &width.to_be_bytes()), element(&[0xBA], &height.to_be_bytes())].concat();
    let tracks = element(&[0x16, 0x54, 0xAE, 0x6B], &element(&[0xAE], &element(&[0xE0], &video)));
    let cluster = element(&[0x1F, 0x43, 0xB6, 0x75], &[0; 500]);
    [head, element(&[0x18, 0x53, 0x80, 0x67], &[info, tracks, cluster].concat())].concat()
}

/// A WebM sound as browsers record it: neither the size of the segment nor the duration was known when the header was written.
pub fn webm_sound() -> Vec<u8> {
    let head = element(&[0x1A, 0x45, 0xDF, 0xA3], &element(&[0x42, 0x82], b"webm"));
    let info = element(&[0x15, 0x49, 0xA9, 0x66], &element(&[0x2A, 0xD7, 0xB1], &1_000_000_u32.to_be_bytes()));
    let track = [element(&[0x83], &[2]), element(&[0x86], b"A_OPUS")].concat();
    let tracks = element(&[0x16, 0x54, 0xAE, 0x6B], &element(&[0xAE], &track));
    let cluster = element(&[0x1F, 0x43, 0xB6, 0x75], &[0; 500]);
    let segment = [0x18, 0x53, 0x80, 0x67, 0x01, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF, 0xFF];
    [head, segment.to_vec(), info, tracks, cluster].concat()
}

/// A WAV sound: quiet at first, loud at the end.
pub fn wav(seconds: u32) -> Vec<u8> {
    const RATE: u32 = 8000;
    let frames = RATE * seconds;
    let sample = |at: u32| {
        let loud = f64::from(at) / f64::from(frames) * 30_000.0;
        ((f64::from(at) / 8.0).sin() * loud) as i16
    };
    let data: Vec<u8> = (0..frames).flat_map(|at| sample(at).to_le_bytes()).collect();
    let mut bytes = b"RIFF".to_vec();
    bytes.extend((data.len() as u32 + 36).to_le_bytes());
    bytes.extend(b"WAVEfmt \x10\0\0\0\x01\0\x01\0");
    bytes.extend(RATE.to_le_bytes());
    bytes.extend((RATE * 2).to_le_bytes());
    bytes.extend(b"\x02\0\x10\0data");
    bytes.extend((data.len() as u32).to_le_bytes());
    bytes.extend(data);
    bytes
}

/// An MP3 sound of silence, one frame after another (24 ms each at 48 kHz).
pub fn mp3(seconds: u32) -> Vec<u8> {
    // Layer III, 64 kbit/s, 48 kHz, mono: 192 bytes a frame; all zeros after the header are silence.
    let frame = [&[0xFF, 0xFB, 0x54, 0xC4][..], &[0; 188]].concat();
    frame.repeat((seconds * 1000 / 24) as usize)
}

/// A document of this many pages, each with a line of text and a red square.
pub fn pdf(pages: usize) -> Vec<u8> {
    let mut objects = vec!["<< /Type /Catalog /Pages 2 0 R >>".to_owned()];
    let kids: String = (0..pages).map(|page| format!("{} 0 R ", 4 + page * 2)).collect();
    objects.push(format!("<< /Type /Pages /Kids [{kids}] /Count {pages} >>"));
    objects.push("<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>".to_owned());
    for page in 0..pages {
        let drawn = format!("1 0 0 rg 50 50 200 200 re f BT /F1 24 Tf 60 400 Td (Page {page}) Tj ET");
        objects.push(format!(
            "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 300 500] /Contents {} 0 R /Resources << /Font << /F1 3 0 R >> >> >>",
            5 + page * 2
        ));
        objects.push(format!("<< /Length {} >>\nstream\n{drawn}\nendstream", drawn.len()));
    }
    document(&objects)
}

/// A document of one page that takes hours to draw: eleven forms, each of which draws the next ten times.
pub fn pdf_endless() -> Vec<u8> {
    const FORMS: usize = 11;
    let stream = |head: &str, drawn: &str| format!("<< {head} /Length {} >>\nstream\n{drawn}\nendstream", drawn.len());
    let resources = |number: usize| format!("/Resources << /XObject << /X {number} 0 R >> >>");
    let mut objects = vec![
        "<< /Type /Catalog /Pages 2 0 R >>".to_owned(),
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>".to_owned(),
        format!("<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] /Contents 4 0 R {} >>", resources(5)),
        stream("", "/X Do"),
    ];
    for form in 1..=FORMS {
        let head = "/Type /XObject /Subtype /Form /BBox [0 0 600 600]";
        objects.push(if form == FORMS {
            stream(head, "0 0 m 500 500 l S")
        } else {
            stream(&format!("{head} {}", resources(5 + form)), &"/X Do ".repeat(10))
        });
    }
    document(&objects)
}

/// A document of one page whose objects are padded with spaces, so that they unpack to `unpacked` bytes.
pub fn pdf_bomb(unpacked: usize) -> Vec<u8> {
    let objects = [
        "<< /Type /Catalog /Pages 2 0 R >>",
        "<< /Type /Pages /Kids [3 0 R] /Count 1 >>",
        "<< /Type /Page /Parent 2 0 R /MediaBox [0 0 600 600] >>",
    ];
    let (mut index, mut body) = (String::new(), String::new());
    for (number, object) in (1..).zip(objects) {
        index.push_str(&format!("{number} {} ", body.len()));
        body.push_str(&format!("{object} "));
    }
    let packed = packed_spaces(format!("{index}{body}").as_bytes(), unpacked);
    let mut file = b"%PDF-1.5\n".to_vec();
    let objects_at = file.len();
    let head = format!("/Type /ObjStm /N 3 /First {} /Filter /FlateDecode /Length {}", index.len(), packed.len());
    file.extend(format!("4 0 obj\n<< {head} >>\nstream\n").into_bytes());
    file.extend(packed);
    file.extend(b"\nendstream\nendobj\n");
    let table = file.len();
    let row = |kind: u8, place: usize, number: u16| {
        [&[kind][..], &(place as u32).to_be_bytes(), &number.to_be_bytes()].concat()
    };
    let rows =
        [row(0, 0, 0), row(2, 4, 0), row(2, 4, 1), row(2, 4, 2), row(1, objects_at, 0), row(1, table, 0)].concat();
    let head = format!("/Type /XRef /Size 6 /W [1 4 2] /Root 1 0 R /Length {}", rows.len());
    file.extend(format!("5 0 obj\n<< {head} >>\nstream\n").into_bytes());
    file.extend(rows);
    file.extend(format!("\nendstream\nendobj\nstartxref\n{table}\n%%EOF\n").into_bytes());
    file
}

/// A deflate stream of a text that ends with a space, and of as many more spaces as make this many bytes.
fn packed_spaces(text: &[u8], unpacked: usize) -> Vec<u8> {
    /// The bits of a repetition of the last byte 258 times, with the fixed codes.
    const REPETITION: [u8; 13] = [1, 1, 0, 0, 0, 1, 0, 1, 0, 0, 0, 0, 0];
    let length = text.len() as u16;
    // The text is a block without compression.
    let mut packed = [&[0][..], &length.to_le_bytes(), &(!length).to_le_bytes(), text].concat();
    let block = packed.len();
    // Eight repetitions are thirteen bytes, shifted by the three bits of the head of the block.
    let bit = |at: usize| REPETITION[(at + 10) % 13];
    let eight: [u8; 13] = std::array::from_fn(|byte| (0..8).fold(0, |bits, at| bits | (bit(byte * 8 + at) << at)));
    packed.extend(eight.repeat(unpacked / (8 * 258)));
    packed[block] |= 0b011;
    packed.extend([0, 0]);
    packed
}

/// A document of these objects, the first of which is its catalogue.
fn document(objects: &[String]) -> Vec<u8> {
    let mut file = "%PDF-1.4\n".to_owned();
    let mut places = Vec::new();
    for (number, object) in objects.iter().enumerate() {
        places.push(file.len());
        file.push_str(&format!("{} 0 obj\n{object}\nendobj\n", number + 1));
    }
    let table = file.len();
    file.push_str(&format!("xref\n0 {}\n0000000000 65535 f \n", objects.len() + 1));
    for place in places {
        file.push_str(&format!("{place:010} 00000 n \n"));
    }
    file.push_str(&format!("trailer << /Size {} /Root 1 0 R >>\nstartxref\n{table}\n%%EOF\n", objects.len() + 1));
    file.into_bytes()
}

/// A font of one letter: `a` is a square.
pub fn font() -> Vec<u8> {
    let words = |values: &[u16]| values.iter().flat_map(|value| value.to_be_bytes()).collect::<Vec<u8>>();
    let square: Vec<u8> = [
        words(&[1, 100, 0, 600, 500, 3, 0]),
        vec![0x01, 0x01, 0x01, 0x01],
        words(&[100, 500, 0, 500_u16.wrapping_neg(), 0, 0, 500, 0]),
    ]
    .concat();
    let map = [
        words(&[0, 1, 3, 1]),
        12_u32.to_be_bytes().to_vec(),
        words(&[4, 32, 0, 4, 4, 1, 0, 97, 0xFFFF, 0, 97, 0xFFFF, 1_u16.wrapping_sub(97), 1, 0, 0]),
    ]
    .concat();
    let head =
        [words(&[1, 0, 1, 0, 0, 0, 0x5F0F, 0x3CF5, 0, 1000]), vec![0; 16], words(&[0, 0, 700, 700, 0, 8, 2, 0, 0])]
            .concat();
    let across = words(&[1, 0, 800, 65_336, 0, 700, 0, 0, 600, 1, 0, 0, 0, 0, 0, 0, 0, 2]);
    let most = words(&[1, 0, 2, 4, 1, 0, 0, 1, 0, 0, 0, 0, 0, 0, 0, 0]);
    let length = square.len() as u16;
    let tables: [(&[u8; 4], Vec<u8>); 7] = [
        (b"cmap", map),
        (b"glyf", square),
        (b"head", head),
        (b"hhea", across),
        (b"hmtx", words(&[700, 0, 700, 100])),
        (b"loca", words(&[0, 0, length / 2])),
        (b"maxp", most),
    ];
    let mut file = [&[0, 1, 0, 0][..], &words(&[7, 64, 2, 48])].concat();
    let mut at = 12 + 16 * tables.len() as u32;
    for (name, bytes) in &tables {
        file.extend_from_slice(*name);
        file.extend([0_u32, at, bytes.len() as u32].into_iter().flat_map(u32::to_be_bytes));
        at += (bytes.len() as u32).next_multiple_of(4);
    }
    for (_, bytes) in tables {
        file.extend(&bytes);
        file.resize(file.len().next_multiple_of(4), 0);
    }
    file
}

/// A mark that is drawn, and that would run something.
pub fn svg_with_script() -> Vec<u8> {
    br#"<svg xmlns="http://www.w3.org/2000/svg" width="300" height="120" onload="alert(1)"><script>alert(2)</script><path d="M0 0L300 120" stroke="teal"/></svg>"#.to_vec()
}

/// The start of a program.
pub fn executable() -> Vec<u8> {
    [&b"\x7FELF\x02\x01\x01\0"[..], &[0; 2000]].concat()
}
