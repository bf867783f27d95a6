//! Media and their bytes.

use macros::app_test;
use testkit::TestApp;

#[app_test]
async fn bytes_are_public_once_something_published_shows_them(app: TestApp) {
    let hidden = app.media().insert().await;
    let shown = app.media().named("autre.gif").insert().await;
    app.poi().showing(hidden.id).insert().await;
    app.poi().showing(shown.id).published().insert().await;
    let path = |id: domain::MediaId| format!("/media/{id}/original");
    assert_eq!(app.anonymous().get(path(hidden.id)).await.expect(404).problem().code, "media/not-found");
    app.editor_of("vercors").get(path(hidden.id)).await.expect(404);
    let own = app.reader_of("morvan").get(path(hidden.id)).await.expect(200);
    assert_eq!(own.header("cache-control"), "private, no-cache");
    let public = app.anonymous().get(path(shown.id)).await.expect(200);
    assert_eq!(public.header("content-type"), "image/gif");
    assert!(public.header("content-security-policy").contains("sandbox"));
    assert!(public.header("content-disposition").contains("autre%2Egif"));
    assert!(public.bytes.starts_with(b"GIF89a"));
    let again = app.anonymous().with("if-none-match", public.header("etag")).get(path(shown.id)).await;
    assert_eq!((again.status.as_u16(), again.bytes.len()), (304, 0));
    for variant in ["large", "..%2F..%2Fjalon.sqlite", "%00"] {
        app.anonymous().get(format!("/media/{}/{variant}", shown.id)).await.expect(404);
    }
}

#[app_test]
async fn media_are_listed_by_white_label_and_found_by_words(app: TestApp) {
    app.media().named("Église.gif").insert().await;
    app.media().named("grotte.gif").owned_by("vercors").insert().await;
    let list =
        async |query: &str| app.editor_of("morvan").get(format!("/api/v1/medias?{query}")).await.expect(200).json();
    assert_eq!(list("").await["total"], 1);
    assert_eq!(list("search=eglise").await["items"][0]["file_name"], "Église.gif");
    assert_eq!(list("search=etang").await["total"], 1, "its legend counts");
    assert_eq!(list("search=grotte").await["total"], 0);
    assert_eq!(list("kind=pdf").await["total"], 0);
    app.editor_of("morvan").get("/api/v1/medias?kind=smell").await.expect(400);
}

#[app_test]
async fn a_media_of_others_is_shown_only_when_public(app: TestApp) {
    let theirs = app.media().owned_by("vercors").insert().await;
    let path = format!("/api/v1/medias/{}", theirs.id);
    app.editor_of("morvan").get(&path).await.expect(404);
    let own = app.editor_of("vercors").get(&path).await.expect(200).json();
    assert_eq!(own["url"], format!("/media/{}/original", theirs.id));
    app.poi().owned_by("vercors").showing(theirs.id).published().insert().await;
    app.editor_of("morvan").get(&path).await.expect(200);
}
