//! A short content hash, by which a model file tells what data it was fitted on.

use rayon::prelude::*;

use super::{Dataset, FeatureKind, Plain, TargetValues};

/// Rows whose hashes stay in the cache while the columns pass by.
const BLOCK: usize = 2048;

/// Sixteen hexadecimal digits from names, types, cells, labels and weights; stable across machines and versions, and the
/// same whatever the order of the rows.
pub fn fingerprint(dataset: &Dataset) -> String {
    let target = &dataset.target;
    let mut names = Fingerprint::new();
    names.number(dataset.table.n_rows());
    for feature in &dataset.table.schema().features {
        names.text(&feature.name);
        names.text(feature.kind.name());
        if let FeatureKind::Boolean { levels } | FeatureKind::Category { levels } = &feature.kind {
            names.texts(levels);
        }
    }
    names.text(&target.name);
    if let TargetValues::Classes(of) = &target.values {
        names.texts(&of.classes);
    }
    names.number(usize::from(dataset.weights.is_some()));

    let mut rows = vec![names; dataset.table.n_rows()];
    rows.par_chunks_mut(BLOCK).enumerate().for_each(|(block, rows)| {
        let range = block * BLOCK..block * BLOCK + rows.len();
        for values in dataset.table.columns() {
            match values.plain_range(range.clone()) {
                Plain::Numbers(values) => add(rows, values.iter().map(|&value| bits(value))),
                Plain::Codes(codes) => add(rows, codes.iter().map(|&code| u64::from(code))),
            }
        }
    });
    match &target.values {
        TargetValues::Classes(of) => add(&mut rows, of.labels.iter().map(|&label| u64::from(label))),
        TargetValues::Numbers(values) => add(&mut rows, values.iter().map(|&value| bits(value))),
    }
    if let Some(weights) = &dataset.weights {
        add(&mut rows, weights.iter().map(|&weight| bits(weight)));
    }
    // A sum does not depend on the order, and copies do not cancel each other in it.
    let sum = rows.iter().fold(0u64, |sum, row| sum.wrapping_add(row.scattered()));
    format!("{sum:016x}")
}

/// Adds a cell to each row.
fn add(rows: &mut [Fingerprint], cells: impl Iterator<Item = u64>) {
    for (row, cell) in rows.iter_mut().zip(cells) {
        row.word(cell);
    }
}

/// Every missing number has the same bits, whatever made it.
fn bits(number: f64) -> u64 {
    if number.is_nan() { u64::MAX } else { number.to_bits() }
}

/// FNV-1a taken by words instead of bytes, with the high bits folded down so that they count as well.
#[derive(Clone, Copy)]
struct Fingerprint {
    state: u64,
}

impl Fingerprint {
    const OFFSET: u64 = 0xcbf2_9ce4_8422_2325;
    const PRIME: u64 = 0x0000_0100_0000_01b3;

    fn new() -> Self {
        Self { state: Self::OFFSET }
    }

    fn word(&mut self, word: u64) {
        let mixed = (self.state ^ word).wrapping_mul(Self::PRIME);
        self.state = mixed ^ (mixed >> 32);
    }

    /// All bits of the state in each bit, so that sums of several say something.
    fn scattered(self) -> u64 {
        let bits = (self.state ^ (self.state >> 30)).wrapping_mul(0xBF58_476D_1CE4_E5B9);
        let bits = (bits ^ (bits >> 27)).wrapping_mul(0x94D0_49BB_1331_11EB);
        bits ^ (bits >> 31)
    }

    fn number(&mut self, number: usize) {
        self.word(number as u64);
    }

    /// The length comes first, so that `ab` + `c` differs from `a` + `bc`.
    fn text(&mut self, text: &str) {
        self.number(text.len());
        for byte in text.bytes() {
            self.word(u64::from(byte));
        }
    }

    fn texts(&mut self, texts: &[String]) {
        self.number(texts.len());
        for text in texts {
            self.text(text);
        }
    }
}
