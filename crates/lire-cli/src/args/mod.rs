//! The command line: what can be typed, and what it means.

mod config_file;
mod fit_options;
mod rows;
mod usage;
mod values;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};

pub use config_file::known_names;
pub use fit_options::FitOptions;
pub use rows::RowChoice;
pub use usage::{command, parse};

use values::{finite, whole};

/// Learn rule ensembles in which every single prediction needs only a few rules, and see its exact reasons.
#[derive(Debug, Parser)]
#[command(name = "lire", version, propagate_version = true, disable_help_subcommand = true)]
#[command(after_help = "Start with: lire fit DATA.csv --target COLUMN")]
pub struct Cli {
    /// What to do.
    #[command(subcommand)]
    pub command: Command,
    /// What holds for all commands.
    #[command(flatten)]
    pub global: GlobalOptions,
}

/// What holds for all commands.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct GlobalOptions {
    /// Output format; by default csv for predictions and table for everything else. Parquet is for predictions only.
    #[arg(long, global = true, value_enum)]
    pub format: Option<AskedFormat>,
    /// When to use colours; `NO_COLOR` is honoured.
    #[arg(long, global = true, value_enum, default_value_t = ColorChoice::Auto, value_name = "WHEN")]
    pub color: ColorChoice,
    /// Print no notes, progress or hints.
    #[arg(long, short, global = true, conflicts_with = "verbose")]
    pub quiet: bool,
    /// Also print timings and details of the search.
    #[arg(long, short, global = true)]
    pub verbose: bool,
    /// Threads to use; all processors by default. The result does not depend on it.
    #[arg(long, global = true, value_name = "N", value_parser = whole::<usize>)]
    pub threads: Option<usize>,
}

/// The form that can be asked for. What clap shows of the values stays short without documentation of each.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AskedFormat {
    Table,
    Json,
    Csv,
    Markdown,
    // For predictions only.
    Parquet,
}

/// The form of a text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Format {
    // For people at a terminal.
    Table,
    // For programs; numbers in full.
    Json,
    // For spreadsheets; numbers in full.
    Csv,
    // For documents.
    Markdown,
}

impl AskedFormat {
    /// The form of the text, if it is one.
    pub fn of_text(self) -> Option<Format> {
        match self {
            Self::Table => Some(Format::Table),
            Self::Json => Some(Format::Json),
            Self::Csv => Some(Format::Csv),
            Self::Markdown => Some(Format::Markdown),
            Self::Parquet => None,
        }
    }
}

/// When to use colours.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ColorChoice {
    // On a terminal.
    Auto,
    Always,
    Never,
}

/// What to do.
#[derive(Debug, Subcommand)]
pub enum Command {
    /// Learn a model from a table, measure it on held-out rows, and save it.
    Fit(Box<FitArgs>),
    /// Compare models of many prices: accuracy against rules, and against rules per explanation.
    Path(Box<PathArgs>),
    /// Predict the score, probability and label of each row of a table.
    Predict(PredictArgs),
    /// Explain predictions: the rules that hold for each row, which add up to its score.
    Explain(ExplainArgs),
    /// Show all rules of a model and how it was trained.
    Show(ShowArgs),
    /// Measure how well models predict rows that they were not fitted on.
    Evaluate(Box<EvaluateArgs>),
    /// Compare methods on the same folds: means, standard deviations, and whether the first is worse.
    Compare(Box<CompareArgs>),
    /// Write a completion script for a shell.
    Completions {
        /// The shell.
        shell: clap_complete::Shell,
    },
    /// Write the manual page.
    #[command(hide = true)]
    Man,
}

impl Command {
    /// The options of a fit, if the command fits.
    fn fit_options_mut(&mut self) -> Option<&mut FitOptions> {
        match self {
            Self::Fit(args) => Some(&mut args.fit),
            Self::Path(args) => Some(&mut args.fit),
            Self::Evaluate(args) => Some(&mut args.fit),
            Self::Compare(args) => Some(&mut args.fit),
            Self::Predict(_) | Self::Explain(_) | Self::Show(_) | Self::Completions { .. } | Self::Man => {
                None
            }
        }
    }
}

/// `lire fit`
#[derive(Debug, Args)]
pub struct FitArgs {
    /// A CSV or Parquet file; `-` reads standard input.
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// Where to write the model; by default DATA's name with `.lire.json`, in the current folder.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the output even if it is not a lire model.
    #[arg(long)]
    pub force: bool,
    /// Skip the measures on a held-out fifth of the rows, which need a fit of their own.
    #[arg(long)]
    pub no_holdout: bool,
    /// Everything about the fit.
    #[command(flatten)]
    pub fit: FitOptions,
}

/// `lire path`
#[derive(Debug, Args)]
pub struct PathArgs {
    /// A CSV or Parquet file; `-` reads standard input.
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// Draw the models into this SVG file.
    #[arg(long, value_name = "FILE")]
    pub plot: Option<PathBuf>,
    /// Write the chosen model to this file.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Replace the outputs even if they are files of another kind.
    #[arg(long)]
    pub force: bool,
    /// Everything about the fits.
    #[command(flatten)]
    pub fit: FitOptions,
}

/// `lire predict`
#[derive(Debug, Args)]
pub struct PredictArgs {
    /// What to score the rows with.
    #[command(flatten)]
    pub inputs: ModelAndData,
    /// Where to write the predictions; standard output by default. A name that ends in `.parquet` asks for Parquet.
    #[arg(long, short, value_name = "FILE")]
    pub out: Option<PathBuf>,
    /// Columns of DATA to write before the predictions, as they are, such as an identifier.
    #[arg(long, value_name = "COLUMNS", value_delimiter = ',')]
    pub keep: Vec<String>,
    /// Add a column `rules`: how many rules each prediction needs.
    #[arg(long)]
    pub local_support: bool,
}

/// `lire explain`
#[derive(Debug, Args)]
pub struct ExplainArgs {
    /// What to explain the rows with.
    #[command(flatten)]
    pub inputs: ModelAndData,
    /// Which rows.
    #[command(flatten)]
    pub rows: RowChoice,
    /// With several classes, the one to explain instead of the predicted one.
    #[arg(long, value_name = "LABEL")]
    pub class: Option<String>,
}

/// A model, and rows for it.
#[derive(Debug, Args)]
pub struct ModelAndData {
    /// A model that `lire fit` wrote.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// A CSV or Parquet file with the model's columns; `-` reads standard input.
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// Texts that stand for a missing value, instead of those of the fit.
    #[arg(long, value_name = "TEXTS", value_delimiter = ',')]
    pub missing: Option<Vec<String>>,
    /// The probability above which a row is labelled positive, instead of the model's.
    #[arg(long, value_name = "PROBABILITY", value_parser = finite)]
    pub threshold: Option<f64>,
}

/// `lire show`
#[derive(Debug, Args)]
pub struct ShowArgs {
    /// A model that `lire fit` wrote.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
}

/// `lire compare`
#[derive(Debug, Args)]
pub struct CompareArgs {
    /// A CSV or Parquet file; `-` reads standard input.
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// The methods, the first of which is tested against the others.
    #[arg(
        long,
        value_name = "METHODS",
        value_delimiter = ',',
        value_enum,
        default_values_t = Contestant::ALL,
        help_heading = "How to compare"
    )]
    pub methods: Vec<Contestant>,
    /// The number of folds; each is measured with models fitted on all others.
    #[arg(
        long,
        value_name = "K",
        value_parser = whole::<usize>,
        default_value_t = 10,
        help_heading = "How to compare"
    )]
    pub folds: usize,
    /// The options of the fits; each method takes those that it has. --gamma and --loss are for lire; rulefit chooses
    /// its own in each fold.
    #[command(flatten)]
    pub fit: FitOptions,
}

/// What can be compared. Forest and boosting predict, but give no rules to read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum Contestant {
    Lire,
    Rulefit,
    Glrm,
    Forest,
    Boosting,
}

impl Contestant {
    /// All there are.
    pub const ALL: [Self; 5] = [Self::Lire, Self::Rulefit, Self::Glrm, Self::Forest, Self::Boosting];

    /// As it is typed.
    pub fn name(self) -> &'static str {
        match self {
            Self::Lire => "lire",
            Self::Rulefit => "rulefit",
            Self::Glrm => "glrm",
            Self::Forest => "forest",
            Self::Boosting => "boosting",
        }
    }
}

/// `lire evaluate`
#[derive(Debug, Args)]
pub struct EvaluateArgs {
    /// A CSV or Parquet file; `-` reads standard input.
    #[arg(value_name = "DATA")]
    pub data: PathBuf,
    /// The number of folds; each is measured with a model fitted on all others.
    #[arg(
        long,
        value_name = "K",
        value_parser = whole::<usize>,
        conflicts_with = "holdout",
        help_heading = "How to measure"
    )]
    pub folds: Option<usize>,
    /// Measure on this share of the rows, with a model fitted on all others [default: 0.2].
    #[arg(long, value_name = "SHARE", value_parser = finite, help_heading = "How to measure")]
    pub holdout: Option<f64>,
    /// Measure this model on all rows, instead of fitting any.
    #[arg(long, value_name = "MODEL", conflicts_with_all = ["folds", "holdout"], help_heading = "How to measure")]
    pub model: Option<PathBuf>,
    /// Everything about the fits.
    #[command(flatten)]
    pub fit: FitOptions,
}
