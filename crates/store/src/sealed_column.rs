//! The columns whose values are sealed with the server's key: listed once, so that all of them are sealed again when the key
//! is rotated.

/// A column of sealed values.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum SealedColumn {
    /// Key of a white-label's translation service.
    TranslationKey,
    /// Key of a translation service of the platform.
    TranslatorKey,
    /// Key of the model that writes for a white-label.
    AssistantKey,
    /// Key of a source of tourist records.
    SitCredential,
    /// Key of a source of routes.
    ImportCredential,
    /// Key of a feed of public transport.
    TransportCredential,
    /// Secret of a person's second factor.
    TotpSecret,
    /// The part of a job's payload with secrets or addresses of people.
    JobPayload,
}

/// Where the values of a column are.
pub(crate) struct Names {
    pub(crate) table: &'static str,
    pub(crate) id: &'static str,
    pub(crate) value: &'static str,
    /// The column of the server the key was entered for.
    pub(crate) origin: Option<&'static str>,
    /// The shown part of the key, forgotten with it.
    pub(crate) hint: Option<&'static str>,
}

impl SealedColumn {
    /// All values.
    pub const ALL: [Self; 8] = [
        Self::TranslationKey,
        Self::TranslatorKey,
        Self::AssistantKey,
        Self::SitCredential,
        Self::ImportCredential,
        Self::TransportCredential,
        Self::TotpSecret,
        Self::JobPayload,
    ];

    /// Where its values are.
    pub(crate) fn names(self) -> Names {
        let of = |table, value, origin| Names { table, id: "id", value, origin, hint: None };
        match self {
            Self::TranslationKey => of("white_label", "translation_key", Some("translation_key_origin")),
            Self::TranslatorKey => {
                Names { hint: Some("key_hint"), ..of("translator", "api_key", Some("api_key_origin")) }
            }
            Self::AssistantKey => Names {
                id: "white_label_id",
                hint: Some("key_hint"),
                ..of("assistant_setting", "api_key", Some("api_key_origin"))
            },
            Self::SitCredential => of("sit_source", "credential", Some("credential_origin")),
            Self::ImportCredential => of("import_source", "credential", Some("credential_origin")),
            Self::TransportCredential => of("transport_feed", "credential", Some("credential_origin")),
            Self::TotpSecret => of("\"user\"", "totp_secret", None),
            Self::JobPayload => of("job", "sealed", None),
        }
    }

    /// `sit_source.credential`, for messages.
    pub fn name(self) -> String {
        let names = self.names();
        format!("{}.{}", names.table.trim_matches('"'), names.value)
    }

    /// Whether its values belong to a server.
    pub fn has_origin(self) -> bool {
        self.names().origin.is_some()
    }
}
