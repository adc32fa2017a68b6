//! Fixed solver problems in the `.lri` format, which holds labels and coverage only.

use anyhow::{Context, Result, bail, ensure};
use std::sync::Arc;

use lire::coverage::{Coverage, MergedRows, PackedColumn, Pair};
use std::path::Path;

/// Labels and coverage as the file holds them.
pub struct Instance {
    bytes: Vec<u8>,
    /// The number of training rows.
    pub n_train: usize,
    /// The number of test rows.
    pub n_test: usize,
    /// The number of rules.
    pub n_rules: usize,
}

const HEADER_BYTES: usize = 16;

/// The training part of an instance.
pub struct Training {
    /// What each rule covers.
    pub coverage: Arc<Coverage>,
    /// Positive and negative rows behind each distinct row.
    pub masses: Vec<Pair>,
    /// The index in the file of each distinct rule: the lowest of those with equal coverage.
    pub kept: Vec<usize>,
}

impl Instance {
    /// Reads and checks a file.
    pub fn read(path: &Path) -> Result<Self> {
        let bytes = std::fs::read(path).with_context(|| path.display().to_string())?;
        ensure!(
            bytes.len() >= HEADER_BYTES && &bytes[..4] == b"LRI1",
            "{}: not an .lri file",
            path.display()
        );
        let number =
            |at: usize| u32::from_le_bytes([bytes[at], bytes[at + 1], bytes[at + 2], bytes[at + 3]]) as usize;
        let (n_train, n_test, n_rules) = (number(4), number(8), number(12));
        let line = n_train.div_ceil(8) + n_test.div_ceil(8);
        if bytes.len() != HEADER_BYTES + line * (n_rules + 1) {
            bail!(
                "{}: {} bytes do not fit {n_train} + {n_test} rows and {n_rules} rules",
                path.display(),
                bytes.len()
            );
        }
        Ok(Self { bytes, n_train, n_test, n_rules })
    }

    /// The training rows, merged, with one rule for each distinct coverage.
    pub fn training(&self) -> Training {
        let coverage = Coverage::build(self.n_train, self.n_rules, |rule| self.train_column(rule + 1));
        let fingerprints = coverage.fingerprints();
        let mut kept: Vec<usize> = (0..self.n_rules).collect();
        kept.sort_unstable_by_key(|&rule| (fingerprints[rule], rule));
        kept.dedup_by_key(|rule| fingerprints[*rule]);
        kept.sort_unstable();
        let coverage = coverage.keep(&kept);
        let labels = self.train_column(0);
        let mass = |row: usize| if labels[row / 64] >> (row % 64) & 1 == 1 { [1.0, 0.0] } else { [0.0, 1.0] };
        let masses: Vec<Pair> = (0..self.n_train).map(mass).collect();
        let merged = MergedRows::of(coverage);
        Training { masses: merged.merge(&masses), coverage: Arc::new(merged.coverage), kept }
    }

    /// The labels of the test rows.
    pub fn test_labels(&self) -> Vec<bool> {
        self.test_bits(0)
    }

    /// Which test rows a rule covers.
    pub fn test_coverage(&self, rule: usize) -> Vec<bool> {
        self.test_bits(rule + 1)
    }

    fn train_column(&self, line: usize) -> PackedColumn {
        let (train, test) = (self.n_train.div_ceil(8), self.n_test.div_ceil(8));
        let at = HEADER_BYTES + line * (train + test);
        let bytes = &self.bytes[at..at + train];
        let mut words: Vec<u64> = bytes
            .chunks(8)
            .map(|chunk| chunk.iter().rev().fold(0, |word, &byte| word << 8 | u64::from(byte)))
            .collect();
        if !self.n_train.is_multiple_of(64)
            && let Some(last) = words.last_mut()
        {
            *last &= (1 << (self.n_train % 64)) - 1;
        }
        words
    }

    fn test_bits(&self, line: usize) -> Vec<bool> {
        let (train, test) = (self.n_train.div_ceil(8), self.n_test.div_ceil(8));
        let at = HEADER_BYTES + line * (train + test) + train;
        (0..self.n_test).map(|row| self.bytes[at + row / 8] >> (row % 8) & 1 == 1).collect()
    }
}
