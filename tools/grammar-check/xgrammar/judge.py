"""XGrammar's verdicts on structural tags: reads one `{"grammar", "texts"}` per line, writes one line for each, with the verdicts on its
texts as `1` and `0`, or `error: …` if the grammar is refused.

The wheel requires torch and transformers, for masks and tokenizers. Matching text needs neither: modules without content stand in.
"""

import json
import sys
import types

import tvm_ffi  # before torch seems to be there


class Anything:
    def __init__(self, *args, **options):
        pass


def stand_in(name):
    def attribute(wanted):
        if wanted.startswith("__"):
            raise AttributeError(wanted)
        return Anything

    module = types.ModuleType(name)
    module.__getattr__ = attribute
    sys.modules[name] = module


for missing in ["torch", "transformers"]:
    stand_in(missing)

import xgrammar
from xgrammar.testing import _is_grammar_accept_string

for line in sys.stdin:
    case = json.loads(line)
    try:
        grammar = xgrammar.Grammar.from_structural_tag(case["grammar"])
        verdicts = "".join("1" if _is_grammar_accept_string(grammar, text) else "0" for text in case["texts"])
    except Exception as error:
        verdicts = "error: " + " ".join(str(error).split())[:300]
    print(verdicts, flush=True)
