"""XGrammar's verdicts on structural tags. Reads `G SIZE\\n` and a structural tag, or `T SIZE\\n` and a text; writes a line for each:
`yes` if the tag or the text is accepted, `no` if not.
"""

import json
import sys

from engine import xgrammar
from xgrammar.testing import _is_grammar_accept_string

grammar = None
while line := sys.stdin.buffer.readline():
    kind, size = line.split()
    body = sys.stdin.buffer.read(int(size)).decode()
    try:
        if kind == b"G":
            grammar = None
            grammar = xgrammar.Grammar.from_structural_tag(json.loads(body))
            accepted = True
        else:
            accepted = _is_grammar_accept_string(grammar, body)
    except Exception as error:
        accepted = False
        print(" ".join(str(error).split())[:300], file=sys.stderr)
    print("yes" if accepted else "no", flush=True)
