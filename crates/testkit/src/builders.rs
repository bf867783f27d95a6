//! Content to be: sensible by default, changed where the test says so.

use domain::{Media, MediaId, MediaKind, Poi, PoiFlags, PoiId, Text, VocabularyId, WhiteLabelId};
use trace::Position;

use crate::app::TestApp;
use crate::world;

/// A POI to be.
#[derive(Debug, Clone)]
pub struct PoiBuilder {
    app: TestApp,
    owner: String,
    poi: Poi,
}

impl PoiBuilder {
    pub(crate) fn new(app: TestApp) -> Self {
        let poi = Poi {
            id: PoiId(0),
            white_label_id: WhiteLabelId(0),
            title: Text::new("Belvédère", "Viewpoint"),
            description: Text::new("<p>Une belle vue.</p>", "<p>A fine view.</p>"),
            location: Position::new(4.1, 47.2),
            flags: PoiFlags::default(),
            published: false,
            category_ids: Vec::new(),
            theme_ids: Vec::new(),
            media_ids: Vec::new(),
            version: 1,
            updated_at: world::NOW,
        };
        Self { app, owner: "morvan".to_owned(), poi }
    }

    /// Of a white-label.
    #[must_use]
    pub fn owned_by(mut self, white_label: &str) -> Self {
        white_label.clone_into(&mut self.owner);
        self
    }

    /// With a French title.
    #[must_use]
    pub fn titled(mut self, title: &str) -> Self {
        self.poi.title = Text::in_french(title);
        self
    }

    /// Somewhere.
    #[must_use]
    pub fn at(mut self, lon: f64, lat: f64) -> Self {
        self.poi.location = Position::new(lon, lat);
        self
    }

    /// Shown by its owner.
    #[must_use]
    pub fn published(mut self) -> Self {
        self.poi.published = true;
        self
    }

    /// In a category.
    #[must_use]
    pub fn in_category(mut self, category: VocabularyId) -> Self {
        self.poi.category_ids.push(category);
        self
    }

    /// With a media.
    #[must_use]
    pub fn showing(mut self, media: MediaId) -> Self {
        self.poi.media_ids.push(media);
        self
    }

    /// Stores it.
    ///
    /// # Panics
    /// When the store refuses.
    pub async fn insert(mut self) -> Poi {
        self.poi.white_label_id = self.app.white_label(&self.owner).await;
        let tx = self.app.store().begin().await.expect("a transaction starts");
        self.poi.id = store::poi::insert(&tx, &self.poi, self.app.app().now()).await.expect("a poi can be added");
        tx.commit().await.expect("it is kept");
        self.poi
    }
}

/// A media to be: a picture of one pixel.
#[derive(Debug, Clone)]
pub struct MediaBuilder {
    app: TestApp,
    owner: String,
    file_name: String,
    bytes: Vec<u8>,
}

impl MediaBuilder {
    pub(crate) fn new(app: TestApp) -> Self {
        let bytes = b"GIF89a\x01\x00\x01\x00\x00\x00\x00;".to_vec();
        Self { app, owner: "morvan".to_owned(), file_name: "Été.gif".to_owned(), bytes }
    }

    /// Of a white-label.
    #[must_use]
    pub fn owned_by(mut self, white_label: &str) -> Self {
        white_label.clone_into(&mut self.owner);
        self
    }

    /// Of this name.
    #[must_use]
    pub fn named(mut self, file_name: &str) -> Self {
        file_name.clone_into(&mut self.file_name);
        self
    }

    /// Stores it, bytes and all.
    ///
    /// # Panics
    /// When the store refuses.
    pub async fn insert(self) -> Media {
        let app = self.app.app();
        let mut media = Media {
            id: MediaId(0),
            white_label_id: self.app.white_label(&self.owner).await,
            kind: MediaKind::Image,
            blob_key: format!("media/{}", self.file_name.len()),
            file_name: self.file_name,
            mime: "image/gif".to_owned(),
            bytes: self.bytes.len() as i64,
            width: Some(1),
            height: Some(1),
            legend: Text::in_french("L’étang"),
            alt: Text::default(),
            copyright: Some("C. Le Goff".to_owned()),
            version: 1,
            updated_at: app.now(),
        };
        app.blobs.put(&media.blob_key, self.bytes).await.expect("the folder can be written");
        let tx = app.store.begin().await.expect("a transaction starts");
        media.id = store::media::insert(&tx, &media, app.now()).await.expect("a media can be added");
        tx.commit().await.expect("it is kept");
        media
    }
}
