//! The characters of HTML that have a name, as texts of feeds write them: the signs of markup, Latin-1, and the signs of typesetting.

/// Names and characters. Only an ordinary space parts two of them.
const NAMED: &str = "quot=\" amp=& lt=< gt=> apos=' nbsp=\u{a0} iexcl=¡ cent=¢ pound=£ curren=¤ yen=¥ brvbar=¦ sect=§ uml=¨ copy=© \
    ordf=ª laquo=« not=¬ shy=\u{ad} reg=® macr=¯ deg=° plusmn=± sup2=² sup3=³ acute=´ micro=µ para=¶ middot=· cedil=¸ sup1=¹ ordm=º \
    raquo=» frac14=¼ frac12=½ frac34=¾ iquest=¿ Agrave=À Aacute=Á Acirc=Â Atilde=Ã Auml=Ä Aring=Å AElig=Æ Ccedil=Ç Egrave=È Eacute=É \
    Ecirc=Ê Euml=Ë Igrave=Ì Iacute=Í Icirc=Î Iuml=Ï ETH=Ð Ntilde=Ñ Ograve=Ò Oacute=Ó Ocirc=Ô Otilde=Õ Ouml=Ö times=× Oslash=Ø Ugrave=Ù \
    Uacute=Ú Ucirc=Û Uuml=Ü Yacute=Ý THORN=Þ szlig=ß agrave=à aacute=á acirc=â atilde=ã auml=ä aring=å aelig=æ ccedil=ç egrave=è \
    eacute=é ecirc=ê euml=ë igrave=ì iacute=í icirc=î iuml=ï eth=ð ntilde=ñ ograve=ò oacute=ó ocirc=ô otilde=õ ouml=ö divide=÷ oslash=ø \
    ugrave=ù uacute=ú ucirc=û uuml=ü yacute=ý thorn=þ yuml=ÿ OElig=Œ oelig=œ Scaron=Š scaron=š Yuml=Ÿ ensp=\u{2002} emsp=\u{2003} \
    thinsp=\u{2009} ndash=– mdash=— lsquo=‘ rsquo=’ sbquo=‚ ldquo=“ rdquo=” bdquo=„ dagger=† bull=• hellip=… permil=‰ prime=′ Prime=″ \
    lsaquo=‹ rsaquo=› euro=€ trade=™ larr=← uarr=↑ rarr=→ darr=↓ harr=↔ minus=− infin=∞ asymp=≈ ne=≠ le=≤ ge=≥";

/// The character of a name.
pub(super) fn named_character(name: &str) -> Option<&'static str> {
    NAMED.split(' ').find_map(|pair| pair.strip_prefix(name)?.strip_prefix('='))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn each_name_is_a_character() {
        for pair in NAMED.split(' ') {
            let (name, sign) = pair.split_once('=').unwrap_or_default();
            assert!(!name.is_empty() && sign.chars().count() == 1, "{pair}");
            assert_eq!(named_character(name), Some(sign), "{pair}");
        }
        assert_eq!(
            ["Eacute", "eacute", "thorn", "le", "nbsp"].map(named_character),
            [Some("É"), Some("é"), Some("þ"), Some("≤"), Some("\u{a0}")]
        );
        for other in ["", "e", "eacut", "eacute=", "lol"] {
            assert_eq!(named_character(other), None, "{other}");
        }
    }
}
