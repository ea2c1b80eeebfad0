"""In every format a reader gets what is theirs and nothing by which the rest could be counted; hostile words stay words."""

from __future__ import annotations

import json
import re
import shutil
import sqlite3
from collections.abc import Iterator
from contextlib import closing, redirect_stdout
from io import StringIO
from pathlib import Path
from tempfile import TemporaryDirectory

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from rollbook.adapters.cli import main
from rollbook.adapters.exports import exporters
from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.visibility.editions.edition import Edition
from rollbook.domain.rulebook import Rulebook
from tests.support import hostile
from tests.support.command_line import move_in
from tests.support.formats import exported, without_chance, written
from tests.support.hostile import RAW
from tests.support.rewriting import write_again
from tests.support.secret_tables import (
    ARRIVALS,
    HIDDEN,
    PUBLIC,
    ROLL,
    SECRET_ROLL,
    SECRETS,
    Step,
    do,
    played,
    two_tables,
    undo,
)
from tests.support.vaults import front_matter, notes, odd_links

FORMATS = {"cloudevents": "x.jsonl", "csv": "x", "html": "x.html", "markdown": "x", "sqlite": "x.sqlite"}
SAME_FOR_ALL = {"json-schema"}
READERS = ("mira", "watcher", "")


def all_files(campaign: Campaign, format_: str, folder: Path, seat: str | None, *, pseudonyms: bool = False) -> bytes:
    """Everything that one export writes."""
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    exported(campaign, format_, folder / FORMATS[format_], seat, pseudonyms=pseudonyms)
    return written(folder)


def test_every_format_of_ours_is_tried() -> None:
    assert FORMATS.keys() | SAME_FOR_ALL <= set(exporters())


@pytest.mark.slow
@given(two_tables())
@example(([ROLL], [SECRET_ROLL, ROLL]))
@example(([ROLL, ROLL], [ROLL, SECRET_ROLL, undo(hidden=True), SECRET_ROLL, ROLL]))
@example(([ROLL, do("listen", who="robin")], [*ARRIVALS, ROLL, do("listen", who="robin")]))
@settings(max_examples=12)
def test_what_is_hidden_makes_no_difference_to_anybodys_export(tables: tuple[list[Step], list[Step]]) -> None:
    with TemporaryDirectory() as folder:
        one, other = (played([*steps, do("close-session")], f"{folder}/{at}") for at, steps in enumerate(tables))
        for reader in READERS:
            for format_ in FORMATS:
                files = [all_files(campaign, format_, Path(folder) / "out", reader) for campaign in (one, other)]
                assert same(files[0]) == same(files[1]), (format_, reader)


def same(content: bytes) -> bytes:
    """An export without what is chance; in the list of a vault are digests of notes that name moments."""
    return without_chance(re.sub(rb'"(?:identity|at)":\s*"?\w+"?', b"", content))


@given(st.lists(st.sampled_from((*HIDDEN, *PUBLIC)), min_size=5, max_size=25))
@settings(max_examples=12)
def test_no_hidden_name_nor_word_is_in_an_export(steps: list[Step]) -> None:
    with TemporaryDirectory() as folder:
        campaign = played(steps, folder)
        for reader in READERS:
            for format_ in FORMATS:
                content = all_files(campaign, format_, Path(folder) / "out", reader).decode("utf-8", errors="replace")
                said = without_chance(content.casefold().replace("ashtray", "").replace("hash", "").encode()).decode()
                found = [word for word in SECRETS if re.search(rf"(?<![a-z]){word}(?![a-z])", said)]
                assert found == [], (format_, reader)


@pytest.mark.parametrize("format_", FORMATS)
def test_nobody_is_called_by_name_in_an_export_with_pseudonyms(
    campaign: Campaign, tmp_path: Path, format_: str
) -> None:
    campaign.do("open-session", {"title": "Mira's own"})
    campaign.do("note", {"text": "MIRA shouts at Ana, watcher!"}, reason="as mira said")
    campaign.do("roll", {"expression": "1d20", "purpose": "for ana"}, seat="mira")
    for seat in (None, "mira", ""):
        content = all_files(campaign, format_, tmp_path / "out", seat, pseudonyms=True)
        assert re.search(rb"(?i)\b(?:mira|ana|watcher)\b", content) is None
        assert b"Seat 1" in content


@pytest.mark.parametrize("format_", FORMATS)
def test_an_export_of_the_gm_holds_the_secrets(campaign: Campaign, tmp_path: Path, format_: str) -> None:
    assert b"the duke did it" in all_files(campaign, format_, tmp_path / "out", None)


def test_an_edition_says_what_the_whole_campaign_says_where_nothing_is_hidden(tmp_path: Path) -> None:
    campaign = played([step for step in PUBLIC if not {"note", "listen"} & set(step.words.split())], str(tmp_path))
    shown = Edition(campaign, "")
    public = [entry for entry in campaign.history.entries if not entry.visibility]
    assert [entry.events for entry in shown.history.entries] == [entry.events for entry in public]
    assert {who: each.lost for who, each in shown.state.characters.items()} == {
        who: each.lost for who, each in campaign.state.characters.items()
    }


@pytest.mark.parametrize("format_", FORMATS)
def test_a_campaign_whose_game_is_not_installed_is_exported_all_the_same(tmp_path: Path, format_: str) -> None:
    campaign = played([ROLL, do("award", who=("robin",), amount=70)], str(tmp_path))
    campaign.session.rulebook = Rulebook({})
    assert b"Robin" in all_files(campaign, format_, tmp_path / "out", "")


# Hostile words.


@pytest.fixture(scope="module")
def hostile_campaign(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Campaign]:
    """A campaign whose every text is hostile."""
    folder = tmp_path_factory.mktemp("hostile")
    (folder / "played.session").write_text(hostile.SCRIPT, encoding="utf-8")
    with pytest.MonkeyPatch.context() as monkeypatch, redirect_stdout(StringIO()):
        move_in(folder, monkeypatch)
        assert main(["play", str(folder / "played.session")]) == 0
    seeds = folder / "state" / "rollbook" / "seeds"
    write_again(folder / "books" / "rollbook.db", seeds, folder / "hostile.db", hostile.hostile_text)
    with open_book(folder / "hostile.db", seeds) as book:
        campaign = book.campaign(book.campaigns()[0])
        campaign.session.project()
        yield campaign


def readers(campaign: Campaign) -> list[str | None]:
    """Everybody, a player and the GM."""
    return ["", next(seat for seat in campaign.state.seats if seat.endswith("mira")), None]


UNSEEN = sorted({letter for mark in RAW for letter in mark if not letter.isprintable()})


@pytest.mark.parametrize("format_", ["csv", "markdown"])
@pytest.mark.parametrize("pseudonyms", [False, True])
def test_what_people_read_holds_nothing_that_cannot_be_seen(
    hostile_campaign: Campaign, tmp_path: Path, format_: str, *, pseudonyms: bool
) -> None:
    for seat in readers(hostile_campaign):
        exported(hostile_campaign, format_, tmp_path / "out", seat, pseudonyms=pseudonyms)
        for path in (tmp_path / "out").rglob("*"):
            assert path.resolve().is_relative_to(tmp_path.resolve())
            assert path.name.isprintable()
            if path.is_file() and path.suffix in (".csv", ".md", ".svg"):
                text = path.read_bytes().decode("utf-8-sig").replace("\r\n", "\n")
                assert [letter for letter in UNSEEN if letter in text] == [], path


def test_hostile_words_in_a_vault_are_words(hostile_campaign: Campaign, tmp_path: Path) -> None:
    for at, seat in enumerate(readers(hostile_campaign)):
        exported(hostile_campaign, "markdown", tmp_path / f"{at}", seat)
        assert odd_links(tmp_path / f"{at}") == []
        for text in notes(tmp_path / f"{at}").values():
            assert front_matter(text)["type"] in ("campaign", "session", "scene", "place", "character")
            body = re.sub(r"!?\[\[[^\]]*\]\]", "", text.split("---\n", 2)[2])
            for program in ("<script", "[x](", "`id`"):
                assert re.search(rf"(?<!\\){re.escape(program)}", body) is None


def test_hostile_words_are_the_same_in_the_database_and_in_cloudevents(
    hostile_campaign: Campaign, tmp_path: Path
) -> None:
    (noted,) = [entry for entry in hostile_campaign.history.entries if entry.intent.verb == "note"]
    (text,) = [event.text for event in noted.events if hasattr(event, "text")]
    exported(hostile_campaign, "sqlite", tmp_path / "x.sqlite", None)
    with closing(sqlite3.connect(tmp_path / "x.sqlite")) as database:
        assert database.execute("SELECT result FROM log WHERE verb = 'note'").fetchall() == [(text,)]
    exported(hostile_campaign, "cloudevents", tmp_path / "x.jsonl", None)
    lines = (tmp_path / "x.jsonl").read_bytes()
    assert lines.isascii() and not re.search(rb"[\x00-\x09\x0b-\x1f\x7f]", lines)
    read = [json.loads(line) for line in lines.splitlines()]
    assert [line["data"]["text"] for line in read if line["type"] == "rollbook.NoteWritten.v1"] == [text]
    assert all(line["subject"].isprintable() and line.get("seat", "").isprintable() for line in read)
