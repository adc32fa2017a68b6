//! Grows one tree: level by level, or best leaf first.

use std::sync::atomic::{AtomicU32, Ordering};

use rayon::prelude::*;

use super::config::{ForestConfig, TreeGenerator};
use super::features::FeatureDraws;
use super::lanes::{Lane, LaneGroup, Lanes, count_lanes};
use super::search::{Candidate, Choice, Criterion, Offer, SplitSearch, better};
use super::sparse_lanes::CountedNodes;
use super::tally::{Scale, Tally};
use super::{Node, Split, Tree};
use crate::binning::BinnedTable;

/// Sparse features that one thread takes at a time.
const SPARSE_LANES: usize = 256;
/// Keeps the draws of nodes apart from those of rows.
const NODES: u64 = 1 << 32;

/// So many groups of features with few rows are worth a task of their own.
const GROUPS_A_TASK: usize = 8;
/// Children of so few rows are counted each by itself. Beyond this it is faster to count the smaller one and to subtract
/// it from the parent, whose histograms have to be kept for that.
const FEW_ROWS: usize = 1024;

/// Grows trees on the same columns.
pub(super) struct Grower<'a> {
    pub(super) binned: &'a BinnedTable,
    pub(super) lanes: &'a Lanes,
    pub(super) features: &'a FeatureDraws,
    pub(super) config: &'a ForestConfig,
    pub(super) criterion: Criterion,
    pub(super) scale: Scale,
    /// Multiplies the step of each leaf.
    pub(super) rate: f64,
    /// Leaf values stay within this.
    pub(super) leaf_limit: f64,
    /// Whether threads share the work within a tree.
    pub(super) spread: bool,
}

/// The rows that a tree is grown on.
pub(super) struct Sample<'a> {
    /// The tally of each row of the table.
    pub(super) tallies: &'a [Tally],
    /// The sum of all tallies.
    pub(super) total: Tally,
    /// Receives the leaf of each row, if anyone asks.
    pub(super) leaf_of: Option<&'a [AtomicU32]>,
}

/// A leaf that may yet be split.
struct OpenNode {
    node: usize,
    depth: usize,
    rows: Vec<u32>,
    total: Tally,
    /// One a group where children will subtract from them; else empty.
    histograms: Vec<Vec<Tally>>,
    best: Option<Candidate>,
}

impl Grower<'_> {
    /// Grows the tree with this number, which decides what is drawn.
    pub(super) fn grow(&self, tree: usize, rows: Vec<u32>, sample: &Sample) -> Tree {
        let mut nodes = vec![self.leaf(sample.total)];
        let mut root = OpenNode::new(0, 0, rows, sample.total);
        if self.may_split(&root) {
            self.search_alone(tree, &mut root, sample);
        }
        let (mut open, mut n_leaves) = (Vec::new(), 1);
        let mut found = vec![root];
        loop {
            for node in found {
                if node.best.is_some() {
                    open.push(node);
                } else {
                    node.note_leaf(sample);
                }
            }
            let parents = self.take_next(&mut open, n_leaves);
            if parents.is_empty() {
                break;
            }
            n_leaves += parents.len();
            let mut pairs: Vec<_> =
                parents.into_iter().filter_map(|parent| self.split(parent, &mut nodes, sample)).collect();
            self.search_pairs(tree, &mut pairs, sample);
            found = pairs.into_iter().flat_map(|pair| pair.children).collect();
        }
        for node in &open {
            node.note_leaf(sample);
        }
        Tree { nodes }
    }

    /// The whole level, or, where leaves are limited, the leaf with the largest gain.
    fn take_next(&self, open: &mut Vec<OpenNode>, n_leaves: usize) -> Vec<OpenNode> {
        let Some(max_leaves) = self.config.max_leaves else {
            return std::mem::take(open);
        };
        let gain = |node: &OpenNode| node.best.map_or(0.0, |best| best.gain);
        // Ties go to the node that was there first.
        let order = |a: &OpenNode, b: &OpenNode| gain(a).total_cmp(&gain(b)).then(b.node.cmp(&a.node));
        let best = (0..open.len()).max_by(|&a, &b| order(&open[a], &open[b]));
        best.filter(|_| n_leaves < max_leaves).map(|place| open.swap_remove(place)).into_iter().collect()
    }

    fn leaf(&self, total: Tally) -> Node {
        let unit = self.scale.curvature / self.scale.gradient;
        let value = if total.is_empty() { 0.0 } else { self.criterion.step(total) * unit * self.rate };
        Node {
            split: None,
            weight: f64::from(total.mass()) / self.scale.mass,
            value: value.clamp(-self.leaf_limit, self.leaf_limit),
        }
    }

    fn may_split(&self, node: &OpenNode) -> bool {
        self.config.max_depth.is_none_or(|max| node.depth < max) && self.criterion.may_split(node.total)
    }

    fn blocks_a_thread(&self) -> usize {
        if self.spread { 1 } else { usize::MAX }
    }

    /// Appends the children and divides the rows between them, unless both are leaves for certain.
    fn split(&self, parent: OpenNode, nodes: &mut Vec<Node>, sample: &Sample) -> Option<Pair> {
        let best = parent.best?;
        let (left, right) = (nodes.len(), nodes.len() + 1);
        let split =
            Split { feature: best.feature, test: best.test, missing_left: best.missing_left, left, right };
        let totals = [best.left, parent.total - best.left];
        nodes.extend(totals.map(|total| self.leaf(total)));
        let bins = &self.binned.columns[best.feature].bins;
        let depth = parent.depth + 1;
        let mut children = [(left, totals[0]), (right, totals[1])]
            .map(|(node, total)| OpenNode::new(node, depth, Vec::new(), total));
        let grows = children.iter().any(|child| self.may_split(child));
        if grows {
            let (left_rows, right_rows) = split.divide(&parent.rows, bins, self.blocks_a_thread());
            [children[0].rows, children[1].rows] = [left_rows, right_rows];
        } else if let Some(leaf_of) = sample.leaf_of {
            split.note_leaves(&parent.rows, bins, leaf_of, self.blocks_a_thread());
        }
        nodes[parent.node].split = Some(split);
        grows.then_some(Pair { children, parent_histograms: parent.histograms })
    }

    /// Finds the best split of a node that stands alone.
    fn search_alone(&self, tree: usize, node: &mut OpenNode, sample: &Sample) {
        let key = self.key(tree, node);
        if !self.features.draws_any() && node.rows.len() <= FEW_ROWS {
            let dense = self.search_few(tree, node, sample);
            node.best = better(dense, self.search_sparse(tree, &[&*node], sample)[0]);
            return;
        }
        if !self.features.draws_any() {
            let found: Vec<_> = self
                .lanes
                .groups
                .par_iter()
                .with_min_len(self.blocks_a_thread())
                .map(|group| {
                    let histogram = group.histogram(&node.rows, sample.tallies);
                    let best = self.search(node.total, &key).group(group, &histogram);
                    (histogram, best)
                })
                .collect();
            let dense = found.iter().fold(None, |best, found| better(best, found.1));
            node.best = better(dense, self.search_sparse(tree, &[&*node], sample)[0]);
            node.histograms = found.into_iter().map(|(histogram, _)| histogram).collect();
            return;
        }
        // Features without any possible split do not count as tried, as in scikit-learn.
        let nodes = [(&node.rows[..], node.total)];
        let counted =
            (!self.lanes.sparse.is_empty()).then(|| CountedNodes::of(nodes.into_iter(), self.binned.n_rows));
        node.best = self.features.draw(&key).find_map(|offers| {
            let offered = |lane: &&Lane| offers[lane.slot] != Offer::Nothing;
            let lanes: Vec<&Lane> =
                self.lanes.groups.iter().flat_map(|group| &group.lanes).filter(offered).collect();
            let mut search = self.search(node.total, &key);
            count_lanes(self.binned, &lanes, &node.rows, sample.tallies, |lane, bins, missing| {
                search.lane(lane, bins, missing, offers[lane.slot]);
            });
            let dense = search.best();
            let Some(counted) = &counted else { return dense };
            let mut search = self.search(node.total, &key);
            let sparse = self.lanes.sparse.iter().filter(offered);
            let least = self.criterion.min_mass;
            counted.count(self.binned, sparse, sample.tallies, least, |lane, _, bins, missing| {
                search.lane(lane, bins, missing, offers[lane.slot]);
            });
            better(dense, search.best())
        });
    }

    /// The best split of a node of few rows by a feature whose bins lie beside those of others.
    fn search_few(&self, tree: usize, node: &OpenNode, sample: &Sample) -> Option<Candidate> {
        let key = self.key(tree, node);
        let best_of = |group: &LaneGroup| {
            self.search(node.total, &key).rows_of_group(group, &node.rows, sample.tallies)
        };
        let groups = self.lanes.groups.par_iter().with_min_len(self.blocks_a_thread().max(GROUPS_A_TASK));
        let found: Vec<_> = groups.map(best_of).collect();
        found.into_iter().fold(None, better)
    }

    /// Finds the best splits of all children of a level.
    fn search_pairs(&self, tree: usize, pairs: &mut [Pair], sample: &Sample) {
        let draws_any = self.features.draws_any();
        pairs
            .par_iter_mut()
            .with_min_len(self.blocks_a_thread())
            .filter(|pair| draws_any || pair.parent_histograms.is_empty())
            .flat_map_iter(|pair| &mut pair.children)
            .filter(|child| self.may_split(child))
            .for_each(|child| {
                if draws_any {
                    self.search_alone(tree, child, sample);
                } else {
                    child.best = self.search_few(tree, child, sample);
                }
            });
        if draws_any {
            return;
        }
        let mut tasks: Vec<(usize, usize, Vec<Tally>)> = Vec::new();
        for (position, pair) in pairs.iter_mut().enumerate() {
            let parents = std::mem::take(&mut pair.parent_histograms).into_iter().enumerate();
            tasks.extend(parents.map(|(group, histogram)| (position, group, histogram)));
        }
        let found: Vec<_> = tasks
            .into_par_iter()
            .with_min_len(self.blocks_a_thread())
            .map(|(position, group, histogram)| {
                (
                    position,
                    self.search_pair(tree, &pairs[position], &self.lanes.groups[group], histogram, sample),
                )
            })
            .collect();
        for (position, found) in found {
            for (child, (histogram, best)) in pairs[position].children.iter_mut().zip(found) {
                if child.rows.len() > FEW_ROWS {
                    child.histograms.push(histogram);
                }
                child.best = better(child.best, best);
            }
        }
        let mut children: Vec<&mut OpenNode> = pairs
            .iter_mut()
            .flat_map(|pair| &mut pair.children)
            .filter(|child| self.may_split(child))
            .collect();
        let searched: Vec<&OpenNode> = children.iter().map(|child| &**child).collect();
        let best = self.search_sparse(tree, &searched, sample);
        for (child, best) in children.iter_mut().zip(best) {
            child.best = better(child.best, best);
        }
    }

    /// The best split of each node by a feature of which most rows share a bin.
    fn search_sparse(&self, tree: usize, nodes: &[&OpenNode], sample: &Sample) -> Vec<Option<Candidate>> {
        let none = vec![None; nodes.len()];
        if self.lanes.sparse.is_empty() || nodes.is_empty() {
            return none;
        }
        let rows = nodes.iter().map(|node| (&node.rows[..], node.total));
        let counted = CountedNodes::of(rows, self.binned.n_rows);
        let keys: Vec<[u64; 3]> = nodes.iter().map(|node| self.key(tree, node)).collect();
        let of_lanes = |lanes: &[Lane]| {
            let searches = nodes.iter().zip(&keys).map(|(node, key)| self.search(node.total, key));
            let mut searches: Vec<SplitSearch> = searches.collect();
            let least = self.criterion.min_mass;
            counted.count(self.binned, lanes.iter(), sample.tallies, least, |lane, node, bins, missing| {
                searches[node].lane(lane, bins, missing, Offer::Everything);
            });
            searches.into_iter().map(SplitSearch::best).collect::<Vec<_>>()
        };
        let parts = self.lanes.sparse.par_chunks(SPARSE_LANES).with_min_len(self.blocks_a_thread());
        let found: Vec<Vec<Option<Candidate>>> = parts.map(of_lanes).collect();
        let best =
            |best: Vec<_>, found: Vec<_>| best.into_iter().zip(found).map(|(a, b)| better(a, b)).collect();
        found.into_iter().fold(none, best)
    }

    /// Counts the rows of the smaller child; the larger one has what is left of the parent.
    fn search_pair(
        &self,
        tree: usize,
        pair: &Pair,
        group: &LaneGroup,
        parent: Vec<Tally>,
        sample: &Sample,
    ) -> [(Vec<Tally>, Option<Candidate>); 2] {
        let [left, right] = &pair.children;
        let left_is_smaller = left.rows.len() <= right.rows.len();
        let smaller = group.histogram(if left_is_smaller { &left.rows } else { &right.rows }, sample.tallies);
        let mut larger = parent;
        larger.iter_mut().zip(&smaller).for_each(|(larger, &smaller)| *larger -= smaller);
        let histograms = if left_is_smaller { [smaller, larger] } else { [larger, smaller] };
        let mut children = pair.children.iter();
        histograms.map(|histogram| {
            let best = children.next().filter(|child| self.may_split(child)).and_then(|child| {
                let key = self.key(tree, child);
                self.search(child.total, &key).group(group, &histogram)
            });
            (histogram, best)
        })
    }

    /// What is drawn at a node is drawn from this.
    fn key(&self, tree: usize, node: &OpenNode) -> [u64; 3] {
        [self.config.seed, tree as u64, NODES + node.node as u64]
    }

    fn search<'a>(&'a self, total: Tally, key: &'a [u64]) -> SplitSearch<'a> {
        let choice = match self.config.generator {
            TreeGenerator::ExtraTrees => Choice::Drawn(key),
            TreeGenerator::RandomForest | TreeGenerator::Boosting => Choice::Best,
        };
        SplitSearch::new(&self.criterion, total, choice)
    }
}

/// The two children of a split.
struct Pair {
    children: [OpenNode; 2],
    parent_histograms: Vec<Vec<Tally>>,
}

impl OpenNode {
    fn new(node: usize, depth: usize, rows: Vec<u32>, total: Tally) -> Self {
        Self { node, depth, rows, total, histograms: Vec::new(), best: None }
    }

    fn note_leaf(&self, sample: &Sample) {
        if let Some(leaf_of) = sample.leaf_of {
            for &row in &self.rows {
                leaf_of[row as usize].store(self.node as u32, Ordering::Relaxed);
            }
        }
    }
}
