"""Accounts of all characters while a recording is imported: the state that the fold will reach after the events so far.

The bot's own arithmetic is followed: temporary hit points are lost first, a player character stops at 0, a monster goes
below, and healing ends at the maximum. Where the bot's versions differ, or a command is ambiguous, the record decides
(see ``settling``). Any difference that remains is left to a correction.
"""

from collections.abc import Iterable, Iterator
from typing import Any

import attrs

from rollbook.adapters.imports.avrae.rolls import RecordedRoll
from rollbook.adapters.imports.avrae.state import Combatant, RecordedEffect
from rollbook.adapters.imports.course import Course
from rollbook.domain import events
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Changeable
from rollbook.domain.events import CharacterKind, Event, Role

MAX_HP = "max_hp"
TEMP_HP = "temp_hp"
BY_HAND = "by hand"


@attrs.define
class Tracked(Changeable):
    """A character after the events so far. ``recorded`` are the hit points in the last update that showed any.

    ``effects`` are those of the last update. ``base`` is the maximum without their bonuses, None if not known. Since
    then, ``spared`` points of healing were cut off at the maximum, and ``other_temps`` are the temporary hit points by
    other readings of the commands. ``before`` are the hit points at the end of an earlier recording. In a game that is
    played nobody goes below 0 (``stops``), and the pool of temporary hit points has another name.
    """

    id: str
    name: str
    kind: CharacterKind
    present: bool = True
    hp: int | None = None
    max_hp: int = 0
    temp_hp: int = 0
    recorded: int | None = None
    conditions: tuple[str, ...] = ()
    former_names: tuple[str, ...] = ()
    effects: tuple[RecordedEffect, ...] = ()
    base: int | None = None
    spared: int = 0
    other_temps: set[int] = attrs.field(factory=set)
    pools: dict[str, int] = attrs.field(factory=dict)
    before: int = 0
    stops: bool = False
    temp_pool: str = TEMP_HP

    def first_seen(self, one: Combatant) -> Iterator[Event]:
        """Record a character's first known hit points."""
        if one.hp is None:
            return
        self.hp = self.recorded = one.hp
        grown = (one.hp if one.max_hp is None else one.max_hp) - self.max_hp
        self.max_hp += grown
        self.base = base_of(self.max_hp, one.effects)
        if grown:
            yield events.StatChanged(character=self.id, stat=MAX_HP, amount=grown, reason="as recorded")
        if by := self.hp - self.before - grown:
            reason = f"came into the combat with {self.hp} of {self.max_hp} hit points"
            yield events.HitPointsCorrected(character=self.id, amount=by, reason=reason)
        yield from self._poured(self.temp_pool, one.temp_hp - self.temp_hp, "as recorded")
        self.temp_hp = one.temp_hp

    def hurt(self, dealt: int, tags: tuple[str, ...], source: str) -> Iterator[Event]:
        """Deal damage: temporary hit points absorb it first, and the rest is lost."""
        absorbed = min(self.temp_hp, dealt)
        self.temp_hp -= absorbed
        yield from self._poured(self.temp_pool, -absorbed, "took the damage")
        lost = dealt - absorbed
        if self.hp is not None:
            if self.stops or self.kind is CharacterKind.PLAYER_CHARACTER:
                lost = min(lost, max(self.hp, 0))
            self.hp -= lost
        yield events.DamageTaken(character=self.id, amount=lost, dealt=dealt, tags=tags, source=source)

    def heal(self, points: int, tags: tuple[str, ...], source: str = "") -> Iterator[Event]:
        """Heal, up to the maximum."""
        if self.hp is not None:
            spared = points - min(points, max(self.max_hp - self.hp, 0))
            points -= spared
            self.spared += spared
            self.hp += points
        yield events.HitPointsRestored(character=self.id, amount=points, tags=tags, source=source)

    def shift(self, by: int, tags: tuple[str, ...], source: str = "") -> Iterator[Event]:
        """Deal damage if ``by`` is below zero, heal if it is above."""
        if by < 0:
            yield from self.hurt(-by, tags, source)
        elif by > 0:
            yield from self.heal(by, tags, source)

    def set_to(self, hp: int, tags: tuple[str, ...] = (BY_HAND,)) -> Iterator[Event]:
        """Set the hit points to a typed number: nothing absorbs the change; a player character stops at 0."""
        hp = max(hp, 0) if self.stops or self.kind is CharacterKind.PLAYER_CHARACTER else hp
        by = hp - (self.hp or 0)
        self.hp = hp
        if by < 0:
            yield events.DamageTaken(character=self.id, amount=-by, dealt=-by, tags=tags)
        elif by > 0:
            yield events.HitPointsRestored(character=self.id, amount=by, tags=tags)

    def protect(self, points: int, reason: str) -> Iterator[Event]:
        """Grant temporary hit points. They do not add up: the higher number counts, in some versions the new one."""
        self.other_temps |= {max(points, 0), self.temp_hp}
        if points > self.temp_hp:
            yield from self.set_temp(points, reason)

    def set_temp(self, points: int, reason: str) -> Iterator[Event]:
        """Set the temporary hit points, at least 0."""
        points = max(points, 0)
        yield from self._poured(self.temp_pool, points - self.temp_hp, reason)
        self.temp_hp = points

    def use_counter(self, counter: str, used: int, remaining: int) -> Iterator[Event]:
        """Use a counter. The first use shows how much there was, and so does a use after an unrecorded rest."""
        pool = f"spell slots {counter}" if counter.isdecimal() else counter
        yield from self._poured(pool, remaining + used - self.pools.get(pool, 0), "as recorded")
        yield from self._poured(pool, -used, "used")
        self.pools[pool] = remaining

    def _poured(self, pool: str, amount: int, reason: str) -> Iterator[Event]:
        if amount > 0:
            yield events.PoolGained(holder=self.id, pool=pool, amount=amount, reason=reason)
        elif amount < 0:
            yield events.PoolSpent(holder=self.id, pool=pool, amount=-amount, reason=reason)

    def grow(self, grown: int, reason: str, *, lifts: int = 0) -> Iterator[Event]:
        """Change the maximum, and the hit points by ``lifts``."""
        self.max_hp += grown
        self.hp = (self.hp or 0) + lifts
        yield events.StatChanged(character=self.id, stat=MAX_HP, amount=grown, reason=reason)
        if lifts != grown:
            stays = f"the hit points {'stay' if not lifts else 'become'} {self.hp}"
            yield events.HitPointsCorrected(
                character=self.id, amount=lifts - grown, reason=f"{stays}; only the maximum changed"
            )

    def renamed(self, name: str) -> Iterator[Event]:
        """Rename a character, who is still found by the old name."""
        if name != self.name:
            self.former_names += (self.name,)
            self.name = name
            yield events.CharacterRenamed(character=self.id, name=name)

    def agrees(self, one: Combatant) -> bool:
        """True if the events so far give the recorded hit points, maximum and temporary hit points."""
        same_maximum = one.max_hp is None or one.max_hp == self.max_hp
        return self.hp == one.hp and self.temp_hp == one.temp_hp and same_maximum

    def correct(self, one: Combatant) -> Iterator[Event]:
        """Correct the differences that no recorded cause explains. ``one`` has hit points."""
        hp, expected = one.hp or 0, self.hp or 0
        grown = 0 if one.max_hp is None else one.max_hp - self.max_hp
        if grown:
            yield events.StatChanged(character=self.id, stat=MAX_HP, amount=grown, reason="recorded without a cause")
        if hp != expected + grown:
            reason = f"the causes on record come to {expected} hit points, recorded are {hp}"
            yield events.HitPointsCorrected(character=self.id, amount=hp - expected - grown, reason=reason)
        yield from self._poured(self.temp_pool, one.temp_hp - self.temp_hp, "recorded without a cause")
        self.hp, self.max_hp, self.temp_hp = hp, self.max_hp + grown, one.temp_hp


def dice_rolled(roller: str, purpose: str, roll: RecordedRoll | None) -> Iterator[Event]:
    """The event of a recorded roll; none without dice."""
    if roll is not None and roll.dice:
        yield roll.rolled(roller, purpose)


def check_resolved(roll: RecordedRoll | None, target: int | None, **said: Any) -> Iterator[Event]:
    """The event of a check's outcome, with its other fields; none if the record lacks the roll or its target."""
    if roll is not None and target is not None:
        yield events.CheckResolved(total=roll.total, target=target, **said)


class Ledger:
    """The seats, and the characters with their numbers."""

    def __init__(self, course: Course, seats: dict[str, str], *, temp_pool: str = TEMP_HP, stops: bool = False) -> None:
        self._course = course
        self.known = course.known
        self._temp_pool = temp_pool
        self._stops = stops
        self._names_of_seats = seats
        self._people: dict[str, Tracked] = {}
        self._by_key: dict[str, Tracked] = {}
        self._seat_of: dict[CharacterId, str] = {}
        for who in course.known.state.characters.values():  # of the campaign that is continued; none is in a combat yet
            highest = who.stats.get(MAX_HP, 0)
            pools = {pool: amount for pool, amount in who.pools.items() if pool != temp_pool}
            self._people[who.id] = Tracked(
                who.id, who.name, who.kind, present=False, max_hp=highest, temp_hp=who.pools.get(temp_pool, 0),
                conditions=tuple(who.conditions), pools=pools, before=highest - who.lost,
                stops=stops, temp_pool=temp_pool,
            )  # fmt: skip
            self._seat_of |= {who.id: who.seat} if who.seat else {}

    def sit(self, author: str, *, is_bot: bool = False) -> list[Event]:
        """Seat an author who has no seat yet: number 0 for the GM, others count from 1."""
        role = Role.GM if author == self._course.gm else Role.SPECTATOR if is_bot else Role.PLAYER
        return self._course.sit(author, role) if author else []

    @property
    def present(self) -> tuple[tuple[str, Tracked], ...]:
        """The characters in the combat, under Avrae's keys."""
        return tuple((key, who) for key, who in self._by_key.items() if who.present)

    def of_key(self, key: str) -> Tracked | None:
        """The combatant under a key of Avrae's."""
        return self._by_key.get(key)

    def of_id(self, who: CharacterId) -> Tracked | None:
        """The character with this id."""
        return self._people.get(who)

    def named(self, name: str) -> Tracked | None:
        """The character of exactly this name, else one who had it before; of several, one who is in the combat now."""
        found = [who for who in self._people.values() if name == who.name or name in who.former_names]
        return max(found, key=lambda who: (who.name == name, who.present)) if found else None

    def played_from(self, seat: str) -> Tracked | None:
        """The one character of a seat in the combat; None if there are none or several."""
        found = [who for _, who in self.present if self._seat_of.get(who.id) == seat]
        return found[0] if len(found) == 1 else None

    def meant_by(self, typed: str) -> tuple[Tracked, ...]:
        """The characters that a typed name may mean: by the whole name, else its beginning, else a part of it."""
        wanted = typed.casefold()
        names = [(who.name.casefold(), who) for _, who in self.present]
        for fits in (str.__eq__, str.startswith, str.__contains__):
            if found := [who for name, who in names if fits(name, wanted)]:
                return tuple(found)
        return ()

    def enter(self, name: str, kind: CharacterKind, seat: str = "") -> tuple[Tracked, list[Event]]:
        """Add a new character, under an id of its own."""
        free = self._course.new_id(name, is_open=True)
        who = self._people[free] = Tracked(free, name, kind, stops=self._stops, temp_pool=self._temp_pool)
        self._seat_of |= {free: seat} if kind is CharacterKind.PLAYER_CHARACTER and seat else {}
        return who, [events.CharacterJoined(character=free, name=name, kind=kind, seat=seat)]

    def arrive(self, one: Combatant, author: str) -> tuple[Tracked, list[Event]]:
        """Add a combatant. A player character who was here before is the same one; a monster never is."""
        known = self.named(one.name) if one.kind is CharacterKind.PLAYER_CHARACTER else None
        seat = self._names_of_seats.get(one.controller, author)
        came: list[Event] = []
        if known is None or known.kind is not one.kind:
            seat = "" if seat == self._course.gm and one.kind is not CharacterKind.PLAYER_CHARACTER else seat
            came += self.sit(seat)
            known, joined = self.enter(one.name, one.kind, seat)
            came += joined
        known.present = True
        self._by_key[one.key] = known
        return known, came

    def gone(self, keys: Iterable[str]) -> Iterator[Event]:
        """Remove characters from the combat, by key. A player character stays in the campaign; a monster leaves it."""
        for key in keys:
            who = self._by_key.pop(key)
            who.present = False
            if who.kind is not CharacterKind.PLAYER_CHARACTER:
                yield events.CharacterLeft(character=who.id, reason="removed from the combat")


def base_of(maximum: int, effects: Iterable[RecordedEffect]) -> int | None:
    """A recorded maximum without the bonuses of effects; None if an effect sets it."""
    highest, bonus = given_by(effects)
    return maximum - bonus if maximum - bonus > highest else None


def given_by(effects: Iterable[RecordedEffect]) -> tuple[int, int]:
    """The highest maximum that an effect gives, and the sum of all bonuses."""
    found = tuple(effects)
    return max((each.max_hp for each in found), default=0), sum(each.max_hp_bonus for each in found)
