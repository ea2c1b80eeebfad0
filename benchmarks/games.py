"""Costs of an action of each ruleset: resolved by the rules alone, and taken in a long campaign against a short one."""

from __future__ import annotations

import random
import statistics
from collections.abc import Iterator
from pathlib import Path

import attrs

from benchmarks.long_fight import CAMPAIGN, book, take, written
from benchmarks.measures import Row, Scale, in_turn, timed
from rollbook.adapters.plugins.installed_rulesets import discover
from rollbook.application.campaign import Campaign
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.domain.dice.record import PHYSICAL, Source
from rollbook.domain.dice.supply import Hand, Request
from rollbook.domain.entries import Intent
from rollbook.domain.rules.action import build, intent_of


@attrs.frozen
class Game:
    """Lines of a game for measuring: who joins, the deeds that are resolved, and one whose dice are known."""

    joins: tuple[str, ...]
    deeds: tuple[str, ...]
    typed: str


GAMES = {
    "storytoken": Game(
        joins=("bring-in robin-hood --id hood", "join Sheriff --kind npc --hp 40 --ac 15"),
        deeds=("attack hood sheriff medium-ranged --distance 40", "check hood dex --topic stealth", "save sheriff con"),
        typed="save sheriff con ! 12",
    ),
    "luckpoint": Game(
        joins=("bring-in fighter --id ffion", "join Brute --kind npc --hp 40 --ac 15"),
        deeds=("attack ffion brute medium-melee", "check ffion maneuvers", "save brute --skill endurance"),
        typed="save brute --skill endurance ! 12",
    ),
    "powers": Game(
        joins=(
            "join Ottilie 30 --stats strength=3,stealth=2 --powers sweep",
            "join Grell 30 --kind npc --defense 14",
            "join Hanne 30 --kind npc",
        ),
        deeds=("attack ottilie grell,hanne sweep", "attack ottilie grell", "check ottilie stealth --target hard"),
        typed="check ottilie stealth --target hard ! 12",
    ),
    "russell": Game(
        joins=(
            "join Jory --scores 14,13,10,9,11,8 --templates sellsword --hit-dice 5 --armour chain",
            'join Eelman --kind monster --profile "HD 2 Att 2 AC 6 Mrl 8" --hp 7',
        ),
        deeds=("attack jory eelman melee", "save jory con", "morale eelman"),
        typed="save jory con ! 12",
    ),
    "grid": Game(
        joins=("bring-in steve --at 0,0", "bring-in jeff --at 1,0"),
        deeds=("attack steve jeff", "save jeff reflex"),
        typed="save jeff reflex ! 12",
    ),
    "srd5": Game(
        joins=(
            "join Kara --class-name fighter --scores 16,14,14,10,12,8 --weapons longsword --armour chain-mail --shield",
            "join Post --kind monster --hp 40 --ac 15",
        ),
        deeds=("attack kara post longsword", "check kara athletics", "save kara con"),
        typed="save kara con ! 12",
    ),
}


SHAKEN = Source(PHYSICAL, 1)


class Shaken:
    """Dice that fall as they like, from nowhere."""

    def __init__(self) -> None:
        self._chance = random.Random(7)

    def hand(self, request: Request) -> Hand:
        return Hand(request, lambda sides: (self._chance.randint(1, sides), SHAKEN))

    def finish(self) -> None:
        """They never end."""


def playing(folder: Path, scale: Scale) -> Iterator[Row]:
    """For each ruleset: a typed action, stored and projected, in a long campaign against a short one; and resolving alone."""
    for key in GAMES:
        yield _row(key, folder, scale)


def _row(key: str, folder: Path, scale: Scale) -> Row:
    events = min(100_000, scale.events)
    long = campaign_of(key, folder / f"{key}-long.db", events)
    short = campaign_of(key, folder / f"{key}-short.db", 1_000)
    resolved = statistics.median(timed(lambda: _resolve(short, key)) for _ in range(scale.rounds))
    for campaign in (long, short):
        _act(campaign, key)
    many, few = in_turn(2 * scale.rounds, lambda: _act(long, key), lambda: _act(short, key))
    rate = RESOLVED * len(GAMES[key].deeds) / resolved
    return Row.of_times(
        f"{key}: an action at {events:,} / at 1,000 events ({rate:,.0f} actions a second resolved)",
        [seconds / TAKEN for seconds in many],
        [seconds / TAKEN for seconds in few],
        at_most=1.2,
    )


TAKEN, RESOLVED = 20, 200
"""Actions in one timing: taken, and resolved of each deed."""


def campaign_of(key: str, store: Path, events: int, said: tuple[str, ...] = (), seeds: Path | None = None) -> Campaign:
    """A campaign of about so many events that plays by a ruleset, in which its people join unless something else is ``said``."""
    shelf = discover()
    written(store, events, shelf.rulesets[key])
    campaign = book(store, shelf, seeds).campaign(CAMPAIGN)
    for line in said or GAMES[key].joins:
        take(campaign, line)
    campaign.session.project()
    return campaign


def _act(campaign: Campaign, key: str) -> None:
    for _ in range(TAKEN):
        take(campaign, GAMES[key].typed)
        campaign.session.project()


def intent_of_line(campaign: Campaign, line: str) -> Intent:
    """A typed line as it would be stored."""
    verb, *said = split_words(line)
    action = campaign.session.rulebook.verb(campaign.state, verb)
    return intent_of(build(action, read_parameters(action, parse(action, said).given, campaign.state)))


def _resolve(campaign: Campaign, key: str) -> None:
    dice = Shaken()
    for line in GAMES[key].deeds:
        intent = intent_of_line(campaign, line)
        for _ in range(RESOLVED):
            campaign.session.rulebook.play(campaign.state, intent, dice)


def close(campaign: Campaign) -> None:
    """Let go of the store that a campaign is in."""
    campaign.session.read_model.close()
    campaign.session.log.store.close()
