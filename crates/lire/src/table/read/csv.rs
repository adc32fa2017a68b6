//! CSV: each column's texts are interned while the file streams by.

use std::io::{Cursor, Read};

use csv::{ByteRecord, ErrorKind, ReaderBuilder};

use super::batches::{BatchOptions, Kept, KeptCells, Part, Source, Stream, not_needed};
use super::delimiter::detect;
use crate::error::{Error, Result};
use crate::table::{Interner, NotUtf8, RawCells, RawColumn, name_of_unnamed};

/// How much of the start is looked at to find the delimiter.
const START: u64 = 64 * 1024;
/// How much is read at once.
const BUFFER: usize = 256 * 1024;
const UTF8_MARK: &[u8] = &[0xef, 0xbb, 0xbf];
const UTF16_MARKS: [&[u8]; 2] = [&[0xff, 0xfe], &[0xfe, 0xff]];

/// Opens a stream and reads its header.
pub(super) fn open<'a>(
    mut stream: Stream<'a>,
    source: &str,
    options: &BatchOptions,
) -> Result<Box<dyn Source + 'a>> {
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
    let delimiter = options.read.delimiter.unwrap_or_else(|| detect(&start));
    let mut reader = ReaderBuilder::new()
        .delimiter(delimiter)
        .buffer_capacity(BUFFER)
        .flexible(true)
        .from_reader(Tail::of(Cursor::new(start).chain(stream)));
    let place = Place { source: source.to_owned(), delimiter };
    let header = reader.byte_headers().map_err(|error| place.error(error))?.clone();
    let names = names(&header).ok_or_else(|| place.not_utf8(&reader, &header))?;
    let uses = uses(&names, options);
    let n_columns = uses.iter().map(|used| usize::from(used.is_needed) + usize::from(used.is_kept)).sum();
    let kept = options.kept_among(&as_str(&names));
    let limits = options.limits(n_columns);
    Ok(Box::new(Rows { reader, place, names, uses, kept, limits, record: ByteRecord::new(), failure: None }))
}

/// The rows behind the header.
struct Rows<R> {
    reader: csv::Reader<Tail<R>>,
    place: Place,
    names: Vec<String>,
    /// What each column is for.
    uses: Vec<Use>,
    /// The positions of the columns that are passed on.
    kept: Vec<usize>,
    /// The most rows and bytes of a part.
    limits: (usize, usize),
    record: ByteRecord,
    /// What went wrong behind the rows that were read last.
    failure: Option<Error>,
}

/// What a column is for.
#[derive(Debug, Clone, Copy)]
struct Use {
    is_needed: bool,
    is_kept: bool,
}

/// A column under way.
#[derive(Default)]
struct Column {
    needed: Interner,
    kept: Interner,
}

fn as_str(names: &[String]) -> Vec<&str> {
    names.iter().map(String::as_str).collect()
}

fn uses(names: &[String], options: &BatchOptions) -> Vec<Use> {
    let are_needed = options.are_needed(&as_str(names));
    let with_kept = |(name, is_needed)| Use { is_needed, is_kept: options.keep.contains(name) };
    names.iter().zip(are_needed).map(with_kept).collect()
}

impl<R: Read + Send> Source for Rows<R> {
    fn part(&mut self) -> Result<Part> {
        if let Some(failure) = self.failure.take() {
            return Err(failure);
        }
        let mut columns: Vec<Column> = self.names.iter().map(|_| Column::default()).collect();
        let (mut n_rows, mut n_bytes) = (0, 0);
        while n_rows < self.limits.0 && n_bytes < self.limits.1 {
            match self.read_row(&mut columns) {
                Ok(false) => break,
                Ok(true) => {
                    n_rows += 1;
                    n_bytes += self.record.as_slice().len();
                }
                Err(failure) if n_rows == 0 => return Err(failure),
                Err(failure) => {
                    for column in &mut columns {
                        column.truncate(n_rows);
                    }
                    self.failure = Some(failure);
                    break;
                }
            }
        }
        Ok(self.finished(columns, n_rows))
    }
}

impl<R: Read> Rows<R> {
    /// Adds the next row to the columns, if there is one. After a failure some of them have a cell too many.
    fn read_row(&mut self, columns: &mut [Column]) -> Result<bool> {
        let Self { reader, place, names, uses, record, .. } = self;
        if !reader.read_byte_record(record).map_err(|error| place.error(error))? {
            return Ok(false);
        }
        if record.len() != names.len() {
            return Err(place.unequal(reader, record, names.len()));
        }
        for ((column, field), used) in columns.iter_mut().zip(&*record).zip(uses) {
            column.push(field, *used).map_err(|NotUtf8| place.not_utf8(reader, record))?;
        }
        // Only a file that ends within a quote makes a field of several lines end the file without a quote.
        let last_field = record.iter().next_back().unwrap_or_default();
        let tail = reader.get_ref();
        if last_field.contains(&b'\n') && tail.ended && !tail.end.trim_ascii_end().ends_with(b"\"") {
            let message = "a quote is opened in this row and closed nowhere; close it";
            return Err(Error::data(place.line(first_line(reader, record)), message));
        }
        Ok(true)
    }

    fn finished(&self, columns: Vec<Column>, n_rows: usize) -> Part {
        let mut kept = vec![None; columns.len()];
        let mut with_cells = Vec::with_capacity(columns.len());
        for (position, column) in columns.into_iter().enumerate() {
            let Use { is_needed, is_kept } = self.uses[position];
            let cells = if is_needed { RawCells::Text(column.needed.finish()) } else { not_needed() };
            with_cells.push(RawColumn { name: self.names[position].clone(), cells });
            kept[position] = is_kept.then(|| column.kept.finish());
        }
        let kept = self.kept.iter().filter_map(|&position| {
            let cells = KeptCells::Texts(kept[position].take()?);
            Some(Kept { name: self.names[position].clone(), cells })
        });
        Part { columns: with_cells, kept: kept.collect(), n_rows }
    }
}

impl Column {
    fn push(&mut self, field: &[u8], used: Use) -> std::result::Result<(), NotUtf8> {
        if used.is_kept || !used.is_needed {
            let text = std::str::from_utf8(field).map_err(|_| NotUtf8)?;
            if used.is_kept {
                let code = self.kept.code_of(text);
                self.kept.push_code(code).expect("the code of a text that was met");
            }
        }
        if used.is_needed { self.needed.push_bytes(field) } else { Ok(()) }
    }

    fn truncate(&mut self, n_rows: usize) {
        self.needed.truncate(n_rows);
        self.kept.truncate(n_rows);
    }
}

/// The columns' names, if they are UTF-8; one without gets its position for a name.
fn names(header: &ByteRecord) -> Option<Vec<String>> {
    let name = |(position, bytes): (usize, &[u8])| {
        let name = std::str::from_utf8(bytes.trim_ascii()).ok()?;
        Some(if name.is_empty() { name_of_unnamed(position) } else { name.to_owned() })
    };
    header.iter().enumerate().map(name).collect()
}

/// The line where the record begins that was just read. The CSV reader knows only where it began to look for it, which
/// is before the second half of an earlier `\r\n` and before blank lines; so it is counted back from the record's end.
fn first_line<R: Read>(reader: &csv::Reader<Tail<R>>, record: &ByteRecord) -> u64 {
    let end = reader.position();
    let tail = reader.get_ref();
    let ended_its_line = !tail.ended && tail.byte_before(end.byte()) == Some(b'\n');
    let line_ends = line_ends(record.as_slice());
    end.line().saturating_sub(line_ends as u64 + u64::from(ended_its_line)).max(1)
}

fn line_ends(bytes: &[u8]) -> usize {
    bytes.split(|&byte| byte == b'\n').count() - 1
}

/// Remembers how far a stream was read: the CSV reader tells neither a closed quote from one that the file's end cut
/// off nor a record's line.
struct Tail<R> {
    stream: R,
    /// The last bytes.
    end: Vec<u8>,
    /// What was read last, and how much up to there.
    chunk: Vec<u8>,
    n_read: u64,
    /// Whether the stream's end was met, which then ended the last record.
    ended: bool,
}

impl<R> Tail<R> {
    fn of(stream: R) -> Self {
        Self { stream, end: Vec::new(), chunk: Vec::new(), n_read: 0, ended: false }
    }

    /// The byte before a place in what was read last.
    fn byte_before(&self, place: u64) -> Option<u8> {
        let from_the_end = usize::try_from(self.n_read.checked_sub(place)?).ok()?;
        let at = self.chunk.len().checked_sub(from_the_end + 1)?;
        self.chunk.get(at).copied()
    }
}

impl<R: Read> Read for Tail<R> {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        const ENOUGH: usize = 64;
        let read = self.stream.read(buffer)?;
        self.end.extend_from_slice(&buffer[read.saturating_sub(ENOUGH)..read]);
        self.end.drain(..self.end.len().saturating_sub(ENOUGH));
        if read > 0 {
            self.chunk.clear();
            self.chunk.extend_from_slice(&buffer[..read]);
            self.n_read += read as u64;
        }
        self.ended = read == 0 && !buffer.is_empty();
        Ok(read)
    }
}

/// Where messages say that they come from.
struct Place {
    source: String,
    delimiter: u8,
}

impl Place {
    fn line(&self, line: u64) -> String {
        format!("{}, line {line}", self.source)
    }

    fn not_utf8<R: Read>(&self, reader: &csv::Reader<Tail<R>>, record: &ByteRecord) -> Error {
        let message = "there are bytes that are not UTF-8; convert the file to UTF-8";
        Error::data(self.line(first_line(reader, record)), message)
    }

    fn unequal<R: Read>(&self, reader: &csv::Reader<Tail<R>>, record: &ByteRecord, expected: usize) -> Error {
        let delimiter = match self.delimiter {
            b'\t' => "tab".to_owned(),
            other => format!("`{}`", char::from(other)),
        };
        let fields = if record.len() == 1 { "field" } else { "fields" };
        let message = format!(
            "{} {fields}, the header has {expected}; check this line's quotes and delimiters (read with {delimiter})",
            record.len()
        );
        Error::data(self.line(first_line(reader, record)), message)
    }

    fn error(&self, error: csv::Error) -> Error {
        let text = error.to_string();
        match error.into_kind() {
            ErrorKind::Io(error) => Error::io(&self.source, error),
            _ => Error::data(&self.source, text),
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::table::RawTable;
    use crate::table::read::{ReadOptions, read_stream};

    fn table(content: &[u8]) -> Result<RawTable> {
        read_stream(content, "x.csv", &ReadOptions::default())
    }

    fn cells(table: &RawTable, column: usize) -> Vec<&str> {
        let cells = table.columns()[column].text().unwrap();
        (0..cells.len()).map(|row| cells.cell(row).unwrap()).collect()
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
        /// The line is right whatever stands before it: blank lines, fields over several lines, either line end, and more
        /// than is read at once.
        #[test]
        fn an_error_names_the_line_where_its_row_begins(
            before in prop::collection::vec(
                prop::sample::select(vec!["1,2", "", "1,\"2\n3\"", "\"1\r\n\",\"\n2\n\"", "long,row"]), 0..30,
            ),
            ends in prop::collection::vec(prop::sample::select(vec!["\n", "\r\n"]), 33),
            bad in prop::sample::select(vec![&b"1"[..], b"\"1\n\n2\",3,4", b"\xe9,1", b"1,\"2\n"]),
            lead in 0..2usize,
            is_last in any::<bool>(),
        ) {
            let mut content = ends[..lead].concat().into_bytes();
            content.extend_from_slice(b"a,b");
            for (row, end) in before.iter().zip(&ends) {
                content.extend_from_slice(end.as_bytes());
                content.extend_from_slice(row.replace("long", &"x".repeat(BUFFER)).as_bytes());
            }
            content.extend_from_slice(ends[31].as_bytes());
            let line = 1 + line_ends(&content);
            content.extend_from_slice(bad);
            if !is_last {
                content.extend_from_slice(ends[32].as_bytes());
            }
            let message = table(&content).unwrap_err().to_string();
            prop_assert!(message.starts_with(&format!("x.csv, line {line}: ")), "line {}: {}", line, message);
        }

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
                let table = read_stream(&content[..], "x.csv", &ReadOptions { delimiter: given }).unwrap();
                for column in 0..3 {
                    let expected: Vec<&str> = rows.iter().map(|row| row[column].trim_ascii()).collect();
                    prop_assert_eq!(cells(&table, column), expected);
                }
            }
        }
    }
}
