//! `email` (RFC 5321, section 4.1.2).

use super::hosts::{is_hostname, is_ipv4, is_ipv6};

pub fn is_email(text: &str) -> bool {
    let Some((local, domain)) = text.rsplit_once('@') else { return false };
    is_local(local) && is_domain(domain)
}

fn is_local(local: &str) -> bool {
    if let Some(quoted) = local.strip_prefix('"').and_then(|rest| rest.strip_suffix('"')) {
        return is_quoted(quoted);
    }
    let is_atom = |atom: &str| {
        !atom.is_empty()
            && atom.chars().all(|letter| letter.is_ascii_alphanumeric() || "!#$%&'*+-/=?^_`{|}~".contains(letter))
    };
    local.len() <= 64 && local.split('.').all(is_atom)
}

fn is_quoted(text: &str) -> bool {
    let mut letters = text.chars();
    while let Some(letter) = letters.next() {
        let letter = if letter == '\\' { letters.next() } else { Some(letter).filter(|letter| *letter != '"') };
        if !letter.is_some_and(|letter| matches!(letter, ' '..='~')) {
            return false;
        }
    }
    true
}

fn is_domain(domain: &str) -> bool {
    match domain.strip_prefix('[').and_then(|rest| rest.strip_suffix(']')) {
        Some(address) => address.strip_prefix("IPv6:").map_or_else(|| is_ipv4(address), is_ipv6),
        None => is_hostname(domain),
    }
}
