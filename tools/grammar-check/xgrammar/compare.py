"""Compares the languages of pairs of structural tags, of a file that `toolwire-grammar-check golden FOLDER` prints.

Both tags read the texts of each pair: text, calls and reasoning. After each character that both accept, each must accept the same
characters and markers of both tags, and may end or not. A difference is where they part:
`<place>: <text before>⟂<what only one of them accepts>`; the place is text, a call, or after calls. differences.json names each with its reason; an unnamed one fails, and so does a name
that is about nothing.
"""

import json
import re
import sys
from pathlib import Path

from engine import xgrammar

END = "<end>"
# more than so many characters: free text
ANY = "<any>"
MANY = 25
CHARACTERS = [chr(code) for code in range(32, 127) if not chr(code).isalnum()] + list("012afnqtxEFNT\n中")

info = xgrammar.TokenizerInfo([bytes([byte]) for byte in range(256)] + [b"<eos>"], stop_token_ids=[256])
compiler = xgrammar.GrammarCompiler(info)


def started(tag, before):
    matcher = xgrammar.GrammarMatcher(compiler.compile_structural_tag(tag))
    if before and not matcher.accept_string(before):
        raise ValueError(f"does not accept {before!r}")
    return matcher


def markers(node, found):
    """The texts of a tag, and the names of properties."""
    if isinstance(node, dict):
        for key, value in node.items():
            if key == "properties":
                found.update(value)
            elif isinstance(value, str) and key in {"value", "begin", "end", "separator"}:
                found.add(value)
            markers(value, found)
    elif isinstance(node, list):
        for one in node:
            if isinstance(one, str):
                found.add(one)
            markers(one, found)


def accepts(matcher, text):
    return matcher.fork().accept_string(text)


def parting(sides, text):
    """How far both sides accept a text, and whether one of them goes on."""
    sides = [side.fork() for side in sides]
    for at, character in enumerate(text):
        both = [side.accept_string(character) for side in sides]
        if not all(both):
            return at, any(both)
    return len(text), False


class Pair:
    def __init__(self, line, model):
        self.model = line["model"]
        self.case = line["case"]
        # what calls begin and end with
        self.call = model["call"]
        reasoning = line["reasoning"]
        before = model.get("before", {}).get(reasoning, "t</think>" if reasoning == "enabled" else "")
        self.sides = [started(line["ours"], ""), started(line["theirs"], before)]
        found = set()
        markers(line["ours"], found)
        markers(line["theirs"], found)
        self.markers = sorted(text for text in found if len(text) > 1)
        self.texts = line["texts"]
        self.found = {}
        # after which texts one side is in free text and the other is not
        self.free = {}

    def differs(self, before, text, ours):
        side = "ours" if ours else "theirs"
        begun, ended = before.rfind(self.call[0]), before.rfind(self.call[1])
        place = "text" if begun < 0 else "call" if ended < begun else "after"
        self.found.setdefault((side, f"{place}: {before[-60:]}⟂{text}"), self.case)

    def compare(self, sides, before, free):
        """Reports where the sides differ after a text. Returns which side is in free text where the other is not: what else it accepts
        there is no news."""
        both, single = [], ([], [])
        ends = [side.is_completed() for side in sides]
        if ends[0] != ends[1] and not free[ends.index(True)]:
            self.differs(before, END, ends[0])
        for text in CHARACTERS:
            accepted = [accepts(side, text) for side in sides]
            if all(accepted):
                both.append(text)
            elif any(accepted):
                single[accepted.index(True)].append(text)
        now = [len(only) > MANY for only in single]
        for side, only in enumerate(single):
            if not free[side]:
                for text in [ANY] if now[side] else only:
                    self.differs(before, text, side == 0)
        for text in self.markers if not before or before.endswith(tuple(self.markers)) else []:
            if text[0] not in both:
                continue
            at, differ = parting(sides, text)
            if differ:
                side = 0 if accepts(sides[0], text[: at + 1]) else 1
                if not free[side]:
                    self.differs(before + text[:at], text[at:], side == 0)
        return now

    def follow(self, text):
        sides, free = [side.fork() for side in self.sides], (False, False)
        for at in range(len(text) + 1):
            before = text[:at]
            if before not in self.free:
                self.free[before] = self.compare(sides, before, free)
            free = self.free[before]
            if not all([side.accept_string(text[at : at + 1]) for side in sides]):
                return

    def run(self):
        for text in self.texts:
            self.follow(text)
        return self.found


def main():
    known = json.loads((Path(__file__).parent / "differences.json").read_text())
    rules = [Rule(rule) for rule in known["differences"]]
    shown = {}
    pairs = 0
    for line in map(json.loads, Path(sys.argv[1]).open()):
        pairs += 1
        model, case = line["model"], line["case"]
        try:
            found = Pair(line, known["models"][model]).run()
        except Exception as error:
            found = {("theirs", f"⟂{' '.join(str(error).split())[:200]}"): case}
        for side, at in found:
            if not any(rule.names(model, case, side, at) for rule in rules):
                shown.setdefault((model, side, at), case)
    for (model, side, at), case in shown.items():
        print(f"{model}, {case}: only {side}: {at!r}")
    idle = [one for rule in rules for one in rule.idle()]
    for one in idle:
        print(f"nothing differs: {one}")
    print(f"{pairs} pairs, {len(shown)} differences that are not named, {len(idle)} names of none", file=sys.stderr)
    return 1 if shown or idle else 0


class Rule:
    """A named difference."""

    def __init__(self, rule):
        self.side, self.at, self.case = rule["side"], rule["at"], rule.get("case", "")
        self.models = rule["models"]
        self.used = set()

    def names(self, model, case, side, at):
        if side != self.side or (self.models != "all" and model not in self.models):
            return False
        if not re.search(self.case, case) or not re.search(self.at, at, re.DOTALL):
            return False
        self.used.add(model)
        return True

    def idle(self):
        about = f"{self.side}, {self.at!r}"
        if self.models == "all":
            return [] if self.used else [about]
        return [f"{model}, {about}" for model in self.models if model not in self.used]


if __name__ == "__main__":
    sys.exit(main())
