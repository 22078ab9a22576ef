let met = 0;
let missed = 0;

/** One row: the first column to the left, the numbers to the right. */
export function print([first, ...others]) {
  console.log(`  ${first.padEnd(24)}${others.map((cell) => String(cell).padStart(14)).join("")}`);
}

/** Counts a target and gives the word for it. */
export function verdict(holds) {
  if (holds) met += 1;
  else missed += 1;
  return holds ? "met" : "MISSED";
}

export function summary() {
  return `targets: ${met} met, ${missed} missed`;
}

export function median(numbers) {
  const sorted = [...numbers].sort((a, b) => a - b);
  return sorted[sorted.length >> 1];
}
