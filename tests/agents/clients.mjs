// The coding agents: how each is started, its names of the tools that the script calls, and the upstreams of quick runs, if not all.

import { spawn } from "node:child_process";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { fileURLToPath } from "node:url";
import { COMPACT_AT } from "./script.mjs";

const bin = (name) => fileURLToPath(new URL(`node_modules/.bin/${name}`, import.meta.url));

/** Runs a program to its end, with nothing of this process's environment but the path. */
function run(program, args, { cwd, env, timeoutMs }) {
  return new Promise((ended) => {
    const output = { stdout: "", stderr: "" };
    const child = spawn(program, args, {
      cwd,
      env: { PATH: process.env.PATH, ...env },
      stdio: ["ignore", "pipe", "pipe"],
    });
    const timer = setTimeout(() => child.kill("SIGKILL"), timeoutMs);
    for (const name of Object.keys(output)) child[name].on("data", (bytes) => (output[name] += bytes));
    child.on("close", (status) => {
      clearTimeout(timer);
      ended({ status, ...output });
    });
  });
}

export const clients = {
  "Claude Code": {
    dialect: "anthropic",
    tools: {
      shell: (command) => ["Bash", { command, description: "Prints" }],
      write: (cwd, name, text) => ["Write", { file_path: join(cwd, name), content: `${text}\n` }],
      image: (cwd, name) => ["Read", { file_path: join(cwd, name) }],
      // a tool that is not allowed
      rejected: (cwd, name) => ["Edit", { file_path: join(cwd, name), old_string: "written", new_string: "w" }],
    },
    compacts: "at an error",
    start: (url, { cwd, home, prompt, timeoutMs }) =>
      run(bin("claude"), ["-p", prompt, "--output-format", "json", "--allowedTools", "Bash,Write,Read"], {
        cwd,
        timeoutMs,
        env: {
          HOME: home,
          ANTHROPIC_BASE_URL: url,
          ANTHROPIC_API_KEY: "client-key",
          CLAUDE_CODE_DISABLE_NONESSENTIAL_TRAFFIC: "1",
          DISABLE_TELEMETRY: "1",
          DISABLE_AUTOUPDATER: "1",
          DISABLE_ERROR_REPORTING: "1",
        },
      }),
    said: (stdout) => JSON.parse(stdout).result,
  },
  Codex: {
    dialect: "openai-responses",
    tools: {
      shell: (cmd) => ["exec_command", { cmd }],
      write: (_cwd, name, text) => [
        "apply_patch",
        { input: `*** Begin Patch\n*** Add File: ${name}\n+${text}\n*** End Patch` },
      ],
      image: (cwd, name) => ["view_image", { path: join(cwd, name) }],
      // a patch that does not apply
      rejected: () => ["apply_patch", { input: "*** Begin Patch\n*** Delete File: missing.txt\n*** End Patch" }],
    },
    compacts: "by usage",
    start(url, { cwd, home, prompt, timeoutMs }) {
      mkdirSync(join(home, ".codex"), { recursive: true });
      const config = `model = "gpt-5.5"
model_provider = "gateway"
model_auto_compact_token_limit = ${COMPACT_AT}
check_for_update_on_startup = false
[analytics]
enabled = false
[model_providers.gateway]
name = "gateway"
base_url = "${url}/v1"
env_key = "GATEWAY_KEY"
wire_api = "responses"
`;
      writeFileSync(join(home, ".codex/config.toml"), config);
      const args = ["exec", "--skip-git-repo-check", "--dangerously-bypass-approvals-and-sandbox", "--json", prompt];
      return run(bin("codex"), args, { cwd, timeoutMs, env: { HOME: home, GATEWAY_KEY: "client-key" } });
    },
    said: (stdout) =>
      stdout
        .split("\n")
        .filter((line) => line.startsWith("{"))
        .map((line) => JSON.parse(line).item)
        .findLast((item) => item?.type === "agent_message")?.text,
  },
  "Gemini CLI": {
    dialect: "gemini",
    quick: ["anthropic"],
    tools: {
      shell: (command) => ["run_shell_command", { command, description: "Prints" }],
      write: (cwd, name, text) => ["write_file", { file_path: join(cwd, name), content: `${text}\n` }],
      image: (cwd, name) => ["read_file", { file_path: join(cwd, name) }],
      // an edit of a file that is not there
      rejected: (cwd) => [
        "replace",
        { file_path: join(cwd, "missing.txt"), old_string: "a", new_string: "b", instruction: "Edit" },
      ],
    },
    start(url, { cwd, home, prompt, timeoutMs }) {
      mkdirSync(join(home, ".gemini"), { recursive: true });
      const settings = {
        security: { auth: { selectedType: "gemini-api-key" } },
        telemetry: { enabled: false },
        privacy: { usageStatisticsEnabled: false },
        general: { disableAutoUpdate: true },
      };
      writeFileSync(join(home, ".gemini/settings.json"), JSON.stringify(settings));
      const args = ["-p", prompt, "--yolo", "--skip-trust", "-o", "json", "-m", "gemini-3.8-flash"];
      const env = { HOME: home, GEMINI_API_KEY: "client-key", GOOGLE_GEMINI_BASE_URL: url };
      return run(bin("gemini"), args, { cwd, timeoutMs, env });
    },
    said: (stdout) => JSON.parse(stdout).response,
  },
};
