//! The outside services, one trait each, behind one guarded client. Here: mail, a planner of somebody
//! else's, what feeds and files elsewhere hold.

pub mod http;
mod mail;
mod outbox;
mod smtp;
mod valhalla;

pub use mail::{Mail, MailError, Mailer, Sending};
pub use outbox::Outbox;
pub use smtp::Smtp;
pub use valhalla::{ValhallaSettings, valhalla};
