"""The log and the sheets of now are shown out of the read model, word for word as the rules would say them."""

from __future__ import annotations

import sqlite3
import subprocess
import sys
from collections.abc import Callable
from contextlib import closing
from pathlib import Path

import pytest

from rollbook.application.book import Book
from tests.support.example_sessions import EXAMPLE_SESSIONS, EXAMPLES
from tests.support.plugins import Install, install
from tests.support.processes import ROOT
from tests.support.terminal import CommandResult, RunRollbook

__all__ = ["install"]

QUESTIONS = ("log", "log --all", "log -n 3", "log --json", "xp", "sheet", "sheet --json")

Both = Callable[[str], tuple[CommandResult, CommandResult]]


@pytest.fixture
def opened(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The campaigns that were opened since."""
    found: list[str] = []
    campaign = Book.campaign
    monkeypatch.setattr(Book, "campaign", lambda book, name: found.append(name) or campaign(book, name))
    return found


@pytest.fixture
def both(rollbook: RunRollbook, opened: list[str], monkeypatch: pytest.MonkeyPatch) -> Both:
    """A question answered out of the read model, and answered by the rules."""

    def ask(words: str) -> tuple[CommandResult, CommandResult]:
        opened.clear()
        shown = rollbook(words)
        assert not opened, words
        with monkeypatch.context() as patch:
            patch.setattr(Book, "is_whole", lambda *_: False)
            said = rollbook(words)
        assert opened
        return shown, said

    return ask


def everybody(home: Path) -> list[str]:
    with closing(sqlite3.connect(home / "books" / "rollbook.read.db")) as read_model, read_model:
        return [who for (who,) in read_model.execute("SELECT character FROM sheets ORDER BY character")]


@pytest.mark.parametrize("example", EXAMPLE_SESSIONS)
def test_the_log_and_every_sheet_are_what_the_rules_say(example: str, rollbook, home: Path, both: Both) -> None:
    assert rollbook(f"play {EXAMPLES / example}.session").code == 0
    people = everybody(home)
    assert people
    for words in (*QUESTIONS, *(f"sheet {who}" for who in people), "sheet nobody-at-all", "log who=nobody-at-all"):
        shown, said = both(words)
        assert shown == said
    for line in ("undo last --yes", f"do leave {people[0]}", "redo last --yes"):
        rollbook(line)
        for words in ("log --all", "sheet --json"):
            shown, said = both(words)
            assert shown == said


def test_names_that_become_alike_and_what_lies_aside_are_shown_as_the_rules_say_them(table, both: Both) -> None:
    lines = (
        "do join Robin --id twin --kind npc --hp 5",
        "do join Robin --id shade --kind npc --hp 5 --secret",
        "adopt luckpoint --yes",
        "adopt storytoken --yes",
        "do leave twin",
    )
    for line in lines:
        table(line)
        for words in ("sheet", "sheet robin", "sheet --json", "sheet twin", "sheet ro", "log"):
            shown, said = both(words)
            assert shown == said


def test_a_sheet_is_said_again_once_the_rules_have_other_files(
    install: Install, rollbook, opened: list[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    game = """
from rollbook.plugin import Action, Ruleset, Sheet, events, words

class Come(Action, verb="come"):
    who: str = words("who comes")
    def resolve(self, table):
        table.record(events.CharacterJoined(character=self.who, name=self.who.title()))

def sheet(who, campaign):
    return Sheet(character=who.id, name=who.name, title="a MOON")

RULESET = Ruleset(key="moons", title="Moons", version="1", summary="", actions=(Come,), sheet=sheet)
"""
    install("rollbook-moons", "game_of_moons", game, moons=":RULESET")
    monkeypatch.setenv("PYTHONPATH", f"{ROOT}:{tmp_path}")

    def run(*words: str) -> str:
        command = [sys.executable, "-m", "rollbook", *words]
        return subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT).stdout

    run("new", "Night", "--ruleset", "moons")
    run("do", "come", "ann")
    assert run("sheet") == run("sheet")
    assert "a MOON" in run("sheet")
    source = tmp_path / "game_of_moons" / "__init__.py"
    source.write_text(source.read_text().replace("a MOON", "a STAR"))
    assert "a STAR" in run("sheet")
    assert "a STAR" in run("sheet", "ann")
    run("do", "come", "bob")
    with closing(sqlite3.connect(tmp_path / "books" / "rollbook.read.db")) as read_model, read_model:
        stamps = read_model.execute("SELECT rules FROM sheets UNION SELECT rules FROM parties").fetchall()
    assert len(stamps) == 1, "the next action has the sheets of all written by the new rules"
    assert stamps != [("",)]


def test_what_a_ruleset_failed_to_say_is_asked_of_it_again(table, opened: list[str], home: Path) -> None:
    with closing(sqlite3.connect(home / "books" / "rollbook.read.db")) as read_model, read_model:
        read_model.execute("UPDATE sheets SET rules = '' WHERE character = 'guard'")
    assert "Guard" in table("sheet").out
    assert opened


@pytest.mark.parametrize("spoilt", ["UPDATE parties SET people = '[['", "UPDATE sheets SET sheet = '{}'"])
def test_spoilt_rows_are_not_shown(spoilt: str, table, home: Path) -> None:
    said = table("sheet robin")
    with closing(sqlite3.connect(home / "books" / "rollbook.read.db")) as read_model, read_model:
        read_model.execute(spoilt)
    assert table("sheet robin") == said


def test_a_read_model_that_was_built_again_is_asked_once_the_campaign_was_opened(table, opened: list[str]) -> None:
    assert table("rebuild").code == 0
    for times in (1, 0):
        opened.clear()
        assert table("log").code == 0
        assert len(opened) == times


NEVER = (
    "rollbook.rulesets.",
    "rollbook.plugin",
    "rollbook.domain.rules.action",
    "rollbook.domain.events",
    "rollbook.domain.state.campaign_state",
    "rollbook.application.campaign",
    "importlib.metadata",
)


@pytest.mark.parametrize("words", ["log", "sheet", "sheet robin"])
def test_neither_a_game_nor_what_plays_it_is_imported(words: str, table, home: Path) -> None:
    code = (
        f"import sys, rollbook; sys.argv[1:] = {words.split()!r}; rollbook.main(); print(*sys.modules, file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, cwd=ROOT, check=True)
    assert "Robin" in done.stdout
    loaded = done.stderr.split()
    assert [name for name in loaded if name.startswith(NEVER)] == []
