//! `#[app_test]`.

use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use syn::ItemFn;

/// Returns the function unchanged, and one test per database that calls it.
pub fn expand(mut test: ItemFn) -> TokenStream {
    let name = test.sig.ident.clone();
    let body = format_ident!("app_test_{name}");
    test.sig.ident = body.clone();
    let attributes = std::mem::take(&mut test.attrs);
    quote! {
        #(#attributes)*
        #test

        mod #name {
            #[test]
            fn sqlite() {
                ::teststore::run(::teststore::Database::Sqlite, concat!(module_path!(), "::sqlite"), super::#body);
            }

            #[test]
            fn postgres() {
                ::teststore::run(::teststore::Database::Postgres, concat!(module_path!(), "::postgres"), super::#body);
            }
        }
    }
}
