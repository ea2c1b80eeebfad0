"""A ruleset that fails to say its sheet or its board takes nothing down: the rest is shown, and a sentence names it."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.support.plugins import Install, install
from tests.support.pty_screen import ROOT, on_screen
from tests.support.terminal import RunRollbook, Terminal

__all__ = ["install"]

FRAGILE = """
import attrs
from rollbook.plugin import Action, Board, Piece, Ruleset, Sheet, Table, events, words

class Come(Action, verb="come"):
    who: str = words("who comes")
    def resolve(self, table: Table) -> None:
        table.record(events.CharacterJoined(character=self.who, name=self.who.title()))

class Fight(Action, verb="fight"):
    def resolve(self, table: Table) -> None:
        order = tuple(table.campaign.characters)
        table.record(events.EncounterBegan(title="A brawl"))
        table.record(events.TurnOrderSet(order=order))
        table.record(events.RoundBegan())
        table.record(events.TurnBegan(character=order[0]))

def sheet(who, campaign):
    {sheet}
    return Sheet(character=who.id, name=who.name)

def board(campaign):
    {board}
    return Board(lines=(("Moon", "full"),))

RULESET = Ruleset(key="{key}", title="Brawl", version="7", summary="", actions=(Come, Fight), sheet=sheet, board=board)
"""
FAILS = "raise KeyError('moon')"
SAID = "The ruleset {key} 7 failed in its {hook} ({fault}), so the plain one is shown."


@pytest.fixture
def brawl(install: Install, rollbook: RunRollbook, request: pytest.FixtureRequest, monkeypatch, tmp_path: Path):
    """A fight of Ann and Bob in a game of which a hook fails."""

    def begin(key: str, **hooks: str) -> RunRollbook:
        code = FRAGILE.format(key=key, **{"sheet": "", "board": ""} | hooks)
        install(f"rollbook-{key}", f"game_{key}", code, **{key: ":RULESET"})
        monkeypatch.setenv("PYTHONPATH", os.pathsep.join((str(ROOT), str(tmp_path))))
        for line in (f"new {key} --ruleset {key}", "do come ann", "do come bob", "do fight"):
            done = rollbook(line)
            assert done.code == 0, done.err
        return rollbook

    return begin


def sentence(hook: str, key: str, fault: str = "KeyError: 'moon'") -> str:
    return SAID.format(hook=hook, key=key, fault=fault)


def test_without_a_fault_nothing_is_said_of_one(brawl) -> None:
    rollbook = brawl("sound")
    shown = rollbook("status")
    assert "Moon   full" in shown.out and "failed" not in shown.out + shown.err


def test_a_board_that_fails_is_left_out_and_the_fight_is_shown(brawl) -> None:
    rollbook = brawl("moonless", board=FAILS)
    shown = rollbook("status")
    assert shown.code == 0
    assert "Round 1 · Ann's turn" in shown.out and "Bob" in shown.out and "Next  Bob" in shown.out
    assert shown.out.count(sentence("board", "moonless")) == 1 and shown.err == ""
    assert rollbook("status --json").data["faults"][0].startswith(sentence("board", "moonless"))


def test_a_board_that_holds_what_cannot_be_shown_is_left_out_too(brawl) -> None:
    rollbook = brawl("numbers", board="return Board(left=(3,))")
    assert sentence("board", "numbers", "TypeError: 3 is not text") in rollbook("status").out
    rollbook = brawl("nothing", board="return None")
    assert sentence("board", "nothing", "TypeError: NoneType is not a Board") in rollbook("status").out


def test_a_sheet_that_fails_is_a_plain_one_and_what_is_done_is_recorded(brawl) -> None:
    rollbook = brawl("sheetless", sheet=FAILS)
    for command in ("do note 'Ann shouts.'", "sheet ann", "log", "undo last --yes --why slip", "diff 1 last", "audit"):
        said = rollbook(command)
        assert said.code == 0, said.err
        assert said.err.count("failed in its") <= 1
    shown = rollbook("sheet ann")
    assert "Ann" in shown.out and sentence("sheet", "sheetless") in shown.err
    assert "Ann's turn" in rollbook("status").out


def test_watch_and_the_prompt_go_on(brawl) -> None:
    brawl("both", sheet=FAILS, board=FAILS)
    said = on_screen("status", PYTHONPATH=os.environ["PYTHONPATH"])["status"]
    assert "Ann's turn" in said and " ".join(said.split()).count("failed in its board") == 1
    screen = Terminal.running("watch", columns=80)
    screen.shows("Ann's turn")
    screen.shows("failed in its board")
    screen.press("q")
    assert screen.ended() == 0
    prompt = Terminal.running("play", columns=80)
    prompt.until("Ann> ")
    prompt.say("")
    prompt.shows("failed in its board (KeyError: 'moon')")
    prompt.until("Ann> ")
    prompt.say("quit")
    assert prompt.ended() == 0
