//! The PROXY protocol: a proxy sends the address of its client before the first request.
//! <https://www.haproxy.org/download/3.0/doc/proxy-protocol.txt>

use std::io;
use std::net::SocketAddr;

use bytes::{Buf, Bytes, BytesMut};
use ppp::{PartialResult, v1, v2};
use tokio::io::{AsyncRead, AsyncReadExt};

/// The longest header of version 1, with its line end.
const MAX_V1: usize = 107;
/// The longest header of version 2 that is read. Addresses take 16 to 232 bytes, the rest are extensions.
const MAX_V2: usize = 4_096;
const SIGNATURE_V1: &[u8] = b"PROXY ";
const SIGNATURE_V2: &[u8] = b"\r\n\r\n\0\r\nQUIT\n";

/// Reads the header: the address of the client (`None` for a connection of the proxy itself), and the bytes read after the header.
///
/// # Errors
/// If the stream ends or fails, or if it does not begin with a valid header.
pub async fn read(stream: &mut (impl AsyncRead + Unpin)) -> io::Result<(Option<SocketAddr>, Bytes)> {
    let mut read = BytesMut::with_capacity(512);
    loop {
        if stream.read_buf(&mut read).await? == 0 {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        if let Some((length, client)) = parse(&read)? {
            read.advance(length);
            return Ok((client, read.freeze()));
        }
    }
}

type Parsed = (usize, Option<SocketAddr>);

/// The length of the header and the client it names; none while more bytes are needed.
fn parse(read: &[u8]) -> io::Result<Option<Parsed>> {
    let begins = |signature: &[u8]| read.iter().zip(signature).all(|(a, b)| a == b);
    if begins(SIGNATURE_V1) {
        parse_v1(read)
    } else if begins(SIGNATURE_V2) {
        parse_v2(read)
    } else {
        Err(bad("no PROXY protocol header"))
    }
}

fn parse_v1(read: &[u8]) -> io::Result<Option<Parsed>> {
    let line = &read[..read.len().min(MAX_V1)];
    let Some(end) = line.windows(2).position(|pair| pair == b"\r\n") else {
        return if read.len() < MAX_V1 { Ok(None) } else { Err(bad("the PROXY protocol header has no end")) };
    };
    let line = std::str::from_utf8(&line[..end + 2]).map_err(|_| bad("the PROXY protocol header is not text"))?;
    let header = v1::Header::try_from(line).map_err(|error| bad(&error.to_string()))?;
    let client = match header.addresses {
        v1::Addresses::Unknown => None,
        v1::Addresses::Tcp4(four) => Some(SocketAddr::new(four.source_address.into(), four.source_port)),
        v1::Addresses::Tcp6(six) => Some(SocketAddr::new(six.source_address.into(), six.source_port)),
    };
    Ok(Some((end + 2, client)))
}

fn parse_v2(read: &[u8]) -> io::Result<Option<Parsed>> {
    let header = v2::Header::try_from(read);
    if header.is_incomplete() {
        return if read.len() < MAX_V2 { Ok(None) } else { Err(bad("the PROXY protocol header is too long")) };
    }
    let header = header.map_err(|error| bad(&error.to_string()))?;
    let client = match (header.command, header.addresses) {
        (v2::Command::Local, _) | (_, v2::Addresses::Unspecified | v2::Addresses::Unix(_)) => None,
        (_, v2::Addresses::IPv4(four)) => Some(SocketAddr::new(four.source_address.into(), four.source_port)),
        (_, v2::Addresses::IPv6(six)) => Some(SocketAddr::new(six.source_address.into(), six.source_port)),
    };
    Ok(Some((header.len(), client)))
}

fn bad(why: &str) -> io::Error {
    io::Error::new(io::ErrorKind::InvalidData, why.to_owned())
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    async fn read_all(mut bytes: &[u8]) -> io::Result<(Option<String>, Bytes)> {
        let (client, rest) = read(&mut bytes).await?;
        Ok((client.map(|client| client.to_string()), rest))
    }

    #[tokio::test]
    async fn version_1_names_the_client_and_leaves_what_follows() {
        let (client, rest) = read_all(b"PROXY TCP4 203.0.113.7 10.0.0.1 51000 80\r\nGET /\xff").await.unwrap();
        assert_eq!((client.as_deref(), &rest[..]), (Some("203.0.113.7:51000"), &b"GET /\xff"[..]));
        let (client, _) = read_all(b"PROXY TCP6 2001:db8::7 2001:db8::1 51000 80\r\n").await.unwrap();
        assert_eq!(client.as_deref(), Some("[2001:db8::7]:51000"));
        assert_eq!(read_all(b"PROXY UNKNOWN\r\n").await.unwrap().0, None);
    }

    #[tokio::test]
    async fn version_2_names_the_client_or_the_proxy_itself() {
        let mut header = SIGNATURE_V2.to_vec();
        header.extend([0x21, 0x11, 0, 12, 203, 0, 113, 7, 10, 0, 0, 1, 0xc7, 0x38, 0, 80]);
        header.extend(b"PRI *");
        let (client, rest) = read_all(&header).await.unwrap();
        assert_eq!((client.as_deref(), &rest[..]), (Some("203.0.113.7:51000"), &b"PRI *"[..]));
        header[12] = 0x20;
        assert_eq!(read_all(&header).await.unwrap().0, None);
    }

    #[tokio::test]
    async fn an_invalid_proxy_protocol_header_is_refused() {
        let long = [b"PROXY TCP4 ", &[b'1'; 200][..]].concat();
        let huge = [SIGNATURE_V2, &[0x21, 0x11, 0xff, 0xff], &[0; 5_000][..]].concat();
        let bad: [&[u8]; 6] = [b"GET / HTTP/1.1\r\n", b"PROXY TCP4 1.2.3 x 1 2\r\n", b"PROXY ", b"", &long, &huge];
        for bytes in bad {
            assert!(read_all(bytes).await.is_err(), "{}", String::from_utf8_lossy(bytes));
        }
    }
}
