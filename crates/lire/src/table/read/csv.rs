//! CSV: each column's texts are interned while the file streams by.

use std::io::{Cursor, Read};

use csv::{ByteRecord, ErrorKind, ReaderBuilder};

use super::delimiter::detect;
use crate::error::{Error, Result};
use crate::table::interned::Interner;
use crate::table::typing::name_of_unnamed;
use crate::table::{RawCells, RawColumn, RawTable};

/// How much of the start is looked at to find the delimiter.
const START: u64 = 64 * 1024;
/// How much is read at once.
const BUFFER: usize = 256 * 1024;
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF16_MARKS: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// Reads a header and at least one row.
pub(super) fn read(mut stream: impl Read, source: &str, delimiter: Option<u8>) -> Result<RawTable> {
    let mut start = Vec::new();
    stream.by_ref().take(START).read_to_end(&mut start).map_err(|error| Error::io(source, error))?;
    if UTF16_MARKS.iter().any(|mark| start.starts_with(mark)) {
        return Err(Error::data(source, "this is UTF-16; convert it to UTF-8"));
    }
    if start.starts_with(UTF8_MARK) {
        start.drain(..UTF8_MARK.len());
    }
    if start.trim_ascii().is_empty() {
        return Err(Error::data(source, "the file is empty; give a header line and rows of data"));
    }
    let crlf = start.iter().position(|&byte| byte == b'\n').is_some_and(|end| start[..end].ends_with(b"\r"));
    let delimiter = delimiter.unwrap_or_else(|| detect(&start));
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .buffer_capacity(BUFFER)
        .from_reader(Tail { stream: Cursor::new(start).chain(stream), end: Vec::new() });
    let place = Place { source, delimiter, crlf };
    let names = names(reader.byte_headers().map_err(|error| place.error(error))?, &place)?;
    let mut columns: Vec<Interner> = names.iter().map(|_| Interner::default()).collect();
    let mut record = ByteRecord::new();
    let mut n_rows = 0;
    let mut ends_in_long_field = None;
    while reader.read_byte_record(&mut record).map_err(|error| place.error(error))? {
        for (column, field) in columns.iter_mut().zip(&record) {
            column.push_bytes(field).map_err(|_| place.not_utf8(&record))?;
        }
        let last_field = record.iter().next_back().unwrap_or_default();
        ends_in_long_field = if last_field.contains(&b'\n') { record.position().cloned() } else { None };
        n_rows += 1;
    }
    if let Some(position) = ends_in_long_field
        && !reader.get_ref().end.trim_ascii_end().ends_with(b"\"")
    {
        let message = "a quote is opened in this row and closed nowhere; close it";
        return Err(Error::data(place.line(Some(&position)), message));
    }
    let with_cells = |(name, column): (String, Interner)| {
        let cells = RawCells::Text(column.finish());
        RawColumn { name, cells }
    };
    RawTable::new(source, names.into_iter().zip(columns).map(with_cells).collect(), n_rows)
}

/// The columns' names; one without gets its position for a name.
fn names(header: &ByteRecord, place: &Place) -> Result<Vec<String>> {
    let name = |(position, bytes): (usize, &[u8])| {
        let name = std::str::from_utf8(bytes.trim_ascii()).map_err(|_| place.not_utf8(header))?;
        Ok(if name.is_empty() { name_of_unnamed(position) } else { name.to_owned() })
    };
    header.iter().enumerate().map(name).collect()
}

/// Remembers how a stream ended: the CSV reader does not tell a closed quote from one that the file's end cut off.
struct Tail<R> {
    stream: R,
    end: Vec<u8>,
}

impl<R: Read> Read for Tail<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        const ENOUGH: usize = 64;
        let read = self.stream.read(buffer)?;
        self.end.extend_from_slice(&buffer[read.saturating_sub(ENOUGH)..read]);
        self.end.drain(..self.end.len().saturating_sub(ENOUGH));
        Ok(read)
    }
}

/// Where messages say that they come from.
struct Place<'a> {
    source: &'a str,
    delimiter: u8,
    /// Whether lines end with `\r\n`, of which the CSV reader counts the second half to the next record.
    crlf: bool,
}

impl Place<'_> {
    /// The line where a record starts; without a position it is the first.
    fn line(&self, position: Option<&csv::Position>) -> String {
        let uncounted = u64::from(self.crlf && position.is_some_and(|position| position.byte() > 0));
        let line = position.map_or(1, csv::Position::line) + uncounted;
        format!("{}, line {line}", self.source)
    }

    fn not_utf8(&self, record: &ByteRecord) -> Error {
        Error::data(
            self.line(record.position()),
            "there are bytes that are not UTF-8; convert the file to UTF-8",
        )
    }

    fn error(&self, error: csv::Error) -> Error {
        let text = error.to_string();
        match error.into_kind() {
            ErrorKind::Io(error) => Error::io(self.source, error),
            ErrorKind::UnequalLengths { pos, expected_len, len } => {
                let delimiter = match self.delimiter {
                    b'\t' => "tab".to_owned(),
                    other => format!("`{}`", char::from(other)),
                };
                let fields = if len == 1 { "field" } else { "fields" };
                let message = format!(
                    "{len} {fields}, the header has {expected_len}; check this line's quotes and delimiters \
                     (read with {delimiter})"
                );
                Error::data(self.line(pos.as_ref()), message)
            }
            _ => Error::data(self.source, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    fn table(content: &[u8]) -> Result<RawTable> {
        read(content, "x.csv", None)
    }

    fn cells(table: &RawTable, column: usize) -> Vec<&str> {
        let cells = table.columns()[column].text().unwrap();
        (0..cells.len()).map(|row| cells.cell(row)).collect()
    }

    #[test]
    fn marks_line_ends_quotes_and_spaces_are_understood() {
        let table = table(b"\xef\xbb\xbfa;\"b;\"\"c\"\r\n1 ;\"x\r\ny\"\r\n;2").unwrap();
        let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["a", "b;\"c"]);
        assert_eq!(cells(&table, 0), ["1", ""]);
        assert_eq!(cells(&table, 1), ["x\r\ny", "2"]);
    }

    #[test]
    fn a_column_without_name_gets_its_position() {
        let table = table(b",b,\n0,1,2\n").unwrap();
        let names: Vec<&str> = table.columns().iter().map(|column| column.name.as_str()).collect();
        assert_eq!(names, ["column 1", "b", "column 3"]);
    }

    #[test]
    fn failures_name_file_and_line() {
        for (content, message) in [
            (&b""[..], "x.csv: the file is empty; give a header line and rows of data"),
            (b" \r\n\n", "x.csv: the file is empty; give a header line and rows of data"),
            (b"a,b\n", "x.csv: there is a header but no row of data"),
            (b"a,a\n1,2\n", "x.csv: two columns are named `a`; rename one of them"),
            (
                b"a,b\n1,\"2\n3\"\n4\n",
                "x.csv, line 4: 1 field, the header has 2; check this line's quotes and delimiters (read with `,`)",
            ),
            (
                b"a\tb\r\n1\t2\r\n4\r\n",
                "x.csv, line 3: 1 field, the header has 2; check this line's quotes and delimiters (read with tab)",
            ),
            (
                b"a,b\n1,2\n3,caf\xe9\n",
                "x.csv, line 3: there are bytes that are not UTF-8; convert the file to UTF-8",
            ),
            (
                b"a,\xe9\n1,2\n",
                "x.csv, line 1: there are bytes that are not UTF-8; convert the file to UTF-8",
            ),
            (
                b"a,b\n1,2\n3,\"4\n5,6\n7,8\n",
                "x.csv, line 3: a quote is opened in this row and closed nowhere; close it",
            ),
            (b"\xff\xfea\0,\0b\0", "x.csv: this is UTF-16; convert it to UTF-8"),
        ] {
            assert_eq!(table(content).unwrap_err().to_string(), message);
        }
    }

    proptest! {
        #[test]
        fn any_cells_come_back(
            rows in prop::collection::vec(prop::collection::vec("[a-z0-9,;|\"\t\r\n éλ-]{0,6}", 3), 1..20),
            delimiter in prop::sample::select(vec![b',', b';', b'\t', b'|']),
        ) {
            let mut writer = csv::WriterBuilder::new().delimiter(delimiter).from_writer(Vec::new());
            writer.write_record(["first", "second", "third"]).unwrap();
            for row in &rows {
                writer.write_record(row).unwrap();
            }
            let content = writer.into_inner().unwrap();
            for given in [Some(delimiter), None] {
                let table = read(&content[..], "x.csv", given).unwrap();
                for column in 0..3 {
                    let expected: Vec<&str> = rows.iter().map(|row| row[column].trim_ascii()).collect();
                    prop_assert_eq!(cells(&table, column), expected);
                }
            }
        }
    }
}
