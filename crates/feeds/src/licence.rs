//! Licences open data go out under.

use domain::white_label::OpenDataLicence;
use serde::Serialize;

/// A licence as a feed names it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize)]
pub struct Licence {
    /// SPDX name.
    pub name: &'static str,
    /// Title in the publisher's words.
    pub title: &'static str,
    /// Where it is read.
    pub path: &'static str,
}

impl From<OpenDataLicence> for Licence {
    fn from(licence: OpenDataLicence) -> Self {
        let (name, title, path) = match licence {
            OpenDataLicence::Etalab => (
                "etalab-2.0",
                "Licence Ouverte / Open Licence 2.0",
                "https://www.etalab.gouv.fr/wp-content/uploads/2017/04/ETALAB-Licence-Ouverte-v2.0.pdf",
            ),
            OpenDataLicence::Odbl => {
                ("ODbL-1.0", "Open Database License 1.0", "https://opendatacommons.org/licenses/odbl/1-0/")
            }
            OpenDataLicence::CcBy => ("CC-BY-4.0", "CC BY 4.0", "https://creativecommons.org/licenses/by/4.0/"),
            OpenDataLicence::CcBySa => {
                ("CC-BY-SA-4.0", "CC BY-SA 4.0", "https://creativecommons.org/licenses/by-sa/4.0/")
            }
        };
        Self { name, title, path }
    }
}
