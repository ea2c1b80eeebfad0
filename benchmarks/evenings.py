"""Long evenings to measure on: a fight without end, five events to every blow, the same every time."""

from __future__ import annotations

import random
from collections.abc import Iterator
from pathlib import Path

from adapters.book import Book, microseconds, read_model_path
from adapters.event_store import SQLiteEventStore
from adapters.journal import Journal
from adapters.scan import Head
from adapters.plugins import Shelf
from adapters.read_model import ReadModel
from adapters.seeds import SeedKeeper
from domain import events as facts
from domain.corrections import Proposal
from domain.dice.record import Die, Flat, Source
from domain.plain_sheet import plain_sheet
from domain.ruleset import Ruleset

CAMPAIGN = "evening"
FIGHTERS = ("robin", "sherlock", "dracula", "guard", "wolf", "abbot")
EVENTS_PER_BLOW = 5
RULESET = Ruleset(key="plain", title="Plain", version="1", summary="", actions=(), sheet=plain_sheet)


def opening() -> Proposal:
    """The first action: a campaign with six fighters and an open session without committed dice."""
    joined = (facts.CharacterJoined(character=who, name=who.title()) for who in FIGHTERS)
    began = facts.CampaignStarted(name="Evening", identity="00" * 16)
    adopted = facts.RulesetAdopted(ruleset=RULESET.key, version=RULESET.version)
    header = facts.ActionTaken(action=1, intent=facts.Intent(verb="start-campaign"), provenance="imported")
    return Proposal(header, (began, adopted, *joined, facts.SessionOpened(session=1)))


def blows(count: int, first: int = 2) -> Iterator[Proposal]:
    """``count`` blows, each an action: a header, two rolls, a check, and damage or healing."""
    chance = random.Random(first)
    for action in range(first, first + count):
        yield _blow(action, chance)


def _blow(action: int, chance: random.Random) -> Proposal:
    attacker, target = chance.sample(FIGHTERS, 2)
    to_hit, damage = chance.randint(1, 20), chance.randint(1, 6) + 3
    request = f"s1.1|attack|{attacker}|{{}}|{','.join(sorted((attacker, target)))}#0"
    change: facts.Event = facts.DamageTaken(character=target, amount=damage, dealt=damage, source=attacker)
    if action % 2:
        change = facts.HitPointsRestored(character=target, amount=damage, source=attacker)
    header = facts.ActionTaken(
        action=action,
        seat="gm",
        intent=facts.Intent(
            verb="attack",
            params={"attacker": attacker, "target": target, "weapon": "longbow", "distance": 40, "cover": False},
        ),
        ruleset=RULESET.key,
        version=RULESET.version,
        reads=(f"@{attacker}", f"@{target}", "encounter", "settings"),
        provenance="imported",
    )
    return Proposal(
        header,
        (
            _rolled(attacker, "attack", 20, to_hit, 2 * action, request),
            facts.CheckResolved(
                character=attacker, check="attack", total=to_hit + 11, target=12, success=to_hit > 1, against=target
            ),
            _rolled(attacker, "damage", 6, damage - 3, 2 * action + 1, request),
            change,
        ),
    )


def _rolled(who: str, purpose: str, sides: int, face: int, index: int, request: str) -> facts.DiceRolled:
    return facts.DiceRolled(
        roller=who,
        purpose=purpose,
        expression=f"1d{sides} + 3[DEX] + 8[Fighting]",
        total=face + 11,
        dice=(Die(sides, face),),
        flat=(Flat(3, "DEX"), Flat(8, "Fighting")),
        natural=face if sides == 20 else 0,
        sources=(Source(kind="stream", count=1, session=1, seat=0, index=index),),
        intent=request.format(purpose),
    )


def journal(path: Path) -> Journal:
    """The journal of a new or existing store."""
    return Journal(SQLiteEventStore(path), CAMPAIGN, microseconds)


def written(path: Path, events: int) -> Journal:
    """A store with a campaign of about so many events."""
    book = journal(path)
    head = Head()
    for batch in _batches([opening(), *blows(events // EVENTS_PER_BLOW)]):
        entries = book.write(head, batch)
        last = entries[-1][0]
        version = head.version + sum(count for _, count in entries)
        head = Head(version, last.number, last.header.witness, last.header.action)
    return book


def _batches(proposals: list[Proposal], size: int = 1_000) -> Iterator[list[Proposal]]:
    for first in range(0, len(proposals), size):
        yield proposals[first : first + size]


def book(store: Path) -> Book:
    """A book on a store, with the plain ruleset alone."""
    return Book(
        SQLiteEventStore(store),
        ReadModel(read_model_path(store)),
        SeedKeeper(store.with_name("seeds")),
        Shelf({RULESET.key: RULESET}, {}),
    )
