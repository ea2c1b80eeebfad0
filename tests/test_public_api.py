"""The public API changes on purpose only: tests/public_api.txt lists it, and games use nothing else of the kit."""

from __future__ import annotations

import ast
from collections.abc import Iterator
from importlib import import_module
from pathlib import Path

import pytest

from tests.support.public_api import LIST, listing, modules

ROOT = Path(__file__).parents[1]
KIT = "rollbook.kit"
GAMES = sorted(path for folder in ("ruleset_plugins", "examples") for path in (ROOT / folder).rglob("*.py"))


def test_the_public_api_is_as_it_is_listed() -> None:
    assert listing().splitlines() == LIST.read_text(encoding="utf-8").splitlines(), (
        "meant? python -m tests.support.public_api"
    )


@pytest.mark.parametrize("name", modules())
def test_every_public_module_says_what_is_public(name: str) -> None:
    names = import_module(name).__all__
    assert len(names) == len(set(names)) > 0
    assert [each for each in names if each.startswith("_") and each != "__version__"] == []


def used_of_the_kit(path: Path) -> Iterator[tuple[str, str]]:
    """The modules of the kit that a file uses, each with a name that it takes from it."""
    tree, called = ast.parse(path.read_text(encoding="utf-8")), {}
    for node in ast.walk(tree):
        if isinstance(node, ast.ImportFrom) and node.module == KIT:
            called |= {alias.asname or alias.name: f"{KIT}.{alias.name}" for alias in node.names}
        elif isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{KIT}."):
            yield from ((node.module or "", alias.name) for alias in node.names)
    stored = {node.id for node in ast.walk(tree) if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Store)}
    stored |= {node.arg for node in ast.walk(tree) if isinstance(node, ast.arg)}
    for node in ast.walk(tree):
        if (
            isinstance(node, ast.Attribute)
            and isinstance(node.value, ast.Name)
            and node.value.id in called.keys() - stored
        ):
            yield called[node.value.id], node.attr


def test_games_use_nothing_of_the_kit_that_is_not_public() -> None:
    used = {(path.relative_to(ROOT).as_posix(), *use) for path in GAMES for use in used_of_the_kit(path)}
    assert len(used) > 300
    assert sorted(use for use in used if use[2] not in import_module(use[1]).__all__) == []
