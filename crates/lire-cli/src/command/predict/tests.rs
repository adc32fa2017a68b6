//! What is written depends neither on how many rows are read at once nor on the number of threads.

use std::sync::{Arc, OnceLock};

use arrow_array::types::Int32Type;
use arrow_array::{
    Array, ArrayRef, BooleanArray, DictionaryArray, Float64Array, Int64Array, RecordBatch, StringArray,
};
use lire::fit::fit;
use lire::table::read::{ReadOptions, read_stream};
use lire::table::{BatchOptions, Batches, Dataset, RawColumn, RawTable, Table, Task};
use lire::{Config, Model, Watch};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use proptest::sample::select;

use super::super::scan::options;
use super::*;
use crate::console::Look;

const LOOK: Look = Look { width: 80, color: false };
const QUIET: Console = Console { quiet: true, verbose: false, format: None, look: LOOK };
const NAMES: [&str; 6] = ["id", "age", "size", "plan", "flag", "left over"];
const FORMS: [Form; 5] = [
    Form::Text(Format::Csv),
    Form::Text(Format::Json),
    Form::Text(Format::Markdown),
    Form::Text(Format::Table),
    Form::Parquet,
];

/// A row of 240 to learn from: age, size, plan, flag, and what they make of it.
fn learned(row: usize, target: &str) -> [String; 5] {
    let (age, plan) = (18 + row * 7 % 50, row / 3 % 4);
    let points = usize::from(age > 38) + usize::from(plan > 1);
    let size = (row * 13 % 17) as f64 / 4.0;
    [
        if row.is_multiple_of(11) { String::new() } else { age.to_string() },
        size.to_string(),
        ["basic", "a,b", "two\nlines", "é"][plan].to_owned(),
        ["no", "yes"][row / 5 % 2].to_owned(),
        match target {
            "two" => ["no", "yes, please"][usize::from(points > 0)].to_owned(),
            "three" => ["a", "b", "c"][points].to_owned(),
            _ => (points as f64 * 10.5 + size).to_string(),
        },
    ]
}

/// Models of two classes, of three, and of a number, of the same columns.
fn models() -> &'static [Model] {
    static MODELS: OnceLock<Vec<Model>> = OnceLock::new();
    let fitted = |target: &str| {
        let rows: Vec<[String; 5]> = (0..240).map(|row| learned(row, target)).collect();
        let column = |(place, name): (usize, &str)| {
            RawColumn::of_texts(name, rows.iter().map(|cells| cells[place].as_str()))
        };
        let columns = ["age", "size", "plan", "flag", target].into_iter().enumerate().map(column);
        let config = Config::default().with(|config| {
            config.data.target = target.to_owned();
            config.data.task = (target == "number").then_some(Task::Regression);
            config.data.missing = vec!["?".into()];
            config.objective.gamma = Some(0.01);
            config.objective.lambda = Some(0.1);
        });
        let raw = RawTable::new("training", columns.collect(), 240).unwrap();
        let (data, _) = Dataset::prepare(raw, &config.data.dataset_options()).unwrap();
        let model = fit(&data, &config, &Watch::default()).unwrap().model;
        assert!(!model.rules().is_empty(), "{target}");
        model
    };
    MODELS.get_or_init(|| ["two", "three", "number"].map(fitted).to_vec())
}

/// What is to be written of which file.
#[derive(Debug, Clone)]
struct Question {
    content: Vec<u8>,
    model: usize,
    form: Form,
    keep: Vec<String>,
    with_rules: bool,
}

impl Question {
    /// What is written, or why nothing is, with so many rows at a time.
    fn answer(&self, rows: usize, threads: usize) -> Result<Vec<u8>, String> {
        let pool = rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap();
        pool.install(|| {
            let model = &models()[self.model];
            let options = BatchOptions { rows: Some(rows), ..options(model, &self.keep) };
            let batches = Batches::of_stream(&self.content[..], "x", &options);
            let batches = batches.map_err(|error| error.to_string())?;
            let scan = Scan { model, name: "x".into(), missing: model.file().config.missing(), batches };
            let mut written = Vec::new();
            let write = |content: &[u8]| {
                written.extend(content);
                Ok(())
            };
            let done = write_all(scan, Writer::new(self.form, LOOK), self.with_rules, (None, &QUIET), write);
            match done {
                Ok(()) => Ok(written),
                Err(Failure::Told { message, .. }) => Err(message),
                Err(Failure::Silent { .. }) => unreachable!("there is no reader that could go"),
            }
        })
    }

    /// The scores of the whole table at once, by the library alone.
    fn scores(&self) -> Vec<Vec<f64>> {
        let model = &models()[self.model];
        let raw = read_stream(&self.content[..], "x", &ReadOptions::default()).unwrap();
        let table = Table::for_schema(&raw, model.schema(), &model.file().config.missing()).unwrap();
        model.score(&table).unwrap().rows().map(<[f64]>::to_vec).collect()
    }
}

type Row = [&'static str; 6];

/// Rows of texts, in some tables with cells that are refused.
fn rows(most: usize) -> impl Strategy<Value = Vec<Row>> {
    let bad = select(vec!["31", "31", "31", "31", "31", "31", "old", "inf"]);
    let age = prop_oneof![9 => select(vec!["31", "45.0", " 28 ", "", "nan", "?", "1e2"]), 1 => bad];
    let cells = (
        select(vec!["007", " x ", "\"q\"", "", "a\nb", "é;"]),
        age,
        select(vec!["0.5", "1e3", "-2", "", "2.25", "0.75"]),
        select(vec!["basic", "a,b", "two\nlines", "é", "zzz", "?", ""]),
        select(vec!["yes", "no", "", "TRUE"]),
        select(vec!["", "anything", "1,5|2;3\t4"]),
    );
    prop::collection::vec(cells.prop_map(<Row>::from), 1..most)
}

/// A CSV file: any delimiter, either line end, perhaps a mark at the start, blank lines, and compression.
fn csv_file(rows: &[Row], style: [bool; 5]) -> Vec<u8> {
    let [semicolon, windows, marked, blank, compressed] = style;
    let (delimiter, end) = (if semicolon { ";" } else { "," }, if windows { "\r\n" } else { "\n" });
    let line = |cells: &Row| {
        let quoted = cells.map(|cell| format!("\"{}\"", cell.replace('"', "\"\"")));
        quoted.join(delimiter) + end + if blank { end } else { "" }
    };
    let text: String = std::iter::once(&NAMES).chain(rows).map(line).collect();
    let text = if marked { format!("\u{feff}{text}") } else { text };
    if !compressed {
        return text.into_bytes();
    }
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
    std::io::Write::write_all(&mut encoder, text.as_bytes()).unwrap();
    encoder.finish().unwrap()
}

/// The same rows with types, as far as they have some, in groups of so many.
fn parquet_file(rows: &[Row], in_group: usize) -> Vec<u8> {
    let column = |place: usize| rows.iter().map(move |row| Some(row[place]).filter(|text| !text.is_empty()));
    let number = |text: Option<&str>| text.and_then(|text| text.trim().parse::<f64>().ok());
    let columns: [(&str, ArrayRef); 6] = [
        (
            "id",
            Arc::new(
                (0_i64..).take(rows.len()).map(|row| (row % 3 > 0).then_some(row)).collect::<Int64Array>(),
            ),
        ),
        ("age", Arc::new(column(1).collect::<StringArray>())),
        ("size", Arc::new(column(2).map(number).collect::<Float64Array>())),
        ("plan", Arc::new(column(3).collect::<DictionaryArray<Int32Type>>())),
        ("flag", Arc::new(column(4).map(|text| text.map(|text| text == "yes")).collect::<BooleanArray>())),
        ("left over", Arc::new(column(5).collect::<StringArray>())),
    ];
    let batch = RecordBatch::try_from_iter_with_nullable(columns.map(|(n, a)| (n, a, true))).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(in_group)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn questions() -> impl Strategy<Value = Question> {
    let content = prop_oneof![
        (rows(25), any::<[bool; 5]>()).prop_map(|(rows, style)| csv_file(&rows, style)),
        (rows(25), 1..9_usize).prop_map(|(rows, in_group)| parquet_file(&rows, in_group)),
    ];
    let kept = select(vec![vec![], vec!["id"], vec!["plan", "id"], vec!["flag", "left over", "size"]]);
    (content, 0..3_usize, select(FORMS.to_vec()), kept, any::<bool>()).prop_map(
        |(content, model, form, keep, with_rules)| {
            let keep = keep.into_iter().map(str::to_owned).collect();
            Question { content, model, form, keep, with_rules }
        },
    )
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]

    #[test]
    fn the_same_is_written_whatever_is_read_at_once(
        question in questions(), at_once in 1..9_usize, threads in 1..4_usize,
    ) {
        let whole = question.answer(usize::MAX, 1);
        prop_assert_eq!(question.answer(at_once, threads), whole.clone());
        let scores = whole.is_ok().then(|| question.scores());
        if let (Some(scores), Form::Text(Format::Json), Ok(json)) = (scores, question.form, whole) {
            let written: serde_json::Value = serde_json::from_slice(&json).unwrap();
            let written = written.as_array().unwrap();
            prop_assert_eq!(written.len(), scores.len());
            for (object, scores) in written.iter().zip(scores) {
                let names: &[&str] =
                    [&["score"][..], &["score_a", "score_b", "score_c"], &["prediction"]][question.model];
                let found: Vec<f64> = names.iter().map(|name| object[name].as_f64().unwrap()).collect();
                prop_assert_eq!(found, scores);
            }
        }
    }
}

/// Three rows, of which the last is refused, after many good ones.
fn with_a_bad_row(n_good: usize, bad: &str) -> Question {
    let good = "1,31,0.5,basic,yes,\n";
    let content = format!("{}\n{}{bad}\n", NAMES.join(","), good.repeat(n_good)).into_bytes();
    Question { content, model: 0, form: Form::Text(Format::Csv), keep: vec![], with_rules: false }
}

#[test]
fn a_failure_names_the_row_of_the_file() {
    let refused = |n_good, bad: &str, rows| with_a_bad_row(n_good, bad).answer(rows, 2).unwrap_err();
    for rows in [1, 3, 7, usize::MAX] {
        let message = "column `age`, row 18: `old` is not a number; declare it with --missing";
        assert_eq!(refused(17, "1,old,0.5,basic,yes,", rows), message);
        assert!(refused(17, "1,2", rows).starts_with("x, line 19: 2 fields, the header has 6"));
        // `nan` is missing among numbers, whatever else stands in the column.
        let two = "1,nan,0.5,basic,yes,\n1,old,0.5,basic,yes,";
        assert!(refused(17, two, rows).starts_with("column `age`, row 19: `old` is not a number"), "{rows}");
        // Of two bad cells the first row's is told, whatever columns they are in.
        let two = "1,31,many,basic,yes,\n1,old,0.5,basic,yes,";
        assert!(refused(17, two, rows).starts_with("column `size`, row 18: `many`"), "{rows}");
        let two = "1,old,0.5,basic,yes,\n1,2";
        assert!(refused(17, two, rows).starts_with("column `age`, row 18: `old`"), "{rows}");
    }
}

#[test]
fn columns_are_kept_as_they_were() {
    let rows = [["007", "31", "0.5", "basic", "yes", " x "], ["", "", "", "?", "no", "a\nb"]];
    let of = |content: Vec<u8>, form, keep: &[&str]| {
        let keep = keep.iter().map(|&name| name.to_owned()).collect();
        let question = Question { content, model: 2, form, keep, with_rules: false };
        question.answer(1, 1).unwrap()
    };
    let text = |content, form, keep: &[&str]| String::from_utf8(of(content, Form::Text(form), keep)).unwrap();
    let csv = || csv_file(&rows, [false; 5]);
    let kept = text(csv(), Format::Csv, &["left over", "id"]);
    assert!(
        kept.starts_with("left over,id,prediction\n\" x \",007,") && kept.contains("\n\"a\nb\",,"),
        "{kept}"
    );
    let json = text(csv(), Format::Json, &["id", "size"]);
    assert!(json.starts_with("[\n  {\"id\":\"007\",\"size\":\"0.5\",\"prediction\":"), "{json}");
    assert!(json.contains("},\n  {\"id\":null,\"size\":null,"), "{json}");
    let json = text(parquet_file(&rows, 1), Format::Json, &["flag", "size", "plan", "id"]);
    assert!(json.starts_with("[\n  {\"flag\":true,\"size\":0.5,\"plan\":\"basic\",\"id\":null,"), "{json}");
    assert!(json.contains("},\n  {\"flag\":false,\"size\":null,\"plan\":\"?\",\"id\":1,"), "{json}");

    let parquet = of(parquet_file(&rows, 1), Form::Parquet, &["id", "plan"]);
    let reader =
        parquet::arrow::arrow_reader::ParquetRecordBatchReader::try_new(bytes::Bytes::from(parquet), 9);
    let batch = reader.unwrap().next().unwrap().unwrap();
    assert_eq!(
        batch.column_by_name("id").unwrap().as_ref(),
        &Int64Array::from(vec![None, Some(1)]) as &dyn Array
    );
    assert!(matches!(
        batch.column_by_name("plan").unwrap().data_type(),
        arrow_schema::DataType::Dictionary(..)
    ));
}
