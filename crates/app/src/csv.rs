//! Tables as text, for spreadsheets.

/// A line of a table. A cell that a spreadsheet would take for a formula is quoted with an apostrophe.
pub fn csv_line<'a>(cells: impl Iterator<Item = &'a str>) -> String {
    let cell = |text: &str| {
        // A decimal comma makes no formula of a number.
        let is_number = || text.parse::<f64>().is_ok() || text.replacen(',', ".", 1).parse::<f64>().is_ok();
        let safe = if text.starts_with(['=', '@', '\t']) || (text.starts_with(['+', '-']) && !is_number()) {
            format!("'{text}")
        } else {
            text.to_owned()
        };
        if safe.contains([';', '"', '\n', '\r']) { format!("\"{}\"", safe.replace('"', "\"\"")) } else { safe }
    };
    let mut line = cells.map(cell).collect::<Vec<_>>().join(";");
    line.push_str("\r\n");
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_cell_is_quoted_where_it_must_be_and_no_formula_passes() {
        assert_eq!(
            csv_line(["1", "Lac; \"bleu\"", "=1+1", "-3.5", "-3,5", "-x"].into_iter()),
            "1;\"Lac; \"\"bleu\"\"\";'=1+1;-3.5;-3,5;'-x\r\n"
        );
    }
}
