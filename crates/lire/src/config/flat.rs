//! The options of all groups side by side, as users write them and model files store them.

use std::sync::LazyLock;

use serde::de::{DeserializeOwned, Error as _};
use serde::{Deserialize, Deserializer, Serialize};
use serde_json::{Map, Value};

use super::uses::Purpose;
use super::{
    CandidateOptions, ClassOptions, Config, DataOptions, FeatureOptions, GlrmOptions, MeaningOptions,
    ObjectiveOptions, RulefitOptions, SearchOptions, SelectionOptions, TreeOptions,
};
use crate::error::Result;
use crate::model::Options;

/// Options that belong together: a field of [`Config`].
pub(super) trait Group: Default + Serialize + DeserializeOwned {
    /// What an option of the group is for. One that would have no effect is refused by this.
    fn purpose(option: &str) -> Purpose;

    /// Refuses values that cannot be meant for any data.
    fn check(&self) -> Result<()> {
        Ok(())
    }
}

impl Config {
    /// Refuses values that cannot be meant for any data.
    pub(super) fn check_groups(&self) -> Result<()> {
        self.data.check()?;
        self.features.check()?;
        self.classes.check()?;
        self.trees.check()?;
        self.candidates.check()?;
        self.objective.check()?;
        self.search.check()?;
        self.rulefit.check()?;
        self.selection.check()?;
        Group::check(&self.glrm)?;
        self.meaning.check()
    }
}

/// Every option with what it is for.
pub(super) static PURPOSES: LazyLock<Vec<(String, Purpose)>> = LazyLock::new(|| {
    let groups = [
        purposes::<DataOptions>(),
        purposes::<FeatureOptions>(),
        purposes::<ClassOptions>(),
        purposes::<TreeOptions>(),
        purposes::<CandidateOptions>(),
        purposes::<ObjectiveOptions>(),
        purposes::<SearchOptions>(),
        purposes::<RulefitOptions>(),
        purposes::<SelectionOptions>(),
        purposes::<GlrmOptions>(),
        purposes::<MeaningOptions>(),
    ];
    let alone = ["method", "time_limit", "seed"].map(|option| (option.to_owned(), Purpose::All));
    groups.into_iter().flatten().chain(alone).collect()
});

fn purposes<G: Group>() -> Vec<(String, Purpose)> {
    let with_purpose = |name: String| {
        let purpose = G::purpose(&name);
        (name, purpose)
    };
    names::<G>().into_iter().map(with_purpose).collect()
}

/// The options of a group, in their order.
fn names<G: Group>() -> Vec<String> {
    let options = Options::of(&G::default()).expect("options have string keys and no failing parts");
    options.names().map(str::to_owned).collect()
}

/// Options by name.
pub(super) fn values_of(options: &impl Serialize) -> Map<String, Value> {
    match serde_json::to_value(options) {
        Ok(Value::Object(values)) => values,
        _ => Map::new(),
    }
}

// By hand: what serde flattens cannot refuse unknown names.
impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> std::result::Result<Self, D::Error> {
        let options = Options::deserialize(deserializer)?;
        Unread::of(&options).and_then(Unread::config).map_err(D::Error::custom)
    }
}

/// Options that no group has taken yet.
struct Unread(Map<String, Value>);

impl Unread {
    fn of(options: &Options) -> serde_json::Result<Self> {
        options.to().map(Self)
    }

    fn config(mut self) -> serde_json::Result<Config> {
        let usual = Config::default();
        let config = Config {
            data: self.group()?,
            features: self.group()?,
            classes: self.group()?,
            method: self.option("method", usual.method)?,
            trees: self.group()?,
            candidates: self.group()?,
            objective: self.group()?,
            search: self.group()?,
            rulefit: self.group()?,
            selection: self.group()?,
            glrm: self.group()?,
            time_limit: self.option("time_limit", usual.time_limit)?,
            meaning: self.group()?,
            seed: self.option("seed", usual.seed)?,
        };
        match self.0.keys().next() {
            Some(unknown) => Err(serde_json::Error::custom(format!("no option is named `{unknown}`"))),
            None => Ok(config),
        }
    }

    /// The options of a group; those that are not there have their defaults.
    fn group<G: Group>(&mut self) -> serde_json::Result<G> {
        let taken = names::<G>().into_iter().filter_map(|name| self.0.remove_entry(&name));
        serde_json::from_value(Value::Object(taken.collect()))
    }

    fn option<T: DeserializeOwned>(&mut self, name: &str, usual: T) -> serde_json::Result<T> {
        self.0.remove(name).map_or(Ok(usual), serde_json::from_value)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn options_are_flat_and_keep_their_order() {
        let options = Config::default().to_options();
        let text = serde_json::to_string(&options).unwrap();
        let places: Vec<usize> =
            ["target", "sensitive", "class_weight", "method", "n_estimators", "min_rows", "loss"]
                .into_iter()
                .chain(["max_moves", "linear_terms", "cv", "lambda0", "time_limit", "calibrate", "seed"])
                .map(|name| text.find(&format!("\"{name}\":")).unwrap_or_else(|| panic!("{name}")))
                .collect();
        assert!(places.is_sorted(), "{text}");
        assert_eq!(options.to::<Config>().unwrap(), Config::default());
    }

    #[test]
    fn every_option_has_a_purpose() {
        let mut known: Vec<&String> = PURPOSES.iter().map(|(name, _)| name).collect();
        known.sort();
        let all = values_of(&Config::default());
        assert_eq!(known, all.keys().collect::<Vec<_>>());
    }

    #[test]
    fn what_is_unknown_is_refused_by_its_name() {
        let refused = |text: &str| serde_json::from_str::<Config>(text).unwrap_err().to_string();
        assert!(refused(r#"{"gama": 0.1}"#).starts_with("no option is named `gama`"));
        assert!(refused(r#"{"bound_share": 0.1}"#).starts_with("no option is named `bound_share`"));
        assert!(refused(r#"{"objective": {"gamma": 0.1}}"#).starts_with("no option is named `objective`"));
        assert!(refused(r#"{"gamma": 0.1, "gamma": 0.2}"#).contains("duplicate"));
        let config: Config = serde_json::from_str(r#"{"seed": 18446744073709551615, "gamma": 1}"#).unwrap();
        assert_eq!((config.seed, config.objective.gamma), (u64::MAX, Some(1.0)));
    }
}
