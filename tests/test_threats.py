"""The pages of threats and of the web name tests that there are, and one for every attempt that is said to be stopped."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[1]
PAGE = (ROOT / "docs" / "threats.md").read_text(encoding="utf-8")
WEB = (ROOT / "docs" / "web.md").read_text(encoding="utf-8")
NAMED = re.compile(r"`(test_\w+)`")


def rows(page: str = PAGE) -> list[list[str]]:
    """The cells of every row of a page's tables that is no heading."""
    lines = [line for line in page.splitlines() if line.startswith("| ")]
    cells = [[cell.strip() for cell in line.strip("|").split("|")] for line in lines]
    return [row for row in cells if row[-1] not in ("tested by", "---")]


@pytest.mark.parametrize("page", [PAGE, WEB], ids=["threats", "web"])
def test_every_test_that_the_page_names_is_there(page: str) -> None:
    sources = [path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("test_*.py")]
    there = set(re.findall(r"^def (test_\w+)\(", "\n".join(sources), re.MULTILINE))
    assert set(NAMED.findall(page)) - there == set()


def test_every_attempt_that_is_stopped_is_tested() -> None:
    found = rows()
    assert len(found) > 20
    for row in found:
        assert len(row) == 4, row
        assert NAMED.findall(row[-1]) and not NAMED.sub("", row[-1]).strip(), row


def test_every_point_of_the_standard_that_applies_is_tested() -> None:
    points = [row for row in rows(WEB.partition("## OWASP ASVS")[2]) if row[0][0].isdigit()]
    assert len(points) > 35
    assert [row for row in points if not NAMED.findall(row[-1])] == []


def test_the_page_names_the_five_and_what_nothing_stops() -> None:
    titles = re.findall(r"^## (.+)$", PAGE, re.MULTILINE)
    assert titles == [
        "A player",
        "A GM",
        "The host",
        "A stranger with a file",
        "Somebody with a browser",
        "What nothing stops",
    ]
