"""Which tests prove which rules. A mark ``@rule("R0.38")`` counts on a test that pytest collects and that asserts something.

What a test asserts is looked at twice. Its source must hold an assertion that it reaches by itself or by functions of the same
module; and whenever it runs, one of those lines must be executed, or it fails (this file is a pytest plug-in that sees to it).
"""

from __future__ import annotations

import ast
import json
import os
import subprocess
import sys
from collections.abc import Callable, Generator, Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Any

import attrs
import pytest

from ruleset_plugins import structured

ROOT = Path(__file__).parents[2]
RULESETS = ("storytoken", "luckpoint", "powers", "russell", "grid")
"""The rulesets that come with rollbook, in the order in which their rules are numbered: R0 to R4."""

TAGS = {
    "D": "dice are rolled",
    "E": "changes what is on record",
    "S": "derived for the sheet",
    "C": "somebody chooses or approves",
    "N": "for the table to read; nothing is enforced",
}
NEEDS_A_TEST = frozenset("DESC")
REPORT = "ROLLBOOK_PROOFS"
"""The environment variable with the file into which this plug-in writes what was collected."""

KIT = {"then": 1, "never": 1, "refused": 0}
"""What of the scenario kit asserts, and how many arguments it must have to do so."""


@attrs.frozen
class Rule:
    """One numbered rule of a game: ``tags`` are letters of ``TAGS``, with commas between them."""

    rule: str
    tags: str
    title: str

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.tags.split(","))

    @property
    def needs_a_test(self) -> bool:
        return not NEEDS_A_TEST.isdisjoint(self.letters)


@attrs.frozen
class Ruling:
    """A ruling that a reader of the rules may argue about, and the ``setting`` that leaves it to the table."""

    ruling: str
    setting: str
    title: str


@attrs.frozen
class Proof:
    """One test that is marked with numbers. ``fault`` says why it proves nothing, "" if it does; ``words`` are its source's."""

    file: str
    test: str
    numbers: tuple[str, ...]
    fault: str = ""
    words: frozenset[str] = frozenset()


def rules_of(key: str) -> tuple[Rule, ...]:
    """The rules of a ruleset, from its own data."""
    return structured("rules.json", _data(key, "rules.json"), Rule)


def rulings_of(key: str) -> tuple[Ruling, ...]:
    """The rulings of a ruleset that became settings."""
    return structured("rulings.json", _data(key, "rulings.json"), Ruling)


def _data(key: str, file: str) -> str:
    return (ROOT / "ruleset_plugins" / key / "data" / file).read_text(encoding="utf-8")


# What is proved.


@cache
def proofs_of(key: str) -> tuple[Proof, ...]:
    """The marked tests of a ruleset."""
    folder = ROOT / "tests" / "ruleset_plugins" / key
    return proofs_in(folder) if folder.exists() else ()


def proofs_in(folder: Path) -> tuple[Proof, ...]:
    """The marked tests that pytest collects below a folder, in the order in which it does."""
    found: dict[tuple[str, str], Proof] = {}
    for item in _collected(folder):
        file, test, numbers, skipped = item["file"], item["test"], tuple(item["rules"]), item["skipped"]
        source = sources_of(Path(file))
        fault = "is skipped" if skipped else "" if source.asserts(test) else "asserts nothing"
        shown = Path(file).relative_to(folder).as_posix()
        found.setdefault((file, test), Proof(shown, test, numbers, fault, source.words(test)))
    return tuple(found.values())


def _collected(folder: Path) -> list[dict[str, Any]]:
    """What pytest itself finds there, in a process of its own."""
    with TemporaryDirectory() as place:
        report = Path(place) / "collected.json"
        ran = run_pytest(folder, "--collect-only", "--continue-on-collection-errors", **{REPORT: str(report)})
        if not report.exists():
            raise AssertionError(f"pytest cannot collect {folder}:\n{ran.stdout}\n{ran.stderr}")
        found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))
        return found


def run_pytest(path: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, with this plug-in."""
    plain = ("-p", "no:cacheprovider", "-p", __name__, "-c", str(ROOT / "pyproject.toml"))
    paths = os.pathsep.join((str(ROOT), *filter(None, sys.path)))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plain, *options, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def unproved(rules: Iterable[Rule], proofs: Iterable[Proof]) -> list[str]:
    """The rules that need a test and have none that proves anything."""
    proved = {number for proof in proofs if not proof.fault for number in proof.numbers}
    return [rule.rule for rule in rules if rule.needs_a_test and rule.rule not in proved]


def unknown(known: Iterable[str], proofs: Iterable[Proof]) -> list[str]:
    """Marks with a number that there is not."""
    numbers = set(known)
    return [
        f"{proof.file}::{proof.test} {number}"
        for proof in proofs
        for number in proof.numbers
        if number.startswith("R") and number not in numbers
    ]


# What a test asserts.


class Sources:
    """The functions of one module of tests, and which lines of it assert something."""

    def __init__(self, text: str) -> None:
        self._tree = ast.parse(text)
        self._functions = dict(_functions(self._tree))

    def asserts(self, test: str) -> bool:
        """Whether a test asserts something, by itself or by functions of its module that it calls."""
        return any(any(_assertions(function)) for function in self._reached(test))

    def words(self, test: str) -> frozenset[str]:
        """Everything that a test and what it calls has a name or a text for: settings that it plays with are among them."""
        return frozenset(word for function in self._reached(test) for word in _words(function))

    def lines(self) -> frozenset[int]:
        """The lines of all assertions of the module."""
        ranges = (range(node.lineno, (node.end_lineno or node.lineno) + 1) for node in _assertions(self._tree))
        return frozenset(line for lines in ranges for line in lines)

    def _reached(self, test: str) -> list[ast.AST]:
        wanted, seen = [test], dict[str, ast.AST]()
        while wanted:
            name = wanted.pop()
            if name in self._functions and name not in seen:
                seen[name] = self._functions[name]
                wanted += [node.func.id for node in ast.walk(seen[name]) if _calls_by_name(node)]
        return list(seen.values())


def _calls_by_name(node: ast.AST) -> bool:
    return isinstance(node, ast.Call) and isinstance(node.func, ast.Name)


def _functions(tree: ast.AST, inside: str = "") -> Iterator[tuple[str, ast.AST]]:
    for node in ast.iter_child_nodes(tree):
        if isinstance(node, ast.FunctionDef):
            yield f"{inside}{node.name}", node
        elif isinstance(node, ast.ClassDef):
            yield from _functions(node, f"{inside}{node.name}.")


def _assertions(tree: ast.AST) -> Iterator[ast.stmt | ast.expr]:
    for node in ast.walk(tree):
        if isinstance(node, ast.Assert) and not isinstance(node.test, ast.Constant | ast.Tuple):
            yield node
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            asked = len(node.args) + len(node.keywords)
            if asked >= KIT.get(node.func.attr, 1_000) or ast.unparse(node.func) == "pytest.raises":
                yield node


def _words(tree: ast.AST) -> Iterator[str]:
    for node in ast.walk(tree):
        if isinstance(node, ast.keyword) and node.arg:
            yield node.arg
        elif isinstance(node, ast.Constant) and isinstance(node.value, str):
            yield node.value
        elif isinstance(node, ast.Attribute):
            yield node.attr
        elif isinstance(node, ast.arg):
            yield node.arg


@cache
def sources_of(file: Path) -> Sources:
    """A module of tests, read once."""
    return Sources(file.read_text(encoding="utf-8"))


# The plug-in.


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write down the marked tests, if somebody asks for them."""
    if os.environ.get(REPORT):
        Path(os.environ[REPORT]).write_text(json.dumps(list(_marked(session.items))), encoding="utf-8")


def _marked(items: Iterable[pytest.Item]) -> Iterator[dict[str, Any]]:
    for item in items:
        numbers = numbers_of(item)
        if numbers:
            skipped = any(item.get_closest_marker(mark) for mark in ("skip", "skipif", "xfail"))
            yield {"file": str(item.path), "test": _test_name(item), "rules": numbers, "skipped": skipped}


def numbers_of(item: pytest.Item) -> tuple[str, ...]:
    """What a test says that it proves."""
    found: tuple[str, ...] = getattr(getattr(item, "obj", None), "rules", ())
    return found


def _test_name(item: pytest.Item) -> str:
    return ".".join(part.partition("[")[0] for part in item.nodeid.split("::")[1:])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A marked test that passes without having executed an assertion fails all the same."""
    if not numbers_of(item) or sys.gettrace() is not None:
        return (yield)
    watch = Watch(str(item.path), sources_of(item.path).lines())
    sys.settrace(watch.called)
    try:
        result = yield
    finally:
        sys.settrace(None)
    if not watch.has_asserted:
        pytest.fail(f"This test says that it proves {', '.join(numbers_of(item))}, but it has asserted nothing.")
    return result


class Watch:
    """Looks on until a line that asserts something is executed, then goes away."""

    def __init__(self, file: str, lines: frozenset[int]) -> None:
        self._file = file
        self._lines = lines
        self.has_asserted = False

    def called(self, frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        """A function is called: its lines are looked at if it stands in the module."""
        return self._step if event == "call" and frame.f_code.co_filename == self._file else None

    def _step(self, frame: FrameType, event: str, _: object) -> Callable[..., Any] | None:
        if event == "line" and frame.f_lineno in self._lines:
            self.has_asserted = True
            sys.settrace(None)
            return None
        return self._step
