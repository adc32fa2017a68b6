//! A loss over activation patterns around some parameters: its value and derivatives, for Newton steps.

/// Value, gradient and curvature by the parameters, of which the first is the intercept.
pub(super) struct Expansion {
    pub value: f64,
    pub gradient: Vec<f64>,
    /// The lower triangle, row by row.
    pub curvature: Vec<f64>,
}

impl Expansion {
    /// Of nothing yet.
    pub fn zero(size: usize) -> Self {
        Self { value: 0.0, gradient: vec![0.0; size], curvature: vec![0.0; size * size] }
    }

    /// Adds the derivatives of a pattern's loss by its score. They are the same for the intercept and for each active
    /// rule.
    pub fn add(&mut self, active: &[u16], slope: f64, bend: f64) {
        let size = self.gradient.len();
        self.gradient[0] += slope;
        self.curvature[0] += bend;
        for (nth, &rule) in active.iter().enumerate() {
            let row = rule as usize + 1;
            self.gradient[row] += slope;
            let line = &mut self.curvature[row * size..(row + 1) * size];
            line[0] += bend;
            for &other in &active[..=nth] {
                line[other as usize + 1] += bend;
            }
        }
    }
}
