//! `#[derive(Problem)]`.

use proc_macro2::TokenStream;
use quote::quote;
use syn::spanned::Spanned;
use syn::{Data, DeriveInput, Error, Fields, Ident, LitInt, LitStr, Result, Token, Variant};

/// The parsed `#[problem(…)]` of a variant.
enum VariantAttribute {
    /// Uses the problem of the error inside.
    Transparent,
    /// A status and a code.
    Coded { status: LitInt, code: LitStr, field: Option<LitStr>, hidden: bool },
}

/// The trait, the answer and the description of an error enum.
pub fn derive(input: &DeriveInput) -> Result<TokenStream> {
    let Data::Enum(data) = &input.data else {
        return Err(Error::new(input.span(), "Problem is for enums: one closed list of errors a resource"));
    };
    let name = &input.ident;
    let (mut arms, mut codes, mut from_store) = (Vec::new(), Vec::new(), None);
    for variant in &data.variants {
        let attribute = read(variant)?;
        if let VariantAttribute::Coded { hidden: true, .. } = attribute {
            let ident = &variant.ident;
            from_store = Some(quote! {
                impl ::core::convert::From<::store::StoreError> for #name {
                    fn from(error: ::store::StoreError) -> Self { Self::#ident(error.into()) }
                }
            });
        }
        arms.push(arm(variant, &attribute)?);
        codes.push(listed(variant, &attribute)?);
    }
    Ok(quote! {
        impl ::app::problem::AsProblem for #name {
            fn problem(&self) -> ::app::problem::Problem {
                match self { #(#arms)* }
            }

            fn codes() -> ::std::vec::Vec<::app::problem::Code> {
                let mut codes = ::std::vec::Vec::new();
                #(#codes)*
                codes
            }
        }

        impl ::axum::response::IntoResponse for #name {
            fn into_response(self) -> ::axum::response::Response {
                ::app::problem::respond(&self)
            }
        }

        impl ::utoipa::IntoResponses for #name {
            fn responses() -> ::std::collections::BTreeMap<
                ::std::string::String,
                ::utoipa::openapi::RefOr<::utoipa::openapi::response::Response>,
            > {
                ::app::problem::responses(&<Self as ::app::problem::AsProblem>::codes())
            }
        }

        #from_store
    })
}

fn read(variant: &Variant) -> Result<VariantAttribute> {
    let Some(attribute) = variant.attrs.iter().find(|attribute| attribute.path().is_ident("problem")) else {
        return Err(Error::new(variant.span(), "say the status and the code: #[problem(404, \"poi/not-found\")]"));
    };
    attribute.parse_args_with(|input: syn::parse::ParseStream<'_>| {
        if input.peek(Ident) {
            let word: Ident = input.parse()?;
            return if word == "transparent" {
                Ok(VariantAttribute::Transparent)
            } else {
                Err(Error::new(word.span(), "`transparent`?"))
            };
        }
        let status: LitInt = input.parse()?;
        input.parse::<Token![,]>()?;
        let code: LitStr = input.parse()?;
        let (mut field, mut hidden) = (None, false);
        while !input.is_empty() {
            input.parse::<Token![,]>()?;
            let word: Ident = input.parse()?;
            if word == "hidden" {
                hidden = true;
            } else if word == "field" {
                input.parse::<Token![=]>()?;
                field = Some(input.parse()?);
            } else {
                return Err(Error::new(word.span(), "`hidden` or `field = \"/pointer\"`"));
            }
        }
        Ok(VariantAttribute::Coded { status, code, field, hidden })
    })
}

fn arm(variant: &Variant, attribute: &VariantAttribute) -> Result<TokenStream> {
    let ident = &variant.ident;
    let (status, code, field) = match attribute {
        VariantAttribute::Transparent => {
            return Ok(quote! { Self::#ident(inner) => ::app::problem::AsProblem::problem(inner), });
        }
        VariantAttribute::Coded { status, hidden: true, .. } => {
            return Ok(quote! { Self::#ident(inner) => inner.problem(#status), });
        }
        VariantAttribute::Coded { status, code, field, .. } => (status, code, field),
    };
    let pointer = field.as_ref().map(|field| quote! { .at(#field) });
    let start = quote! { ::app::problem::Problem::new(#status, #code) #pointer };
    match &variant.fields {
        Fields::Unit => Ok(quote! { Self::#ident => #start, }),
        Fields::Named(fields) => {
            let names: Vec<&Ident> = fields.named.iter().filter_map(|field| field.ident.as_ref()).collect();
            let parts = names.iter().map(|name| match name.to_string().as_str() {
                "field" => quote! { .at(field) },
                "errors" => quote! { .with_errors(errors) },
                "current" => quote! { .with_current(current) },
                text => quote! { .with(#text, #name) },
            });
            Ok(quote! { Self::#ident { #(#names),* } => #start #(#parts)*, })
        }
        Fields::Unnamed(fields) => {
            Err(Error::new(fields.span(), "name the fields: their names are the parameters' names"))
        }
    }
}

fn listed(variant: &Variant, attribute: &VariantAttribute) -> Result<TokenStream> {
    match attribute {
        VariantAttribute::Transparent => {
            let Fields::Unnamed(fields) = &variant.fields else {
                return Err(Error::new(variant.span(), "a transparent variant holds one error"));
            };
            let inner = &fields.unnamed[0].ty;
            Ok(quote! { codes.extend(<#inner as ::app::problem::AsProblem>::codes()); })
        }
        VariantAttribute::Coded { status, code, .. } => {
            Ok(quote! { codes.push(::app::problem::Code { status: #status, code: #code }); })
        }
    }
}
