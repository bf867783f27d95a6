//! The pages of a white-label while its look is edited.

use app::content_policy::policy_framed_by;
use app::extract::{Path, Query, Reader};
use app::record::{At, Refusal, Resource as _, operations};
use app::{App, Rejection, filter};
use axum::extract::State;
use axum::http::HeaderValue;
use axum::http::header::{CONTENT_SECURITY_POLICY, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use domain::WhiteLabelId;
use domain::white_label::WhiteLabelSheet;
use outputs::visitor_words::Language;
use public::public_page::{self, Color, Previewed};
use serde::Deserialize;
use utoipa::IntoParams;

use super::{WhiteLabelError, WhiteLabelResource};

/// The page to preview, and a look that replaces the saved one. What is absent is as saved, what is empty is removed.
#[derive(Debug, Clone, Default, Deserialize, IntoParams)]
#[into_params(parameter_in = Query)]
#[serde(default)]
pub struct PreviewQuery {
    /// `home` (the default) or `parcours`.
    page: Option<String>,
    /// `fr` (the default) or `en`.
    language: Option<String>,
    name: Option<String>,
    /// The first colour, `#rrggbb`.
    primary: Option<String>,
    /// The second colour.
    secondary: Option<String>,
    /// The third colour.
    tertiary: Option<String>,
    /// Number of the logo among the media.
    logo_media_id: Option<String>,
    /// Number of the font of titles.
    title_media_id: Option<String>,
    /// Number of the font of texts.
    text_media_id: Option<String>,
}

/// A page of a white-label as visitors will see it, in the look that is being edited. Nothing is saved, and nothing on the page can be
/// used; our own pages alone may frame it.
#[utoipa::path(get, path = "/api/v1/white-labels/{id}/preview", tag = "white-labels", params(("id" = i64, Path), PreviewQuery),
    security(("session" = ["content.read"])),
    responses((status = 200, description = "The page", content_type = "text/html"), WhiteLabelError))]
#[tracing::instrument(name = "white_label.preview", skip_all, fields(white_label.id = %at.id))]
pub async fn preview_white_label(
    State(app): State<App>,
    reader: Reader,
    Path(at): Path<At>,
    Query(query): Query<PreviewQuery>,
) -> Result<Response, WhiteLabelError> {
    let record = operations::seen::<WhiteLabelResource>(app.store.read(), &reader, &at).await?;
    let id = WhiteLabelId(record.id);
    if !reader.works_in(id) && !WhiteLabelResource::is_theirs(&reader, &record) {
        return Err(Refusal::NotFound { id: record.id }.into());
    }
    let (page, language) = (query.page()?, query.language()?);
    let sheet = query.worn(record.sheet)?;
    let markup = match Box::pin(public_page::preview(&app, (id, sheet), page, language)).await {
        Ok(markup) => markup,
        Err(public_page::Refusal::Internal(error)) => return Err(error.into()),
        Err(_) => return Err(Refusal::NotFound { id: record.id }.into()),
    };
    let mut response = markup.into_string().into_response();
    let headers = response.headers_mut();
    headers.insert(CONTENT_TYPE, HeaderValue::from_static("text/html; charset=utf-8"));
    if let Ok(policy) = HeaderValue::from_str(&policy_framed_by(&app, "'self'")) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    Ok(response)
}

impl PreviewQuery {
    fn page(&self) -> Result<Previewed, Rejection> {
        match self.page.as_deref() {
            None | Some("" | "home") => Ok(Previewed::Home),
            Some("parcours") => Ok(Previewed::Parcours),
            Some(_) => Err(bad("page")),
        }
    }

    fn language(&self) -> Result<Language, Rejection> {
        match self.language.as_deref() {
            None | Some("" | "fr") => Ok(Language::French),
            Some("en") => Ok(Language::English),
            Some(_) => Err(bad("language")),
        }
    }

    /// The sheet with the look of the request. The page shows only media that the white-label may show.
    fn worn(self, mut sheet: WhiteLabelSheet) -> Result<WhiteLabelSheet, Rejection> {
        let colors = &mut sheet.colors;
        for (name, asked, color) in [
            ("primary", self.primary, &mut colors.primary),
            ("secondary", self.secondary, &mut colors.secondary),
            ("tertiary", self.tertiary, &mut colors.tertiary),
        ] {
            let Some(asked) = asked else { continue };
            if !asked.is_empty() && Color::parse(&asked).is_none() {
                return Err(bad(name));
            }
            *color = Some(asked).filter(|asked| !asked.is_empty());
        }
        for (name, asked, media) in [
            ("logo_media_id", self.logo_media_id, &mut sheet.logo_media_id),
            ("title_media_id", self.title_media_id, &mut sheet.fonts.title_media_id),
            ("text_media_id", self.text_media_id, &mut sheet.fonts.text_media_id),
        ] {
            if asked.is_some() {
                *media = filter::number(name, asked.as_deref())?;
            }
        }
        if let Some(name) = self.name {
            sheet.name = name.chars().take(100).collect();
        }
        Ok(sheet)
    }
}

fn bad(name: &str) -> Rejection {
    Rejection::BadQuery { name: name.to_owned() }
}

#[cfg(test)]
#[expect(clippy::unwrap_used, reason = "a test that cannot set itself up fails here")]
mod tests {
    use super::*;

    #[test]
    fn an_absent_field_stays_an_empty_one_is_removed_and_an_invalid_colour_is_refused() {
        let mut saved = WhiteLabelSheet { name: "Val d’Orsel".into(), logo_media_id: Some(3), ..Default::default() };
        saved.colors.primary = Some("#14507A".into());
        saved.colors.secondary = Some("#AD5315".into());
        let query = PreviewQuery {
            secondary: Some(String::new()),
            tertiary: Some("#f4efe3".into()),
            logo_media_id: Some(String::new()),
            title_media_id: Some("8".into()),
            ..PreviewQuery::default()
        };
        let worn = query.worn(saved.clone()).unwrap();
        assert_eq!((worn.name.as_str(), worn.colors.primary.as_deref()), ("Val d’Orsel", Some("#14507A")));
        assert_eq!((worn.colors.secondary, worn.colors.tertiary.as_deref()), (None, Some("#f4efe3")));
        assert_eq!((worn.logo_media_id, worn.fonts.title_media_id), (None, Some(8)));
        for wrong in ["#12345", "red", "#14507a;}", "14507a"] {
            let query = PreviewQuery { primary: Some(wrong.into()), ..PreviewQuery::default() };
            assert!(query.worn(saved.clone()).is_err(), "{wrong}");
        }
        let query = PreviewQuery { page: Some("provider".into()), language: Some("de".into()), ..Default::default() };
        assert!(query.page().is_err() && query.language().is_err());
    }
}
