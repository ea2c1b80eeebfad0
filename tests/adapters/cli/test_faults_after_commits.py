"""At the command line, in a script and to a program: what goes wrong once something is recorded is a warning with the answer."""

from __future__ import annotations

import json
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from rollbook.adapters.cli.app import ACTS
from rollbook.adapters.wiring import open_book
from rollbook.application.after_commit import RecordedWarning
from rollbook.domain.events import NoteWritten
from tests.support.after_commits import OF_THE_ENGINE, Faults
from tests.support.recording import RECORDING, rows
from tests.support.terminal import RunRollbook

ELSEWHERE = {
    "redact": "what is left of words afterwards is an error, and it may be said again",
    "seat-link": "a link, no entry",
}


@pytest.mark.parametrize("place", OF_THE_ENGINE)
@pytest.mark.parametrize("name", RECORDING)
def test_what_is_recorded_is_a_success_whatever_follows(
    table: RunRollbook, home: Path, monkeypatch: pytest.MonkeyPatch, name: str, place: str
) -> None:
    script = home / "lines.session"
    script.write_text("note 'A shout.'\nnote 'Another.'\n", encoding="utf-8")
    before, words = RECORDING[name]
    for each in before:
        assert table(each).code == 0, each
    faults, had = Faults(), rows(home)
    faults.into(monkeypatch, *OF_THE_ENGINE[place])
    with faults.armed():
        answer = table(words.format(script=script))
    assert answer.code == 0, answer
    made = rows(home) - had
    assert made == 2 if name == "play" else made > 0
    if faults.seen:
        assert answer.err, answer
    if name == "do":
        assert "A shout." in answer.out or "Recorded. But: " in answer.err
        assert made == 1


def test_every_command_of_one_act_is_in_the_list() -> None:
    assert {name.partition(" ")[0] for name in RECORDING} >= ACTS - set(ELSEWHERE)


def test_a_refusal_after_something_was_recorded_is_one_all_the_same(table: RunRollbook, home: Path) -> None:
    script = home / "lines.session"
    script.write_text("note 'A shout.'\nattack nobody robin longbow --distance 40\n", encoding="utf-8")
    had = rows(home)
    answer = table(f"play {script}")
    assert answer.code == 3 and answer.err.startswith("Line 2: ")
    assert rows(home) == had + 1


def test_a_warning_is_json_where_the_answer_is(table: RunRollbook, monkeypatch: pytest.MonkeyPatch) -> None:
    faults = Faults()
    faults.into(monkeypatch, *OF_THE_ENGINE["the marks of dice"])
    with faults.armed():
        answer = table("do note 'A shout.' --json")
    assert answer.code == 0 and faults.seen
    assert "Recorded. But: The seeds cannot be written." in [
        json.loads(line)["remark"] for line in answer.err.splitlines()
    ]
    assert json.loads(answer.out)["action"] == 10


PROGRAMS: dict[str, Callable[[Any], Any]] = {
    "do": lambda campaign: campaign.do("note", text="A shout."),
    "say": lambda campaign: campaign.say("note 'A shout.'"),
    "undo": lambda campaign: campaign.corrections.undo(9, reason="x").apply(),
}


@pytest.mark.parametrize("call", PROGRAMS)
def test_a_program_gets_what_was_made_and_a_warning(
    table: RunRollbook, home: Path, monkeypatch: pytest.MonkeyPatch, call: str
) -> None:
    store = home / "books" / "rollbook.db"
    seeds = next(home.rglob("seeds"))
    with open_book(store, seeds) as book:
        campaign = book.campaign("test-table")
        had = rows(home)
        with monkeypatch.context() as armed, warnings.catch_warnings(record=True) as said:
            warnings.simplefilter("always")

            def failing(*_: Any) -> None:
                if rows(home) > had:
                    raise OSError(28, "No space left on device")

            armed.setattr(type(campaign.session.dice), "note", failing)
            made = PROGRAMS[call](campaign)
        found = [str(each.message) for each in said if issubclass(each.category, RecordedWarning)]
        assert (made.warnings if call == "say" else tuple(found)) == (
            "Recorded. But: what followed did not work (OSError).",
        )
        assert rows(home) == had + 1
        assert made.entry.number == campaign.head.entry if call == "say" else made
        notes = [event for entry in campaign.history.entries for event in entry.events]
        assert any(isinstance(event, NoteWritten) for event in notes)
