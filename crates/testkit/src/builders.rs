//! Builders of content: sensible by default, changed where the test needs it.

use std::sync::atomic::{AtomicU64, Ordering};

use domain::media::{MediaFile, MediaSheet};
use domain::{MediaKind, PoiSheet, Text, VocabularyId};
use store::media::Medias;
use store::poi::Pois;
use store::record::{Change, Stored};

use crate::app::TestApp;

impl TestApp {
    /// A POI to be.
    pub fn poi(&self) -> PoiBuilder {
        PoiBuilder::new(self.clone())
    }

    /// A media to be.
    pub fn media(&self) -> MediaBuilder {
        MediaBuilder::new(self.clone())
    }
}

/// A POI to be.
#[derive(Debug, Clone)]
pub struct PoiBuilder {
    app: TestApp,
    owner: String,
    published: bool,
    sheet: PoiSheet,
}

impl PoiBuilder {
    fn new(app: TestApp) -> Self {
        let sheet = PoiSheet {
            title: Text::new("Belvédère", "Viewpoint"),
            description: Text::new("<p>Une belle vue.</p>", "<p>A fine view.</p>"),
            location: Some([4.1, 47.2]),
            ..PoiSheet::default()
        };
        Self { app, owner: "morvan".to_owned(), published: false, sheet }
    }

    /// Sets the white-label that owns it, by its slug.
    #[must_use]
    pub fn owned_by(mut self, white_label: &str) -> Self {
        white_label.clone_into(&mut self.owner);
        self
    }

    /// With a French title.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.sheet.title = Text::in_french(title);
        self
    }

    /// Somewhere.
    #[must_use]
    pub fn at(mut self, lon: f64, lat: f64) -> Self {
        self.sheet.location = Some([lon, lat]);
        self
    }

    /// Shown by its owner.
    #[must_use]
    pub fn published(mut self) -> Self {
        self.published = true;
        self
    }

    /// In a category.
    #[must_use]
    pub fn in_category(mut self, category: VocabularyId) -> Self {
        self.sheet.category_ids.push(category.0);
        self
    }

    /// With a media.
    #[must_use]
    pub fn showing(mut self, media: impl Into<i64>) -> Self {
        self.sheet.media_ids.push(media.into());
        self
    }

    /// Stores it.
    ///
    /// # Panics
    /// When the store refuses.
    pub async fn insert(self) -> Stored<PoiSheet> {
        let now = self.app.app().now();
        let mut poi = Stored::blank(Some(self.app.white_label(&self.owner).await), now);
        (poi.sheet, poi.published) = (self.sheet, self.published);
        let languages = &self.app.app().settings.content_languages;
        let tx = self.app.store().begin().await.expect("a transaction starts");
        let change = Change { by: None, at: now, reason: None, languages };
        let made = store::record::insert::<Pois>(&tx, poi, change).await.expect("a poi can be added");
        tx.commit().await.expect("it is kept");
        made
    }
}

/// A media file to insert: a picture of the smallest size that is accepted. Its sizes are not made: `made()` makes them.
#[derive(Debug, Clone)]
pub struct MediaBuilder {
    app: TestApp,
    owner: String,
    sheet: MediaSheet,
    bytes: Vec<u8>,
    made: bool,
}

impl MediaBuilder {
    fn new(app: TestApp) -> Self {
        let file = MediaFile {
            kind: MediaKind::Image,
            mime: "image/jpeg".to_owned(),
            width: Some(1200),
            height: Some(800),
            ..MediaFile::default()
        };
        let sheet = MediaSheet {
            file_name: "Été.jpg".to_owned(),
            legend: Text::in_french("L’étang"),
            copyright: Some("C. Le Goff".to_owned()),
            file,
            ..MediaSheet::default()
        };
        Self { app, owner: "morvan".to_owned(), sheet, bytes: Vec::new(), made: false }
    }

    /// Sets the white-label that owns it, by its slug.
    #[must_use]
    pub fn owned_by(mut self, white_label: &str) -> Self {
        white_label.clone_into(&mut self.owner);
        self
    }

    /// Sets the file name.
    #[must_use]
    pub fn named(mut self, file_name: &str) -> Self {
        file_name.clone_into(&mut self.sheet.file_name);
        self
    }

    /// With its sizes.
    #[must_use]
    pub fn made(mut self) -> Self {
        self.made = true;
        self.bytes = crate::samples::jpeg(1200, 800);
        self
    }

    /// Stores it, bytes and all.
    ///
    /// # Panics
    /// When the store refuses.
    pub async fn insert(mut self) -> Stored<MediaSheet> {
        static KEYS: AtomicU64 = AtomicU64::new(0);
        let app = self.app.app();
        let owner = self.app.white_label(&self.owner).await;
        self.sheet.file.blob_key = format!("media/{}", KEYS.fetch_add(1, Ordering::Relaxed));
        self.sheet.file.bytes = self.bytes.len() as u64;
        app.blobs.put(&self.sheet.file.blob_key, self.bytes).await.expect("the folder can be written");
        let tx = app.store.begin().await.expect("a transaction starts");
        let new = Stored { sheet: self.sheet, ..Stored::blank(Some(owner), app.now()) };
        let languages = &app.settings.content_languages;
        let change = Change { by: None, at: app.now(), reason: None, languages };
        let media = store::record::insert::<Medias>(&tx, new, change).await.expect("a media can be added");
        tx.commit().await.expect("it is kept");
        if self.made {
            content::media::work::settle(app).await.expect("its sizes are made");
        }
        media
    }
}
