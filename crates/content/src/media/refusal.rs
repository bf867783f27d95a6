//! Why a file does not become a media, with the code of each reason.

use app::problem::Code;
use app::record::Refused;
use media::Refusal;
use serde_json::json;

const NOT_SUPPORTED: Code = Code { status: 422, code: "media/not-supported" };
const HEIC: Code = Code { status: 422, code: "media/heic" };
const TOO_SMALL: Code = Code { status: 422, code: "media/too-small" };
const TOO_LARGE: Code = Code { status: 422, code: "media/too-large" };
const TOO_MANY_PIXELS: Code = Code { status: 422, code: "media/too-many-pixels" };
const NOT_A_FONT: Code = Code { status: 422, code: "media/not-a-font" };
const BROKEN: Code = Code { status: 422, code: "media/broken" };
/// A file that replaces or translates another is of the same kind.
const OTHER_KIND: Code = Code { status: 422, code: "media/other-kind" };
/// Only a video or a document has a poster.
pub(super) const NO_POSTER: Code = Code { status: 422, code: "media/no-poster" };
/// A language that content is not written in.
pub(super) const UNKNOWN_LANGUAGE: Code = Code { status: 422, code: "validation/unknown-language" };

/// All codes.
pub(super) const CODES: [Code; 10] = [
    NOT_SUPPORTED,
    HEIC,
    TOO_SMALL,
    TOO_LARGE,
    TOO_MANY_PIXELS,
    NOT_A_FONT,
    BROKEN,
    OTHER_KIND,
    NO_POSTER,
    UNKNOWN_LANGUAGE,
];

/// The reason as code and parameters of a problem.
pub(crate) fn refused(refusal: Refusal) -> Refused {
    let (code, params) = match refusal {
        Refusal::NotSupported => (NOT_SUPPORTED, json!({})),
        Refusal::Heic => (HEIC, json!({})),
        Refusal::OtherKind => (OTHER_KIND, json!({})),
        Refusal::TooSmall { width, height, min_width, min_height } => {
            (TOO_SMALL, json!({"width": width, "height": height, "min_width": min_width, "min_height": min_height}))
        }
        Refusal::TooLarge { max_bytes } => (TOO_LARGE, json!({"max_bytes": max_bytes})),
        Refusal::TooManyPixels { max_pixels } => (TOO_MANY_PIXELS, json!({"max_pixels": max_pixels})),
        Refusal::NotAFont => (NOT_A_FONT, json!({})),
        Refusal::Broken => (BROKEN, json!({})),
    };
    let mut refused = Refused::new(code, None);
    if let serde_json::Value::Object(params) = params {
        refused.params = params;
    }
    refused
}
