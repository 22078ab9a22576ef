//! The formats that `format` asserts. Unknown formats accept every value.

mod dates;
mod hosts;
mod idna;
mod mail;
mod references;

use super::pattern;

/// A format: its name, its description in messages, an example, and the check.
pub struct Format {
    pub name: &'static str,
    pub example: &'static str,
    pub check: fn(&str) -> bool,
}

const FORMATS: [Format; 13] = [
    Format { name: "date-time", example: "2024-05-17T09:30:00Z", check: dates::is_date_time },
    Format { name: "date", example: "2024-05-17", check: dates::is_date },
    Format { name: "time", example: "09:30:00Z", check: dates::is_time },
    Format { name: "duration", example: "P1DT12H", check: dates::is_duration },
    Format { name: "email", example: "ada@example.com", check: mail::is_email },
    Format { name: "hostname", example: "example.com", check: hosts::is_hostname },
    Format { name: "ipv4", example: "192.0.2.1", check: hosts::is_ipv4 },
    Format { name: "ipv6", example: "2001:db8::1", check: hosts::is_ipv6 },
    Format { name: "uri", example: "https://example.com/path", check: references::is_uri },
    Format { name: "uri-reference", example: "/path?query", check: references::is_uri_reference },
    Format { name: "uuid", example: "123e4567-e89b-12d3-a456-426614174000", check: is_uuid },
    Format { name: "json-pointer", example: "/items/0/name", check: is_json_pointer },
    Format { name: "regex", example: "^[a-z]+$", check: pattern::is_regex },
];

pub fn find(name: &str) -> Option<&'static Format> {
    FORMATS.iter().find(|format| format.name == name)
}

fn is_uuid(text: &str) -> bool {
    let mut groups = text.split('-');
    let lengths = [8, 4, 4, 4, 12];
    let matches = |length: usize| {
        groups.next().is_some_and(|group| group.len() == length && group.bytes().all(|byte| byte.is_ascii_hexdigit()))
    };
    lengths.into_iter().all(matches) && text.len() == 36
}

fn is_json_pointer(text: &str) -> bool {
    let escapes = text.split('~').skip(1).all(|after| after.starts_with(['0', '1']));
    (text.is_empty() || text.starts_with('/')) && escapes
}
