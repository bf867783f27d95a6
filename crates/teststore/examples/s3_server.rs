//! The S3 server of the tests as a process of its own: `s3_server PORT FOLDER`. `make chaos` starts and kills it.

use std::path::PathBuf;

use tokio::net::TcpListener;

#[tokio::main]
async fn main() -> Result<(), Box<dyn std::error::Error>> {
    let mut arguments = std::env::args().skip(1);
    let (Some(port), Some(folder)) = (arguments.next(), arguments.next()) else {
        return Err("usage: s3_server PORT FOLDER".into());
    };
    let listener = TcpListener::bind(("127.0.0.1", port.parse()?)).await?;
    Ok(teststore::bucket::serve(listener, &PathBuf::from(folder)).await?)
}
