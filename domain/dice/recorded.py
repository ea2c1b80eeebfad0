"""Dice that have fallen already: an action that is played again meets its own, a timeline meets canon's.

Each hand gives what is on record first, and asks for fresh dice only when that is used up.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping
from functools import partial
from itertools import chain
from typing import TypeAlias

import attrs

from rollbook.domain.base.errors import Refused
from rollbook.domain.dice.physical import parse_faces
from rollbook.domain.dice.record import OVERRIDE, Die, RequestKey, Source, StreamPlace
from rollbook.domain.dice.supply import DiceSupply, Hand, Request
from rollbook.domain.events import DiceRolled, Event

Faces = dict[int, list[tuple[int, Source]]]
"""Recorded dice of one roll: by number of sides, each face with the source it came from."""

OrdinalKey: TypeAlias = tuple[str, str, int]
"""A roll of an action: by whom, for what, and its number among those, from 0."""

Origin: TypeAlias = tuple[int, StreamPlace | str]
"""The origin of a die: a session and its place there, or the kind of a source that has no places."""


def rolls_by_ordinal(events: Iterable[Event]) -> Iterator[tuple[OrdinalKey, DiceRolled]]:
    """The rolls of an outcome."""
    many: dict[tuple[str, str], int] = {}
    for event in events:
        if isinstance(event, DiceRolled):
            whose = event.roller, event.purpose
            before = many.get(whose, 0)
            yield (event.roller, event.purpose, before), event
            many[whose] = before + 1


def answered_by(outcomes: Iterable[Iterable[Event]]) -> dict[OrdinalKey, RequestKey]:
    """The requests of the rolls of an action with these outcomes: a roll keeps its request from one to the next."""
    return {key: roll.request for key, roll in chain.from_iterable(map(rolls_by_ordinal, outcomes))}


def sourced(roll: DiceRolled) -> Iterator[tuple[Die, Source]]:
    """The dice of a roll, each with where it came from."""
    if len(roll.sources) == len(roll.dice) == 1:
        return iter(((roll.dice[0], roll.sources[0]),))
    sources = (one for source in roll.sources for one in [source._replace(dice=1)] * source.dice)
    return zip(roll.dice, sources, strict=False)


def _recorded_hand(faces: Faces, fresh: DiceSupply, request: Request) -> Hand:
    left = {sides: iter(dice) for sides, dice in faces.items()}
    more: Hand | None = None

    def fall(sides: int) -> tuple[int, Source]:
        nonlocal more
        recorded = next(left.get(sides, iter(())), None)
        if recorded is not None:
            return recorded
        if more is None:
            more = fresh.hand(request)
        return more.fall(sides)

    return Hand(request, fall)


class RecordedDice:
    """The dice that an action has already rolled, by roller, purpose and ordinal; ``fresh`` gives what is missing.

    ``outcomes`` are the events of all its revisions, oldest first. The latest revision's dice come first, then those
    that only an earlier one rolled: a die that one revision did without is still there when the next one wants it.
    ``drawn`` are dice that were drawn for its correction, each with the ordinal of the roll it belongs to.
    ``answered`` are the requests that rolls keep, those for which they fell first unless it is said: an audit plays an outcome
    with its own dice and works out for what they were asked.
    """

    def __init__(
        self,
        outcomes: Iterable[Iterable[Event]],
        fresh: DiceSupply,
        drawn: Iterable[tuple[int, DiceRolled]] = (),
        answered: Mapping[OrdinalKey, RequestKey] | None = None,
    ) -> None:
        self._fresh = fresh
        self._rolls: dict[OrdinalKey, Faces] = {}
        requests: dict[OrdinalKey, RequestKey] = {}
        for key, roll in chain.from_iterable(map(rolls_by_ordinal, outcomes)):
            requests[key] = roll.request
            known = self._rolls.setdefault(key, {})
            for sides, dice in _faces(roll).items():
                known.setdefault(sides, [])[: len(dice)] = dice
        self.answered = requests if answered is None else answered
        for ordinal, roll in drawn:
            known = self._rolls.setdefault((roll.roller, roll.purpose, ordinal), {})
            for sides, dice in _faces(roll).items():
                have = {_origin(source) for _, source in known.get(sides, ())}
                known.setdefault(sides, []).extend(die for die in dice if _origin(die[1]) not in have)

    def origins(self, key: OrdinalKey, sides: int) -> list[Origin]:
        """The origins of the known dice of a roll with so many ``sides``, in the order in which it takes them."""
        return [_origin(source) for _, source in self._rolls.get(key, {}).get(sides, ())]

    def hand(self, request: Request) -> Hand:
        key = (request.roller, request.purpose, request.ordinal)
        if key not in self._rolls:
            return self._fresh.hand(request)
        answered = self.answered.get(key, request.key)
        known = request
        if (answered.occasion, answered.repeat) != (request.occasion, request.repeat):
            known = attrs.evolve(request, occasion=answered.occasion, repeat=answered.repeat)
        return _recorded_hand(self._rolls[key], self._fresh, known)

    def finish(self) -> None:
        """Recorded dice may be left over: an amended action can need fewer. Fresh dice are checked by their own source."""


class OverrideDice:
    """An action's own dice, with faces of the GM's choosing in the place of some that came from the stream.

    ``faces`` replace the action's stream dice in the order in which they fell, from the ``first`` (counted from 1) on. A
    die that shows the face already stays what it is. ``secret_only`` spares what the table saw.
    """

    def __init__(
        self, recorded: DiceSupply, faces: Iterable[int], *, first: int = 1, secret_only: bool = False
    ) -> None:
        self._recorded = recorded
        self._faces = parse_faces(faces)
        self._first = first
        self._secret_only = secret_only
        self._fell = 0

    def hand(self, request: Request) -> Hand:
        hand = self._recorded.hand(request)
        return Hand(hand.request, partial(self._instead, hand))

    def _instead(self, hand: Hand, sides: int) -> tuple[int, Source]:
        """The face that the next die shows from now on. Raises Refused if it cannot, or must not, show that."""
        face, source = hand.fall(sides)
        if source.place is None:
            return face, source
        self._fell += 1
        at = self._fell - self._first
        if not 0 <= at < len(self._faces) or self._faces[at] == face:
            return face, source
        if source.place.fork:
            raise Refused(
                "The dice of a timeline are not overridden. Make another timeline, or type real dice with --dice."
            )
        if self._secret_only and not hand.request.secret:
            raise Refused(
                "The table agreed that only dice behind the screen are overridden, and this one was rolled in the open. "
                "To agree on something else: rollbook do agree overrides open"
            )
        if self._faces[at] > sides:
            raise Refused(f"{self._faces[at]} is not a face of a d{sides}: die {self._fell} must show 1 to {sides}.")
        return self._faces[at], source._replace(kind=OVERRIDE)

    def finish(self) -> None:
        """Raises Refused if faces are left over."""
        if self._first + len(self._faces) - 1 > self._fell:
            many = "1 face was" if len(self._faces) == 1 else f"{len(self._faces)} faces were"
            has = f"{self._fell or 'no'} {'die' if self._fell == 1 else 'dice'}"
            raise Refused(
                f"{many} given, from die {self._first} on, but this action has {has} of the stream. "
                f"Real dice that were typed wrong are typed again with: rollbook amend --retype"
            )
        self._recorded.finish()


class CanonDice:
    """The dice of a timeline: where canon made the same request after the fork, the dice that fell there; else ``fresh``.

    The difference that a timeline shows is then the decision and not the luck. ``rolls`` are what canon rolled since.
    """

    def __init__(self, rolls: Iterable[DiceRolled], fresh: DiceSupply) -> None:
        self._fresh = fresh
        self._rolls: dict[tuple[RequestKey, bool], DiceRolled] = {}
        for roll in rolls:
            if roll.occasion:
                self._rolls.setdefault((roll.request, roll.secret), roll)

    def hand(self, request: Request) -> Hand:
        known = self._rolls.get((request.key, request.secret))
        return self._fresh.hand(request) if known is None else _recorded_hand(_faces(known), self._fresh, request)

    def finish(self) -> None:
        """Canon's dice may be left over: a decision that is another can need fewer."""
        self._fresh.finish()


def _faces(roll: DiceRolled) -> Faces:
    found: Faces = defaultdict(list)
    for die, source in sourced(roll):
        found[die.sides].append((die.face, source))
    return found


def _origin(source: Source) -> Origin:
    return source.session, source.place or source.kind
