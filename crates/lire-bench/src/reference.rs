//! The results of the paper authors' implementation on the instances, with one thread on the same kind of machine, and
//! the lowest objectives known before lire.

/// One row of the reference table.
pub struct Reference {
    pub instance: &'static str,
    pub gamma: f64,
    pub lambda: f64,
    pub seconds: f64,
    pub objective: f64,
    pub best_known: f64,
}

const fn row(
    instance: &'static str,
    gamma: f64,
    lambda: f64,
    seconds: f64,
    objective: f64,
    best_known: f64,
) -> Reference {
    Reference { instance, gamma, lambda, seconds, objective, best_known }
}

pub const REFERENCE: [Reference; 15] = [
    row("heart", 0.003, 0.006, 3.9, 0.12372, 0.09323),
    row("heart", 0.001, 0.1, 8.4, 0.05529, 0.04047),
    row("heart", 0.001, 1.0, 4.7, 0.13886, 0.09888),
    row("bank", 0.002, 0.004, 22.0, 0.49501, 0.45522),
    row("bank", 0.001, 0.1, 45.8, 0.48273, 0.43054),
    row("bank", 0.001, 1.0, 66.3, 0.59639, 0.46318),
    row("compas", 0.002, 0.004, 16.2, 0.94033, 0.92219),
    row("compas", 0.001, 0.1, 24.8, 0.95947, 0.91965),
    row("compas", 0.001, 1.0, 39.6, 1.00213, 0.95652),
    row("fico", 0.002, 0.004, 66.1, 0.90674, 0.86306),
    row("fico", 0.001, 0.1, 169.1, 0.94351, 0.86326),
    row("fico", 0.001, 1.0, 236.1, 0.97283, 0.91452),
    row("adult", 0.002, 0.004, 83.8, 0.59030, 0.55867),
    row("adult", 0.001, 0.1, 159.0, 0.57235, 0.54962),
    row("adult", 0.001, 1.0, 255.0, 0.62042, 0.59796),
];
