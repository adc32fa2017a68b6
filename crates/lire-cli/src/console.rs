//! Where a command speaks: results to standard output, everything else to standard error.

use std::io::{IsTerminal, Write};

use lire::table::Note;

use crate::args::{AskedFormat, ColorChoice, Format, GlobalOptions};
use crate::exit::Failure;
use crate::render::options::in_options;
use crate::render::visible::visible;

/// The width of output that goes to no terminal.
const WIDTH_ELSEWHERE: usize = 100;
/// Narrower than this no table can be read; it is then left to the terminal to break lines.
const LEAST_WIDTH: usize = 60;
/// Wider than this, lines are hard to follow with the eye.
const MOST_WIDTH: usize = 160;

/// How and how much to speak.
#[derive(Debug, Clone)]
pub struct Console {
    /// Whether remarks, progress and hints are left out.
    pub quiet: bool,
    /// Whether timings and the solver's facts are shown.
    pub verbose: bool,
    /// The form of results, if one was asked for.
    pub format: Option<AskedFormat>,
    /// How tables look.
    pub look: Look,
}

/// How tables look.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Look {
    /// Columns of the terminal.
    pub width: usize,
    /// Whether there are colours.
    pub color: bool,
}

/// What a piece of text is, for its colour. Orange and blue are told apart by almost everyone.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Style {
    /// As it is.
    Plain,
    /// Speaks for the positive class.
    Positive,
    /// Speaks for the negative class.
    Negative,
    /// A heading.
    Strong,
    /// Of less importance.
    Faint,
    /// `error:`
    Error,
    /// `warning:`
    Warning,
}

impl Console {
    /// As the options say, and as the terminal allows.
    pub fn of(options: &GlobalOptions) -> Self {
        let stdout = std::io::stdout();
        let width = if stdout.is_terminal() { terminal_width() } else { WIDTH_ELSEWHERE };
        let look = Look { width, color: colored(options.color, stdout.is_terminal()) };
        Self { quiet: options.quiet, verbose: options.verbose, format: options.format, look }
    }

    /// The form of results that are texts.
    pub fn format_or(&self, default: Format) -> Format {
        self.format.and_then(AskedFormat::of_text).unwrap_or(default)
    }

    /// Prints a result.
    pub fn print(&self, text: &str) -> Result<(), Failure> {
        self.print_bytes(text.as_bytes())
    }

    /// Prints a result, given as bytes.
    #[allow(clippy::unused_self)] // Whoever prints has a console to do it with.
    pub fn print_bytes(&self, bytes: &[u8]) -> Result<(), Failure> {
        let mut stdout = std::io::stdout().lock();
        stdout.write_all(bytes).and_then(|()| stdout.flush()).map_err(|error| Failure::printing(&error))
    }

    /// A remark that may be useful.
    pub fn note(&self, message: &str) {
        if !self.quiet {
            say("note:", Style::Strong, message);
        }
    }

    /// What the readers of a table have to remark.
    pub fn notes(&self, notes: &[Note]) {
        for note in notes {
            self.note(&in_options(&note.to_string()));
        }
    }

    /// A remark that matters, also to those who want it quiet.
    #[allow(clippy::unused_self)] // Whoever warns has a console to do it with.
    pub fn warning(&self, message: &str) {
        say("warning:", Style::Warning, message);
    }

    /// A fact for the curious.
    pub fn detail(&self, message: &str) {
        if self.verbose {
            say("note:", Style::Faint, message);
        }
    }
}

impl Look {
    /// The text in a style, if there are colours.
    pub fn paint(self, text: &str, style: Style) -> String {
        let code = style.code();
        if !self.color || code.is_empty() || text.trim().is_empty() {
            return text.to_owned();
        }
        format!("\x1b[{code}m{text}\x1b[0m")
    }
}

impl Style {
    /// The parameters of the terminal's "select graphic rendition".
    fn code(self) -> &'static str {
        match self {
            Self::Plain => "",
            Self::Positive => "38;5;208",
            Self::Negative => "38;5;33",
            Self::Strong => "1",
            Self::Faint => "2",
            Self::Error => "1;31",
            Self::Warning => "1;33",
        }
    }
}

/// A word for standard error, in colour where that is a terminal.
pub fn styled_for_stderr(text: &str, style: Style) -> String {
    let color = colored(ColorChoice::Auto, std::io::stderr().is_terminal());
    Look { width: WIDTH_ELSEWHERE, color }.paint(text, style)
}

fn say(kind: &str, style: Style, message: &str) {
    let message = message.replace(['\n', '\r'], " ");
    let message = visible(&message);
    // Whoever closed standard error does not want to hear it.
    let _ = writeln!(std::io::stderr(), "{} {message}", styled_for_stderr(kind, style));
}

fn colored(choice: ColorChoice, is_terminal: bool) -> bool {
    match choice {
        ColorChoice::Always => true,
        ColorChoice::Never => false,
        ColorChoice::Auto => {
            // https://no-color.org: set to anything but the empty text.
            let refused = std::env::var_os("NO_COLOR").is_some_and(|value| !value.is_empty());
            let dumb = std::env::var_os("TERM").is_some_and(|value| value == "dumb");
            is_terminal && !refused && !dumb
        }
    }
}

fn terminal_width() -> usize {
    let width = terminal_size::terminal_size().map_or(WIDTH_ELSEWHERE, |(width, _)| width.0.into());
    width.clamp(LEAST_WIDTH, MOST_WIDTH)
}
