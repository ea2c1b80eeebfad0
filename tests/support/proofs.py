"""Proofs of numbered rules by tests (a pytest plug-in)."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Generator, Iterable, Iterator
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any

import attrs
import pytest

from rollbook.kit import data
from tests.support.assertions import AssertionWatch, source_of

ROOT = Path(__file__).parents[2]
RULESETS = ("storytoken", "luckpoint", "powers", "russell", "grid", "srd5")
"""The rulesets that come with rollbook, in the order in which their rules are numbered: R0 to R5."""

TAGS = {
    "D": "dice are rolled",
    "E": "changes what is on record",
    "S": "derived for the sheet",
    "C": "somebody chooses or approves",
    "N": "for the table to read; nothing is enforced",
}
NEEDS_A_TEST = frozenset("DESC")
REPORT_VARIABLE = "ROLLBOOK_PROOFS"
"""The environment variable with the file into which this plug-in writes what was collected."""


@attrs.frozen
class Rule:
    """One numbered rule of a game: ``tags`` are letters of ``TAGS``, with commas between them, ``source`` its place.

    ``gm`` is how the GM says what the rule leaves to them: verbs with their options.
    """

    rule: str
    tags: str
    title: str
    source: str = ""
    gm: tuple[str, ...] = ()

    @property
    def letters(self) -> tuple[str, ...]:
        return tuple(self.tags.split(","))

    @property
    def needs_a_test(self) -> bool:
        return not NEEDS_A_TEST.isdisjoint(self.letters)


@attrs.frozen
class Ruling:
    """A ruling that a reader of the rules may argue about, its ``reason``, and the ``setting`` that leaves it to the table."""

    ruling: str
    setting: str
    title: str
    reason: str = ""


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
    return data.parse("rules.json", _data(key, "rules.json"), Rule)


def rulings_of(key: str) -> tuple[Ruling, ...]:
    """The rulings of a ruleset that became settings."""
    return data.parse("rulings.json", _data(key, "rulings.json"), Ruling)


def _data(key: str, file: str) -> str:
    return (ROOT / "ruleset_plugins" / key / "data" / file).read_text(encoding="utf-8")


@cache
def proofs_of(key: str) -> tuple[Proof, ...]:
    """The marked tests of a ruleset."""
    return tuple(
        attrs.evolve(proof, file=proof.file.removeprefix(f"{key}/"))
        for proof in _all_proofs()
        if proof.file.startswith(f"{key}/")
    )


@cache
def _all_proofs() -> tuple[Proof, ...]:
    return proofs_in(ROOT / "tests" / "ruleset_plugins")


def proofs_in(folder: Path) -> tuple[Proof, ...]:
    """The marked tests that pytest collects below a folder, in the order in which it does."""
    found: dict[tuple[str, str], Proof] = {}
    for item in _collected(folder):
        file, test, numbers, skipped = item["file"], item["test"], tuple(item["rules"]), item["skipped"]
        source = source_of(Path(file))
        fault = "is skipped" if skipped else "" if source.asserts(test) else "asserts nothing"
        shown = Path(file).relative_to(folder).as_posix()
        found.setdefault((file, test), Proof(shown, test, numbers, fault, source.words(test)))
    return tuple(found.values())


def _collected(folder: Path) -> list[dict[str, Any]]:
    """Tests that pytest itself finds there, in a process of its own."""
    with TemporaryDirectory() as place:
        report = Path(place) / "collected.json"
        ran = run_pytest(folder, "--collect-only", "--continue-on-collection-errors", **{REPORT_VARIABLE: str(report)})
        if not report.exists():
            raise AssertionError(f"pytest cannot collect {folder}:\n{ran.stdout}\n{ran.stderr}")
        found: list[dict[str, Any]] = json.loads(report.read_text(encoding="utf-8"))
        return found


def run_pytest(path: Path, *options: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """pytest in a process of its own, with this plug-in."""
    plain = ("-p", "no:cacheprovider", "-p", __name__, "-c", str(ROOT / "pyproject.toml"), "-n", "0", "-m", "")
    paths = os.pathsep.join((str(ROOT), *filter(None, sys.path)))
    return subprocess.run(
        [sys.executable, "-m", "pytest", *plain, *options, str(path)],
        cwd=ROOT,
        env={**os.environ, "PYTHONPATH": paths, **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def unproved_rules(rules: Iterable[Rule], proofs: Iterable[Proof]) -> list[str]:
    """The rules that need a test and have none that proves anything."""
    proved = {number for proof in proofs if not proof.fault for number in proof.numbers}
    return [rule.rule for rule in rules if rule.needs_a_test and rule.rule not in proved]


def unknown_marks(known: Iterable[str], proofs: Iterable[Proof]) -> list[str]:
    """Marks with a number that there is not."""
    numbers = set(known)
    return [
        f"{proof.file}::{proof.test} {number}"
        for proof in proofs
        for number in proof.numbers
        if number.startswith("R") and number not in numbers
    ]


def pytest_collection_finish(session: pytest.Session) -> None:
    """Write down the marked tests, if the variable for a report is set."""
    if os.environ.get(REPORT_VARIABLE):
        Path(os.environ[REPORT_VARIABLE]).write_text(json.dumps(list(_marked(session.items))), encoding="utf-8")


def _marked(items: Iterable[pytest.Item]) -> Iterator[dict[str, Any]]:
    for item in items:
        numbers = numbers_of(item)
        if numbers:
            skipped = any(item.get_closest_marker(mark) for mark in ("skip", "skipif", "xfail"))
            yield {"file": str(item.path), "test": _test_name(item), "rules": numbers, "skipped": skipped}


def numbers_of(item: pytest.Item) -> tuple[str, ...]:
    """The rules that a test claims to prove."""
    found: tuple[str, ...] = getattr(getattr(item, "obj", None), "rules", ())
    return found


def _test_name(item: pytest.Item) -> str:
    return ".".join(part.partition("[")[0] for part in item.nodeid.split("::")[1:])


@pytest.hookimpl(wrapper=True)
def pytest_runtest_call(item: pytest.Item) -> Generator[None, object, object]:
    """A marked test that passes without having executed an assertion fails all the same."""
    if not numbers_of(item) or sys.gettrace() is not None:
        return (yield)
    watch = AssertionWatch(str(item.path), source_of(item.path).lines())
    sys.settrace(watch.called)
    try:
        result = yield
    finally:
        sys.settrace(None)
    if not watch.has_asserted:
        pytest.fail(f"This test says that it proves {', '.join(numbers_of(item))}, but it has asserted nothing.")
    return result
