//! The functions that read files from outside. Tests and fuzz targets measure that the time each takes is proportional to the
//! length: a new reader is added here.

/// Its name, the function, and texts to put around an input.
type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    (
        "trace",
        crate::exercise,
        &[
            (
                "<gpx><trk><name>",
                "</name><trkseg><trkpt lat=\"45\" lon=\"6\"/><trkpt lat=\"45.1\" lon=\"6\"/></trkseg></trk></gpx>",
            ),
            ("<gpx><trk><trkseg><trkpt lat=\"45\" lon=\"6\"/><trkpt lat=\"45.1\" lon=\"6\"", "/></trkseg></trk></gpx>"),
            ("<gpx><trk><trkseg><trkpt lat=\"45\" lon=\"6\"/>", "<trkpt lat=\"45.1\" lon=\"6\"/></trkseg></trk></gpx>"),
            (
                "<kml><Placemark><name>",
                "</name><LineString><coordinates>6,45 6,45.1</coordinates></LineString></Placemark></kml>",
            ),
            ("<kml><Placemark><LineString><coordinates>6,45 6,45.1 ", "</coordinates></LineString></Placemark></kml>"),
            ("<TrainingCenterDatabase><Courses><Course><Name>", "</Name></Course></Courses></TrainingCenterDatabase>"),
            ("{\"type\":\"LineString\",\"coordinates\":[[6,45],", "[6,45.1]]}"),
            (
                "{\"type\":\"Feature\",\"properties\":{\"name\":\"",
                "\"},\"geometry\":{\"type\":\"LineString\",\"coordinates\":[[6,45],[6,45.1]]}}",
            ),
            ("\u{e}\u{10}\u{0}\u{0}\u{0}\u{0}\u{0}\u{0}.FIT", ""),
        ],
    ),
    ("encoding", |bytes| drop(crate::decoded(bytes)), &[]),
];
