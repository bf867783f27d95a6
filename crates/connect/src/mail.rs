//! Mail: the messages, and the trait that sends them.

use std::fmt::Debug;
use std::future::Future;
use std::pin::Pin;
use std::time::Duration;

use lettre::Message;
use lettre::message::{Mailbox, header::ContentType};

/// A mail in plain text.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mail {
    /// The recipient's address.
    pub to: String,
    pub subject: String,
    pub text: String,
}

/// Why a mail was not sent.
#[derive(Debug, thiserror::Error)]
pub enum MailError {
    /// An invalid address.
    #[error("`{}` is no mail address", short_address(.0))]
    Address(String),
    /// The configuration of the server cannot be used.
    #[error("the mail server's address cannot be used: {0}")]
    Server(String),
    /// The mail could not be built.
    #[error("the mail cannot be written: {0}")]
    Message(#[from] lettre::error::Error),
    /// The server refused the mail or could not be reached.
    #[error("the mail was not taken: {0}")]
    Refused(#[from] lettre::transport::smtp::Error),
    /// The server accepted the connection and then did not answer.
    #[error("the mail server did not answer within {} s", .0.as_secs())]
    TimedOut(Duration),
    /// The outbox folder cannot be written.
    #[error("the outbox cannot be written: {0}")]
    Outbox(#[from] std::io::Error),
}

impl MailError {
    /// Whether the mail server refused the mail for good: its mailbox is unknown, or the server accepts no mail of this server.
    ///
    /// A refused sign-in (530 to 538, RFC 4954) says nothing of the mail: it is sent once the password is right.
    pub fn is_permanent(&self) -> bool {
        let is_sign_in = |code: u16| matches!(code, 530 | 534 | 535 | 538);
        matches!(self, Self::Refused(why) if why.is_permanent() && !why.status().is_some_and(|code| is_sign_in(code.into())))
    }
}

/// A mail on its way.
pub type Sending<'a> = Pin<Box<dyn Future<Output = Result<(), MailError>> + Send + 'a>>;

/// Sends mail.
pub trait Mailer: Send + Sync + Debug {
    /// Sends one mail; ends when a mail server has accepted it, or the outbox has it.
    ///
    /// `message_id` is what comes before the `@` in the header `Message-ID` (RFC 5322, 3.6.4). It is the same each time a mail is sent, so that
    /// mail servers recognise one that is sent twice, and never that of another mail.
    fn send(&self, mail: Mail, message_id: String) -> Sending<'_>;

    /// Signs in to the mail server and sends nothing, or tries whether the outbox can be written.
    fn check(&self) -> Sending<'_> {
        Box::pin(async { Ok(()) })
    }

    /// Whether mails reach their addresses; false for the outbox folder.
    fn reaches_people(&self) -> bool {
        true
    }
}

/// A mail address as the log names it: `a…@exemple.fr`.
pub(crate) fn short_address(address: &str) -> String {
    let shown: String = address.chars().take(1).collect();
    address.rsplit_once('@').map_or_else(|| format!("{shown}…"), |(_, host)| format!("{shown}…@{host}"))
}

/// The address of a sender or a recipient, in the type of `lettre`.
pub(crate) fn mailbox(address: &str) -> Result<Mailbox, MailError> {
    address.parse().map_err(|_| MailError::Address(address.to_owned()))
}

/// The mail as a message for the mail server.
pub(crate) fn message(from: &Mailbox, mail: Mail, message_id: &str) -> Result<Message, MailError> {
    let message = Message::builder()
        .from(from.clone())
        .to(mailbox(&mail.to)?)
        .subject(mail.subject)
        // Many servers take a mail without a message id for spam.
        .message_id(Some(format!("<{message_id}@{}>", from.email.domain())))
        .header(ContentType::TEXT_PLAIN)
        .body(mail.text)?;
    Ok(message)
}

#[cfg(test)]
mod tests {
    use domain::normalise_email;

    use super::*;

    #[test]
    fn mail_can_be_addressed_to_every_address_that_is_accepted() {
        let mut accepted = 0;
        for c in '\0'..='\u{1ffff}' {
            for typed in [format!("{c}b{c}@c.fr"), format!("a@{c}b{c}.fr")] {
                let Some(address) = normalise_email(&typed) else { continue };
                accepted += 1;
                let parsed = mailbox(&address).map(|one| one.email.to_string());
                assert_eq!(parsed.ok().as_deref(), Some(address.as_str()), "{c:?} in {typed}");
            }
        }
        assert!(accepted > 1_000, "{accepted}");
        for typed in [format!("{}@{}.fr", "a".repeat(64), "b".repeat(63)), "o'neil+a.b@b-c.example".to_owned()] {
            let address = normalise_email(&typed).expect("it is accepted");
            assert!(mailbox(&address).is_ok(), "{address}");
        }
    }
}
