//! Records of tourist information systems: the real samples, read in full, and what is wrong, refused by name.

use std::fs;
use std::io::Write;
use std::path::PathBuf;

use domain::sit::{SitColumn, SitColumnRule, SitKind, SitRecord};
use feeds::incoming::Refused;
use feeds::incoming::sit::{Bytes, SitPackage, columns_of};
use proptest::prelude::*;
use zip::ZipWriter;
use zip::write::SimpleFileOptions;

fn sample(path: &str) -> Option<Vec<u8>> {
    let file = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/sit").join(path);
    fs::read(file).ok()
}

fn open(kind: SitKind, bytes: &[u8]) -> SitPackage {
    SitPackage::open(kind, Bytes::Memory(bytes.to_vec())).unwrap()
}

fn records(kind: SitKind, bytes: &[u8]) -> Vec<Result<SitRecord, Refused>> {
    let package = open(kind, bytes);
    (0..package.len()).map(|index| package.read(index, &[])).collect()
}

/// Those that are read, and the codes of those that are not.
fn parted(kind: SitKind, bytes: &[u8]) -> (Vec<SitRecord>, Vec<&'static str>) {
    let (read, refused): (Vec<_>, Vec<_>) = records(kind, bytes).into_iter().partition(Result::is_ok);
    (read.into_iter().flatten().collect(), refused.into_iter().filter_map(|one| Some(one.err()?.code)).collect())
}

fn refused(kind: SitKind, bytes: &[u8]) -> &'static str {
    SitPackage::open(kind, Bytes::Memory(bytes.to_vec())).map_or_else(|refused| refused.code, |_| "")
}

fn zipped(files: &[(&str, &[u8])]) -> Vec<u8> {
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, bytes) in files {
        zip.start_file(*name, SimpleFileOptions::default()).unwrap();
        zip.write_all(bytes).unwrap();
    }
    zip.finish().unwrap().into_inner()
}

#[test]
fn a_flux_of_datatourisme_is_read_whole() {
    let Some(bytes) = sample("datatourisme/flux-2020-a.zip") else { return };
    let (read, refused) = parted(SitKind::Datatourisme, &bytes);
    assert_eq!((read.len(), refused), (10, Vec::new()));
    let cellar = &read[0];
    assert_eq!(cellar.id, "15/45dfbace-37af-3581-a132-70f5412d41d0", "whatever the host of its address");
    assert_eq!(
        (cellar.name.fr(), cellar.name.get("en")),
        ("la Gourmandière", Some("Les Maîtres Vignerons de la Gourmandière"))
    );
    assert!(cellar.long.fr().starts_with("Situé au cœur de la vallée de la Loire"));
    assert!(cellar.short.get("en").unwrap().starts_with("Organization of brotherhood"));
    let [lon, lat] = cellar.position.unwrap();
    assert!((lon - 1.0).abs() < 0.2 && (lat - 47.3).abs() < 0.2, "{lon} {lat}");
    assert_eq!(cellar.address.city.as_deref(), Some("Francueil"));
    assert_eq!((cellar.address.postcode.as_deref(), cellar.address.insee.as_deref()), (Some("37150"), Some("37110")));
    assert_eq!(cellar.phones, ["+33 2 47 23 91 22"]);
    let words: Vec<&str> = cellar.words.iter().map(|word| word.key.as_str()).collect();
    assert!(words.contains(&"WineCellar") && !words.contains(&"PointOfInterest"), "{words:?}");
    assert_eq!(cellar.author.as_deref(), Some("OFFICE CHENONCEAUX BLERE VAL DE CHER"));
    assert!(read.iter().all(|record| record.updated.is_some() && record.position.is_some()));
}

#[test]
fn an_object_of_2023_tells_its_labels_its_hours_and_what_a_machine_translated() {
    let Some(bytes) = sample("datatourisme/2023/23-005424b9-231a-3735-b357-b13d2e2f661a.json") else { return };
    let (read, refused) = parted(SitKind::Datatourisme, &bytes);
    assert_eq!((read.len(), refused), (1, Vec::new()));
    let record = &read[0];
    assert_eq!(record.id, "23/005424b9-231a-3735-b357-b13d2e2f661a");
    assert_eq!(record.languages(), ["fr", "de", "en", "es", "it", "nl"]);
    assert_eq!(record.labels[0].key, "LabelRating_QualiteTourisme");
    assert!(record.opening.fr().contains("du 01/07/2024 au 31/08/2024, "), "{}", record.opening.fr());
    assert!(record.tariff.fr().contains('€'), "{}", record.tariff.fr());
    assert_eq!(record.pictures.len(), 9, "the main one stands among the others too");
    assert!(record.pictures.iter().all(|picture| picture.licence.as_deref() == Some("By-NC-ND 4.0")));
    assert!(record.by_machine.contains(&"en".to_owned()) && !record.by_machine.contains(&"fr".to_owned()));
}

#[test]
fn a_page_of_the_newer_api_has_no_prefixes() {
    let page = r#"{"objects":[{"uuid":"23-abc","uri":"https://data.datatourisme.fr/23/abc","type":["Museum"],
        "label":{"@fr":"Musée","@en":"Museum"},"hasDescription":[{"description":{"@fr":"Beau."}}],
        "isLocatedAt":[{"geo":{"latitude":47.2,"longitude":4.1},"address":[{"addressLocality":"Autun"}]}]}],
        "meta":{"total":3,"page":1,"next":"https://api.example/v1/catalog?page=2"}}"#;
    let package = open(SitKind::Datatourisme, page.as_bytes());
    assert_eq!((package.total(), package.next()), (Some(3), Some("https://api.example/v1/catalog?page=2")));
    let record = package.read(0, &[]).unwrap();
    assert_eq!((record.id.as_str(), record.name.get("en"), record.long.fr()), ("23/abc", Some("Museum"), "Beau."));
    assert_eq!((record.position, record.address.city.as_deref()), (Some([4.1, 47.2]), Some("Autun")));
}

/// What an object of DATAtourisme says of its opening and its prices.
fn told(object: &str) -> [String; 4] {
    let page = format!(
        r#"{{"objects":[{{"uri":"https://data.datatourisme.fr/23/abc","label":{{"@fr":"Musée"}},{object}}}],"meta":{{"total":1}}}}"#
    );
    let record = open(SitKind::Datatourisme, page.as_bytes()).read(0, &[]).unwrap();
    let words = |text: &domain::Text, language| text.get(language).unwrap_or_default().to_owned();
    [
        words(&record.opening, "fr"),
        words(&record.opening, "en"),
        words(&record.tariff, "fr"),
        words(&record.tariff, "en"),
    ]
}

#[test]
fn opening_hours_of_datatourisme_keep_all_their_days_and_their_open_ends() {
    let hours = |periods: &str| {
        let [fr, en, ..] = told(&format!(
            r#""isLocatedAt":[{{"geo":{{"latitude":47.2,"longitude":4.1}},"openingHoursSpecification":[{periods}]}}]"#
        ));
        [fr, en]
    };
    let week = r#"{"validFrom":"2026-07-01","validThrough":"2026-08-31","opens":"09:00:00","closes":"17:00:00","dayOfWeek":[
        {"@id":"schema:Monday","label":{"@fr":"Lundi","@en":"Monday"}},{"@id":"schema:Tuesday"},"schema:Sunday",{"@id":"schema:Feast"}]}"#;
    assert_eq!(
        hours(week),
        [
            "du 01/07/2026 au 31/08/2026, Lundi, Mardi, Dimanche, 09:00 – 17:00",
            "from 01/07/2026 to 31/08/2026, Monday, Tuesday, Sunday, 09:00 – 17:00"
        ]
    );
    let open = r#"{"validFrom":"2026-07-01","opens":"09:00:00"},{"validThrough":"2026-08-31","closes":"17:00:00"}"#;
    assert_eq!(
        hours(open),
        [
            "à partir du 01/07/2026, dès 09:00\njusqu’au 31/08/2026, jusqu’à 17:00",
            "from 01/07/2026, from 09:00\nuntil 31/08/2026, until 17:00"
        ]
    );
}

#[test]
fn an_event_of_datatourisme_has_its_dates_and_a_price_in_french_its_comma() {
    let event = r#""takesPlaceAt":[{"startDate":"2026-07-14","endDate":"2026-07-14","startTime":"21:30:00"},
        {"startDate":"2026-08-01","endDate":"2026-08-15","startTime":"10:00:00","endTime":"18:00:00"}],
        "offers":[{"priceSpecification":[{"minPrice":[6],"maxPrice":[12.5],"priceCurrency":"EUR"}]}],
        "isLocatedAt":[{"geo":{"latitude":47.2,"longitude":4.1}}]"#;
    assert_eq!(
        told(event),
        [
            "14/07/2026, dès 21:30\ndu 01/08/2026 au 15/08/2026, 10:00 – 18:00",
            "14/07/2026, from 21:30\nfrom 01/08/2026 to 15/08/2026, 10:00 – 18:00",
            "6 – 12,5 €",
            "6 – 12.5 €"
        ]
    );
}

#[test]
fn apidae_is_read_in_its_languages_with_its_contacts_and_pictures() {
    let Some(bytes) = sample("apidae/recherche-commerce-et-service.json") else { return };
    let package = open(SitKind::Apidae, &bytes);
    assert_eq!(package.total(), Some(1));
    let raft = package.read(0, &[]).unwrap();
    assert_eq!((raft.id.as_str(), raft.name.fr(), raft.name.get("en")), ("479743", "Quey' Raft", Some("Test EN")));
    assert_eq!(
        (&raft.phones[0], &raft.emails[0], &raft.websites[0]),
        (&"06 10 15 13 28".to_owned(), &"info@queyraft.com".to_owned(), &"http://www.queyraft.com".to_owned())
    );
    assert_eq!(raft.position, Some([6.794_103, 44.756_403]), "without the type of its geometry");
    assert_eq!(
        (raft.opening.get("en"), raft.tariff.fr()),
        (Some("From 01/05 to 31/10."), "A partir de 30 € par personne")
    );
    assert_eq!(
        (raft.address.city.as_deref(), raft.address.insee.as_deref()),
        (Some("Château-Ville-Vieille"), Some("05038"))
    );
    assert_eq!(raft.updated.as_deref(), Some("2017-11-24"));
    assert!(!raft.pictures.is_empty());
}

#[test]
fn every_sample_of_apidae_is_read_or_refused_with_its_reason() {
    let found = |path: &str| {
        let (read, refused) = parted(SitKind::Apidae, &sample(path)?);
        Some((read.len(), refused))
    };
    if found("apidae/poi.json").is_none() {
        return;
    }
    assert_eq!(found("apidae/poi.json"), Some((1, vec![])));
    assert_eq!(found("apidae/poi-illustration-incomplete.json"), Some((1, vec![])), "a picture without a file is none");
    assert_eq!(found("apidae/equipement-complet.json"), Some((0, vec!["sit/no-position"])), "nothing stands at 0, 0");
    assert_eq!(found("apidae/hotellerie-fr-en.json"), Some((1, vec![])), "a list alone");
    assert_eq!(found("apidae/information-desk.json"), Some((2, vec![])));
    assert_eq!(found("apidae/equipement-geometries-fausses.json"), Some((0, vec!["sit/no-position"; 9])));
}

#[test]
fn an_export_of_apidae_names_what_is_gone() {
    let Some(bytes) = sample("apidae/export-projet.zip") else { return };
    let package = open(SitKind::Apidae, &bytes);
    assert_eq!((package.deleted(), package.is_whole()), (["123".to_owned()].as_slice(), false));
    let (read, refused) = parted(SitKind::Apidae, &bytes);
    assert_eq!((read.len() + refused.len(), package.len()), (package.len(), package.len()));
    assert!(read.len() > 1 && refused.iter().all(|code| code.starts_with("sit/")), "{} {refused:?}", read.len());
    assert_eq!(package.digest(0).unwrap().len(), 32);
}

#[test]
fn tourinsoft_unpacks_its_columns_by_their_usual_names_or_by_rules() {
    let Some(bytes) = sample("tourinsoft/v2-odata-hebergement.json") else { return };
    let package = open(SitKind::Tourinsoft, &bytes);
    assert_eq!(package.total(), Some(11));
    let hotel = package.read(0, &[]).unwrap();
    assert_eq!(
        (hotel.id.as_str(), hotel.name.fr(), hotel.updated.as_deref()),
        ("HOTCEN0280010001", "Hôtel du Perche", Some("2019-01-02"))
    );
    assert_eq!(hotel.phones, ["02 37 53 43 60"], "the fax is none");
    assert_eq!(
        (hotel.emails[0].as_str(), hotel.websites[0].as_str()),
        ("hotelduperche@brithotel.fr", "http://www.hotel-du-perche.com")
    );
    assert_eq!(
        (hotel.address.street.as_deref(), hotel.address.city.as_deref()),
        (Some("Rue de la Bruyère"), Some("NOGENT-LE-ROTROU"))
    );
    assert_eq!((hotel.position, hotel.pictures.len()), (Some([0.804_899, 48.3295]), 3));
    assert_eq!(hotel.pictures[1].credit.as_deref(), Some("© CDT 28"));
    assert_eq!(hotel.words[0].key, "Hôtels");
    assert_eq!(hotel.labels[0].key, "Qualité Tourisme");
    assert!(hotel.opening.fr().starts_with("01/01/2019 · 21/07/2019"), "{}", hotel.opening.fr());
    let rules = [
        SitColumnRule { to: SitColumn::Name, from: vec!["raisonsociale".to_owned()] },
        SitColumnRule { to: SitColumn::Long, from: vec!["Chaines".to_owned()] },
    ];
    let other = package.read(0, &rules).unwrap();
    assert_eq!(other.long.fr(), "Brit' hotel");
    assert!(columns_of(&package.raw(0).unwrap()).unwrap().contains_key("CapaciteTotale"));
}

#[test]
fn tourinsoft_speaks_version_3_and_atom_too() {
    let three = r#"{"odata.metadata":"x","value":[{"SyndicObjectID":"A1","SyndicObjectName":"Le Gîte","GmapLatitude":"48,1","GmapLongitude":"2,2",
        "Photos":[{"Photo":{"Url":"x"}},{"Url":"https://a.example/1.jpg","Titre":"Façade","Credit":"OT"}]}],"odata.nextLink":"https://t.example/?p=2"}"#;
    let package = open(SitKind::Tourinsoft, three.as_bytes());
    let record = package.read(0, &[]).unwrap();
    assert_eq!(
        (record.id.as_str(), record.position, package.next()),
        ("A1", Some([2.2, 48.1]), Some("https://t.example/?p=2"))
    );
    assert_eq!(record.pictures.last().unwrap().legend.fr(), "Façade");
    let atom = r#"<?xml version="1.0"?><feed xmlns:d="x" xmlns:m="y"><link rel="next" href="https://t.example/?a=1&amp;p=2"/><entry><content>
        <m:properties><d:SyndicObjectID>B2</d:SyndicObjectID><d:SyndicObjectName>Le Moulin &amp; Cie</d:SyndicObjectName><d:GmapLatitude>48.2</d:GmapLatitude>
        <d:GmapLongitude>2.3</d:GmapLongitude></m:properties></content></entry></feed>"#;
    let package = open(SitKind::Tourinsoft, atom.as_bytes());
    let record = package.read(0, &[]).unwrap();
    assert_eq!((record.id.as_str(), record.name.fr(), package.id(0)), ("B2", "Le Moulin & Cie", "B2"));
    assert_eq!(package.next(), Some("https://t.example/?a=1&p=2"));
}

#[test]
fn cirkwi_and_lei_are_read_whole() {
    let (Some(cirkwi), Some(lei)) = (sample("cirkwi/pois.xml"), sample("lei/contenus.xml")) else { return };
    let package = open(SitKind::Cirkwi, &cirkwi);
    assert_eq!(package.total(), Some(2));
    let church = package.read(0, &[]).unwrap();
    assert_eq!(
        (church.id.as_str(), church.name.get("en"), church.updated.as_deref()),
        ("357", Some("Titre en anglais"), Some("2013-04-08"))
    );
    assert_eq!((church.words[0].key.as_str(), church.words[0].label.fr()), ("15", "Monuments et Architecture"));
    assert_eq!((church.pictures.len(), church.pictures[0].credit.as_deref()), (1, Some("Manon")), "one address, once");
    assert_eq!(
        (church.opening.fr(), church.phones[0].as_str()),
        ("Ouvert du Lundi au Vendredi de 8h à 19h", "01 02 03 04 05")
    );
    assert_eq!(church.position, Some([6.144_292_6, 48.712_594_6]));

    let (read, refused) = parted(SitKind::Lei, &lei);
    assert_eq!((read.len(), refused), (2, vec!["sit/no-position"; 3]));
    assert_eq!(
        (read[0].id.as_str(), read[0].name.fr(), read[0].long.fr()),
        ("219006399", "Restaurant A", "Commentaire A")
    );
    assert_eq!((read[0].words[0].label.fr(), read[0].updated.as_deref()), ("Restauration", Some("2022-11-29")));
    assert_eq!(
        (read[0].address.street.as_deref(), read[0].websites[0].as_str()),
        (Some("11 rue principale"), "https://www.hotel-cheval-blanc.fr")
    );
}

/// A product of LEI with these elements.
fn product(elements: &str) -> String {
    format!(
        "<sit_liste>{elements}<NOM>Caf&eacute; de la for&ecirc;t</NOM><LATITUDE>44,9</LATITUDE><LONGITUDE>3,1</LONGITUDE></sit_liste>"
    )
}

fn lei(products: &[String]) -> Vec<u8> {
    format!("<LEI><Resultat>{}</Resultat></LEI>", products.concat()).into_bytes()
}

/// The identifiers in the index of an answer, and those of the records.
fn ids(kind: SitKind, bytes: &[u8]) -> [Vec<String>; 2] {
    let package = open(kind, bytes);
    let of_index = (0..package.len()).map(|index| package.id(index).to_owned()).collect();
    [of_index, parted(kind, bytes).0.into_iter().map(|record| record.id).collect()]
}

#[test]
fn an_item_has_the_identifier_of_its_record_wherever_it_is_written() {
    let of_type = "<TYPE_DE_PRODUIT>1900014</TYPE_DE_PRODUIT>";
    let found = ids(
        SitKind::Lei,
        &lei(&[
            product("<PRODUIT><![CDATA[101]]></PRODUIT>"),
            product(&format!("{of_type}<PRODUIT> 102 </PRODUIT>")),
            product(&format!("{of_type}<CRITERES><PRODUIT>7</PRODUIT></CRITERES><PRODUIT>103</PRODUIT>")),
        ]),
    );
    assert_eq!(found, [["101", "102", "103"]; 2]);
    let entry = |column: &str| {
        format!(
            "<entry><title>SyndicObjectID>9<![CDATA[<]]></title><content><m:properties><d:{column}><![CDATA[B2]]></d:{column}>\
            <d:SyndicObjectName>Le Moulin</d:SyndicObjectName><d:GmapLatitude>48.2</d:GmapLatitude><d:GmapLongitude>2.3</d:GmapLongitude>\
            </m:properties></content></entry>"
        )
    };
    for column in ["SyndicObjectID", "ObjectID"] {
        let atom = format!(r#"<feed xmlns:d="x" xmlns:m="y">{}</feed>"#, entry(column));
        assert_eq!(ids(SitKind::Tourinsoft, atom.as_bytes()), [["B2"]; 2], "{column}");
    }
    let json =
        r#"{"value":[{"ObjectID":"C3","SyndicObjectName":"Le Gîte","GmapLatitude":"48,1","GmapLongitude":"2,2"}]}"#;
    assert_eq!(ids(SitKind::Tourinsoft, json.as_bytes()), [["C3"]; 2]);
    // A record without an identifier has none in the index either.
    assert_eq!(ids(SitKind::Lei, &lei(&[product("")])), [vec!["#1".to_owned()], Vec::new()]);
    assert_eq!(parted(SitKind::Lei, &lei(&[product("<PRODUIT/>")])).1, ["import/no-id"]);
}

#[test]
fn a_cell_of_lei_may_be_a_list() {
    let (read, refused) = parted(
        SitKind::Lei,
        &lei(&[product(
            "<PRODUIT>1</PRODUIT><ADRPREST_EMAIL>a@b.fr;c@d.fr</ADRPREST_EMAIL><ADRPREST_URL>www.a.fr ; b.fr</ADRPREST_URL>\
            <ADRPREST_TEL>03 88 00 00 01 / 06 11 22 33 44</ADRPREST_TEL><DATMAJ>9/1/2026 08:00:00</DATMAJ>\
            <COMMENTAIRE>Un <b>bon</b> caf&eacute;</COMMENTAIRE>",
        )]),
    );
    assert_eq!(refused, Vec::<&str>::new());
    let record = &read[0];
    assert_eq!((record.name.fr(), record.long.fr()), ("Café de la forêt", "Un <b>bon</b> café"));
    assert_eq!(record.emails, ["a@b.fr", "c@d.fr"]);
    assert_eq!(record.websites, ["https://www.a.fr", "https://b.fr"]);
    assert_eq!(record.phones, ["03 88 00 00 01", "06 11 22 33 44"]);
    assert_eq!(record.updated.as_deref(), Some("2026-01-09"));
}

/// A POI of Cirkwi with these texts in a language.
fn cirkwi(attributes: &str, language: &str, texts: &str) -> String {
    format!(
        r#"<pois><poi id_poi=" 12 " {attributes}><informations><information langue="{language}">{texts}</information></informations>
        <adresse><position><lat>44,9</lat><lng>3,1</lng></position></adresse></poi></pois>"#
    )
}

#[test]
fn a_poi_of_cirkwi_keeps_its_words_in_their_languages() {
    let of = |attributes: &str, language: &str, texts: &str| {
        let bytes = cirkwi(attributes, language, texts);
        let (mut read, refused) = parted(SitKind::Cirkwi, bytes.as_bytes());
        assert_eq!(refused, Vec::<&str>::new());
        assert_eq!(ids(SitKind::Cirkwi, bytes.as_bytes()), [["12"]; 2]);
        read.remove(0)
    };
    let texts = "<titre>A<b>gras</b>B</titre><description>a <i>b</i> for&ecirc;t</description>";
    for (language, code) in [("FR", "fr"), ("fr_FR", "fr"), ("français", "fr"), ("en-GB", "en")] {
        let record = of("", language, texts);
        assert_eq!(record.name.get(code), Some("AgrasB"), "{language}");
        assert_eq!(record.long.get(code), Some("a <i>b</i> forêt"), "{language}");
    }
    for (seconds, day) in [("1365413342", Some("2013-04-08")), ("9223372036854775807", None), ("-99999999999999", None)]
    {
        let record = of(&format!(r#"date_modification="{seconds}""#), "fr", texts);
        assert_eq!(record.updated.as_deref(), day, "{seconds}");
    }
    let more = |title: &str, words: &str| {
        format!(
            "<information_complementaire><titre>{title}</titre><description>{words}</description></information_complementaire>"
        )
    };
    let all = [
        more("Tarif enfant", "5 €"),
        more("Tarif adulte", "10 €"),
        more("Horaires", "9 h à 17 h"),
        more("Contact", "12 rue du Lac, tél. +33 (0)4 66 45 00 01"),
    ];
    let record =
        of("", "fr", &format!("{texts}<informations_complementaires>{}</informations_complementaires>", all.concat()));
    assert_eq!(record.tariff.fr(), "Tarif enfant · 5 €\nTarif adulte · 10 €");
    assert_eq!(
        (record.opening.fr(), record.phones.as_slice()),
        ("9 h à 17 h", ["+33 (0)4 66 45 00 01".to_owned()].as_slice())
    );
}

#[test]
fn what_is_no_feed_is_reported_as_what_it_is() {
    for kind in [SitKind::Datatourisme, SitKind::Apidae, SitKind::Tourinsoft, SitKind::Cirkwi, SitKind::Lei] {
        assert_eq!(refused(kind, b"<!DOCTYPE html><html><body>503</body></html>"), "import/web-page", "{kind:?}");
        assert_eq!(refused(kind, b"  \n"), "trace/empty", "{kind:?}");
    }
    assert_eq!(refused(SitKind::Apidae, b"<pois/>"), "sit/not-json");
    assert_eq!(refused(SitKind::Cirkwi, b"<circuits><circuit/></circuits>"), "sit/not-this");
    assert_eq!(refused(SitKind::Apidae, br#"{"erreur":"cle inconnue"}"#), "sit/no-list");
    assert_eq!(refused(SitKind::Apidae, br#"{"objetsTouristiques":[{"id":1,"#), "import/damaged");
    assert_eq!(refused(SitKind::Datatourisme, b"PK\x03\x04rubbish"), "sit/archive-damaged");
}

#[test]
fn a_mark_at_the_head_and_latin_1_are_read() {
    let poi = r#"<pois version="2"><poi id_poi="1"><informations><information langue="fr"><titre>Église</titre></information></informations>
        <adresse><position><lat>48,1</lat><lng>2,1</lng></position></adresse></poi></pois>"#;
    let latin: Vec<u8> =
        format!("<?xml version=\"1.0\" encoding=\"ISO-8859-1\"?>{poi}").chars().map(|c| c as u8).collect();
    let marked = [b"\xef\xbb\xbf".as_slice(), poi.as_bytes()].concat();
    for bytes in [latin, marked] {
        assert_eq!(open(SitKind::Cirkwi, &bytes).read(0, &[]).unwrap().name.fr(), "Église");
    }
}

#[test]
fn what_nests_without_end_is_refused_alone() {
    let deep = format!("{}{}", "[".repeat(10_000), "]".repeat(10_000));
    let page = format!(
        r#"{{"objetsTouristiques":[{{"id":1,"nom":{{"libelleFr":"A"}},"x":{deep}}},
        {{"id":2,"nom":{{"libelleFr":"B"}},"localisation":{{"geolocalisation":{{"geoJson":{{"coordinates":[2,48]}}}}}}}}]}}"#
    );
    let (read, refused) = parted(SitKind::Apidae, page.as_bytes());
    assert_eq!((read.len(), refused), (1, vec!["import/damaged"]));
    let xml = format!("<pois>{}</pois>", "<poi>".repeat(10_000));
    assert_eq!(self::refused(SitKind::Cirkwi, xml.as_bytes()), "import/too-deep");
}

#[test]
fn an_archive_that_climbs_out_or_swells_is_refused_by_entry() {
    let object = br#"{"@id":"https://d.example/1/a","rdfs:label":{"fr":["A"]},"isLocatedAt":[{"schema:geo":{"schema:latitude":"48","schema:longitude":"2"}}]}"#;
    let bomb = vec![b' '; 8 * 1024 * 1024];
    let index =
        br#"[{"file":"1/1-a.json"},{"file":"../../etc/passwd"},{"file":"1/bomb.json"},{"file":"1/nowhere.json"}]"#;
    let bytes = zipped(&[
        ("index.json", index),
        ("objects/1/1-a.json", object),
        ("objects/../../etc/passwd", b"root"),
        ("objects/1/bomb.json", &bomb),
    ]);
    let (read, refused) = parted(SitKind::Datatourisme, &bytes);
    assert_eq!(read.len(), 1);
    assert_eq!(refused, ["import/bad-path", "trace/zip-bomb", "sit/file-missing"]);
    assert_eq!(self::refused(SitKind::Datatourisme, &zipped(&[("lisez-moi.txt", b"x")])), "sit/nothing-inside");
}

#[test]
fn an_object_that_changed_has_another_mark_without_being_unpacked() {
    let flux = |words: &str| {
        zipped(&[
            ("index.json", br#"[{"file":"1-a.json","lastUpdateDatatourisme":"x"}]"#),
            ("objects/1-a.json", words.as_bytes()),
        ])
    };
    let mark = |words: &str| open(SitKind::Datatourisme, &flux(words)).digest(0).unwrap();
    assert_eq!(mark("{\"a\":1}"), mark("{\"a\":1}"));
    assert_ne!(mark("{\"a\":1}"), mark("{\"a\":2}"));
}

proptest! {
    #[test]
    fn no_bytes_make_a_reader_panic(bytes in proptest::collection::vec(any::<u8>(), 0..600)) {
        feeds::incoming::sit::exercise(&bytes);
    }

    #[test]
    fn no_damage_of_a_real_sample_makes_a_reader_panic(at in 0_usize..5_000, with in any::<u8>()) {
        for path in ["apidae/poi.json", "cirkwi/pois.xml", "tourinsoft/v2-odata-hebergement.json", "apidae/export-projet.zip"] {
            let Some(mut bytes) = sample(path) else { continue };
            let at = at % bytes.len();
            bytes[at] = with;
            feeds::incoming::sit::exercise(&bytes);
        }
    }
}

#[test]
fn an_answer_of_too_many_empty_records_is_refused() {
    let list = |head: &str, item: &str, tail: &str| format!("{head}{}{tail}", item.repeat(200_001)).into_bytes();
    let in_json = |head: &str, tail: &str| {
        let items = vec!["{}"; 200_001].join(",");
        format!("{head}{items}{tail}").into_bytes()
    };
    for (kind, bytes) in [
        (SitKind::Apidae, in_json(r#"{"objetsTouristiques":["#, "]}")),
        (SitKind::Tourinsoft, in_json(r#"{"d":{"results":["#, "]}}")),
        (SitKind::Geotrek, in_json(r#"{"results":["#, "]}")),
        (SitKind::Datatourisme, in_json(r#"{"@context":{},"@graph":["#, "]}")),
        (SitKind::Datatourisme, in_json("[", "]")),
        (SitKind::Cirkwi, list("<pois>", "<poi></poi>", "</pois>")),
        (SitKind::Lei, list("<LEI>", "<sit_liste></sit_liste>", "</LEI>")),
        (SitKind::Apidae, zipped(&[("objets_modifies/objets_modifies-1.json", &in_json("[", "]"))])),
    ] {
        assert_eq!(refused(kind, &bytes), "import/too-many-features", "{kind:?}");
    }
}

#[test]
fn a_record_of_too_many_values_is_refused_alone() {
    let values = "0,".repeat(1_000_000);
    let heavy = format!(r#"{{"@id": "https://d.example/1/a", "rdfs:label": [{values}0]}}"#);
    let (_, refused) = parted(SitKind::Datatourisme, format!("[{heavy}]").as_bytes());
    assert_eq!(refused, ["import/item-too-large"]);
    let heavy = format!("<pois><poi id_poi=\"1\">{}</poi></pois>", "<a/>".repeat(500_001));
    let (_, refused) = parted(SitKind::Cirkwi, heavy.as_bytes());
    assert_eq!(refused, ["import/item-too-large"]);
    let attributes: String = (0..100).map(|at| format!(" a{at}=\"\"")).collect();
    let elements = format!("<a{attributes}/>").repeat(10_001);
    let heavy = format!("<pois><poi id_poi=\"1\">{elements}</poi></pois>");
    let (_, refused) = parted(SitKind::Cirkwi, heavy.as_bytes());
    assert_eq!(refused, ["import/item-too-large"], "a million attributes");
    // What an export lists as deleted is read whole.
    let deleted = format!("[{values}0]");
    let mut zip = ZipWriter::new(std::io::Cursor::new(Vec::new()));
    for (name, text) in [("objets_modifies/objets_modifies-1.json", "[]"), ("objets_supprimes.json", deleted.as_str())]
    {
        let stored = SimpleFileOptions::default().compression_method(zip::CompressionMethod::Stored);
        zip.start_file(name, stored).unwrap();
        zip.write_all(text.as_bytes()).unwrap();
    }
    let bytes = zip.finish().unwrap().into_inner();
    assert_eq!(self::refused(SitKind::Apidae, &bytes), "import/item-too-large");
}

#[test]
fn a_page_that_is_wrapped_without_end_is_no_list() {
    let wrapped = |times: usize, inner: &str| format!("{}{inner}{}", r#"{"d":"#.repeat(times), "}".repeat(times));
    let page = r#"{"results": [{"SyndicObjectID": "1"}]}"#;
    assert_eq!(open(SitKind::Tourinsoft, wrapped(1, page).as_bytes()).len(), 1);
    assert_eq!(refused(SitKind::Tourinsoft, wrapped(200_000, "1").as_bytes()), "sit/no-list");
}

#[test]
fn the_records_of_a_graph_are_its_items() {
    let place = |id: u32, name: &str| {
        serde_json::json!({
            "@id": format!("https://data.datatourisme.fr/23/{id}"), "@type": ["PointOfInterest"], "rdfs:label": {"fr": [name]},
            "isLocatedAt": [{"schema:geo": {"schema:latitude": "47.2", "schema:longitude": "4.1"}}],
        })
    };
    let graph = [place(1, "Lac"), place(2, "Bois")];
    let graph = serde_json::json!({"@context": {"schema": "http://schema.org/"}, "@graph": graph});
    let (read, refused) = parted(SitKind::Datatourisme, graph.to_string().as_bytes());
    assert_eq!(refused, Vec::<&str>::new());
    let named: Vec<_> = read.iter().map(|record| (record.id.as_str(), record.name.fr())).collect();
    assert_eq!(named, [("23/1", "Lac"), ("23/2", "Bois")]);
    // A graph of one may be that one, without a list.
    let alone = serde_json::json!({"@context": {}, "@graph": place(3, "Mare")});
    let (read, refused) = parted(SitKind::Datatourisme, alone.to_string().as_bytes());
    assert_eq!((read.len(), read[0].id.as_str(), refused.len()), (1, "23/3", 0));
    assert_eq!(self::refused(SitKind::Datatourisme, br#"{"@graph": "Lac"}"#), "import/damaged");
}
