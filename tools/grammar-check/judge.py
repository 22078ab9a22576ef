"""Verdicts of llama.cpp's matcher and of XGrammar on generated cases.

    cargo run -p toolwire-grammar-check -- cases 0 300 > cases.jsonl
    python judge.py cases.jsonl gbnf PROGRAM        PROGRAM is gbnf/matcher.cpp, compiled with llama.cpp's llama-grammar.cpp
    python judge.py cases.jsonl structuralTag PYTHON    PYTHON has xgrammar installed (without torch)

Prints each wrong verdict, and a table of formats: texts accepted, rejected, wrongly judged, grammars refused.
"""

import json
import os
import subprocess
import sys

file, syntax, program = sys.argv[1:]
with open(file) as lines:
    cases = [case for case in map(json.loads, lines) if case["syntax"] == syntax]


def gbnf():
    process = subprocess.Popen([program], stdin=subprocess.PIPE, stdout=subprocess.PIPE)

    def ask(kind, text):
        body = text.encode()
        process.stdin.write(f"{kind} {len(body)}\n".encode() + body)
        process.stdin.flush()
        return process.stdout.readline().decode().strip()

    def verdicts(case, texts):
        return [ask("T", text) == "yes" for text in texts] if ask("G", case["grammar"]) == "ok" else None

    return verdicts


def structural_tag():
    script = os.path.join(os.path.dirname(__file__), "xgrammar", "judge.py")
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "stderr": subprocess.DEVNULL}
    process = subprocess.Popen([program, script], text=True, **pipes)

    def verdicts(case, texts):
        process.stdin.write(json.dumps({"grammar": case["grammar"], "texts": texts}) + "\n")
        process.stdin.flush()
        answer = process.stdout.readline().strip()
        return None if answer.startswith("error") else [verdict == "1" for verdict in answer]

    return verdicts


judge = gbnf() if syntax == "gbnf" else structural_tag()
table = {}
for case in cases:
    accepted, rejected = case["accepted"], case["rejected"]
    counts = table.setdefault(case["format"], [0, 0, 0, 0])
    verdicts = judge(case, accepted + rejected)
    if verdicts is None:
        counts[3] += 1
        print(case["id"], case["format"], "refused")
        continue
    counts[0] += len(accepted)
    counts[1] += len(rejected)
    for index, (text, verdict) in enumerate(zip(accepted + rejected, verdicts)):
        if verdict != (index < len(accepted)):
            counts[2] += 1
            print(case["id"], case["format"], "accepts" if verdict else "rejects", json.dumps(text, ensure_ascii=False))
for name, (accepted, rejected, wrong, refused) in sorted(table.items()):
    row = {"syntax": syntax, "format": name, "accepted": accepted, "rejected": rejected}
    print(json.dumps(row | {"wrong": wrong, "refused": refused}))
