"""The keys of a fight at the prompt, Enter included: an attack at most 10, a check 7, a hit of damage 8, a next turn 5."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path

import attrs
import pytest

from rollbook.adapters.wiring import open_book
from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.application.playing.engine_parameters import placeholders
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import build, intent_of
from tests.support.games import INSTALLED_RULESETS
from tests.support.terminal import Terminal

MOST = {"attack": 10, "end-turn": 5, "check": 7, "save": 7, "harm": 8}
"""Keys of each verb, Enter included."""

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs a pseudo-terminal")


@attrs.frozen
class Fight:
    """Two people who fight in one game, and what is typed in their first two turns: each line, and what it is in full."""

    people: tuple[str, ...]
    begins: str
    typed: Mapping[str, str]


FIGHTS = {
    "storytoken": Fight(
        (
            "join Kestrel --heritage human --roles fighting,noble,science --scores 13,18,14,12,15,17 --hit-dice 5",
            "join Guard --kind npc --hp 40 --ac 12",
            'give guard "rusty sword" --use weapon:medium-melee',
        ),
        "begin-encounter kestrel,guard ! 15 9",
        {
            "ch str": "check kestrel str",
            "n": "end-turn",
            "h gu 12": "harm guard 12",
            "at ke": 'attack guard kestrel "rusty sword"',
        },
    ),
    "luckpoint": Fight(
        (
            "join Kestrel --abilities 2,3,2,0,1,-1 --skills maneuvers,endurance --armour light --weapon club",
            "join Guard --kind npc --hp 40 --ac 13 --weapon rifle",
        ),
        "begin-encounter kestrel,guard ! 15 9",
        {
            "ch str": "check kestrel str",
            "n": "end-turn",
            "h gu 12": "harm guard 12",
            "at ke": "attack guard kestrel rifle",
        },
    ),
    "powers": Fight(
        (
            "join Kestrel 40 --defense 13 --stats strength=3,stealth=4",
            "join Guard 40 --kind npc --defense 14 --stats strength=2",
        ),
        "begin-encounter kestrel,guard ! 15 9",
        {"ch str": "check kestrel str", "n": "end-turn", "h gu 12": "harm guard 12", "at ke": "attack guard kestrel"},
    ),
    "russell": Fight(
        (
            "join Kestrel --scores 14,13,10,9,11,8 --templates sellsword --hit-dice 5",
            'join Guard --kind monster --profile "HD 8 Att 2 AC 6 Mrl 8" --hp 40',
            'give guard "bill hook" --use weapon:melee',
        ),
        "begin-encounter kestrel,guard --range engaged ! 5 3",
        {
            "ch ste": "check kestrel stealth",
            "n": "end-turn",
            "h gu 12": "harm guard 12",
            "at ke": 'attack guard kestrel "bill hook"',
        },
    ),
    "grid": Fight(
        (
            "join Kestrel --class-name fighter --weapon sword --at 0,0",
            "join Guard --kind monster --hp 40 --ac 14 --at 1,0",
        ),
        "begin-encounter kestrel,guard ! 15 9",
        {"ch int": "check kestrel int", "n": "end-turn", "h gu 12": "harm guard 12", "at ke": "attack guard kestrel"},
    ),
    "srd5": Fight(
        (
            "join Kestrel --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword",
            "join Guard --kind monster --hp 40 --ac 14",
        ),
        "begin-encounter kestrel,guard ! 15 9",
        {
            "ch ath": "check kestrel athletics",
            "sa wis": "save kestrel wis",
            "at": "attack kestrel guard --weapon Longsword",
            "n": "end-turn",
            "h gu 12": "harm guard 12",
            "at ke": "attack guard kestrel --weapon Spear",
        },
    ),
}


@pytest.fixture(params=INSTALLED_RULESETS)
def game(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def in_full(campaign: Campaign, line: str) -> Intent:
    """What a line of full words is stored as."""
    first, *words = split_words(line)
    verb = campaign.session.rulebook.verb(campaign.state, first)
    given = read_parameters(verb, parse(verb, words).given, campaign.state)
    return intent_of(build(verb, {**placeholders(verb), **given}))


def test_a_turn_takes_few_keys_and_is_stored_in_full(game: str, home: Path) -> None:
    fight = FIGHTS[game]
    (home / "books").mkdir()
    with open_book(home / "books" / "rollbook.db", home / "state" / "rollbook" / "seeds", create=True) as book:
        campaign = book.new("Keys", game, {})
        for line in ("take-seat Ana --role gm", "open-session First", *fight.people, fight.begins):
            campaign.say(line)
        before = campaign.history.actions

    terminal = Terminal.running("play", columns=80)
    for line, full in fight.typed.items():
        assert len(f"{line}\n") <= MOST[full.split()[0]]
        terminal.answer("> ", line)
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0

    with open_book(home / "books" / "rollbook.db", home / "state" / "rollbook" / "seeds") as book:
        campaign = book.campaign("keys")
        history = campaign.history
        stored = [history.intent_of(action) for action in range(before + 1, history.actions + 1)]
        assert stored == [in_full(campaign, full) for full in fight.typed.values()]


def test_what_was_assumed_is_printed_before_the_result(table) -> None:
    table("do begin-encounter robin,guard --dice 15,9")
    terminal = Terminal.running("play", columns=80)
    terminal.answer("> ", "at gu ! 14 4")
    terminal.until("attack robin guard longbow ! 14 4")
    terminal.until("Robin Hood")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0


def test_a_line_may_begin_as_hints_do_and_join_alone_asks(table) -> None:
    terminal = Terminal.running("play", columns=80)
    terminal.answer("> ", "rollbook do harm guard 1")
    terminal.until("harm")
    terminal.answer("> ", "join")
    terminal.until("Ctrl-C")
    terminal.say("\x03")
    terminal.until("Nothing was recorded")
    terminal.answer("> ", "quit")
    assert terminal.ended() == 0
    assert table("log -n 1 --json").data["verb"] == "harm"
