//! The finished file, as other people's tools read it.

use roadbook::data::{Format, PageChoice, PageKind};
use roadbook::{Rendered, Request, WarningCode};

use crate::sample::{Shape, USUAL, request};
use crate::tools::Printed;

fn printed(request: &Request) -> (Printed, Rendered) {
    let rendered = roadbook::render(request).unwrap();
    if let Some(folder) = std::env::var_os("ROADBOOK_KEEP") {
        let name = std::thread::current().name().unwrap_or("book").replace("::", "-");
        let book = &request.roadbook;
        let name = format!("{name}-{:?}-{}-{}.pdf", book.format, book.booklet, book.bleed);
        std::fs::write(std::path::Path::new(&folder).join(name), &rendered.pdf).unwrap();
    }
    let printed = Printed::new(&rendered.pdf);
    printed.is_sound();
    (printed, rendered)
}

/// Checks that texts are in a whole, one after the other.
fn in_order(whole: &str, texts: &[&str]) {
    let mut from = 0;
    for text in texts {
        let at =
            whole[from..].find(text).unwrap_or_else(|| panic!("« {text} » does not follow in: {}", &whole[from..]));
        from += at + text.len();
    }
}

#[test]
fn the_usual_trip_is_a_sound_tagged_file_with_its_faces_inside() {
    let (book, made) = printed(&request(USUAL));
    assert_eq!(made.report.warnings, []);
    book.tells("Title", "Le tour du lac de Brève");
    book.tells("Tagged", "yes");
    book.tells("Page size", "419.528 x 595.276 pts");
    book.tells("Pages", &made.report.pages.to_string());
    for font in book.fonts().unwrap_or_default() {
        let columns: Vec<&str> = font.split_whitespace().rev().collect();
        // From the right: object, object id, unicode, subset, embedded.
        assert_eq!((columns[4], columns[2]), ("yes", "yes"), "{font}");
    }
}

#[test]
fn it_is_read_in_its_order() {
    let (book, _) = printed(&request(USUAL));
    let Some((words, tags)) = book.read_aloud() else { return };
    in_order(
        &words,
        &[
            "Trois-Vallées",
            "CARNET DE VOYAGE",
            "Le tour du lac de Brève",
            "Claire Aubertin",
            "Yann Le Goff",
            "du 14 au 16 mai 2027",
            "Bienvenue",
            "Chère Claire",
            "Dans ce carnet",
            "Vos contacts",
            "Maud Vasseur",
            "+33 6 39 98 20 41",
            "112",
            "Votre voyage",
            "prévoir 600 Wh",
            "Compris",
            "Bon à savoir",
            "Eau",
            "Deux bidons",
            "Vue d’ensemble",
            "Jour après jour",
            "Profil du voyage",
            "JOUR 1",
            "Brévine",
            "Distance",
            "On quitte Brévine",
            "Profil",
            "Pas à pas",
            "Au km",
            "1 0,0",
            "Place du Lavoir",
            "2 2,1",
            "Porte du Moulin",
            "Auberge du Pré-Haut",
            "arrivée",
            "Site web",
            "pre-haut.example",
            "Arrivée dès",
            "16 h",
            "Code de la porte",
            "2741 A",
            "Repas",
            "Dîner",
            "19 h 30",
            "JOUR 2",
            "Peyremarle",
            "Bons d’échange",
            "ORS-2027-0418-1",
            "Aide-mémoire",
            "Aussi dans votre poche",
            "IM048000000",
        ],
    );
    for tag in ["H1", "H2", "TH", "TD", "Figure", "Table", "LI", "TOC"] {
        assert!(tags.lines().any(|line| line.trim_start().starts_with(tag)), "{tag}");
    }
}

#[test]
fn a_day_opens_on_a_left_page_and_slips_on_a_right_one() {
    let (book, _) = printed(&request(USUAL));
    let Some(pages) = book.pages() else { return };
    let page_of = |text: &str| pages.iter().rposition(|page| page.contains(text)).map(|index| index + 1);
    for day in ["JOUR 1 · ", "JOUR 2 · ", "JOUR 3 · "] {
        assert_eq!(page_of(day).map(|page| page % 2), Some(0), "{day} in {pages:#?}");
    }
    let slips = page_of("Bon d’échange nº").unwrap();
    assert_eq!(slips % 2, 1);
    assert!(pages[slips].contains("Réservé au prestataire"), "the reverse follows");
}

#[test]
fn phones_read_both_codes() {
    let (book, made) = printed(&request(USUAL));
    let Some(mut codes) = book.codes(made.report.pages as usize) else { return };
    codes.sort();
    assert_eq!(codes, ["https://s.jalon.example/ors27", "https://s.jalon.example/ors27.gpx"]);
}

#[test]
fn a_booklet_is_half_as_many_sides_of_a4() {
    let mut asked = request(USUAL);
    let (_, flat) = printed(&asked);
    asked.roadbook.booklet = true;
    let (book, folded) = printed(&asked);
    assert_eq!(folded.report.pages, flat.report.pages);
    book.tells("Pages", &(flat.report.pages.next_multiple_of(4) / 2).to_string());
    book.tells("Page size", "841.89 x 595.276 pts (A4)");
    // The back cover lies left of the front cover on the first side.
    if let Some(pages) = book.pages() {
        assert_eq!(pages.concat().matches("Aussi dans votre poche").count(), 1, "the contents leave it out");
        in_order(&pages[0], &["Aussi dans votre poche"]);
        assert!(pages[0].contains("CARNET DE VOYAGE"), "{}", pages[0]);
    }
}

#[test]
fn a4_and_bleed_are_sheets_of_their_size() {
    let mut asked = request(USUAL);
    asked.roadbook.format = Format::A4;
    let (a4, made) = printed(&asked);
    assert_eq!(made.report.warnings, []);
    a4.tells("Page size", "595.276 x 841.89 pts (A4)");
    asked.roadbook.format = Format::A5;
    asked.roadbook.bleed = true;
    let (book, _) = printed(&asked);
    if let Some(info) = book.info(&["-box"]) {
        let trim = info.lines().find(|line| line.starts_with("TrimBox")).unwrap_or_else(|| panic!("{info}"));
        let sides: Vec<f64> = trim.split_whitespace().skip(1).map(|side| side.parse().unwrap()).collect();
        // 3 mm are 8.5 points.
        assert!((sides[0] - 8.5).abs() < 0.1 && (sides[2] - sides[0] - 419.53).abs() < 0.1, "{trim}");
    }
}

#[test]
fn days_without_a_stage_are_days_of_the_trip() {
    let figures = |nights: u32| {
        let mut asked = request(USUAL);
        asked.roadbook.days[0].stay.as_mut().unwrap().nights = nights;
        let parts = roadbook::parts(&asked).unwrap();
        let data: serde_json::Value = serde_json::from_slice(&parts["data.json"]).unwrap();
        ["days", "nights"].map(|name| data["figures"][name].as_u64().unwrap())
    };
    assert_eq!(figures(1), [3, 2]);
    assert_eq!(figures(3), [5, 4]);
}

#[test]
fn the_meals_of_a_night_have_room_above_them() {
    let (book, _) = printed(&request(USUAL));
    let Some(pages) = book.pages() else { return };
    let night = pages.iter().position(|page| page.contains("Arrivée dès")).unwrap();
    let words = book.words(night + 1).unwrap();
    let meals = words.iter().filter(|word| word.letters == "Repas").map(|word| word.y[0]).min_by(f64::total_cmp);
    let meals = meals.unwrap();
    let above = words.iter().filter(|word| word.y[0] < meals).map(|word| word.y[1]).max_by(f64::total_cmp).unwrap();
    assert!(meals - above > 3.0, "{above} to {meals}");
}

#[test]
fn a_numbered_list_of_the_description_is_numbered() {
    let mut asked = request(Shape { days: 1, steps: 4, photos: 0, stays: 0 });
    let list = "<ol start=\"3\"><li>Prendre le bac</li><li>Passer le pont</li></ol><ul><li>Boire</li></ul>";
    asked.roadbook.trip.description = vec![list.to_owned()];
    let Some(pages) = printed(&asked).0.pages() else { return };
    in_order(&pages.concat(), &["3. Prendre le bac", "4. Passer le pont", "• Boire"]);
}

#[test]
fn pages_are_switched_off_moved_and_written_freely() {
    let mut asked = request(USUAL);
    let free = PageChoice {
        title: Some("Trois lacs".to_owned()),
        text: Some("Une page <libre> & à vous.".to_owned()),
        ..PageChoice::new(PageKind::Description)
    };
    let off = PageChoice { on: false, ..PageChoice::new(PageKind::Welcome) };
    let notes =
        PageChoice { title: Some("Mes oiseaux".to_owned()), count: Some(2), ..PageChoice::new(PageKind::Notes) };
    asked.roadbook.pages =
        vec![notes, off, PageChoice::new(PageKind::Steps), free, PageChoice::new(PageKind::FrontCover)];
    let (book, _) = printed(&asked);
    let Some(pages) = book.pages() else { return };
    in_order(
        &pages.concat(),
        &["CARNET DE VOYAGE", "Mes oiseaux", "Notes (suite)", "Pas à pas", "Trois lacs", "Une page <libre> & à vous."],
    );
    let all = pages.concat();
    for gone in ["Bienvenue", "Vue d’ensemble", "Bon d’échange", "Aide-mémoire", "Arrivée dès"] {
        assert!(!all.contains(gone), "{gone}");
    }
}

#[test]
fn sixty_steps_repeat_their_header_and_thin_their_numbers() {
    let (book, made) = printed(&request(Shape { days: 1, steps: 60, photos: 1, stays: 0 }));
    let codes: Vec<WarningCode> = made.report.warnings.iter().map(|warning| warning.code).collect();
    assert!(codes.contains(&WarningCode::MarkersThinned), "{codes:?}");
    let Some(pages) = book.pages() else { return };
    let tables: Vec<&String> = pages.iter().filter(|page| page.contains("Au km")).collect();
    assert!((4..=6).contains(&tables.len()), "{}", tables.len());
}

#[test]
fn a_roadbook_for_anybody_names_nobody() {
    let mut asked = request(USUAL);
    asked.roadbook.anonymous = true;
    let (book, made) = printed(&asked);
    let codes: Vec<WarningCode> = made.report.warnings.iter().map(|warning| warning.code).collect();
    assert_eq!(codes, [WarningCode::VouchersLeftOut]);
    let Some(pages) = book.pages() else { return };
    let all = pages.concat();
    for secret in [
        "Aubertin",
        "Le Goff",
        "2741",
        "Vasseur",
        "98 20 41",
        "pre-haut",
        "14 mai",
        "ORS-2027",
        "Bon d’échange",
        "Chambre 7",
    ] {
        assert!(!all.contains(secret), "{secret}");
    }
    assert!(all.contains("Un tour de lac en Orsel") && all.contains("à vendre sous votre nom"));
    assert!(!all.contains(&asked.roadbook.trip.subtitle), "the subtitle names the places");
}

#[test]
fn a_roadbook_for_anybody_without_texts_of_its_own_tells_what_it_prints() {
    let mut asked = request(Shape { days: 1, steps: 4, photos: 0, stays: 0 });
    asked.roadbook.anonymous = true;
    (asked.roadbook.trip.anonymous_title, asked.roadbook.trip.anonymous_description) = (None, None);
    let (_, made) = printed(&asked);
    let codes: Vec<WarningCode> = made.report.warnings.iter().map(|warning| warning.code).collect();
    let both = [WarningCode::AnonymousTitleMissing, WarningCode::AnonymousDescriptionMissing];
    assert!(both.iter().all(|code| codes.contains(code)), "{codes:?}");
    let own = PageChoice { text: Some("Une boucle.".to_owned()), ..PageChoice::new(PageKind::Description) };
    for page in [own, PageChoice::new(PageKind::Notes)] {
        asked.roadbook.pages = vec![PageChoice::new(PageKind::FrontCover), page];
        let (_, made) = printed(&asked);
        let codes: Vec<WarningCode> = made.report.warnings.iter().map(|warning| warning.code).collect();
        assert!(codes.contains(&both[0]) && !codes.contains(&both[1]), "no page has the description: {codes:?}");
    }
}

#[test]
fn the_cover_photo_of_a_roadbook_for_anybody_does_not_name_the_parcours() {
    let mut asked = request(USUAL);
    let photo = asked.roadbook.trip.cover_photo.as_mut().unwrap();
    (photo.alt, photo.caption) = (String::new(), String::new());
    let alt = |asked: &Request| {
        let parts = roadbook::parts(asked).unwrap();
        let data: serde_json::Value = serde_json::from_slice(&parts["data.json"]).unwrap();
        data["pages"][0]["photo"]["alt"].as_str().unwrap().to_owned()
    };
    assert_eq!(alt(&asked), "Photo de Le tour du lac de Brève");
    asked.roadbook.anonymous = true;
    assert_eq!(alt(&asked), "Photo de Un tour de lac en Orsel");
    asked.roadbook.trip.anonymous_title = None;
    assert!(!alt(&asked).contains("Brève"), "{}", alt(&asked));
}

#[test]
fn each_photo_is_on_one_page_with_its_credit() {
    let mut asked = request(Shape { days: 1, steps: 4, photos: 5, stays: 0 });
    let credits = ["© Photo 1", "© Photo 2", "© Photo 3", "© Photo 4", "© Photo 5"];
    for (photo, credit) in asked.roadbook.days[0].photos.iter_mut().zip(credits) {
        photo.credit = credit.to_owned();
    }
    asked.roadbook.trip.cover_photo.as_mut().unwrap().credit = "© Photo 6".to_owned();
    let (book, _) = printed(&asked);
    let Some(pages) = book.pages() else { return };
    // Three are on the page of photos, one is under the steps, one under the profile of the trip.
    for credit in credits {
        assert_eq!(pages.iter().filter(|page| page.contains(credit)).count(), 1, "{credit} in {pages:#?}");
    }
    let back = pages.last().unwrap();
    assert!(back.contains("Photo de couverture : © Photo 6"), "{back}");
    asked.roadbook.pages = vec![PageChoice::new(PageKind::FrontCover), PageChoice::new(PageKind::Notes)];
    let Some(pages) = printed(&asked).0.pages() else { return };
    assert!(pages[0].contains("© Photo 6"), "it has no back cover: {}", pages[0]);
}

#[test]
fn a_book_for_walkers_has_no_word_about_bikes() {
    let mut asked = request(Shape { days: 1, steps: 4, photos: 0, stays: 0 });
    let Some(ridden) = printed(&asked).0.pages() else { return };
    asked.roadbook.trip.on_foot = true;
    let Some(walked) = printed(&asked).0.pages() else { return };
    let (ridden, walked) = (ridden.concat(), walked.concat());
    for words in ["Crevaison", "Réparation", "Kilomètres au compteur", "ralentissez"] {
        assert!(ridden.contains(words) && !walked.contains(words), "{words} in {walked}");
    }
    assert!(walked.contains("Kilomètres parcourus") && walked.contains("En cas de pépin"), "{walked}");
}

#[test]
fn a_voucher_without_a_date_says_that_one_is_to_be_agreed() {
    let mut asked = request(USUAL);
    asked.roadbook.vouchers.truncate(1);
    asked.roadbook.vouchers[0].date = None;
    let (book, _) = printed(&asked);
    let Some(pages) = book.pages() else { return };
    let all = pages.concat().split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(all.contains("sans date : à convenir"), "{all}");
    assert!(!all.contains("à la date indiquée"), "no date is shown");
}

#[test]
fn the_ends_of_days_have_on_the_overview_the_discs_of_their_own_pages() {
    let mut asked = request(USUAL);
    let days = asked.roadbook.days.len();
    for (index, day) in asked.roadbook.days.iter_mut().enumerate() {
        let last = day.steps.len() - 1;
        day.steps[0].label = if index == 0 { "D".to_owned() } else { format!("{}", index * 5) };
        day.steps[last].label = if index + 1 == days { "A".to_owned() } else { format!("{}", index * 5 + 5) };
    }
    let drawn = roadbook::parts(&asked).unwrap();
    let drawn: serde_json::Value = serde_json::from_slice(&drawn["data.json"]).unwrap();
    let markers = |map: &serde_json::Value| {
        let all = map["markers"].as_array().unwrap().iter();
        let text = |one: &serde_json::Value, key: &str| one[key].as_str().unwrap().to_owned();
        all.map(|one| (text(one, "kind"), text(one, "label"))).collect::<Vec<_>>()
    };
    let overview: Vec<_> = markers(&drawn["overview"]["map"])
        .into_iter()
        .filter(|(kind, _)| kind != "day")
        .map(|(_, label)| label)
        .collect();
    assert_eq!(overview, ["D", "5", "10", "A"]);
    for (index, ends) in overview.windows(2).enumerate() {
        let day = markers(&drawn["days"][index]["map"]);
        assert_eq!([&day[0].1, &day[day.len() - 1].1], [&ends[0], &ends[1]], "day {}", index + 1);
    }
    let (book, _) = printed(&asked);
    if let Some(pages) = book.pages() {
        assert!(pages.iter().any(|page| page.contains("Vue d’ensemble") && page.contains(" 10 ")), "{pages:#?}");
    }
}
