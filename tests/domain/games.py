"""Random campaigns of a game, played through its own verbs, and random corrections of them.

Every die follows from what it is rolled for, so the same deed meets the same dice in whichever course of events it is done.
"""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from hashlib import sha256
from random import Random
from typing import Any

import attrs

from domain.actions import StartCampaign
from domain.campaign import Campaign
from domain.corrections import Adjustment, Amend, Change, Correction, Fate, Orphans, Preview, Restore, Void, preview
from domain.dice.record import Source
from domain.dice_supply import DiceNeeded, DiceSupply, NoDice, Request
from domain.errors import RollbookError
from domain.events import ActionTaken, DiceRolled, Event, Intent, Resolved, Scalar
from domain.history import DRAW, Entry, History
from domain.rulebook import Rulebook
from domain.ruleset import Ruleset
from domain.table import Played
from domain.verbs import build, intent_of, parameters
from ruleset_plugins.conformance.deeds import GM, Deed
from ruleset_plugins.conformance.evening import Evening
from ruleset_plugins.conformance.neighbour import NEIGHBOUR
from ruleset_plugins.conformance.random_play import Player, begun, steps
from tests.domain.oracle import plain
from tests.domain.test_foretold import OURS, evenings

__all__ = ["CAMPAIGNS", "OURS", "Game", "deeds_of", "mended", "some_change", "story"]

CAMPAIGNS = int(os.environ.get("ROLLBOOK_CAMPAIGNS", "300"))
"""How many random campaigns are corrected, in all games together."""

ACTIONS = 10
"""So many random actions follow the moves with which a game's evenings begin."""


class KnownDice:
    """Dice whose faces follow from the action, the roller, the purpose and how often before: from nothing else."""

    def __init__(self, table: Game, action: int) -> None:
        self.table = table
        self.action = action

    def hand(self, request: Request) -> _KnownHand:
        """The dice of one roll."""
        return _KnownHand(self, request)

    def finish(self) -> None:
        """There are always more."""


class _KnownHand:
    def __init__(self, dice: KnownDice, request: Request) -> None:
        self.dice = dice
        self.request = request
        self.intent = request.intent
        self.drawn: Counter[int] = Counter()
        self.given: list[Source] = []

    def draw(self, sides: int) -> int:
        request = self.request
        self.drawn[sides] += 1
        key = (self.dice.action, request.roller, request.purpose, request.ordinal, sides, self.drawn[sides])
        self.given.append(self.dice.table.source())
        return face(key, sides)

    def sources(self) -> tuple[Source, ...]:
        return tuple(self.given)


def face(key: tuple[object, ...], sides: int) -> int:
    """The face that a die shows."""
    return int.from_bytes(sha256(repr(key).encode()).digest()[:6]) % sides + 1


class Game:
    """A table of one game without a store."""

    def __init__(self, ruleset: Ruleset, house: tuple[str, ...] = ()) -> None:
        self.rulebook = Rulebook({game.key: game for game in (NEIGHBOUR, ruleset)})
        self.history = History()
        self.rolled = 0
        start = StartCampaign(
            name="A campaign", identity="00" * 16, ruleset=ruleset.key, version=ruleset.version, settings=house
        )
        intent = intent_of(start)
        played = self.rulebook.play(self.state, intent, NoDice(), ruleset=ruleset)
        self._add(1, intent, played, Deed(intent=intent, seat=""), ruleset)

    @classmethod
    def of(cls, rulebook: Rulebook, entries: Iterable[Entry]) -> Game:
        """A table at which all this has happened."""
        table = object.__new__(cls)
        table.rulebook, table.history = rulebook, History(entries)
        table.rolled = 0
        return table

    @property
    def state(self) -> Campaign:
        """The campaign as it stands."""
        return self.history.state

    def source(self) -> Source:
        """A place in a stream that no other die has."""
        self.rolled += 1
        return Source(kind="stream", count=1, session=1, seat=9, index=self.rolled)

    def take(self, deed: Deed, at: int = 0) -> Entry:
        """Somebody acts; the dice are those of action ``at``. Raises Refused, NotFound."""
        dice = KnownDice(self, at or self.history.actions + 1)
        played = self.rulebook.play(self.state, deed.intent, dice, seat=deed.seat, secret=deed.secret)
        return self._add(self.history.actions + 1, self._whole(deed.intent), played, deed)

    def _whole(self, intent: Intent) -> Intent:
        done = build(self.rulebook.verb(self.state, intent.verb), intent.params)
        return attrs.evolve(intent_of(done), interventions=intent.interventions)

    def _add(self, action: int, intent: Intent, played: Played, deed: Deed, ruleset: Ruleset | None = None) -> Entry:
        said = build(self.rulebook.verb(self.state, intent.verb), intent.params).visibility
        header = ActionTaken(
            action=action,
            seat=deed.seat,
            intent=intent,
            ruleset=ruleset.key if ruleset else self.state.ruleset,
            version=ruleset.version if ruleset else self.rulebook.version(self.state),
            reads=played.reads,
            visibility=said or ("gm" if deed.secret else ""),
        )
        return self._append(header, played.facts)

    def _append(self, header: Any, facts: tuple[Event, ...]) -> Entry:
        entry = Entry(self.history.head + 1, header, facts)
        self.history.add(entry)
        return entry

    def preview(self, changes: Mapping[int, Change], **how: Any) -> Preview:
        """What a correction would do. Raises DiceNeeded for dice that were never rolled."""
        return preview(self.history, Correction(changes=changes, reason="so", **how), self.rulebook)

    def draw(self, needed: DiceNeeded) -> Entry:
        """A die for a correction: the very die that the action would have met."""
        request = needed.request
        known = [roll for facts in self.history.dice_of(needed.action) for roll in _rolls_of(facts, request)]
        drawn = self.history.drawn_for(needed.action)
        known += [roll for ordinal, roll in drawn if (roll.roller, roll.purpose, ordinal) == _key(request)]
        places = {index for roll in known for index in _places(roll, needed.sides)}
        key = (needed.action, *_key(request), needed.sides, len(places) + 1)
        params: dict[str, Scalar] = {
            "action": needed.action,
            "roller": request.roller,
            "purpose": request.purpose,
            "ordinal": request.ordinal,
            "sides": needed.sides,
        }
        intent = Intent(verb=DRAW, params=params)
        dice: DiceSupply = _OneDie(self.source(), face(key, needed.sides))
        played = self.rulebook.play(self.state, intent, dice, seat=GM, secret=request.secret)
        deed = Deed(intent=intent, secret=request.secret)
        return self._add(self.history.actions + 1, intent, played, deed)

    def apply(self, made: Preview) -> list[Entry]:
        """Append what a preview shows."""
        assert made.base == self.history.head
        return [self._append(proposal.header, proposal.facts) for proposal in made.proposals]

    def correct(self, changes: Mapping[int, Change], **how: Any) -> Preview:
        """Preview, draw what is missing, apply. Raises Refused, NotFound."""
        while True:
            try:
                made = self.preview(changes, **how)
            except DiceNeeded as needed:
                self.draw(needed)
                continue
            self.apply(made)
            return made

    def facts(self) -> dict[int, tuple[Event, ...] | None]:
        """What every action comes to; a drawn die is no part of the story."""
        return {
            action: entry.facts if entry else None
            for action, entry in self.history.outcomes()
            if self.history.intent_of(action).verb != DRAW
        }

    def twin(self) -> Game:
        """Another table with the same history."""
        other = Game.of(self.rulebook, self.history.entries)
        other.rolled = self.rolled
        return other

    def correctable(self) -> list[int]:
        """The actions that count, were decided by the rules and are not final."""
        return [
            action for action, entry in self.history.outcomes() if entry is not None and self._is_open(action, entry)
        ]

    def _is_open(self, action: int, entry: Entry) -> bool:
        header = entry.header
        assert isinstance(header, Resolved)
        return header.provenance == "played" and not self.rulebook.is_final(
            self.history.state_before(action), header.intent
        )


class _OneDie:
    def __init__(self, source: Source, shown: int) -> None:
        self.source = source
        self.shown = shown
        self.intent = ""

    def hand(self, request: Request) -> _OneDie:
        self.intent = request.intent
        return self

    def draw(self, sides: int) -> int:
        return self.shown

    def sources(self) -> tuple[Source, ...]:
        return (self.source,)

    def finish(self) -> None:
        """One die, and it was asked for."""


def _key(request: Request) -> tuple[str, str, int]:
    return request.roller, request.purpose, request.ordinal


def _rolls_of(facts: Iterable[Event], request: Request) -> list[DiceRolled]:
    rolls = [fact for fact in facts if isinstance(fact, DiceRolled)]
    mine = [roll for roll in rolls if (roll.roller, roll.purpose) == (request.roller, request.purpose)]
    return mine[request.ordinal : request.ordinal + 1]


def _places(roll: DiceRolled, sides: int) -> Iterator[int]:
    """Where in the stream the dice with so many sides came from."""
    sources = [source.index for source in roll.sources for _ in range(source.count)]
    yield from (index for die, index in zip(roll.dice, sources, strict=True) if die.sides == sides)


def deeds_of(key: str, seed: int) -> tuple[Player, list[Deed]]:
    """A random campaign of a game: whoever played it, and what was done (without the start)."""
    game = evenings(key)
    opening = [outcome.deed for outcome in game.opening]
    player = begun(game.game, f"corrected {seed}", opening, at_home=seed % 3 == 0)
    last = player.chance.randint(min(4, len(opening)), len(opening))
    kept = [number <= last or number > len(opening) for number in range(steps(opening, ACTIONS))]
    done = [attrs.evolve(one.deed, typed=None) for one in player.play(kept) if one.facts]
    return player, done


def story(key: str, seed: int) -> tuple[Player, Game]:
    """The campaign at a table where every die is known. What the dice make impossible is not done."""
    player, deeds = deeds_of(key, seed)
    evening: Evening = player.evening
    start = evening.history.intent_of(1)
    house = start.params["settings"]
    assert isinstance(house, tuple)
    table = Game(evening.ruleset, house)
    for deed in deeds:
        mended(table, deed)
    return player, table


def mended(table: Game, deed: Deed, at: int = 0) -> bool:
    """Whether a deed could be done."""
    try:
        table.take(deed, at)
    except RollbookError:
        return False
    return True


def some_change(table: Game, player: Player, action: int) -> Change:
    """Something that may be asked of one action."""
    chance, history = player.chance, table.history
    entry = history.effective(action)
    outcomes = [each for each in history.revisions(action) if isinstance(each.header, Resolved)]
    if entry is None:
        return Restore(chance.choice((0, 0, chance.choice(outcomes).header.revision)))
    if len(outcomes) > 1 and chance.random() < 0.25:
        return Restore(chance.choice(outcomes).header.revision)
    what = chance.random()
    if what < 0.35:
        return Void()
    if what < 0.6:
        return adjusted(table, chance, action)
    return amended(table, player, action)


def amended(table: Game, player: Player, action: int) -> Amend:
    """The action with one of its parameters changed."""
    intent = table.history.intent_of(action)
    verb = table.rulebook.verb(table.history.state_before(action), intent.verb)
    if not any(not parameter.hidden for parameter in parameters(verb)) or verb.verb not in player._verbs:
        return Amend({}, adjustments=())
    other = player.varied(intent).params
    return Amend({name: value for name, value in other.items() if intent.params.get(name) != value})


def adjusted(table: Game, chance: Random, action: int) -> Amend:
    """The action with something on somebody's sheet adjusted in it."""
    after = table.history.as_corrected_to(action)
    if not after.characters:
        return Amend({}, unadjusted=True)
    who = chance.choice(list(after.characters.values()))
    pools = [f"pool:{name}" for name in who.pools]
    what = chance.choice(("hp", *who.stats, *pools, "luck"))
    by = chance.choice((-3, -1, 1, 2, 6))
    return Amend(adjustments=(Adjustment(who=who.id, what=what, by=by),), unadjusted=chance.random() < 0.2)


def orphans_of(made: Preview) -> list[int]:
    """The actions that are no longer possible."""
    return [one.action for one in made.of(Fate.ORPHANED)]


def other_fate(orphans: Orphans) -> Orphans:
    """The other thing that can become of an orphan."""
    return Orphans.KEEP if orphans is Orphans.VOID else Orphans.VOID


def told(state: Campaign) -> object:
    """A state but for the requests for dice that were made on the way: they go by what was asked, not by what came of it."""
    return [(name, value) for name, value in plain(state) if name != "asked"]


def gist(facts: Iterable[Event]) -> list[Event]:
    """Facts but for where their dice came from, and how they were asked for."""
    return [attrs.evolve(fact, sources=(), intent="") if isinstance(fact, DiceRolled) else fact for fact in facts]
