//! Finds the best split of a node in the histograms of its features.

use super::SplitTest;
use super::lanes::{Lane, LaneGroup};
use super::sampling::Draws;
use super::tally::{Scale, Tally};

/// A split that a node could take.
#[derive(Debug, Clone, Copy, PartialEq)]
pub(super) struct Candidate {
    pub(super) gain: f64,
    /// The gain before the score of the node is taken off, which rounds.
    score: f64,
    pub(super) feature: usize,
    pub(super) test: SplitTest,
    pub(super) missing_left: bool,
    /// The rows that would go left.
    pub(super) left: Tally,
}

/// What makes a split good and what makes it possible, in the units of the tallies.
#[derive(Debug, Clone, Copy)]
pub(super) struct Criterion {
    l2: f64,
    pub(super) min_mass: u32,
    min_gain_a_mass: f64,
}

/// Gains below this share of a node's score are rounding: some fifty times that of the sums which make a gain.
const MIN_GAIN_SHARE: f64 = 1e-14;
/// A score that was compared without dividing may be wrong by this share of it, with room to spare.
const ROUNDING_SHARE: f64 = 1e-12;

impl Criterion {
    /// Gradients of a mass of one that differ by less than the resolution are told apart by no split.
    pub(super) fn new(l2: f64, min_leaf_weight: f64, resolution: f64, scale: &Scale) -> Self {
        Self {
            l2: l2 * scale.curvature,
            // A leaf without rows is none.
            min_mass: ((min_leaf_weight * scale.mass).ceil() as u32).max(1),
            min_gain_a_mass: (resolution * scale.gradient).powi(2) / scale.curvature / scale.mass,
        }
    }

    /// Whether two leaves could share these rows at all.
    pub(super) fn may_split(&self, total: Tally) -> bool {
        total.mass() / 2 >= self.min_mass
    }

    /// `gradient / (curvature + l2)`, the step of a leaf, in units of gradient per curvature.
    pub(super) fn step(&self, tally: Tally) -> f64 {
        tally.gradient() / self.denominator(tally)
    }

    fn score(&self, tally: Tally) -> f64 {
        tally.gradient() * tally.gradient() / self.denominator(tally)
    }

    /// Whether two leaves may score more than this. Most cannot, and two divisions are the slowest part of a score.
    fn may_exceed(&self, left: Tally, right: Tally, least: f64) -> bool {
        let (left_squared, right_squared) = (left.gradient().powi(2), right.gradient().powi(2));
        let (left, right) = (self.denominator(left), self.denominator(right));
        left_squared * right + right_squared * left >= least * (1.0 - ROUNDING_SHARE) * (left * right)
    }

    fn denominator(&self, tally: Tally) -> f64 {
        // One unit at least: rounding may leave a leaf without curvature.
        (tally.curvature() + self.l2).max(1.0)
    }
}

/// What of a feature may be tried at a node.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Offer {
    Nothing,
    Everything,
    /// Of a category only these bins, a bit each.
    Bins([u64; 4]),
}

impl Offer {
    pub(super) fn holds(&self, bin: usize) -> bool {
        match self {
            Self::Nothing => false,
            Self::Everything => true,
            Self::Bins(bits) => bits[bin / 64] >> (bin % 64) & 1 == 1,
        }
    }
}

/// How the tests of a feature are chosen.
#[derive(Debug, Clone, Copy)]
pub(super) enum Choice<'a> {
    /// All are tried.
    Best,
    /// One is drawn, from the numbers that tell the node.
    Drawn(&'a [u64]),
}

/// The search of one node.
pub(super) struct SplitSearch<'a> {
    pub(super) criterion: &'a Criterion,
    pub(super) total: Tally,
    pub(super) choice: Choice<'a>,
    best: Option<Candidate>,
    least: f64,
}

impl<'a> SplitSearch<'a> {
    pub(super) fn new(criterion: &'a Criterion, total: Tally, choice: Choice<'a>) -> Self {
        let rounding = criterion.min_gain_a_mass * f64::from(total.mass());
        let least = criterion.score(total) * (1.0 + MIN_GAIN_SHARE) + rounding;
        Self { criterion, total, choice, best: None, least }
    }

    /// The best split of all lanes of a group. Ties go to the first in the order of features and bins.
    pub(super) fn group(mut self, group: &LaneGroup, histogram: &[Tally]) -> Option<Candidate> {
        for lane in &group.lanes {
            let (bins, missing) = lane.tallies(histogram);
            self.lane(lane, bins, missing, Offer::Everything);
        }
        self.best()
    }

    /// The same for rows that are counted here.
    pub(super) fn rows_of_group(
        mut self,
        group: &LaneGroup,
        rows: &[u32],
        tallies: &[Tally],
    ) -> Option<Candidate> {
        group.count(rows, tallies, |lane, bins, missing| self.lane(lane, bins, missing, Offer::Everything));
        self.best()
    }

    /// Tries what is on offer of a lane.
    pub(super) fn lane(&mut self, lane: &Lane, bins: &[Tally], missing: Tally, offer: Offer) {
        match (lane.is_category(), self.choice) {
            (false, Choice::Best) => self.thresholds(lane, bins, missing),
            (true, Choice::Best) => self.levels(lane, bins, missing, offer),
            (_, Choice::Drawn(node)) => self.drawn(lane, bins, missing, offer, node),
        }
        if !missing.is_empty() {
            self.try_split(lane, SplitTest::Known, false, self.total - missing);
        }
    }

    /// The best split of all that was tried.
    pub(super) fn best(self) -> Option<Candidate> {
        self.best.map(|best| Candidate { gain: best.score - self.criterion.score(self.total), ..best })
    }

    fn thresholds(&mut self, lane: &Lane, bins: &[Tally], missing: Tally) {
        let known = self.total - missing;
        let mut at_most = Tally::default();
        for (bin, &tally) in bins.iter().enumerate() {
            // A bin without rows moves nothing to the left.
            if tally.is_empty() {
                continue;
            }
            at_most += tally;
            if at_most.mass() == known.mass() {
                break;
            }
            self.try_sides(lane, SplitTest::AtMost(bin as u8), at_most, missing);
        }
    }

    fn levels(&mut self, lane: &Lane, bins: &[Tally], missing: Tally, offer: Offer) {
        let known = self.total - missing;
        for (bin, &tally) in bins.iter().enumerate() {
            let divides = !tally.is_empty() && tally.mass() < known.mass();
            if divides && lane.own_level[bin] && offer.holds(bin) {
                self.try_sides(lane, SplitTest::Equals(bin as u8), tally, missing);
            }
        }
    }

    /// Tries one threshold, uniform over the bins present, or one level present.
    fn drawn(&mut self, lane: &Lane, bins: &[Tally], missing: Tally, offer: Offer, node: &[u64]) {
        let mut present: Vec<usize> = (0..bins.len()).filter(|&bin| !bins[bin].is_empty()).collect();
        if present.len() < 2 {
            return;
        }
        if lane.is_category() {
            present.retain(|&bin| lane.own_level[bin] && offer.holds(bin));
        } else {
            present.pop();
        }
        if present.is_empty() {
            return;
        }
        let mut draws = Draws::of(&[node, &[lane.feature as u64]].concat());
        let bin = present[draws.below(present.len())];
        if lane.is_category() {
            self.try_sides(lane, SplitTest::Equals(bin as u8), bins[bin], missing);
        } else {
            let at_most = bins[..=bin].iter().fold(Tally::default(), |sum, &tally| sum + tally);
            self.try_sides(lane, SplitTest::AtMost(bin as u8), at_most, missing);
        }
    }

    /// Tries missing values on either side.
    fn try_sides(&mut self, lane: &Lane, test: SplitTest, left: Tally, missing: Tally) {
        if missing.is_empty() {
            // No row here tells where missing values belong: they go with the majority.
            let majority_left = left.mass() > self.total.mass() / 2;
            self.try_split(lane, test, lane.has_missing && majority_left, left);
        } else {
            self.try_split(lane, test, false, left);
            self.try_split(lane, test, true, left + missing);
        }
    }

    fn try_split(&mut self, lane: &Lane, test: SplitTest, missing_left: bool, left: Tally) {
        let right = self.total - left;
        if left.mass().min(right.mass()) < self.criterion.min_mass
            || !self.criterion.may_exceed(left, right, self.least)
        {
            return;
        }
        let score = self.criterion.score(left) + self.criterion.score(right);
        if score > self.least {
            self.least = score;
            self.best = Some(Candidate { gain: 0.0, score, feature: lane.feature, test, missing_left, left });
        }
    }
}

/// The better of two candidates of a node; of equals that of the earlier feature. So it does not matter which features
/// are searched together.
pub(super) fn better(a: Option<Candidate>, b: Option<Candidate>) -> Option<Candidate> {
    match (a, b) {
        (Some(a), Some(b)) if b.score > a.score || (b.score == a.score && b.feature < a.feature) => Some(b),
        (None, b) => b,
        (a, _) => a,
    }
}
