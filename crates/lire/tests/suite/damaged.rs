//! Tables whose files are damaged: read, or refused as bad data, whatever the decoders do.

use std::io::Write;
use std::sync::Arc;

use arrow_array::builder::StringDictionaryBuilder;
use arrow_array::types::Int32Type;
use arrow_array::{
    ArrayRef, BooleanArray, Decimal128Array, Float64Array, Int64Array, RecordBatch, StringArray,
};
use flate2::Compression as Level;
use flate2::write::GzEncoder;
use lire::Error;
use lire::table::read::read_stream;
use lire::table::{RawTable, ReadOptions};
use parquet::arrow::ArrowWriter;
use parquet::basic::{BrotliLevel, Compression, Encoding, GzipLevel, ZstdLevel};
use parquet::file::properties::{WriterProperties, WriterVersion};

use crate::draws::Draws;

/// One row more than a multiple of eight, so that bit-packed runs end in the middle.
const ROWS: i64 = 41;

fn read(content: &[u8]) -> lire::Result<RawTable> {
    read_stream(content, "x", &ReadOptions::default())
}

/// Every kind of column, with missing cells.
fn columns() -> RecordBatch {
    let numbers = || (0..ROWS).map(|row| (row % 7 != 3).then_some(row * row % 11 - 2));
    let words = || (0..ROWS).map(|row| (row % 5 != 1).then(|| format!("level {}", row % 4)));
    let mut dictionary = StringDictionaryBuilder::<Int32Type>::new();
    words().for_each(|word| dictionary.append_option(word));
    let decimals = numbers().map(|n| n.map(i128::from)).collect::<Decimal128Array>();
    let columns: Vec<(&str, ArrayRef)> = vec![
        ("flag", Arc::new(numbers().map(|n| n.map(|n| n > 3)).collect::<BooleanArray>())),
        ("whole", Arc::new(numbers().collect::<Int64Array>())),
        ("real", Arc::new(numbers().map(|n| n.map(|n| n as f64 / 4.0)).collect::<Float64Array>())),
        ("decimal", Arc::new(decimals.with_precision_and_scale(20, 2).unwrap())),
        ("text", Arc::new(words().collect::<StringArray>())),
        ("level", Arc::new(dictionary.finish())),
    ];
    RecordBatch::try_from_iter_with_nullable(columns.into_iter().map(|(n, a)| (n, a, true))).unwrap()
}

fn parquet(properties: WriterProperties) -> Vec<u8> {
    let batch = columns();
    let mut content = Vec::new();
    let mut writer = ArrowWriter::try_new(&mut content, batch.schema(), Some(properties)).unwrap();
    writer.write(&batch).unwrap();
    writer.close().unwrap();
    content
}

/// The same table with every codec, both versions of pages, and encodings with and without a dictionary.
fn parquet_files() -> Vec<Vec<u8>> {
    let codecs = [
        Compression::UNCOMPRESSED,
        Compression::SNAPPY,
        Compression::GZIP(GzipLevel::default()),
        Compression::ZSTD(ZstdLevel::default()),
        Compression::LZ4_RAW,
        Compression::BROTLI(BrotliLevel::default()),
    ];
    let mut files = Vec::new();
    for (nth, codec) in codecs.into_iter().enumerate() {
        let version = if nth % 2 == 0 { WriterVersion::PARQUET_1_0 } else { WriterVersion::PARQUET_2_0 };
        let properties = WriterProperties::builder().set_compression(codec).set_writer_version(version);
        files.push(parquet(properties.clone().build()));
        let delta = properties
            .set_dictionary_enabled(false)
            .set_column_encoding("whole".into(), Encoding::DELTA_BINARY_PACKED)
            .set_column_encoding("text".into(), Encoding::DELTA_BYTE_ARRAY)
            .set_column_encoding("real".into(), Encoding::BYTE_STREAM_SPLIT)
            .set_data_page_row_count_limit(16)
            .set_write_batch_size(8);
        files.push(parquet(delta.build()));
    }
    files
}

/// Some bytes changed, or some bytes left out or doubled.
fn mutated(whole: &[u8], draws: &mut Draws) -> Vec<u8> {
    let mut bytes = whole.to_vec();
    for _ in 0..=draws.below(3) {
        let at = draws.below(bytes.len());
        match draws.below(8) {
            0 => bytes[at] = draws.below(256) as u8,
            1 => bytes[at] ^= 1 << draws.below(8),
            2 => bytes[at] = [0, 1, 0x7f, 0x80, 0xff][draws.below(5)],
            3 => bytes[at] = bytes[draws.below(bytes.len())],
            4 => bytes[at] = bytes[at].wrapping_add(1),
            5 => drop(bytes.drain(at..(at + 1 + draws.below(4)).min(bytes.len()))),
            6 => bytes.insert(at, draws.below(256) as u8),
            _ => bytes.truncate(at.max(4)),
        }
        if bytes.len() < 8 {
            break;
        }
    }
    bytes
}

/// Reads many mutations; gives how many were read all the same and how many refused.
fn read_mutations(whole: &[u8], n: usize, draws: &mut Draws) -> [usize; 2] {
    let mut counts = [0; 2];
    for nth in 0..n {
        let bytes = mutated(whole, draws);
        match read(&bytes) {
            Ok(_) => counts[0] += 1,
            Err(Error::Data { .. } | Error::Io { .. }) => counts[1] += 1,
            Err(other) => panic!("mutation {nth}: {other:?}"),
        }
    }
    counts
}

#[test]
fn every_codec_and_encoding_gives_the_same_table() {
    let files = parquet_files();
    let first = read(&files[0]).unwrap();
    assert_eq!((first.columns().len(), first.n_rows()), (6, ROWS as usize));
    for file in &files {
        assert_eq!(read(file).unwrap(), first);
    }
}

/// Several of these make the decoders panic.
#[test]
fn damaged_parquet_is_read_or_refused() {
    for (nth, whole) in parquet_files().iter().enumerate() {
        let [_, refused] = read_mutations(whole, 100, &mut Draws::new(nth as u64));
        assert!(refused > 10, "file {nth}: the mutations do damage ({refused} refused)");
    }
}

#[test]
fn damaged_csv_and_gzip_are_read_or_refused() {
    let rows: Vec<String> = (0..ROWS).map(|row| format!("{row},\"a \"\"b\"\", {}\"\r\n", row % 3)).collect();
    let csv = format!("n,\"te\nxt\"\n{}", rows.concat());
    let mut encoder = GzEncoder::new(Vec::new(), Level::default());
    encoder.write_all(csv.as_bytes()).unwrap();
    let gzip = encoder.finish().unwrap();
    assert_eq!(read(csv.as_bytes()).unwrap(), read(&gzip).unwrap());
    for whole in [csv.as_bytes(), &gzip] {
        let [_, refused] = read_mutations(whole, 600, &mut Draws::new(3));
        assert!(refused > 10, "the mutations do damage ({refused} refused)");
    }
}
