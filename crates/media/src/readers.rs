//! The functions that read files from outside. Tests and fuzz targets measure that the time each takes is proportional to the
//! length: a new reader is added here.

/// Its name, the function, and texts to put around an input.
type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    (
        "media",
        crate::exercise,
        &[
            (r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><text>"#, "</text></svg>"),
            (r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100""#, "></svg>"),
            (r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path d=""#, r#""/></svg>"#),
            (r#"<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 300 100"><path style=""#, r#""/></svg>"#),
            ("%PDF-1.4\n", "\n%%EOF"),
        ],
    ),
    (
        "places in a picture",
        |bytes| drop(crate::place::ranges_of_picture(bytes)),
        &[("<x:xmpmeta", ""), ("<rdf:RDF", "</rdf:RDF>")],
    ),
];
