"""Distributions with rulesets, real enough: folders with metadata and an entry point, put on the path as an installer would."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

from rollbook.domain.base.identifiers import GROUP

GOOD = """
import attrs
from rollbook.plugin import Action, Ruleset, Sheet, Table

class Shout(Action, verb="shout"):
    def resolve(self, table: Table) -> None:
        table.refuse("Not now.")

def sheet(who, campaign):
    return Sheet(character=who.id, name=who.name)

def made(key, **more):
    given = dict(key=key, title="A game", version="1", summary="", actions=(Shout,), sheet=sheet) | more
    return Ruleset(**given)
"""

Install = Callable[..., None]


@pytest.fixture
def install(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Install:
    """Install a distribution with one package and some rulesets: ``install("dist", "package", code, key="VALUE")``."""
    monkeypatch.syspath_prepend(tmp_path)

    def put(distribution: str, module: str, code: str, version: str = "1.0", **points: str) -> None:
        (tmp_path / module).mkdir(exist_ok=True)
        (tmp_path / module / "__init__.py").write_text(code, encoding="utf-8")
        info = tmp_path / f"{distribution.replace('-', '_')}-{version}.dist-info"
        info.mkdir(exist_ok=True)
        (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {distribution}\nVersion: {version}\n")
        lines = [f"{key.replace('_', '-')} = {module}{value}" for key, value in points.items()]
        (info / "entry_points.txt").write_text(f"[{GROUP}]\n" + "\n".join(lines) + "\n")

    return put


def put_module(folder: Path, group: str, name: str, value: str, code: str) -> None:
    """Put a distribution into a folder on the path: one module, with one entry point ``name = value`` in a group."""
    module = value.partition(":")[0]
    (folder / f"{module}.py").write_text(code, encoding="utf-8")
    info = folder / f"{module}-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text(f"Metadata-Version: 2.1\nName: {module}\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[{group}]\n{name} = {value}\n")
