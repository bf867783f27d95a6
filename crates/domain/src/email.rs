//! E-mail addresses.

/// The stored and compared form of an e-mail address: trimmed, in small letters. None when it cannot be one.
pub fn normalise_email(typed: &str) -> Option<String> {
    let email = typed.trim().to_lowercase();
    let (name, host) = email.rsplit_once('@')?;
    let plausible = !name.is_empty()
        && host.split('.').count() >= 2
        && host.split('.').all(|label| !label.is_empty())
        && email.len() <= 254
        && !email.chars().any(|c| c.is_whitespace() || c.is_control() || "<>\"(),:;[]\\".contains(c));
    plausible.then_some(email)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_is_compared_in_small_letters() {
        assert_eq!(normalise_email(" Camille@Morvan.Example "), Some("camille@morvan.example".to_owned()));
        for wrong in ["", "camille", "@morvan.fr", "camille@", "camille@morvan", "a b@c.fr", "a@b..fr", "a<b>@c.fr"] {
            assert_eq!(normalise_email(wrong), None, "{wrong}");
        }
    }
}
