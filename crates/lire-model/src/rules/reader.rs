//! Takes the text of a rule apart: signs, words, names and levels.

use super::spelling::{LEVEL_QUOTE, NAME_QUOTE, is_plain, is_reserved};
use crate::error::{Error, Result};

/// A place in the text.
pub(super) struct Reader<'a> {
    text: &'a str,
    /// The byte to read next.
    at: usize,
}

/// A name, a level or a number, and the byte where it starts.
pub(super) struct Operand {
    pub text: String,
    pub at: usize,
}

impl<'a> Reader<'a> {
    /// The start of the text.
    pub fn of(text: &'a str) -> Self {
        Self { text, at: 0 }
    }

    /// Reads a quoted text, or plain words up to a sign or a word of the language.
    pub fn operand(&mut self, what: &str) -> Result<Operand> {
        let at = self.next_at();
        self.at = at;
        if let Some(quote) = self.rest().chars().next().filter(|c| [NAME_QUOTE, LEVEL_QUOTE].contains(c)) {
            return Ok(Operand { text: self.quoted(quote)?, at });
        }
        let mut words = Vec::new();
        loop {
            let start = self.next_at();
            let rest = &self.text[start..];
            let word = &rest[..rest.find(|c| !is_plain(c)).unwrap_or(rest.len())];
            if word.is_empty() || is_reserved(word) {
                break;
            }
            words.push(word);
            self.at = start + word.len();
        }
        if words.is_empty() {
            return Err(self.error(at, &format!("expected {what}; put unusual ones in quotes")));
        }
        Ok(Operand { text: words.join(" "), at })
    }

    fn quoted(&mut self, quote: char) -> Result<String> {
        let start = self.at;
        let mut text = String::new();
        let mut characters = self.rest().char_indices().skip(1);
        while let Some((offset, character)) = characters.next() {
            if character == quote {
                self.at = start + offset + quote.len_utf8();
                return Ok(text);
            }
            if character != '\\' {
                text.push(character);
                continue;
            }
            let escaped = match characters.next().map(|(_, character)| character) {
                Some('n') => Some('\n'),
                Some('r') => Some('\r'),
                Some('t') => Some('\t'),
                Some('u') => {
                    let braced = characters.by_ref().map(|(_, c)| c).take_while(|&c| c != '}');
                    let digits: String = braced.skip_while(|&c| c == '{').collect();
                    u32::from_str_radix(&digits, 16).ok().and_then(char::from_u32)
                }
                Some(other) if [NAME_QUOTE, LEVEL_QUOTE, '\\'].contains(&other) => Some(other),
                _ => None,
            };
            let message = "after `\\` only a quote, `\\`, n, r, t or u{…} can follow";
            text.push(escaped.ok_or_else(|| self.error(start + offset, message))?);
        }
        Err(self.error(start, "this quote does not end"))
    }

    fn rest(&self) -> &str {
        &self.text[self.at..]
    }

    /// The byte of the next character that is no space.
    pub fn next_at(&self) -> usize {
        self.text.len() - self.rest().trim_start().len()
    }

    /// Whether nothing but spaces is left.
    pub fn is_done(&self) -> bool {
        self.next_at() == self.text.len()
    }

    /// Whether a sign or a whole word comes next.
    pub fn sees(&self, token: &str) -> bool {
        let is_word = token.chars().all(char::is_alphabetic);
        let behind = self.rest().trim_start().strip_prefix(token);
        behind.is_some_and(|behind| !(is_word && behind.starts_with(is_plain)))
    }

    /// Whether a sign or a whole word comes next; if so, reads it.
    pub fn eats(&mut self, token: &str) -> bool {
        let sees = self.sees(token);
        if sees {
            self.at = self.next_at() + token.len();
        }
        sees
    }

    /// Reads a sign or a word that must come next.
    pub fn expect(&mut self, token: &str, hint: &str) -> Result<()> {
        self.expect_any(&[token], hint)
    }

    /// Reads one of the spellings of a sign that must come next.
    pub fn expect_any(&mut self, tokens: &[&str], hint: &str) -> Result<()> {
        if tokens.iter().any(|token| self.eats(token)) {
            return Ok(());
        }
        Err(self.error(self.next_at(), &format!("expected `{}`; {hint}", tokens[0])))
    }

    /// A failure at a byte of the text.
    pub fn error(&self, at: usize, message: &str) -> Error {
        let character = self.text[..at].chars().count() + 1;
        Error::data(format!("rule {:?}, character {character}", self.text), message)
    }
}
