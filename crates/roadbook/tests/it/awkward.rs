//! What editors really hand over: broken, missing, endless, from everywhere. A book is made and the fault is reported.

use std::collections::BTreeMap;

use roadbook::data::{BrandFonts, PageChoice, PageKind};
use roadbook::{Blob, Output, Rendered, Request, RoadbookError, WarningCode, render};

use crate::sample::{Shape, request};
use crate::tools::Printed;

const SMALL: Shape = Shape { days: 1, steps: 4, photos: 1, stays: 1 };

fn made(request: &Request) -> (Printed, Rendered) {
    let rendered = render(request).unwrap();
    let printed = Printed::new(&rendered.pdf);
    printed.is_sound();
    (printed, rendered)
}

fn codes(rendered: &Rendered) -> Vec<WarningCode> {
    rendered.report.warnings.iter().map(|warning| warning.code).collect()
}

#[test]
fn pictures_and_fonts_missing_or_broken_are_left_out_and_reported() {
    let mut asked = request(SMALL);
    let jpeg = asked
        .blobs
        .values()
        .next()
        .and_then(|blob| if let Blob::Bytes(bytes) = blob { Some(bytes.clone()) } else { None })
        .unwrap();
    asked.blobs = BTreeMap::from([
        ("torn.jpg".to_owned(), Blob::Bytes(jpeg[..600].to_vec())),
        ("text.png".to_owned(), Blob::Bytes(b"\x89PNG\r\n\x1a\nno picture at all".to_vec())),
        ("bad.svg".to_owned(), Blob::Bytes(b"<svg xmlns='http://www.w3.org/2000/svg' viewBox='0 0 9 9'><g".to_vec())),
        ("gone.jpg".to_owned(), Blob::File("/nowhere/gone.jpg".into())),
        ("font.ttf".to_owned(), Blob::Bytes(vec![0; 64])),
    ]);
    let book = &mut asked.roadbook;
    book.trip.cover_photo.as_mut().unwrap().blob = "torn.jpg".to_owned();
    book.days[0].photos[0].blob = "text.png".to_owned();
    book.days[0].stay.as_mut().unwrap().photo.as_mut().unwrap().blob = "gone.jpg".to_owned();
    book.brand.logo = Some("bad.svg".to_owned());
    book.brand.fonts = Some(BrandFonts { display: vec!["font.ttf".to_owned()], sans: vec!["absent.ttf".to_owned()] });
    let (_, rendered) = made(&asked);
    let found = codes(&rendered);
    assert_eq!(found.iter().filter(|code| **code == WarningCode::FontMissing).count(), 2, "{found:?}");
    assert_eq!(found.iter().filter(|code| **code == WarningCode::PhotoBroken).count(), 3, "{found:?}");
    assert!(found.contains(&WarningCode::PhotoMissing), "{found:?}");
}

#[test]
fn right_to_left_names_and_emoji_are_printed_or_reported() {
    let mut asked = request(SMALL);
    let book = &mut asked.roadbook;
    book.trip.travellers = vec!["يوسف مرحبا".to_owned(), "דוד לוי".to_owned(), "山田".to_owned()];
    book.trip.title = "Vélo 🚴🏽‍♀️ au lac".to_owned();
    book.days[0].steps[1].text = "Bravo 🎉, à gauche ⬅️ puis 👨‍👩‍👧 \u{1f1eb}\u{1f1f7}\u{0}\u{202e}fin".to_owned();
    let (printed, rendered) = made(&asked);
    let lost: Vec<&str> = rendered.report.warnings.iter().map(|warning| warning.subject.as_str()).collect();
    assert!(lost.contains(&"🎉") && lost.contains(&"山"), "{lost:?}");
    if let Some(pages) = printed.pages() {
        assert!(pages[0].contains("Vélo au lac") && pages[0].contains("??"), "{}", pages[0]);
    }
}

#[test]
fn the_contents_have_their_page_numbers_on_one_side() {
    let ends = |destination: &str| {
        let mut asked = request(SMALL);
        asked.roadbook.days[0].destination = destination.to_owned();
        let (printed, _) = made(&asked);
        let pages = printed.pages()?;
        let contents = pages.iter().position(|page| page.contains("Dans ce carnet")).unwrap();
        printed.ends_of_numbers(contents + 1)
    };
    let usual = ends("Brévine");
    assert!(usual.as_ref().is_none_or(|ends| ends.len() > 1), "{usual:?}");
    assert_eq!(ends("חיפה"), usual);
    assert_eq!(ends("مرحبا"), usual);
}

#[test]
fn a_long_title_is_whole_in_the_files_own_title() {
    let mut asked = request(SMALL);
    let title = format!("Le tour {} du lac", "x".repeat(150));
    asked.roadbook.trip.title.clone_from(&title);
    let (printed, rendered) = made(&asked);
    assert!(codes(&rendered).contains(&WarningCode::TitleCut));
    printed.tells("Title", &title);
}

#[test]
fn a_whole_book_from_right_to_left() {
    let mut asked = request(SMALL);
    asked.roadbook.locale = "ar".to_owned();
    asked.roadbook.trip.description = vec!["طريق هادئ حول البحيرة. ".repeat(40)];
    let (_, rendered) = made(&asked);
    assert!(codes(&rendered).contains(&WarningCode::WordsInEnglish));
}

#[test]
fn a_hundred_thousand_characters_flow_or_are_cut() {
    let mut asked = request(SMALL);
    let long = "Une longue histoire de lac et de forêt. ".repeat(2_500);
    let book = &mut asked.roadbook;
    book.trip.description = vec![long.clone()];
    book.trip.title.clone_from(&long);
    book.days[0].intro.clone_from(&long);
    book.days[0].origin.clone_from(&long);
    book.days[0].steps[1].text.clone_from(&long);
    book.days[0].steps[2].title = "x".repeat(100_000);
    book.days[0].stay.as_mut().unwrap().note = long;
    let (printed, rendered) = made(&asked);
    let found = codes(&rendered);
    assert!(found.contains(&WarningCode::TextCut) && found.contains(&WarningCode::TitleCut), "{found:?}");
    assert!(rendered.report.pages > 60, "{}", rendered.report.pages);
    if let Some(pages) = printed.pages() {
        assert!(pages.iter().filter(|page| page.contains("Une longue histoire")).count() > 50);
    }
}

#[test]
fn a_word_of_150_letters_stays_in_its_column() {
    let mut asked = request(SMALL);
    let book = &mut asked.roadbook;
    book.days[0].steps[1].title = "x".repeat(150);
    book.days[0].intro = "x".repeat(150);
    let (printed, _) = made(&asked);
    if let Some(pages) = printed.pages() {
        let all = pages.join(" ");
        assert!(all.matches('x').count() >= 300, "nothing is cut: {all}");
        assert!(all.split(' ').all(|word| word.matches('x').count() < 110), "{all}");
    }
}

#[test]
fn a_long_word_of_the_title_stays_on_the_cover() {
    let mut asked = request(SMALL);
    asked.roadbook.trip.title = "x".repeat(80);
    let (printed, rendered) = made(&asked);
    assert!(!codes(&rendered).contains(&WarningCode::TitleCut));
    if let Some(pages) = printed.pages() {
        let longest = pages[0].split_whitespace().map(|word| word.matches('x').count()).max();
        assert!(longest.is_some_and(|letters| (8..70).contains(&letters)), "{}", pages[0]);
    }
}

#[test]
fn slips_without_a_client_are_left_out() {
    let mut asked = request(SMALL);
    asked.roadbook.trip.travellers = vec![" ".to_owned()];
    let (printed, rendered) = made(&asked);
    assert_eq!(codes(&rendered), [WarningCode::VoucherWithoutClient]);
    if let Some(pages) = printed.pages() {
        assert!(!pages.concat().contains("Bon d’échange"));
    }
}

#[test]
fn names_without_room_are_counted_and_reported() {
    let mut asked = request(SMALL);
    asked.roadbook.trip.travellers = (1..=14).map(|n| format!("Marie-Claire Dupont-Durand {n}")).collect();
    let subjects = |rendered: &Rendered| {
        let cut = rendered.report.warnings.iter().filter(|warning| warning.code == WarningCode::TextCut);
        cut.map(|warning| warning.subject.clone()).collect::<Vec<_>>()
    };
    let (printed, rendered) = made(&asked);
    let left_out = subjects(&rendered);
    assert_eq!(left_out, (6..=14).map(|n| format!("Marie-Claire Dupont-Durand {n}")).collect::<Vec<_>>());
    if let Some(pages) = printed.pages() {
        assert!(pages[0].contains("Durand 13 et Marie-Claire Dupont-Durand 14"), "the cover has room: {}", pages[0]);
        let slip = pages.iter().find(|page| page.contains("Règlement")).unwrap();
        assert!(slip.contains("Durand 5 et 9 autres") && !slip.contains("Durand 6"), "{slip}");
    }
    asked.roadbook.locale = "en".to_owned();
    let long = |letter: &str| [letter.repeat(29), letter.repeat(29)].join(" ");
    asked.roadbook.trip.travellers = vec![long("x"), long("y"), long("z")];
    let (printed, rendered) = made(&asked);
    assert_eq!(subjects(&rendered), [long("z")]);
    if let Some(pages) = printed.pages() {
        assert!(pages.concat().contains("and 1 other"), "{pages:#?}");
    }
}

#[test]
fn many_long_names_stand_over_no_other_text() {
    let mut asked = request(SMALL);
    let book = &mut asked.roadbook;
    book.trip.travellers = (0..10).map(|n| format!("Client numéro {n} de la famille Dupont-Durand-X")).collect();
    let usual = book.vouchers[0].clone();
    let mut long = usual.clone();
    long.service = "Une prestation avec beaucoup de détails et des horaires. ".repeat(3);
    long.settlement.clone_from(&long.service);
    book.vouchers = vec![usual.clone(), long, usual];
    let (printed, _) = made(&asked);
    let Some(pages) = printed.pages() else { return };
    let slips = pages.iter().position(|page| page.contains("Règlement")).unwrap();
    for page in [1, slips + 1] {
        let over = printed.overlaps(page).unwrap();
        assert!(over.is_empty(), "page {page}: {over:?}");
    }
    assert_eq!(pages[slips].matches("Règlement").count(), 3, "{}", pages[slips]);
}

#[test]
fn all_contacts_and_lines_of_an_address_are_printed_or_reported() {
    let mut asked = request(SMALL);
    let contact = asked.roadbook.trip.contacts[0].clone();
    let numbered = |n: usize| roadbook::data::Contact { name: format!("Contact {n}"), ..contact.clone() };
    asked.roadbook.trip.contacts = (1..=12).map(numbered).collect();
    asked.roadbook.days[0].stay.as_mut().unwrap().address = (1..=8).map(|n| format!("Ligne {n}")).collect();
    let (printed, rendered) = made(&asked);
    assert_eq!(codes(&rendered), []);
    if let Some(pages) = printed.pages() {
        let all = pages.concat();
        assert!(all.contains("Contact 12") && all.contains("Ligne 8"), "{all}");
    }
    asked.roadbook.trip.contacts.extend([13, 14].map(numbered));
    asked.roadbook.days[0].notices = (1..=13).map(|n| format!("Fermeture {n}")).collect();
    let (_, rendered) = made(&asked);
    let said: Vec<_> = rendered.report.warnings.iter().map(|one| (one.code, one.subject.as_str())).collect();
    let left_out = ["Fermeture 13", "Contact 13", "Contact 14"];
    assert_eq!(said, left_out.map(|subject| (WarningCode::TextCut, subject)));
}

#[test]
fn nothing_but_a_title_and_a_day_is_a_book() {
    let mut asked = request(SMALL);
    let book = &mut asked.roadbook;
    book.trip = roadbook::data::Trip { title: "Sans rien".to_owned(), ..Default::default() };
    book.brand = roadbook::data::Brand::default();
    book.days = vec![roadbook::data::Day { number: 1, ..Default::default() }];
    book.vouchers.clear();
    book.qr = roadbook::data::Qr::default();
    book.attribution.clear();
    book.generated_on = "hier".to_owned();
    let (printed, rendered) = made(&asked);
    assert_eq!(codes(&rendered), [WarningCode::TraceMissing]);
    if let Some(pages) = printed.pages() {
        let all = pages.iter().flat_map(|page| page.split_whitespace()).collect::<Vec<_>>().join(" ");
        assert!(all.contains("Jour 1") && !all.contains("· –"), "a foot without places has no dash: {all}");
    }
}

#[test]
fn a_line_of_one_place_without_tiles_nor_heights() {
    let mut asked = request(SMALL);
    asked.tiles = None;
    asked.roadbook.days[0].trace = vec![(4.0, 47.0, None); 3];
    asked.roadbook.days[0].length_m = f64::NAN;
    let (_, rendered) = made(&asked);
    let found = codes(&rendered);
    assert!(
        found.contains(&WarningCode::MapGroundMissing) && found.contains(&WarningCode::AltitudesMissing),
        "{found:?}"
    );
}

#[test]
fn an_unsure_line_tells_no_turn() {
    let mut asked = request(SMALL);
    asked.roadbook.days[0].reliability = Some(80.0);
    let (printed, rendered) = made(&asked);
    assert_eq!(codes(&rendered), [WarningCode::TurnsLeftOut]);
    if let Some(pages) = printed.pages() {
        let all = pages.concat();
        assert!(all.contains("pas assez sûr") && !all.contains("Virage Indication"));
    }
    asked.roadbook.pages = [PageKind::FrontCover, PageKind::Map].map(PageChoice::new).to_vec();
    let (_, rendered) = made(&asked);
    assert!(!codes(&rendered).contains(&WarningCode::TurnsLeftOut), "no page has turns");
}

#[test]
fn an_unsure_line_without_instructions_tells_that_turns_are_missing() {
    let mut asked = request(SMALL);
    let day = &mut asked.roadbook.days[0];
    day.reliability = Some(80.0);
    day.steps.iter_mut().for_each(|step| step.maneuver = None);
    let (printed, rendered) = made(&asked);
    assert_eq!(codes(&rendered), [WarningCode::TurnsLeftOut]);
    if let Some(pages) = printed.pages() {
        assert!(pages.concat().contains("pas assez sûr"));
    }
    asked.roadbook.days[0].trace.clear();
    let (_, rendered) = made(&asked);
    assert!(!codes(&rendered).contains(&WarningCode::TurnsLeftOut), "without a trace no turn is expected");
}

#[test]
fn a_second_line_of_the_foot_is_not_seen() {
    let pages = |end: &str| {
        let mut asked = request(SMALL);
        asked.roadbook.trip.title =
            format!("Le grand tour des lacs de montagne et des forêts de la vallée haute vers le col du {end}");
        asked.output = Output::Preview { pages: (2..=4).collect(), width_px: 600 };
        render(&asked).unwrap().previews
    };
    // Both ends are equally wide, so that only the second line differs.
    assert!(pages("dddd") == pages("bbbb"), "the title is on the cover and in the foot alone");
}

#[test]
fn forty_days_make_some_three_hundred_pages() {
    let (printed, rendered) = made(&request(Shape { days: 43, steps: 30, photos: 43, stays: 43 }));
    assert!((280..=330).contains(&rendered.report.pages), "{}", rendered.report.pages);
    if let Some(pages) = printed.pages() {
        assert_eq!(pages.len(), rendered.report.pages as usize);
    }
}

#[test]
fn what_is_no_roadbook_is_refused() {
    let with = |change: &dyn Fn(&mut Request)| {
        let mut asked = request(Shape { days: 1, steps: 2, photos: 0, stays: 0 });
        change(&mut asked);
        render(&asked).map(|_| ())
    };
    assert_eq!(with(&|asked| asked.roadbook.days.clear()), Err(RoadbookError::NoDays));
    assert_eq!(with(&|asked| asked.roadbook.trip.title = " ".to_owned()), Err(RoadbookError::NoTitle));
    assert_eq!(with(&|asked| asked.roadbook.schema = 9), Err(RoadbookError::Schema { found: 9 }));
    let many = with(&|asked| asked.roadbook.days = vec![asked.roadbook.days[0].clone(); 500]);
    assert!(matches!(many, Err(RoadbookError::TooLong { .. })), "{many:?}");
}
