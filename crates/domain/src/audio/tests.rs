#![expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use trace::Position;

use super::*;

/// Two kilometres to the east, a point every 76 m; with `and_back` also the way back.
fn line(and_back: bool) -> Vec<Position> {
    let mut line: Vec<Position> = (0..=27).map(|i| Position::new(4.0 + f64::from(i) * 0.001, 47.0)).collect();
    if and_back {
        line.extend(line.clone().into_iter().rev().skip(1));
    }
    line
}

fn stop(id: i64, lon: f64) -> AudioStop {
    serde_json::from_value(serde_json::json!({"id": id, "position": [lon, 47.0], "story": {"text": "Ici."}})).unwrap()
}

fn findings_of(walk: &AudioWalk, line: &[Position], heard: SoundOf) -> Vec<String> {
    let (found, _) = findings(walk, line, &|_| heard);
    found.into_iter().map(|one| format!("{} {}", one.story, one.kind.as_str())).collect()
}

const A_SHORT_SOUND: SoundOf = SoundOf { is_there: true, duration_s: Some(10.0), bytes: Some(120_000) };

#[test]
fn a_circle_is_met_where_the_trace_comes_in() {
    let met = along(&line(false), &[stop(1, 4.01), stop(2, 4.02)]);
    let pass = met[0].pass.unwrap();
    assert!((pass.enters_m - 733.0).abs() < 6.0, "{pass:?}");
    assert!((pass.leaves_m - 783.0).abs() < 6.0, "{pass:?}");
    assert!((met[0].leg_m.unwrap() - 758.0).abs() < 8.0, "to the next one: {met:?}");
    assert!((met[1].leg_m.unwrap() - 555.0).abs() < 8.0, "to the end: {met:?}");
}

#[test]
fn a_stop_off_the_trace_or_out_of_order_is_reported() {
    let mut off = stop(2, 4.02);
    off.position.lat = 47.01;
    let walk = AudioWalk { stops: vec![stop(1, 4.02), off, stop(3, 4.01)], ..AudioWalk::default() };
    assert_eq!(findings_of(&walk, &line(false), A_SHORT_SOUND), ["stop/2 off_trace", "stop/3 order"]);
    // There and back again, the same order is right: it is met on the way home.
    assert_eq!(findings_of(&walk, &line(true), A_SHORT_SOUND), ["stop/2 off_trace"]);
    assert!(findings_of(&walk, &[], A_SHORT_SOUND).is_empty(), "without a trace there is no order");
}

#[test]
fn zones_that_overlap_are_reported() {
    let walk = AudioWalk { stops: vec![stop(1, 4.01), stop(2, 4.0104)], ..AudioWalk::default() };
    let found =
        findings_of(&walk, &line(false), SoundOf { duration_s: Some(1.0), bytes: Some(12_000), ..A_SHORT_SOUND });
    assert_eq!(found, ["stop/2 overlap"]);
}

#[test]
fn a_sound_longer_than_the_way_to_the_next_one_is_reported() {
    let long = SoundOf { duration_s: Some(400.0), ..A_SHORT_SOUND };
    let mut walk = AudioWalk { stops: vec![stop(1, 4.01), stop(2, 4.02)], ..AudioWalk::default() };
    // 758 m: 682 s on foot, 182 s by bike.
    assert!(findings_of(&walk, &line(false), long).is_empty());
    walk.going = AudioGoing::Cycling;
    for stop in &mut walk.stops {
        stop.radius_m = 50.0;
    }
    assert_eq!(findings_of(&walk, &line(false), long), ["stop/1 too_long"]);
    walk.stops[0].delay_s = 100.0;
    assert_eq!(findings_of(&walk, &line(false), SoundOf { duration_s: Some(120.0), ..long }), ["stop/1 too_long"]);
}

#[test]
fn what_cannot_be_heard_or_read_or_carried_is_reported() {
    let mut walk = AudioWalk { stops: vec![stop(1, 4.01)], ..AudioWalk::default() };
    assert_eq!(findings_of(&walk, &line(false), SoundOf::default()), ["stop/1 not_spoken"]);
    walk.stops[0].story = AudioStory { media_id: Some(4), ..AudioStory::default() };
    assert_eq!(findings_of(&walk, &line(false), A_SHORT_SOUND), ["stop/1 no_transcript"]);
    walk.stops[0].story.transcript = "Une source.".to_owned();
    let heavy = SoundOf { bytes: Some(400_000), ..A_SHORT_SOUND };
    assert_eq!(findings_of(&walk, &line(false), heavy), ["stop/1 heavy"]);
    walk.stops[0].radius_m = 10.0;
    walk.stops[0].story = AudioStory::default();
    assert_eq!(findings_of(&walk, &line(false), SoundOf::default()), ["stop/1 small_radius", "stop/1 silent"]);
}

#[test]
fn a_zone_with_corners_is_met_inside_them() {
    let mut area = stop(1, 4.01);
    area.corners = vec![[4.009, 46.999], [4.012, 46.999], [4.012, 47.001], [4.009, 47.001]];
    let pass = along(&line(false), &[area])[0].pass.unwrap();
    assert!((pass.leaves_m - pass.enters_m - 227.0).abs() < 10.0, "{pass:?}");
}

#[test]
fn a_text_becomes_words_and_silences() {
    let lexicon = [LexiconEntry { word: "trégunc".to_owned(), say: "Trégun".to_owned() }];
    let found = pieces("Bienvenue à Trégunc. [pause 1,5s] Écoutez [la mer]…\n\nTréguncois", &lexicon);
    let say = |words: &str| Piece::Say(words.to_owned());
    assert_eq!(
        found,
        [
            say("Bienvenue à Trégun."),
            Piece::Pause(1500),
            say("Écoutez [la mer]…"),
            Piece::Pause(600),
            say("Tréguncois")
        ]
    );
    assert_eq!(shown("Ici. [pause 1s] Là.\n\n[Pause 200ms]Plus loin."), "Ici. Là.\n\nPlus loin.");
    assert_eq!(pieces("[pause 999s]", &[]), [Piece::Pause(30_000)]);
    assert_eq!(pieces("[pause -1s] [pause abc", &[]), [say("[pause -1s] [pause abc")]);
    assert!((estimated_s("un deux trois [pause 2s] quatre cinq", 150) - 4.0).abs() < 0.01);
}

#[test]
fn long_words_are_said_in_parts_that_end_with_sentences() {
    let text = "Une phrase de sept mots et voilà. ".repeat(60);
    let found = pieces(&text, &[]);
    assert_eq!(found.len(), 3);
    let mut all = Vec::new();
    for piece in found {
        let Piece::Say(words) = piece else { panic!("no silence was asked for") };
        assert!(words.chars().count() <= 800 && words.ends_with('.'), "{words}");
        all.push(words);
    }
    assert_eq!(all.join(" "), text.trim(), "nothing is lost");
    // A text without a full stop is cut between words.
    assert!(pieces(&"mot ".repeat(500), &[]).len() == 3);
}

#[test]
fn what_a_voice_says_changes_with_what_is_heard_alone() {
    let mut walk = AudioWalk::default();
    let before = walk.said("fr", "Le lac.");
    walk.lexicon.push(LexiconEntry { word: "mer".to_owned(), say: "mère".to_owned() });
    walk.enabled = true;
    assert_eq!(walk.said("fr", "Le  lac."), before);
    assert_ne!(walk.said("fr", "La mer."), before);
    walk.words_a_minute = 130;
    assert_ne!(walk.said("fr", "Le lac."), before);
}

#[test]
fn what_may_not_be_is_reported_on_its_field() {
    let mut walk: AudioWalk = serde_json::from_value(serde_json::json!({
        "voice": "-w/etc/passwd", "words_a_minute": 20, "lexicon": [{"word": "", "say": "x"}],
        "stops": [
            {"id": 3, "position": [4.0, 47.0], "radius_m": 5.0},
            {"id": 3, "position": [4.0, 147.0]},
            {"position": [4.0, 47.0], "corners": [[4.0, 47.0]], "title": "<b>Ici</b>"},
            {"position": [4.0, 47.0], "corners": [[4.0, 47.0], [5.0, 47.0], [4.0, 47.1]], "delay_s": 500.0},
        ],
    }))
    .unwrap();
    walk.clean(&AudioWalk { stops: vec![stop(2, 4.0), stop(3, 4.0)], ..AudioWalk::default() });
    assert_eq!((walk.stops[2].id, walk.stops[3].id, walk.stops[2].title.as_str()), (4, 5, "Ici"));
    let listed: Vec<String> = walk.faults().iter().map(|fault| format!("{} {}", fault.code, fault.field)).collect();
    assert_eq!(
        listed,
        [
            "validation/out-of-range /words_a_minute",
            "audio/voice /voice",
            "validation/required /lexicon/0/word",
            "validation/out-of-range /stops/0/radius_m",
            "audio/stop-twice /stops/1/id",
            "validation/position-outside-world /stops/1/position",
            "audio/zone-incomplete /stops/2/corners",
            "validation/out-of-range /stops/3/delay_s",
            "audio/zone-too-large /stops/3/corners",
        ]
    );
}

#[test]
fn a_stop_that_the_stored_walk_does_not_have_is_new() {
    let numbered = |ids: &[i64], stored: &[i64]| {
        let of =
            |ids: &[i64]| AudioWalk { stops: ids.iter().map(|id| stop(*id, 4.0)).collect(), ..AudioWalk::default() };
        let mut walk = of(ids);
        walk.clean(&of(stored));
        walk.stops.iter().map(|stop| stop.id).collect::<Vec<_>>()
    };
    assert_eq!(numbered(&[i64::MAX, 0, -4], &[]), [1, 2, 3]);
    assert_eq!(numbered(&[7, 2, 0, 9], &[2, 5, 7]), [7, 2, 8, 9]);
    assert_eq!(numbered(&[0, 3], &[3, i64::MAX]), [4, 3], "a number that a stored walk has from before");
}
