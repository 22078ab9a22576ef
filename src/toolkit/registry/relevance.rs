//! Ranks tools by relevance to a text, using Okapi BM25 over names, descriptions and parameters.

use super::super::tool::Tool;
use super::words::words;
use crate::json::Value;
use crate::table::Table;

/// The BM25 parameter for term frequency saturation.
const K1: f64 = 1.2;
/// The BM25 parameter for length normalization.
const B: f64 = 0.75;
const NAME: f64 = 3.0;
const PARAMETER: f64 = 1.5;
const DESCRIPTION: f64 = 1.0;
/// Maximum number of words of the text that are used.
const MAX_WORDS: usize = 1000;
/// Maximum depth to which parameters are indexed.
const MAX_DEPTH: usize = 3;

/// The words of a tool with their weights.
#[derive(Debug, Default)]
pub struct Index {
    weights: Table<String, f64>,
    length: f64,
}

impl Index {
    pub fn new(tool: &Tool, schema: Option<&Value>) -> Self {
        let mut index = Self::default();
        index.add(&tool.name, NAME);
        index.add(tool.title.as_deref().unwrap_or(""), NAME);
        index.add(tool.category.as_deref().unwrap_or(""), DESCRIPTION);
        index.add(tool.description.as_deref().unwrap_or(""), DESCRIPTION);
        if let Some(schema) = schema {
            index.add_schema(schema, 0);
        }
        index
    }

    fn add(&mut self, text: &str, weight: f64) {
        for word in words(text) {
            if let Some(sum) = self.weights.or_insert_with(word, || 0.0) {
                *sum += weight;
            }
            self.length += weight;
        }
    }

    fn add_schema(&mut self, schema: &Value, depth: usize) {
        for (name, field) in schema.get("properties").and_then(Value::as_object).into_iter().flatten() {
            self.add(name, PARAMETER);
            self.add(field.get("description").and_then(Value::as_str).unwrap_or(""), DESCRIPTION);
            for value in field.get("enum").and_then(Value::as_array).into_iter().flatten() {
                self.add(value.as_str().unwrap_or(""), DESCRIPTION);
            }
            if depth < MAX_DEPTH {
                self.add_schema(field, depth + 1);
                self.add_schema(field.get("items").unwrap_or(&Value::Null), depth + 1);
            }
        }
    }
}

/// The indices of the most relevant tools, best first. If no tool matches, the first ones, because a model without tools could not
/// act at all.
pub fn best(indexes: &[&Index], text: &str, limit: usize) -> Vec<usize> {
    let mut query: Vec<String> = Vec::new();
    for word in words(text).into_iter().take(MAX_WORDS) {
        if !query.contains(&word) {
            query.push(word);
        }
    }
    let count = indexes.len() as f64;
    let average = indexes.iter().map(|index| index.length).sum::<f64>() / count.max(1.0);
    let mut scores = vec![0.0; indexes.len()];
    for word in &query {
        let known = indexes.iter().filter(|index| index.weights.contains_key(word)).count() as f64;
        let rarity = (1.0 + (count - known + 0.5) / (known + 0.5)).ln();
        for (score, index) in scores.iter_mut().zip(indexes) {
            if let Some(weight) = index.weights.get(word) {
                let length = 1.0 - B + B * index.length / average.max(1.0);
                *score += rarity * weight * (K1 + 1.0) / (weight + K1 * length);
            }
        }
    }
    let mut ranked = Vec::new();
    while ranked.len() < limit {
        let mut best: Option<(usize, f64)> = None;
        for (place, score) in scores.iter().copied().enumerate() {
            if score > best.map_or(0.0, |(_, highest)| highest) {
                best = Some((place, score));
            }
        }
        let Some((place, _)) = best else { break };
        ranked.push(place);
        if let Some(score) = scores.get_mut(place) {
            *score = 0.0;
        }
    }
    if ranked.is_empty() { (0..indexes.len()).take(limit).collect() } else { ranked }
}
