//! The rules of a model in the form that scores a block of rows at a time.

use std::collections::HashMap;

use crate::rules::{Condition, Rule, Test, pack};
use crate::table::{MISSING, Schema, Table, UNSEEN, Values};

/// Rows done together: their masks stay in the first-level cache.
pub(super) const BLOCK_ROWS: usize = 1024;
const BLOCK_WORDS: usize = BLOCK_ROWS / 64;

/// Rules as lists of distinct conditions, so that a condition shared by several is evaluated once.
#[derive(Debug, Clone)]
pub(super) struct Compiled {
    conditions: Vec<CompiledCondition>,
    /// For each rule the positions of its conditions.
    rules: Vec<Vec<usize>>,
}

#[derive(Debug, Clone)]
struct CompiledCondition {
    feature: usize,
    test: CompiledTest,
    takes_missing: bool,
}

#[derive(Debug, Clone)]
enum CompiledTest {
    /// `above < x ≤ at_most`, infinite where open.
    Number { above: f64, at_most: f64 },
    /// For each level whether it is accepted, then for an unseen one.
    Code { accepted: Vec<bool> },
}

impl Compiled {
    pub fn of(rules: &[Rule], schema: &Schema) -> Self {
        let mut places: HashMap<Identity, usize> = HashMap::new();
        let mut conditions = Vec::new();
        let mut place = |condition: &Condition| {
            *places.entry(identity(condition)).or_insert_with(|| {
                conditions.push(compile(condition, schema));
                conditions.len() - 1
            })
        };
        let rules = rules.iter().map(|rule| rule.conditions.iter().map(&mut place).collect()).collect();
        Self { conditions, rules }
    }

    /// Room for the masks of all conditions over one block.
    pub fn workspace(&self) -> Vec<[u64; BLOCK_WORDS]> {
        vec![[0; BLOCK_WORDS]; self.conditions.len()]
    }

    // Without branches the loop over numbers is done for several rows at a time.
    #[allow(clippy::needless_bitwise_bool)]
    pub fn evaluate(&self, table: &Table, start: usize, n_rows: usize, masks: &mut [[u64; BLOCK_WORDS]]) {
        let rows = start..start + n_rows;
        for (condition, mask) in self.conditions.iter().zip(masks) {
            let missing = condition.takes_missing;
            match (&condition.test, &table.columns()[condition.feature]) {
                (&CompiledTest::Number { above, at_most }, Values::Numbers(values)) if missing => {
                    pack_numbers(&values[rows.clone()], mask, |x| {
                        ((x > above) & (x <= at_most)) | x.is_nan()
                    });
                }
                (&CompiledTest::Number { above, at_most }, Values::Numbers(values)) => {
                    pack_numbers(&values[rows.clone()], mask, |x| (x > above) & (x <= at_most));
                }
                (CompiledTest::Code { accepted }, Values::Codes(codes)) => {
                    pack_codes(&codes[rows.clone()], mask, accepts(accepted, missing));
                }
                (&CompiledTest::Number { above, at_most }, Values::SparseNumbers(values)) => {
                    pack_numbers(&values.range(rows.clone()), mask, |x| {
                        ((x > above) & (x <= at_most)) | (missing & x.is_nan())
                    });
                }
                (CompiledTest::Code { accepted }, Values::SparseCodes(codes)) => {
                    pack_codes(&codes.range(rows.clone()), mask, accepts(accepted, missing));
                }
                _ => unreachable!("a condition on numbers stands on a column of numbers"),
            }
        }
    }

    pub fn add_up(
        &self,
        weights: &[f64],
        n_outputs: usize,
        masks: &[[u64; BLOCK_WORDS]],
        scores: &mut [f64],
        words: &mut [u64],
        words_per_row: usize,
    ) {
        for (rule, (conditions, weights)) in
            self.rules.iter().zip(weights.chunks_exact(n_outputs)).enumerate()
        {
            let (word, bit) = (rule / 64, 1u64 << (rule % 64));
            for (block, scores) in scores.chunks_mut(64 * n_outputs).enumerate() {
                let mut fired = conditions.iter().fold(u64::MAX, |all, &at| all & masks[at][block]);
                let n_rows = scores.len() / n_outputs;
                if n_rows < 64 {
                    fired &= (1 << n_rows) - 1;
                }
                while fired != 0 {
                    let row = fired.trailing_zeros() as usize;
                    fired &= fired - 1;
                    if let &[weight] = weights {
                        scores[row] += weight;
                    } else {
                        let of_row = &mut scores[row * n_outputs..(row + 1) * n_outputs];
                        of_row.iter_mut().zip(weights).for_each(|(score, weight)| *score += weight);
                    }
                    words[(block * 64 + row) * words_per_row + word] |= bit;
                }
            }
        }
    }
}

/// Whether a code is accepted: that of a level, of an unseen one, or of none.
fn accepts(accepted: &[bool], missing: bool) -> impl Fn(u32) -> bool + '_ {
    let unseen = accepted[accepted.len() - 1];
    move |code| match code {
        MISSING => missing,
        UNSEEN => unseen,
        level => accepted[level as usize],
    }
}

/// Packs the outcome of a test on each code of a block.
fn pack_codes(codes: &[u32], mask: &mut [u64; BLOCK_WORDS], test: impl Fn(u32) -> bool) {
    for (word, codes) in mask.iter_mut().zip(codes.chunks(64)) {
        *word = pack(codes, &test);
    }
}

/// The same for numbers, in a form that the compiler turns into vector comparisons: as wide as the word they are
/// packed into, they need no narrowing to bytes first.
fn pack_numbers(values: &[f64], mask: &mut [u64; BLOCK_WORDS], test: impl Fn(f64) -> bool) {
    const BITS: [u64; 64] = {
        let mut bits = [0; 64];
        let mut bit = 0;
        while bit < 64 {
            bits[bit] = 1 << bit;
            bit += 1;
        }
        bits
    };
    for (word, values) in mask.iter_mut().zip(values.chunks(64)) {
        let mut held = 0;
        for (bit, &value) in BITS.iter().zip(values) {
            held |= if test(value) { *bit } else { 0 };
        }
        *word = held;
    }
}

/// The parts of a condition in a form that a hash table can hold.
type Identity = (usize, bool, u8, Vec<u64>);

fn identity(condition: &Condition) -> Identity {
    let bound = |bound: &Option<f64>| bound.unwrap_or(f64::NAN).to_bits();
    let codes = |levels: &[u32]| levels.iter().map(|&level| u64::from(level)).collect();
    let (kind, parts) = match &condition.test {
        Test::Interval { above, at_most } => (0, vec![bound(above), bound(at_most)]),
        Test::In(levels) => (1, codes(levels)),
        Test::NotIn(levels) => (2, codes(levels)),
        Test::Known => (3, Vec::new()),
        Test::Missing => (4, Vec::new()),
    };
    (condition.feature, condition.takes_missing, kind, parts)
}

fn compile(condition: &Condition, schema: &Schema) -> CompiledCondition {
    let levels = schema.features[condition.feature].kind.levels().map(<[String]>::len);
    let test = match (levels, &condition.test) {
        (None, Test::Interval { above, at_most }) => CompiledTest::Number {
            above: above.unwrap_or(f64::NEG_INFINITY),
            at_most: at_most.unwrap_or(f64::INFINITY),
        },
        (None, Test::Known) => CompiledTest::Number { above: f64::NEG_INFINITY, at_most: f64::INFINITY },
        (None, _) => CompiledTest::Number { above: f64::INFINITY, at_most: f64::NEG_INFINITY },
        (Some(n_levels), _) => {
            let known = |code| Condition { takes_missing: false, ..condition.clone() }.holds_code(code);
            CompiledTest::Code { accepted: (0..n_levels as u32).chain([UNSEEN]).map(known).collect() }
        }
    };
    CompiledCondition { feature: condition.feature, test, takes_missing: condition.takes_missing }
}
