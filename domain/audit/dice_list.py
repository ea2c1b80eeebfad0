"""Remarks on dice that accuse nobody: typed, undone, met again, granted, overridden, agreed on, chosen."""

from collections import Counter
from collections.abc import Iterable, Iterator

import attrs

from rollbook.domain.actions.campaign import ZONE
from rollbook.domain.audit.dice_context import SeatThen
from rollbook.domain.audit.dice_session import DiceSession, FirstSeen, faces
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.records import Changeable, Record
from rollbook.domain.dice import record
from rollbook.domain.dice.ledger import DiceOfAPlace
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import DiceRolled, FreshDiceGranted, Role, TableAgreed

PHYSICAL, IMPORTED, REDONE, UNDONE = record.PHYSICAL, record.IMPORTED, "redone", "undone"
GRANTED, OVERRIDDEN, AGREED, UNUSED, CHOSEN = "granted", "overridden", "agreed", "unused", "chosen"


@attrs.frozen
class Listed(Record):
    """Something about dice that a reader should know: in which entry, of what ``kind``, and how many ``dice`` it is about."""

    entry: EntryNumber
    kind: str
    text: str
    dice: int = 1


_DICE = {
    PHYSICAL: ("1 real die was typed in; nobody can prove it", "{} real dice were typed in; nobody can prove those"),
    IMPORTED: (
        "1 die comes from another program; nobody can prove it",
        "{} dice come from another program; nobody can prove those",
    ),
    OVERRIDDEN: (
        "1 die was overridden by the GM; it proves nothing",
        "{} dice were overridden by the GM; those prove nothing",
    ),
}
"""The remarks on kinds of which the dice are counted, in the singular and in the plural."""

_TIMES = {
    UNDONE: ("1 roll was undone and not asked for again", "{} rolls were undone and not asked for again"),
    REDONE: ("1 roll was undone and met again", "{} rolls were undone and met again"),
    GRANTED: ("fresh dice were granted for 1 roll", "fresh dice were granted for {} rolls"),
    AGREED: ("the table agreed on dice once", "the table agreed on dice {} times"),
    CHOSEN: (
        "1 roll was of a seat that could be chosen for its dice",
        "{} rolls were of seats that could be chosen for their dice",
    ),
    UNUSED: (
        "1 session had a line and was closed without a roll",
        "{} sessions had a line and were closed without a roll",
    ),
}
"""The same for kinds of which every mention counts once."""


def in_numbers(listed: Iterable[Listed]) -> Iterator[str]:
    """A sentence for each kind, with how many there are of it."""
    found = Counter[str]()
    for one in listed:
        found[one.kind] += 1 if one.kind in _TIMES else one.dice
    for kind in (*(kind for kind in found if kind not in _TIMES), *_TIMES):
        if found[kind]:
            once, often = _TIMES.get(kind) or _DICE[kind]
            yield once if found[kind] == 1 else often.format(found[kind])


@attrs.define
class DiceList(Changeable):
    """Everything of this kind that is ``found`` in a history as it is read."""

    found: list[Listed] = attrs.field(factory=list)
    _shown: dict[ActionNumber, set[object]] = attrs.field(factory=dict)
    _agreed: dict[str, str] = attrs.field(factory=dict)

    def add(self, entry: RecordedEntry, kind: str, text: str, dice: int = 1) -> None:
        """One more."""
        self.found.append(Listed(entry.number, kind, text, dice))

    def forget(self, action: ActionNumber) -> None:
        """An action will not be corrected, so nothing of it is shown again."""
        self._shown.pop(action, None)

    def others(self, entry: RecordedEntry, roll: DiceRolled) -> None:
        """Dice that came from no stream; a revision shows the dice of its action again."""
        if None not in [source.place for source in roll.sources]:
            return
        at = 0
        shown = self._shown.setdefault(entry.action, set())
        for source in roll.sources:
            dice = tuple((die.sides, die.face) for die in roll.dice[at : at + source.dice])
            at += source.dice
            known = (roll.roller, roll.purpose, source.kind, dice)
            if source.kind in (PHYSICAL, IMPORTED) and known not in shown:
                shown.add(known)
                who = f"{roll.roller}, " if roll.roller else ""
                self.add(entry, source.kind, f"#{entry.action} {who}{roll.purpose}: {faces(dice)}", len(dice))

    def override(self, entry: RecordedEntry, drawn: DiceOfAPlace, first: FirstSeen | None) -> None:
        """Faces of the GM's choosing, with what fell ``first`` (None: on canon, of which a timeline knows no more)."""
        shown = self._shown.setdefault(entry.action, set())
        if (drawn.place, drawn.dice) not in shown:
            shown.add((drawn.place, drawn.dice))
            said = f", by {entry.seat or 'nobody'}: {entry.reason}"
            here = f"{first.text} → {faces(drawn.dice)}" if first else f"overridden on canon: {faces(drawn.dice)}"
            self.add(entry, OVERRIDDEN, f"#{entry.action} {here}{said}", sum(drawn.overridden))

    def choice(self, entry: RecordedEntry, drawn: DiceOfAPlace, seat: SeatThen, dice_session: DiceSession) -> None:
        """Dice that a host could choose by choosing who rolls: of a seat that came late, or of another GM than the first."""
        if seat.since > dice_session.entry:
            why = "who sat down since the session was opened"
        elif seat.role is Role.GM and seat.number != dice_session.gm_seat:
            why = "and another GM sat there first: each has dice of their own to choose from"
        else:
            return
        self.add(entry, CHOSEN, f"#{entry.action} {drawn.named} fell for {entry.seat or 'the GM'}, {why}")

    def agree(self, entry: RecordedEntry, event: TableAgreed) -> None:
        """List an agreement on dice; one on the time zone is no matter of dice."""
        if event.matter == ZONE:
            return
        matter = f"{event.matter} of {event.seat}" if event.seat else event.matter
        before = self._agreed.get(matter)
        self._agreed[matter] = event.value
        self.add(entry, AGREED, f"{matter}: {event.value}" + (f", before that {before}" if before else ""))

    def grant(self, entry: RecordedEntry, event: FreshDiceGranted, dice_session: DiceSession) -> None:
        """Rolls that no longer wait for their request."""
        for first in filter(None, map(dice_session.first.get, event.places)):
            text = f"#{first.action} {first.text} need not be met again: {event.why}"
            self.add(entry, GRANTED, text, len(first.dice))
