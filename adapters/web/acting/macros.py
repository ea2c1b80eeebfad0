"""Macros: lines that a seat keeps under a name, beside the store. They are no part of the history, and nobody else's to see."""

import json

import attrs

from rollbook.application.ports.seed_store import TableNotes
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import CampaignId, SeatName
from rollbook.domain.base.records import Record

MOST, LONGEST_NAME, LONGEST_LINE = 24, 40, 300
"""Most macros of a seat, and most characters of a name and of a line."""


@attrs.frozen
class Macro(Record):
    """A line under a name."""

    name: str
    line: str


@attrs.frozen
class Macros:
    """The macros of all seats of a store's campaigns. The host's seat is ""."""

    _notes: TableNotes

    def of(self, campaign: CampaignId, seat: SeatName) -> tuple[Macro, ...]:
        """The macros of a seat, in the order in which they were kept. Raises RollbookError if they cannot be read."""
        return tuple(Macro(name, line) for name, line in _read(self._notes.read(campaign)).get(seat, {}).items())

    def keep(self, campaign: CampaignId, seat: SeatName, name: str, line: str) -> None:
        """Keep a line under a name, in the place of an earlier one. Raises Refused for one that is empty or too much."""
        name, line = " ".join(name.split()), line.strip()
        if not name or not line:
            raise Refused("A macro is a line and a name for it: fill in both.")
        if len(name) > LONGEST_NAME or len(line) > LONGEST_LINE:
            raise Refused(f"A name has at most {LONGEST_NAME} characters, and a line {LONGEST_LINE}.")

        def with_it(text: str) -> str:
            kept = _read(text)
            mine = {**kept.get(seat, {}), name: line}
            if len(mine) > MOST:
                raise Refused(f"{MOST} macros are kept for a seat. Remove one first.")
            return _written({**kept, seat: mine})

        self._notes.change(campaign, with_it)

    def drop(self, campaign: CampaignId, seat: SeatName, name: str) -> None:
        """Remove a macro, if there is one of that name."""

        def without(text: str) -> str:
            kept = _read(text)
            mine = {each: line for each, line in kept.get(seat, {}).items() if each != name}
            return _written({**kept, seat: mine})

        self._notes.change(campaign, without)


def _read(text: str) -> dict[str, dict[str, str]]:
    try:
        kept = json.loads(text)
    except (ValueError, RecursionError):
        return {}  # nothing was kept yet, or it is spoilt
    seats = kept.items() if isinstance(kept, dict) else ()
    return {
        seat: {str(name): str(line) for name, line in mine.items()} for seat, mine in seats if isinstance(mine, dict)
    }


def _written(kept: dict[str, dict[str, str]]) -> str:
    some = {seat: mine for seat, mine in kept.items() if mine}
    return json.dumps(some, ensure_ascii=False) if some else ""
