//! `#[derive(Problem)]` for error types of the API, and `#[app_test]` for tests on both databases.

use proc_macro::TokenStream;

mod app_test;
mod problem;

/// Turns an error enum into `application/problem+json` answers with stable codes.
///
/// Each variant states its status and its code: `#[problem(404, "poi/not-found")]`, and the field that it concerns if there is
/// one: `#[problem(409, "user/email-taken", field = "/email")]`. Named fields of the variant become parameters, except
/// `field` (JSON pointer found at run time), `errors` (several faults at once) and `current` (the current record, after a save over
/// an older version). `#[problem(500, "internal", hidden)]` writes its message to the log only; `#[problem(transparent)]` uses the
/// problem of the error inside.
#[proc_macro_derive(Problem, attributes(problem))]
pub fn derive_problem(input: TokenStream) -> TokenStream {
    problem::derive(&syn::parse_macro_input!(input)).unwrap_or_else(syn::Error::into_compile_error).into()
}

/// Makes two tests of one async function: `<name>::sqlite` and `<name>::postgres`.
///
/// Its only argument is a `Fixture`: a `TestApp`, a `TestStore`, …
#[proc_macro_attribute]
pub fn app_test(_attributes: TokenStream, item: TokenStream) -> TokenStream {
    app_test::expand(syn::parse_macro_input!(item)).into()
}
