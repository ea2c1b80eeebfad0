"""The bot for Discord is a distribution of its own: built, installed, and right by its own tests at a table that is served.

Its tests run discord.py against a gateway of this computer, and ask a real server. Only dependencies are lent by the environment
that runs the tests.
"""

from __future__ import annotations

import ast
import tomllib
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.clean_environment import ROOT, CleanEnvironment, build_wheels
from tests.support.needs import needs

BOT = ROOT / "examples" / "plugins" / "rollbook-discord"
CODE = BOT / "rollbook_discord"
LONGEST = 250
"""Lines of the bot, without docstrings and blank ones."""


@pytest.mark.process
@needs("discord", "httptools")
def test_it_is_installed_and_its_own_tests_pass(tmp_path: Path, wheel: str) -> None:
    shelf = tmp_path / "wheels"
    shelf.mkdir()
    place = CleanEnvironment.create(tmp_path, [wheel, *build_wheels(shelf, BOT)])
    said = place.run(
        place.python, "-m", "pytest", "-q", "-p", "no:cacheprovider", "-p", "no:xdist", str(BOT), cwd=tmp_path
    )
    assert " passed" in said and "failed" not in said
    (tmp_path / "table.toml").write_text(example())
    assert "A token is missing: $DISCORD_TOKEN" in place.run(
        str(place.bin / "rollbook-discord"), fails=True, cwd=tmp_path
    )


def example() -> str:
    """The settings in the README."""
    indented = (BOT / "README.md").read_text(encoding="utf-8").split("    server =")[1].split("    chmod")[0]
    return "\n".join(line.strip() for line in f"server ={indented}".splitlines())


def test_the_settings_of_the_readme_can_be_read() -> None:
    assert set(tomllib.loads(example())) == {"server", "campaign", "guild", "channel", "tokens"}


def test_it_imports_nothing_of_rollbook() -> None:
    imported = {name.partition(".")[0] for path in CODE.glob("*.py") for name in imports(path)}
    assert "discord" in imported and "rollbook" not in imported


def imports(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module:
            yield node.module


def test_it_is_short() -> None:
    lines = [line.strip() for path in CODE.glob("*.py") for line in path.read_text(encoding="utf-8").splitlines()]
    assert len([line for line in lines if line and not line.startswith('"""')]) <= LONGEST
