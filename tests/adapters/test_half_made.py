"""An object whose making failed is cleared away without a word: Python closes it, and would print what goes wrong then."""

from __future__ import annotations

import ast
import io
import subprocess
import sys
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.processes import ROOT

FOLDERS = ("adapters", "application", "domain", "projections", "rollbook", "ruleset_plugins")
OF_IO = {name for name, found in vars(io).items() if isinstance(found, type) and issubclass(found, io.IOBase)}
CLEARING = {"__del__"}


def closed_by_python() -> Iterator[tuple[str, str]]:
    """Classes that Python calls when it clears their objects away: streams, and those with a method for it."""
    for path in sorted(path for folder in FOLDERS for path in (ROOT / folder).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_bytes())):
            if isinstance(node, ast.ClassDef):
                bases = {getattr(base, "attr", getattr(base, "id", "")) for base in node.bases}
                methods = {each.name for each in node.body if isinstance(each, ast.FunctionDef)}
                if bases & OF_IO or methods & CLEARING:
                    yield ".".join(("rollbook", *path.relative_to(ROOT).with_suffix("").parts)), node.name


@pytest.mark.parametrize(("module", "name"), list(closed_by_python()))
def test_what_was_not_made_is_closed_without_a_fault(module: str, name: str) -> None:
    cls = getattr(import_module(module), name)
    made = cls.__new__(cls)
    for end in ("__del__", "close"):
        getattr(made, end, bool)()


@pytest.mark.process
def test_a_file_that_is_not_there_is_not_found_and_that_is_all_that_is_said(tmp_path: Path) -> None:
    script = f"""
from pathlib import Path
from rollbook.adapters.imports.bounded import opened
from rollbook.domain.base.errors import RollbookError
for name in ("nowhere", "no\\0name"):
    try:
        opened(Path({str(tmp_path)!r}, name), "It was not read.").__enter__()
    except RollbookError as refusal:
        print(refusal)
"""
    done = subprocess.run([sys.executable, "-X", "dev", "-c", script], capture_output=True, text=True, check=True)
    assert (done.stdout.count("It was not read."), done.stderr) == (2, "")
