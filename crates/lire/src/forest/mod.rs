//! Grows shallow trees on binned columns: random forest, gradient boosting, extra trees.

/// Trees whose nodes become candidate rules.
#[derive(Debug, Clone, PartialEq)]
pub struct Forest {
    /// The trees, in the order they were grown.
    pub trees: Vec<Tree>,
    /// What prediction starts from: 0 for averages, the log-odds of the training rows for boosting.
    pub base: f64,
}

/// A binary tree; node 0 is the root, and children stand behind their parents.
#[derive(Debug, Clone, PartialEq)]
pub struct Tree {
    /// The nodes.
    pub nodes: Vec<Node>,
}

/// One node of a tree.
#[derive(Debug, Clone, PartialEq)]
pub struct Node {
    /// How an inner node divides its rows; none for a leaf.
    pub split: Option<Split>,
    /// The training weight in the node.
    pub weight: f64,
    /// What a leaf adds to the prediction.
    pub value: f64,
}

/// A test of one feature. Rows for which it holds go to the left child.
#[derive(Debug, Clone, PartialEq)]
pub struct Split {
    /// The feature's position in the table.
    pub feature: usize,
    /// What is asked of a known value.
    pub test: SplitTest,
    /// Whether missing values go left. Only meaningful where the column has missing values.
    pub missing_left: bool,
    /// The left child's position among the nodes.
    pub left: usize,
    /// The right child's position among the nodes.
    pub right: usize,
}

/// What a split asks of a known value, in bins.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SplitTest {
    /// `bin ≤ b`, that is `x ≤ cuts[b]`.
    AtMost(u8),
    /// `bin = b`, that is `x = level of b`.
    Equals(u8),
    /// Any known value: the split asks only whether the value is missing.
    Known,
}
