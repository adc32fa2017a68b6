//! A short content hash, by which a model file tells what data it was fitted on.

use super::{Dataset, FeatureKind, TargetValues, Values};

/// Sixteen hexadecimal digits from names, types, cells, labels and weights; stable across machines and versions.
pub fn fingerprint(dataset: &Dataset) -> String {
    let mut hash = Fingerprint::new();
    hash.number(dataset.table.n_rows());
    for (feature, values) in dataset.table.schema().features.iter().zip(dataset.table.columns()) {
        hash.text(&feature.name);
        hash.text(feature.kind.name());
        if let FeatureKind::Boolean { levels } | FeatureKind::Category { levels } = &feature.kind {
            hash.number(levels.len());
            for level in levels {
                hash.text(level);
            }
        }
        match values {
            // Every missing number has the same bits, whatever made it.
            Values::Numbers(values) => {
                for value in values {
                    hash.word(if value.is_nan() { u64::MAX } else { value.to_bits() });
                }
            }
            Values::Codes(codes) => {
                for &code in codes {
                    hash.word(u64::from(code));
                }
            }
        }
    }
    let target = &dataset.target;
    hash.text(&target.name);
    match &target.values {
        TargetValues::Classes(of) => {
            for class in &of.classes {
                hash.text(class);
            }
            for &label in &of.labels {
                hash.word(u64::from(label));
            }
        }
        TargetValues::Numbers(values) => {
            for value in values {
                hash.word(value.to_bits());
            }
        }
    }
    if let Some(weights) = &dataset.weights {
        hash.text("weights");
        for weight in weights {
            hash.word(weight.to_bits());
        }
    }
    format!("{:016x}", hash.state)
}

/// FNV-1a taken by words instead of bytes, with the high bits folded down so that they count as well.
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
}
