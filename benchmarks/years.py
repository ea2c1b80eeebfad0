"""Campaigns as long as people might play them: a session a week, year after year, by the rules of a game.

Every action goes through the engine as it would at a table: resolved, with dice from the session's committed stream, sealed
and stored. Only the read model is brought up to date at the end of a session alone.
"""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Iterator
from contextlib import closing, suppress
from pathlib import Path

import attrs

from benchmarks.long_fight import book, take
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused

NAME = "Years"
CAMPAIGN = "years"
SESSIONS, ACTIONS = 520, 400
"""Ten years of a session a week, and the actions of a session."""
SCENE = 40
"""Actions of a scene."""

TALK = (
    "note The party argues about the next road",
    "roll 2d6+3",
    "pass-time 1 --unit hours",
    "harm {foe} 3",
    "heal {foe} 2",
)


@attrs.frozen
class Life:
    """Lines of a game played for years: the hero who comes first, the foe who joins every scene, the hero's deeds."""

    hero: str
    bring: str
    foe: str
    deeds: tuple[str, ...]


LIVES = {
    "storytoken": Life(
        hero="hood",
        bring="bring-in robin-hood --id hood",
        foe="join Foe --id {foe} --kind npc --hp 300 --ac 15",
        deeds=("attack hood {foe} medium-ranged --distance 40", "check hood dex --topic stealth", "save hood con"),
    ),
    "luckpoint": Life(
        hero="ffion",
        bring="bring-in fighter --id ffion",
        foe="join Foe --id {foe} --kind npc --hp 300 --ac 15",
        deeds=("attack ffion {foe} medium-melee", "check ffion maneuvers", "save ffion --skill endurance"),
    ),
    "powers": Life(
        hero="ottilie",
        bring="join Ottilie 300 --stats strength=3,stealth=2 --powers sweep",
        foe="join Foe 300 --id {foe} --kind npc --defense 14",
        deeds=("attack ottilie {foe} sweep", "attack ottilie {foe}", "check ottilie stealth --target hard"),
    ),
    "russell": Life(
        hero="jory",
        bring="join Jory --scores 14,13,10,9,11,8 --templates sellsword --hit-dice 5 --armour chain",
        foe='join Foe --id {foe} --kind monster --profile "HD 2 Att 2 AC 6 Mrl 8" --hp 300',
        deeds=("attack jory {foe} melee", "save jory con", "morale {foe}"),
    ),
    "srd5": Life(
        hero="halda",
        bring="bring-in halda --id halda",
        foe="join Foe --id {foe} --kind monster --hp 300 --ac 15 --scores 14,12,14,8,10,8",
        deeds=("attack halda {foe} --weapon greatsword", "check halda athletics", "save halda con"),
    ),
    "grid": Life(
        hero="steve",
        bring="bring-in steve --at 0,0",
        foe="join Foe --id {foe} --kind monster --hp 300 --ac 14 --attack 4 --damage 2 --at 1,0",
        deeds=("attack steve {foe}", "save steve reflex", "check steve str"),
    ),
}


def try_to_take(campaign: Campaign, line: str) -> bool:
    """Take an action that is written as at the prompt; False if the rules refuse it."""
    with suppress(Refused):
        take(campaign, line)
        return True
    return False


def lines_of_a_session(game: str, session: int, actions: int) -> Iterator[str]:
    """The lines of a session: every scene has a foe of its own, who leaves at its end; between deeds there is talk."""
    chance, life = random.Random(f"{game} {session}"), LIVES[game]
    yield f'open-session "Session {session}"'
    for number in range(actions - 2):
        scene, at = divmod(number, SCENE)
        foe = f"foe-{session}-{scene + 1}"
        if at == 0:
            yield f'scene "Scene {session}.{scene + 1}"'
        elif at == 1:
            yield life.foe.format(foe=foe)
        elif SCENE - 1 in (at, number + SCENE + 2 - actions):
            yield f"leave {foe}"
        else:
            yield chance.choice(TALK if number % 8 == 0 else life.deeds).format(hero=life.hero, foe=foe)
    yield "close-session"


def begun(store: Path, game: str) -> Campaign:
    """The campaign of a game that a store holds; a new one with its people, if the store is new."""
    is_new = not store.exists()
    shelf = book(store, discover())
    if not is_new:
        return shelf.campaign(CAMPAIGN)
    campaign = shelf.new(NAME, game)
    try_to_take(campaign, LIVES[game].bring)
    return campaign


def play_on(campaign: Campaign, game: str, sessions: int, actions: int = ACTIONS) -> None:
    """So many sessions more."""
    last = sessions_of(campaign)
    play_sessions(campaign, game, range(last + 1, last + 1 + sessions), actions)


def sessions_of(campaign: Campaign) -> int:
    """Number of sessions that were begun."""
    return campaign.state.session.number if campaign.state.session else 0


def play_sessions(campaign: Campaign, game: str, sessions: range, actions: int = ACTIONS) -> None:
    """Sessions from first to last, each opened, played and closed. What the rules refuse becomes a loose roll."""
    for session in sessions:
        for line in lines_of_a_session(game, session, actions):
            _settle(campaign, LIVES[game].hero)
            if not try_to_take(campaign, line):
                try_to_take(campaign, "roll 1d20")
        campaign.session.project()


def _settle(campaign: Campaign, hero: str) -> None:
    """Decide what the rules ask the hero to decide before the next blow."""
    for name, choice in campaign.state.characters[hero].choices.items():
        try_to_take(campaign, f"choose {hero} {name} {choice.keys[0]}")


def events_in(store: Path) -> int:
    """Number of events in a store."""
    with closing(sqlite3.connect(store)) as connection:
        return int(connection.execute("SELECT count(*) FROM events").fetchone()[0])
