"""docs/notebooks.md runs as it stands, and what it draws is a season's luck as ``stats`` has it."""

from __future__ import annotations

from collections.abc import Iterator
from math import isclose, sqrt
from pathlib import Path
from typing import Any

import pytest

from tests.support.needs import needs
from tests.support.season import HEROES, PAGE, PICTURES, SESSIONS, a_season, blocks, run

PANDAS, POLARS = 1, 2


@pytest.fixture
def season(tmp_path: Path) -> Iterator[Path]:
    """The folder in which a notebook of the season works."""
    with a_season(tmp_path):
        yield tmp_path


def test_every_block_is_run_here_or_by_the_next_tests() -> None:
    assert PAGE.read_text(encoding="utf-8").count("```") == 2 * len(blocks()) == 6
    assert "import pandas" in blocks()[PANDAS] and "import polars" in blocks()[POLARS]


def test_the_campaign_is_opened_and_asked(season: Path, capsys: pytest.CaptureFixture[str]) -> None:
    campaign: Any = run()["campaign"]
    assert "Luck by seat" in capsys.readouterr().out
    rows = campaign.stats(by="seat").to_dicts()
    assert {(row["seat"], row["session"]) for row in rows} == {
        (seat, session) for seat in HEROES for session in range(1, SESSIONS + 1)
    }
    for group in campaign.stats(by="seat").groups:
        own = [row for row in rows if row["seat"] == group.key]
        for name, whole in (
            ("rolls", group.luck.rolls),
            ("total", group.luck.total),
            ("variance", group.luck.variance),
        ):
            assert isclose(sum(row[name] for row in own), whole), name


@needs("pandas", "matplotlib")
def test_pandas_has_the_luck_of_every_session_as_stats_says_it(season: Path) -> None:
    names: Any = run(PANDAS)
    for group in names["campaign"].stats(by="seat").groups:
        for session, luck in group.sessions:
            assert isclose(names["luck"].loc[session, group.key]["deviations"], luck.z, abs_tol=1e-12)
    assert_drawn(season / PICTURES[0], len(HEROES) * SESSIONS)


@needs("polars", "matplotlib")
def test_polars_has_the_luck_of_the_season_in_sum(season: Path) -> None:
    names: Any = run(POLARS)
    last = {row["seat"]: row for row in names["luck"].to_dicts()}
    for group in names["campaign"].stats(by="seat").groups:
        assert isclose(last[group.key]["above"], group.luck.total - group.luck.mean, abs_tol=1e-9)
        assert isclose(last[group.key]["band"], 0.967 * sqrt(group.luck.variance))
    assert_drawn(season / PICTURES[1], len(HEROES))


def assert_drawn(picture: Path, least: int) -> None:
    """A picture is drawn that has enough in it, and the one on the page is of the same season."""
    drawn = picture.read_text(encoding="utf-8")
    assert drawn.count("<path") > least
    shown = (PAGE.parent / picture.name).read_text(encoding="utf-8")
    assert all(f">{seat}</text>" in shown for seat in HEROES)


@pytest.mark.parametrize("by", ["seat", "character", "session", "kind"])
def test_rows_are_called_as_they_are_grouped(season: Path, by: str) -> None:
    campaign: Any = run()["campaign"]
    rows = campaign.stats(by=by).to_dicts()
    assert rows and all({by, "origin", "session", "rolls", "total", "expected", "variance"} == set(row) for row in rows)
