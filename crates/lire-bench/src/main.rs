//! Benches and the solver harness.
mod instance;
use lire::objective::PenaltyKind;
use lire::solver::*;
use std::time::Instant;
const BEST: &[(&str, f64, f64, f64, f64)] = &[
    ("heart", 0.003, 0.006, 0.09323, 3.9),
    ("heart", 0.001, 0.1, 0.04047, 8.4),
    ("heart", 0.001, 1.0, 0.09888, 4.7),
    ("bank", 0.002, 0.004, 0.45522, 22.0),
    ("bank", 0.001, 0.1, 0.43054, 45.8),
    ("bank", 0.001, 1.0, 0.46318, 66.3),
    ("compas", 0.002, 0.004, 0.92219, 16.2),
    ("compas", 0.001, 0.1, 0.91965, 24.8),
    ("compas", 0.001, 1.0, 0.95652, 39.6),
    ("fico", 0.002, 0.004, 0.86306, 66.1),
    ("fico", 0.001, 0.1, 0.86326, 169.1),
    ("fico", 0.001, 1.0, 0.91452, 236.1),
    ("adult", 0.002, 0.004, 0.55867, 83.8),
    ("adult", 0.001, 0.1, 0.54962, 159.0),
    ("adult", 0.001, 1.0, 0.59796, 255.0),
];
fn cpu() -> f64 {
    std::fs::read_dir("/proc/self/task")
        .unwrap()
        .map(|e| {
            std::fs::read_to_string(e.unwrap().path().join("schedstat"))
                .unwrap()
                .split(' ')
                .next()
                .unwrap()
                .parse::<f64>()
                .unwrap()
        })
        .sum::<f64>()
        * 1e-6
}
fn main() {
    rayon::ThreadPoolBuilder::new()
        .num_threads(std::env::var("T").ok().and_then(|v| v.parse().ok()).unwrap_or(2))
        .build_global()
        .unwrap();
    for &(name, g, l, best, secs) in BEST {
        if let Ok(only) = std::env::var("ONLY") {
            if !only.split(',').any(|o| name.starts_with(o)) {
                continue;
            }
        }
        let inst =
            instance::Instance::read(std::path::Path::new(&format!("/work/shared/instances/{name}.lri")))
                .unwrap();
        let t = Instant::now();
        let c0 = cpu();
        let (rows, kept) = inst.training();
        let tb = t.elapsed().as_secs_f64();
        let nr = rows.coverage.n_rows();
        let problem = Problem::new(rows, 0.0, PenaltyKind::Ratio);
        if std::env::var("L1").is_ok() {
            let t = Instant::now();
            let s = l1::solve_l1(&problem, &Weights::default(), g);
            println!(
                "{name} l1 {g}: {:.1}ms K {} obj {:.6} viol {:.2e}",
                t.elapsed().as_secs_f64() * 1e3,
                s.weights.rules.len(),
                s.objective,
                s.violation
            );
            continue;
        }
        let sol = solve(
            &problem,
            &Weights::default(),
            g,
            l,
            SolverConfig {
                search: if std::env::var("PAPER").is_ok() { Search::Paper } else { Search::Best },
                ..Default::default()
            },
            &lire::Watch::default(),
        );
        let s = t.elapsed().as_secs_f64();
        println!(
            "{name:7} {g} {l:5} n {} -> {nr} M {} -> {} build {:.1}ms total {:.1}ms cpu {:.1} x{:.0} G {:.5} best {best:.5} rel {:+.5} K {} P {:.2} moves {} {}",
            inst.n_train,
            inst.n_rules,
            kept.len(),
            tb * 1e3,
            s * 1e3,
            cpu() - c0,
            secs / s,
            sol.objective,
            sol.objective / best - 1.0,
            sol.weights.rules.len(),
            sol.coverage_sum,
            sol.n_moves,
            sol.certified
        );
    }
}
