//! Completes and corrects the fields of an object: names, nulls in place of absent fields, and defaults.

use super::super::problem::ChangeKind;
use super::node::{Id, Objects};
use super::pointer::At;
use super::validate::{Walk, schemas_of};
use crate::json::{Map, Value};
use crate::nearest::folded;

impl<'s> Walk<'s> {
    pub fn fix_fields(&mut self, rules: &'s Objects, value: &mut Value, at: &At, wrong: bool) {
        let Value::Object(fields) = value else { return };
        if wrong && self.options.coerce {
            self.rename_fields(rules, fields, at);
        }
        if self.options.defaults || self.options.coerce {
            self.remove_nulls(rules, fields, at);
        }
        if self.options.defaults {
            self.add_defaults(rules, fields, at);
        }
        for (name, part) in &mut *fields {
            let ids: Vec<Id> = schemas_of(rules, name).collect();
            for id in ids {
                self.fix(id, part, &at.field(name));
            }
        }
        for (name, id) in &rules.dependent_schemas {
            if value.get(name).is_some() {
                self.fix(*id, value, at);
            }
        }
    }

    /// Renames fields to the declared name if they differ only in case and separators.
    fn rename_fields(&mut self, rules: &'s Objects, fields: &mut Map<String, Value>, at: &At) {
        let unknown: Vec<String> = fields.keys().filter(|name| !rules.properties.contains_key(name)).cloned().collect();
        for name in unknown {
            let known = rules.properties.keys();
            let mut alike = known.filter(|known| folded(known) == folded(&name) && !fields.contains_key(*known));
            let (Some(target), None) = (alike.next(), alike.next()) else { continue };
            let is_needed = rules.required.contains(target);
            let is_rejected = schemas_of(rules, &name).any(|id| self.schema.node(id).verdict == Some(false));
            if !is_needed && !is_rejected && rules.unevaluated.is_none() {
                continue;
            }
            let renamed = std::mem::take(fields).into_iter();
            *fields = renamed.map(|(key, value)| (if key == name { target.clone() } else { key }, value)).collect();
            let names = (Value::String(name.clone()), Value::String(target.clone()));
            self.change(ChangeKind::Renamed, &at.field(&name), Some(names.0), Some(names.1));
        }
    }

    /// Removes nulls from optional fields that can't be null.
    fn remove_nulls(&mut self, rules: &'s Objects, fields: &mut Map<String, Value>, at: &At) {
        let nulls = fields.iter().filter(|(name, value)| value.is_null() && !rules.required.contains(*name));
        let nulls: Vec<String> = nulls.map(|(name, _)| name.clone()).collect();
        for name in nulls {
            let ids: Vec<Id> = schemas_of(rules, &name).collect();
            if ids.iter().all(|id| self.valid(*id, &Value::Null)) {
                continue;
            }
            let declared = rules.properties.get(&name).copied().filter(|_| self.options.defaults);
            match declared.and_then(|id| self.default_of(id)) {
                Some(default) => {
                    self.change(ChangeKind::Defaulted, &at.field(&name), Some(Value::Null), Some(default.clone()));
                    fields.insert(name, default.clone());
                }
                None => {
                    fields.shift_remove(&name);
                    self.change(ChangeKind::Removed, &at.field(&name), Some(Value::Null), None);
                }
            }
        }
    }

    fn add_defaults(&mut self, rules: &'s Objects, fields: &mut Map<String, Value>, at: &At) {
        if !self.schema.nodes.has_defaults {
            return;
        }
        for (name, id) in rules.properties.iter().filter(|(_, id)| self.schema.node(**id).verdict.is_none()) {
            if fields.contains_key(name) {
                continue;
            }
            if let Some(default) = self.default_of(*id) {
                fields.insert(name.clone(), default.clone());
                self.change(ChangeKind::Defaulted, &at.field(name), None, Some(default.clone()));
            }
        }
    }
}
