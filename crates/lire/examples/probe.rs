//! probe
use lire::binning::*;
use lire::coverage::*;
use lire::table::*;
use lire::*;
use std::time::Instant;
fn main() {
    let args: Vec<String> = std::env::args().collect();
    let cfg = Config {
        target: args[2].clone(),
        n_estimators: 100,
        gamma: 0.001,
        lambda: 0.1,
        ..Default::default()
    };
    let o = cfg.dataset_options();
    let (data, _) = Dataset::prepare(read(std::path::Path::new(&args[1]), &o.read).unwrap(), &o).unwrap();
    for _ in 0..3 {
        let w = data.row_weights();
        let t = Instant::now();
        let b = BinnedTable::of(&data.table, &w);
        let rows = Rows::merge(&b, &data.target.labels, &w);
        let t1 = t.elapsed();
        let s = cfg.check(data.table.schema()).unwrap();
        let f = forest::grow(&rows, &s.forest, &Watch::default());
        let t2 = t.elapsed();
        let r = rules::extract(&f, &rows.binned, data.table.schema(), None);
        let n0 = r.len();
        let t3 = t.elapsed();
        let r = rules::distinct_by_text(r, data.table.schema());
        let n1 = r.len();
        let t4 = t.elapsed();
        let c = Candidates::of(r, &rows, data.table.schema(), &s.rules);
        let t5 = t.elapsed();
        let nm = c.rows.masses.len();
        let nr = c.rules.len();
        let p = solver::Problem::new(c.rows, s.ridge, s.penalty);
        let t6 = t.elapsed();
        let sol =
            solver::solve(&p, &solver::Weights::default(), s.gamma, s.lambda, s.solver, &Watch::default());
        let t7 = t.elapsed();
        println!(
            "rows {} rules {n0} -> {n1} -> {nr}; merged {nm}; bin {:?} forest {:?} extract {:?} text {:?} cand {:?} problem {:?} solve {:?} | total {:?} G {:.5} K {} moves {}",
            rows.len(),
            t1,
            t2 - t1,
            t3 - t2,
            t4 - t3,
            t5 - t4,
            t6 - t5,
            t7 - t6,
            t7,
            sol.objective,
            sol.weights.rules.len(),
            sol.n_moves
        );
    }
}
