"""What corrections have put away from a number on a sheet: the terms that it had before them, and has no more."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import islice

import attrs

from rollbook.domain.base.identifiers import ActionNumber, CharacterId, EntryNumber, SeatName
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.sheet import Term, Value

MOST = 40
"""So many corrections are looked at, the latest ones."""


@attrs.frozen(kw_only=True)
class PutAway(Record):
    """A correction that changed a number: what it was ``before`` and ``after``, and the ``terms`` that are gone.

    ``entry`` is the first entry of the correction and ``action`` what that entry corrected; ``seat`` did it, for a ``reason``.
    """

    entry: EntryNumber
    action: ActionNumber
    seat: SeatName
    reason: str
    before: str
    after: str
    terms: tuple[Term, ...]


def put_away(
    history: History, rulebook: Rulebook, who: CharacterId, key: str, until: EntryNumber
) -> tuple[PutAway, ...]:
    """What the corrections up to an entry have put away from a number of a character, the latest first."""
    found = (_by(history, rulebook, who, key, made) for made in islice(_corrections(history, until), MOST))
    return tuple(each for each in found if each is not None)


def _corrections(history: History, until: EntryNumber) -> Iterator[tuple[RecordedEntry, EntryNumber]]:
    """The corrections, newest first: the first entry of each, and the number of its last."""
    seen: set[str] = set()
    for entry in history.corrections_backwards():
        if entry.correction in seen or entry.number > until:
            continue
        together = history.correction(entry.correction) if entry.correction else ()
        if entry.correction:
            seen.add(entry.correction)
        first, last = (together[0], together[-1]) if together else (entry, entry)
        if last.number <= until:
            yield first, last.number


def _by(
    history: History, rulebook: Rulebook, who: CharacterId, key: str, made: tuple[RecordedEntry, EntryNumber]
) -> PutAway | None:
    first, last = made
    before = _number(history, rulebook, who, key, first.number - 1)
    after = _number(history, rulebook, who, key, last)
    if before is None or after is None or before == after:
        return None
    return PutAway(
        entry=first.number,
        action=first.action,
        seat=first.seat,
        reason=first.reason,
        before=str(before),
        after=str(after),
        terms=tuple(term for term in before.terms if term not in after.terms),
    )


def _number(history: History, rulebook: Rulebook, who: CharacterId, key: str, entry: EntryNumber) -> Value | None:
    state = history.as_known_at(entry)
    character = state.characters.get(who)
    return rulebook.sheet(character, state).value(key) if character is not None else None
