//! An ISO date.

use super::words::{Fact, Given};
use std::fmt;

/// A date, as `20261130`, so that dates can be compared.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Date(pub u32);

impl fmt::Display for Date {
    fn fmt(&self, formatter: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(formatter, "{:04}-{:02}-{:02}", self.0 / 10_000, self.0 / 100 % 100, self.0 % 100)
    }
}

impl Fact for Date {
    fn put(self, text: &mut String) {
        text.extend(["\"", &self.to_string(), "\""]);
    }

    fn of(given: &Given) -> Result<Date, String> {
        if let Given::Text(text) = given {
            let digits: String = text.chars().filter(|letter| *letter != '-').collect();
            if let Some(date) = digits.parse().ok().map(Date).filter(|date| date.to_string() == *text) {
                return Ok(date);
            }
        }
        Err("expected a date such as 2026-11-30".to_owned())
    }
}
