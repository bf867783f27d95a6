//! A small database of a Geotrek, as a dump in plain text.

/// A trek: its number, its name, and whether it is published.
pub type Trek<'a> = (u32, &'a str, bool);

/// A dump with these treks, each with a photo; a published POI along the first of them and a draft of one; a sign; a user.
pub fn dump(treks: &[Trek<'_>]) -> String {
    let topology = |number: u32, kind: &str, geometry: &str| format!("{number}\tf\t{kind}\tu-{number}\t{geometry}");
    let at = |number: u32| 47.0 + f64::from(number) * 0.05;
    let line = |number: u32| (0..20).map(move |east| [4.0 + f64::from(east) * 0.001, at(number)]).collect::<Vec<_>>();
    let first = treks.first().map_or(1, |(number, ..)| *number);
    let mut topologies: Vec<String> =
        treks.iter().map(|(number, ..)| topology(*number, "TREK", &geometry(2, &line(*number)))).collect();
    topologies.push(topology(900, "POI", &geometry(1, &[[4.005, at(first) + 0.001]])));
    topologies.push(topology(901, "POI", &geometry(1, &[[4.006, at(first)]])));
    topologies.push(topology(950, "SIGNAGE", &geometry(1, &[[4.007, at(first)]])));
    let yes = |is: bool| if is { "t" } else { "f" };
    let rows = |number: &u32, name: &str, is: bool| {
        format!("{number}\t{}\t{name}\t{}\t{name}\tTrail {number}", yes(is), yes(is))
    };
    let trek_rows = treks.iter().map(|(number, name, published)| rows(number, name, *published)).collect();
    let photo = |(number, ..): &Trek<'_>| {
        format!(
            "{number}\t{number}\t8\tpaperclip/trekking_trek/{number}/photo.jpg\t\t\tAna Roux\tphoto\tVue {number}\tt\tt\t1"
        )
    };
    [
        "SET client_encoding = 'UTF8';\n".to_owned(),
        copy("core_topology", "id, deleted, kind, uuid, geom", topologies),
        copy("trekking_trek", "topo_object_id, published, name, published_fr, name_fr, name_en", trek_rows),
        copy(
            "trekking_poi",
            "topo_object_id, published, name, description",
            vec!["900\tt\tLe lavoir\t<p>À voir.</p>".to_owned(), "901\tf\tÀ vérifier\t".to_owned()],
        ),
        copy("signage_signage", "topo_object_id, name", vec!["950\tPanneau du lac".to_owned()]),
        copy("django_content_type", "id, app_label, model", vec!["8\ttrekking\ttrek".to_owned()]),
        copy("common_license", "id, label", vec!["1\tCC-BY".to_owned()]),
        copy(
            "common_attachment",
            "id, object_id, content_type_id, attachment_file, attachment_video, attachment_link, author, title, legend, starred, is_image, license_id",
            treks.iter().map(photo).collect(),
        ),
        copy("authent_structure", "id, name", vec!["1\tParc du lac".to_owned()]),
        copy("authent_userprofile", "id, structure_id, user_id", vec!["1\t1\t7".to_owned()]),
        copy(
            "auth_user",
            "id, password, username, first_name, last_name, email, is_active",
            vec![
                "6\t!\t__internal__\t\t\t\tt".to_owned(),
                "7\tpbkdf2_sha256$1$x\tana\tAna\tRoux\tana@parc.example\tt".to_owned(),
            ],
        ),
    ]
    .concat()
}

fn copy(table: &str, columns: &str, rows: Vec<String>) -> String {
    format!("COPY public.{table} ({columns}) FROM stdin;\n{}\n\\.\n\n", rows.join("\n"))
}

/// A point (1) or a line (2) in degrees, as PostGIS writes it.
fn geometry(kind: u32, points: &[[f64; 2]]) -> String {
    let mut bytes = vec![1];
    bytes.extend((kind | 0x2000_0000).to_le_bytes());
    bytes.extend(4326_u32.to_le_bytes());
    if kind == 2 {
        bytes.extend((points.len() as u32).to_le_bytes());
    }
    bytes.extend(points.iter().flatten().flat_map(|number| number.to_le_bytes()));
    bytes.iter().map(|byte| format!("{byte:02X}")).collect()
}
