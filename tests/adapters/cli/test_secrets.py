"""Receipts, files for one reader, revealing and removing words, as a person types them."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.wiring import open_book
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.events import NoteWritten
from tests.support.files_with import files_with

Table = Any


@pytest.fixture
def told(table: Table, home: Path) -> Table:
    """The small campaign with a few secrets."""
    for words in (
        "do note 'the duke did it' --to gm",
        "do note 'where is the treasure?' --to gm --seat Mira",
        "do note 'psst, the cellar' --to Mira",
        "do join Assassin --kind npc --hp 9 --ac 12 --secret",
        "do roll 1d20 --purpose ambush --secret",
        "do note 'Everybody hears a bell.'",
    ):
        assert table(words).code == 0
    return table


def verified(path: Path, *receipts: str) -> str:
    run = [sys.executable, "-I", str(path.with_name("verify_rollbook.py")), str(path), *receipts]
    return subprocess.run(run, capture_output=True, text=True, check=False).stdout


@pytest.mark.parametrize("command", ["receipt", "audit", "export", "reveal", "redact"])
def test_every_command_explains_itself(rollbook: Table, command: str) -> None:
    answer = rollbook(f"{command} --help")
    assert answer.code == 0
    assert "Usage: rollbook" in answer.out
    assert "\\b" not in answer.out


def test_a_receipt_is_printed_noted_and_checked(told: Table, home: Path) -> None:
    line = told("receipt").out.strip()
    data = told("receipt --json").data
    assert line == f"test-table @{data['entry']} {data['code']} dice {data['commit']}"
    told("do note 'it goes on'")
    answer = told(f"audit --receipt '{line}' --receipt {data['code']}")
    assert (answer.code, "receipts  VERIFIED" in answer.out.replace("   ", "  "), "2 receipts" in answer.out) == (
        0,
        True,
        True,
    )
    assert "A file alone cannot prove" in answer.out
    answer = told("audit --receipt 'test-table @3 00000-00000-00000-00000-000000' --json")
    assert answer.code == 6
    assert answer.data["answers"][-1]["verdict"] == "FAILED"
    short = told(f"audit --receipt '{data['campaign']} @{data['entry']} {data['code'][:11]}'")
    words = " ".join(short.out.split())
    assert (short.code, "26 letters are wanted: agrees in its 10 letters" in words) == (4, True), short.out
    answer = told("audit --receipt 'what is this'")
    assert (answer.code, "is not a receipt" in answer.err) == (4, True)


def test_a_players_file_holds_what_the_player_may_see_and_verifies(told: Table, home: Path) -> None:
    path = home / "mira.jsonl"
    answer = told(f"export {path} --for player:mira")
    assert answer.code == 0
    assert "as Mira may see it" in answer.out
    assert str(path.with_name("verify_rollbook.py")) in answer.out
    file = path.read_text()
    for word in ("duke", "ssassin", "ambush"):
        assert word not in file
    for word in ("where is the treasure?", "psst, the cellar", "Everybody hears a bell."):
        assert word in file
    receipt = told("receipt --json").data["code"]
    assert verified(path, receipt).startswith("chain  UNPROVEN  10 of 12 entries")
    assert verified(path, "00000-00000-00000-00000-000000").startswith("chain  FAILED")


def test_the_tables_file_holds_what_everybody_may_see(told: Table, home: Path) -> None:
    path = home / "table.jsonl"
    answer = told(f"export {path} --for table --json")
    assert answer.data["campaign"] == "test-table"
    file = path.read_text()
    assert "treasure" not in file
    assert "cellar" not in file
    assert json.loads(file.splitlines()[0])["for"] == "table"
    assert verified(path).startswith("chain  VERIFIED")
    assert told(f"import {path}").code == 1
    assert "made for one reader" in told(f"import {path}").err


def test_a_file_of_what_fits_a_filter_leaves_the_rest_as_digests(told: Table, home: Path) -> None:
    path = home / "notes.jsonl"
    assert told(f"export {path} --where 'verb=note'").code == 0
    assert verified(path).startswith("chain  UNPROVEN  5 of 15 entries")
    assert path.read_text().count('"is_public":') > 5
    answer = told(f"export {home / 'x.jsonl'} --where 'verbb=note'")
    assert (answer.code != 0, "^" in answer.err) == (True, True)
    assert told(f"export {home / 'x.jsonl'} --where 'verb=note who=nobody'").code != 0
    assert not (home / "x.jsonl").exists()


def test_bad_input_is_said_in_a_sentence_and_writes_nothing(told: Table, home: Path) -> None:
    path = home / "x.jsonl"
    for words, code in {
        f"export {path} --for nobody": 3,
        f"export {path} --for mira --where verb=note": 2,
        f"export {home / 'no' / 'folder' / 'x.jsonl'}": 1,
        "reveal 3": 4,
        "reveal 99": 3,
        "reveal robin": 4,
        "reveal mira robin": 2,
        "reveal @3": 2,
        "reveal": 2,
        "redact 3 --why x --yes": 4,
        "redact 99 --why x --yes": 3,
        "redact 9": 2,
        "redact 9 --why x": 2,
    }.items():
        answer = told(words)
        assert answer.code == code, (words, answer)
        assert "Traceback" not in answer.err
    assert not path.exists()


def test_what_was_revealed_is_in_the_next_file(told: Table, home: Path) -> None:
    path = home / "mira.jsonl"
    assert told("reveal 10 14").code == 0
    answer = told("reveal assassin --json")
    assert answer.data["events"] == [{"event": "CharacterRevealed", "character": "hidden-assassin"}]
    told(f"export {path} --for mira")
    file = path.read_text()
    assert "the duke did it" in file
    assert "ambush" in file
    assert "psst, the cellar" in file
    assert verified(path).startswith("chain  VERIFIED")


def test_removed_words_are_gone_from_every_file(told: Table, home: Path) -> None:
    answer = told("redact 11 --why 'a private matter' --yes")
    assert answer.code == 0
    assert "The words are gone" in answer.out
    assert files_with(b"treasure", home) == []
    assert told("audit").code == 0
    assert "words were removed" in told("audit").out
    assert "treasure" not in told("log").out
    path = home / "all.jsonl"
    told(f"export {path}")
    assert verified(path).startswith("chain  VERIFIED")
    assert "had been removed before" in told("redact 11 --why x --yes").out
    assert told(f"import {path} --as Again").code == 0


def test_what_is_for_everybody_cannot_be_secret(told: Table) -> None:
    answer = told("do scene 'The cellar' --secret")
    assert (answer.code, "for the whole table" in answer.err) == (4, True)
    answer = told("do scene 'The Assassin waits'")
    assert (answer.code, "names somebody who is hidden" in answer.err) == (4, True)


def test_an_empty_filter_is_refused_and_changes_nothing(table) -> None:
    for words in ("undo --where '' --yes --why x", "export scene.jsonl --where ''"):
        answer = table(words)
        assert answer.code == 2 or "The filter is empty" in answer.err
        assert "The filter is empty" in answer.err


@pytest.mark.parametrize("form", ["", "--json "])
def test_of_words_that_cannot_be_removed_redact_says_that_they_stay(table, home: Path, form: str) -> None:
    words = Intent(verb="note", params={"text": "private words"})
    with open_book(home / "books" / "rollbook.db", home / "state" / "rollbook" / "seeds") as book:
        campaign = book.campaign("test-table")
        note = (NoteWritten(text="private words"),)
        old = Entry(EntryKind.TAKEN, 10, note, seat="Ana", intent=words, provenance="imported")
        campaign.session.log.write(campaign.head, [old])
    for _ in range(2):
        answer = table(f"{form}redact 10 --why 'a private matter' --yes")
        assert answer.code == 1 and "are gone from" not in answer.out
        said = answer.error["message"] if form else answer.err
        assert "Not all of the words are gone. In @10 the envelope holds them too" in said
        assert "rollbook delete-campaign test-table" in said
    assert table("log --search private").out.count("private words") == 0
