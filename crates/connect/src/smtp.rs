//! Mail by an SMTP server.

use std::time::{Duration, Instant};

use lettre::message::Mailbox;
use lettre::transport::smtp::Error;
use lettre::{AsyncSmtpTransport, AsyncTransport, Tokio1Executor};

use crate::mail::{Mail, MailError, Mailer, Sending, mailbox, message, short_address};
use crate::measured;

/// How long a server may take for a whole mail. RFC 5321 (4.5.3.2.6) allows it ten minutes to answer the last line; a mail that we
/// give up earlier may be sent twice.
const SENT_WITHIN: Duration = Duration::from_mins(10);
/// How long a server may take to let us sign in.
const CHECKED_WITHIN: Duration = Duration::from_secs(30);

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
            if within(CHECKED_WITHIN, self.transport.test_connection()).await? {
                return Ok(());
            }
            Err(MailError::Server("it closes the connection".to_owned()))
        })
    }

    fn send(&self, mail: Mail) -> Sending<'_> {
        Box::pin(async move {
            let to = short_address(&mail.to);
            let (message, started) = (message(&self.from, mail)?, Instant::now());
            let sent = within(SENT_WITHIN, self.transport.send(message)).await;
            measured("mail", if sent.is_ok() { 200 } else { 0 }, started);
            sent?;
            tracing::info!(to, "mail sent");
            Ok(())
        })
    }
}

/// What the server answers. The library bounds the time to connect alone, not the wait for an answer.
async fn within<T>(limit: Duration, work: impl Future<Output = Result<T, Error>>) -> Result<T, MailError> {
    tokio::time::timeout(limit, work).await.map_err(|_| MailError::TimedOut(limit))?.map_err(MailError::Refused)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[tokio::test]
    async fn a_server_that_accepts_and_says_nothing_is_given_up() {
        let silent = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let url = format!("smtp://{}", silent.local_addr().expect("an address"));
        let smtp = Smtp::new(&url, "jalon@morvan.example").expect("an address");
        let limit = Duration::from_millis(300);
        let answer = within(limit, smtp.transport.test_connection()).await;
        assert!(matches!(answer, Err(MailError::TimedOut(_))), "{answer:?}");
    }

    #[tokio::test]
    async fn a_server_address_is_judged_at_start() {
        assert!(Smtp::new("smtps://user:secret@mail.example:465", "jalon@morvan.example").is_ok());
        assert!(Smtp::new("ftp://mail.example", "jalon@morvan.example").is_err());
        assert!(Smtp::new("smtp://mail.example:25", "no address").is_err());
    }
}
