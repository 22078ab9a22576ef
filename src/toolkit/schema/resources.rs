//! The schema resources of documents, and the resolution of references.

use super::super::error::{Result, ToolkitError};
use super::metaschemas;
use super::node::ResourceId;
use super::pointer::{join, keys};
use super::uri;
use crate::json::{Map, Value};
use crate::table::Table;

/// Maximum nesting depth of schemas.
pub const MAX_DEPTH: usize = 100;

/// A version of JSON Schema.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Draft {
    /// draft-07. Also used for earlier drafts.
    Draft07,
    /// 2019-09. Not fully supported: `$recursiveRef` is treated as `$ref`.
    Draft2019,
    #[default]
    Draft2020,
}

impl Draft {
    fn declared(uri: &str) -> Option<Self> {
        let uri = uri.trim_end_matches('#');
        match uri.split_once("//").map_or(uri, |(_, rest)| rest) {
            "json-schema.org/draft/2020-12/schema" => Some(Self::Draft2020),
            "json-schema.org/draft/2019-09/schema" => Some(Self::Draft2019),
            rest if rest.starts_with("json-schema.org/draft-0") => Some(Self::Draft07),
            _ => None,
        }
    }
}

/// A schema with its own base URI.
#[derive(Clone, Debug)]
pub struct Resource {
    pub uri: String,
    pub draft: Draft,
    /// Whether the keywords of the validation vocabulary apply.
    pub validates: bool,
}

/// The location of a subschema: a document, and a JSON Pointer into it.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub struct Location {
    pub document: usize,
    pub pointer: String,
}

impl Location {
    /// A unique key of the location.
    pub fn key(&self) -> String {
        format!("{} {}", self.document, self.pointer)
    }
}

/// All possible targets of references.
#[derive(Default)]
pub struct Resources<'v> {
    /// Documents that are loaded only if they are referenced.
    others: Table<String, &'v Value>,
    documents: Vec<&'v Value>,
    resources: Vec<Resource>,
    roots: Vec<(Location, ResourceId)>,
    by_uri: Table<String, Location>,
    /// Anchors, by URI with fragment.
    anchors: Table<String, Location>,
    pub dynamic_anchors: Vec<(ResourceId, String, Location)>,
    default_draft: Draft,
}

const SINGLE: [&str; 11] = [
    "items",
    "additionalProperties",
    "additionalItems",
    "contains",
    "propertyNames",
    "not",
    "if",
    "then",
    "else",
    "unevaluatedItems",
    "unevaluatedProperties",
];
const LISTS: [&str; 5] = ["allOf", "anyOf", "oneOf", "prefixItems", "items"];
const MAPS: [&str; 6] = ["properties", "patternProperties", "$defs", "definitions", "dependentSchemas", "dependencies"];

impl<'v> Resources<'v> {
    pub fn new(default_draft: Draft, others: &'v Map<String, Value>) -> Self {
        let others = others.iter().map(|(uri, schema)| (uri.trim_end_matches('#').to_string(), schema)).collect();
        Self { default_draft, others, ..Self::default() }
    }

    /// Adds a document and all resources in it.
    pub fn add(&mut self, document: &'v Value, uri: &str) -> Result<Location> {
        let place = Location { document: self.documents.len(), pointer: String::new() };
        self.documents.push(document);
        let declared = document.get("$schema").and_then(Value::as_str);
        let draft = declared.and_then(Draft::declared).unwrap_or(self.default_draft);
        let resource = Resource { uri: uri.to_string(), draft, validates: self.validates(declared) };
        self.enter(&place, resource);
        self.discover(document, &place, 0)?;
        Ok(place)
    }

    /// Whether a metaschema includes the validation vocabulary. Unknown metaschemas are assumed to include it.
    fn validates(&self, metaschema: Option<&str>) -> bool {
        let metaschema = metaschema.and_then(|uri| self.others.get(uri.trim_end_matches('#')));
        let vocabulary = metaschema.and_then(|metaschema| metaschema.get("$vocabulary")?.as_object());
        vocabulary.is_none_or(|uris| uris.keys().any(|uri| uri.ends_with("/vocab/validation")))
    }

    fn enter(&mut self, place: &Location, resource: Resource) {
        self.roots.push((place.clone(), self.resources.len()));
        self.by_uri.or_insert_with(resource.uri.clone(), || place.clone());
        self.resources.push(resource);
    }

    fn discover(&mut self, schema: &'v Value, place: &Location, depth: usize) -> Result<()> {
        let Some(fields) = schema.as_object() else { return Ok(()) };
        if depth > MAX_DEPTH {
            return Err(ToolkitError::schema(
                &place.pointer,
                format!("schemas may be nested {MAX_DEPTH} deep at most"),
            ));
        }
        self.identify(fields, place);
        for keyword in SINGLE {
            if let Some(value @ Value::Object(_)) = fields.get(keyword) {
                self.discover(value, &step(place, keyword), depth + 1)?;
            }
        }
        for keyword in LISTS {
            for (index, item) in fields.get(keyword).and_then(Value::as_array).into_iter().flatten().enumerate() {
                self.discover(item, &step(&step(place, keyword), &index.to_string()), depth + 1)?;
            }
        }
        for keyword in MAPS {
            for (name, value) in fields.get(keyword).and_then(Value::as_object).into_iter().flatten() {
                self.discover(value, &step(&step(place, keyword), name), depth + 1)?;
            }
        }
        Ok(())
    }

    /// Registers the URI and the anchors that a subschema declares.
    fn identify(&mut self, fields: &Map<String, Value>, place: &Location) {
        let text = |keyword: &str| fields.get(keyword).and_then(Value::as_str);
        let outer = self.resource_at(place);
        let Some(parent) = self.resources.get(outer).cloned() else { return };
        let declared = text("$schema").and_then(Draft::declared);
        let draft = declared.unwrap_or(parent.draft);
        let id = text("$id").filter(|_| draft != Draft::Draft07 || !fields.contains_key("$ref"));
        if let Some(id) = id {
            let (uri, fragment) = uri::resolve(&parent.uri, id);
            match fragment.filter(|fragment| !fragment.is_empty()) {
                Some(anchor) if id.starts_with('#') => {
                    self.anchors.insert(format!("{}#{anchor}", parent.uri), place.clone());
                }
                _ => self.enter(place, Resource { uri, draft, validates: parent.validates }),
            }
        }
        if draft == Draft::Draft07 {
            return;
        }
        let owner = self.resource_at(place);
        let Some(uri) = self.resources.get(owner).map(|resource| resource.uri.clone()) else { return };
        for keyword in ["$anchor", "$dynamicAnchor"] {
            let Some(name) = text(keyword) else { continue };
            self.anchors.insert(format!("{uri}#{name}"), place.clone());
            if keyword == "$dynamicAnchor" {
                self.dynamic_anchors.push((owner, name.to_string(), place.clone()));
            }
        }
    }

    /// The resource that contains a location: the innermost whose root encloses it.
    pub fn resource_at(&self, place: &Location) -> ResourceId {
        let holds = |root: &Location| {
            let rest = place.pointer.strip_prefix(&root.pointer);
            root.document == place.document && rest.is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        };
        let roots = self.roots.iter().filter(|(root, _)| holds(root));
        roots.max_by_key(|(root, _)| root.pointer.len()).map_or(0, |(_, id)| *id)
    }

    pub fn resource(&self, id: ResourceId) -> Option<&Resource> {
        self.resources.get(id)
    }

    pub fn value(&self, place: &Location) -> Option<&'v Value> {
        self.documents.get(place.document)?.pointer(&place.pointer)
    }

    /// Resolves a reference. Returns the location, and the name of the anchor if it is a dynamic one.
    pub fn resolve(&mut self, reference: &str, from: ResourceId) -> Result<Option<(Location, Option<String>)>> {
        let base = self.resource(from).map_or("", |resource| resource.uri.as_str());
        let (uri, fragment) = uri::resolve(base, reference);
        let Some(root) = self.document(&uri)? else { return Ok(None) };
        let fragment = uri::decoded(fragment.unwrap_or(""));
        if fragment.is_empty() || fragment.starts_with('/') {
            let pointer = keys(&fragment).fold(root.pointer, |pointer, key| join(pointer, &key));
            let place = Location { document: root.document, pointer };
            return Ok(self.value(&place).is_some().then_some((place, None)));
        }
        let Some(place) = self.anchors.get(&format!("{uri}#{fragment}")).cloned() else { return Ok(None) };
        let is_dynamic = self.dynamic_anchors.iter().any(|(_, name, at)| *name == fragment && *at == place);
        Ok(Some((place, is_dynamic.then_some(fragment))))
    }

    /// The root of the resource with a URI. Loads the document if it was not needed before.
    fn document(&mut self, uri: &str) -> Result<Option<Location>> {
        if let Some(place) = self.by_uri.get(uri) {
            return Ok(Some(place.clone()));
        }
        let other = self.others.get(uri).copied().or_else(|| metaschemas::find(uri));
        other.map(|document| self.add(document, uri)).transpose()
    }
}

/// The location one key deeper.
pub fn step(place: &Location, key: &str) -> Location {
    Location { document: place.document, pointer: join(place.pointer.clone(), key) }
}
