// Recognises keys, which must never become part of a link.

const secrets = [
  /\bsk-[A-Za-z0-9_-]{16,}/,
  /\bAIza[\w-]{30,}/,
  /\bBearer\s+[\w.~+/-]{16,}/i,
  /\b(?:gsk|xai|hf|ghp|github_pat|pplx|nvapi|r8)[_-][A-Za-z0-9_-]{16,}/,
  /\bAKIA[0-9A-Z]{16}\b/,
  /\bya29\.[\w-]{16,}/,
  /\beyJ[\w-]{10,}\.eyJ[\w-]{10,}\.[\w-]{10,}/,
  /["']?(?:x-api-key|api[-_]key|x-goog-api-key)["']?\s*[:=]\s*["']?(?!\$)[\w-]{16,}/i,
];

export function hasSecret(text: string): boolean {
  return secrets.some((pattern) => pattern.test(text));
}
