"""Lines of a test that assert something, and whether one was executed."""

from __future__ import annotations

import ast
import fnmatch
import re
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from types import FrameType
from typing import Any

SCENARIO_ASSERTIONS = {"then": 1, "never": 1, "refused": 0}
"""Methods of the scenario kit that assert, and how many arguments they need for it."""


class ModuleSource:
    """The functions of one module of tests, and which lines of it assert something."""

    def __init__(self, text: str) -> None:
        self._tree = ast.parse(text)
        self._functions = dict(_functions(self._tree))

    def asserts(self, test: str) -> bool:
        """True if a test asserts something, by itself or by functions of its module that it calls."""
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
            if asked >= SCENARIO_ASSERTIONS.get(node.func.attr, 1_000) or ast.unparse(node.func) == "pytest.raises":
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
def source_of(file: Path) -> ModuleSource:
    """A module of tests, read once."""
    return ModuleSource(file.read_text(encoding="utf-8"))


class AssertionWatch:
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


def says(expected: str, said: str) -> bool:
    """True if a command says what the page shows; three dots stand for anything."""
    pattern = re.sub(r"([\[\]?*])", r"[\1]", expected.strip()).replace("...", "*")
    return fnmatch.fnmatchcase("\n".join(line.rstrip() for line in said.strip().splitlines()), pattern)
