"""The page of threats names tests that there are, and one for every attempt that it says is stopped."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(test_\w+)`")


def rows() -> list[list[str]]:
    """The cells of every row of its tables that is no heading."""
    lines = [line for line in PAGE.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[-1] not in ("tested by", "---")]


def test_every_test_that_the_page_names_is_there() -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = set(re.findall(r"^def (test_\w+)\(", "\n".join(sources), re.MULTILINE))
    assert set(NAMED.findall(PAGE)) - there == set()


def test_every_attempt_that_is_stopped_is_tested() -> None:
    found = rows()
    assert len(found) > 20
    for row in found:
        assert len(row) == 4, row
        assert NAMED.findall(row[-1]) and not NAMED.sub("", row[-1]).strip(), row


def test_the_page_names_the_four_and_what_nothing_stops() -> None:
    titles = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert titles == ["A player", "A GM", "The host", "A stranger with a file", "What nothing stops"]
