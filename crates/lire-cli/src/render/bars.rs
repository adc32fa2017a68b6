//! Bars of block characters: to both sides of an axis, or filling a track.

use crate::console::Style;

use super::grid::Span;

const AXIS: &str = "│";
/// Blocks that fill a cell from its left, in eighths.
const EIGHTHS: [&str; 8] = ["", "▏", "▎", "▍", "▌", "▋", "▊", "▉"];

/// A bar from the axis to the right for positive values, to the left for negative ones. The scale is the value that
/// fills a side. Steps are half a cell: no finer blocks grow to the left.
pub fn signed_bar(value: f64, scale: f64, half_width: usize) -> Vec<Span> {
    let share = if scale > 0.0 { (value.abs() / scale).min(1.0) } else { 0.0 };
    // What is not zero is seen.
    let least = usize::from(value != 0.0);
    let halves = ((share * 2.0 * half_width as f64).round() as usize).max(least);
    let (whole, half) = (halves / 2, halves % 2 == 1);
    let rest = half_width - whole - usize::from(half);
    let (full, empty) = ("█".repeat(whole), " ".repeat(rest));
    if value < 0.0 {
        let bar = format!("{}{full}", if half { "▐" } else { "" });
        let right = " ".repeat(half_width);
        vec![Span::plain(empty), Span::new(bar, Style::Negative), axis(), Span::plain(right)]
    } else {
        let bar = format!("{full}{}", if half { "▌" } else { "" });
        let left = " ".repeat(half_width);
        vec![Span::plain(left), axis(), Span::new(bar, Style::Positive), Span::plain(empty)]
    }
}

/// What the two sides of the axis stand for.
pub fn signed_title(negative: &str, positive: &str, half_width: usize) -> String {
    let side = |label: &str| super::wrap::cut(label, half_width.saturating_sub(2));
    let (negative, positive) = (side(negative), side(positive));
    let left = super::wrap::pad_left(&format!("{negative} ◂"), half_width);
    let right = super::wrap::pad_right(&format!("▸ {positive}"), half_width);
    format!("{left} {right}")
}

/// A track of cells filled from the left, in eighths of a cell.
pub fn share_bar(share: f64, width: usize, style: Style) -> Vec<Span> {
    let eighths = (share.clamp(0.0, 1.0) * 8.0 * width as f64).round() as usize;
    let (whole, part) = (eighths / 8, EIGHTHS[eighths % 8]);
    let filled = format!("{}{part}", "█".repeat(whole));
    let rest = "░".repeat(width - whole - usize::from(!part.is_empty()));
    vec![Span::new(filled, style), Span::new(rest, Style::Faint)]
}

fn axis() -> Span {
    Span::new(AXIS, Style::Faint)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(spans: &[Span]) -> String {
        spans.iter().map(|span| span.text.as_str()).collect()
    }

    #[test]
    fn bars_grow_from_the_axis() {
        assert_eq!(text(&signed_bar(1.0, 1.0, 4)), "    │████");
        assert_eq!(text(&signed_bar(-0.5, 1.0, 4)), "  ██│    ");
        assert_eq!(text(&signed_bar(0.6, 1.0, 4)), "    │██▌ ");
        assert_eq!(text(&signed_bar(-0.001, 1.0, 4)), "   ▐│    ");
        assert_eq!(text(&signed_bar(0.0, 0.0, 4)), "    │    ");
        assert_eq!(text(&signed_bar(9.0, 1.0, 4)), "    │████");
    }

    #[test]
    fn tracks_are_filled_in_eighths() {
        assert_eq!(text(&share_bar(0.5, 4, Style::Plain)), "██░░");
        assert_eq!(text(&share_bar(0.55, 4, Style::Plain)), "██▎░");
        assert_eq!(text(&share_bar(1.0, 4, Style::Plain)), "████");
    }

    #[test]
    fn sides_are_named() {
        assert_eq!(signed_title("no", "yes", 6), "  no ◂ ▸ yes ");
        assert_eq!(signed_title("benign", "malignant", 6), "ben… ◂ ▸ mal…");
    }
}
