//! The mail about a second factor, in the person's language.

use connect::Mail;
use domain::{Locale, User};

/// The mail to a user whose second factor an administrator removed.
pub(crate) fn taken_off(user: &User, by: &str) -> Mail {
    let name = &user.first_name;
    let (subject, text) = match user.locale {
        Locale::Fr => (
            "Votre double authentification a été retirée",
            format!(
                "Bonjour {name},\n\n{by} vient de retirer la double authentification de votre compte ; toutes vos sessions ont \
                 été fermées. Votre mot de passe suffit désormais pour vous connecter : réactivez la double authentification \
                 depuis « Mon compte » dès que vous le pouvez.\n\nSi vous ne l’avez pas demandé, prévenez tout de suite votre \
                 administrateur.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            "Your two-factor authentication was removed",
            format!(
                "Hello {name},\n\n{by} has just removed two-factor authentication from your account; all your sessions were ended. \
                 Your password is now enough to sign in. Turn two-factor authentication on again from “My account” as soon as you can.\n\n\
                 If you did not ask for this, tell your administrator at once.\n\nJalon\n"
            ),
        ),
    };
    Mail { to: user.email.clone(), subject: subject.to_owned(), text }
}
