"""XGrammar without torch and transformers.

The wheel requires both, for masks and tokenizers. Matching text needs neither: modules without content stand in.
"""

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
