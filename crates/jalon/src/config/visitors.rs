//! What is counted of visitors and what they may send: the parts `[statistics]` and `[feedback]` of the configuration.

use serde::{Deserialize, Serialize};

/// Statistics of visitors.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Statistics {
    /// Header in which a proxy in front of the server gives the country of a visitor as two letters, such as `CF-IPCountry`; empty
    /// = countries stay unknown.
    pub country_header: String,
    /// The most events of one address in a minute; 0 sets no limit.
    pub events_per_minute: u64,
}

impl Default for Statistics {
    fn default() -> Self {
        Self { country_header: String::new(), events_per_minute: 1_200 }
    }
}

/// What visitors send back: reviews, field reports, complaints.
#[derive(Debug, Clone, Serialize, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Feedback {
    /// The most of one address in an hour; 0 sets no limit.
    pub per_hour: u64,
}

impl Default for Feedback {
    fn default() -> Self {
        Self { per_hour: 10 }
    }
}
