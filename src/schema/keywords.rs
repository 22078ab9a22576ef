//! Single keywords, and what the target demands of a schema once they are written.

use super::node::{Held, Member, names_of, type_names, type_value};
use super::policy::{Rule, Typing};
use super::walk::{Out, Walker};
use crate::run::{At, Result, Run};
use crate::value::{Kind, Value, Word};

impl Walker {
    pub fn keyword(&mut self, run: &mut Run, member: Member, types: &[String], out: &mut Out) -> Result<()> {
        match self.policy.rule(&member.name) {
            Rule::Keep => self.keep(run, &member, types, out),
            Rule::Only(allowed) => {
                let value = self.fitted(run, &member)?;
                let text = plain_text(run, value)?;
                if !allowed.contains(&text.as_str()) {
                    return self.describe(run, &member, &mut out.notes);
                }
                out.set(&member.name, value);
                Ok(())
            }
            Rule::Size => {
                let value = self.fitted(run, &member)?;
                let value = if run.store.kind(value) == Kind::Number { run.store.stringify(value) } else { Ok(value) };
                let value = value.map_err(|fault| run.fault(fault, member.at))?;
                out.set(&member.name, value);
                Ok(())
            }
            Rule::Closed => {
                let allows = member_allows(run, &member);
                if allows != Some(false) {
                    self.refuse(run, member.at, "strict mode takes no objects of undeclared properties");
                }
                let value = match member.held {
                    Held::Value(value) => value,
                    Held::Schema { .. } | Held::Map { .. } | Held::List { .. } if allows != Some(false) => {
                        run.boolean_value(false)
                    }
                    Held::Schema { .. } | Held::Map { .. } | Held::List { .. } => self.fitted_false(run, &member),
                };
                out.set(&member.name, value);
                Ok(())
            }
            Rule::Enum => match member.held {
                Held::Value(value) => {
                    self.write_enum(run, &[value], None, member.at, types, out);
                    Ok(())
                }
                Held::Schema { .. } | Held::Map { .. } | Held::List { .. } => Ok(()),
            },
            Rule::Single => {
                if let (Held::Value(value), None) = (member.held, out.get("enum")) {
                    let list = run.array_of(&[value]);
                    out.set("enum", list);
                }
                Ok(())
            }
            Rule::Example => {
                self.write_example(run, &member, out);
                Ok(())
            }
            Rule::Describe => self.describe(run, &member, &mut out.notes),
            Rule::Refuse if self.policy.strict => {
                self.refuse(run, member.at, "strict mode has no such keyword");
                Ok(())
            }
            Rule::Refuse => self.describe(run, &member, &mut out.notes),
            Rule::Omit | Rule::Null => Ok(()),
            // those of the right shape are gone by now
            Rule::Drop | Rule::AnyOf | Rule::Merge | Rule::Items | Rule::Inclusive => {
                if !says_nothing(run, &member) {
                    self.tell(run, member.at, "the target does not take this keyword");
                }
                Ok(())
            }
        }
    }

    fn keep(&mut self, run: &mut Run, member: &Member, types: &[String], out: &mut Out) -> Result<()> {
        if let (Held::Value(value), true) = (&member.held, self.policy.google_types) {
            match member.name.as_str() {
                "type" if run.store.kind(*value) == Kind::String => {
                    let name = run.store.text(*value).to_ascii_uppercase();
                    let is_same = run.store.text(*value) == name;
                    let value = if is_same { *value } else { run.store.string(&name) };
                    out.set("type", value);
                    return Ok(());
                }
                "enum" if run.store.kind(*value) == Kind::Array => {
                    let values = run.list(*value);
                    self.write_enum(run, &values, Some(*value), member.at, types, out);
                    return Ok(());
                }
                _ => {}
            }
        }
        if let ("properties", Held::Map { each, .. }) = (member.name.as_str(), &member.held) {
            out.properties = each.iter().map(|named| (named.name.clone(), named.at)).collect();
        }
        let value = self.fitted(run, member)?;
        out.set(&member.name, value);
        Ok(())
    }

    /// Leaves a keyword out and keeps its words for the description.
    pub fn describe(&mut self, run: &mut Run, member: &Member, notes: &mut Vec<String>) -> Result<()> {
        if says_nothing(run, member) {
            return Ok(());
        }
        self.tell(run, member.at, "the target does not take this keyword: the description tells it");
        let whole = match &member.held {
            Held::Value(value) => Some(*value),
            Held::Map { whole, .. } | Held::List { whole, .. } => *whole,
            Held::Schema { parts, .. } => parts.first().map(|part| part.value),
        };
        let Some(whole) = whole else { return Ok(()) };
        let text = run.store.stringify(whole).map_err(|fault| run.fault(fault, member.at))?;
        notes.push(format!("{}: {}", member.name, run.store.text(text)));
        Ok(())
    }

    /// Google's enums are strings, whatever the type (Q12, Q13).
    fn write_enum(
        &mut self,
        run: &mut Run,
        values: &[Value],
        whole: Option<Value>,
        at: At,
        types: &[String],
        out: &mut Out,
    ) {
        let mut texts = Vec::with_capacity(values.len());
        let mut kinds: Vec<&str> = Vec::new();
        let mut allows_null = false;
        for value in values {
            let kind = match run.store.kind(*value) {
                Kind::String => "STRING",
                Kind::Boolean => "BOOLEAN",
                Kind::Number if run.store.number(*value).fract() == 0.0 => "INTEGER",
                Kind::Number => "NUMBER",
                Kind::Null => {
                    allows_null = true;
                    continue;
                }
                Kind::Array | Kind::Object | Kind::Other => {
                    self.tell(run, at, "the target takes plain values only");
                    continue;
                }
            };
            if !kinds.contains(&kind) {
                kinds.push(kind);
            }
            let text = if kind == "STRING" { Ok(*value) } else { run.store.stringify(*value) };
            match text {
                Ok(text) => texts.push(text),
                Err(_) => self.tell(run, at, "this value can't be written as text"),
            }
        }
        if texts.is_empty() {
            let only_null = values.iter().all(|value| run.store.kind(*value) == Kind::Null);
            if only_null && !values.is_empty() && types.is_empty() {
                let null = run.store.string("NULL");
                out.members.retain(|(name, _)| name != "nullable");
                out.set("type", null);
            } else if allows_null {
                let yes = run.boolean_value(true);
                out.set("nullable", yes);
            }
            return;
        }
        let kind = match kinds.as_slice() {
            [one] => one,
            ["INTEGER", "NUMBER"] | ["NUMBER", "INTEGER"] => "NUMBER",
            _ => {
                self.tell(run, at, "values of several types became strings");
                "STRING"
            }
        };
        let named = types.iter().any(|name| matches!(name.as_str(), "integer" | "number" | "boolean"));
        if types.is_empty() {
            let kind = run.store.string(kind);
            out.set("type", kind);
        }
        if allows_null {
            let yes = run.boolean_value(true);
            out.set("nullable", yes);
        }
        if kind != "STRING" && (named || types.is_empty()) {
            let format = run.store.string("enum");
            out.set("format", format);
        }
        let list = match whole {
            Some(whole) if texts == values => whole,
            _ => run.array_of(&texts),
        };
        out.set("enum", list);
    }

    fn write_example(&mut self, run: &mut Run, member: &Member, out: &mut Out) {
        let Held::Value(value) = member.held else { return };
        let values = if run.store.kind(value) == Kind::Array { run.list(value) } else { Vec::new() };
        if values.len() > 1 {
            self.tell(run, member.at, "the target takes one example");
        }
        if let (Some(first), None) = (values.first(), out.get("example")) {
            out.set("example", *first);
        }
    }

    /// What the target demands of every schema.
    pub fn finish(&mut self, run: &mut Run, out: &mut Out, at: At, is_root: bool) {
        if self.policy.typing != Typing::Free {
            self.say_type(run, out, at);
        }
        let types = out.get("type").map(|value| type_names(run, value)).unwrap_or_default();
        let is = |name: &str| types.iter().any(|known| known == name);
        if self.policy.needs_items && is("array") && out.get("items").is_none() {
            if self.policy.typing == Typing::Demanded {
                self.refuse(run, at, "strict mode takes no lists of anything");
            } else {
                let anything = run.empty_object();
                out.set("items", anything);
            }
        }
        if is_root && self.policy.root_properties && out.get("properties").is_none() {
            let none = run.empty_object();
            out.set("properties", none);
        }
        if self.policy.closed && (is("object") || out.get("properties").is_some()) {
            if out.get("properties").is_none() && out.get("additionalProperties").is_none() && !is_root {
                self.refuse(run, at, "strict mode takes no objects of undeclared properties");
            }
            if out.get("additionalProperties").is_none() {
                let no = run.boolean_value(false);
                out.set("additionalProperties", no);
            }
        }
        self.fit_required(run, out, at);
        if self.policy.omits_empty {
            out.members.retain(|(name, value)| {
                !matches!(name.as_str(), "properties" | "required") || !run.says_nothing(*value)
            });
        }
        if !out.notes.is_empty() {
            let known = out.get("description").filter(|known| run.store.kind(*known) == Kind::String);
            let notes = out.notes.join(", ");
            let text = match known {
                Some(known) => format!("{} ({notes})", run.store.text(known)),
                None => notes,
            };
            let text = run.store.string(&text);
            out.set("description", text);
        }
    }

    /// Adds the type that the other keywords tell of.
    fn say_type(&mut self, run: &mut Run, out: &mut Out, at: At) {
        let has = |name: &str| out.get(name).is_some();
        if has("type") || has("anyOf") || has("$ref") {
            return;
        }
        let name = if has("properties") {
            Some("object")
        } else if has("items") {
            Some("array")
        } else {
            None
        };
        let strict = self.policy.typing == Typing::Demanded;
        let names: Vec<String> = match (name, out.get("enum"), out.get("const")) {
            (Some(name), _, _) => vec![name.to_owned()],
            (None, Some(values), _) if strict && run.store.kind(values) == Kind::Array => {
                let values = run.list(values);
                types_of(run, &values)
            }
            (None, None, Some(value)) if strict => types_of(run, &[value]),
            _ => Vec::new(),
        };
        if names.is_empty() {
            if strict {
                self.refuse(run, at, "strict mode takes no values of any type");
            }
            return;
        }
        let names: Vec<String> =
            if self.policy.google_types { names.iter().map(|name| name.to_ascii_uppercase()).collect() } else { names };
        let value = type_value(run, &names);
        out.members.insert(0, ("type".to_owned(), value));
    }

    /// `required` names declared properties only (Q18), in strict mode all of them (Q23).
    fn fit_required(&mut self, run: &mut Run, out: &mut Out, at: At) {
        let Some(properties) =
            out.get("properties").or_else(|| self.policy.declared_required.then(|| run.empty_object()))
        else {
            return;
        };
        let declared = if run.store.kind(properties) == Kind::Object { run.members(properties) } else { Vec::new() };
        let required = out.get("required");
        let mut names = required.map(|list| names_of(run, list)).unwrap_or_default();
        if self.policy.declared_required {
            let before = names.len();
            names.retain(|name| declared.iter().any(|field| run.store.same(field.key, *name)));
            if names.len() < before {
                let at = run.down(at, Word::required);
                self.tell(run, at, "only declared properties can be required");
                let list = run.array_of(&names);
                out.set("required", list);
            }
        }
        if !self.policy.all_required || out.get("properties").is_none() {
            return;
        }
        let is_required = |run: &mut Run, key: Value| names.iter().any(|name| run.store.same(*name, key));
        let optional: Vec<bool> = declared.iter().map(|field| !is_required(run, field.key)).collect();
        if required.is_some() && !optional.contains(&true) {
            return;
        }
        let all: Vec<Value> = declared.iter().map(|field| field.key).collect();
        let list = run.array_of(&all);
        out.set("required", list);
        let mut written = Vec::with_capacity(declared.len());
        for (field, optional) in declared.iter().zip(&optional) {
            if !optional {
                written.push(field.value);
                continue;
            }
            let name = run.store.owned_text(field.key);
            if let Some((_, at)) = out.properties.iter().find(|(known, _)| *known == name) {
                self.tell(run, *at, "every property is required in strict mode: null stands for its absence");
            }
            written.push(with_null(run, field.value));
        }
        let properties = run.build(|run| {
            run.store.begin_object();
            for (field, value) in declared.iter().zip(&written) {
                run.store.key_of(field.key);
                run.store.put(*value);
            }
            run.store.end_object();
        });
        out.set("properties", properties);
    }

    /// Null is a value of what was written, too.
    pub fn allow_null(&mut self, run: &mut Run, out: &mut Out) {
        if self.policy.google_types {
            let yes = run.boolean_value(true);
            if out.get("nullable").is_none() {
                out.set("nullable", yes);
            }
            return;
        }
        let whole = super::walk::object_of(run, &out.members);
        let with = with_null(run, whole);
        let fields = run.members(with);
        out.members = fields.into_iter().map(|field| (run.store.owned_text(field.key), field.value)).collect();
    }

    fn fitted_false(&mut self, run: &mut Run, member: &Member) -> Value {
        match &member.held {
            Held::Schema { parts, .. } => parts.first().map(|part| part.value),
            Held::Value(_) | Held::Map { .. } | Held::List { .. } => None,
        }
        .unwrap_or_else(|| run.boolean_value(false))
    }
}

/// What `additionalProperties` says: nothing is allowed, or something.
fn member_allows(run: &mut Run, member: &Member) -> Option<bool> {
    match &member.held {
        Held::Schema { parts, .. } => {
            let forbids = |run: &Run, value: Value| run.store.kind(value) == Kind::Boolean && !run.store.boolean(value);
            Some(!parts.iter().any(|part| forbids(run, part.value)))
        }
        Held::Value(_) | Held::Map { .. } | Held::List { .. } => None,
    }
}

/// Whether a keyword says what holds without it.
fn says_nothing(run: &mut Run, member: &Member) -> bool {
    let value = match &member.held {
        Held::Value(value) => *value,
        Held::Schema { parts, .. } => match parts.as_slice() {
            [part] => part.value,
            _ => return false,
        },
        Held::Map { each, .. } => return each.is_empty(),
        Held::List { parts, .. } => return parts.is_empty(),
    };
    match (member.name.as_str(), run.store.kind(value)) {
        ("uniqueItems" | "deprecated" | "readOnly" | "writeOnly" | "nullable", Kind::Boolean) => {
            !run.store.boolean(value)
        }
        (_, Kind::Boolean) => matches!(member.held, Held::Schema { .. }) && run.store.boolean(value),
        (_, Kind::Object) => run.says_nothing(value),
        ("minItems" | "minLength" | "minProperties", Kind::Number) => run.store.number(value) == 0.0,
        _ => false,
    }
}

fn plain_text(run: &mut Run, value: Value) -> Result<String> {
    let text = match run.store.kind(value) {
        Kind::String => value,
        _ => run.store.stringify(value).map_err(|fault| run.fault(fault, At::ROOT))?,
    };
    Ok(run.store.owned_text(text))
}

/// The JSON types of values.
pub fn types_of(run: &mut Run, values: &[Value]) -> Vec<String> {
    let mut names: Vec<String> = Vec::new();
    for value in values {
        let name = match run.store.kind(*value) {
            Kind::Null => "null",
            Kind::Boolean => "boolean",
            Kind::Number if run.store.number(*value).fract() == 0.0 => "integer",
            Kind::Number => "number",
            Kind::String => "string",
            Kind::Array => "array",
            Kind::Object | Kind::Other => "object",
        };
        if !names.iter().any(|known| known == name) {
            names.push(name.to_owned());
        }
    }
    names
}

/// The schema with null among what it allows.
fn with_null(run: &mut Run, schema: Value) -> Value {
    if run.store.kind(schema) != Kind::Object {
        return schema;
    }
    let fields = run.members(schema);
    let null = run.build(|run| {
        run.store.begin_object();
        run.store.key(Word::r#type);
        run.store.put_text("null");
        run.store.end_object();
    });
    let find = |name: &str| fields.iter().find(|field| run.store.text(field.key) == name).map(|field| field.value);
    let (kind, any_of, values, constant) = (find("type"), find("anyOf"), find("enum"), find("const"));
    let listed = values.filter(|values| run.store.kind(*values) == Kind::Array).map(|values| run.list(values));
    let lists_null = listed.is_none_or(|values| values.iter().any(|value| run.store.kind(*value) == Kind::Null));
    let names = kind.map(|kind| type_names(run, kind)).unwrap_or_default();
    if constant.is_none() && lists_null && names.iter().any(|name| name == "null") {
        return schema;
    }
    let (changed, value) = match (kind, any_of, values.or(constant)) {
        (Some(_), None, None) => {
            let mut names = names;
            names.push("null".to_owned());
            ("type", type_value(run, &names))
        }
        (None, Some(any_of), None) if run.store.kind(any_of) == Kind::Array => {
            let mut branches = run.list(any_of);
            let mut allows = false;
            for branch in &branches {
                let kind = super::node::member_of(run, *branch, "type").map(|(kind, _)| type_names(run, kind));
                allows |= kind.is_some_and(|names| names.iter().any(|name| name == "null"));
            }
            if allows {
                return schema;
            }
            branches.push(null);
            ("anyOf", run.array_of(&branches))
        }
        _ => {
            let branches = [schema, null];
            return run.build(|run| {
                run.store.begin_object();
                run.store.key(Word::anyOf);
                run.put_array(&branches);
                run.store.end_object();
            });
        }
    };
    run.build(|run| {
        run.store.begin_object();
        for field in &fields {
            let is_changed = run.store.text(field.key) == changed;
            run.store.key_of(field.key);
            run.store.put(if is_changed { value } else { field.value });
        }
        run.store.end_object();
    })
}
