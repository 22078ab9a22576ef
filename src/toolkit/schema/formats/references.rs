//! `uri` and `uri-reference` (RFC 3986).

use super::super::uri::Uri;
use super::hosts::is_ipv6;

pub fn is_uri(text: &str) -> bool {
    Uri::split(text).scheme.is_some() && is_uri_reference(text)
}

pub fn is_uri_reference(text: &str) -> bool {
    let uri = Uri::split(text);
    // A colon in the first segment would be read as the end of a scheme.
    let first = uri.path.split('/').next().unwrap_or("");
    let path = uri.scheme.is_some() || uri.authority.is_some() || !first.contains(':');
    path && consists_of(uri.path, "/:@")
        && uri.authority.is_none_or(is_authority)
        && uri.query.is_none_or(|query| consists_of(query, "/?:@"))
        && uri.fragment.is_none_or(|fragment| consists_of(fragment, "/?:@"))
}

fn is_authority(text: &str) -> bool {
    let (user, host) = text.rsplit_once('@').map_or((None, text), |(user, host)| (Some(user), host));
    let after_address = host.strip_prefix('[').and_then(|rest| rest.split_once(']'));
    let (host, port) = match after_address {
        Some((address, port)) => (is_ipv6(address) || is_future(address), port),
        None => {
            let end = host.find(':').unwrap_or(host.len());
            let (name, port) = host.split_at(end);
            (consists_of(name, ""), port)
        }
    };
    let digits = |port: &str| port.bytes().all(|byte| byte.is_ascii_digit());
    let port = port.is_empty() || port.strip_prefix(':').is_some_and(digits);
    host && port && user.is_none_or(|user| consists_of(user, ":"))
}

/// An address of a future version of IP (`IPvFuture`).
fn is_future(text: &str) -> bool {
    let parts = text.strip_prefix(['v', 'V']).and_then(|rest| rest.split_once('.'));
    parts.is_some_and(|(version, address)| {
        let hex = !version.is_empty() && version.bytes().all(|byte| byte.is_ascii_hexdigit());
        hex && !address.is_empty() && !address.contains('%') && consists_of(address, ":")
    })
}

/// Whether a text consists of unreserved characters, sub-delimiters, percent-encoded bytes, and the characters in `more`.
fn consists_of(text: &str, more: &str) -> bool {
    let mut rest = text.as_bytes();
    while let Some((first, after)) = rest.split_first() {
        if *first == b'%' {
            if !after.get(..2).is_some_and(|code| code.iter().all(u8::is_ascii_hexdigit)) {
                return false;
            }
            rest = after.get(2..).unwrap_or(&[]);
            continue;
        }
        let letter = char::from(*first);
        if !letter.is_ascii_alphanumeric() && !"-._~!$&'()*+,;=".contains(letter) && !more.contains(letter) {
            return false;
        }
        rest = after;
    }
    true
}
