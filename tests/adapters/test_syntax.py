"""The digest of a file of rules changes with what it decides, and with nothing else."""

from __future__ import annotations

import ast
import random
from pathlib import Path

import pytest

from rollbook.adapters.plugins.syntax import Decided, decided

ROOT = Path(__file__).parents[2]
CODE = b'''"""Says what a blow does."""

from rollbook.domain import events
from rollbook.domain.rules.table import Table
import math


class Blow:
    """A blow."""

    TEXT = "rollbook.kit.d20"

    def resolve(self, table: Table) -> None:
        """Hurts."""
        harm = max(1, math.floor(self.strength / 2))  # half of it
        table.record(events.DamageTaken(amount=harm, of=f"{harm} points"))
'''
OURS = {
    "rollbook.domain",
    "rollbook.domain.events",
    "rollbook.domain.rules.table",
    "rollbook.kit.d20",
    "rollbook.rules.d20",
}


def read(code: bytes, name: str = "blow.py") -> Decided:
    found = decided(name, code, OURS.__contains__)
    assert found is not None
    return found


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b'"""Hurts."""', b'"""Takes hit points away."""'),
        (b'"""Says what a blow does."""\n', b""),
        (b"  # half of it", b""),
        (b"max(1, math", b"max(\n            1,\n            math"),
        (b'"rollbook.kit.d20"', b'"rollbook.rules.d20"'),
        (b"import math\n", b"\n\nimport math\n"),
    ],
)
def test_words_layout_and_names_of_modules_decide_nothing(old: bytes, new: bytes) -> None:
    assert old in CODE
    assert read(CODE.replace(old, new)) == read(CODE)


def test_the_order_of_imports_decides_nothing() -> None:
    first, second = b"from rollbook.domain import events\n", b"import math\n"
    assert read(CODE.replace(first, b"").replace(second, second + first)) == read(CODE)


@pytest.mark.parametrize(
    ("old", "new"),
    [
        (b"/ 2", b"/ 3"),
        (b"max(1", b"min(1"),
        (b"amount=harm", b"amount=-harm"),
        (b"import math", b"import cmath as math"),
        (b"import events", b"import events as happenings"),
        (b" points", b" hit points"),
        (b"class Blow", b"class Stroke"),
        (b"self.strength / 2", b"self.strength // 2"),
    ],
)
def test_everything_else_decides(old: bytes, new: bytes) -> None:
    assert old in CODE
    assert read(CODE.replace(old, new)) != read(CODE)


def test_data_is_read_by_its_values_and_other_files_byte_for_byte() -> None:
    assert read(b'{"a": [1, 2]}', "x.json") == read(b'{ "a" : [1,\n2] }\n', "x.json")
    assert read(b'{"a": [1, 2]}', "x.json") != read(b'{"a": [2, 1]}', "x.json")
    assert read(b"1,2", "x.csv") != read(b"1,2", "y.csv") != read(b"1,3", "y.csv")
    assert decided("README.md", b"words", OURS.__contains__) is None


class Change(ast.NodeTransformer):
    """Changes the constant, name or operator of that number, the first being 0."""

    def __init__(self, number: int) -> None:
        self.left = number

    def visit(self, node: ast.AST) -> ast.AST:
        self.generic_visit(node)
        if isinstance(node, ast.Constant) and not isinstance(node.value, str):
            self._count(node, "value", 7 if node.value != 7 else 8)
        elif isinstance(node, ast.Name):
            self._count(node, "id", f"{node.id}_")
        elif isinstance(node, ast.BinOp):
            self._count(node, "op", ast.Sub() if not isinstance(node.op, ast.Sub) else ast.Add())
        elif isinstance(node, ast.Compare):
            self._count(
                node, "ops", [ast.NotEq() if not isinstance(node.ops[0], ast.NotEq) else ast.Eq(), *node.ops[1:]]
            )
        return node

    def _count(self, node: ast.AST, field: str, value: object) -> None:
        if self.left == 0:
            setattr(node, field, value)
        self.left -= 1


@pytest.mark.slow
@pytest.mark.parametrize(
    "module", ["domain/state/fold/characters.py", "rollbook/kit/dying.py", "ruleset_plugins/storytoken/fight/attack.py"]
)
def test_no_change_of_a_value_a_name_or_an_operator_goes_unseen(module: str) -> None:
    code = (ROOT / module).read_bytes()
    was, counting = read(code), Change(-1)
    counting.visit(ast.parse(code))
    many = -1 - counting.left
    assert many > 50
    for number in random.Random(module).sample(range(many), min(many, 120)):
        changed = ast.unparse(ast.fix_missing_locations(Change(number).visit(ast.parse(code))))
        assert read(changed.encode()) != was, number
