//! Mail over a real connection: a small server that speaks SMTP (RFC 5321) and keeps the commands and mails it received.
#![allow(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]

use connect::{Mail, MailError, Mailer as _, Smtp};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpListener;
use tokio::task::JoinHandle;

/// What a client said before and within its message.
#[derive(Debug, Default)]
struct Heard {
    commands: Vec<String>,
    message: String,
}

/// A server for one client. It accepts mail for every address but `nobody@…`.
async fn server() -> (String, JoinHandle<Heard>) {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    (url, tokio::spawn(async move { serve(listener).await }))
}

async fn serve(listener: TcpListener) -> Heard {
    let (socket, _) = listener.accept().await.unwrap();
    let (read, mut write) = socket.into_split();
    let mut lines = BufReader::new(read).lines();
    let mut heard = Heard::default();
    write.write_all(b"220 stub ESMTP\r\n").await.unwrap();
    while let Ok(Some(line)) = lines.next_line().await {
        let answer = match line.get(..4).unwrap_or(&line).to_ascii_uppercase().as_str() {
            "EHLO" => "250-stub\r\n250-8BITMIME\r\n250 SMTPUTF8\r\n",
            "RCPT" if line.contains("nobody@") => "550 5.1.1 no such mailbox\r\n",
            "DATA" => {
                write.write_all(b"354 go on\r\n").await.unwrap();
                while let Ok(Some(line)) = lines.next_line().await {
                    if line == "." {
                        break;
                    }
                    heard.message += &line;
                    heard.message += "\n";
                }
                "250 2.0.0 taken\r\n"
            }
            "QUIT" => "221 bye\r\n",
            _ => "250 ok\r\n",
        };
        heard.commands.push(line);
        // A client that was refused may have gone.
        let _ = write.write_all(answer.as_bytes()).await;
    }
    heard
}

fn mail(to: &str) -> Mail {
    let text = "Bonjour,\n\nVoici le lien : https://jalon.example/r/abc\n.\nFin.\n".to_owned();
    Mail { to: to.to_owned(), subject: "Votre mot de passe oublié".to_owned(), text }
}

#[tokio::test]
async fn a_mail_reaches_the_server_whole() {
    let (url, heard) = server().await;
    let mailer = Smtp::new(&url, "Jalon <jalon@morvan.example>").unwrap();
    mailer.send(mail("anne@morvan.example"), "0a1b".to_owned()).await.unwrap();
    drop(mailer);
    let heard = heard.await.unwrap();
    let said = |start: &str| heard.commands.iter().any(|line| line.starts_with(start));
    assert!(said("EHLO") && said("MAIL FROM:<jalon@morvan.example>") && said("RCPT TO:<anne@morvan.example>"));
    let message = &heard.message;
    assert!(message.contains("From: Jalon <jalon@morvan.example>") && message.contains("To: anne@morvan.example"));
    assert!(
        message.contains("Subject: Votre mot de passe =?utf-8?b?b3VibGnDqQ==?="),
        "an accent is encoded: {message}"
    );
    assert!(message.contains("https://jalon.example/r/abc") && message.contains("Fin."), "{message}");
    assert!(message.contains("Message-ID: <0a1b@morvan.example>"), "{message}");
    assert!(message.contains("Date: "), "what servers ask of a mail: {message}");
    assert!(message.contains("\n..\n"), "a lone dot is doubled on the wire: {message}");
}

#[tokio::test]
async fn a_refused_address_is_reported() {
    let (url, heard) = server().await;
    let mailer = Smtp::new(&url, "jalon@morvan.example").unwrap();
    let error = mailer.send(mail("nobody@morvan.example"), "0a1b".to_owned()).await.unwrap_err();
    assert!(matches!(&error, MailError::Refused(why) if why.is_permanent()), "{error}");
    drop(mailer);
    assert!(heard.await.unwrap().message.is_empty());
}

#[tokio::test]
async fn a_server_that_is_not_there_is_reported() {
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let url = format!("smtp://{}", listener.local_addr().unwrap());
    drop(listener);
    let mailer = Smtp::new(&url, "jalon@morvan.example").unwrap();
    let error = mailer.send(mail("anne@morvan.example"), "0a1b".to_owned()).await.unwrap_err();
    assert!(matches!(&error, MailError::Refused(_)), "{error}");
}
