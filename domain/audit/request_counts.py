"""What was asked of the dice since requests were last counted from 0, by what counts of each action: which number is free."""

from collections.abc import Iterator

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.base.records import Changeable
from rollbook.domain.dice.record import RequestKey
from rollbook.domain.events import DiceRolled, EncounterBegan, EncounterEnded, Event, SceneFramed, SessionOpened
from rollbook.domain.state.fold.draft import MOST_REPEATS

BEGINNINGS = frozenset((EncounterBegan, EncounterEnded, SceneFramed, SessionOpened))
"""Where requests are counted from 0 again."""

Events = tuple[Event, ...]


@attrs.define
class AskedFor(Changeable):
    """Requests by roller, purpose and occasion, as bits of their numbers; None where they have to be counted again."""

    _counting: dict[ActionNumber, Events] = attrs.field(factory=dict)
    _taken: dict[tuple[str, ...], int] | None = attrs.field(factory=dict)

    def begin(self) -> None:
        """A new stretch of play: requests are counted from 0 again."""
        self._taken = {}

    def due(self, request: RequestKey) -> int:
        """The number that a request gets: the lowest that is free."""
        taken = self._noted().get(request[:3], 0)
        return (~taken & (taken + 1)).bit_length() - 1

    def note(self, request: RequestKey) -> None:
        """One more request."""
        _note(self._noted(), request)

    def settle(self, action: ActionNumber, counts: Events, *, is_taken: bool, is_kept: bool) -> None:
        """What counts of an action now. Nothing before a beginning is counted again, unless that may be corrected away."""
        found = tuple(event for event in counts if event.__class__ in BEGINNINGS or event.__class__ is DiceRolled)
        if not is_kept and any(event.__class__ in BEGINNINGS for event in found):
            self._counting.clear()
        if found or action in self._counting:
            self._counting[action] = found
        if not is_taken:
            self._taken = None

    def _noted(self) -> dict[tuple[str, ...], int]:
        if self._taken is None:
            self._taken = {}
            for request in self._since_the_last_beginning():
                _note(self._taken, request)
        return self._taken

    def _since_the_last_beginning(self) -> Iterator[RequestKey]:
        for events in reversed(self._counting.values()):
            for event in reversed(events):
                if not isinstance(event, DiceRolled):
                    return
                yield event.request


def _note(taken: dict[tuple[str, ...], int], request: RequestKey) -> None:
    if 0 <= request.repeat < MOST_REPEATS:
        taken[request[:3]] = taken.get(request[:3], 0) | 1 << request.repeat
