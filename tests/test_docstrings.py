"""A docstring begins with a verb or a noun: not with a question word, and not with a subject that is anybody."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
FOLDERS = (
    "domain",
    "projections",
    "application",
    "adapters",
    "ruleset_plugins",
    "rollbook",
    "benchmarks",
    "tests/support",
)
QUESTIONS = re.compile(r"(What|Whether|Who|Whom|Whose|Which|That|How|Where|When)\b")
ANYBODY = re.compile(r"(Everybody|Nobody|Somebody|Anybody|Whatever|Everyone|Someone|Anyone)\b")


def docstrings() -> Iterator[tuple[str, str]]:
    """The place and the first line of each docstring: of modules, classes, functions and attributes."""
    for folder in FOLDERS:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
                body = getattr(node, "body", None)
                for statement in body if isinstance(body, list) else ():
                    match statement:
                        case ast.Expr(value=ast.Constant(value=str(text))):
                            yield f"{path.relative_to(ROOT)}:{statement.lineno}", text.strip().split("\n")[0]


@pytest.fixture(scope="module")
def every() -> list[tuple[str, str]]:
    """All docstrings."""
    return list(docstrings())


@pytest.mark.parametrize("wrong", [QUESTIONS, ANYBODY], ids=["question words", "anybody"])
def test_a_docstring_begins_with_a_verb_or_a_noun(every: list[tuple[str, str]], wrong: re.Pattern[str]) -> None:
    assert len(every) > 4_000
    assert not [f"{place}: {line}" for place, line in every if wrong.match(line)]
