//! Keywords that limit values: lengths of strings, bounds of numbers, and what regular expressions can't match.

use super::{Document, Raw};
use crate::json::{Map, Value, json};
use crate::text::grammar::number::LOWER;
use crate::text::grammar::pattern;

impl Document<'_, '_> {
    /// Whether strings are unquoted at this position.
    pub(super) fn is_raw(&self) -> bool {
        match self.cleaner.raw {
            Raw::Nowhere => false,
            Raw::Arguments => self.level == 1,
            Raw::Everywhere => true,
        }
    }

    /// Keeps length keywords of strings only where length can be enforced.
    pub(super) fn lengths(&mut self, out: &mut Map<String, Value>, path: &str) {
        let raw = self.is_raw();
        let shaped = ["pattern", "format"].into_iter().filter(|keyword| out.contains_key(*keyword)).count();
        if shaped == 2 && (raw || !self.cleaner.policy.native) {
            out.shift_remove("format");
            self.widened(&format!("{path}/format"), "`format` is not enforced beside `pattern`");
        }
        // XGrammar does not allow escapes in strings with a restricted length
        let counted = if self.cleaner.policy.native { !self.cleaner.policy.closed } else { shaped == 0 };
        if !raw && counted {
            return;
        }
        for keyword in ["minLength", "maxLength"] {
            if out.shift_remove(keyword).is_some() {
                self.widened(&format!("{path}/{keyword}"), &format!("`{keyword}` is not enforced here"));
            }
        }
        if raw && out.get("format").and_then(Value::as_str).is_some_and(|name| pattern::of_format(name).is_none()) {
            out.shift_remove("format");
            self.widened(&format!("{path}/format"), "this format is not enforced here");
        }
    }

    /// Makes numeric bounds integral and inclusive.
    pub(super) fn bounds(&mut self, out: &mut Map<String, Value>, path: &str) {
        let integer = out.get("type") == Some(&json!("integer"));
        for (inclusive, exclusive, sign) in
            [("minimum", "exclusiveMinimum", 1.0), ("maximum", "exclusiveMaximum", -1.0)]
        {
            let given = [(inclusive, out.shift_remove(inclusive)), (exclusive, out.shift_remove(exclusive))];
            let mut tightest: Option<f64> = None;
            for (keyword, value) in given {
                let Some(value) = value.as_ref().and_then(Value::as_f64) else { continue };
                // flip the sign so that the bound is a lower bound
                let value = value * sign;
                let above = keyword == exclusive;
                let whole = match (integer, above) {
                    (true, true) => value.floor() + 1.0,
                    (true, false) => value.ceil(),
                    (false, _) => value.floor(),
                };
                let limit = if integer { 9e15 } else { LOWER as f64 };
                if whole.abs() > limit {
                    self.widened(&format!("{path}/{keyword}"), "a bound as large as this is not enforced");
                    continue;
                }
                if !integer && (above || whole < value) {
                    self.widened(&format!("{path}/{keyword}"), "the next whole number is the bound that is enforced");
                }
                tightest = Some(tightest.map_or(whole, |known| known.max(whole)));
            }
            if let Some(bound) = tightest {
                out.insert(inclusive.to_owned(), json!((bound * sign) as i64));
            }
        }
    }

    /// Regular expressions can't match balanced brackets.
    pub(super) fn nested(&mut self, out: &Map<String, Value>, path: &str) {
        if out.contains_key("enum") || out.contains_key("const") {
            return;
        }
        let types = out.get("type");
        let may_be = |kind: &str| match types {
            Some(Value::String(one)) => one == kind,
            Some(Value::Array(all)) => all.iter().any(|one| one == kind),
            _ => true,
        };
        let message = "a regular expression checks no more than the quotes of values of any form";
        if may_be("array") && !out.contains_key("items") {
            self.widened(&format!("{path}/items"), message);
        }
        if may_be("object") && !out.contains_key("additionalProperties") {
            self.widened(&format!("{path}/additionalProperties"), message);
        }
    }
}
