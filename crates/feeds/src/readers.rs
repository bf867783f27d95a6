//! The functions that read what others publish. Tests and fuzz targets measure that the time each takes is proportional to the
//! length: a new reader is added here.

/// Its name, the function, and texts to put around an input.
type Reader = (&'static str, fn(&[u8]), &'static [(&'static str, &'static str)]);

/// All readers of this crate.
#[doc(hidden)]
pub const READERS: &[Reader] = &[
    (
        "incoming",
        crate::incoming::exercise,
        &[
            ("<circuits><circuit><id>1</id><title>", "</title></circuit></circuits>"),
            ("<gpx><trk><name>", "</name><trkseg/></trk></gpx>"),
            (
                "{\"type\":\"FeatureCollection\",\"features\":[{\"type\":\"Feature\",\"properties\":{\"id\":1,\"nom_itineraire\":\"",
                "\"}}]}",
            ),
            ("{\"type\":\"FeatureCollection\",\"features\":[", "{}]}"),
            ("{\"results\":[{\"id\":1,\"name\":\"", "\"}]}"),
            ("{\"results\":[", "{\"id\":1}]}"),
            ("{\"data\":[{\"id\":1,\"nom\":\"", "\"}]}"),
            ("LINESTRING (", ")"),
            ("{\"coordinates\":[", "6,45],\"type\":\"Point\"}"),
            ("{\"items\":[{\"id\":1,\"warning\":{\"fr\":\"", "\"}}]}"),
        ],
    ),
    (
        "tourist records",
        crate::incoming::sit::exercise,
        &[
            ("{\"objetsTouristiques\":[{\"id\":1,\"nom\":{\"libelleFr\":\"", "\"}}]}"),
            ("{\"objetsTouristiques\":[", "{\"id\":1}]}"),
            ("{\"@graph\":[{\"@id\":\"a\",\"rdfs:label\":{\"fr\":[\"", "\"]}}]}"),
            ("{\"value\":[{\"SyndicObjectID\":\"a\",\"SyndicObjectName\":\"", "\"}]}"),
            ("<feed><entry><id>1</id><title>", "</title></entry></feed>"),
            ("<Resultat><sit_liste><PRODUIT>1</PRODUIT><NOM>", "</NOM></sit_liste></Resultat>"),
            ("<pois><poi id=\"1\"", "><title>a</title></poi></pois>"),
        ],
    ),
    (
        "timetables",
        crate::gtfs::exercise,
        &[
            ("stop_id,stop_name,stop_lat,stop_lon\nS,\"", "\",45,6\n"),
            ("stop_id,stop_name,stop_lat,stop_lon,", "\nS,Gare,45,6\n"),
            ("service_id,monday,start_date,end_date\nW,1,20260101,20261231\n", ""),
            ("trip_id,departure_time,stop_id,stop_sequence\n", "T,08:00:00,S,1\n"),
        ],
    ),
];
