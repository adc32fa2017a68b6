//! The batches of a file, put together, are its table, whatever their size; what fails fails behind the same rows.

use std::io::Write as _;
use std::sync::Arc;

use arrow_array::{ArrayRef, RecordBatch, StringArray};
use flate2::Compression;
use flate2::write::GzEncoder;
use lire::table::read::read_stream;
use lire::table::{BatchOptions, Batches, KeptCells, RawTable, ReadOptions};
use parquet::arrow::ArrowWriter;
use parquet::file::properties::WriterProperties;
use proptest::prelude::*;
use proptest::sample::select;

const NAMES: [&str; 3] = ["a", "b b", "c"];

type Row = Vec<String>;

fn csv(rows: &[Row], end: &str, blank: bool) -> Vec<u8> {
    let quoted = |cell: &String| format!("\"{}\"", cell.replace('"', "\"\""));
    let line = |cells: &Row| cells.iter().map(quoted).collect::<Vec<_>>().join(";") + end;
    let header = NAMES.map(str::to_owned).to_vec();
    let lines = std::iter::once(&header).chain(rows).map(line);
    lines.collect::<Vec<_>>().join(if blank { end } else { "" }).into_bytes()
}

fn gzip(content: &[u8]) -> Vec<u8> {
    let mut encoder = GzEncoder::new(Vec::new(), Compression::fast());
    encoder.write_all(content).unwrap();
    encoder.finish().unwrap()
}

fn parquet(rows: &[Row], in_group: usize) -> Vec<u8> {
    let column = |place: usize| -> ArrayRef {
        Arc::new(StringArray::from_iter_values(rows.iter().map(|row| row[place].as_str())))
    };
    let columns = NAMES.iter().enumerate().map(|(place, name)| (*name, column(place)));
    let batch = RecordBatch::try_from_iter(columns).unwrap();
    let properties = WriterProperties::builder().set_max_row_group_row_count(Some(in_group)).build();
    let mut writer = ArrowWriter::try_new(Vec::new(), batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.into_inner().unwrap()
}

fn texts(table: &RawTable, name: &str) -> Vec<String> {
    let cells = table.column(name).unwrap().text().unwrap();
    (0..cells.len()).map(|row| cells.cell(row).unwrap().to_owned()).collect()
}

/// The cells of all batches by columns, those of the column that is passed on, and what ended them.
struct Read {
    cells: Vec<Vec<String>>,
    kept: Vec<String>,
    failure: Option<String>,
}

fn in_batches(content: &[u8], rows: usize) -> Read {
    let options = BatchOptions { rows: Some(rows), keep: vec!["c".into()], ..BatchOptions::default() };
    let mut read = Read { cells: vec![Vec::new(); 3], kept: Vec::new(), failure: None };
    let batches = match Batches::of_stream(content, "x", &options) {
        Ok(batches) => batches,
        Err(error) => return Read { failure: Some(error.to_string()), ..read },
    };
    for batch in batches {
        assert!(read.failure.is_none(), "a failure is the last");
        match batch {
            Err(error) => read.failure = Some(error.to_string()),
            Ok(batch) => {
                assert_eq!(batch.first_row, read.cells[0].len());
                assert!(batch.table.n_rows() <= rows && batch.table.n_rows() > 0);
                for (cells, name) in read.cells.iter_mut().zip(NAMES) {
                    cells.extend(texts(&batch.table, name));
                }
                read.kept.extend((0..batch.table.n_rows()).map(|row| match &batch.kept[0].cells {
                    KeptCells::Texts(cells) => cells.cell(row).unwrap().to_owned(),
                    KeptCells::Values(array) => {
                        array.as_any().downcast_ref::<StringArray>().unwrap().value(row).to_owned()
                    }
                }));
            }
        }
    }
    read
}

fn rows() -> impl Strategy<Value = Vec<Row>> {
    let cell = "[a-c0-9 ,;\"\r\nλ]{0,5}";
    prop::collection::vec(prop::collection::vec(cell, 3), 1..20)
}

proptest! {
    #[test]
    fn batches_put_together_are_the_table(
        rows in rows(), at_once in 1..8_usize, in_group in 1..8_usize, end in select(vec!["\n", "\r\n"]),
        blank in any::<bool>(),
    ) {
        let text = csv(&rows, end, blank);
        for content in [gzip(&text), text, parquet(&rows, in_group)] {
            let whole = read_stream(&content[..], "x", &ReadOptions::default()).unwrap();
            let read = in_batches(&content, at_once);
            prop_assert_eq!(read.failure, None);
            for (cells, name) in read.cells.iter().zip(NAMES) {
                prop_assert_eq!(cells, &texts(&whole, name));
            }
            let kept: Vec<String> = rows.iter().map(|row| row[2].clone()).collect();
            prop_assert_eq!(read.kept, kept, "as they were written");
        }
    }

    #[test]
    fn the_rows_before_a_failure_come_first(
        rows in rows(), at_once in 1..8_usize, bad in select(vec![&b"1"[..], b"1;2;\xe9", b"1;2;\"3\n4\n"]),
    ) {
        let mut content = csv(&rows, "\n", false);
        content.extend_from_slice(bad);
        let whole = read_stream(&content[..], "x", &ReadOptions::default()).unwrap_err().to_string();
        for content in [gzip(&content), content] {
            let read = in_batches(&content, at_once);
            prop_assert_eq!(read.failure.as_ref(), Some(&whole));
            prop_assert_eq!(read.cells[0].len(), rows.len());
            prop_assert_eq!(read.kept.len(), rows.len());
        }
    }
}

#[test]
fn only_the_columns_that_are_needed_are_read() {
    let rows: Vec<Row> = (0..5).map(|row| vec![row.to_string(), "x".into(), "y".into()]).collect();
    for content in [csv(&rows, "\n", false), parquet(&rows, 2)] {
        let columns = Some(vec!["b b".into()]);
        let options = BatchOptions { columns, rows: Some(2), ..BatchOptions::default() };
        let batches: Vec<_> =
            Batches::of_stream(&content[..], "x", &options).unwrap().map(Result::unwrap).collect();
        let sizes: Vec<usize> = batches.iter().map(|batch| batch.table.n_rows()).collect();
        assert_eq!(sizes, [2, 2, 1]);
        assert_eq!(texts(&batches[2].table, "b b"), ["x"]);
        assert!(
            batches[0].table.column("a").unwrap().text().is_err(),
            "its name is known, its cells are not"
        );
        // No column at all has rows too.
        let options = BatchOptions { columns: Some(vec![]), rows: Some(2), ..BatchOptions::default() };
        let batches = Batches::of_stream(&content[..], "x", &options).unwrap();
        assert_eq!(batches.map(|batch| batch.unwrap().table.n_rows()).sum::<usize>(), 5);
    }
}

#[test]
fn a_column_to_keep_that_is_not_there_is_told() {
    let options = BatchOptions { keep: vec!["cc".into()], ..BatchOptions::default() };
    let rows = vec![vec!["1".to_owned(), "2".into(), "3".into()]];
    for content in [csv(&rows, "\n", false), parquet(&rows, 1)] {
        let failure = Batches::of_stream(&content[..], "x", &options).unwrap().next().unwrap().unwrap_err();
        assert_eq!(
            failure.to_string(),
            "x: no column `cc`; did you mean `c`? The columns are `a`, `b b`, `c`"
        );
    }
}

#[test]
fn long_texts_and_many_columns_end_a_batch() {
    let sizes = |content: String| -> Vec<usize> {
        let batches = Batches::of_stream(content.as_bytes(), "x", &BatchOptions::default()).unwrap();
        batches.map(|batch| batch.unwrap().table.n_rows()).collect()
    };
    let long = format!("a\n{}", format!("{}\n", "x".repeat(1 << 20)).repeat(70));
    let (of_long, most) = (sizes(long), 40);
    assert!(of_long.len() > 1 && of_long.iter().all(|&rows| rows < most), "{of_long:?}");
    let wide = vec!["1"; 10_000].join(",") + "\n";
    let names: Vec<String> = (0..10_000).map(|place| format!("x{place}")).collect();
    let of_wide = sizes(names.join(",") + "\n" + &wide.repeat(600));
    assert!(of_wide.len() > 1 && of_wide.iter().sum::<usize>() == 600, "{of_wide:?}");
}
