//! Permission is a type: a handler that takes an `Editor` is one that only an editor reaches.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use domain::{Actor, Capability};

use crate::session::{admitted, signed_in};
use crate::session_cache::SignedIn;
use crate::{App, Rejection};

/// Declares the extractors: who is let in at all, then a name each, and the capability without which the request is refused.
macro_rules! actors {
    (by $door:ident: $($(#[$doc:meta])* $name:ident: $capability:ident,)+) => {$(
        $(#[$doc])*
        #[derive(Debug, Clone)]
        pub struct $name(Arc<SignedIn>);

        impl $name {
            /// The person, their session and their preferences.
            pub fn signed_in(&self) -> &SignedIn {
                &self.0
            }
        }

        impl Deref for $name {
            type Target = Actor;

            fn deref(&self) -> &Actor {
                &self.0.actor
            }
        }

        impl FromRequestParts<App> for $name {
            type Rejection = Rejection;

            async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Rejection> {
                let found = $door(app, parts).await?;
                if found.actor.can(Capability::$capability) {
                    Ok(Self(found))
                } else {
                    Err(Rejection::Forbidden { capability: Capability::$capability.as_str() })
                }
            }
        }
    )+};
}

actors! { by signed_in:
    /// A signed-in user, also before they set up a required second factor: for operations on their own account only.
    Account: ContentRead,
}

actors! { by admitted:
    /// A signed-in user: every role reads.
    Reader: ContentRead,
    /// A user who may download.
    Exporter: ContentExport,
    /// A user who may create and change content.
    Editor: ContentWrite,
    /// A user who may publish.
    Publisher: ContentPublish,
    /// A user who may import files and feeds.
    Importer: ContentImport,
    /// A user who may create share links.
    Sharer: ContentShare,
    /// A user who may fill in a travel agency's fields.
    Agency: AgencyFields,
    /// A user who may manage users.
    Admin: UsersManage,
    /// A user who may change a white-label's settings.
    SettingsManager: SettingsManage,
    /// A user who may change the reference lists.
    Superadmin: ReferenceManage,
    /// A user who may configure translation services.
    TranslatorsManager: TranslatorsManage,
}

/// A signed-in user, or no session: for what is public in part.
#[derive(Debug, Clone)]
pub struct Visitor(Option<Arc<SignedIn>>);

impl Visitor {
    /// The user for the rules of ownership, if signed in.
    pub fn actor(&self) -> Option<&Actor> {
        self.0.as_ref().map(|found| &found.actor)
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Rejection> {
        match admitted(app, parts).await {
            Ok(found) => Ok(Self(Some(found))),
            Err(Rejection::Internal(error)) => Err(error.into()),
            Err(_) => Ok(Self(None)),
        }
    }
}

impl OptionalFromRequestParts<App> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Infallible> {
        Ok(admitted(app, parts).await.ok().map(Self))
    }
}
