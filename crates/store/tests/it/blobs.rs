//! Blobs, in a folder and in a bucket.

use domain::Instant;
use futures_util::TryStreamExt;
use macros::app_test;
use sea_orm::ConnectionTrait as _;
use store::blob_check::SweepRefusal;
use store::{Blobs, BlobsFault, Connection as _, StoreError, blob_check, upload};
use teststore::{Bucket, Scratch, TestStore};

/// The same blobs in a folder and in a bucket, each with its name.
async fn both(scratch: &Scratch) -> [(&'static str, Blobs); 2] {
    let folder = Blobs::folder(&scratch.path().join("blobs")).unwrap();
    [("folder", folder), ("bucket", Bucket::start(scratch).await.blobs())]
}

#[tokio::test]
async fn bytes_are_put_replaced_read_and_deleted() {
    let scratch = Scratch::new();
    for (place, blobs) in both(&scratch).await {
        assert_eq!(blobs.get("a/b").await.unwrap(), None, "{place}");
        assert_eq!(blobs.size("a/b").await.unwrap(), None, "{place}");
        blobs.put("a/b", vec![1, 2, 3]).await.unwrap();
        blobs.put("a/b", vec![4, 5]).await.unwrap();
        assert_eq!(blobs.get("a/b").await.unwrap().unwrap().as_ref(), [4, 5], "{place}");
        assert_eq!(blobs.size("a/b").await.unwrap(), Some(2), "{place}");
        blobs.put("a/empty", Vec::new()).await.unwrap();
        assert_eq!(blobs.get("a/empty").await.unwrap().unwrap().len(), 0, "{place}");
        blobs.delete("a/b").await.unwrap();
        blobs.delete("a/b").await.unwrap();
        assert_eq!(blobs.get("a/b").await.unwrap(), None, "{place}");
        assert!(blobs.stream("a/b", None).await.unwrap().is_none(), "{place}");
        blobs.put("../../out", vec![1]).await.unwrap();
        assert_eq!(blobs.get("../../out").await.unwrap().unwrap().len(), 1, "{place}");
    }
    assert!(!scratch.path().join("../out").exists(), "a key cannot leave the folder");
}

#[tokio::test]
async fn a_range_is_read_alone_with_the_size_of_the_whole() {
    let scratch = Scratch::new();
    for (place, blobs) in both(&scratch).await {
        let bytes: Vec<u8> = (0..=255).collect();
        blobs.put("range", bytes).await.unwrap();
        for (range, expected) in [(Some(10..13), vec![10, 11, 12]), (Some(255..256), vec![255])] {
            let (total, stream) = blobs.stream("range", range).await.unwrap().unwrap();
            let pieces: Vec<_> = stream.try_collect().await.unwrap();
            assert_eq!((total, pieces.concat()), (256, expected), "{place}");
        }
        let (total, stream) = blobs.stream("range", None).await.unwrap().unwrap();
        let pieces: Vec<_> = stream.try_collect().await.unwrap();
        assert_eq!((total, pieces.concat().len()), (256, 256), "{place}");
    }
}

#[tokio::test]
async fn a_large_file_goes_in_parts_and_comes_back_the_same() {
    let scratch = Scratch::new();
    let (file, back) = (scratch.path().join("large"), scratch.path().join("back"));
    let bytes: Vec<u8> = (0..12_345_678_u32).map(|at| (at % 251) as u8).collect();
    std::fs::write(&file, &bytes).unwrap();
    for (place, blobs) in both(&scratch).await {
        blobs.put_file("large", &file).await.unwrap();
        assert_eq!(blobs.size("large").await.unwrap(), Some(bytes.len() as u64), "{place}");
        assert!(blobs.get_file("large", &back).await.unwrap());
        assert!(std::fs::read(&back).unwrap() == bytes, "{place}");
        assert!(!blobs.get_file("missing", &back).await.unwrap(), "{place}");
    }
}

#[tokio::test]
#[expect(clippy::disallowed_methods, reason = "the times of files are those of the machine")]
async fn the_oldest_blobs_of_a_folder_make_room() {
    let scratch = Scratch::new();
    let bucket = Bucket::start(&scratch).await;
    let folder = scratch.path().join("evicted");
    let places = [("folder", Blobs::folder(&folder).unwrap(), folder), ("bucket", bucket.blobs(), bucket.folder())];
    for (place, blobs, files) in places {
        // The age of a blob of a real server cannot be chosen.
        if place == "bucket" && bucket.is_real() {
            continue;
        }
        for (age_s, key) in [(30, "card/1"), (20, "roadbook/2"), (10, "card/3"), (40, "roadbook-batches/4")] {
            blobs.put(key, vec![0_u8; 100]).await.unwrap();
            let file = std::fs::File::options().write(true).open(files.join(key)).unwrap();
            file.set_modified(std::time::SystemTime::now() - std::time::Duration::from_secs(age_s)).unwrap();
        }
        blobs.evict(&["roadbook", "card"], 250).await.unwrap();
        let mut left = Vec::new();
        for key in ["card/1", "roadbook/2", "card/3", "roadbook-batches/4"] {
            left.push(blobs.size(key).await.unwrap().is_some());
        }
        assert_eq!(left, [false, true, true, true], "{place}: the oldest goes, another folder is left alone");
    }
}

#[tokio::test]
async fn a_check_writes_reads_and_deletes_and_says_what_is_wrong() {
    let scratch = Scratch::new();
    for (place, blobs) in both(&scratch).await {
        blobs.check("0123").await.unwrap_or_else(|fault| panic!("{place}: {fault}"));
    }
    let bucket = Bucket::start(&scratch).await;
    assert_eq!(bucket.keys("check").await, Vec::<String>::new());
    let fault = async |change: fn(&mut store::BucketSettings)| {
        bucket.blobs_with(change).check("0123").await.expect_err("it does not work")
    };
    assert!(matches!(fault(|settings| settings.bucket = "other".to_owned()).await, BlobsFault::NoBucket));
    let refused = fault(|settings| settings.secret_access_key = "wrong".to_owned()).await;
    // Garage has one code for a wrong secret and a key without rights.
    let codes = ["SignatureDoesNotMatch", "AccessDenied"];
    assert!(matches!(&refused, BlobsFault::KeyRefused(code) if codes.contains(&code.as_str())), "{refused}");
    let refused = fault(|settings| settings.access_key_id = "GK9".to_owned()).await;
    assert!(matches!(&refused, BlobsFault::KeyRefused(_)), "{refused}");
    let away = fault(|settings| settings.endpoint = Some("http://127.0.0.1:1".to_owned())).await;
    assert!(matches!(&away, BlobsFault::Failed(_)), "{away}");
}

#[tokio::test]
async fn a_bucket_that_fails_is_unavailable_and_no_missing_blob() {
    let scratch = Scratch::new();
    let bucket = Bucket::start(&scratch).await;
    let blobs = bucket.blobs();
    blobs.put("a", vec![1]).await.unwrap();
    bucket.fail_with(503);
    assert!(matches!(blobs.get("a").await, Err(StoreError::BlobsUnavailable(_))));
    assert!(matches!(blobs.put("b", vec![1]).await, Err(StoreError::BlobsUnavailable(_))));
    bucket.fail_with(403);
    assert!(matches!(blobs.size("a").await, Err(StoreError::BlobsUnavailable(_))));
    bucket.recover();
    assert_eq!(blobs.size("a").await.unwrap(), Some(1), "it works again by itself");
    let gone = bucket.blobs_with(|settings| settings.bucket = "gone".to_owned());
    assert!(matches!(gone.get("a").await, Err(StoreError::BlobsUnavailable(_))));
    assert!(matches!(gone.size("a").await, Err(StoreError::BlobsUnavailable(_))));
    assert!(matches!(gone.put("a", vec![1]).await, Err(StoreError::BlobsUnavailable(_))));
}

#[tokio::test]
async fn blobs_are_copied_to_a_bucket_and_a_second_run_copies_what_came_since() {
    let scratch = Scratch::new();
    let [(_, folder), (_, bucket)] = both(&scratch).await;
    let large: Vec<u8> = (0..6_000_000_u32).map(|at| (at % 251) as u8).collect();
    folder.put("media/large", large.clone()).await.unwrap();
    for at in 0..30 {
        folder.put(&format!("sources/{at}"), vec![at; 10]).await.unwrap();
    }
    bucket.put("sources/7", vec![0; 10]).await.unwrap();
    let mut seen = 0;
    let copied = blob_check::copy_missing(&folder, &bucket, |_| seen += 1).await.unwrap();
    assert_eq!((copied, seen), ((30, 6_000_000 + 29 * 10), 30));
    assert!(bucket.get("media/large").await.unwrap().unwrap() == large);
    assert_eq!(bucket.get("sources/7").await.unwrap().unwrap().as_ref(), [0; 10], "what is there stays");
    folder.put("sources/late", vec![1]).await.unwrap();
    assert_eq!(blob_check::copy_missing(&folder, &bucket, |_| {}).await.unwrap(), (1, 1));
    assert_eq!(blob_check::copy_missing(&folder, &bucket, |_| {}).await.unwrap(), (0, 0));
}

#[app_test]
async fn missing_blobs_and_orphans_are_found(test: TestStore) {
    let bucket = Bucket::start(&test.scratch).await.blobs();
    let folder = Blobs::folder(&test.scratch.path().join("checked")).unwrap();
    let tx = test.store.begin().await.unwrap();
    let (piece, lost) = (piece("upload/t/1", 0), piece("upload/t/2", 5));
    let white_label = store::white_label::find_by_slug(&tx, "morvan").await.unwrap().unwrap();
    let user = store::user::find_by_email(&tx, "editor@morvan.example").await.unwrap().unwrap().0;
    let upload = upload::Upload {
        token: "t".to_owned(),
        user_id: user.id,
        white_label_id: white_label.id,
        file_name: "a.jpg".to_owned(),
        purpose: domain::media::MediaPurpose::Content,
        bytes: 20,
        received: 0,
        expires_at: teststore::NOW.plus_s(60),
        media_id: None,
        problem: None,
    };
    upload::insert(&tx, &upload).await.unwrap();
    for one in [&piece, &lost] {
        upload::announce_piece(&tx, "t", one, teststore::NOW).await.unwrap();
        assert!(upload::add_piece(&tx, "t", one).await.unwrap());
    }
    tx.commit().await.unwrap();
    for blobs in [bucket, folder] {
        for key in ["upload/t/1", "upload/u/9", "media/never-noted", "sources/kept", "roadbook/1-fr.pdf"] {
            blobs.put(key, vec![1; 5]).await.unwrap();
        }
        let db = test.store.read();
        let verified = blob_check::verify(db, &blobs, |sha256| format!("sources/{sha256}")).await.unwrap();
        assert_eq!((verified.needed, verified.missing), (2, vec!["upload/t/2".to_owned()]));
        let found = blob_check::sweep(db, &blobs, Instant(i64::MAX)).await.unwrap().orphans;
        let found: Vec<_> = found.iter().map(|blob| (blob.key.as_str(), blob.bytes)).collect();
        assert_eq!(found, [("media/never-noted", 5), ("upload/u/9", 5)]);
        let young = blob_check::sweep(db, &blobs, Instant(1_000)).await.unwrap();
        assert_eq!((young.orphans, young.younger), (Vec::new(), 2), "too young");
    }
}

#[app_test]
async fn a_database_that_is_not_that_of_the_blobs_deletes_none_of_them(test: TestStore) {
    let blobs = Blobs::folder(&test.scratch.path().join("of-another")).unwrap();
    let refusal = async || {
        let found = blob_check::sweep(test.store.read(), &blobs, Instant(i64::MAX)).await.unwrap();
        (found.orphans.len(), found.refusal())
    };
    assert_eq!(refusal().await, (0, None));
    blobs.put("check/of-a-server-that-stopped", vec![1]).await.unwrap();
    assert_eq!(refusal().await, (1, None), "a test blob is of no database");
    blobs.put("region/published-before-a-restore", vec![1]).await.unwrap();
    assert_eq!(refusal().await, (2, None), "a backup does not hold the region");
    blobs.put("media/1", vec![1]).await.unwrap();
    assert_eq!(refusal().await, (3, Some(SweepRefusal::NoneNamed(1))));
    let tx = test.store.begin().await.unwrap();
    let named = "INSERT INTO media_blob (blob_key, media_id) VALUES ('media/named', 1)";
    tx.executor().execute_unprepared(named).await.unwrap();
    tx.commit().await.unwrap();
    assert_eq!(refusal().await, (3, Some(SweepRefusal::NoneNamed(1))), "what it names is not in the store");
    blobs.put("media/named", vec![1]).await.unwrap();
    assert_eq!(refusal().await, (3, None));
    for at in 2..=21 {
        blobs.put(&format!("media/{at}"), vec![1]).await.unwrap();
    }
    assert_eq!(refusal().await, (23, Some(SweepRefusal::MostUnnamed { orphans: 21, stored: 22 })));
}

fn piece(key: &str, first_byte: u64) -> upload::Piece {
    upload::Piece { blob_key: key.to_owned(), first_byte, bytes: 5 }
}
