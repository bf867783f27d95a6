//! A client of the server under test, with or without a session.

use app::session::COOKIE_NAME;
use axum::body::Body;
use axum::http::header::{CONTENT_TYPE, COOKIE};
use axum::http::{HeaderName, HeaderValue, Method, Request};
use domain::Role;
use serde::Serialize;

use crate::app::TestApp;
use crate::reply::Reply;

/// A client that sends requests to the server under test.
#[derive(Debug, Clone)]
pub struct Client {
    app: TestApp,
    who: Option<(Role, String)>,
    headers: Vec<(HeaderName, HeaderValue)>,
}

impl TestApp {
    /// A client without a session.
    pub fn anonymous(&self) -> Client {
        Client::new(self.clone(), None)
    }

    /// A client with a role in a white-label.
    pub fn role_of(&self, role: Role, white_label: &str) -> Client {
        Client::new(self.clone(), Some((role, white_label)))
    }

    /// A reader of a white-label.
    pub fn reader_of(&self, white_label: &str) -> Client {
        self.role_of(Role::Reader, white_label)
    }

    /// An editor of a white-label.
    pub fn editor_of(&self, white_label: &str) -> Client {
        self.role_of(Role::Editor, white_label)
    }

    /// A travel agency's editor of a white-label.
    pub fn agency_of(&self, white_label: &str) -> Client {
        self.role_of(Role::Agency, white_label)
    }

    /// An administrator of the structure of a white-label.
    pub fn admin_of(&self, white_label: &str) -> Client {
        self.role_of(Role::Admin, white_label)
    }

    /// A client with all rights.
    pub fn superadmin(&self) -> Client {
        self.role_of(Role::Superadmin, "morvan")
    }
}

impl Client {
    fn new(app: TestApp, who: Option<(Role, &str)>) -> Self {
        Self { app, who: who.map(|(role, slug)| (role, slug.to_owned())), headers: Vec::new() }
    }

    /// The same client, which sends one more header.
    ///
    /// # Panics
    /// If the name or the value is not valid in a header.
    #[must_use]
    pub fn with(mut self, name: &'static str, value: &str) -> Self {
        let value = HeaderValue::from_str(value).expect("a header's value");
        self.headers.push((HeaderName::from_static(name), value));
        self
    }

    /// The same client, which sends this version as `If-Match`.
    #[must_use]
    pub fn at_version(self, version: i64) -> Self {
        self.with("if-match", &format!("\"{version}\""))
    }

    /// Sends a GET request.
    pub async fn get(&self, path: impl AsRef<str>) -> Reply {
        self.send(Method::GET, path.as_ref(), None, Body::empty()).await
    }

    /// Sends a DELETE request.
    pub async fn delete(&self, path: impl AsRef<str>) -> Reply {
        self.send(Method::DELETE, path.as_ref(), None, Body::empty()).await
    }

    /// Sends a POST request with JSON.
    pub async fn post(&self, path: impl AsRef<str>, body: impl Serialize) -> Reply {
        self.send_json(Method::POST, path.as_ref(), &body).await
    }

    /// Sends a PUT request with JSON.
    pub async fn put(&self, path: impl AsRef<str>, body: impl Serialize) -> Reply {
        self.send_json(Method::PUT, path.as_ref(), &body).await
    }

    /// Sends a PATCH request with JSON.
    pub async fn patch(&self, path: impl AsRef<str>, body: impl Serialize) -> Reply {
        self.send_json(Method::PATCH, path.as_ref(), &body).await
    }

    /// Sends a POST request with bytes.
    pub async fn post_bytes(&self, path: impl AsRef<str>, bytes: impl Into<Body>) -> Reply {
        self.send(Method::POST, path.as_ref(), Some("application/octet-stream"), bytes.into()).await
    }

    async fn send_json(&self, method: Method, path: &str, body: &impl Serialize) -> Reply {
        let bytes = serde_json::to_vec(body).expect("a test's body is JSON");
        self.send(method, path, Some("application/json"), Body::from(bytes)).await
    }

    /// Sends a request with any body.
    ///
    /// # Panics
    /// If the path is not a valid URI.
    pub async fn send(&self, method: Method, path: &str, content_type: Option<&'static str>, body: Body) -> Reply {
        let mut request = Request::builder().method(method).uri(path).body(body).expect("a request");
        let headers = request.headers_mut();
        if let Some(content_type) = content_type {
            headers.insert(CONTENT_TYPE, HeaderValue::from_static(content_type));
        }
        if let Some((role, slug)) = &self.who {
            let token = self.app.token_of(*role, slug).await;
            let cookie = format!("{COOKIE_NAME}={}", token.as_str());
            headers.insert(COOKIE, HeaderValue::from_str(&cookie).expect("a token is a header's value"));
        }
        for (name, value) in &self.headers {
            headers.insert(name.clone(), value.clone());
        }
        self.app.send(request).await
    }
}
