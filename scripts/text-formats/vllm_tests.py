"""Runs the tests of vLLM's tool parsers with a parser of another program. Lines of JSON in and out.

usage: python3 vllm_tests.py FOLDER FORMATS. FOLDER is a source distribution or a checkout of vLLM, FORMATS a JSON object: the format of each file of
tests. A text to read is written as {"format", "text", "tools"}; its calls are expected as {"calls": [{"id", "name", "arguments"}], "text"}.
At the end of each test, {"test", "outcome", "detail"} is written: "agree", "differ", or "skipped" for tests of streams, grammars and
vLLM's own classes, which do not read a whole text. All modules other than those of the tests are replaced by empty ones.
"""

import importlib.abc
import importlib.machinery
import importlib.util
import inspect
import itertools
import json
import sys
import traceback
import types
from pathlib import Path


class Skipped(Exception):
    """The test does something other than reading a whole text."""


class Record:
    """An object with the members that it was made with."""

    def __init__(self, *arguments, **named):
        self.__dict__.update(named)
        for key, value in named.items():
            if key == "function" and isinstance(value, dict):
                self.function = Record(**value)

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        raise Skipped(f"uses {name}")

    def __eq__(self, other):
        return isinstance(other, Record) and self.__dict__ == other.__dict__


class Anything(type):
    """A class that has every member."""

    def __getattr__(cls, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return Unknown()


class Unknown(metaclass=Anything):
    """What the tests only pass on."""

    def __init__(self, *arguments, **named):
        pass

    def __len__(self):
        return 0

    def __iter__(self):
        return iter(())

    def __call__(self, *arguments, **named):
        return self

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        return self

    def __getitem__(self, key):
        return self

    def __class_getitem__(cls, key):
        return cls

    def __or__(self, other):
        return self

    __ror__ = __or__


class Text(str):
    """Text outside of calls. Whitespace around it is not compared."""

    def __eq__(self, other):
        return self.strip() == (other or "").strip()

    def __hash__(self):
        return hash(self.strip())


class Json(str):
    """Arguments. Their values are compared, not how they are written."""

    def __eq__(self, other):
        return json.loads(self) == json.loads(other)

    def __hash__(self):
        return hash(str(self))


def tools_of(tools):
    """The definitions of tools, which are objects, or dictionaries of either API."""
    found = []
    for tool in tools if isinstance(tools, (list, tuple)) else []:
        fields = tool.__dict__ if isinstance(tool, Record) else tool
        function = fields.get("function", fields)
        function = function.__dict__ if isinstance(function, Record) else function
        if isinstance(function.get("name"), str):
            found.append({key: function[key] for key in ("name", "description", "parameters") if function.get(key)})
    return found


def parser_class(format):
    class Parser:
        def __init__(self, tokenizer=None, tools=None, **named):
            self.tools = tools

        def extract_tool_calls(self, model_output, request=None, **named):
            tools = tools_of(self.tools) or tools_of(request.__dict__.get("tools") if isinstance(request, Record) else None)
            Empty.read = True
            print(json.dumps({"format": format, "text": model_output, "tools": tools}), flush=True)
            read = json.loads(sys.stdin.readline())
            calls = [
                Record(
                    # the ids of calls without one are made up, as vLLM's are
                    id=call["id"].replace("tw_", "chatcmpl-tool-"),
                    type="function",
                    function=Record(name=call["name"], arguments=Json(json.dumps(call["arguments"], ensure_ascii=False))),
                )
                for call in read["calls"]
            ]
            return Record(tools_called=bool(calls), tool_calls=calls, content=Text(read["text"]) if read["text"].strip() else None)

        def __getattr__(self, name):
            if name.startswith("__"):
                raise AttributeError(name)
            raise Skipped(f"uses {name}")

    return Parser


RECORDS = ("ToolCall", "FunctionCall", "ChatCompletionRequest", "ChatCompletionToolsParam", "FunctionDefinition", "FunctionTool", "DeltaMessage", "ExtractedToolCallInformation")


class Empty(types.ModuleType):
    """A module in which everything exists."""

    format = None
    # whether the test has read a text
    read = False

    def __init__(self, name):
        super().__init__(name)
        self.__path__ = []

    def __getattr__(self, name):
        if name.startswith("__"):
            raise AttributeError(name)
        if name == "ToolParserManager":
            return Record(get_tool_parser=lambda _: parser_class(Empty.format))
        if name.endswith("ToolParser"):
            return parser_class(Empty.format)
        if name in RECORDS:
            return Record
        return Unknown


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Makes modules that are not installed, and those of vLLM, empty ones."""

    def find_spec(self, name, path, target=None):
        if name.startswith("tests"):
            return None
        if name.split(".")[0] in ("vllm", "transformers", "openai", "torch", "xgrammar", "regex", "pydantic", "huggingface_hub", "partial_json_parser", "tokenizers", "mistral_common"):
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec):
        return Empty(spec.name)

    def exec_module(self, module):
        pass


class Parameter:
    def __init__(self, *values, **named):
        self.values = values


class Mark:
    """`pytest.mark`: parameters are kept, all other marks are ignored."""

    def __getattr__(self, name):
        if name == "parametrize":
            return self.parametrize
        return lambda *arguments, **named: arguments[0] if len(arguments) == 1 and callable(arguments[0]) else (lambda one: one)

    @staticmethod
    def parametrize(argnames, argvalues, **named):
        names = [name.strip() for name in argnames.split(",")] if isinstance(argnames, str) else list(argnames)

        def marked(function):
            function.sets = [*getattr(function, "sets", []), (names, list(argvalues))]
            return function

        return marked


def fixture(function=None, **named):
    def marked(function):
        function.is_fixture, function.params = True, named.get("params")
        return function

    return marked(function) if function else marked


def raises(*arguments, **named):
    raise Skipped("expects an error")


def skip(*arguments, **named):
    raise Skipped("skipped by vLLM")


def pytest_module():
    module = types.ModuleType("pytest")
    module.fixture, module.mark, module.param = fixture, Mark(), Parameter
    module.raises, module.skip, module.xfail = raises, skip, skip
    module.FixtureRequest = module.MonkeyPatch = module.LogCaptureFixture = Record
    module.importorskip = lambda *_, **__: Unknown()
    module.approx = lambda value, **_: value
    module.fail = lambda message="": (_ for _ in ()).throw(AssertionError(message))
    return module


def values_of(function):
    """The arguments of each run of a test."""
    runs = [{}]
    for names, values in getattr(function, "sets", []):
        rows = []
        for value in values:
            value = value.values if isinstance(value, Parameter) else value if len(names) > 1 else (value,)
            rows.append(dict(zip(names, value)))
        runs = [{**one, **row} for one, row in itertools.product(runs, rows)]
    return runs


def resolved(name, scope, instance, given, depth=0):
    """The value of a fixture."""
    if name in given:
        return given[name]
    found = getattr(instance, name, None) if instance is not None else None
    function = found if getattr(found, "is_fixture", False) else scope.get(name)
    if name in ("request", "monkeypatch", "caplog") or not getattr(function, "is_fixture", False) or depth > 9:
        params = given.get("__params__")
        return Record(param=params[0] if params else None) if name == "request" else Unknown()
    inner = {"__params__": function.params} if function.params else {}
    names = [one for one in inspect.signature(function).parameters if one != "self"]
    made = function(**{one: resolved(one, scope, instance, {**given, **inner}, depth + 1) for one in names})
    return next(made) if inspect.isgenerator(made) else made


def run(name, function, scope, instance):
    if "stream" in name:
        return [("skipped", "reads in pieces")]
    outcomes = []
    for given in values_of(function):
        if given.get("streaming") is True or given.get("is_streaming") is True:
            continue
        Empty.read = False
        try:
            names = [one for one in inspect.signature(function).parameters if one != "self"]
            function(**{one: resolved(one, scope, instance, given) for one in names})
            outcomes.append(("agree", "") if Empty.read else ("skipped", "reads no text"))
        except Skipped as reason:
            outcomes.append(("skipped", str(reason)))
        except AssertionError as error:
            line = traceback.extract_tb(error.__traceback__)[-1].line
            outcomes.append(("differ", f"{line} {error}") if Empty.read else ("skipped", "reads no text"))
        except Exception as error:
            outcomes.append(("skipped", f"{type(error).__name__} {error}"))
    return outcomes


def main(folder, formats):
    sys.path.insert(0, folder)
    sys.modules["pytest"] = pytest_module()
    sys.meta_path.insert(0, Finder())
    for file, format in formats.items():
        Empty.format = format
        for name in [name for name in sys.modules if name.split(".")[0] in ("vllm", "tests")]:
            del sys.modules[name]
        path = Path(folder, "tests", "tool_parsers", file)
        spec = importlib.util.spec_from_file_location(f"tests.tool_parsers.{path.stem}", path)
        module = importlib.util.module_from_spec(spec)
        try:
            spec.loader.exec_module(module)
        except Exception as error:
            print(json.dumps({"test": file, "outcome": "skipped", "detail": f"{type(error).__name__} {error}"}), flush=True)
            continue
        scope = vars(module)
        tests = [(name, one, None) for name, one in scope.items() if name.startswith("test_") and inspect.isfunction(one)]
        for kind in [one for name, one in scope.items() if name.startswith("Test") and inspect.isclass(one) and one.__module__ == module.__name__]:
            instance = kind()
            for name, one in inspect.getmembers(instance, inspect.ismethod):
                if name.startswith("test_") and not getattr(one, "is_fixture", False):
                    tests.append((f"{kind.__name__}.{name}", one, instance))
        for name, function, instance in tests:
            for index, (outcome, detail) in enumerate(run(name, function, scope, instance)):
                print(json.dumps({"test": f"{file}: {name}[{index}]", "outcome": outcome, "detail": detail[:300]}), flush=True)


main(sys.argv[1], json.loads(sys.argv[2]))
