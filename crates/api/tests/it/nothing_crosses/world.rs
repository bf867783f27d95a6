//! Two tenants: the Morvan has one of everything, with a marker in each text that is not public; the Vercors has records
//! too, some of which refer to those of the Morvan, as they could before references were checked.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use axum::body::Body;
use axum::http::Method;
use domain::feedback::{NewReport, NewReview};
use domain::parcours::{Relation, Sheet};
use domain::statistics::{Event, EventKind, EventSource};
use domain::{ContactSheet, ParcoursId, Role};
use serde_json::{Value, json};
use store::contact::Contacts;
use store::feedback::{add_photo, confirm, insert_report, insert_review};
use store::poi::Pois;
use store::provider_link::ProviderLinks;
use store::record::{Change, Record};
use testkit::{Client, TestApp};

use super::fill::{self, TextField};
use super::renderer::RecordingRenderer;
use crate::feeds::new_api_key;
use crate::imports_kit::{run_source, settled};
use crate::mcp_kit::Assistant;
use crate::parcours_kit::{eastward, gpx, imported, made, now, patch, path, published};
use crate::rows_ground::new_id;

/// The tenant whose records are private.
pub const A: &str = "morvan";
/// The tenant that asks.
pub const B: &str = "vercors";

/// The records that were made.
pub struct World {
    pub app: TestApp,
    pub renderer: RecordingRenderer,
    /// The API key of the tenant that asks.
    pub key: String,
    /// The keys of pages, of the private tenant and of the one that asks: they are public, in addresses.
    pub page_keys: Vec<String>,
    /// The markers, in small letters.
    pub marks: BTreeSet<String>,
    /// Markers that no answer contains, not even to their owner: sealed keys.
    pub secrets: BTreeSet<String>,
    pub contract: Value,
    ids: BTreeMap<&'static str, Vec<String>>,
}

/// The public key in the pages of a white-label.
async fn page_key_of(app: &TestApp, white_label: &str) -> String {
    let id = app.white_label(white_label).await;
    let answer = app.superadmin().get(format!("/api/v1/white-labels/{id}/widget")).await.expect(200).json();
    answer["key"].as_str().expect("a key is a text").to_owned()
}

impl World {
    /// What a test needs to ask for the records again, in another process.
    pub fn saved(&self) -> Value {
        json!({"key": self.key, "page_keys": self.page_keys, "marks": self.marks, "secrets": self.secrets, "ids": self.ids})
    }

    /// The records of [`World::saved`], in the database of this application.
    pub fn over(app: &TestApp, saved: &Value) -> Self {
        let texts = |name: &str| saved[name].as_array().unwrap().iter().map(|text| text.as_str().unwrap().to_owned());
        let mut world = Self::empty(app);
        world.key = saved["key"].as_str().unwrap().to_owned();
        world.page_keys = texts("page_keys").collect();
        world.marks = texts("marks").collect();
        world.secrets = texts("secrets").collect();
        for (segment, ids) in saved["ids"].as_object().unwrap() {
            let ids = ids.as_array().unwrap().iter().map(|id| id.as_str().unwrap().to_owned()).collect();
            world.ids.insert(segment.clone().leak(), ids);
        }
        world
    }

    fn empty(app: &TestApp) -> Self {
        let renderer = RecordingRenderer::default();
        let app = app.changed(|parts| {
            parts.renderer = Some(Arc::new(renderer.clone()));
            parts.settings.public_requests_a_minute = 0;
            parts.settings.feedback_an_hour = 0;
            parts.settings.events_per_minute = 0;
            parts.settings.requests.anonymous_writes_per_minute = 0;
        });
        Self {
            renderer,
            key: String::new(),
            page_keys: Vec::new(),
            marks: BTreeSet::new(),
            secrets: BTreeSet::new(),
            contract: serde_json::to_value(api::openapi()).unwrap(),
            ids: BTreeMap::new(),
            app,
        }
    }

    /// Makes all of it.
    pub async fn build(app: &TestApp) -> Self {
        let mut world = Self::empty(app);
        world.people().await;
        world.asker().await;
        world.catalogue().await;
        world.parcours().await;
        world.shared_parcours().await;
        world.sources().await;
        world.beside().await;
        world.planted_references().await;
        world.key = new_api_key(&world.app, B).await;
        world.page_keys = vec![page_key_of(&world.app, A).await, page_key_of(&world.app, B).await];
        world
    }

    /// The numbers of the records of a kind, by the segment of their path: those of the private tenant first.
    pub fn ids(&self, segment: &str) -> Option<&[String]> {
        self.ids.get(segment).map(Vec::as_slice)
    }

    fn keep(&mut self, segment: &'static str, id: impl ToString) {
        self.ids.entry(segment).or_default().push(id.to_string());
    }

    /// A marker, noted.
    fn mark(&mut self, words: &str) -> String {
        let marker = format!("Zq7{words}");
        self.marks.insert(marker.to_lowercase());
        marker
    }

    /// A marker of a key that is sealed.
    fn secret(&mut self, words: &str) -> String {
        let marker = self.mark(words);
        self.secrets.insert(marker.to_lowercase());
        marker
    }

    fn is_kept(&self, at: &str) -> Vec<String> {
        self.ids.get(at).cloned().unwrap_or_default()
    }

    /// Sends a body with a marker in each of its texts; a text that must be an address of some kind becomes one.
    async fn filled(
        &mut self,
        by: &Client,
        (method, template): (Method, &str),
        path: &str,
        tag: &str,
        base: Value,
    ) -> Value {
        let operation = self.contract["paths"][template][method.as_str().to_lowercase()].clone();
        let schema = fill::body_of(&self.contract, &operation).unwrap_or_else(|| panic!("{template} takes no JSON"));
        let mut text_fields: Vec<TextField> = fill::text_fields(&self.contract, schema, "");
        // Files have separate operations.
        let is_file = |at: &str| {
            ["/file", "/poster", "/translated"].iter().any(|one| at == *one || at.starts_with(&format!("{one}/")))
        };
        text_fields.retain(|field| base.pointer(&field.pointer).is_none() && !is_file(&field.pointer));
        for _ in 0..30 {
            let body = fill::body(&base, &text_fields, tag).to_string();
            let client = by.clone().with("if-match", "*");
            let reply = client.send(method.clone(), path, Some("application/json"), Body::from(body)).await;
            if reply.status.is_success() {
                for field in text_fields.iter().filter(|field| field.is_marked()) {
                    self.marks.insert(field.marker(tag).to_lowercase());
                }
                return reply.json();
            }
            let problem = reply.problem();
            let faults = problem.errors.iter().map(|fault| fault.field.clone()).chain(problem.field.clone());
            let turned: Vec<bool> = faults
                .flat_map(|fault| text_fields.iter_mut().map(|field| field.refused(&fault)).collect::<Vec<_>>())
                .collect();
            assert!(turned.contains(&true), "{method} {path}: {}", reply.text());
        }
        panic!("{method} {path} takes no body of ours");
    }

    /// Names the people of the private tenant by markers: their names appear wherever they save something.
    async fn people(&mut self) {
        let keeper = self.app.superadmin();
        for role in [Role::Reader, Role::Editor, Role::Agency, Role::Admin] {
            let path = format!("/api/v1/users/{}", self.app.user(role, A).await);
            let tag = format!("user{}", role.as_str());
            let now = keeper.get(&path).await.expect(200).json();
            let base = json!({"email": now["email"], "role": now["role"], "country": null, "city": null, "postcode": null,
                "address": null, "phone": null, "billing_client_id": null, "first_name": "Camille"});
            self.filled(&keeper, (Method::PATCH, "/api/v1/users/{id}"), &path, &tag, base).await;
        }
        let users = "/api/v1/users";
        let own = self.app.white_label(A).await;
        let base = json!({"role": "editor", "locale": "fr", "white_label_ids": [own.0], "structure_id": 1});
        let admin = self.app.admin_of(A);
        let user = self.filled(&admin, (Method::POST, users), users, "newuser", base).await;
        self.keep("users", &user["id"]);
        let theirs = self.app.user(Role::Editor, B).await;
        self.keep("users", theirs);
    }

    /// Makes the asking tenant's records, to be referred to.
    async fn asker(&mut self) {
        let editor = self.app.editor_of(B);
        let parcours = made(
            &editor,
            "Vertaco",
            json!({"description": {"fr": "<p>Ici.</p>"}, "distribute_own": true, "distribute_partners": true}),
        )
        .await;
        imported(&editor, &parcours, "vertaco.gpx", gpx(&eastward())).await.expect(200);
        let parcours = published(&editor, &now(&editor, &parcours).await).await;
        self.keep("their parcours", &parcours["id"]);
        let poi = self.app.poi().owned_by(B).titled("Grotte").at(4.003, 47.0).published().insert().await;
        self.keep("their pois", poi.id);
        let media = self.app.media().owned_by(B).named("grotte.jpg").made().insert().await;
        self.keep("their medias", media.id);
        let line = editor.post("/api/v1/transport-lines", json!({"long_name": "Autrans"})).await.expect(201).json();
        self.keep("their lines", &line["id"]);
    }

    async fn catalogue(&mut self) {
        let (app, admin, keeper) = (self.app.clone(), self.app.admin_of(A), self.app.superadmin());
        let (own, theirs) = (app.white_label(A).await.0, app.white_label(B).await.0);
        self.keep("white-labels", own);
        self.keep("white-labels", theirs);
        self.keep("structures", 1);
        self.keep("structures", 2);

        let contacts = "/api/v1/contacts";
        let base = json!({"white_label_ids": [own]});
        let contact = self.filled(&admin, (Method::POST, contacts), contacts, "contact", base).await;
        self.keep("contacts", &contact["id"]);
        let answers_for_both = |sheet: &mut ContactSheet| sheet.white_label_ids.push(theirs);
        self.change::<Contacts>(contact["id"].as_i64().unwrap(), answers_for_both).await;

        let media = app.media().owned_by(A).named("Zq7media.jpg").made().insert().await;
        let at = format!("/api/v1/medias/{}", media.id);
        self.filled(&admin, (Method::PATCH, "/api/v1/medias/{id}"), &at, "media", json!({})).await;
        self.keep("medias", media.id);

        let fields = json!([{"key": "sol", "type": "text", "label": {"fr": "Sol"}, "on": "poi"},
            {"key": "sol", "type": "text", "label": {"fr": "Sol"}, "on": "parcours"}]);
        keeper
            .clone()
            .with("if-match", "*")
            .patch(format!("/api/v1/white-labels/{own}"), json!({"custom_fields": fields}))
            .await
            .expect(200);
        let pois = "/api/v1/pois";
        let custom = self.mark("poicustom");
        let base = json!({"location": [4.002, 47.0], "media_ids": [media.id], "custom": {"sol": custom}});
        let poi = self.filled(&admin, (Method::POST, pois), pois, "poi", base).await;
        self.keep("pois", &poi["id"]);
        let their_media: i64 = self.is_kept("their medias")[0].parse().unwrap();
        self.change::<Pois>(poi["id"].as_i64().unwrap(), |sheet| sheet.media_ids.push(their_media)).await;

        let links = "/api/v1/provider-links";
        let base = json!({"location": [4.0, 47.0], "revoked": true, "logo_media_id": media.id});
        let link = self.filled(&admin, (Method::POST, links), links, "provider", base).await;
        self.keep("provider-links", &link["id"]);
        let note = self.mark("providernote");
        let shown = json!({"name": "Le gîte", "location": [4.0, 47.0], "note": note});
        let link = admin.post(links, shown).await.expect(201).json();
        self.keep("provider-links", &link["id"]);

        let itinerary = json!({"name": {"fr": "La traversée"}});
        let itinerary = keeper.post("/api/v1/itineraries", itinerary).await.expect(201).json();
        let line = format!("/api/v1/itineraries/{}/line?file_name=traversee.gpx", itinerary["id"]);
        let drawn = keeper.clone().with("if-match", "*");
        drawn.send(Method::PUT, &line, Some("application/octet-stream"), gpx(&eastward()).into()).await.expect(200);
        self.keep("itineraries", &itinerary["id"]);
        for who in [A, B] {
            let closure = json!({"title": {"fr": "Travaux"}, "from": "2026-01-01",
                "geometry": {"type": "LineString", "coordinates": [[4.0, 47.0], [4.01, 47.0]]}});
            let closure = app.editor_of(who).post("/api/v1/closures", closure).await.expect(201).json();
            self.keep("closures", &closure["id"]);
        }
        let line = admin.post("/api/v1/transport-lines", json!({"long_name": "Autun"})).await.expect(201).json();
        self.keep("transport-lines", &line["id"]);
        let tag = json!({"label": {"fr": "Nuit"}});
        let tag = keeper.post("/api/v1/vocabularies/tag", tag).await.expect(201).json();
        self.keep("tag", &tag["id"]);

        // Keys: sealed, never shown.
        let path = format!("/api/v1/white-labels/{own}/translation-key");
        let key = self.secret("translationkey");
        admin.clone().with("if-match", "*").put(path, json!({"key": format!("{key}:fx")})).await.expect(204);
        let key = self.secret("assistantkey");
        let path = format!("/api/v1/white-labels/{own}/assistant");
        let model = self.mark("assistantmodel");
        let settings = json!({"enabled": true, "base_url": "https://modele.example/", "model": model});
        admin.clone().with("if-match", "*").put(&path, settings).await.expect(200);
        admin.clone().with("if-match", "*").put(format!("{path}/key"), json!({"key": key})).await.expect(204);
        let translator = keeper.post("/api/v1/translators", json!({"name": "DeepL"})).await.expect(201).json();
        let key = self.secret("translatorkey");
        let path = format!("/api/v1/translators/{}/key", translator["id"]);
        keeper.clone().with("if-match", "*").put(path, json!({"key": key})).await.expect(204);
        self.keep("translators", &translator["id"]);
    }

    /// A draft with everything a parcours can have.
    async fn parcours(&mut self) {
        let (app, admin) = (self.app.clone(), self.app.admin_of(A));
        let number = |ids: Vec<String>| ids[0].parse::<i64>().unwrap();
        let (step, told, custom) = (self.mark("steptitle"), self.mark("steptext"), self.mark("parcourscustom"));
        let (named_line, tag) = (number(self.is_kept("their lines")), number(self.is_kept("tag")));
        let base = json!({
            "poi_ids": [number(self.is_kept("pois")), number(self.is_kept("their pois"))],
            "media_ids": [number(self.is_kept("medias"))],
            "contact_id": number(self.is_kept("contacts")),
            "itinerary_ids": [number(self.is_kept("itineraries"))],
            "tag_ids": [tag],
            "custom": {"sol": custom},
        });
        let parcours = "/api/v1/parcours";
        let draft = self.filled(&admin, (Method::POST, parcours), parcours, "parcours", base).await;
        let (file, way) = (self.mark("tracefile"), self.mark("tracepoint"));
        let bytes = gpx(&eastward()).replace("La source", &way);
        imported(&admin, &draft, &format!("{file}.gpx"), bytes).await.expect(200);
        let steps = json!([
            {"kind": "departure", "title": {"fr": step}, "description": {"fr": told}, "position": [4.0, 47.0], "line_ids": [named_line]},
            {"kind": "arrival", "title": {"fr": "Fin"}, "position": [4.01, 47.0]},
        ]);
        let draft = patch(&admin, &now(&admin, &draft).await, json!({ "steps": steps })).await;
        self.keep("parcours", &draft["id"]);
        self.private_parts(&admin, &draft, "draft").await;
        let parent = number(self.is_kept("their parcours"));
        let stands_under = |sheet: &mut Sheet| (sheet.parent_id, sheet.relation) = (Some(parent), Relation::Child);
        self.change_parcours(draft["id"].as_i64().unwrap(), stands_under).await;
        let copy = json!({"title": self.mark("modelcopy")});
        let copied = admin.post(format!("{}/duplicate", path(&draft)), copy).await.expect(201).json();
        let model = number(self.is_kept("their parcours"));
        self.change_parcours(copied["id"].as_i64().unwrap(), |sheet| sheet.model_id = Some(model)).await;
        let own = app.white_label(A).await;
        let added = format!("/api/v1/parcours/{}/white-labels/{own}", self.is_kept("their parcours")[0]);
        admin.put(added, json!({"published": false})).await.expect(204);
    }

    /// What belongs to a parcours and is its owner's alone, whatever is published of it.
    async fn private_parts(&mut self, admin: &Client, parcours: &Value, tag: &str) {
        let app = self.app.clone();
        let id = parcours["id"].as_i64().unwrap();
        let at = path(parcours);
        let words = |world: &mut Self, name: &str| world.mark(&format!("{tag}{name}"));
        let contact = json!({"role": words(self, "bookrole"), "name": words(self, "bookname"), "phone": words(self, "bookphone"), "note": words(self, "booknote")});
        let stay = json!({"step_id": 1, "name": words(self, "stayname"), "code": words(self, "staycode"), "room": words(self, "stayroom"), "phone": words(self, "stayphone")});
        let voucher = json!({"provider": words(self, "voucherprovider"), "service": words(self, "voucherservice"), "place": words(self, "voucherplace")});
        let settings = json!({"clients": [words(self, "client")], "contacts": [contact], "stays": [stay], "vouchers": [voucher],
            "signature": words(self, "signature"), "welcome": {"fr": words(self, "welcome")}});
        admin.clone().at_version(0).put(format!("{at}/roadbook"), settings).await.expect(200);
        let stay = json!({"step_id": 1, "name": words(self, "dossierstay"), "code": words(self, "dossiercode"), "phone": words(self, "dossierphone"), "address": [words(self, "dossieraddress")]});
        let voucher = json!({"provider": words(self, "dossierprovider"), "service": words(self, "dossierservice"), "people": words(self, "dossiervoucher")});
        let base = json!({"clients": [words(self, "dossiername")], "contacts": [{"name": words(self, "dossiercontact"), "phone": words(self, "dossiercall")}],
            "stays": [stay], "vouchers": [voucher], "starts_on": "2027-05-14", "language": "fr"});
        let files = format!("{at}/client-files");
        let template = "/api/v1/parcours/{id}/client-files";
        let file = self.filled(admin, (Method::POST, template), &files, &format!("{tag}dossier"), base).await;
        self.keep("client-files", &file["id"]);
        if tag == "draft" {
            let walk = json!({"enabled": true, "stops": [{"title": words(self, "audiostop"), "position": [4.002, 47.0], "story": {"text": words(self, "audiotext")}}]});
            admin.clone().at_version(0).put(format!("{at}/audio/fr"), walk).await.expect(200);
        }
        let share =
            admin.post(format!("{at}/shares"), json!({"kind": "temporary", "days": 1})).await.expect(201).json();
        let token = share["token"].as_str().unwrap().to_lowercase();
        self.marks.insert(token);
        self.keep("shares", &share["id"]);

        let of = (ParcoursId(id), app.white_label(A).await);
        let hash = |name: &str| {
            let mut hash = [0; 32];
            name.bytes().chain(tag.bytes()).take(32).enumerate().for_each(|(at, byte)| hash[at] = byte);
            hash
        };
        let tx = app.store().begin().await.unwrap();
        let review = NewReview {
            rating: 4,
            title: words(self, "reviewtitle"),
            text: words(self, "reviewtext"),
            author: words(self, "reviewauthor"),
            email: format!("{}@visite.example", words(self, "reviewmail")),
            ..NewReview::default()
        };
        let review = insert_review(&tx, of, &review, &hash("review"), app.app().now()).await.unwrap();
        confirm(&tx, review, app.app().now()).await.unwrap();
        let report = NewReport {
            text: words(self, "reporttext"),
            email: format!("{}@visite.example", words(self, "reportmail")),
            ..NewReport::default()
        };
        let report = insert_report(&tx, of, &report, None, &hash("report"), app.app().now()).await.unwrap();
        let key = format!("report/{tag}.jpeg");
        app.app().blobs.put(&key, words(self, "reportphoto").into_bytes()).await.unwrap();
        add_photo(&tx, report, &key).await.unwrap();
        tx.commit().await.unwrap();
        self.keep("reviews", review);
        self.keep("field-reports", report);
        // A person of the tenant has it open.
        app.editor_of(A).post(format!("{at}/presence"), json!({"editing": true})).await.expect(200);
    }

    /// A public parcours: its texts are no markers, but its earlier texts and the names of its editors are.
    async fn shared_parcours(&mut self) {
        let admin = self.app.admin_of(A);
        let parcours = made(&admin, &self.mark("earliertitle"), json!({})).await;
        let fields = json!({"title": {"fr": "Le lac"}, "description": {"fr": "<p>Au bord.</p>"}, "distribute_own": true,
            "distribute_partners": true, "steps": [{"kind": "departure", "title": {"fr": "Place"}, "position": [4.0, 47.0]}]});
        let parcours = patch(&admin, &parcours, fields).await;
        imported(&admin, &parcours, "lac.gpx", gpx(&eastward())).await.expect(200);
        let parcours = published(&admin, &now(&admin, &parcours).await).await;
        self.keep("parcours", &parcours["id"]);
        self.private_parts(&admin, &parcours, "shared").await;
        let poi = self.app.poi().owned_by(A).titled("Le banc").at(4.004, 47.0).published().insert().await;
        self.keep("pois", poi.id);
        let at = format!("/api/v1/pois/{}", poi.id);
        let earlier = json!({"phone": self.mark("earlierphone")});
        admin.clone().with("if-match", "*").patch(&at, earlier).await.expect(200);
        admin.clone().with("if-match", "*").patch(&at, json!({"phone": null})).await.expect(200);
    }

    /// Imports, tourist records, timetables: sources, runs and what came of them.
    async fn sources(&mut self) {
        let (app, admin) = (self.app.clone(), self.app.admin_of(A));
        let imports = "/api/v1/import-sources";
        let base = json!({"kind": "files", "schedule": "never", "host": null, "url": null});
        let source = self.filled(&admin, (Method::POST, imports), imports, "import", base).await;
        let (file, track) = (self.mark("importfile"), self.mark("importtrack"));
        let north: Vec<(f64, f64)> = eastward().into_iter().map(|(lon, lat)| (lon, lat + 0.05)).collect();
        let bytes = gpx(&north).replace("<trk>", &format!("<trk><name>{track}</name>"));
        let put = format!("{imports}/{}/file?file_name={file}.gpx", source["id"]);
        admin.clone().with("if-match", "*").send(Method::PUT, &put, None, bytes.into()).await.expect(200);
        let run = run_source(&app, &admin, &source).await;
        self.keep("import-sources", &source["id"]);
        self.keep("import-runs", &run["id"]);

        let sits = "/api/v1/sit-sources";
        let base = json!({"kind": "cirkwi", "schedule": "never", "url": null, "project": null, "selections": null, "criteria": null});
        let source = self.filled(&admin, (Method::POST, sits), sits, "sit", base).await;
        let (file, title) = (self.mark("sitfile"), self.mark("sittitle"));
        let pois = format!(
            r#"<pois version="2"><poi id_poi="1"><informations><information langue="fr"><titre>{title}</titre></information></informations>
            <adresse><position><lat>47.0</lat><lng>4.001</lng></position></adresse></poi></pois>"#
        );
        let put = format!("{sits}/{}/file?file_name={file}.xml", source["id"]);
        admin.clone().with("if-match", "*").send(Method::PUT, &put, None, pois.into()).await.expect(200);
        let run = admin.post(format!("{sits}/{}/runs", source["id"]), json!({})).await.expect(202).json();
        settled(&app, &admin, &run).await;
        // A key is bound to the server of an address, so it goes with a source that has one.
        let asked = json!({"kind": "cirkwi", "schedule": "never", "url": "https://flux.example/pois.xml", "project": null,
            "selections": null, "criteria": null});
        let asked = self.filled(&admin, (Method::POST, sits), sits, "sitasked", asked).await;
        let key = json!({"key": self.secret("sitkey")});
        admin.clone().with("if-match", "*").put(format!("{sits}/{}/credential", asked["id"]), key).await.expect(204);
        let records = admin.get(format!("/api/v1/sit-records?source={}", source["id"])).await.expect(200).json();
        self.keep("sit-sources", &source["id"]);
        self.keep("sit-records", &records["items"][0]["id"]);

        let feeds = "/api/v1/transport-feeds";
        let base = json!({"schedule": "never", "url": null});
        let feed = self.filled(&admin, (Method::POST, feeds), feeds, "feed", base).await;
        let (file, line) = (self.mark("feedfile"), self.mark("feedline"));
        let put = format!("{feeds}/{}/file?file_name={file}.zip", feed["id"]);
        let bytes = crate::transit::small(&line, 3);
        admin.clone().with("if-match", "*").send(Method::PUT, &put, None, bytes.into()).await.expect(200);
        let run = admin.post(format!("{feeds}/{}/runs", feed["id"]), json!({})).await.expect(202).json();
        sources::transit::work::settle(app.app()).await.unwrap();
        self.keep("transport-feeds", &feed["id"]);
        self.keep("transport-runs", &run["id"]);
    }

    /// Data beside the records: views, jobs, batches, uploads, the bin, statistics.
    async fn beside(&mut self) {
        let (app, admin) = (self.app.clone(), self.app.admin_of(A));
        let own = app.white_label(A).await;
        for shared in [true, false] {
            let name = self.mark(if shared { "viewshared" } else { "viewown" });
            let query = format!("search={}", self.mark(if shared { "viewquery" } else { "viewownquery" }));
            let view = json!({"resource": "pois", "name": name, "query": query, "shared": shared});
            let view = admin.post("/api/v1/saved-views", view).await.expect(201).json();
            self.keep("saved-views", &view["id"]);
        }
        let sessions = admin.get("/api/v1/me/sessions").await.expect(200).json();
        self.keep("sessions", &sessions["items"][0]["id"]);
        let drafts: Vec<i64> = self.is_kept("parcours").iter().map(|id| id.parse().unwrap()).collect();
        let (name, text) = (self.mark("tokenname"), self.mark("proposedtext"));
        let token = json!({"name": name, "propose": true, "days": 30, "password": testkit::PASSWORD});
        let token = admin.post("/api/v1/me/tokens", token).await.expect(201).json();
        self.keep("personal-tokens", &token["id"]);
        let assistant = Assistant::with(&app, token["token"].as_str().unwrap()).await;
        let proposal = json!({"id": drafts[0], "field": "summary", "language": "fr", "text": text, "note": self.mark("proposednote")});
        let proposal = assistant.ask("propose_text", proposal).await;
        self.keep("proposals", &proposal["proposal"]["id"]);
        let remark = json!({
            "kind": "remark", "parcours_id": drafts[0], "language": "fr", "text": self.mark("groundremark"),
            "made_at": "2026-05-01T08:00:00Z", "sent_at": "2026-05-01T08:00:00Z",
        });
        let entry = new_id();
        admin.put(format!("/api/v1/ground/entries/{entry}"), remark).await.expect(201);
        self.keep("entries", entry);
        let campaign = json!({"name": self.mark("campaignname"), "instructions": self.mark("campaigninstructions"),
            "starts_on": "2026-03-01", "stretches": [{"parcours_id": drafts[0]}]});
        let campaign = admin.post("/api/v1/survey-campaigns", campaign).await.expect(201).json();
        self.keep("survey-campaigns", &campaign["id"]);
        let job = json!({"kind": "parcours", "source": "fr", "target": "en", "ids": [drafts[0]]});
        let job = admin.post("/api/v1/translation-jobs", job).await.expect(202).json();
        self.keep("translation-jobs", &job["id"]);
        let batch = app
            .agency_of(A)
            .post("/api/v1/roadbook-batches", json!({"filter": {"progress": "any"}}))
            .await
            .expect(201)
            .json();
        outputs::roadbook::batch::settle(app.app()).await.unwrap();
        self.keep("roadbook-batches", &batch["id"]);
        let jobs = store::job::list(app.store().read(), &store::job::JobFilter::default(), None, 1).await.unwrap();
        self.keep("jobs", Value::from(jobs[0].id));

        let name = base64("lac.jpg");
        let upload = admin.clone().with("tus-resumable", "1.0.0").with("upload-length", "10");
        let upload = upload.with("upload-metadata", &format!("filename {name}"));
        let place = upload.send(Method::POST, "/api/v1/uploads", None, Body::empty()).await.expect(201);
        self.keep("uploads", place.header("location").rsplit('/').next().unwrap());

        let title = self.mark("binned");
        let gone = app.poi().owned_by(A).titled(&title).insert().await;
        admin.clone().with("if-match", "*").delete(format!("/api/v1/pois/{}", gone.id)).await.expect(204);
        let title = self.mark("binnedparcours");
        let gone = made(&admin, &title, json!({})).await;
        admin.clone().with("if-match", "*").delete(path(&gone)).await.expect(204);
        let bin = admin.get("/api/v1/bin").await.expect(200).json();
        for item in bin["items"].as_array().unwrap() {
            self.keep("bin", &item["id"]);
        }

        let host = format!("{}.example", self.mark("statisticshost").to_lowercase());
        let event = |id: i64| Event {
            at: app.app().now(),
            parcours_id: ParcoursId(id),
            white_label_id: own,
            kind: EventKind::View,
            source: EventSource::PublicPage,
            country: "FR".to_owned(),
            language: "fr".to_owned(),
            host: host.clone(),
        };
        let events: Vec<Event> = drafts.into_iter().map(event).collect();
        let tx = app.store().begin().await.unwrap();
        store::statistics::keep(&tx, &events, &app.app().settings.time_zone).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Records of the tenant that asks which point to private ones, written past the checks.
    async fn planted_references(&mut self) {
        let editor = self.app.editor_of(B);
        let first = |world: &Self, at: &str| world.is_kept(at)[0].parse::<i64>().unwrap();
        let (poi, media, contact) = (first(self, "pois"), first(self, "medias"), first(self, "contacts"));
        let (parcours, draft) = (first(self, "their parcours"), first(self, "parcours"));
        let their_poi = first(self, "their pois");
        let link = editor.post("/api/v1/provider-links", json!({"name": "La ferme", "location": [4.0, 47.0]})).await;
        let link = link.expect(201).json()["id"].as_i64().unwrap();
        self.change::<ProviderLinks>(link, |sheet| sheet.logo_media_id = Some(media)).await;
        self.keep("provider-links", link);
        let contact_of_theirs = editor_contact(&self.app).await;
        self.keep("contacts", contact_of_theirs);

        let app = self.app.clone();
        self.change_parcours(parcours, |sheet| {
            sheet.poi_ids = vec![poi, their_poi];
            sheet.contact_id = Some(contact);
            sheet.model_id = Some(draft);
        })
        .await;

        for (segment, theirs) in [
            ("parcours", "their parcours"),
            ("pois", "their pois"),
            ("medias", "their medias"),
            ("transport-lines", "their lines"),
        ] {
            let ids = self.is_kept(theirs);
            self.keep(segment, &ids[0]);
        }
        // The private draft was shown by this tenant once, and counted there.
        let event = Event {
            at: app.app().now(),
            parcours_id: ParcoursId(draft),
            white_label_id: app.white_label(B).await,
            kind: EventKind::View,
            source: EventSource::PublicPage,
            country: "FR".to_owned(),
            language: "fr".to_owned(),
            host: String::new(),
        };
        let tx = app.store().begin().await.unwrap();
        store::statistics::keep(&tx, &[event], &app.app().settings.time_zone).await.unwrap();
        tx.commit().await.unwrap();
        let share = editor.post(format!("/api/v1/parcours/{parcours}/shares"), json!({"kind": "permanent"})).await;
        let share = share.expect(201).json();
        self.keep("shares", &share["id"]);
        self.keep("tokens", share["token"].as_str().unwrap());
        let settings = json!({"format": "a4"});
        editor.clone().at_version(0).put(format!("/api/v1/parcours/{parcours}/roadbook"), settings).await.expect(200);
    }

    /// Changes the sheet of a parcours past all checks.
    async fn change_parcours(&self, id: i64, change: impl FnOnce(&mut Sheet)) {
        let app = self.app.app();
        let tx = app.store.begin().await.unwrap();
        let before = store::parcours::lock(&tx, ParcoursId(id)).await.unwrap().unwrap();
        let mut after = before.clone();
        change(&mut after.sheet);
        let languages = &app.settings.content_languages;
        let by = store::parcours::Change { by: None, at: app.now(), reason: None, languages };
        store::parcours::save(&tx, &before, after, None, by).await.unwrap();
        tx.commit().await.unwrap();
    }

    /// Changes the sheet of a record past all checks.
    async fn change<R: Record>(&self, id: i64, change: impl FnOnce(&mut R::Sheet)) {
        let app = self.app.app();
        let tx = app.store.begin().await.unwrap();
        let before = store::record::lock::<R>(&tx, id).await.unwrap().unwrap();
        let mut after = before.clone();
        change(&mut after.sheet);
        let by = Change { by: None, at: app.now(), reason: None, languages: &app.settings.content_languages };
        store::record::save::<R>(&tx, &before, after, by).await.unwrap();
        tx.commit().await.unwrap();
    }
}

async fn editor_contact(app: &TestApp) -> i64 {
    let contact = json!({"last_name": "Jo", "email": "jo@vercors.example"});
    let made = app.admin_of(B).post("/api/v1/contacts", contact).await;
    made.expect(201).json()["id"].as_i64().unwrap()
}

fn base64(text: &str) -> String {
    use base64::Engine as _;
    base64::engine::general_purpose::STANDARD.encode(text)
}
