//! Permission is a type: a handler that takes an `Editor` is one that only an editor reaches.

use std::convert::Infallible;
use std::ops::Deref;
use std::sync::Arc;

use axum::extract::{FromRequestParts, OptionalFromRequestParts};
use axum::http::request::Parts;
use domain::{Actor, Capability};

use crate::session::{SignedIn, admitted, signed_in};
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
                let found = $door(app, &parts.headers).await?;
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
    /// Anybody signed in, also before they set up the second factor that is asked of them: for one's own account alone.
    Account: ContentRead,
}

actors! { by admitted:
    /// Anybody signed in: every role reads.
    Reader: ContentRead,
    /// Somebody who may download.
    Exporter: ContentExport,
    /// Somebody who may create and change content.
    Editor: ContentWrite,
    /// Somebody who may publish.
    Publisher: ContentPublish,
    /// Somebody who may bring files and feeds in.
    Importer: ContentImport,
    /// Somebody who may hand out links.
    Sharer: ContentShare,
    /// Somebody who may fill a travel agency's fields.
    Agency: AgencyFields,
    /// Somebody who may manage users.
    Admin: UsersManage,
    /// Somebody who may change a white-label's settings.
    SettingsManager: SettingsManage,
    /// Somebody who may change the reference lists.
    Superadmin: ReferenceManage,
    /// Somebody who may configure translation services.
    TranslatorsManager: TranslatorsManage,
}

/// Somebody signed in, or nobody: for what is public in part.
#[derive(Debug, Clone)]
pub struct Visitor(Option<Arc<SignedIn>>);

impl Visitor {
    /// The person as the rules of ownership see them, when somebody is signed in.
    pub fn actor(&self) -> Option<&Actor> {
        self.0.as_ref().map(|found| &found.actor)
    }
}

impl FromRequestParts<App> for Visitor {
    type Rejection = Rejection;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Self, Rejection> {
        match admitted(app, &parts.headers).await {
            Ok(found) => Ok(Self(Some(found))),
            Err(Rejection::Internal(error)) => Err(error.into()),
            Err(_) => Ok(Self(None)),
        }
    }
}

impl OptionalFromRequestParts<App> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, app: &App) -> Result<Option<Self>, Infallible> {
        Ok(admitted(app, &parts.headers).await.ok().map(Self))
    }
}
