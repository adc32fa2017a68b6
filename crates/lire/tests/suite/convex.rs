//! A slow minimiser of convex functions within a box, which does not stop before the optimality conditions hold.

/// Value, gradient and curvature (row by row) at a point.
pub struct Point {
    pub value: f64,
    pub gradient: Vec<f64>,
    pub curvature: Vec<Vec<f64>>,
}

impl Point {
    pub fn zero(size: usize) -> Self {
        Self { value: 0.0, gradient: vec![0.0; size], curvature: vec![vec![0.0; size]; size] }
    }

    /// Adds a function of the sum of some coordinates, by its value and derivatives.
    pub fn add(&mut self, coordinates: &[usize], value: f64, slope: f64, bend: f64) {
        self.value += value;
        for &a in coordinates {
            self.gradient[a] += slope;
            for &b in coordinates {
                self.curvature[a][b] += bend;
            }
        }
    }
}

/// The minimum from a start: Newton steps over the coordinates that no bound holds, halved until they pay, and single
/// coordinates by bisection where they do not.
pub fn minimise(function: impl Fn(&[f64]) -> Point, low: &[f64], high: &[f64], start: &[f64]) -> Vec<f64> {
    let clamp = |at: usize, value: f64| value.max(low[at]).min(high[at]);
    let mut x: Vec<f64> = (0..start.len()).map(|at| clamp(at, start[at])).collect();
    let mut here = function(&x);
    for _ in 0..2000 {
        if residual(&x, &here.gradient, low, high) < 1e-11 {
            break;
        }
        let held = |at: usize| {
            (x[at] <= low[at] && here.gradient[at] > 0.0) || (x[at] >= high[at] && here.gradient[at] < 0.0)
        };
        let free: Vec<usize> = (0..x.len()).filter(|&at| !held(at)).collect();
        let mut matrix: Vec<Vec<f64>> =
            free.iter().map(|&a| free.iter().map(|&b| here.curvature[a][b]).collect()).collect();
        for (at, row) in matrix.iter_mut().enumerate() {
            row[at] += 1e-13 + 1e-10 * row[at];
        }
        let step = solve(matrix, free.iter().map(|&at| -here.gradient[at]).collect());
        let walk = |length: f64| {
            let mut next = x.clone();
            for (&at, step) in free.iter().zip(&step) {
                next[at] = clamp(at, x[at] + length * step);
            }
            let there = function(&next);
            (next, there)
        };
        // Where rows can be told apart a Newton step covers one unit of many.
        let lengths = [1.0, 4.0, 0.5, 0.1, 1e-2, 1e-4];
        let best = lengths.into_iter().map(walk).min_by(|a, b| a.1.value.total_cmp(&b.1.value)).unwrap();
        if best.1.value < here.value {
            (x, here) = best;
            continue;
        }
        for at in 0..x.len() {
            bisect(&function, &mut x, at, low[at], high[at]);
        }
        let value = here.value;
        here = function(&x);
        // Nothing is left but rounding.
        if here.value > value - 1e-15 {
            break;
        }
    }
    x
}

/// How far a point is from fulfilling the conditions of optimality.
pub fn residual(x: &[f64], gradient: &[f64], low: &[f64], high: &[f64]) -> f64 {
    let of = |at: usize| (x[at] - (x[at] - gradient[at]).max(low[at]).min(high[at])).abs();
    (0..x.len()).map(of).fold(0.0, f64::max)
}

/// Minimises along one coordinate by halving the sign change of the slope.
fn bisect(function: &impl Fn(&[f64]) -> Point, x: &mut [f64], at: usize, mut low: f64, mut high: f64) {
    for _ in 0..70 {
        x[at] = f64::midpoint(low, high);
        if function(x).gradient[at] > 0.0 { high = x[at] } else { low = x[at] }
    }
}

/// Solves a dense system by elimination with pivots.
pub fn solve(mut matrix: Vec<Vec<f64>>, mut side: Vec<f64>) -> Vec<f64> {
    let size = side.len();
    for column in 0..size {
        let pivot = (column..size)
            .max_by(|&a, &b| matrix[a][column].abs().total_cmp(&matrix[b][column].abs()))
            .unwrap();
        matrix.swap(column, pivot);
        side.swap(column, pivot);
        for row in column + 1..size {
            let factor = matrix[row][column] / matrix[column][column];
            if factor != 0.0 {
                let (upper, lower) = matrix.split_at_mut(row);
                for (value, above) in lower[0][column..].iter_mut().zip(&upper[column][column..]) {
                    *value -= factor * above;
                }
                side[row] -= factor * side[column];
            }
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|column| matrix[row][column] * side[column]).sum();
        side[row] = (side[row] - known) / matrix[row][row];
    }
    side
}
