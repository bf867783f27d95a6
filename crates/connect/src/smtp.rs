//! Mail by an SMTP server.

use std::time::{Duration, Instant};

use lettre::message::Mailbox;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use crate::mail::{Mail, MailError, Mailer, Sending, mailbox, message, short_address};
use crate::measured;

/// Sends mail by an SMTP server.
#[derive(Debug)]
pub struct Smtp {
    transport: AsyncSmtpTransport<Tokio1Executor>,
    from: Mailbox,
}

impl Smtp {
    /// A server by its address: `smtps://user:password@host:465`, `smtp://host:587?tls=required`, `smtp://host:25`.
    pub fn new(url: &str, from: &str) -> Result<Self, MailError> {
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| MailError::Server(error.to_string()))?;
        Ok(Self { transport: builder.timeout(Some(Duration::from_secs(20))).build(), from: mailbox(from)? })
    }
}

impl Mailer for Smtp {
    fn check(&self) -> Sending<'_> {
        Box::pin(async move {
            if self.transport.test_connection().await? {
                return Ok(());
            }
            Err(MailError::Server("it closes the connection".to_owned()))
        })
    }

    fn send(&self, mail: Mail) -> Sending<'_> {
        Box::pin(async move {
            let to = short_address(&mail.to);
            let (message, started) = (message(&self.from, mail)?, Instant::now());
            let sent = self.transport.send(message).await;
            measured("mail", if sent.is_ok() { 200 } else { 0 }, started);
            sent?;
            tracing::info!(to, "mail sent");
            Ok(())
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_address_is_judged_at_start() {
        assert!(Smtp::new("smtps://user:secret@mail.example:465", "jalon@morvan.example").is_ok());
        assert!(Smtp::new("ftp://mail.example", "jalon@morvan.example").is_err());
        assert!(Smtp::new("smtp://mail.example:25", "no address").is_err());
    }
}
