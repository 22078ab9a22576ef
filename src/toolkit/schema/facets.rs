//! The combined constraints on a value, across references and `allOf`.

use super::equal::equal;
use super::node::{Id, Node, Types};
use super::validate::Walk;
use crate::json::Value;

/// Maximum number of subschemas that are combined.
const MAX_NODES: usize = 32;

/// All nodes that apply to the same value.
pub struct Facets<'s>(Vec<&'s Node>);

impl<'s> Walk<'s> {
    pub fn facets(&self, id: Id) -> Facets<'s> {
        let mut ids = vec![id];
        let mut nodes = Vec::new();
        let mut next = 0;
        while let Some(id) = ids.get(next).copied().filter(|_| next < MAX_NODES) {
            let node = self.schema.node(id);
            nodes.push(node);
            let more: Vec<Id> =
                self.targets(node).chain(node.all.iter().copied()).filter(|id| !ids.contains(id)).collect();
            ids.extend(more);
            next += 1;
        }
        Facets(nodes)
    }

    /// The default of a field, if it is valid. An invalid default is a mistake in the schema, which the model can't fix.
    pub fn default_of(&mut self, id: Id) -> Option<&'s Value> {
        let default = self.facets(id).0.iter().find_map(|node| node.default.as_ref())?;
        self.valid(id, default).then_some(default)
    }
}

impl<'s> Facets<'s> {
    /// The allowed types. `None` if all are allowed.
    pub fn types(&self) -> Option<Types> {
        let all = self.0.iter().filter_map(|node| types(node));
        all.reduce(|one, other| one.common(other))
    }

    /// The allowed values. `None` if there is no list of them.
    pub fn values(&self) -> Option<Vec<&'s Value>> {
        self.0.iter().find_map(|node| values(node))
    }

    /// The schema of the item at an index.
    pub fn item(&self, index: usize) -> Option<Id> {
        let arrays = self.0.iter().filter_map(|node| node.arrays.as_ref());
        arrays.filter_map(|rules| rules.prefix.get(index).copied().or(rules.items)).next()
    }

    /// The declared fields with their schemas.
    pub fn properties(&self) -> impl Iterator<Item = (&'s str, Id)> {
        let objects = self.0.iter().filter_map(|node| node.objects.as_ref());
        objects.flat_map(|rules| rules.properties.iter().map(|(name, id)| (name.as_str(), *id)))
    }
}

/// The values that a node lists in `enum` or `const`.
pub fn values(node: &Node) -> Option<Vec<&Value>> {
    let constant = node.constant.as_ref().map(|constant| vec![constant]);
    constant.or_else(|| node.values.as_ref().map(|values| values.iter().collect()))
}

/// The types that a node allows: those in `type`, or else the types of the values that it lists.
pub fn types(node: &Node) -> Option<Types> {
    let listed =
        || values(node).map(|values| values.into_iter().fold(Types::default(), |all, value| all.and(Types::of(value))));
    node.types.or_else(listed)
}

/// Whether the list contains a value.
pub fn contains(values: &[&Value], value: &Value) -> bool {
    values.iter().any(|known| equal(known, value))
}
