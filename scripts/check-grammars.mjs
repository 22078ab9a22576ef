// `npm run check:grammars`: generated grammars, judged by the engines that are crates. The verdicts of llama.cpp's matcher and of
// XGrammar come from tools/grammar-check/judge.py, which says what it needs.

import { locked, main, run } from "./lib/run.mjs";

await main(() => {
  const check = (count, syntax) =>
    run("cargo", ["run", "-q", "-p", "toolwire-grammar-check", ...locked, "--", "judge", "0", count, syntax]);
  check("300", "lark");
  check("300", "jsonSchema");
  // building an automaton takes seconds
  check("60", "regex");
  return 0;
});
