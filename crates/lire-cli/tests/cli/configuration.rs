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
    let again = folder.lire(&["show", "again.json", "-v"]).succeeds().stdout;
    assert_eq!(again.split_once("as a file for --config\n").unwrap().1, options);
}

#[test]
fn mistakes_in_files_have_a_line() {
    let folder = Folder::new();
    let fit = |content: &str| folder.write("fit.toml", content).lire(&["fit", HEART, "--config", "fit.toml"]);
    fit("target = \"disease\"\ngama = 0.01\n")
        .fails(2, "fit.toml, line 2: no option is named `gama`; did you mean `gamma`?");
    fit("target = \"disease\"\n\ngamma = \"low\"\n")
        .fails(2, "fit.toml, line 3: `gamma`: this is string \"low\", expected a number");
    fit("target = \"disease\"\nseed = -1\n")
        .fails(2, "fit.toml, line 2: `seed`: this is integer `-1`, expected a whole number from 0 up");
    fit("threads = 1\nfolds = 3\n").fails(2, "fit.toml, line 2: no option of this command is named `folds`");
    fit("\nthreads = 0.5\n").fails(2, "fit.toml, line 2: invalid value '0.5' for '--threads <N>'");
    fit("quiet = 1\n").fails(2, "fit.toml, line 1: `quiet`: give true or false");
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
    fit(&["--positive", "maybe"]).fails(2, "--positive: `maybe` is not a class of column `disease`");
    fit(&["--seed", "-1"]).fails(2, "'-1' for '--seed <N>': give a whole number from 0 up");
    fit(&["--gama", "1"]).fails(2, "a similar argument exists: '--gamma'");
    folder.lire(&["fit", HEART]).fails(2, "missing --target");
    assert!(folder.files().is_empty());
}

#[test]
fn the_options_of_the_command_may_stand_in_a_file_too() {
    let folder = Folder::new();
    let options = "target = \"disease\"\ngamma = 0.01\nlambda = 0.1\nn_estimators = 20\nno_holdout = true\n";
    let own = "format = \"json\"\nquiet = true\nthreads = 1\nout = \"mine.json\"\n";
    folder.write("fit.toml", format!("{options}{own}"));
    let outcome = folder.lire(&["fit", HEART, "--config", "fit.toml"]).succeeds();
    assert_eq!((outcome.stderr.as_str(), folder.files().len()), ("", 2));
    let report: serde_json::Value = serde_json::from_str(&outcome.stdout).unwrap();
    assert_eq!((&report["model"], &report["measures"]), (&"mine.json".into(), &serde_json::Value::Null));
    let typed = ["fit", HEART, "--config", "fit.toml", "--format", "csv", "--out", "other.json", "-v"];
    let outcome = folder.lire(&typed).succeeds();
    assert!(outcome.stdout.starts_with("rule,weight,"), "{}", outcome.stdout);
    assert!(outcome.stderr.contains("candidate rules,"), "{}", outcome.stderr);
    assert_eq!(folder.read("mine.json"), folder.read("other.json"));
    // Files that can be read only once are files too.
    let piped = ["fit", HEART, "--config", "/dev/stdin"];
    if cfg!(unix) {
        let content = format!("{options}{own}force = true");
        folder.lire_with_input(&piped, content.as_bytes()).succeeds();
    }
    folder.write("evaluate.toml", "target = \"disease\"\nfolds = 3\ngamma = 0.01\nlambda = 0.1\n");
    let evaluate = ["evaluate", HEART, "--config", "evaluate.toml"];
    assert_eq!(folder.json(&evaluate)["folds"], 3);
    assert!(folder.json(&[&evaluate[..], &["--holdout", "0.3"]].concat())["folds"].is_null());
    folder.write("compare.toml", "target = \"disease\"\nfolds = 3\nmethods = [\"glrm\", \"forest\"]\n");
    let compared = folder.json(&["compare", HEART, "--config", "compare.toml", "--n-estimators", "5"]);
    assert_eq!(
        (&compared["methods"][0]["method"], &compared["methods"][1]["method"]),
        (&"glrm".into(), &"forest".into())
    );
}

#[test]
fn what_has_no_effect_is_refused() {
    let folder = Folder::with_heart_model();
    let of = |command: &str, options: &str| {
        let options: Vec<&str> = options.split_whitespace().collect();
        folder.lire(&[&[command, HEART, "--target", "disease"], &options[..]].concat())
    };
    for (options, message) in [
        ("--method rulefit --lambda 0.1", "--lambda: `rulefit` does not use it; leave it out, or use `lire`"),
        (
            "--method glrm --gamma 0.1",
            "--gamma: `glrm` does not use it; leave it out, or use `lire` or `rulefit`",
        ),
        ("--linear-terms", "--linear-terms: `lire` does not use it; leave it out, or use `rulefit`"),
        ("--method glrm --linear-terms", "--linear-terms: `glrm` does not use it"),
        ("--method rulefit --metric auc", "--metric: `rulefit` does not use it"),
        ("--method glrm --select best", "--select: `glrm` does not use it"),
        ("--cv 3 --validation-share 0.2", "the rows of --validation-share; leave one of the two out"),
        ("--gamma 0.1 --lambda 0.1 --metric auc", "--metric: gamma and lambda are given"),
        ("--beam-width 2", "--beam-width: `lire` does not use it; leave it out, or use `glrm`"),
        ("--tree-generator random-forest --learning-rate 0.1", "--learning-rate: only boosting takes steps"),
        ("--allow-sensitive", "--allow-sensitive: no column is declared sensitive"),
        // What is typed is refused even if it is the default.
        ("--method glrm --n-estimators 200", "--n-estimators: `glrm` grows no trees"),
        ("--cv 5 --validation-share 0.2", "--cv: models are compared on the rows of --validation-share"),
        ("--penalty ratio --method rulefit", "--penalty: `rulefit` does not use it"),
    ] {
        of("fit", options).fails(2, message);
        of("evaluate", options).fails(2, message);
    }
    of("path", "--calibrate platt").fails(2, "name its file with --out");
    of("compare", "--method rulefit").fails(2, "--method: the methods to compare are those of --methods");
    of("compare", "--methods rulefit,glrm --lambda 0.1").fails(2, "--lambda: none of the compared methods");
    of("compare", "--methods glrm,forest --gamma 0.1").fails(2, "--gamma: it applies to `lire` only");
    let given = "--model heart.lire.json";
    of("evaluate", &format!("{given} --gamma 0.1")).fails(2, "--gamma: with --model nothing is fitted");
    of("evaluate", &format!("{given} --seed 0")).fails(2, "--seed: with --model nothing is fitted");
    // A file may serve several methods, as far as it says no more than the defaults.
    folder.write("all.toml", "beam_width = 1\nn_estimators = 200\n").write("some.toml", "beam_width = 2\n");
    of("evaluate", "--config some.toml").fails(2, "--beam-width: `lire` does not use it");
    of("evaluate", "--config all.toml --method glrm --lambda0 0.05").succeeds();
}

#[test]
fn options_of_one_method_do_not_disturb_the_others_in_a_comparison() {
    let folder = Folder::new();
    let compare = ["compare", HEART, "--target", "disease", "--folds", "2", "--n-estimators", "10"];
    let options = [
        ["--methods", "lire,rulefit,glrm"],
        ["--cv", "3"],
        ["--max-degree", "1"],
        ["--monotone", "age=increasing"],
        ["--ridge", "0.02"],
        ["--max-rules", "4"],
    ];
    let compared = folder.json(&[&compare[..], options.as_flattened(), &["--linear-terms"]].concat());
    let support = |at: usize| compared["methods"][at]["support"]["mean"].as_f64().unwrap();
    assert!(support(0) <= 4.0 && support(1) > 4.0 && support(2) > 4.0, "only lire has a budget: {compared}");
}

#[test]
fn slips_of_the_pen_get_a_suggestion() {
    let folder = Folder::new();
    folder
        .lire(&["fti", HEART])
        .fails(2, "unrecognized subcommand 'fti'; a similar subcommand exists: 'fit'");
}

#[test]
fn help_version_completions_and_manual_are_there() {
    let folder = Folder::new();
    let help = folder.lire(&["fit", "--help"]).succeeds().stdout;
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(help.contains("Candidate rules:") && help.contains("[default: boosting]"), "{help}");
    assert!(folder.lire(&["--version"]).succeeds().stdout.starts_with("lire 0."));
    assert!(folder.lire(&["completions", "bash"]).succeeds().stdout.contains("--gamma"));
    assert!(folder.lire(&["man"]).succeeds().stdout.contains("lire\\-fit"));
    assert_eq!(folder.lire(&[]).code, 2);
}
