"""Reads texts with the tool-call detectors of an unpacked SGLang wheel. Lines of JSON in and out.

usage: python3 sglang.py FOLDER < cases. A case is {"parser", "text", "tools"}; the result {"calls": [[name, arguments]], "text"}, or {"error"}.
Modules that the detectors import for other purposes, such as grammars, are replaced by empty ones.
"""

import importlib.abc
import importlib.machinery
import json
import logging
import sys
import types
from typing import Any, Optional

from pydantic import BaseModel


class Anything(types.ModuleType):
    """A module, class or value of which everything exists."""

    def __init__(self, name="anything"):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Empty


class Empty:
    """A class that takes anything."""

    def __init__(self, *arguments, **named):
        pass

    def __init_subclass__(cls, **named):
        pass

    def __class_getitem__(cls, item):
        return cls

    def get(self):
        return False

    def __call__(self, *arguments, **named):
        return self


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes every missing module, and every one of SGLang other than detectors, an empty one."""

    def find_spec(self, name, path, target=None):
        parts = ("sglang.srt.function_call", "sglang.srt.parser")
        is_own = name.startswith(parts)
        if is_own or name.split(".")[0] not in ("sglang", "xgrammar", "partial_json_parser", "msgspec", "transformers", "torch"):
            return None
        return importlib.machinery.ModuleSpec(name, self, is_package=True)

    def create_module(self, spec):
        return Anything(spec.name)

    def exec_module(self, module):
        pass


class Function(BaseModel):
    name: str
    description: Optional[str] = None
    parameters: Optional[Any] = None
    strict: bool = False


class Tool(BaseModel):
    type: str = "function"
    function: Function


class Struct:
    """What `msgspec.Struct` does for the classes of templates: the fields are named arguments."""

    def __init__(self, **fields):
        self.__dict__.update(fields)

    def __init_subclass__(cls, **options):
        pass


class Environment:
    def __getattr__(self, name):
        return Empty()


def partial_json():
    """The part of `partial_json_parser` that whole texts require: only complete values occur in them."""
    module, core, options, exceptions = (Anything(name) for name in ("p", "core", "options", "exceptions"))

    class MalformedJSON(ValueError):
        pass

    class Allow:
        ALL = STR = OBJ = ARR = 0

    module.loads = lambda text, flags=None: json.loads(text)
    exceptions.MalformedJSON = MalformedJSON
    options.Allow = Allow
    for name, one in {"": module, ".core": core, ".core.options": options, ".core.exceptions": exceptions}.items():
        sys.modules["partial_json_parser" + name] = one


def main(folder):
    for name in ("sglang", "sglang.srt"):
        package = types.ModuleType(name)
        package.__path__ = [f"{folder}/{name.replace('.', '/')}"]
        sys.modules[name] = package
    sys.meta_path.insert(0, Finder())
    logging.disable(logging.CRITICAL)
    partial_json()
    protocol = Anything("sglang.srt.entrypoints.openai.protocol")
    protocol.Tool, protocol.Function = Tool, Function
    sys.modules[protocol.__name__] = protocol
    msgspec = Anything("msgspec")
    msgspec.Struct = Struct
    sys.modules[msgspec.__name__] = msgspec
    environ = Anything("sglang.srt.environ")
    environ.envs = Environment()
    environ.ToolStrictLevel = types.SimpleNamespace(PARAMETER=1)
    sys.modules[environ.__name__] = environ
    from sglang.srt.function_call.function_call_parser import FunctionCallParser

    for line in sys.stdin:
        case = json.loads(line)
        tools = [Tool(function=Function(**tool)) for tool in case["tools"]]
        try:
            detector = FunctionCallParser.ToolCallParserEnum[case["parser"]]()
            result = detector.detect_and_parse(case["text"], tools)
            calls = [[call.name, json.loads(call.parameters)] for call in result.calls]
            print(json.dumps({"calls": calls, "text": result.normal_text}), flush=True)
        except Exception as error:
            print(json.dumps({"error": repr(error)[:300]}), flush=True)


main(sys.argv[1])
