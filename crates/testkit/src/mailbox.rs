//! A mailer that stores the mails instead of sending them.

use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use connect::{Mail, Mailer, Sending};
use tokio::sync::Notify;

/// The mails of a test.
#[derive(Debug, Default)]
pub struct Mailbox {
    mails: Mutex<Vec<Mail>>,
    arrived: Notify,
}

impl Mailbox {
    /// Takes the oldest mail, waiting for it where it is still on its way.
    ///
    /// # Panics
    /// When none comes.
    pub async fn next(&self) -> Mail {
        let waiting = async {
            loop {
                let arrived = self.arrived.notified();
                if let Some(mail) = self.take() {
                    return mail;
                }
                arrived.await;
            }
        };
        tokio::time::timeout(Duration::from_secs(10), waiting).await.expect("a mail comes")
    }

    /// How many are there.
    pub fn len(&self) -> usize {
        self.mails.lock().unwrap_or_else(PoisonError::into_inner).len()
    }

    /// Whether it has no mail.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    fn take(&self) -> Option<Mail> {
        let mut mails = self.mails.lock().unwrap_or_else(PoisonError::into_inner);
        (!mails.is_empty()).then(|| mails.remove(0))
    }
}

impl Mailer for Mailbox {
    fn send(&self, mail: Mail, _message_id: String) -> Sending<'_> {
        Box::pin(async move {
            self.mails.lock().unwrap_or_else(PoisonError::into_inner).push(mail);
            self.arrived.notify_one();
            Ok(())
        })
    }
}
