//! Ways to learn a rule ensemble: one fit with given settings, out of the parts above.

pub mod glrm;
