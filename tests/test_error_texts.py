"""Nobody looks into the text of an error: what a caller has to know of it is an attribute, so that any sentence may change."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
FOLDERS = ("domain", "projections", "application", "adapters", "ruleset_plugins", "rollbook")

OUTSIDE = {
    "adapters/local_files/sqlite_faults.py": "SQLite and its pool say it in words alone",
    "adapters/web/api/endpoint.py": "msgspec gives the field in words",
    "adapters/imports/bounded.py": "YAML and JSON give the place in words",
    "application/encoding/codec.py": "msgspec gives the field in words",
    "adapters/storage/postgres/failures.py": "libpq says in words alone why it does not connect",
    "adapters/storage/postgres/lines.py": "libpq says in words alone why it does not connect",
    "rollbook/kit/data.py": "msgspec gives the field in words",
    "rollbook/testing/scenarios.py": "a test of a ruleset says what a refusal says",
}
"""The files that may: they translate the words of an outside library, or test a sentence."""

LOOKS = {"startswith", "endswith", "find", "index", "removeprefix", "removesuffix", "partition", "rpartition", "split"}
"""Methods of a text that depend on what it says; line breaks and full stops at the end of it are its form."""

PATTERNS = {"search", "match", "fullmatch", "findall", "finditer", "sub"}
ERRORS = ("Error", "Exception", "Refused", "NotFound", "Missing", "Fault")


def looks_into_errors(source: str) -> Iterator[int]:
    """The lines on which the text of an error is asked what it says."""
    for function in ast.walk(ast.parse(source)):
        if isinstance(function, ast.FunctionDef | ast.AsyncFunctionDef):
            yield from _looks_in(function)


def _looks_in(function: ast.FunctionDef | ast.AsyncFunctionDef) -> Iterator[int]:
    nodes = list(ast.walk(function))
    errors = {node.name for node in nodes if isinstance(node, ast.ExceptHandler) and node.name}
    errors |= {
        each.arg
        for each in (*function.args.args, *function.args.kwonlyargs)
        if each.annotation is not None and any(word in ast.unparse(each.annotation) for word in ERRORS)
    }
    texts = {
        name.id
        for node in nodes
        if isinstance(node, ast.Assign) and _is_text(node.value, errors, frozenset())
        for name in node.targets
        if isinstance(name, ast.Name)
    }
    for node in nodes:
        if isinstance(node, ast.Compare):
            is_said = any(isinstance(each, ast.In | ast.NotIn | ast.Eq | ast.NotEq) for each in node.ops)
            if is_said and any(_is_text(each, errors, texts) for each in node.comparators):
                yield node.lineno
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute):
            is_of_form = all(isinstance(each, ast.Constant) and not str(each.value).strip() for each in node.args)
            is_asked = node.func.attr in LOOKS and not is_of_form and _is_text(node.func.value, errors, texts)
            is_matched = node.func.attr in PATTERNS and any(_is_text(each, errors, texts) for each in node.args)
            if is_asked or is_matched:
                yield node.lineno


def _is_text(node: ast.expr, errors: set[str], texts: set[str] | frozenset[str]) -> bool:
    """Tell if it is the text of an error: ``str(error)``, or a name that was given it."""
    if isinstance(node, ast.Name):
        return node.id in texts
    is_str = isinstance(node, ast.Call) and isinstance(node.func, ast.Name) and node.func.id == "str"
    return is_str and any(isinstance(each, ast.Name) and each.id in errors for each in node.args)


@pytest.mark.parametrize(
    "look",
    [
        "if 'closed' in str(fault): pass",
        "str(fault).startswith('There')",
        "said = str(fault)\n        re.search('x', said)",
        "said = str(fault)\n        if 'x' in said: pass",
        "if said == str(fault): pass",
    ],
)
def test_a_look_into_the_text_of_an_error_is_found(look: str) -> None:
    caught = f"def f():\n    try:\n        g()\n    except RollbookError as fault:\n        {look}\n"
    handed = f"def f(fault: RollbookError):\n    if fault:\n        {look}\n"
    assert list(looks_into_errors(caught))
    assert list(looks_into_errors(handed))


def test_nobody_looks_into_the_text_of_an_error_but_who_translates_an_outside_librarys() -> None:
    files = {str(path.relative_to(ROOT)): path for name in FOLDERS for path in (ROOT / name).rglob("*.py")}
    assert len(files) > 500
    found = {name: [*looks_into_errors(path.read_text(encoding="utf-8"))] for name, path in files.items()}
    looking = {name: lines for name, lines in found.items() if lines}
    assert {name: lines for name, lines in looking.items() if name not in OUTSIDE} == {}
    assert set(OUTSIDE) <= set(looking), "a file that translates no more is left out of the list"
