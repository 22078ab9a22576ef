/** The bytes of a string with one byte per character. Under gzip, such a string is about as small as the bytes. */
export function bytesOf(text) {
  const { Buffer } = globalThis;
  if (Buffer) return Buffer.from(text, "latin1");
  const bytes = new Uint8Array(text.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = text.charCodeAt(i);
  return bytes;
}
