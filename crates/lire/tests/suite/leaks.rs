//! What a fit remarks on columns that a person would ask about, and where it keeps silent.

use lire::config::Method;
use lire::fit::fit;
use lire::leaks::possible_leaks;
use lire::table::{Dataset, DatasetOptions, RawColumn, RawTable, Task};
use lire::{Config, Watch};

use crate::draws::Draws;

const N_ROWS: usize = 300;

/// A column by its name and cells.
type Column = (&'static str, Vec<String>);

fn column(name: &'static str, cell: impl FnMut(usize) -> String) -> Column {
    (name, (0..N_ROWS).map(cell).collect())
}

/// The remarks after a fit of a table with these columns, the last of which is the target.
fn remarks(columns: &[Column], config: &Config) -> Vec<String> {
    let raw =
        columns.iter().map(|(name, cells)| RawColumn::of_texts(*name, cells.iter().map(String::as_str)));
    let raw = RawTable::new("x", raw.collect(), N_ROWS).unwrap();
    let target = columns.last().unwrap().0;
    let ridge = (config.method == Method::Lire).then_some(0.0002);
    let n_estimators = if config.method == Method::Glrm { config.trees.n_estimators } else { 20 };
    let config = config.clone().with(|config| {
        config.data.target = target.into();
        config.trees.n_estimators = n_estimators;
        config.objective.ridge = ridge;
    });
    let (data, _) = Dataset::prepare(raw, &config.data.dataset_options()).unwrap();
    remarks_of(&data, &config)
}

fn remarks_of(data: &Dataset, config: &Config) -> Vec<String> {
    let model = fit(data, config, &Watch::default()).unwrap().model;
    possible_leaks(&model, data).unwrap().iter().map(ToString::to_string).collect()
}

fn prices() -> Config {
    Config::default().with(|config| {
        config.objective.gamma = Some(0.002);
        config.objective.lambda = Some(0.01);
    })
}

fn numbers() -> Config {
    prices().with(|config| config.data.task = Some(Task::Regression))
}

fn honest(draws: &mut Draws) -> Vec<Column> {
    let age = column("age", |_| (18 + draws.below(60)).to_string());
    let price = column("price", |_| (90_000 + 500 * draws.below(1500)).to_string());
    let plan = column("plan", |_| ["a", "b", "c"][draws.below(3)].to_owned());
    vec![age, price, plan]
}

fn number(column: &Column, row: usize) -> f64 {
    column.1[row].parse().unwrap()
}

/// A score that depends on the honest columns and on chance.
fn score(columns: &[Column], row: usize, draws: &mut Draws) -> f64 {
    number(&columns[0], row) / 20.0
        + number(&columns[1], row) / 200_000.0
        + f64::from(columns[2].1[row] == "b")
        + draws.between(-1.0, 1.0)
}

fn class_of(score: f64, cuts: &[f64]) -> String {
    ["low", "middle", "high"][cuts.partition_point(|&cut| cut < score)].to_owned()
}

#[test]
fn honest_columns_are_not_remarked_on() {
    let mut draws = Draws::new(1);
    let columns = honest(&mut draws);
    let scores: Vec<f64> = (0..N_ROWS).map(|row| score(&columns, row, &mut draws)).collect();
    // Nearly all that the target says is in one column, and each row has a year of its own.
    let near = column("near", |row| format!("{:.2}", scores[row] + draws.between(-0.3, 0.3)));
    let year = column("year", |row| (1715 + row).to_string());
    let id = column("id", |row| (row + 1).to_string());
    let targets = [
        (column("y", |row| class_of(scores[row], &[4.2])), prices()),
        (column("y", |row| class_of(scores[row], &[3.2, 5.0])), prices()),
        (column("y", |row| format!("{:.3}", scores[row])), numbers()),
    ];
    for (target, config) in targets {
        let all = [columns.clone(), vec![near.clone(), year.clone(), target.clone()]].concat();
        for method in [Method::Lire, Method::Rulefit, Method::Glrm] {
            let lambda = config.objective.lambda.filter(|_| method == Method::Lire);
            let gamma = config.objective.gamma.filter(|_| method != Method::Glrm);
            let of_method = config.clone().with(|config| {
                config.method = method;
                config.objective.lambda = lambda;
                config.objective.gamma = gamma;
            });
            assert_eq!(remarks(&all, &of_method), [""; 0], "{method:?}");
        }
        // A row number that no rule uses is nobody's concern.
        let unused = [columns.clone(), vec![id.clone(), target]].concat();
        let config = config.with(|config| config.features.forbid_in_rules = vec!["id".into()]);
        assert_eq!(remarks(&unused, &config), [""; 0]);
    }
}

#[test]
fn row_numbers_and_identifiers_in_rules_are_told() {
    let mut draws = Draws::new(2);
    let columns = honest(&mut draws);
    // The table is sorted by what is predicted, more or less.
    let sorted: Vec<f64> = (0..N_ROWS).map(|row| row as f64 / 100.0 + draws.between(-0.4, 0.4)).collect();
    let id = column("row no", |row| (1000 + 3 * row).to_string());
    let code = column("code", |row| format!("c{:03}", row.min(N_ROWS - 6)));
    let expected = |name: &str, argument: &str| {
        format!(
            "column `{name}`: the model uses it, though it looks like a row number or an identifier; if it is one, leave \
             it out with the option `drop` = {argument}"
        )
    };
    let targets = [
        (column("y", |row| class_of(sorted[row], &[1.5])), prices()),
        (column("y", |row| class_of(sorted[row], &[1.0, 2.0])), prices()),
        (column("y", |row| format!("{:.3}", sorted[row])), numbers()),
    ];
    for (target, config) in targets {
        let table = [columns.clone(), vec![id.clone(), target]].concat();
        assert_eq!(remarks(&table, &config), [expected("row no", "'row no'")]);
    }
    // The last level is the only one that is no row of its own, and tells the class of its rows.
    let target = column("y", |row| if row > N_ROWS - 10 { "late" } else { "early" }.to_owned());
    let greedy = prices().with(|config| config.objective.gamma = Some(1e-4));
    assert_eq!(remarks(&[columns[0].clone(), code, target], &greedy), [expected("code", "code")]);
}

#[test]
fn columns_that_give_the_target_away_are_told() {
    let mut draws = Draws::new(3);
    let columns = honest(&mut draws);
    let scores: Vec<f64> = (0..N_ROWS).map(|row| score(&columns, row, &mut draws)).collect();
    let expected = |name: &str, how: &str| {
        format!(
            "column `{name}`: it predicts `y` {how} by itself, like a leak that is known only after the outcome; if it is \
             one, leave it out with the option `drop` = {name}"
        )
    };
    let two = column("y", |row| class_of(scores[row], &[4.2]));
    let three = column("y", |row| class_of(scores[row], &[3.2, 5.0]));
    let numeric = column("y", |row| format!("{:.3}", scores[row]));
    // What the outcome leaves behind: the score, a code for the class, another unit of the number.
    let trace = column("trace", |row| format!("{:.4}", 10.0 - scores[row]));
    let code =
        column("code", |row| ["x1", "x2", "x3", "x4"][(scores[row] > 4.2) as usize * 2 + row % 2].to_owned());
    let unit = column("unit", |row| format!("{:.5}", (scores[row] * 1.3).exp()));
    let close = column("close", |row| format!("{:.4}", scores[row] + draws.between(-0.04, 0.04)));
    let told = |leak: &Column, target: &Column, config: &Config| {
        remarks(&[columns.clone(), vec![leak.clone(), target.clone()]].concat(), config)
    };
    assert_eq!(told(&trace, &two, &prices()), [expected("trace", "perfectly")]);
    assert_eq!(told(&code, &two, &prices()), [expected("code", "perfectly")]);
    assert_eq!(told(&trace, &three, &prices()), [expected("trace", "perfectly")]);
    assert_eq!(told(&unit, &numeric, &numbers()), [expected("unit", "perfectly")]);
    let linear = numbers().with(|config| {
        config.method = Method::Rulefit;
        config.objective.lambda = None;
        config.rulefit.linear_terms = true;
    });
    assert_eq!(told(&close, &numeric, &linear), [expected("close", "almost perfectly")]);
}

/// Neither the order of the rows, nor weights in place of copies, nor rows without weight change what is remarked.
#[test]
fn remarks_go_by_what_the_rows_are() {
    let mut draws = Draws::new(4);
    let columns = honest(&mut draws);
    let id = column("id", |row| (row + 1).to_string());
    let target = column("y", |row| if row > 150 { "b" } else { "a" }.to_owned());
    let raw = [columns, vec![id, target]].concat();
    let texts = raw.iter().map(|(name, cells)| RawColumn::of_texts(*name, cells.iter().map(String::as_str)));
    let raw = RawTable::new("x", texts.collect(), N_ROWS).unwrap();
    let options = DatasetOptions { target: "y".into(), ..DatasetOptions::default() };
    let (data, _) = Dataset::prepare(raw, &options).unwrap();
    let expected = remarks_of(&data, &prices());
    assert!(expected.len() == 1 && expected[0].starts_with("column `id`"), "{expected:?}");
    let reversed: Vec<usize> = (0..N_ROWS).rev().collect();
    assert_eq!(remarks_of(&data.select(&reversed).unwrap(), &prices()), expected);
    let twice: Vec<usize> = (0..2 * N_ROWS).map(|row| row / 2).collect();
    assert_eq!(remarks_of(&data.select(&twice).unwrap(), &prices()), expected);
    let mut padded = data.select(&[reversed, vec![7; 40]].concat()).unwrap();
    padded.weights = Some((0..N_ROWS + 40).map(|row| f64::from(u8::from(row < N_ROWS))).collect());
    assert_eq!(remarks_of(&padded, &prices()), expected);
}
