//! Benches and the solver harness.
fn main() {}
