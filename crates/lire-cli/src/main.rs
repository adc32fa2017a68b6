//! The `lire` command.
fn main() {}
