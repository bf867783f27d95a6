//! Mail without a server: a folder of `.eml` files and a line in the log.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use lettre::message::Mailbox;

use crate::mail::{Mail, MailError, Mailer, Sending, mailbox, message, short_address};

/// Writes each mail to a folder.
#[derive(Debug)]
pub struct Outbox {
    folder: PathBuf,
    from: Mailbox,
    written: AtomicU64,
}

impl Outbox {
    /// An outbox in a folder, made when the first mail comes.
    pub fn new(folder: &Path, from: &str) -> Result<Self, MailError> {
        Ok(Self { folder: folder.to_owned(), from: mailbox(from)?, written: AtomicU64::new(0) })
    }

    async fn write(&self, mail: Mail, message_id: String) -> Result<(), MailError> {
        let to = short_address(&mail.to);
        let bytes = message(&self.from, mail, &message_id)?.formatted();
        tokio::fs::create_dir_all(&self.folder).await?;
        let file = self.folder.join(self.next_name());
        tokio::fs::write(&file, bytes).await?;
        tracing::info!(to, file = %file.display(), "mail written to the outbox");
        Ok(())
    }

    /// Whether a file can be written where the folder is there already; it is made with the first mail.
    async fn try_to_write(&self) -> Result<(), MailError> {
        if !tokio::fs::try_exists(&self.folder).await? {
            return Ok(());
        }
        let file = self.folder.join(format!(".check-{}", std::process::id()));
        tokio::fs::write(&file, b"").await?;
        tokio::fs::remove_file(&file).await?;
        Ok(())
    }

    /// A new name that sorts by time.
    #[expect(clippy::disallowed_methods, reason = "milliseconds, which the clock of the domain does not have")]
    fn next_name(&self) -> String {
        let since = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH).unwrap_or_default();
        format!("{:013}-{:04}.eml", since.as_millis(), self.written.fetch_add(1, Ordering::Relaxed) % 10_000)
    }
}

impl Mailer for Outbox {
    fn send(&self, mail: Mail, message_id: String) -> Sending<'_> {
        Box::pin(self.write(mail, message_id))
    }

    fn check(&self) -> Sending<'_> {
        Box::pin(self.try_to_write())
    }

    fn reaches_people(&self) -> bool {
        false
    }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    fn mail(to: &str, subject: &str) -> Mail {
        Mail { to: to.to_owned(), subject: subject.to_owned(), text: "Voilà.\n".to_owned() }
    }

    #[tokio::test]
    async fn a_mail_becomes_a_file_with_its_headers() {
        let folder = std::env::temp_dir().join(format!("jalon-outbox-{}", std::process::id()));
        let outbox = Outbox::new(&folder, "Jalon <jalon@morvan.example>").unwrap();
        for message_id in ["first", "second"] {
            outbox.send(mail("camille@morvan.example", "Mot de passe"), message_id.to_owned()).await.unwrap();
        }
        let files: Vec<_> = std::fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().path()).collect();
        assert_eq!(files.len(), 2);
        let text = std::fs::read_to_string(&files[0]).unwrap();
        assert!(
            text.contains("To: camille@morvan.example") && text.contains("From: Jalon <jalon@morvan.example>"),
            "{text}"
        );
        std::fs::remove_dir_all(folder).unwrap();
    }

    #[tokio::test]
    async fn an_outbox_that_cannot_be_written_is_found_before_a_mail_comes() {
        let folder = std::env::temp_dir().join(format!("jalon-outbox-checked-{}", std::process::id()));
        let outbox = Outbox::new(&folder, "Jalon <jalon@morvan.example>").unwrap();
        outbox.check().await.unwrap();
        assert!(!folder.exists(), "it comes with the first mail");
        std::fs::create_dir(&folder).unwrap();
        outbox.check().await.unwrap();
        assert_eq!(std::fs::read_dir(&folder).unwrap().count(), 0, "nothing stays");
        std::fs::remove_dir(&folder).unwrap();
        // A file in the place of the folder stops root too.
        std::fs::write(&folder, "").unwrap();
        assert!(matches!(outbox.check().await, Err(MailError::Outbox(_))));
        std::fs::remove_file(&folder).unwrap();
    }

    #[tokio::test]
    async fn a_line_break_in_a_recipient_or_subject_makes_no_header() {
        let folder = std::env::temp_dir().join(format!("jalon-outbox-bad-{}", std::process::id()));
        let outbox = Outbox::new(&folder, "jalon@morvan.example").unwrap();
        assert!(outbox.send(mail("a@b.fr\r\nBcc: c@d.fr", "x"), "first".to_owned()).await.is_err());
        outbox.send(mail("a@b.fr", "x\r\nBcc: c@d.fr"), "second".to_owned()).await.unwrap();
        let file = std::fs::read_dir(&folder).unwrap().next().unwrap().unwrap().path();
        let text = std::fs::read_to_string(file).unwrap();
        assert!(!text.lines().any(|line| line.starts_with("Bcc:")), "{text}");
        std::fs::remove_dir_all(folder).unwrap();
    }
}
