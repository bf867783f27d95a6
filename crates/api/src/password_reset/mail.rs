//! The mails, in the person's language.

use app::token::Token;
use connect::Mail;
use domain::{Locale, User};

/// The mail with the link to choose a new password.
pub fn reset(user: &User, public_url: &str, token: &Token) -> Mail {
    let (name, token) = (&user.first_name, token.as_str());
    let (subject, text) = match user.locale {
        Locale::Fr => (
            "Choisir un nouveau mot de passe",
            format!(
                "Bonjour {name},\n\nPour choisir un nouveau mot de passe, ouvrez ce lien :\n\n\
                 {public_url}/login/reset?token={token}\n\nCe lien fonctionne une seule fois, pendant une heure.\n\n\
                 Si vous n’avez rien demandé, ne faites rien : votre mot de passe reste le même.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            "Choose a new password",
            format!(
                "Hello {name},\n\nTo choose a new password, open this link:\n\n\
                 {public_url}/en/login/reset?token={token}\n\nThe link works once, for one hour.\n\n\
                 If you did not ask for this, do nothing: your password stays the same.\n\nJalon\n"
            ),
        ),
    };
    Mail { to: user.email.clone(), subject: subject.to_owned(), text }
}

/// The mail that invites a user: the link lets them choose their first password.
pub fn invitation(user: &User, (invited_by, structure): (&str, &str), public_url: &str, token: &Token) -> Mail {
    let (name, email, token) = (&user.first_name, &user.email, token.as_str());
    let (subject, text) = match user.locale {
        Locale::Fr => (
            "Votre compte Jalon",
            format!(
                "Bonjour {name},\n\n{invited_by} vous a ouvert un compte dans Jalon, l’outil de gestion des parcours de randonnée et de vélo, pour \
                 {structure}, avec l’adresse {email}. Pour choisir votre mot de passe, ouvrez ce lien :\n\n\
                 {public_url}/login/reset?token={token}\n\nCe lien fonctionne une seule fois, pendant sept jours. Ensuite, vous pouvez \
                 en demander un autre avec « Mot de passe oublié ? » sur la page de connexion.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            "Your Jalon account",
            format!(
                "Hello {name},\n\n{invited_by} opened an account for you in Jalon, the tool that manages hiking and cycling routes, for \
                 {structure}, with the address {email}. To choose your password, open this link:\n\n\
                 {public_url}/en/login/reset?token={token}\n\nThe link works once, for seven days. After that, you can request \
                 another one with “Forgot your password?” on the sign-in page.\n\nJalon\n"
            ),
        ),
    };
    Mail { to: user.email.clone(), subject: subject.to_owned(), text }
}

/// The mail after the password was changed with a mailed link, which ended all sessions.
pub fn changed(user: &User) -> Mail {
    changed_ending(user, "toutes vos sessions ont été fermées", "all your sessions were ended")
}

/// The mail after the password was changed on the account page, which ended all other sessions.
pub fn changed_by_its_owner(user: &User) -> Mail {
    changed_ending(user, "vos autres sessions ont été fermées", "your other sessions were ended")
}

fn changed_ending(user: &User, ended_fr: &str, ended_en: &str) -> Mail {
    let name = &user.first_name;
    let (subject, text) = match user.locale {
        Locale::Fr => (
            "Votre mot de passe a été changé",
            format!(
                "Bonjour {name},\n\nLe mot de passe de votre compte vient d’être changé ; {ended_fr}.\n\n\
                 Si ce n’est pas vous, prévenez tout de suite votre administrateur.\n\nJalon\n"
            ),
        ),
        Locale::En => (
            "Your password was changed",
            format!(
                "Hello {name},\n\nThe password of your account was just changed; {ended_en}.\n\n\
                 If it was not you, tell your administrator at once.\n\nJalon\n"
            ),
        ),
    };
    Mail { to: user.email.clone(), subject: subject.to_owned(), text }
}
