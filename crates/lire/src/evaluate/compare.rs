//! Several methods over the same splits, side by side: means, spreads, and whether the first is worse.

use serde::{Deserialize, Serialize};

use super::assess::Assessment;
use super::evaluation::Evaluation;
use crate::error::{Error, Result};
use crate::measure::{Alternative, Better, Measure, Summary, Wilcoxon};

/// What a method is worth on each split, in the splits' order.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Contender {
    /// The method's name.
    pub name: String,
    /// One assessment a split; without rule measures where the method has no rules.
    pub assessments: Vec<Assessment>,
}

/// Methods side by side.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct Comparison {
    /// The methods. The first is tested against each other one.
    pub methods: Vec<String>,
    /// The number of splits.
    pub n_splits: usize,
    /// Every measure that the first method has, or any other.
    pub measures: Vec<ComparedMeasure>,
}

/// One measure of all methods.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct ComparedMeasure {
    /// The measure.
    pub measure: Measure,
    /// Whether more or less of it is better.
    pub better: Better,
    /// What is tested: that the first method is lower where more is better, and larger where less is.
    /// A small p-value so means that the first method is worse than the other.
    pub alternative: Alternative,
    /// The methods, in their order.
    pub methods: Vec<MethodMeasure>,
}

/// One measure of one method.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "schema", derive(schemars::JsonSchema))]
pub struct MethodMeasure {
    /// The method's name.
    pub method: String,
    /// Mean and spread over the splits that have a value.
    pub summary: Option<Summary>,
    /// Wilcoxon's test of the first method less this one, over the splits where both have a value; none
    /// for the first method itself and without such splits.
    pub test: Option<Wilcoxon>,
}

impl Comparison {
    /// Compares methods. Names must differ, and all must be assessed on the same splits for one task.
    pub fn of(contenders: &[Contender]) -> Result<Self> {
        let first = check(contenders)?;
        let mut kinds: Vec<Measure> = Vec::new();
        for contender in contenders {
            let measured = Evaluation::of(&contender.assessments)?.summaries.0;
            kinds.extend(measured.into_iter().map(|(kind, _)| kind));
        }
        // In the order in which a rule ensemble of several outputs has them: all there are.
        let order = first.assessments[0].measures.kinds().iter().chain(&Measure::OF_RULES);
        let kinds = order.chain(&[Measure::FitSeconds]).copied().filter(|kind| kinds.contains(kind));
        Ok(Self {
            methods: contenders.iter().map(|contender| contender.name.clone()).collect(),
            n_splits: first.assessments.len(),
            measures: kinds.map(|kind| ComparedMeasure::of(kind, first, contenders)).collect(),
        })
    }
}

impl ComparedMeasure {
    fn of(measure: Measure, first: &Contender, contenders: &[Contender]) -> Self {
        let better = measure.better();
        let alternative = match better {
            Better::Higher => Alternative::Less,
            Better::Lower => Alternative::Greater,
        };
        let of_method = |contender: &Contender| {
            let values = contender.assessments.iter().filter_map(|one| one.get(measure));
            let is_first = contender.name == first.name;
            MethodMeasure {
                method: contender.name.clone(),
                summary: Summary::of(&values.collect::<Vec<f64>>()),
                test: if is_first { None } else { test(measure, first, contender, alternative) },
            }
        };
        Self { measure, better, alternative, methods: contenders.iter().map(of_method).collect() }
    }
}

/// Measures are not told apart within this share of the largest.
const ROUNDING: f64 = 1e-12;

/// Over the splits where both have a value; none if there are no such.
fn test(
    measure: Measure,
    first: &Contender,
    other: &Contender,
    alternative: Alternative,
) -> Option<Wilcoxon> {
    let pairs = first.assessments.iter().zip(&other.assessments);
    let pairs: Vec<(f64, f64)> =
        pairs.filter_map(|(first, other)| Some((first.get(measure)?, other.get(measure)?))).collect();
    let differences = differences(&pairs);
    (!differences.is_empty()).then(|| Wilcoxon::of(&differences, alternative))
}

/// The differences in steps of what measures are told apart by, for a test that goes by their order. Two models that do
/// the same on the rows of a split do not differ then, and differences of one row each are equal, whatever rows weigh.
fn differences(pairs: &[(f64, f64)]) -> Vec<f64> {
    let largest = pairs.iter().fold(0.0_f64, |most, (a, b)| most.max(a.abs()).max(b.abs()));
    let step = ROUNDING * largest;
    let difference = |&(a, b): &(f64, f64)| if step > 0.0 { ((a - b) / step).round() } else { 0.0 };
    pairs.iter().map(difference).collect()
}

/// The first of them, if they can be compared.
fn check(contenders: &[Contender]) -> Result<&Contender> {
    let refuse = |message: String| Err(Error::data("comparison", message));
    let Some(first) = contenders.first() else {
        return refuse("there are no methods; give one or more".into());
    };
    let n_splits = first.assessments.len();
    let Some(task) = first.assessments.first().map(|one| one.measures.kinds()) else {
        return refuse(format!("`{}` was not assessed on any split", first.name));
    };
    for (index, contender) in contenders.iter().enumerate() {
        let Contender { name, assessments } = contender;
        if contenders[..index].iter().any(|other| other.name == *name) {
            return refuse(format!("`{name}` is listed twice; give each method its own name"));
        }
        if assessments.len() != n_splits {
            let message = format!(
                "`{name}` was assessed on {} splits and `{}` on {n_splits}; assess both on the same ones",
                assessments.len(),
                first.name
            );
            return refuse(message);
        }
        if assessments.iter().any(|one| one.measures.kinds() != task) {
            return refuse(format!("`{name}` predicts classes and `{}` numbers, or vice versa", first.name));
        }
    }
    Ok(first)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::measure::{Baseline, Measures, RuleMeasures};
    use crate::model::Predictions;
    use crate::table::TargetValues;

    /// A method that is off by so much in each split, with so many rules or none to speak of.
    fn contender(name: &str, errors: &[f64], n_rules: Option<usize>) -> Contender {
        let truth = TargetValues::Numbers(vec![1.0, 3.0]);
        let weights = [1.0, 1.0];
        let assess = |&error: &f64| {
            let said = Predictions::Numbers(vec![1.0 + error, 3.0 - error]);
            Assessment {
                measures: Measures::of(&truth, &said, &weights).unwrap(),
                rules: n_rules.map(|n_rules| RuleMeasures::of(&vec![[0b01_u64]; n_rules], &weights).unwrap()),
                baseline: Baseline::Mean(2.0).measure(&truth, &weights).unwrap(),
                fit_seconds: 1.0,
            }
        };
        Contender { name: name.into(), assessments: errors.iter().map(assess).collect() }
    }

    const ERRORS: [f64; 5] = [0.5, 0.25, 0.75, 0.375, 0.125];

    fn compared() -> Comparison {
        // Farther off by five different sizes, and with one rule more.
        let worse: Vec<f64> = ERRORS.iter().map(|error| error * 1.5).collect();
        let contenders = [
            contender("ours", &worse, Some(2)),
            contender("theirs", &ERRORS, Some(1)),
            contender("forest", &worse, None),
        ];
        Comparison::of(&contenders).unwrap()
    }

    fn measure(comparison: &Comparison, kind: Measure) -> &ComparedMeasure {
        comparison.measures.iter().find(|one| one.measure == kind).unwrap()
    }

    #[test]
    fn a_small_p_value_means_that_the_first_is_worse() {
        let comparison = compared();
        // All five differences lean to the same side: one of 2⁵ sign patterns.
        for (kind, alternative) in [
            (Measure::R2, Alternative::Less),
            (Measure::Rmse, Alternative::Greater),
            (Measure::Mae, Alternative::Greater),
            (Measure::Support, Alternative::Greater),
        ] {
            let compared = measure(&comparison, kind);
            assert_eq!(compared.alternative, alternative, "{}", kind.key());
            assert_eq!(compared.methods[0].test, None);
            let test = compared.methods[1].test.unwrap();
            // Differences of equal size are still all of one sign.
            assert_eq!((test.n, test.p_value), (5, 1.0 / 32.0), "{}", kind.key());
        }
        assert_eq!(measure(&comparison, Measure::Mae).methods[2].test.unwrap().p_value, 1.0, "no difference");
    }

    #[test]
    fn the_better_one_has_a_large_p_value() {
        let worse: Vec<f64> = ERRORS.iter().map(|error| error * 1.5).collect();
        let contenders = [contender("ours", &ERRORS, Some(1)), contender("theirs", &worse, Some(2))];
        let comparison = Comparison::of(&contenders).unwrap();
        for kind in [Measure::R2, Measure::Rmse, Measure::Support] {
            assert_eq!(measure(&comparison, kind).methods[1].test.unwrap().p_value, 1.0, "{}", kind.key());
        }
    }

    #[test]
    fn what_differs_by_rounding_only_does_not_differ() {
        assert_eq!(differences(&[(0.1 + 0.2, 0.3), (0.5, 0.25)]), [0.0, 5e11]);
        // One row of fifty more in each of two splits.
        let [one, other] = differences(&[(0.86, 0.84), (0.36, 0.34)])[..] else { panic!("two pairs") };
        assert_eq!(one, other);
        assert_ne!(0.86 - 0.84, 0.36 - 0.34);
        assert_eq!(differences(&[(3e-200, 1e-200), (0.0, 0.0)])[1], 0.0);
        assert!(differences(&[(3e-200, 1e-200), (0.0, 0.0)])[0] > 1e11);
    }

    #[test]
    fn methods_without_rules_are_compared_by_their_predictions() {
        let comparison = compared();
        let support = &measure(&comparison, Measure::Support).methods[2];
        assert_eq!((support.summary, support.test), (None, None));
        let mae = measure(&comparison, Measure::Mae).methods[1].summary.unwrap();
        assert!((mae.mean - 0.4).abs() < 1e-15 && mae.std.is_some());
        let kinds: Vec<&str> = comparison.measures.iter().map(|one| one.measure.key()).collect();
        let expected = [
            "r2",
            "rmse",
            "mae",
            "support",
            "local_support_mean",
            "local_support_max",
            "support_ratio",
            "diversity",
            "fit_seconds",
        ];
        assert_eq!(kinds, expected);
        let json = serde_json::to_value(&comparison).unwrap();
        assert_eq!(json["measures"][0]["better"], "higher");
        assert_eq!(json["measures"][1]["methods"][1]["test"]["p_value"], 0.03125);
    }

    #[test]
    fn what_cannot_be_compared_is_refused() {
        let message = |contenders: &[Contender]| Comparison::of(contenders).unwrap_err().to_string();
        let ours = contender("ours", &ERRORS, Some(1));
        assert!(message(&[]).contains("there are no methods"));
        assert!(message(&[contender("ours", &[], None)]).contains("not assessed on any split"));
        assert!(message(&[ours.clone(), ours.clone()]).contains("`ours` is listed twice"));
        let shorter = contender("theirs", &ERRORS[1..], None);
        assert!(
            message(&[ours.clone(), shorter]).contains("`theirs` was assessed on 4 splits and `ours` on 5")
        );
        let mut classes = contender("classes", &ERRORS, None);
        let truth = TargetValues::of_bools(&[true, false]);
        let measures = Baseline::of(&truth, &[1.0, 1.0]).unwrap().measure(&truth, &[1.0, 1.0]).unwrap();
        classes.assessments[2].measures = measures;
        assert!(message(&[ours, classes]).contains("`classes` predicts classes and `ours` numbers"));
    }
}
