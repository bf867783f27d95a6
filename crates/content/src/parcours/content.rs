//! Parcours among the records: what differs from a record in the operations that both share (decision 0064).

use app::App;
use app::problem::{AsProblem as _, Code};
use app::record::{At, Codes, Content, TakenBack};
use domain::parcours::Sheet;
use domain::record::Kind;
use domain::{Actor, ParcoursId, Text};
use serde_json::{Map, Value};
use store::parcours::{self as rows, NewTrace, RevisionBody, Stored};
use store::{StoreError, Tx};

use super::error::{ParcoursError, ParcoursRefusal};
use super::json::JsonText;
use super::saving::{change, shown};
use super::{input, revisions, view};

/// The parcours.
#[derive(Debug)]
pub struct ParcoursContent;

/// What a save of a parcours takes.
#[derive(Debug)]
pub struct Draft {
    /// The parcours after it.
    pub(super) after: Stored,
    /// A trace to put in place of the present one.
    pub(super) trace: Option<NewTrace>,
}

/// Where a parcours is.
pub(super) fn at(id: ParcoursId) -> At {
    At { id: id.0, ..At::default() }
}

impl Content for ParcoursContent {
    type Stored = Stored;
    type Sheet = Sheet;
    type Past = RevisionBody;
    type Draft = Draft;
    type Answer = JsonText;
    const KIND: Kind = Kind::Parcours;
    // They are older than those of records, and programs that call the API may know them.
    const CODES: Codes = Codes {
        not_found: "parcours/not-found",
        not_yours: "parcours/not-yours",
        in_use: "parcours/in-use",
        revision_not_found: "parcours/revision-not-found",
        already_yours: "parcours/already-yours",
        white_label_not_yours: "parcours/white-label-not-yours",
        too_many: "parcours/bulk-too-many",
        undo_expired: "parcours/undo-expired",
        changed_since: "parcours/changed-since",
    };

    fn own_codes() -> Vec<Code> {
        ParcoursRefusal::codes()
    }

    async fn lock(tx: &Tx, id: i64) -> Result<Option<Stored>, StoreError> {
        rows::lock(tx, ParcoursId(id)).await
    }

    async fn past(tx: &Tx, id: i64, version: i64) -> Result<Option<RevisionBody>, StoreError> {
        Ok(rows::revision(tx, ParcoursId(id), version).await?.map(|found| found.body))
    }

    fn title(stored: &Stored) -> Text {
        stored.sheet.title.clone()
    }

    async fn is_seen(tx: &Tx, actor: &Actor, stored: &Stored) -> Result<bool, StoreError> {
        Ok(Self::is_own(actor, stored) || rows::header(tx, stored.id, actor).await?.is_some())
    }

    fn is_own(actor: &Actor, stored: &Stored) -> bool {
        actor.works_in(stored.white_label_id)
    }

    async fn current(app: &App, tx: &Tx, actor: &Actor, stored: Stored) -> Result<Value, ParcoursError> {
        Ok(view::show_value(app, tx, stored.id, actor).await?)
    }

    async fn patched(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Stored,
        sent: &Map<String, Value>,
    ) -> Result<Draft, ParcoursError> {
        Ok(Draft { after: input::patched(app, tx, actor, before, sent).await?, trace: None })
    }

    async fn taken_back(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Stored,
        past: RevisionBody,
        fields: Option<&[String]>,
    ) -> Result<TakenBack<Draft>, ParcoursError> {
        revisions::taken_back(app, tx, actor, before, past, fields).await
    }

    async fn save(
        app: &App,
        tx: &Tx,
        actor: &Actor,
        before: &Stored,
        draft: Draft,
        reason: Option<&'static str>,
    ) -> Result<(), ParcoursError> {
        rows::save(tx, before, draft.after, draft.trace.as_ref(), change(app, actor, reason)).await?;
        Ok(())
    }

    async fn answer(app: &App, tx: Tx, actor: &Actor, id: i64) -> Result<JsonText, ParcoursError> {
        let reply = shown(app, &tx, ParcoursId(id), actor).await?;
        tx.commit().await?;
        Ok(reply)
    }
}
