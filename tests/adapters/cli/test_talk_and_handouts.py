"""Talk, whispers, handouts and portraits, as a person types them."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from rollbook.domain.events import NoteWritten
from tests.support.picture_files import picture_file

Table = Any


def said(home: Path) -> list[tuple[str, str, str]]:
    """The verbs, readers and words of what was said since the small campaign was made."""
    with open_book(home / "books" / "rollbook.db") as book:
        return [
            (entry.intent.verb, entry.visibility, event.text)
            for entry in book.campaign("test-table").history.entries
            for event in entry.events
            if isinstance(event, NoteWritten)
        ][1:]


def test_words_are_kept_as_what_they_are_for_those_whom_they_are_for(table: Table, home: Path) -> None:
    for words in (
        "do say Well met, all of you --seat Mira",
        "do whisper gm I have a plan --seat Mira",
        "do whisper Mira,gm It is cold.",
        "do handout 'The mill' It burns. --to Mira",
        "do handout 'The bill' --text 'Ten coins.'",
        "do note 'my own' --to Mira --seat Mira",
    ):
        answer = table(words)
        assert answer.code == 0, answer
    assert said(home) == [
        ("say", "", "Well met, all of you"),
        ("whisper", "gm", "I have a plan"),
        ("whisper", "Mira", "It is cold."),
        ("whisper", "gm", "It is cold."),
        ("handout", "Mira", "The mill\nIt burns."),
        ("handout", "", "The bill\nTen coins."),
        ("note", "Mira", "my own"),
    ]
    assert "Nobody called Tuck sits at this table" in table("do whisper Tuck hello").err


def test_several_readers_get_all_or_nothing(table: Table, home: Path) -> None:
    assert table("do whisper Mira,Tuck hello").code != 0
    assert said(home) == []


def test_a_handout_is_amended_by_its_title_and_its_words(table: Table, home: Path) -> None:
    assert table("do handout 'The mill' It burns.").code == 0
    with open_book(home / "books" / "rollbook.db") as book:
        number = book.campaign("test-table").head.actions
    assert table(f"amend {number} 'title=The inn' --why slip --yes").code == 0
    assert table(f"amend {number} 'text=It stands.' --why slip --yes").code == 0
    assert [words for *_, words in said(home)] == ["The mill\nIt burns.", "The inn\nIt burns.", "The inn\nIt stands."]


def test_a_portrait_and_a_map_come_from_files(table: Table, home: Path) -> None:
    (home / "map.png").write_bytes(picture_file(colour="green"))
    (home / "face.jpg").write_bytes(picture_file("JPEG"))
    for words in (f"do portrait guard {home / 'face.jpg'}", f"do handout Map --picture {home / 'map.png'} --to Mira"):
        answer = table(words)
        assert answer.code == 0, answer
    with open_book(home / "books" / "rollbook.db") as book:
        campaign = book.campaign("test-table")
        assert sorted(campaign.state.pictures.values()) == ["image/jpeg", "image/png"]
        assert set(book.store.pictures("test-table")) == set(campaign.state.pictures)
        assert str(home).encode() not in b"".join(stored.data for stored in campaign.session.log.stored())
    assert table("do portrait guard").code == 0
    answer = table(f"do portrait guard {home / 'none.png'}")
    assert (answer.code, "There is no file" in answer.err) == (3, True)
    (home / "page.svg").write_text("<svg/>")
    assert "PNG, a JPEG or a WebP" in table(f"do portrait guard {home / 'page.svg'}").err


def test_a_line_from_elsewhere_names_no_file_of_this_computer(table: Table, home: Path) -> None:
    (home / "map.png").write_bytes(picture_file())
    with open_book(home / "books" / "rollbook.db") as book:
        campaign: Campaign = book.campaign("test-table")
        for way in (
            lambda: campaign.say(f"handout Map --picture {home / 'map.png'}"),
            lambda: campaign.do("handout", {"title": "Map", "picture": str(home / "map.png")}),
        ):
            with pytest.raises(Refused, match="cannot be read from here"):
                way()
        assert book.store.pictures(campaign.id) == ()


def test_a_missing_picture_is_named_and_nothing_fails(table: Table, home: Path) -> None:
    (home / "map.png").write_bytes(picture_file())
    assert table(f"do handout Map --picture {home / 'map.png'}").code == 0
    assert "1 picture, all of them as they were shown" in " ".join(table("doctor").out.split())
    with closing(sqlite3.connect(home / "books" / "rollbook.db")) as connection, connection:
        connection.execute("DELETE FROM pictures")
    answer = table("store verify")
    assert (answer.code, "is missing." in answer.out, "none failed" in answer.out) == (0, True, True)
    assert "is missing; the history is whole" in " ".join(table("doctor").out.split())
