//! Cholesky factors of the small dense matrices that re-fitting needs.
//!
//! Written by hand: the systems have at most some hundred unknowns and are solved thousands of times,
//! so that a linear-algebra dependency would weigh more than these forty lines.

/// The lower factor of a symmetric positive definite matrix, row by row.
#[derive(Debug)]
pub(super) struct Cholesky {
    size: usize,
    factor: Vec<f64>,
}

impl Cholesky {
    /// Factors `matrix` (row-major, lower triangle read); none if it is not positive definite.
    pub fn of(mut matrix: Vec<f64>, size: usize) -> Option<Self> {
        for row in 0..size {
            let (above, current) = matrix.split_at_mut(row * size);
            for column in 0..row {
                let other = &above[column * size..=column * size + column];
                let dot = dot(&current[..column], &other[..column]);
                current[column] = (current[column] - dot) / other[column];
            }
            let rest = current[row] - dot(&current[..row], &current[..row]);
            // Said so that a NaN ends it as well.
            if rest.is_nan() || rest <= 0.0 {
                return None;
            }
            current[row] = rest.sqrt();
        }
        Some(Self { size, factor: matrix })
    }

    /// Solves in place for one right-hand side.
    pub fn solve(&self, side: &mut [f64]) {
        let size = self.size;
        for row in 0..size {
            let line = &self.factor[row * size..=row * size + row];
            let dot = dot(&line[..row], &side[..row]);
            side[row] = (side[row] - dot) / line[row];
        }
        for row in (0..size).rev() {
            let value = side[row] / self.factor[row * size + row];
            side[row] = value;
            for (side, factor) in side[..row].iter_mut().zip(&self.factor[row * size..]) {
                *side -= factor * value;
            }
        }
    }

    /// The inverse of the matrix, in full.
    pub fn inverse(&self) -> Vec<f64> {
        let size = self.size;
        // Row `column` holds that column of the inverse factor, which begins at its diagonal.
        let mut columns = vec![0.0; size * size];
        for (start, column) in columns.chunks_exact_mut(size).enumerate() {
            column[start] = 1.0 / self.factor[start * size + start];
            for row in start + 1..size {
                let line = &self.factor[row * size..=row * size + row];
                column[row] = -dot(&line[start..row], &column[start..row]) / line[row];
            }
        }
        let mut inverse = vec![0.0; size * size];
        for a in 0..size {
            for b in 0..=a {
                let product =
                    dot(&columns[a * size + a..(a + 1) * size], &columns[b * size + a..(b + 1) * size]);
                inverse[a * size + b] = product;
                inverse[b * size + a] = product;
            }
        }
        inverse
    }
}

/// The scalar product, in four partial sums so that the processor need not wait for each addition.
pub(super) fn dot(a: &[f64], b: &[f64]) -> f64 {
    let mut sums = [0.0; 4];
    let (fours_a, fours_b) = (a.chunks_exact(4), b.chunks_exact(4));
    let rest: f64 = fours_a.remainder().iter().zip(fours_b.remainder()).map(|(a, b)| a * b).sum();
    for (a, b) in fours_a.zip(fours_b) {
        for lane in 0..4 {
            sums[lane] += a[lane] * b[lane];
        }
    }
    (sums[0] + sums[2]) + (sums[1] + sums[3]) + rest
}
