"""A file that was exported comes back byte for byte; anything but a whole export of today's shape is refused in a sentence."""

from __future__ import annotations

import json
import re
from pathlib import Path

import pytest

from rollbook.adapters.exports.files import checked_line
from rollbook.adapters.imports.jsonl import BOUNDS, import_campaign
from rollbook.application.campaign import Campaign
from rollbook.application.history.verified_ranges import VerifiedEntry
from rollbook.domain.base.errors import HistoryDamaged, NotFound, RollbookError
from tests.support.campaigns import begin_campaign, memory_book
from tests.support.exports import body_lines, export_for, full_export
from tests.support.golden_campaigns import FOLDER
from tests.support.read_models import rebuilt, rows

SELDOM = re.compile(rb'"verb":"(?:join|bring-in|level-up|choose)"')
"""Actions by which people are made and rise: at a table not of every session."""


@pytest.fixture
def campaign(tmp_path: Path) -> Campaign:
    made = begin_campaign(memory_book(tmp_path / "original"))
    made.do("roll", {"expression": "1d20"}, command="form-1")
    made.corrections.undo(made.head.actions, reason="so").apply()
    made.do("note", {"text": "the duke did it", "to": "gm"})
    made.do("note", {"text": "said too much"})
    made.redact(made.head.actions, why="a slip")
    made.do("hide", {"who": "robin"})
    return made


def test_export_import_export_gives_the_same_bytes_and_the_same_entries(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    exported = full_export(campaign, path)
    book = memory_book(tmp_path / "copy")
    report = import_campaign(book, path)
    copy = book.campaign(report.campaign)
    assert full_export(copy, tmp_path / "again.jsonl") == exported
    assert list(copy.session.log.entries()) == list(campaign.session.log.entries())
    assert (report.entries, report.head, report.new) == (campaign.head.entry, campaign.head.hash, True)
    assert not import_campaign(book, path).new
    again = copy.do("roll", {"expression": "1d20"}, command="form-1")
    assert again.number <= report.entries, "ids of commands come along"


def test_what_was_checked_as_it_came_in_is_projected_in_one_reading(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    book = memory_book(tmp_path / "copy")
    report = import_campaign(book, path)
    seen = {report.campaign: report.place}
    book.read_model.catch_up(book.store, book.rulebook, only=seen, places=seen)
    assert rows(book.read_model) == rows(rebuilt(book))
    head = book.read_model.snapshot(report.campaign)
    assert head == campaign.head


def test_only_what_was_checked_to_its_very_end_is_not_checked_again(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    for odd in (-1, 0, 1):
        book = memory_book(tmp_path / f"copy{odd}")
        report = import_campaign(book, path)
        third = next(iter(book.store.read(report.campaign, 2, 3)))
        changed = third.data.replace(b'"at":', b'"at":1')
        book.store.redact(report.campaign, report.entries, [], {3: changed})
        seen = {report.campaign: VerifiedEntry(report.entries + odd, "0" * 64 if not odd else report.head)}
        book.read_model.catch_up(book.store, book.rulebook, only=seen, places=seen)
        assert book.read_model.snapshot(report.campaign) is None


def test_under_another_name_it_is_another_campaign_with_the_same_entries(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    book = memory_book(tmp_path / "copy")
    report = import_campaign(book, path, "Nottingham")
    assert report.campaign == "nottingham"
    assert list(book.campaign("nottingham").session.log.entries()) == list(campaign.session.log.entries())


def test_a_file_of_an_earlier_shape_is_refused_in_one_sentence(campaign: Campaign, tmp_path: Path) -> None:
    """It had a line for each event, under the same format."""
    path = tmp_path / "all.jsonl"
    first = full_export(campaign, path).splitlines(keepends=True)[0]
    path.write_bytes(first + b'{"version":1,"name":"ActionTaken@2","data":{"action":1}}\n')
    says = r"all\.jsonl was written by an earlier rollbook, in a shape that this one does not read\. Nothing was imported\.$"
    refused(path, tmp_path, says)


def test_a_file_of_another_format_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    header = {key: value for key, value in json.loads(path.read_bytes().splitlines()[0]).items() if key != "check"}
    body = b"".join(body_lines(path))
    for name in ("rollbook/export/2", "rollbook/export/0", "something else"):
        path.write_bytes(checked_line(json.dumps({**header, "format": name}).encode()) + body)
        refused(path, tmp_path, f"is a '{name}', and this rollbook reads 'rollbook/export/1'")
    for odd in (b"", b"{}\n", b"[]\n", b"\xff\n"):
        path.write_bytes(odd + body)
        refused(path, tmp_path, "its first line is not a header")
    path.write_bytes(checked_line(json.dumps({**header, "entries": 1}).encode()) + body)
    refused(path, tmp_path, "promises 1 entries")
    path.write_bytes(json.dumps({**header, "check": "0" * 16}).encode() + b"\n" + body)
    refused(path, tmp_path, "line 1 was changed")


def test_a_players_file_is_refused(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "mira.jsonl"
    export_for(campaign, path, "mira")
    refused(path, tmp_path, "was made for one reader")


def test_the_same_words_in_other_bytes_are_refused(campaign: Campaign, tmp_path: Path) -> None:
    path = tmp_path / "all.jsonl"
    full_export(campaign, path)
    lines = path.read_bytes().splitlines(keepends=True)
    for was, now in ((b'"lines":[', b'"lines": ['), (b'{"entry":4,', b'{"entry": 4,'), (b"]}\n", b'],"more":1}\n')):
        assert was in lines[4]
        path.write_bytes(b"".join([*lines[:4], lines[4].replace(was, now), *lines[5:]]))
        with pytest.raises(HistoryDamaged, match="line 5 was changed by another program"):
            import_campaign(memory_book(tmp_path / "copy"), path)


def test_no_file_is_not_found(tmp_path: Path) -> None:
    with pytest.raises(NotFound, match="There is no file"):
        import_campaign(memory_book(tmp_path / "copy"), tmp_path / "none.jsonl")


def refused(path: Path, folder: Path, says: str) -> None:
    """The import says so, and nothing is in the store."""
    book = memory_book(folder / "copy")
    with pytest.raises(RollbookError, match=says) as raised:
        import_campaign(book, path)
    assert "Nothing was imported." in str(raised.value)
    assert book.campaigns() == ()


@pytest.mark.parametrize("path", sorted(FOLDER.glob("*-*.jsonl")), ids=lambda path: path.stem)
def test_ten_years_of_a_campaign_are_not_too_long_to_be_imported(path: Path) -> None:
    """A session a week, with 400 actions each, three times over; people are made and rise too seldom to count."""
    lines = [line for line in path.read_bytes().splitlines(keepends=True) if not SELDOM.search(line)]
    actions = sum(b'"ActionTaken@1"' in line for line in lines)
    assert actions > 20
    years = 520 * 400
    assert 3 * years * len(b"".join(lines)) / actions <= BOUNDS.size
    assert 3 * years * len(lines) / actions <= BOUNDS.lines
