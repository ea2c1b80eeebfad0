"""A campaign to measure on: a fight without end, five events to every action, the same every time."""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from pathlib import Path

from benchmarks.raw import Row
from rollbook.adapters.local_files.paths import read_model_path
from rollbook.adapters.local_files.seeds import SeedKeeper
from rollbook.adapters.storage.read_model.model import SQLiteReadModel
from rollbook.adapters.storage.sqlite.store import SQLiteEventStore
from rollbook.adapters.wiring import book_of
from rollbook.application.book import Book
from rollbook.application.campaign import Campaign
from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head
from rollbook.application.lines.verb_line import parse, read_parameters, split_words
from rollbook.application.ports.clock import microseconds
from rollbook.application.registry import RulesetRegistry
from rollbook.domain import events
from rollbook.domain.dice.record import STREAM, Die, Flat, Source, StreamPlace
from rollbook.domain.entries import Entry, EntryKind, Intent
from rollbook.domain.history.chain import lines_of
from rollbook.domain.history.event_store import StoredEntry
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.sheet import plain_sheet

CAMPAIGN = "fight"
FIGHTERS = ("robin", "sherlock", "dracula", "guard", "wolf", "abbot")
EVENTS_PER_BLOW = 5
RULESET = Ruleset(key="plain", title="Plain", version="1", summary="", actions=(), sheet=plain_sheet)


def opening(ruleset: Ruleset = RULESET) -> Entry:
    """The first action: a campaign with six fighters and an open session without committed dice."""
    joined = (events.CharacterJoined(character=who, name=who.title()) for who in FIGHTERS)
    began = events.CampaignStarted(name="Fight", identity="00" * 16)
    adopted = events.RulesetAdopted(ruleset=ruleset.key, version=ruleset.version)
    opened: tuple[events.Event, ...] = (events.SessionOpened(session=1),)
    if ruleset is RULESET:
        opened = (*opened, events.EncounterBegan(title="a fight without end"))
    return Entry(
        EntryKind.TAKEN,
        action=1,
        events=(began, adopted, *joined, *opened),
        intent=Intent(verb="start-campaign"),
        provenance="imported",
    )


def blows(count: int, first: int = 2) -> Iterator[Entry]:
    """``count`` actions of five events each: by turns a blow that lands, one that misses, and a turn handed over.

    That is about what campaigns are made of: two hundred bytes an event, and dice in one event of five.
    """
    chance = random.Random(first)
    kinds = (_landing, _missing, _handing_over)
    for action in range(first, first + count):
        attacker, target = chance.sample(FIGHTERS, 2)
        kind = kinds[action % len(kinds)]
        yield kind(action, attacker, target, chance.randint(1, 20), chance.randint(1, 6))


def _landing(action: int, attacker: str, target: str, face: int, damage: int) -> Entry:
    change: events.Event = events.DamageTaken(character=target, amount=damage, dealt=damage, source=attacker)
    if action % 2:
        change = events.HitPointsRestored(character=target, amount=damage, source=attacker)
    to_hit = _rolled(attacker, target, "attack", 20, face, 2 * action)
    checked = _checked(attacker, target, face, success=True)
    dealt = _rolled(attacker, target, "damage", 6, damage, 2 * action + 1)
    return _attacked(action, attacker, target, (to_hit, checked, dealt, change))


def _missing(action: int, attacker: str, target: str, face: int, damage: int) -> Entry:
    to_hit = _rolled(attacker, target, "attack", 20, face, 2 * action)
    spent = (events.TurnSpent(character=attacker, what="action"), events.TurnSpent(character=attacker, what="feet"))
    return _attacked(action, attacker, target, (to_hit, _checked(attacker, target, face, success=False), *spent))


def _handing_over(action: int, attacker: str, target: str, face: int, damage: int) -> Entry:
    over = (
        events.TurnEnded(character=attacker),
        events.RoundEnded(),
        events.RoundBegan(),
        events.TurnBegan(character=target),
    )
    return _taken(action, "end-turn", {"who": attacker, "next": target}, (f"@{attacker}", "encounter"), over)


def _attacked(action: int, attacker: str, target: str, came: tuple[events.Event, ...]) -> Entry:
    params: dict[str, events.Scalar] = {
        "attacker": attacker,
        "target": target,
        "weapon": "longbow",
        "distance": 40,
        "cover": False,
    }
    return _taken(action, "attack", params, (f"@{attacker}", f"@{target}", "encounter", "settings"), came)


def _taken(
    action: int, verb: str, params: dict[str, events.Scalar], reads: tuple[str, ...], came: tuple[events.Event, ...]
) -> Entry:
    return Entry(
        EntryKind.TAKEN,
        action=action,
        events=came,
        seat="gm",
        intent=Intent(verb=verb, params=params),
        ruleset=RULESET.key,
        version=RULESET.version,
        reads=reads,
        provenance="imported",
    )


def _checked(attacker: str, target: str, face: int, *, success: bool) -> events.CheckResolved:
    return events.CheckResolved(
        character=attacker, check="attack", total=face + 11, target=12, success=success, against=target
    )


def _rolled(attacker: str, target: str, purpose: str, sides: int, face: int, index: int) -> events.DiceRolled:
    targets = ",".join(sorted((attacker, target)))
    return events.DiceRolled(
        roller=attacker,
        purpose=purpose,
        expression=f"1d{sides} + 3[DEX] + 8[Fighting]",
        total=face + 11,
        dice=(Die(sides, face),),
        flat=(Flat(3, "DEX"), Flat(8, "Fighting")),
        natural=face if sides == 20 else 0,
        sources=(Source(STREAM, 1, 1, StreamPlace(screen=False, fork=0, seat=0, number=index)),),
        occasion=f"s1.1|attack|{targets}",
    )


def entry_log(path: Path) -> EntryLog:
    """The entry log of a new or existing store."""
    return EntryLog(SQLiteEventStore(path), CAMPAIGN, microseconds)


def written(path: Path, events: int, ruleset: Ruleset = RULESET) -> EntryLog:
    """A store with a campaign of about so many events, that plays by a ruleset from here on."""
    book = entry_log(path)
    head = Head()
    for batch in _batches([opening(ruleset), *blows(events // EVENTS_PER_BLOW)]):
        last = book.write(head, batch)[-1]
        head = Head(last.number, last.hash, last.action)
    return book


def raw_rows(stored: Iterable[StoredEntry], first: int = 1) -> Iterator[Row]:
    """The bytes of entries as rows of events: the envelope and the seal in one row, then one row an event."""
    version = first
    for entry in stored:
        public, private, *lines, seal = lines_of(entry.data)
        for name, data in ((entry.kind, b"".join((public, private, seal))), *map(_named, lines)):
            yield CAMPAIGN, version, name, data
            version += 1


def _named(line: bytes) -> tuple[str, bytes]:
    name, _, data = line[2:-1].partition(b'",')
    return name.decode(), data


def _batches(proposals: list[Entry], size: int = 1_000) -> Iterator[list[Entry]]:
    for first in range(0, len(proposals), size):
        yield proposals[first : first + size]


def book(store: Path, rulesets: RulesetRegistry | None = None, seeds: Path | None = None) -> Book:
    """A book on a store, with the plain ruleset alone unless others are given."""
    return book_of(
        SQLiteEventStore(store),
        SQLiteReadModel(read_model_path(store)),
        SeedKeeper(seeds or store.with_name("seeds")),
        rulesets or RulesetRegistry({RULESET.key: RULESET}, {}),
    )


def take(campaign: Campaign, line: str) -> None:
    """Take an action that is written as at the prompt."""
    verb, *said = split_words(line)
    action = campaign.session.rulebook.verb(campaign.state, verb)
    spoken = parse(action, said)
    campaign.do(verb, read_parameters(action, spoken.given, campaign.state), dice=spoken.dice)
