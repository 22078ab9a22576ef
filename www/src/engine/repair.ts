// Repairs JSON with the toolkit, which is loaded when text is first pasted that is not JSON.

export async function repair(text: string): Promise<{ text: string; changes: number } | undefined> {
  const { repairJson } = await import("toolwire/toolkit");
  try {
    const { text: repaired, changes } = repairJson(text);
    return { text: repaired, changes: changes.length };
  } catch {
    return undefined;
  }
}
