"""A campaign's log is one value: a line for every entry that its reader sees, and rows like those of the exported tables."""

from __future__ import annotations

import csv
from pathlib import Path

import pytest

import rollbook
from rollbook import seen_by
from rollbook.adapters.exports.exporter import request_for
from rollbook.adapters.exports.tables.contents import LOG
from rollbook.adapters.exports.tables.csv_files import write_csv
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from tests.support.campaigns import begin_campaign, opened_twice


@pytest.fixture
def played(book: Book) -> Campaign:
    """A campaign with a secret, a hidden character, and a correction."""
    campaign = begin_campaign(book)
    campaign.do("note", text="zyxel waits at the ford", to="gm")
    slip = campaign.do("roll", expression="1d20", dice=[7])
    campaign.corrections.undo(slip.action, reason="a slip").apply()
    campaign.do("roll", expression="1d20+2", dice=[11], seat="mira")
    return campaign


def test_every_entry_has_its_line_corrections_too(played: Campaign) -> None:
    log = played.log()
    assert [line.entry for line in log] == [entry.number for entry in played.history.entries]
    assert [line.status for line in log[-3:]] == ["undone", "correction", "counts"]
    assert isinstance(log, rollbook.Log) and isinstance(log[0], rollbook.LogLine)


def test_the_rows_are_those_of_the_csv_export(played: Campaign, tmp_path: Path) -> None:
    rows = played.log().to_dicts()
    assert all(list(row) == [column.name for column in LOG.columns] for row in rows)
    for row in rows:
        for column in LOG.columns:
            assert isinstance(row[column.name], column.kind) or row[column.name] is None, column.name
    write_csv(request_for(played, played, None, tmp_path / "tables"))
    with (tmp_path / "tables" / "log.csv").open(encoding="utf-8-sig", newline="") as file:
        written = list(csv.DictReader(file))
    assert written == [{name: "" if cell is None else str(cell) for name, cell in row.items()} for row in rows]


@pytest.mark.parametrize("reader", ["mira", ""])
def test_a_readers_log_has_what_the_reader_may_see(played: Campaign, reader: str) -> None:
    seen = seen_by(played, reader).log()
    assert "zyxel" in str(played.log().to_dicts())
    assert "zyxel" not in str(seen) + str(seen.to_dicts())
    assert len(seen) == len(played.log()) - 1 and [line.entry for line in seen] == list(range(1, len(seen) + 1))


def test_the_log_has_what_another_program_recorded_meanwhile(tmp_path: Path) -> None:
    one, other = opened_twice(tmp_path)
    known = len(other.log())
    one.do("note", text="Rain.")
    assert len(other.log()) == known + 1 and other.log()[-1].sentence.endswith("Rain.")


def test_the_stats_of_a_reader_have_no_dice_from_behind_the_screen(book: Book) -> None:
    campaign = begin_campaign(book)
    campaign.do("roll", expression="1d20", dice=[7])
    campaign.do("roll", expression="1d20", dice=[9], secret=True)
    readers = (campaign, seen_by(campaign, "mira"), seen_by(campaign, ""))
    assert [reader.stats().rolls for reader in readers] == [2, 1, 1]


def test_an_unknown_grouping_is_named_with_those_that_there_are(book: Book) -> None:
    with pytest.raises(rollbook.NotFound, match="There is no grouping called 'sea'"):
        begin_campaign(book).stats(by="sea")
