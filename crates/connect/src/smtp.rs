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
        if let Some(fault) = fault_of(url) {
            return Err(MailError::Server(fault));
        }
        let builder = AsyncSmtpTransport::<Tokio1Executor>::from_url(url)
            .map_err(|error| MailError::Server(error.to_string()))?;
        Ok(Self { transport: builder.timeout(Some(Duration::from_secs(20))).build(), from: mailbox(from)? })
    }
}

/// The error in the scheme or in `tls` of an address, in words; the rest is left to the library.
fn fault_of(url: &str) -> Option<String> {
    let (scheme, rest) = url.split_once("://").unwrap_or(("", url));
    let is_encrypted = scheme.eq_ignore_ascii_case("smtps");
    if !is_encrypted && !scheme.eq_ignore_ascii_case("smtp") {
        return Some("it must start with smtp:// or smtps://".to_owned());
    }
    let (_, query) = rest.split_once('?')?;
    let query = query.split('#').next().unwrap_or_default();
    let tls = query.split('&').find_map(|pair| pair.strip_prefix("tls="))?;
    let is_known = is_encrypted || ["required", "opportunistic"].contains(&tls);
    (!is_known).then(|| {
        format!("tls must be required or opportunistic, not `{tls}`; smtps:// is always encrypted, smtp:// without tls never")
    })
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

    fn send(&self, mail: Mail, message_id: String) -> Sending<'_> {
        Box::pin(async move {
            let to = short_address(&mail.to);
            let (message, started) = (message(&self.from, mail, &message_id)?, Instant::now());
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
        assert!(Smtp::new("smtp://mail.example:587?tls=required", "jalon@morvan.example").is_ok());
        for (url, words) in [
            ("ftp://mail.example", "it must start with smtp:// or smtps://"),
            ("mail.example:25", "it must start with smtp:// or smtps://"),
            ("smtp://a:b@mail.example:587?tls=always", "tls must be required or opportunistic, not `always`"),
            ("smtp://mail.example:587?tls=", "tls must be required or opportunistic, not ``"),
        ] {
            let fault = Smtp::new(url, "jalon@morvan.example").expect_err(url).to_string();
            assert!(fault.contains(words) && !fault.contains("a:b"), "{fault}");
        }
        assert!(Smtp::new("smtp://mail.example:25", "no address").is_err());
    }
}
