//! The signed-in person's view of their account.

use app::App;
use app::session::needs_totp;
use app::session_cache::SignedIn;
use domain::white_label::{WhiteLabelKind, deposit};
use domain::{Capability, Instant, Locale, Role, StructureId, UserId, WhiteLabelId};
use serde::Serialize;
use store::StoreError;
use store::record::load;
use store::white_label::WhiteLabels;
use utoipa::ToSchema;

/// The signed-in person.
#[derive(Debug, Clone, Serialize, ToSchema)]
#[schema(as = Me)]
pub struct MeView {
    id: UserId,
    first_name: String,
    last_name: String,
    email: String,
    role: Role,
    locale: Locale,
    advanced_view: bool,
    /// Whether a single letter is a shortcut: users of speech input may not want it.
    single_keys: bool,
    structure: MyStructure,
    /// Those to switch between.
    white_labels: Vec<MyWhiteLabel>,
    active_white_label_id: WhiteLabelId,
    /// What maps of the active white-label show at first: west, south, east, north; the region when absent.
    #[schema(value_type = Option<trace::BoundingBox>)]
    map_bbox: Option<[f64; 4]>,
    /// The share of a price that is paid in advance where a parcours of the active white-label sets none, percent; 0 for none.
    deposit_percent: i64,
    /// What they may do; the client never derives it from the role.
    capabilities: Vec<Capability>,
    session_expires_at: Instant,
    /// Whether signing in asks for a second factor.
    totp_enabled: bool,
    /// Whether they must have one: without it, nothing but this account is open to them.
    totp_required: bool,
}

/// The structure that employs them.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MyStructure {
    id: StructureId,
    name: String,
}

/// A white-label they work in.
#[derive(Debug, Clone, Serialize, ToSchema)]
pub struct MyWhiteLabel {
    id: WhiteLabelId,
    name: String,
    kind: WhiteLabelKind,
    initials: String,
    color: String,
}

impl MeView {
    /// The view of the person behind a session.
    pub(crate) async fn of(app: &App, session: &SignedIn) -> Result<Self, StoreError> {
        let (user, actor) = (&session.user, &session.actor);
        let db = app.store.read();
        let structure = store::structure::name(db, user.structure_id).await?;
        let white_labels = store::white_label::find_many(db, &actor.white_label_ids).await?;
        // From the database and not from what feeds remember: another server may have saved it a moment ago.
        let active = load::<WhiteLabels>(db, actor.active_white_label_id.0).await?;
        let active = active.map(|active| active.sheet).unwrap_or_default();
        Ok(Self {
            id: user.id,
            first_name: user.first_name.clone(),
            last_name: user.last_name.clone(),
            email: user.email.clone(),
            role: user.role,
            locale: user.locale,
            advanced_view: user.advanced_view,
            single_keys: user.single_keys,
            structure: MyStructure { id: user.structure_id, name: structure.unwrap_or_default() },
            white_labels: white_labels
                .into_iter()
                .map(|own| MyWhiteLabel {
                    id: own.id,
                    name: own.name,
                    kind: own.kind,
                    initials: own.initials,
                    color: own.color,
                })
                .collect(),
            active_white_label_id: actor.active_white_label_id,
            map_bbox: active.first_view(),
            deposit_percent: deposit(None, active.deposit_percent).unwrap_or(0),
            capabilities: actor.role.capabilities().to_vec(),
            session_expires_at: session.expires_at,
            totp_enabled: user.totp_enabled,
            totp_required: needs_totp(app, user),
        })
    }
}
