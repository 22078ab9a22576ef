// Finds the vectors that name each quirk.

/** `[{file, cases}]` → Map of number → [{file, name}], in the order of the files. */
export function byNumber(files) {
  const proofs = new Map();
  for (const { file, cases } of files) {
    for (const { name, source = [] } of cases) {
      const numbers = new Set(source.flatMap((text) => text.match(/\bQ\d+[a-z]?\b/g) ?? []));
      for (const number of numbers) proofs.set(number, [...(proofs.get(number) ?? []), { file, name }]);
    }
  }
  return proofs;
}
