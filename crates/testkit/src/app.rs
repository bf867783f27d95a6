//! The application of a test: the real one, in this process, over a separate database.

use std::collections::HashMap;
use std::fmt;
use std::sync::{Arc, LazyLock};
use std::time::Duration;

use app::problem::PROBLEM_JSON;
use app::token::Token;
use app::{App, Parts, Settings};
use axum::Router;
use axum::body::Body;
use axum::http::Request;
use axum::http::header::{CONTENT_ENCODING, CONTENT_TYPE};
use connect::http::{Addresses, FetchSettings, Fetcher};
use connect::speech::{VoiceSettings, Voices};
use connect::{ServiceSettings, Services};
use domain::{FrozenClock, Role, UserId, WhiteLabelId};
use http_body_util::BodyExt;
use store::{Blobs, DatabaseSettings, Store};
use teststore::{Fixture, NOW, Scratch, TestStore, email};
use tokio::sync::Mutex;
use tower::ServiceExt;

use crate::mailbox::Mailbox;
use crate::reply::Reply;

/// The application under test. Cloning it is cheap.
#[derive(Clone)]
pub struct TestApp(Arc<Inner>);

struct Inner {
    app: App,
    router: Router,
    clock: Arc<FrozenClock>,
    mail: Arc<Mailbox>,
    scratch: Arc<Scratch>,
    tokens: Mutex<HashMap<(Role, String), Token>>,
}

/// Making them takes a tenth of a second of an unoptimised build: all tests of a process have the same.
static ROUTES: LazyLock<api::Routes> = LazyLock::new(api::Routes::new);

impl Fixture for TestApp {
    async fn over(store: Store, scratch: Arc<Scratch>) -> Self {
        Self::with(store, scratch, |_| {})
    }
}

impl TestApp {
    /// An application over the same database whose parts a test changes: settings, planner, tiles.
    #[must_use]
    pub fn changed(&self, change: impl FnOnce(&mut Parts)) -> Self {
        Self::with(self.0.app.store.clone(), Arc::clone(&self.0.scratch), change)
    }

    /// The same application over other connections to its database, with other settings.
    ///
    /// # Panics
    /// When the database cannot be opened again.
    pub async fn reopened(&self, change: impl FnOnce(&mut DatabaseSettings)) -> Self {
        let test = TestStore { store: self.store().clone(), scratch: Arc::clone(&self.0.scratch) };
        let store = test.reopened(change).await;
        self.changed(|parts| parts.store = store)
    }

    fn with(store: Store, scratch: Arc<Scratch>, change: impl FnOnce(&mut Parts)) -> Self {
        let clock = Arc::new(FrozenClock::at(NOW));
        let mail = Arc::new(Mailbox::default());
        let services = Services::new(ServiceSettings {
            addresses: Addresses::Any,
            timeout: Duration::from_secs(20),
            back_off: Duration::ZERO,
        });
        let mut parts = Parts {
            store,
            blobs: Blobs::folder(&scratch.path().join("blobs")).expect("the temporary folder can be written"),
            uploads: scratch.path().join("uploads"),
            clock: Arc::clone(&clock) as _,
            mail: Arc::clone(&mail) as _,
            // Stub servers are on this machine, so requests need no pauses.
            fetcher: Arc::new(Fetcher::new(FetchSettings {
                addresses: Addresses::Any,
                timeout: Duration::from_secs(20),
                pause: Duration::ZERO,
                back_off: Duration::ZERO,
            })),
            voices: Voices::new(VoiceSettings::default(), services.clone()),
            services,
            renderer: None,
            pdf_reader: Arc::new(media::InProcessPdfReader),
            first_region: app::Region::default(),
            region_source: None,
            assets: Arc::new(app::NoAssets),
            key: server_key(),
            uuid_base: Settings::default().public_url,
            settings: Settings::default(),
        };
        change(&mut parts);
        let app = api::application(parts);
        let router = ROUTES.serve(app.clone());
        Self(Arc::new(Inner { app, router, clock, mail, scratch, tokens: Mutex::default() }))
    }

    /// The application itself.
    pub fn app(&self) -> &App {
        &self.0.app
    }

    /// Its database.
    pub fn store(&self) -> &Store {
        &self.0.app.store
    }

    /// Its clock, which only a test moves.
    pub fn clock(&self) -> &FrozenClock {
        &self.0.clock
    }

    /// The mails it sent.
    pub fn mail(&self) -> &Mailbox {
        &self.0.mail
    }

    /// A folder of the test's own.
    pub fn scratch(&self) -> &Scratch {
        &self.0.scratch
    }

    /// A white-label by its short name.
    ///
    /// # Panics
    /// When there is no such white-label.
    pub async fn white_label(&self, slug: &str) -> WhiteLabelId {
        let found = store::white_label::find_by_slug(self.store().read(), slug).await.expect("the store answers");
        found.expect("there is such a white-label").id
    }

    /// The person of a role in a white-label.
    ///
    /// # Panics
    /// When there is no such user.
    pub async fn user(&self, role: Role, white_label: &str) -> UserId {
        let found = store::user::find_by_email(self.store().read(), &email(role, white_label)).await;
        found.expect("the store answers").expect("there is such a person").0.id
    }

    /// Has each person sign in again with their next request: sessions end when the clock went on for a day.
    pub async fn sign_in_again(&self) {
        self.0.tokens.lock().await.clear();
    }

    /// A session of the person of a role in a white-label; the same each time.
    pub(crate) async fn token_of(&self, role: Role, white_label: &str) -> Token {
        let mut tokens = self.0.tokens.lock().await;
        let key = (role, white_label.to_owned());
        if let Some(token) = tokens.get(&key) {
            return token.clone();
        }
        let user = self.user(role, white_label).await;
        let token = app::session::start(self.app(), user).await.expect("a session can be started");
        tokens.insert(key, token.clone());
        token
    }

    /// Sends a request unchanged.
    ///
    /// # Panics
    /// When the answer breaks off.
    pub async fn send(&self, request: Request<Body>) -> Reply {
        let (method, path) = (request.method().clone(), request.uri().path().to_owned());
        let encoded = request.headers().contains_key(CONTENT_ENCODING);
        let response = self.0.router.clone().oneshot(request).await.expect("the router answers");
        let (parts, body) = response.into_parts();
        let bytes = body.collect().await.expect("the answer has an end").to_bytes().to_vec();
        if parts.headers.get(CONTENT_TYPE).is_some_and(|kind| kind == PROBLEM_JSON) {
            crate::promised::check(&method, &path, encoded, parts.status.as_u16(), &bytes);
        }
        Reply { status: parts.status, headers: parts.headers, bytes }
    }
}

impl fmt::Debug for TestApp {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("TestApp")
    }
}

/// The key that each test's server seals with.
fn server_key() -> app::seal::ServerKey {
    app::seal::ServerKey::parse(&"5e".repeat(app::seal::KEY_BYTES)).expect("64 digits")
}
