"""Who sat at the table at one moment of a history, as far as dice go by it: the number of a seat, its role, and since when."""

from collections.abc import Iterable

import attrs

from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event, Role, SeatLeft, SeatTaken

_ABOUT_SEATS = (SeatTaken, SeatLeft)


@attrs.frozen
class SeatThen(Record):
    """A seat with its ``number`` in the streams, the role that it has had since entry ``since``, and whether it was left."""

    number: int
    role: Role
    since: EntryNumber
    present: bool = True


NOBODY = SeatThen(0, Role.GM, 0)
"""Who acts without a seat: the GM of a table at which nobody has sat down."""


@attrs.define
class SeatsThen(Changeable):
    """The seats after some entries. A correction of the action that took a seat counts as a change of that seat."""

    _changes: dict[ActionNumber, tuple[EntryNumber, tuple[Event, ...]]] = attrs.field(factory=dict)
    _seats: dict[SeatName, SeatThen] = attrs.field(factory=dict)

    def __getitem__(self, name: SeatName) -> SeatThen:
        return self._seats.get(name, NOBODY)

    @property
    def first_gm(self) -> int:
        """The number of the first GM who sits there; 0, which is that of a GM without a seat, if none does."""
        return min((seat.number for seat in self._seats.values() if seat.role is Role.GM and seat.present), default=0)

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
                elif isinstance(event, SeatLeft) and event.seat in self._seats:
                    self._seats[event.seat] = attrs.evolve(self._seats[event.seat], present=False)
