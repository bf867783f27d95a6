//! The outside services, one trait each, behind one guarded client. Here: mail.

mod mail;
mod outbox;
mod smtp;

pub use mail::{Mail, MailError, Mailer, Sending};
pub use outbox::Outbox;
pub use smtp::Smtp;
