//! Predictions of many rows, part by part; each part is written by all threads at once.

mod kept;
mod lines;
mod parquet;
mod people;

use lire::report::PredictionReport;
use lire::table::Kept;

use self::kept::{Value, for_text, value_of};
use self::lines::Lines;
use self::parquet::Table;
use self::people::Whole;
use crate::args::Format;
use crate::console::Look;
use crate::exit::Failure;

/// The form of a file of predictions.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// A text. JSON is a list with an object for each row.
    Text(Format),
    /// A table for programs.
    Parquet,
}

/// Writes predictions. What it gives for the parts, put together, does not depend on where one part ends and the next
/// begins.
pub enum Writer {
    /// Line by line.
    Lines(Lines),
    /// For people: how wide a column is, or which decimals matter, depends on all rows, so that all are held.
    Whole(Whole),
    /// Group of rows by group of rows.
    Parquet(Box<Table>),
}

/// The predictions of some rows, beside columns of the data.
struct Part {
    report: PredictionReport,
    kept: Vec<Kept>,
}

/// One cell of a row for programs.
enum Cell<'a> {
    Number(f64),
    Label(&'a str),
    Count(usize),
    Kept(Value<'a>),
}

impl Writer {
    /// Nothing is written yet.
    pub fn new(form: Form, look: Look) -> Self {
        match form {
            Form::Text(Format::Table) => Self::Whole(Whole::table(look)),
            Form::Text(format) => Self::Lines(Lines::new(format)),
            Form::Parquet => Self::Parquet(Box::default()),
        }
    }

    /// The next rows; gives what can be passed on by now.
    pub fn rows(&mut self, report: PredictionReport, kept: Vec<Kept>) -> Result<Vec<u8>, Failure> {
        if let Self::Parquet(table) = self {
            return table.rows(&Part { report, kept });
        }
        if let Self::Lines(lines) = self
            && lines.must_know_all(&report)
        {
            *self = Self::Whole(Whole::markdown());
        }
        let kept = kept.into_iter().map(for_text).collect::<Result<_, _>>()?;
        let part = Part { report, kept };
        Ok(match self {
            Self::Lines(lines) => lines.rows(&part),
            Self::Whole(whole) => {
                whole.add(part);
                Vec::new()
            }
            Self::Parquet(_) => unreachable!("it is written above"),
        })
    }

    /// What is left to be passed on.
    pub fn finish(self) -> Result<Vec<u8>, Failure> {
        match self {
            Self::Lines(lines) => Ok(lines.finish()),
            Self::Whole(whole) => Ok(whole.finish()),
            Self::Parquet(table) => table.finish(),
        }
    }
}

/// The names of the columns of predictions.
pub fn names(classes: &[String], with_rules: bool) -> Vec<String> {
    let mut names: Vec<String> = match classes {
        [] => vec!["prediction".into()],
        [_, _] => ["score", "probability", "label"].map(String::from).to_vec(),
        classes => {
            let probabilities = classes.iter().map(|class| format!("probability_{class}"));
            let scores = classes.iter().map(|class| format!("score_{class}"));
            std::iter::once("label".to_owned()).chain(probabilities).chain(scores).collect()
        }
    };
    names.extend(with_rules.then(|| "rules".to_owned()));
    names
}

impl Part {
    /// The names of all columns.
    fn names(&self) -> Vec<String> {
        let kept = self.kept.iter().map(|column| column.name.clone());
        kept.chain(names(&self.report.classes, self.report.rules.is_some())).collect()
    }

    /// The cells of a row, in the order of the names.
    fn cells(&self, row: usize) -> Vec<Cell<'_>> {
        let report = &self.report;
        let of_row = |columns: &[Vec<f64>]| -> Vec<Cell> {
            columns.iter().map(|column| Cell::Number(column[row])).collect()
        };
        let label = || Cell::Label(&report.classes[report.labels[row]]);
        let mut cells: Vec<Cell> = self.kept.iter().map(|column| Cell::Kept(value_of(column, row))).collect();
        match &report.classes[..] {
            [] => cells.extend(of_row(&report.scores)),
            [_, _] => {
                cells.extend(of_row(&report.scores));
                cells.extend(of_row(&report.probabilities));
                cells.push(label());
            }
            _ => {
                cells.push(label());
                cells.extend(of_row(&report.probabilities));
                cells.extend(of_row(&report.scores));
            }
        }
        cells.extend(report.rules.as_ref().map(|rules| Cell::Count(rules[row])));
        cells
    }
}

#[cfg(test)]
mod tests {
    use lire::report::Version;
    use lire::table::Task;

    use super::*;

    const LOOK: Look = Look { width: 80, color: false };

    fn report(
        classes: &[&str],
        scores: &[&[f64]],
        probabilities: &[&[f64]],
        labels: &[usize],
    ) -> PredictionReport {
        let columns = |columns: &[&[f64]]| columns.iter().map(|column| column.to_vec()).collect();
        PredictionReport {
            version: Version,
            target: "y".into(),
            task: if classes.is_empty() { Task::Regression } else { Task::Classification },
            classes: classes.iter().map(|&class| class.to_owned()).collect(),
            n_rows: scores[0].len(),
            scores: columns(scores),
            probabilities: columns(probabilities),
            labels: labels.to_vec(),
            rules: None,
        }
    }

    fn two_classes() -> PredictionReport {
        let probabilities: &[f64] = &[0.549_833_997_312_478, 0.25];
        report(&["no", "yes, please"], &[&[0.1, -1e-7]], &[probabilities], &[1, 0])
    }

    fn text(report: &PredictionReport, format: Format) -> String {
        let mut writer = Writer::new(Form::Text(format), LOOK);
        let mut text = writer.rows(report.clone(), Vec::new()).unwrap();
        text.extend(writer.finish().unwrap());
        String::from_utf8(text).unwrap()
    }

    #[test]
    fn numbers_are_written_in_full() {
        let predicted = two_classes();
        assert_eq!(
            text(&predicted, Format::Csv),
            "score,probability,label\n0.1,0.549833997312478,\"yes, please\"\n-0.0000001,0.25,no\n"
        );
        assert_eq!(
            text(&predicted, Format::Json),
            "[\n  {\"score\":0.1,\"probability\":0.549833997312478,\"label\":\"yes, please\"},\n  \
             {\"score\":-1e-7,\"probability\":0.25,\"label\":\"no\"}\n]\n"
        );
    }

    #[test]
    fn people_get_bars() {
        let predicted = two_classes();
        let table = text(&predicted, Format::Table);
        assert!(table.contains("  1  yes, please  ██████▋░░░░░          55.0 %  +0.100\n"), "{table}");
        assert!(text(&predicted, Format::Markdown).ends_with("| +0.000 | 25.0 % | no |\n"));
    }

    #[test]
    fn several_classes_have_columns_each() {
        let (scores, probabilities): ([&[f64]; 3], [&[f64]; 3]) =
            ([&[1.0], &[-0.5], &[0.25]], [&[0.5], &[0.125], &[0.375]]);
        let of_three = report(&["a", "b", "c,d"], &scores, &probabilities, &[0]);
        let predicted = PredictionReport { rules: Some(vec![2]), ..of_three };
        assert_eq!(
            text(&predicted, Format::Csv),
            "label,probability_a,probability_b,\"probability_c,d\",score_a,score_b,\"score_c,d\",rules\n\
             a,0.5,0.125,0.375,1,-0.5,0.25,2\n"
        );
    }

    #[test]
    fn a_number_is_its_own_prediction() {
        let predicted = report(&[], &[&[1234.56]], &[], &[]);
        assert_eq!(text(&predicted, Format::Csv), "prediction\n1234.56\n");
        assert_eq!(text(&predicted, Format::Json), "[\n  {\"prediction\":1234.56}\n]\n");
        assert!(text(&predicted, Format::Table).contains("1234.6"));
    }
}
