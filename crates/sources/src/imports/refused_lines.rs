//! The bound of a report: a source of a hundred thousand faulty items would fill the database with lines that no person reads.

use domain::imports::{ImportNote, ImportOutcome};
use domain::record::Kind;
use store::imports::{self as rows, ImportLine, ImportRun, ImportSources};
use store::sit::SitSources;
use store::{StoreError, Tx};

/// The most refused items of a run that have a line of their own. The others are counted.
pub(super) const MAX_REFUSED_LINES: i64 = 5_000;
/// The remark of a run that refused more.
const MORE: &str = "import/more-refused";

/// Keeps what a run reported; of refused items the first ones. The counts of the run have the lines already.
pub(crate) async fn add_lines(tx: &Tx, run: &ImportRun, mut lines: Vec<ImportLine>) -> Result<(), StoreError> {
    let is_refused = |line: &ImportLine| line.outcome == ImportOutcome::Refused;
    let new = lines.iter().filter(|line| is_refused(line)).count() as i64;
    let mut left = MAX_REFUSED_LINES - (run.counts.refused - new);
    lines.retain(|line| {
        left -= i64::from(is_refused(line));
        !is_refused(line) || left >= 0
    });
    rows::add_lines(tx, run.id, &lines).await
}

/// The line that says how many more items a run refused than have a line. None where each has one, and where the report says it already.
pub(super) async fn line_of_more(tx: &Tx, run: &ImportRun) -> Result<Option<ImportLine>, StoreError> {
    let more = run.counts.refused - MAX_REFUSED_LINES;
    if more <= 0 || rows::has_note(tx, run.id, MORE).await? {
        return Ok(None);
    }
    let name = if run.kind == Kind::SitSource {
        store::record::load::<SitSources>(tx, run.source_id).await?.map(|source| source.sheet.name)
    } else {
        store::record::load::<ImportSources>(tx, run.source_id).await?.map(|source| source.sheet.name)
    };
    let (name, max) = (name.unwrap_or_default(), MAX_REFUSED_LINES.to_string());
    let note = ImportNote::new(MORE).with("count", more.to_string()).with("max", max);
    Ok(Some(ImportLine::new(&name, &name, ImportOutcome::Kept, vec![note])))
}
