//! Two servers on one PostgreSQL and one bucket fetch a region that is published; one of them is killed while it fetches (decision 0054).

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{Shutdown, TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::thread;
use std::time::Duration;

use domain::hexadecimal;
use domain::region::{BundleId, Manifest, NETWORK, TILES};
use sha2::{Digest as _, Sha256};
use store::Store;
use testkit::{Bucket, Database, TestStore, shared_data, skipped};

use crate::running::{Running, get, jalon};

const NAME: &str = "a_server_that_is_killed_while_it_fetches_a_region_goes_on_and_uses_no_half_file";
/// A byte count that is never reached.
const ALL: u64 = u64::MAX / 2;

/// A proxy in front of the bucket: the first bytes of answers pass fast, then 40 kB each second for each connection.
struct SlowProxy {
    address: String,
    fast: Arc<AtomicU64>,
    passed: Arc<AtomicU64>,
}

impl SlowProxy {
    fn to(endpoint: &str) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let address = format!("http://{}", listener.local_addr().unwrap());
        let target = endpoint.trim_start_matches("http://").to_owned();
        let (fast, passed) = (Arc::new(AtomicU64::new(0)), Arc::new(AtomicU64::new(0)));
        let counters = (Arc::clone(&fast), Arc::clone(&passed));
        thread::spawn(move || {
            for client in listener.incoming().flatten() {
                let Ok(server) = TcpStream::connect(&target) else { continue };
                let (mut requests, mut to_server) = (client.try_clone().unwrap(), server.try_clone().unwrap());
                thread::spawn(move || {
                    let _ = std::io::copy(&mut requests, &mut to_server);
                    let _ = to_server.shutdown(Shutdown::Write);
                });
                let counters = counters.clone();
                thread::spawn(move || answers(server, client, &counters.0, &counters.1));
            }
        });
        Self { address, fast, passed }
    }

    /// From now on this number of bytes passes fast.
    fn pass_fast(&self, bytes: u64) {
        self.fast.store(bytes, Ordering::Relaxed);
    }

    /// The bytes of answers that passed since this was asked last.
    fn passed(&self) -> u64 {
        self.passed.swap(0, Ordering::Relaxed)
    }
}

fn answers(mut server: TcpStream, mut client: TcpStream, fast: &AtomicU64, passed: &AtomicU64) {
    let mut piece = vec![0; 16 * 1024];
    loop {
        let left = fast.load(Ordering::Relaxed);
        let most = if left == 0 { 4 * 1024 } else { piece.len() };
        let Ok(read @ 1..) = server.read(&mut piece[..most]) else { break };
        // Short answers are not held up.
        if left == 0 && read == most {
            thread::sleep(Duration::from_millis(100));
        }
        let _ = fast.fetch_update(Ordering::Relaxed, Ordering::Relaxed, |left| Some(left.saturating_sub(read as u64)));
        passed.fetch_add(read as u64, Ordering::Relaxed);
        if client.write_all(&piece[..read]).is_err() {
            break;
        }
    }
    let _ = client.shutdown(Shutdown::Both);
    let _ = server.shutdown(Shutdown::Both);
}

/// What a load balancer sees: the status, and the answer.
fn readiness(port: u16) -> Option<(u16, serde_json::Value)> {
    let (status, body) = get(port, "/readyz")?;
    Some((status, serde_json::from_str(&body).ok()?))
}

/// Whether the server uses this bundle, is ready for requests, and has none to fetch.
fn uses(port: u16, id: &BundleId) -> bool {
    readiness(port).is_some_and(|(status, is)| {
        status == 200 && is["region"]["bundle"] == id.as_str() && is["region"]["state"] == "up_to_date"
    })
}

/// The version of the tiles that pages of the server show.
fn tiles(port: u16) -> String {
    let (status, style) = get(port, "/map/style-light.json").unwrap();
    assert_eq!(status, 200);
    style.split("?v=").nth(1).unwrap().split('"').next().unwrap().to_owned()
}

fn size(file: &Path) -> u64 {
    fs::metadata(file).map_or(0, |found| found.len())
}

fn names(folder: &Path) -> Vec<String> {
    let mut names: Vec<_> =
        fs::read_dir(folder).unwrap().flatten().map(|entry| entry.file_name().into_string().unwrap()).collect();
    names.sort();
    names
}

/// Every file of the bundle is there with the bytes that were published.
fn assert_whole(folder: &Path, manifest: &Manifest) {
    for part in manifest.parts() {
        let sum = Sha256::digest(fs::read(folder.join(&part.name)).unwrap());
        assert_eq!(hexadecimal(&sum), part.sha256, "{}", part.name);
    }
}

async fn current(store: &Store) -> Manifest {
    let current = store::region::current(store.read()).await.unwrap().unwrap();
    store::region::find(store.read(), &current.id).await.unwrap().unwrap().manifest
}

#[test]
fn a_server_that_is_killed_while_it_fetches_a_region_goes_on_and_uses_no_half_file() {
    let Some(shared) = shared_data() else { return skipped(NAME, "../shared/data is missing") };
    testkit::run(Database::Postgres, NAME, async |test: TestStore| {
        let bucket = Bucket::start(&test.scratch).await;
        let known = bucket.settings();
        let place = "SELECT 'postgres://' || current_user || '@127.0.0.1:' || current_setting('port') || '/' || current_database()";
        let database = store::server::texts(test.store.read(), place).await.unwrap().concat();
        let proxy = SlowProxy::to(known.endpoint.as_deref().unwrap());
        let url = format!("s3://{}/{}", known.bucket, known.prefix);
        let key = "7".repeat(64);
        let settings = |endpoint: &str| -> Vec<(String, String)> {
            [
                ("DATABASE_URL", database.as_str()),
                ("JALON_SERVER_KEY", &key),
                ("JALON_BLOBS__URL", &url),
                ("JALON_BLOBS__ENDPOINT", endpoint),
                ("JALON_BLOBS__REGION", &known.region),
                ("JALON_BLOBS__ACCESS_KEY_ID", &known.access_key_id),
                ("JALON_BLOBS__SECRET_ACCESS_KEY", &known.secret_access_key),
                ("JALON_BLOBS__PATH_STYLE", "true"),
            ]
            .map(|(name, value)| (name.to_owned(), value.to_owned()))
            .to_vec()
        };
        let direct = settings(known.endpoint.as_deref().unwrap());
        let slow = settings(&proxy.address);
        let folder = |name: &str| {
            let folder = test.scratch.path().join(name);
            fs::create_dir_all(&folder).unwrap();
            folder
        };
        let (publisher, a, b) = (folder("publisher"), folder("a"), folder("b"));
        let publish = |extract: &str| {
            let extract: PathBuf = shared.join(format!("osm/{extract}.osm.pbf"));
            let arguments = ["network", "build", extract.to_str().unwrap(), "--publish"];
            let done = jalon(&publisher, &borrowed(&direct), &arguments).output().unwrap();
            assert!(done.status.success(), "{}", String::from_utf8_lossy(&done.stderr));
        };
        let partial = |id: &BundleId, name: &str| a.join(format!("regions/.{id}.part/{name}.partial"));

        // The servers have no region: the one that fetches gets no requests, also when it was killed and starts again.
        let mut killed = Running::start(&a, &borrowed(&slow));
        let mut other = Running::start(&b, &borrowed(&direct));
        publish("andorra-2021");
        let manifest = current(&test.store).await;
        let first = manifest.id();
        other.until(|port| uses(port, &first), "the other one uses the first region");
        let old = tiles(other.port);
        killed.until(|_| size(&partial(&first, TILES)) > 20_000, "the first file is begun");
        let (status, is) = readiness(killed.port).unwrap();
        assert_eq!((status, &is["network"]), (503, &"fetching".into()), "{is}");
        killed.kill();
        let begun = size(&partial(&first, TILES));
        let mut killed = Running::begin(&a, &borrowed(&slow));
        killed.until(|_| size(&partial(&first, TILES)) > begun, "it goes on where it was");
        let (status, is) = readiness(killed.port).unwrap();
        assert_eq!((status, &is["network"]), (503, &"fetching".into()), "{is}");
        assert_eq!(names(&a.join("regions")), [format!(".{first}.part"), ".lock".to_owned()]);
        assert!(uses(other.port, &first));
        proxy.pass_fast(ALL);
        killed.until(|port| uses(port, &first), "it uses the first region");
        assert_eq!(tiles(killed.port), old);

        // They have one: the one that was killed goes on with it until all of the next one is here.
        proxy.pass_fast(0);
        publish("andorra");
        let manifest = current(&test.store).await;
        let second = manifest.id();
        assert_ne!(first, second);
        other.until(|port| uses(port, &second), "the other one uses the second region");
        let new = tiles(other.port);
        assert_ne!(old, new);
        killed.until(|_| size(&partial(&second, TILES)) > 20_000, "the first file is begun");
        assert_eq!((readiness(killed.port).unwrap().0, tiles(killed.port)), (200, old.clone()));
        killed.kill();

        // Killed once more, in the second file.
        let all = |name: &str| manifest.parts().iter().find(|part| part.name == name).unwrap().bytes;
        proxy.pass_fast(all(TILES) - size(&partial(&second, TILES)) + all(NETWORK) / 2);
        let mut killed = Running::start(&a, &borrowed(&slow));
        assert_eq!(tiles(killed.port), old, "no half region is used");
        killed.until(|_| size(&partial(&second, NETWORK)) > all(NETWORK) / 3, "the second file is begun");
        assert_eq!((readiness(killed.port).unwrap().0, tiles(killed.port)), (200, old));
        assert!(!a.join("regions").join(second.as_str()).exists());
        killed.kill();

        assert!(uses(other.port, &second), "the other one serves meanwhile");
        proxy.passed();
        proxy.pass_fast(ALL);
        let mut killed = Running::start(&a, &borrowed(&slow));
        killed.until(|port| uses(port, &second), "it uses the second region");
        assert_eq!(tiles(killed.port), new);
        let (passed, all) = (proxy.passed(), all(NETWORK));
        assert!(passed < all * 9 / 10, "what was here is not fetched again: {passed} of {all} bytes");
        assert_whole(&a.join("regions").join(second.as_str()), &manifest);
        let mut expected = [".lock".to_owned(), first.to_string(), second.to_string()];
        expected.sort();
        assert_eq!(names(&a.join("regions")), expected, "nothing else is left");
    });
}

fn borrowed(settings: &[(String, String)]) -> Vec<(&str, &str)> {
    settings.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect()
}
