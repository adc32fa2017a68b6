//! Options: defaults, then a file, then the command line.

use crate::folder::{Folder, HEART};

#[test]
fn files_lie_over_defaults_and_flags_over_files() {
    let folder = Folder::new();
    folder.write(
        "fit.toml",
        "target = \"disease\"\ngamma = 0.01\nmax_features = \"sqrt\"\nsubsample = 0.8\nseed = 7\ndrop = [\"thal\"]\n",
    );
    folder.lire(&["fit", HEART, "--config", "fit.toml", "--seed", "8", "--no-holdout"]).succeeds();
    let config = &folder.json(&["show", "heart.lire.json"])["config"];
    assert_eq!((&config["gamma"], &config["seed"]), (&0.01.into(), &8.into()));
    assert_eq!((&config["max_features"], &config["subsample"]), (&"sqrt".into(), &0.8.into()));
    assert_eq!(config["drop"], serde_json::json!(["thal"]));
    assert_eq!(config["max_depth"], 3);
}

#[test]
fn the_options_of_a_model_can_be_used_again() {
    let folder = Folder::with_heart_model();
    let shown = folder.lire(&["show", "heart.lire.json", "-v"]).succeeds().stdout;
    let (_, options) = shown.split_once("as a file for --config\n").unwrap();
    folder.write("again.toml", options);
    folder.lire(&["fit", HEART, "--config", "again.toml", "--no-holdout", "--out", "again.json"]).succeeds();
    // Prices that a choice ended with are now given ones, which a single search may serve even better.
    let objective = |file: &str| folder.json(&["show", file])["training"]["objective"].as_f64().unwrap();
    assert!(objective("again.json") <= objective("heart.lire.json") * 1.02);
    let config = |file: &str| folder.json(&["show", file])["config"].clone();
    assert_eq!(config("again.json"), config("heart.lire.json"));
}

#[test]
fn mistakes_in_files_have_a_line() {
    let folder = Folder::new();
    let fit = |content: &str| folder.write("fit.toml", content).lire(&["fit", HEART, "--config", "fit.toml"]);
    fit("target = \"disease\"\ngama = 0.01\n")
        .fails(2, "fit.toml, line 2: no option is named `gama`; did you mean `gamma`?");
    fit("target = \"disease\"\n\ngamma = \"low\"\n").fails(2, "fit.toml, line 3: invalid type");
    fit("target = \n").fails(2, "fit.toml, line 1: ");
    folder.lire(&["fit", HEART, "--config", "none.toml"]).fails(2, "none.toml: there is no such file");
}

#[test]
fn impossible_values_are_refused() {
    let folder = Folder::new();
    let fit = |options: &[&str]| folder.lire(&[&["fit", HEART, "--target", "disease"], options].concat());
    fit(&["--gamma", "-1"]).fails(2, "--gamma: -1 is not a number from 0 up");
    fit(&["--gamma", "nan"]).fails(2, "give a number");
    fit(&["--n-estimators", "0"]).fails(2, "--n-estimators: 0 is too few");
    fit(&["--max-features", "root"]).fails(2, "`root` is unknown; give all, sqrt");
    fit(&["--search", "west"]).fails(2, "invalid value 'west'");
    fit(&["--threshold", "2"]).fails(2, "--threshold: 2 is not a probability");
    fit(&["--time-limit", "0"]).fails(2, "--time-limit: 0 is not a number of seconds");
    fit(&["--threads", "0"]).fails(2, "--threads: 0 is too few");
    fit(&["--positive", "maybe"]).fails(2, "--positive: `maybe` is no class of column `disease`");
    fit(&["--gama", "1"]).fails(2, "a similar argument exists: '--gamma'");
    folder.lire(&["fit", HEART]).fails(2, "--target is lacking");
    assert!(folder.files().is_empty());
}

#[test]
fn help_version_completions_and_manual_are_there() {
    let folder = Folder::new();
    let help = folder.lire(&["fit", "--help"]).succeeds().stdout;
    assert!(help.contains("Candidate rules:") && help.contains("[default: boosting]"), "{help}");
    assert!(folder.lire(&["--version"]).succeeds().stdout.starts_with("lire 0."));
    assert!(folder.lire(&["completions", "bash"]).succeeds().stdout.contains("--gamma"));
    assert!(folder.lire(&["man"]).succeeds().stdout.contains("lire\\-fit"));
    assert_eq!(folder.lire(&[]).code, 2);
}
