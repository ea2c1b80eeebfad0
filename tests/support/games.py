"""Random campaigns of a ruleset, with random corrections, at a table without a store."""

from __future__ import annotations

import importlib
import os
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping
from importlib.metadata import entry_points
from pathlib import Path
from random import Random
from typing import Any

import attrs

from rollbook.domain.actions.campaign import StartCampaign
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.base.identifiers import GROUP
from rollbook.domain.corrections.changes import Amend, Change, Correction, Effect, Insert, Orphans, Proposal, Redo, Undo
from rollbook.domain.corrections.preview import preview
from rollbook.domain.dice.record import STREAM, Source, StreamPlace
from rollbook.domain.dice.supply import DiceNeeded, DiceSupply, Hand, NoDice, Request
from rollbook.domain.entries import REMOVABLE_VERBS, Entry, EntryKind, Intent, RecordedEntry, recorded, without_words
from rollbook.domain.events import DiceRolled, Event, Scalar
from rollbook.domain.history.history import DRAW, TO_INSERT, History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.action import build, intent_of, parameters
from rollbook.domain.rules.playing import Played
from rollbook.domain.rules.ruleset import Ruleset
from rollbook.domain.rules.sheet_rulings import Adjustment
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.testing.conformance.playthrough import GM, NEIGHBOUR, Move, Playthrough
from rollbook.testing.conformance.random_play import RandomPlayer, begun, steps
from rollbook.testing.conformance.random_suite import RandomPlaySuite
from rollbook.testing.conformance.suite import RulesetConformance
from tests.support.dice import OneDie, hashed_face

__all__ = [
    "CAMPAIGN_COUNT",
    "INSTALLED_RULESETS",
    "GameTable",
    "random_actions",
    "random_campaign",
    "random_change",
    "try_action",
]

CAMPAIGN_COUNT = int(os.environ.get("ROLLBOOK_CAMPAIGNS", "300"))
"""Number of random campaigns that are corrected, in all games together."""

FORGOTTEN = -1
"""The number of an inserted action as far as its dice go, which fall before it has one."""

RANDOM_ACTIONS = 10
"""So many random actions follow the moves with which random play of a game begins."""


class HashedDice:
    """Dice whose faces follow from the action, the roller, the purpose and how often before: from nothing else."""

    def __init__(self, table: GameTable, action: int) -> None:
        self.table = table
        self.action = action

    def hand(self, request: Request) -> Hand:
        """The dice of one roll."""
        drawn = Counter[int]()

        def fall(sides: int) -> tuple[int, Source]:
            drawn[sides] += 1
            key = (self.action, request.roller, request.purpose, request.ordinal, sides, drawn[sides])
            return hashed_face(key, sides), self.table.source()

        return Hand(request, fall)

    def finish(self) -> None:
        """There are always more."""


class GameTable:
    """A table of one game without a store."""

    corrector = ""

    def __init__(self, ruleset: Ruleset, house: Mapping[str, Scalar] = {}) -> None:
        self.rulebook = Rulebook({game.key: game for game in (NEIGHBOUR, ruleset)})
        self.history = History()
        self.rolled = 0
        start = StartCampaign(
            name="A campaign", identity="00" * 16, ruleset=ruleset.key, version=ruleset.version, settings=house
        )
        intent = intent_of(start)
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=ruleset)
        self._add(1, intent, played, Move(intent=intent, seat=""), ruleset)

    @classmethod
    def of(cls, rulebook: Rulebook, entries: Iterable[RecordedEntry]) -> GameTable:
        """A table at which all this has happened."""
        table = object.__new__(cls)
        table.rulebook, table.history = rulebook, History(entries)
        table.rolled = 0
        return table

    @property
    def state(self) -> CampaignState:
        """The campaign as it stands."""
        return self.history.state

    def source(self) -> Source:
        """A place in a stream that no other die has."""
        self.rolled += 1
        return Source(STREAM, 1, 1, StreamPlace(screen=False, fork=0, seat=9, number=self.rolled))

    def take(self, deed: Move, at: int = 0) -> RecordedEntry:
        """Take an action; the dice are those of action ``at``. Raises Refused, NotFound."""
        dice = HashedDice(self, at or self.history.actions + 1)
        played = self.rulebook.play(self.state, deed.intent, dice, seat=deed.seat, secret=deed.secret)
        return self._add(self.history.actions + 1, self._whole(deed.intent), played, deed)

    def _whole(self, intent: Intent) -> Intent:
        done = build(self.rulebook.verb(self.state, intent.verb), intent.params)
        return attrs.evolve(intent_of(done), second_thoughts=intent.second_thoughts)

    def whole_then(self, intent: Intent, before: int) -> Intent:
        """An intent with all its parameters, as it is meant before an action."""
        then = self.history.state_before(before)
        try:
            done = build(self.rulebook.verb(then, intent.verb), intent.params)
        except RollbookError:
            return intent
        return intent_of(done)

    def insert(self, before: int, intent: Intent, **how: Any) -> Proposal:
        """Put an action before another one; what is missing is drawn. Raises Refused, NotFound."""
        return self.correct_found(lambda: {self.history.actions + 1: Insert(before=before, intent=intent)}, **how)

    def _add(
        self, action: int, intent: Intent, played: Played, deed: Move, ruleset: Ruleset | None = None
    ) -> RecordedEntry:
        said = build(self.rulebook.verb(self.state, intent.verb), intent.params).visibility
        taken = Entry(
            EntryKind.TAKEN,
            action=action,
            events=played.events,
            seat=deed.seat,
            intent=without_words(intent, played.events),
            actor=played.actor,
            ruleset=ruleset.key if ruleset else self.state.ruleset,
            version=ruleset.version if ruleset else self.rulebook.version(self.state),
            reads=played.reads,
            visibility=said or ("gm" if deed.secret else ""),
        )
        return self._append(taken)

    def _append(self, proposal: Entry) -> RecordedEntry:
        entry = recorded(proposal, self.history.head + 1)
        self.history.add(entry)
        return entry

    def preview(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """The proposal of a correction. Raises DiceNeeded for dice that were never rolled."""
        return preview(
            self.history, Correction(changes=changes, seat=self.corrector, reason="so", **how), self.rulebook
        )

    def draw(self, needed: DiceNeeded) -> RecordedEntry:
        """A die for a correction: the very die that the action would have met."""
        request, is_known = needed.request, needed.action <= self.history.actions
        outcomes = self.history.dice_of(needed.action) if is_known else ()
        known = [roll for events in outcomes for roll in _rolls_of(events, request)]
        drawn = self.history.drawn_for(needed.action) if is_known else self.history.drawn_to_insert()
        known += [roll for ordinal, roll in drawn if (roll.roller, roll.purpose, ordinal) == _request_key(request)]
        places = {index for roll in known for index in _stream_indices(roll, needed.sides)}
        key = (needed.action if is_known else FORGOTTEN, *_request_key(request), needed.sides, len(places) + 1)
        params: dict[str, Scalar] = {
            "action": needed.action if is_known else TO_INSERT,
            "roller": request.roller,
            "purpose": request.purpose,
            "ordinal": request.ordinal,
            "sides": needed.sides,
        }
        intent = Intent(verb=DRAW, params=params)
        dice: DiceSupply = OneDie(self.source(), hashed_face(key, needed.sides))
        played = self.rulebook.play(self.state, intent, dice, seat=GM, secret=request.secret)
        deed = Move(intent=intent, secret=request.secret)
        return self._add(self.history.actions + 1, intent, played, deed)

    def apply(self, made: Proposal) -> list[RecordedEntry]:
        """Append what a preview shows."""
        assert made.base == self.history.head
        return [self._append(proposal) for proposal in made.entries]

    def correct(self, changes: Mapping[int, Change], **how: Any) -> Proposal:
        """Preview, draw what is missing, apply. Raises Refused, NotFound."""
        return self.correct_found(lambda: changes, **how)

    def correct_found(self, find: Callable[[], Mapping[int, Change]], **how: Any) -> Proposal:
        """The same of changes that are found again whenever a die was drawn."""
        while True:
            try:
                made = self.preview(find(), **how)
            except DiceNeeded as needed:
                self.draw(needed)
                continue
            self.apply(made)
            return made

    def events(self) -> dict[int, tuple[Event, ...] | None]:
        """The events of every action that counts; a drawn die is no part of the story."""
        return {
            action: entry.events if entry else None
            for action, entry in self.history.outcomes()
            if self.history.intent_of(action).verb != DRAW
        }

    def twin(self) -> GameTable:
        """Another table with the same history."""
        other = GameTable.of(self.rulebook, self.history.entries)
        other.rolled = self.rolled
        return other

    def correctable(self) -> list[int]:
        """The actions that count, were decided by the rules and are not final."""
        return [
            action for action, entry in self.history.outcomes() if entry is not None and self._is_open(action, entry)
        ]

    def _is_open(self, action: int, entry: RecordedEntry) -> bool:
        return entry.provenance == "played" and not self.rulebook.is_final(
            self.history.state_before(action), entry.intent
        )


def _request_key(request: Request) -> tuple[str, str, int]:
    return request.roller, request.purpose, request.ordinal


def _rolls_of(events: Iterable[Event], request: Request) -> list[DiceRolled]:
    rolls = [event for event in events if isinstance(event, DiceRolled)]
    mine = [roll for roll in rolls if (roll.roller, roll.purpose) == (request.roller, request.purpose)]
    return mine[request.ordinal : request.ordinal + 1]


def _stream_indices(roll: DiceRolled, sides: int) -> Iterator[int]:
    """Places in the stream of the dice with so many sides; 0 for typed dice."""
    sources = [source for source in roll.sources for _ in range(source.dice)]
    for die, source in zip(roll.dice, sources, strict=True):
        if die.sides == sides:
            yield source.place.number if source.place else 0


def random_actions(key: str, seed: int) -> tuple[RandomPlayer, list[Move]]:
    """A random campaign of a game: its player, and what was done (without the start)."""
    game = random_play_of(key)
    opening = [outcome.move for outcome in game.opening]
    player = begun(game.game, f"corrected {seed}", opening, at_home=seed % 3 == 0)
    last = player.chance.randint(min(4, len(opening)), len(opening))
    kept = [number <= last or number > len(opening) for number in range(steps(opening, RANDOM_ACTIONS))]
    done = [attrs.evolve(one.move, typed=None) for one in player.play(kept) if one.events]
    return player, done


def random_campaign(key: str, seed: int) -> tuple[RandomPlayer, GameTable]:
    """The campaign at a table where every die is known. What the dice make impossible is not done."""
    player, deeds = random_actions(key, seed)
    playthrough: Playthrough = player.playthrough
    start = playthrough.history.intent_of(1)
    house = start.params["settings"]
    assert isinstance(house, Mapping)
    table = GameTable(playthrough.ruleset, house)
    for deed in deeds:
        try_action(table, deed)
    return player, table


def try_action(table: GameTable, deed: Move, at: int = 0) -> bool:
    """Try a deed; False if it was refused."""
    try:
        table.take(deed, at)
    except RollbookError:
        return False
    return True


def random_change(table: GameTable, player: RandomPlayer, action: int) -> Change:
    """Something that may be asked of one action."""
    chance, history = player.chance, table.history
    entry = history.effective(action)
    outcomes = [each for each in history.revisions(action) if each.is_outcome]
    if entry is None:
        return Redo(chance.choice((0, 0, chance.choice(outcomes).revision)))
    if len(outcomes) > 1 and chance.random() < 0.25:
        return Redo(chance.choice(outcomes).revision)
    what = chance.random()
    if what < 0.35:
        return Undo()
    if what < 0.6:
        return random_adjustment(table, chance, action)
    return random_amendment(table, player, action)


def random_insertion(table: GameTable, player: RandomPlayer) -> tuple[int, Insert]:
    """Something that was done, or might be done now, put before some action; and the number that it gets."""
    chance, history = player.chance, table.history
    open_ones = [action for action in range(2, history.actions + 1) if not history.taken(action).visibility]
    once = ("join", "bring-in", *REMOVABLE_VERBS)  # a newcomer has an id, and what can be removed a salt, of its own
    again = [action for action in table.correctable() if history.intent_of(action).verb not in once]
    before = chance.choice(open_ones)
    if again and chance.random() < 0.8:
        done = chance.choice(again)
        intent = history.intent_of(done)
        before = chance.choice([action for action in open_ones if action > done] or open_ones)
        if intent.verb in player._verbs and chance.random() < 0.3:
            intent = player.varied(intent)
    else:
        intent = player.move().intent
    return history.actions + 1, Insert(before=before, intent=table.whole_then(intent, before))


def random_amendment(table: GameTable, player: RandomPlayer, action: int) -> Amend:
    """The action with one of its parameters changed."""
    intent = table.history.intent_of(action)
    verb = table.rulebook.verb(table.history.state_before(action), intent.verb)
    if not any(not parameter.hidden for parameter in parameters(verb)) or verb.verb not in player._verbs:
        return Amend({}, adjustments=())
    other = player.varied(intent).params
    return Amend({name: value for name, value in other.items() if intent.params.get(name) != value})


def random_adjustment(table: GameTable, chance: Random, action: int) -> Amend:
    """A change of the action that adjusts a number on a sheet."""
    after = table.history.as_corrected_to(action)
    if not after.characters:
        return Amend({}, unadjusted=True)
    who = chance.choice(list(after.characters.values()))
    pools = [f"pool:{name}" for name in who.pools]
    what = chance.choice(("hp", *who.stats, *pools))
    by = chance.choice((-3, -1, 1, 2, 6))
    return Amend(adjustments=(Adjustment(who=who.id, what=what, by=by),), unadjusted=chance.random() < 0.2)


def orphans_of(made: Proposal) -> list[int]:
    """The actions that are no longer possible."""
    return [one.action for one in made.of(Effect.ORPHANED)]


def other_orphan_choice(orphans: Orphans) -> Orphans:
    """The other thing that can become of an orphan."""
    return Orphans.KEEP if orphans is Orphans.UNDO else Orphans.UNDO


RULESET_TESTS = Path(__file__).parents[1] / "ruleset_plugins"
INSTALLED_RULESETS = sorted(
    {point.name for point in entry_points(group=GROUP) if point.dist and point.dist.name == "rollbook"}
)


def random_play_of(key: str) -> RandomPlaySuite:
    """Random play of a game that begins as its own tests begin it."""
    file = RULESET_TESTS / key / "opening.session"
    if file.exists():
        lines = file.read_text(encoding="utf-8").splitlines()
        examples = tuple(line for line in lines if line.strip() and not line.startswith("#"))
    else:
        told = vars(importlib.import_module(f"tests.ruleset_plugins.{key}.test_conformance")).values()
        suites = [each for each in told if isinstance(each, type) and issubclass(each, RulesetConformance)]
        examples = next(suite.examples for suite in suites if suite.ruleset == key)
    return type("RandomPlay", (RandomPlaySuite,), {"ruleset": key, "examples": examples})()
