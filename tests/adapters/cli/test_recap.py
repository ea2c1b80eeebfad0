"""A prompt begins with where the group stopped: when, the last lines, and the fight that stands."""

from __future__ import annotations

import json
import sys

import pytest

from tests.support.boards import GAMES, played
from tests.support.terminal import Terminal


@pytest.mark.parametrize("game", GAMES)
def test_a_recap_says_when_it_was_what_happened_and_whose_turn_it_is(game: str) -> None:
    for name, campaign in played(game):
        if name != "fight":
            continue
        shown = campaign.say("recap").text
        session = campaign.state.session
        last = campaign.session.read_model.log(campaign.id, last=1)[0]
        assert shown.startswith("Last played: ")
        assert f"session {session.number}, {session.title}" in shown.splitlines()[0]
        assert f"#{last.action}" in shown
        assert f"Round {campaign.state.encounter.round} · " in shown
        assert len(json.loads(campaign.say("recap -n 3 --json").text)["lines"]) == 3
        campaign.say("end-encounter")
        campaign.say("close-session")
        shown = campaign.say("recap -n 1").text
        assert ", which is closed" in shown
        assert campaign.state.scene in shown


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_prompt_begins_with_a_recap(table) -> None:
    terminal = Terminal.running("play", columns=90)
    before = terminal.until("Type a verb, help or quit")
    assert "Last played: " in before
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_a_prompt_of_a_campaign_in_which_nothing_happened_has_none(rollbook) -> None:
    rollbook("new Woods --ruleset grid")
    terminal = Terminal.running("play", columns=90)
    assert "Last played" not in terminal.until("Type a verb, help or quit")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
