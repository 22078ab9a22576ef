// What becomes of each fault in each library, as a page.

import { execFile } from "node:child_process";
import { readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { promisify } from "node:util";
import { sides } from "./sides.mjs";

const worker = fileURLToPath(new URL("worker.mjs", import.meta.url));
const { devDependencies } = JSON.parse(readFileSync(new URL("../../package.json", import.meta.url), "utf8"));

/** The rows of each library (worker.mjs), by name. The libraries run at the same time, each in a process of its own. */
export async function runFaults() {
  const run = async (name) => {
    const { stdout } = await promisify(execFile)(process.execPath, [worker, name], { maxBuffer: 2 ** 26 });
    return [name, JSON.parse(stdout)];
  };
  return Object.fromEntries(await Promise.all(Object.keys(sides).map(run)));
}

/** docs/toolkit/faults.md. */
export function pageOf(results) {
  const names = Object.keys(results);
  const [own] = Object.values(results);
  const cells = (row) => `| ${row.join(" | ")} |`;
  const scores = own.map(({ title }, index) => [title, ...names.map((name) => results[name][index].score)]);
  const sums = names.map((name) => results[name].reduce((sum, { score }) => sum + score, 0));
  const zeros = names.flatMap((name) =>
    results[name].filter(({ score }) => score === 0).map(({ title, why }) => `| ${name} | ${title} | ${why} |`),
  );
  return `# Faults

\`npm run docs:faults\` writes this page. One server on the loopback interface speaks OpenAI's Chat Completions and plays a script for each
fault. An agent with one tool runs against it in toolwire (\`runAgent\` with \`sendTo\`), AI SDK 7 (\`ai\` ${devDependencies.ai}, \`@ai-sdk/openai\`
${devDependencies["@ai-sdk/openai"]}, \`ToolLoopAgent\`) and OpenAI Agents (\`@openai/agents\` ${devDependencies["@openai/agents"]}, \`Runner\`), with the same schema (zod), the same limits on requests,
time and calls, and the defaults of each library for everything else. After an error result, the scripted model makes the right call.

The score depends on what can be observed only, by the same rule for all (\`bench/faults/score.mjs\`):

- **2**: the run is complete, its text is the right one, and the tool ran once with the right arguments, or not at all if the call was
  forbidden.
- **1**: the run ended as incomplete, and what it states about that names the cause.
- **0**: the tool ran with wrong arguments, the run did not end within its limit, an error does not name its cause, or the run presents a
  wrong text as complete.

For some faults, such as a content filter, no library can reach 2.

${cells(["fault", ...names])}
${cells(["---", ...names.map(() => "---:")])}
${scores.map(cells).join("\n")}
${cells(["**sum**", ...sums])}

What happened where the score is 0:

| library | fault | what happened |
| --- | --- | --- |
${zeros.join("\n")}
`;
}
