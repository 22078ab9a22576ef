//! Compiles a JSON Schema to nodes. The targets of references are compiled when they are first referenced.

use super::super::error::{Result, ToolkitError};
use super::keywords::{Fields, texts};
use super::node::{Arrays, Condition, Contains, Dynamic, Id, Node, Numbers, Objects, ResourceId, Strings};
use super::pattern::Pattern;
use super::resources::{Draft, Location, MAX_DEPTH, Resources, step};
use crate::json::{Map, Value};
use crate::table::Table;

/// The nodes of a schema. The first one is the root.
#[derive(Debug, Default)]
pub struct Nodes {
    pub list: Vec<Node>,
    /// The targets of `$dynamicAnchor` in each resource.
    /// The keys are those of [`dynamic_key`].
    pub dynamic: Table<String, Id>,
    /// Whether the schema uses `unevaluatedItems` or `unevaluatedProperties`.
    pub tracks: bool,
    /// Whether the schema uses `default`.
    pub has_defaults: bool,
}

/// The key of a dynamic anchor in a resource.
pub fn dynamic_key(resource: ResourceId, name: &str) -> String {
    format!("{resource} {name}")
}

pub fn compile(schema: &Value, draft: Draft, documents: &Map<String, Value>) -> Result<Nodes> {
    let mut compiler = Compiler {
        resources: Resources::new(draft, documents),
        known: Table::new(),
        nodes: Nodes::default(),
        waiting: Vec::new(),
        depth: 0,
        dynamic: false,
    };
    let root = compiler.resources.add(schema, "")?;
    compiler.place(&root)?;
    compiler.referred()?;
    compiler.dynamic_anchors()?;
    Ok(compiler.nodes)
}

struct Compiler<'v> {
    resources: Resources<'v>,
    known: Table<String, Id>,
    nodes: Nodes,
    /// Referenced places that are not compiled yet. A queue avoids recursion, because chains of references can have any length.
    waiting: Vec<(Id, Location)>,
    depth: usize,
    /// Whether a `$dynamicRef` depends on the dynamic scope.
    dynamic: bool,
}

/// A subschema that is being compiled.
struct Subschema<'v> {
    place: Location,
    fields: &'v Map<String, Value>,
    draft: Draft,
    resource: ResourceId,
}

impl Subschema<'_> {
    fn fields(&self) -> Fields<'_> {
        Fields { fields: self.fields, pointer: &self.place.pointer }
    }

    fn step(&self, key: &str) -> Location {
        step(&self.place, key)
    }
}

impl<'v> Compiler<'v> {
    /// The node of the subschema at a place.
    fn place(&mut self, place: &Location) -> Result<Id> {
        if let Some(id) = self.known.get(&place.key()) {
            return Ok(*id);
        }
        if self.depth > MAX_DEPTH {
            return Err(ToolkitError::schema(
                &place.pointer,
                format!("schemas may be nested {MAX_DEPTH} deep at most"),
            ));
        }
        let id = self.reserve(place);
        self.fill(id, place)?;
        Ok(id)
    }

    fn reserve(&mut self, place: &Location) -> Id {
        let id = self.nodes.list.len();
        self.known.insert(place.key(), id);
        self.nodes.list.push(Node::default());
        id
    }

    fn fill(&mut self, id: Id, place: &Location) -> Result<()> {
        self.depth += 1;
        let node = self.node(place)?;
        self.depth -= 1;
        if let Some(slot) = self.nodes.list.get_mut(id) {
            *slot = node;
        }
        Ok(())
    }

    fn referred(&mut self) -> Result<()> {
        while let Some((id, place)) = self.waiting.pop() {
            self.fill(id, &place)?;
        }
        Ok(())
    }

    fn node(&mut self, place: &Location) -> Result<Node> {
        let resource = self.resources.resource_at(place);
        let mut node = Node { pointer: place.pointer.clone(), resource, ..Node::default() };
        let fields = match self.resources.value(place) {
            Some(Value::Bool(verdict)) => {
                node.verdict = Some(*verdict);
                return Ok(node);
            }
            Some(Value::Object(fields)) => fields,
            _ => return Err(ToolkitError::schema(&place.pointer, "a schema must be an object or a boolean")),
        };
        let (draft, validates) =
            self.resources.resource(resource).map_or((Draft::default(), true), |of| (of.draft, of.validates));
        let part = Subschema { place: place.clone(), fields, draft, resource };
        node.default = fields.get("default").cloned();
        self.nodes.has_defaults |= node.default.is_some();
        self.references(&part, &mut node)?;
        if node.reference.is_some() && draft == Draft::Draft07 {
            return Ok(node);
        }
        if validates {
            assertions(&part, &mut node)?;
        }
        self.strings(&part, &mut node, validates)?;
        self.combined(&part, &mut node)?;
        self.arrays(&part, &mut node, validates)?;
        self.objects(&part, &mut node, validates)?;
        Ok(node)
    }

    fn references(&mut self, part: &Subschema<'v>, node: &mut Node) -> Result<()> {
        let fields = part.fields();
        let plain =
            if part.draft == Draft::Draft2019 && fields.get("$ref").is_none() { "$recursiveRef" } else { "$ref" };
        if let Some(reference) = fields.text(plain)? {
            node.reference = Some(self.refer(part, plain, reference)?.0);
        }
        if part.draft < Draft::Draft2020 {
            return Ok(());
        }
        let Some(reference) = fields.text("$dynamicRef")? else { return Ok(()) };
        match self.refer(part, "$dynamicRef", reference)? {
            (target, Some(name)) => {
                self.dynamic = true;
                node.dynamic = Some(Dynamic { target, name });
            }
            (target, None) if node.reference.is_none() => node.reference = Some(target),
            (target, None) => node.all.push(target),
        }
        Ok(())
    }

    fn refer(&mut self, part: &Subschema<'v>, keyword: &str, reference: &str) -> Result<(Id, Option<String>)> {
        match self.resources.resolve(reference, part.resource)? {
            Some((place, name)) => {
                if let Some(id) = self.known.get(&place.key()) {
                    return Ok((*id, name));
                }
                let id = self.reserve(&place);
                self.waiting.push((id, place));
                Ok((id, name))
            }
            None => {
                let message = format!(
                    "`{reference}` can't be resolved to a schema. Only schemas in the same document can be referred to: put it in `$defs`"
                );
                Err(ToolkitError::schema(part.step(keyword).pointer, message))
            }
        }
    }

    /// Compiles the targets of `$dynamicAnchor` in the resources that were loaded.
    fn dynamic_anchors(&mut self) -> Result<()> {
        let mut done = 0;
        while let Some((resource, name, place)) =
            self.resources.dynamic_anchors.get(done).filter(|_| self.dynamic).cloned()
        {
            let id = self.place(&place)?;
            self.referred()?;
            self.nodes.dynamic.insert(dynamic_key(resource, &name), id);
            done += 1;
        }
        Ok(())
    }

    fn one(&mut self, part: &Subschema<'v>, keyword: &str) -> Result<Option<Id>> {
        match part.fields.get(keyword) {
            None => Ok(None),
            Some(_) => self.place(&part.step(keyword)).map(Some),
        }
    }

    fn many(&mut self, part: &Subschema<'v>, keyword: &str) -> Result<Vec<Id>> {
        let length = part.fields().list(keyword)?.map_or(0, <[Value]>::len);
        (0..length).map(|index| self.place(&step(&part.step(keyword), &index.to_string()))).collect()
    }

    fn named(&mut self, part: &Subschema<'v>, keyword: &str) -> Result<Vec<(String, Id)>> {
        let Some(fields) = part.fields().map(keyword)? else { return Ok(Vec::new()) };
        fields.keys().map(|name| Ok((name.clone(), self.place(&step(&part.step(keyword), name))?))).collect()
    }

    fn combined(&mut self, part: &Subschema<'v>, node: &mut Node) -> Result<()> {
        node.all.extend(self.many(part, "allOf")?);
        node.any = self.many(part, "anyOf")?;
        node.one = self.many(part, "oneOf")?;
        node.not = self.one(part, "not")?;
        let (then, otherwise) = (self.one(part, "then")?, self.one(part, "else")?);
        let condition = self.one(part, "if")?;
        node.condition = condition.map(|schema| Condition { schema, then, otherwise });
        Ok(())
    }

    fn strings(&mut self, part: &Subschema<'v>, node: &mut Node, validates: bool) -> Result<()> {
        let fields = part.fields();
        let mut strings = Strings { format: fields.text("format")?.map(str::to_string), ..Strings::default() };
        if validates {
            strings.min = fields.count("minLength")?;
            strings.max = fields.count("maxLength")?;
            strings.pattern =
                fields.text("pattern")?.map(|pattern| compiled(pattern, &part.step("pattern"))).transpose()?;
        }
        let Strings { min, max, pattern, format } = &strings;
        if min.is_some() || max.is_some() || pattern.is_some() || format.is_some() {
            node.strings = Some(Box::new(strings));
        }
        Ok(())
    }

    fn arrays(&mut self, part: &Subschema<'v>, node: &mut Node, validates: bool) -> Result<()> {
        const KEYWORDS: [&str; 8] = [
            "items",
            "prefixItems",
            "additionalItems",
            "contains",
            "minItems",
            "maxItems",
            "uniqueItems",
            "unevaluatedItems",
        ];
        if !KEYWORDS.iter().any(|keyword| part.fields.contains_key(*keyword)) {
            return Ok(());
        }
        let fields = part.fields();
        let mut arrays = Arrays::default();
        let is_list = part.fields.get("items").is_some_and(Value::is_array);
        if part.draft == Draft::Draft2020 {
            if is_list {
                return fields.wrong(
                    "items",
                    "a schema. For one schema per position, use `prefixItems`, or declare draft-07 in `$schema`",
                );
            }
            arrays.prefix = self.many(part, "prefixItems")?;
            arrays.items = self.one(part, "items")?;
        } else if is_list {
            arrays.prefix = self.many(part, "items")?;
            arrays.items = self.one(part, "additionalItems")?;
        } else {
            arrays.items = self.one(part, "items")?;
        }
        let counts = validates && part.draft > Draft::Draft07;
        if let Some(schema) = self.one(part, "contains")? {
            let min = if counts { fields.count("minContains")?.unwrap_or(1) } else { 1 };
            let max = if counts { fields.count("maxContains")? } else { None };
            arrays.contains = Some(Contains { schema, min, max, evaluates: part.draft == Draft::Draft2020 });
        }
        if validates {
            arrays.min = fields.count("minItems")?;
            arrays.max = fields.count("maxItems")?;
            arrays.unique = fields.flag("uniqueItems")?;
        }
        if part.draft > Draft::Draft07 {
            arrays.unevaluated = self.one(part, "unevaluatedItems")?;
            self.nodes.tracks |= arrays.unevaluated.is_some();
        }
        node.arrays = Some(Box::new(arrays));
        Ok(())
    }

    fn objects(&mut self, part: &Subschema<'v>, node: &mut Node, validates: bool) -> Result<()> {
        const KEYWORDS: [&str; 11] = [
            "properties",
            "required",
            "additionalProperties",
            "patternProperties",
            "propertyNames",
            "minProperties",
            "maxProperties",
            "dependencies",
            "dependentRequired",
            "dependentSchemas",
            "unevaluatedProperties",
        ];
        if !KEYWORDS.iter().any(|keyword| part.fields.contains_key(*keyword)) {
            return Ok(());
        }
        let fields = part.fields();
        let mut objects = Objects {
            properties: self.named(part, "properties")?.into_iter().collect(),
            additional: self.one(part, "additionalProperties")?,
            names: self.one(part, "propertyNames")?,
            ..Objects::default()
        };
        for (pattern, id) in self.named(part, "patternProperties")? {
            let place = step(&part.step("patternProperties"), &pattern);
            objects.patterns.push((compiled(&pattern, &place)?, id));
        }
        if validates {
            objects.min = fields.count("minProperties")?;
            objects.max = fields.count("maxProperties")?;
            objects.required = fields.names("required")?.unwrap_or_default();
        }
        self.dependencies(part, &mut objects)?;
        if part.draft > Draft::Draft07 {
            objects.dependent_schemas.extend(self.named(part, "dependentSchemas")?);
            objects.unevaluated = self.one(part, "unevaluatedProperties")?;
            self.nodes.tracks |= objects.unevaluated.is_some();
            for (name, value) in fields.map("dependentRequired")?.filter(|_| validates).into_iter().flatten() {
                let names = texts(value)
                    .map_or_else(|| fields.wrong("dependentRequired", "an object of arrays of strings"), Ok)?;
                objects.dependent_required.push((name.clone(), names));
            }
        }
        node.objects = Some(Box::new(objects));
        Ok(())
    }

    /// `dependencies`, which 2020-12 keeps for compatibility: field names or a schema per field.
    fn dependencies(&mut self, part: &Subschema<'v>, objects: &mut Objects) -> Result<()> {
        for (name, value) in part.fields().map("dependencies")?.into_iter().flatten() {
            match texts(value) {
                Some(names) => objects.dependent_required.push((name.clone(), names)),
                None => {
                    let id = self.place(&step(&part.step("dependencies"), name))?;
                    objects.dependent_schemas.push((name.clone(), id));
                }
            }
        }
        Ok(())
    }
}

fn compiled(pattern: &str, place: &Location) -> Result<Pattern> {
    Pattern::new(pattern).map_err(|reason| ToolkitError::schema(&place.pointer, reason))
}

/// Compiles the keywords that apply to the value itself, without subschemas.
fn assertions(part: &Subschema, node: &mut Node) -> Result<()> {
    let fields = part.fields();
    node.types = fields.types()?;
    node.values = fields.list("enum")?.map(<[Value]>::to_vec);
    node.constant = fields.get("const").cloned();
    let numbers = Numbers {
        minimum: fields.number("minimum")?,
        maximum: fields.number("maximum")?,
        above: fields.number("exclusiveMinimum")?,
        below: fields.number("exclusiveMaximum")?,
        multiple: fields.number("multipleOf")?,
    };
    if numbers.multiple.as_ref().and_then(crate::json::Number::as_f64).is_some_and(|multiple| multiple <= 0.0) {
        return fields.wrong("multipleOf", "greater than 0");
    }
    let Numbers { minimum, maximum, above, below, multiple } = &numbers;
    if [minimum, maximum, above, below, multiple].iter().any(|bound| bound.is_some()) {
        node.numbers = Some(Box::new(numbers));
    }
    Ok(())
}
