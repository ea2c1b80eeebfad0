"""``help`` in a fight is what may be said now: few verbs, a line each, which can be typed as it stands."""

from __future__ import annotations

import sys
from pathlib import Path

import pytest

from rollbook.adapters.line_commands.views.verbs import FEW
from rollbook.adapters.local_files import paths
from rollbook.adapters.wiring import open_book
from rollbook.application.lines.sayable_now import sayable_now
from rollbook.domain.rules.action import is_the_gms
from tests.support.boards import GAMES, played
from tests.support.terminal import Terminal


@pytest.mark.parametrize("game", GAMES)
def test_what_the_rules_refuse_at_once_is_not_among_it(game: str) -> None:
    for name, campaign in played(game):
        if name != "fight":
            continue
        state = campaign.state
        verbs = {verb.verb for verb in sayable_now(campaign, {})}
        refused = campaign.session.rulebook.available(state, state.encounter.current)
        assert {"attack", "harm", "end-turn", "end-encounter"} <= verbs | {n for n, why in refused.items() if why}
        assert not verbs & {"join", "bring-in", "begin-encounter", "open-session"}
        assert not {name for name in verbs if refused.get(name)} - {"heal", "harm"}
        assert sayable_now(campaign, {"move": 9})[0].verb == "move" or refused.get("move", "no")
        seat = next(who.seat for who in state.characters.values() if who.seat)
        assert not [verb.verb for verb in sayable_now(campaign, {}, seat=seat) if is_the_gms(verb)]


@pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")
def test_help_at_the_prompt_in_a_fight_is_one_short_screen(home: Path) -> None:
    store = home / "books" / "rollbook.db"
    with open_book(store, paths.seeds_folder(), create=True) as book:
        campaign = book.new("The Salt Road", "storytoken", {})
        for line in (
            "take-seat Ana --role gm",
            "open-session First",
            "join Korra --kind npc --hp 12 --ac 12",
            "join Wolf --kind monster --hp 9 --ac 11 --count 2",
            "give korra dagger --use weapon:light",
            "begin-encounter korra,wolf-1,wolf-2 ! 15 9 8",
        ):
            campaign.say(line)
    terminal = Terminal.running("--store", str(store), "play", columns=100, rows=400)
    terminal.answer("> ", "help")
    shown = terminal.until("All: help all")
    assert "Korra's turn" in shown
    assert "attack korra wolf-1 dagger" in shown
    assert "end-turn" in shown
    assert "take-seat" not in shown
    assert len(shown.splitlines()) <= FEW + 9
    terminal.answer("> ", "harm --help")
    terminal.shows("For example:")
    terminal.answer("> ", "help all")
    terminal.shows("Verbs of every game")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
