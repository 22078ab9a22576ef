//! The server behind a base URL.

use super::Server;
use crate::models::words::Words;

/// The server behind a base URL, or none if the URL does not identify one.
///
/// ```
/// use toolwire::{Server, server_of};
///
/// assert_eq!(server_of("https://openrouter.ai/api/v1"), Some(Server::OpenRouter));
/// assert_eq!(server_of("http://localhost:11434/v1"), Some(Server::Ollama));
/// assert_eq!(server_of("https://gateway.example/v1"), None);
/// ```
pub fn server_of(base_url: &str) -> Option<Server> {
    let (_, rest) = base_url.split_once("://")?;
    let authority = rest.split(['/', '?', '#']).next()?;
    let authority = authority.rsplit('@').next()?.to_ascii_lowercase();
    let host = match authority.rsplit_once(':') {
        Some((host, port)) if port.bytes().all(|digit| digit.is_ascii_digit()) => host,
        _ => authority.as_str(),
    };
    let is_local = host == "localhost" || host.starts_with("127.") || host == "[::1]";
    let is = |pattern: &&str| match pattern.strip_prefix(':') {
        Some(port) => is_local && authority.strip_prefix(host).is_some_and(|rest| rest.strip_prefix(':') == Some(port)),
        None => host.strip_suffix(*pattern).is_some_and(|above| above.is_empty() || above.ends_with('.')),
    };
    Server::ALL.iter().copied().find(|server| server.row().hosts.iter().any(&is))
}

#[cfg(test)]
mod tests {
    use super::{Server, server_of};

    #[test]
    fn hosts_are_whole_names() {
        assert_eq!(
            server_of("https://my-resource.openai.azure.com/openai/v1?api-version=preview"),
            Some(Server::Azure)
        );
        assert_eq!(server_of("https://user:key@API.GROQ.COM:443/openai/v1"), Some(Server::Groq));
        assert_eq!(server_of("http://127.0.0.1:1234"), Some(Server::LmStudio));
        for other in
            ["https://notapi.x.ai.example/v1", "https://fakeopenrouter.ai", "http://localhost:8000", "api.x.ai", ""]
        {
            assert_eq!(server_of(other), None, "{other}");
        }
    }
}
