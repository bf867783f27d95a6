//! A night, and the slips to hand over.

use domain::roadbook::MAX_STAY_LINES;
use serde_json::{Value, json};

use crate::data::{Day, Stay, Voucher};
use crate::report::WarningCode;
use crate::text::numbers::{decimal, hours};
use crate::text::typography::FINE;
use crate::view::{At, ViewBuilder};

impl ViewBuilder<'_> {
    pub(crate) fn stay(&mut self, stay: &Stay, day: &Day, at: At) -> Value {
        let named = !self.book.anonymous;
        let slot = [self.sheet.text_width(), 54.0 * self.sheet.zoom];
        let photo = stay.photo.as_ref().and_then(|photo| self.photo(photo, slot, &stay.name, at));
        let place = stay.lat.zip(stay.lon).filter(|(lat, lon)| lat.is_finite() && lon.is_finite());
        let meals: Vec<Value> = self
            .first(&stay.meals, MAX_STAY_LINES, at, |meal| &meal.name)
            .iter()
            .map(|meal| {
                json!({
                    "name": self.capped(&meal.name, 40, at),
                    "hour": self.hours(&meal.hour, 40, at),
                    "included": meal.included,
                    "price": self.capped(&meal.price, 40, at),
                    "detail": self.hours(&meal.detail, 160, at),
                })
            })
            .collect();
        let address = self.first(&stay.address, MAX_STAY_LINES, at, String::as_str);
        json!({
            "day": day.number,
            "nights": stay.nights.max(1),
            "name": self.capped(&stay.name, 70, at),
            "kind": self.capped(&stay.kind, 80, at),
            "address": address.iter().map(|line| self.capped(line, 80, at)).collect::<Vec<_>>(),
            "place": place.map(|(lat, lon)| self.degrees(lat, lon)),
            "phone": if named { self.capped(&stay.phone, 30, at) } else { String::new() },
            "web": if named { self.capped(&stay.web, 60, at) } else { String::new() },
            "check_in": self.hours(&stay.check_in, 20, at),
            "check_out": self.hours(&stay.check_out, 20, at),
            "code": stay.code.as_ref().filter(|code| named && !code.trim().is_empty()).map(|code| self.capped(code, 20, at)),
            "room": if named { self.capped(&stay.room, 90, at) } else { String::new() },
            "meals": meals,
            "bike": self.hours(&stay.bike, 120, at),
            "luggage": self.hours(&stay.luggage, 160, at),
            "note": self.hours(&stay.note, 240, at),
            "photo": photo,
        })
    }

    fn hours(&mut self, text: &str, most: usize, at: At) -> String {
        let set = self.capped(text, most, at);
        hours(&set, self.words)
    }

    fn degrees(&self, lat: f64, lon: f64) -> String {
        let (ns, ew) = (if lat < 0.0 { "S" } else { "N" }, if lon < 0.0 { "W" } else { "E" });
        let number = |degrees: f64| decimal(degrees.abs(), 5, self.words);
        format!("{}°{FINE}{ns}, {}°{FINE}{ew}", number(lat), number(lon))
    }

    /// The slips, numbered; an anonymous roadbook has none.
    pub(crate) fn vouchers(&mut self) -> Vec<Value> {
        let book = self.book;
        if book.vouchers.is_empty() {
            return Vec::new();
        }
        if book.anonymous {
            self.warn(WarningCode::VouchersLeftOut, At::default(), "");
            return Vec::new();
        }
        let travellers = self.travellers();
        book.vouchers
            .iter()
            .enumerate()
            .filter_map(|(index, voucher)| self.voucher(voucher, index + 1, &travellers))
            .collect()
    }

    /// `4 pers.` of a bare number, else the words.
    fn people(&mut self, written: &str, at: At) -> String {
        let written = self.capped(written, 60, at);
        let is_number = !written.is_empty() && written.chars().all(|one| one.is_ascii_digit());
        if is_number { format!("{written}\u{202f}{}", self.words.say("people", &[])) } else { written }
    }

    fn voucher(&mut self, voucher: &Voucher, place: usize, travellers: &[String]) -> Option<Value> {
        let at = At::default();
        let client = if voucher.client.trim().is_empty() {
            self.names(travellers, self.sheet.slip_names())
        } else {
            vec![self.capped(&voucher.client, 80, at)]
        };
        if client.is_empty() {
            self.warn(WarningCode::VoucherWithoutClient, at, &voucher.provider);
            return None;
        }
        let file = self.book.trip.reference.trim();
        let number = match (voucher.number.trim(), file) {
            ("", "") => place.to_string(),
            ("", file) => format!("{file}-{place}"),
            (number, _) => number.to_owned(),
        };
        let date = self.date(voucher.date.as_ref(), at);
        Some(json!({
            "number": self.capped(&number, 40, at),
            "client": client,
            "provider": self.capped(&voucher.provider, 50, at),
            "place": self.capped(&voucher.place, 60, at),
            "phone": self.capped(&voucher.phone, 30, at),
            "date": date.map(|date| date.full(self.words)),
            "date_short": date.map(|date| date.short(self.words)),
            "service": self.capped(&voucher.service, 120, at),
            "people": self.people(&voucher.people, at),
            "settlement": self.capped(&voucher.settlement, 120, at),
        }))
    }
}
