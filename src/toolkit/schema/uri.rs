//! URI components, and resolution of relative references against a base (RFC 3986, section 5).

use crate::percent;

/// The components of a URI reference, without delimiters.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Uri<'t> {
    pub scheme: Option<&'t str>,
    pub authority: Option<&'t str>,
    pub path: &'t str,
    pub query: Option<&'t str>,
    pub fragment: Option<&'t str>,
}

impl<'t> Uri<'t> {
    /// Splits a text into components, without validating them.
    pub fn split(text: &'t str) -> Self {
        let (text, fragment) = text.split_once('#').map_or((text, None), |(text, fragment)| (text, Some(fragment)));
        let (text, query) = text.split_once('?').map_or((text, None), |(text, query)| (text, Some(query)));
        let (scheme, text) = match text.split_once(':') {
            Some((scheme, rest)) if is_scheme(scheme) => (Some(scheme), rest),
            _ => (None, text),
        };
        let Some(rest) = text.strip_prefix("//") else {
            return Self { scheme, authority: None, path: text, query, fragment };
        };
        let end = rest.find('/').unwrap_or(rest.len());
        let (authority, path) = rest.split_at(end);
        Self { scheme, authority: Some(authority), path, query, fragment }
    }

    fn text(&self, path: &str) -> String {
        let mut text = String::new();
        if let Some(scheme) = self.scheme {
            text.push_str(scheme);
            text.push(':');
        }
        if let Some(authority) = self.authority {
            text.push_str("//");
            text.push_str(authority);
        }
        text.push_str(path);
        if let Some(query) = self.query {
            text.push('?');
            text.push_str(query);
        }
        text
    }
}

pub fn is_scheme(text: &str) -> bool {
    text.starts_with(|first: char| first.is_ascii_alphabetic())
        && text.chars().all(|letter| letter.is_ascii_alphanumeric() || matches!(letter, '+' | '-' | '.'))
}

/// Resolves a reference. Returns the absolute URI without fragment, and the fragment.
pub fn resolve<'t>(base: &str, reference: &'t str) -> (String, Option<&'t str>) {
    let given = Uri::split(reference);
    let base = Uri::split(base);
    if given.scheme.is_some() {
        return (given.text(&without_dots(given.path)), given.fragment);
    }
    if given.authority.is_some() {
        let uri = Uri { scheme: base.scheme, ..given };
        return (uri.text(&without_dots(given.path)), given.fragment);
    }
    let uri = Uri { query: given.query, ..base };
    if given.path.is_empty() {
        let uri = Uri { query: given.query.or(base.query), ..base };
        return (uri.text(base.path), given.fragment);
    }
    if given.path.starts_with('/') {
        return (uri.text(&without_dots(given.path)), given.fragment);
    }
    let folder = base.path.rfind('/').map_or("", |end| base.path.get(..=end).unwrap_or(""));
    let folder = if folder.is_empty() && base.authority.is_some() { "/" } else { folder };
    (uri.text(&without_dots(&format!("{folder}{}", given.path))), given.fragment)
}

fn without_dots(path: &str) -> String {
    let mut kept: Vec<&str> = Vec::new();
    let absolute = path.starts_with('/');
    let mut folder = false;
    for segment in path.trim_start_matches('/').split('/') {
        folder = matches!(segment, "." | "..");
        match segment {
            "." => {}
            ".." => {
                kept.pop();
            }
            segment => kept.push(segment),
        }
    }
    if folder {
        kept.push("");
    }
    let path = kept.join("/");
    if absolute { format!("/{path}") } else { path }
}

/// Decodes percent-encoding. Returns the text unchanged if the result is not UTF-8.
pub fn decoded(text: &str) -> String {
    String::from_utf8(percent::decoded(text.as_bytes())).unwrap_or_else(|_| text.to_string())
}
