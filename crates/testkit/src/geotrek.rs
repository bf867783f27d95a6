//! A small database of a Geotrek, as a dump in plain text.

/// A trek: its number, its name, and whether it is published.
pub type Trek<'a> = (u32, &'a str, bool);

/// A tourist content: its number, its name, and whether it is published.
pub type Content<'a> = (u32, &'a str, bool);

/// A dump with these treks, each with a photo; a published POI along the first of them and a draft of one; a sign; a user.
pub fn dump(treks: &[Trek<'_>]) -> String {
    dump_with(treks, &[])
}

/// The same with these contents, each with a photo; an event, another one without a date, and a tap along the first trek.
pub fn dump_with_tourism(treks: &[Trek<'_>], contents: &[Content<'_>]) -> String {
    let at = geometry(1, &[[4.008, 47.06]]);
    let yes = |is: bool| if is { "t" } else { "f" };
    let content = |(number, name, published): &Content<'_>| {
        let published = yes(*published);
        format!("{number}\tcontent-{number}\tf\t{published}\t{name}\t<p>À voir.</p>\t{at}\t1")
    };
    let event = |number: u32, name: &str, day: &str| format!("{number}\tevent-{number}\tf\tt\t{name}\t{day}\t{at}\t1");
    [
        dump_with(treks, contents),
        copy(
            "tourism_touristiccontent",
            "id, uuid, deleted, published, name, description, geom, category_id",
            contents.iter().map(content).collect(),
        ),
        copy("tourism_touristiccontentcategory", "id, label", vec!["1\tHébergement".to_owned()]),
        copy(
            "tourism_touristicevent",
            "id, uuid, deleted, published, name, begin_date, geom, type_id",
            vec![event(11, "Fête du lac", "2027-08-01"), event(12, "Veillée", "\\N")],
        ),
        copy("tourism_touristiceventtype", "id, type", vec!["1\tFête".to_owned()]),
        copy("trekking_service", "topo_object_id, type_id", vec!["960\t1".to_owned()]),
        copy("trekking_servicetype", "id, name", vec!["1\tEau potable".to_owned()]),
    ]
    .concat()
}

fn dump_with(treks: &[Trek<'_>], contents: &[Content<'_>]) -> String {
    let topology = |number: u32, kind: &str, geometry: &str| format!("{number}\tf\t{kind}\tu-{number}\t{geometry}");
    let at = |number: u32| 47.0 + f64::from(number) * 0.05;
    let line = |number: u32| (0..20).map(move |east| [4.0 + f64::from(east) * 0.001, at(number)]).collect::<Vec<_>>();
    let first = treks.first().map_or(1, |(number, ..)| *number);
    let mut topologies: Vec<String> =
        treks.iter().map(|(number, ..)| topology(*number, "TREK", &geometry(2, &line(*number)))).collect();
    topologies.push(topology(900, "POI", &geometry(1, &[[4.005, at(first) + 0.001]])));
    topologies.push(topology(901, "POI", &geometry(1, &[[4.006, at(first)]])));
    topologies.push(topology(950, "SIGNAGE", &geometry(1, &[[4.007, at(first)]])));
    topologies.push(topology(960, "SERVICE", &geometry(1, &[[4.009, at(first)]])));
    let yes = |is: bool| if is { "t" } else { "f" };
    let rows = |number: &u32, name: &str, is: bool| {
        format!("{number}\t{}\t{name}\t{}\t{name}\tTrail {number}", yes(is), yes(is))
    };
    let trek_rows = treks.iter().map(|(number, name, published)| rows(number, name, *published)).collect();
    let photo = |(id, number, model, folder): (u32, u32, u32, &str)| {
        format!(
            "{id}\t{number}\t{model}\tpaperclip/{folder}/{number}/photo.jpg\t\t\tAna Roux\tphoto\tVue {number}\tt\tt\t1"
        )
    };
    let of_treks = treks.iter().map(|(number, ..)| (*number, *number, 8, "trekking_trek"));
    let of_contents = contents.iter().map(|(number, ..)| (100 + number, *number, 9, "tourism_touristiccontent"));
    let photos: Vec<String> = of_treks.chain(of_contents).map(photo).collect();
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
        copy("django_content_type", "id, app_label, model", vec!["8\ttrekking\ttrek".to_owned(), "9\ttourism\ttouristiccontent".to_owned()]),
        copy("common_license", "id, label", vec!["1\tCC-BY".to_owned()]),
        copy(
            "common_attachment",
            "id, object_id, content_type_id, attachment_file, attachment_video, attachment_link, author, title, legend, starred, is_image, license_id",
            photos,
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
