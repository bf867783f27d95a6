//! The outside services, one trait each, behind one guarded client. Here: mail, a planner of somebody
//! else's, what feeds and files elsewhere hold, services that translate, voices that read aloud.

pub mod http;
mod mail;
mod outbox;
mod services;
mod smtp;
pub mod speech;
pub mod text;
pub mod translate;
mod valhalla;

pub use mail::{Mail, MailError, Mailer, Sending};
pub use outbox::Outbox;
pub use services::{ServiceSettings, Services};
pub use smtp::Smtp;
pub use valhalla::{ValhallaSettings, valhalla};
