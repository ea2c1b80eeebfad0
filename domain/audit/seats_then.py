"""Who sat at the table at one moment of a history, as far as dice go by it: the number of a seat, its role, and since when."""

from collections.abc import Iterable

import attrs

from domain.entries import RecordedEntry
from domain.events import Event, Role, SeatLeft, SeatTaken
from domain.identifiers import ActionNumber, EntryNumber, SeatName
from domain.records import Changeable, Record

_ABOUT_SEATS = (SeatTaken, SeatLeft)


@attrs.frozen
class SeatThen(Record):
    """A seat with its ``number`` in the streams, and the role that it has had since entry ``since``."""

    number: int
    role: Role
    since: EntryNumber


NOBODY = SeatThen(0, Role.GM, 0)
"""Who acts without a seat: the GM of a table at which nobody has sat down."""


@attrs.define
class SeatsThen(Changeable):
    """The seats after some entries. A correction of the action that took a seat counts as a change of that seat."""

    _changes: dict[ActionNumber, tuple[EntryNumber, tuple[Event, ...]]] = attrs.field(factory=dict)
    _seats: dict[SeatName, SeatThen] = attrs.field(factory=dict)

    def __getitem__(self, name: SeatName) -> SeatThen:
        return self._seats.get(name, NOBODY)

    def follow(self, entry: RecordedEntry, counts: Iterable[Event]) -> None:
        """One more entry, after which the events ``counts`` count for its action."""
        about = tuple(event for event in counts if isinstance(event, _ABOUT_SEATS))
        if not about and entry.action not in self._changes:
            return
        self._changes[entry.action] = entry.number, about
        self._seats = {}
        for _, (since, events) in sorted(self._changes.items()):
            for event in events:
                if isinstance(event, SeatTaken):
                    self._seats[event.seat] = SeatThen(event.number, event.role, since)
