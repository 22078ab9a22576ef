export function makeWarning(code, message, path, lossy, dialect) {
  return { code, message, path, lossy, dialect };
}
