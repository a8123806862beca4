//! Tables on a terminal: a head and rows of cells in, aligned text out.

/// Lays the cells out in columns: the first to the left, figures to the right.
pub(super) fn layout(head: &[&str], rows: &[Vec<String>]) -> String {
    let width = |column: usize| {
        let cells = rows.iter().filter_map(|row| row.get(column)).map(|cell| cell.chars().count());
        cells.chain([head[column].chars().count()]).max().unwrap_or(0)
    };
    let widths: Vec<usize> = (0..head.len()).map(width).collect();
    let line = |cells: &mut dyn Iterator<Item = &str>| {
        let padded = cells.zip(&widths).enumerate().map(|(column, (cell, &width))| {
            if column == 0 { format!("{cell:<width$}") } else { format!("{cell:>width$}") }
        });
        padded.collect::<Vec<_>>().join("  ").trim_end().to_owned()
    };
    let mut text = line(&mut head.iter().copied());
    for row in rows {
        text.push('\n');
        text.push_str(&line(&mut row.iter().map(String::as_str)));
    }
    text
}

/// Bytes as megabytes.
pub(super) fn megabytes(bytes: u64) -> String {
    format!("{:.1}", bytes as f64 / 1e6)
}

/// A whole number with a separator at each thousand.
pub(super) fn thousands(number: f64) -> String {
    let digits = format!("{number:.0}");
    let mut text = String::new();
    for (at, digit) in digits.chars().enumerate() {
        if at > 0 && (digits.len() - at) % 3 == 0 {
            text.push(',');
        }
        text.push(digit);
    }
    text
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn columns_are_as_wide_as_their_widest_cell() {
        let rows = vec![vec!["mix".to_owned(), "1,234".to_owned()], vec!["delta".to_owned(), "5".to_owned()]];
        assert_eq!(layout(&["kind", "MB/s"], &rows), "kind    MB/s\nmix    1,234\ndelta      5");
    }

    #[test]
    fn thousands_are_set_apart() {
        assert_eq!(thousands(7.0), "7");
        assert_eq!(thousands(1_234_567.4), "1,234,567");
    }
}
