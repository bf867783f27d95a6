//! The look of a white-label and the lines a travel agency must print.

use domain::white_label::WhiteLabelSheet;
use domain::{Address, StructureSheet};
use roadbook::data::{Brand, BrandFonts};
use store::record::load;
use store::structure::Structures;
use store::{Connection, StoreError};

use super::photos::PictureList;
use super::words::bare_site;

/// The look of a white-label, with the address and the legal lines of the structure behind it.
pub async fn brand(
    db: &impl Connection,
    owner: &WhiteLabelSheet,
    language: &str,
    shelf: &mut PictureList,
) -> Result<Brand, StoreError> {
    let structure = load::<Structures>(db, owner.structure_id).await?.map(|found| found.sheet).unwrap_or_default();
    let color = |color: &Option<String>| color.clone().unwrap_or_default();
    let display = shelf.fetch(db, owner.fonts.title_media_id).await?;
    let sans = shelf.fetch(db, owner.fonts.text_media_id).await?;
    let fonts = (display.is_some() || sans.is_some())
        .then(|| BrandFonts { display: display.into_iter().collect(), sans: sans.into_iter().collect() });
    Ok(Brand {
        name: owner.name.clone(),
        tagline: String::new(),
        logo: shelf.fetch(db, owner.pdf_logo_media_id.or(owner.logo_media_id)).await?,
        background: shelf.fetch(db, owner.pdf_background_media_id).await?,
        primary: color(&owner.colors.primary),
        secondary: color(&owner.colors.secondary),
        tertiary: color(&owner.colors.tertiary),
        fonts,
        address: address(&structure.address),
        phone: structure.phone.clone().unwrap_or_default(),
        email: structure.email.clone().unwrap_or_default(),
        web: web(owner, &structure),
        legal: legal(&structure, language),
    })
}

fn address(address: &Address) -> Vec<String> {
    let town = [&address.postcode, &address.city].into_iter().flatten().cloned().collect::<Vec<_>>().join(" ");
    [address.street.clone().unwrap_or_default(), town].into_iter().filter(|line| !line.is_empty()).collect()
}

/// The site as one types it.
fn web(owner: &WhiteLabelSheet, structure: &StructureSheet) -> String {
    let site = structure.website.as_deref().or(owner.domain.as_deref()).unwrap_or_default();
    bare_site(site).to_owned()
}

/// The legal details that a travel agency prints on all its documents (Code du tourisme, R. 211-2 and R. 211-4), each on a line
/// after its name.
fn legal(structure: &StructureSheet, language: &str) -> Vec<String> {
    let names = if language == "fr" {
        [
            "Immatriculation : ",
            "Garantie financière : ",
            "Assurance de responsabilité civile professionnelle : ",
            "Médiation : ",
        ]
    } else {
        ["Registration: ", "Financial guarantee: ", "Professional liability insurance: ", "Mediation: "]
    };
    let said = [&structure.registration, &structure.guarantor, &structure.insurer, &structure.mediator];
    let lines = names.into_iter().zip(said).filter_map(|(name, said)| Some(format!("{name}{}", said.as_deref()?)));
    let company = Some(structure.name.clone()).filter(|name| !name.is_empty());
    company.into_iter().chain(lines).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_agency_prints_its_name_its_number_and_its_address() {
        let structure = StructureSheet {
            name: "Cap Morvan".into(),
            registration: Some("IM021120003".into()),
            website: Some("https://cap-morvan.example/".into()),
            ..StructureSheet::default()
        };
        assert_eq!(legal(&structure, "fr"), ["Cap Morvan", "Immatriculation : IM021120003"]);
        let backed = StructureSheet {
            guarantor: Some("Caisse du Voyage, Paris".into()),
            insurer: Some("Mutuelle des Cimes, Lyon, contrat 4512".into()),
            mediator: Some("mediation-voyage.example".into()),
            ..structure.clone()
        };
        let lines = [
            "Garantie financière : Caisse du Voyage, Paris",
            "Assurance de responsabilité civile professionnelle : Mutuelle des Cimes, Lyon, contrat 4512",
            "Médiation : mediation-voyage.example",
        ];
        assert_eq!(legal(&backed, "fr")[2..], lines);
        assert_eq!(legal(&structure, "de")[1], "Registration: IM021120003");
        assert_eq!(web(&WhiteLabelSheet::default(), &structure), "cap-morvan.example");
        let lines = address(&Address {
            street: Some("18, quai de la Cure".into()),
            postcode: Some("89000".into()),
            city: Some("Auxerre".into()),
            country: None,
        });
        assert_eq!(lines, ["18, quai de la Cure", "89000 Auxerre"]);
    }
}
