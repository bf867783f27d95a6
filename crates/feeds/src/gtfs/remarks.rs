//! Remarks on a feed that breaks the rules of GTFS: each kind once, with its number and one example.

/// Something that is wrong in a feed.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Remark {
    /// The code that the interface translates.
    pub code: &'static str,
    /// How many times it was found.
    pub count: u64,
    /// The first one.
    pub example: String,
}

/// The faults in a feed.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Remarks(Vec<Remark>);

impl Remarks {
    /// Notes one more.
    pub(super) fn add(&mut self, code: &'static str, example: &[u8]) {
        if let Some(known) = self.0.iter_mut().find(|remark| remark.code == code) {
            known.count += 1;
            return;
        }
        let example = trace::decoded(&example[..example.len().min(200)]).chars().take(60).collect();
        self.0.push(Remark { code, count: 1, example });
    }

    /// All of them, in the order they were met.
    pub fn iter(&self) -> impl Iterator<Item = &Remark> {
        self.0.iter()
    }
}
