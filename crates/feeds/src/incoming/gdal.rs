//! Files of formats that are not read here and that GDAL reads: which of its drivers reads a file, and where the layers are inside an archive.

use super::{files, shapefile};

/// What the name of a folder of Esri's file geodatabase ends with.
const GEODATABASE: &str = ".gdb";
/// What the names of the files that open tables of MapInfo end with.
const MAPINFO: [&str; 2] = [".tab", ".mif"];
/// What a FlatGeobuf file begins with.
const FLATGEOBUF: &[u8] = b"fgb\x03fgb";

/// A file that GDAL reads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct GdalFile {
    /// The driver, as `ogr2ogr --formats` names it.
    pub driver: &'static str,
    /// The places of the layers in the archive, an empty one for its root; none where the file is no archive.
    pub folders: Option<Vec<String>>,
}

impl GdalFile {
    /// The format of a file, by its bytes or its name. None where it is another one.
    pub fn of(name: &str, bytes: &[u8]) -> Option<Self> {
        if bytes.starts_with(b"PK\x03\x04") {
            return Self::of_archive(bytes);
        }
        let name = name.to_lowercase();
        let driver = if bytes.starts_with(FLATGEOBUF) {
            "FlatGeobuf"
        } else if name.ends_with(".dxf") {
            "DXF"
        } else if MAPINFO.iter().any(|ending| name.ends_with(ending)) {
            "MapInfo File"
        } else {
            return None;
        };
        Some(Self { driver, folders: None })
    }

    fn of_archive(bytes: &[u8]) -> Option<Self> {
        let archive = files::opened(bytes).ok()?;
        let names: Vec<_> = archive.file_names().filter_map(Result::ok).filter(|name| !files::hidden(name)).collect();
        // What is read here.
        if names.iter().any(|name| files::is_recording(name) || shapefile::is_layer(name)) {
            return None;
        }
        let mut geodatabases = Vec::new();
        let mut tables = Vec::new();
        for name in &names {
            let folded = name.to_ascii_lowercase();
            let geodatabase = folded.find(&format!("{GEODATABASE}/")).map(|at| &name[..at + GEODATABASE.len()]);
            let table = || MAPINFO.iter().any(|ending| folded.ends_with(ending));
            let (list, folder) = match geodatabase {
                Some(folder) => (&mut geodatabases, folder),
                None if table() => (&mut tables, name.rsplit_once('/').map_or("", |(folder, _)| folder)),
                None => continue,
            };
            let is_inside = folder.split('/').all(|part| part != "..") && !folder.starts_with('/');
            if is_inside {
                list.push(folder.to_owned());
            }
        }
        let (driver, mut folders) =
            if geodatabases.is_empty() { ("MapInfo File", tables) } else { ("OpenFileGDB", geodatabases) };
        folders.sort_unstable();
        folders.dedup();
        (!folders.is_empty()).then_some(Self { driver, folders: Some(folders) })
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use std::io::{Cursor, Write as _};

    use zip::ZipWriter;
    use zip::write::SimpleFileOptions;

    use super::*;

    fn archive(names: &[&str]) -> Vec<u8> {
        let mut archive = ZipWriter::new(Cursor::new(Vec::new()));
        for name in names {
            archive.start_file(*name, SimpleFileOptions::default()).unwrap();
            archive.write_all(b"x").unwrap();
        }
        archive.finish().unwrap().into_inner()
    }

    #[test]
    fn a_file_is_known_by_its_bytes_its_name_or_what_is_inside() {
        for (name, bytes, driver) in [
            ("sentiers", &b"fgb\x03fgb\x00"[..], Some("FlatGeobuf")),
            ("Plan.DXF", b"0\nSECTION", Some("DXF")),
            ("sentiers.tab", b"!table", Some("MapInfo File")),
            ("sentiers.mif", b"Version 300", Some("MapInfo File")),
            ("sentiers.gpx", b"<gpx>", None),
            ("sentiers.vrt", b"<OGRVRTDataSource>", None),
            ("", b"", None),
        ] {
            let expected = driver.map(|driver| GdalFile { driver, folders: None });
            assert_eq!(GdalFile::of(name, bytes), expected, "{name}");
        }
        for (names, expected) in [
            (&["t.tab", "t.dat", "t.map", "t.id"][..], Some(("MapInfo File", vec![""]))),
            (&["a/b/T.TAB", "a/b/T.dat", "c/u.mif", "a/b/v.tab"], Some(("MapInfo File", vec!["a/b", "c"]))),
            (&["parc.gdb/a00000001.gdbtable", "parc.gdb/gdb"], Some(("OpenFileGDB", vec!["parc.gdb"]))),
            (&["export/Parc.GDB/a.gdbtable", "lisez.tab"], Some(("OpenFileGDB", vec!["export/Parc.GDB"]))),
            (&["../../etc/t.tab", "/etc/t.tab", "__MACOSX/t.tab"], None),
            (&["t.gpx", "t.tab"], None),
            (&["t.shp", "t.tab"], None),
        ] {
            let expected = expected.map(|(driver, folders)| GdalFile {
                driver,
                folders: Some(folders.into_iter().map(str::to_owned).collect()),
            });
            assert_eq!(GdalFile::of("x.zip", &archive(names)), expected, "{names:?}");
        }
    }
}
