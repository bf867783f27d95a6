//! Programs that read pages: their views are not counted.

/// Parts of the names by which programs say what they are. Most say `bot`, `crawl` or `spider`; the others fetch pages for
/// search engines, previews, monitoring and tests, or are what scripts are written with.
const NAMES: [&str; 40] = [
    "bot",
    "crawl",
    "spider",
    "slurp",
    "archive",
    "preview",
    "facebookexternalhit",
    "whatsapp",
    "telegram",
    "embedly",
    "bingpreview",
    "google-read-aloud",
    "googleother",
    "google-inspectiontool",
    "mediapartners",
    "feedfetcher",
    "lighthouse",
    "pagespeed",
    "headless",
    "phantomjs",
    "puppeteer",
    "playwright",
    "selenium",
    "monitor",
    "pingdom",
    "uptime",
    "statuscake",
    "site24x7",
    "curl/",
    "wget",
    "python",
    "scrapy",
    "go-http-client",
    "java/",
    "libwww",
    "httpclient",
    "node-fetch",
    "axios/",
    "validator",
    "scan",
];

/// Whether a program names itself as a robot, or does not name itself.
pub fn is_robot(user_agent: &str) -> bool {
    let name = user_agent.trim().to_ascii_lowercase();
    // A phone of the brand Cubot is not a robot.
    let name = name.replace("cubot", "");
    name.is_empty() || NAMES.iter().any(|known| name.contains(known))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn programs_are_known_and_people_are_not_taken_for_them() {
        for robot in [
            "Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)",
            "Mozilla/5.0 (compatible; bingbot/2.0)",
            "facebookexternalhit/1.1",
            "Mozilla/5.0 (X11; Linux x86_64) AppleWebKit/537.36 HeadlessChrome/126.0",
            "curl/8.5.0",
            "python-requests/2.31",
            "",
        ] {
            assert!(is_robot(robot), "{robot}");
        }
        for person in [
            "Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) AppleWebKit/605.1.15 Version/17.4 Safari/605.1.15",
            "Mozilla/5.0 (X11; Linux x86_64; rv:128.0) Gecko/20100101 Firefox/128.0",
            "Mozilla/5.0 (Linux; Android 13; CUBOT KINGKONG 8) Chrome/126.0 Mobile Safari/537.36",
            "RandoMorvan/3.2 (iOS 17.4; iPhone)",
            "okhttp/4.12.0",
        ] {
            assert!(!is_robot(person), "{person}");
        }
    }
}
