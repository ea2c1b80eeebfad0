"""Costs of 20 fights of twelve against twelve in srd5: resolving, going on, looking back, correcting, checking."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path

import attrs

from benchmarks.games import Shaken
from benchmarks.measures import QUICK, Row, Scale, in_turn
from benchmarks.resolving import STRIKES, strikes
from benchmarks.stored_story import resolve
from rollbook.adapters.wiring import open_book
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.domain.base.errors import Refused
from rollbook.domain.corrections.changes import Amend, Correction
from rollbook.domain.corrections.preview import preview
from rollbook.domain.rules.sheet_rulings import Adjustment

SIDE, ROUNDS = 12, 4
"""People on each side, and the rounds of a fight."""
HERO = "--class-name fighter --scores 16,14,14,10,12,8 --weapons longsword --armour chain-mail --side party --hp 400"


def fights(folder: Path, scale: Scale) -> Iterator[Row]:
    """Fights of srd5, against storytoken's attack, against one fight, and against resolving all actions once."""
    ours, theirs = strikes("srd5", folder / "srd5.db"), strikes("storytoken", folder / "storytoken.db")
    ours(), theirs()
    mine, others = in_turn(3 * scale.rounds, ours, theirs)
    yield Row.of_rates(
        "an attack of srd5 / of storytoken, actions resolved a second", STRIKES, mine, others, at_least=0.9
    )
    many = 20 if scale is not QUICK else 8
    with fought(folder / "many.db", many) as book, fought(folder / "one.db", 1) as one:
        campaign = book.campaign(CAMPAIGN)
        name = f"{many} fights of {SIDE} on each side, {campaign.head.actions:,} actions"
        yield _going_on(f"{name}: an action more / after one fight", campaign, one.campaign(CAMPAIGN), scale)
        yield from _looking_back(name, campaign, folder / "many.db", scale)


def _going_on(name: str, campaign: Campaign, short: Campaign, scale: Scale) -> Row:
    many, few = in_turn(2 * scale.rounds, partial(_act, campaign), partial(_act, short))
    return Row.of_times(name, many, few, at_most=1.2)


def _looking_back(name: str, campaign: Campaign, store: Path, scale: Scale) -> Iterator[Row]:
    history, rulebook = campaign.history, campaign.session.rulebook
    list(history.entries)
    once = partial(resolve, history, rulebook)
    wound = Amend(adjustments=(Adjustment(who="hero-0", what="hp", by=-1),))
    for what, change, bound in (
        ("a wound of one of its heroes", wound, 0.08),
        ("a number of one", attrs.evolve(wound, adjustments=(Adjustment(who="hero-0", what="str", by=2),)), 0.7),
    ):
        begun = next(action for action, entry in history.outcomes() if entry and entry.intent.verb == "scene")
        correction = Correction(changes={begun: change}, dice=Shaken())
        amended, resolved = in_turn(scale.rounds, partial(preview, history, correction, rulebook), once)
        made = preview(history, correction, rulebook)
        yield Row.of_times(
            f"{name}, amend its start, {what}: {made.resolved:,} played again / resolving all once",
            amended,
            resolved,
            at_most=bound,
        )

    def audit() -> None:
        with open_book(store, store.with_suffix(".seeds")) as book:
            book.campaign(CAMPAIGN).audit()

    audited, resolved = in_turn(scale.rounds, audit, once)
    yield Row.of_times(f"{name}, audit / resolving all once", audited, resolved, at_most=1.5)


CAMPAIGN = "fights"


def fought(store: Path, many: int) -> Book:
    """A store with a campaign of so many fights. Each action is taken as it is at a table."""
    book = open_book(store, store.with_suffix(".seeds"), create=True)
    campaign, chance = book.new(CAMPAIGN, "srd5"), random.Random(11)
    campaign.say("open-session")
    for each in range(SIDE):
        campaign.say(f"join 'Hero {each}' --id hero-{each} {HERO}")
    for fight in range(many):
        campaign.say(f"scene 'Fight {fight}'")
        campaign.say(f'join "Goblin Warrior" --id goblin-{fight} --count {SIDE} --side foes')
        people = [name for name, who in campaign.state.characters.items() if who.present]
        campaign.say(f"begin-encounter {','.join(people)}")
        for _ in range(ROUNDS * 2 * SIDE):
            _turn(campaign, chance)
        campaign.say("end-encounter")
        campaign.say(f"leave {','.join(name for name in people if name.startswith('goblin'))}")
    return book


def _turn(campaign: Campaign, chance: random.Random) -> None:
    encounter = campaign.state.encounter
    assert encounter is not None
    who = encounter.current
    foes = [name for name in encounter.order if name.startswith("hero") != who.startswith("hero")]
    weapon = "longsword" if who.startswith("hero") else "shortbow --distance 40"
    with suppress(Refused):  # the dead are not attacked
        campaign.say(f"attack {who} {chance.choice(foes)} {weapon}")
    campaign.say("end-turn")


TAKEN = 20
"""Actions in one timing."""


def _act(campaign: Campaign) -> None:
    for _ in range(TAKEN):
        campaign.say("save hero-1 con ! 12")
