"""An edition of a campaign: the part that one reader may see. It answers what a campaign answers, and records nothing.

For the GM nothing is left out, and every number is the campaign's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, cast

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.cursor import LENGTH
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.application.visibility.sight import SeatView, ShownHistory, Source
from rollbook.domain.base.errors import Refused
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.base.progress import gc_paused
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.domain.state.lookup import slug

if TYPE_CHECKING:
    from rollbook.domain.audit.answers import Answer
    from rollbook.domain.base.identifiers import StreamId
    from rollbook.domain.history.event_store import EventStore, StoredEntry


class Edition(SeatView):
    """A campaign as one reader may see it (``seat``: None for the GM, "" for the table), as it is now."""

    shown_as: ClassVar[type[ShownHistory]] = ShownHistory

    def __init__(
        self,
        whole: CampaignView,
        seat: str | None,
        names: Pseudonyms | None = None,
        source: Source | None = None,
        *,
        words_for_foes: bool = False,
        to_correct: bool = False,
    ) -> None:
        """``words_for_foes``: the condition of foes is in words, and nothing shows the hit points they have or lose.

        ``to_correct``: it keeps the reads of each action, so that corrections of it can be previewed.
        """
        session = whole.session
        self.shown = self.shown_as(session, seat, source or Source(session), names, to_correct=to_correct)
        log = _nothing_stored(names.text(whole.state.name)) if names and names.names else None
        super().__init__(whole, self.shown, words_for_foes=words_for_foes, log=log)
        self._take_in()

    def _take_in(self) -> None:
        with gc_paused():
            deque(self.shown.take_in(), maxlen=0)

    def real_action(self, action: int) -> ActionNumber:
        """The campaign's number of an action that is shown. Raises NotFound."""
        self.history.check(action)
        return self.shown.numbers.actions.at(action)

    def shown_action(self, action: ActionNumber) -> ActionNumber:
        """The number here of an action of the campaign, 0 if it is not shown."""
        return self.shown.numbers.actions.place(action)

    def real_entry(self, entry: int) -> EntryNumber:
        """The campaign's number of an entry that is shown. Raises NotFound."""
        return self.shown.numbers.entries.at(self.history.entry(entry).number)

    def shown_entry(self, entry: EntryNumber) -> EntryNumber:
        """The number here of an entry of the campaign, 0 if it is not shown."""
        return self.shown.numbers.entries.place(entry)

    def audit(self) -> tuple[Answer, Answer, Answer]:
        """Raises Refused: an audit counts what is hidden too."""
        raise Refused("An audit is of the whole campaign. Ask the GM, who has it.")


def _nothing_stored(name: str) -> EntryLog:
    """The log of an edition with pseudonyms: an empty one, because the stored entries have real names."""
    return EntryLog(cast("EventStore", _NothingStored()), slug(name) or "campaign", clock=lambda: 0)


class _NothingStored:
    """An empty event store, as far as an edition needs one."""

    file, lasts = "", False

    def head(self, _: StreamId) -> int:
        return 0

    def read(self, *_: object) -> Iterator[StoredEntry]:
        return iter(())

    read_kinds = read

    def removals(self) -> int:
        return 0

    def identity(self) -> str:
        return ""


UNKNOWN = "unknown"
"""Label of the one term for all that the table was not told."""


def own_sheet(told: Sheet, true: Sheet) -> Sheet:
    """A player's own sheet: its numbers are true, and of their terms only those that the table was told are named.

    The rest is one term "unknown". Numbers and words of which the table was told nothing are not on it.
    """
    known = {value.key: value for value in true.values}
    return attrs.evolve(told, values=tuple(_own_value(value, known.get(value.key)) for value in told.values))


def _own_value(told: Value, true: Value | None) -> Value:
    if true is None or (true.amount, true.shown) == (told.amount, told.shown):
        return told
    difference = true.amount - told.amount
    unknown = (Term(difference, UNKNOWN),) if difference else ()
    return attrs.evolve(told, amount=true.amount, shown=true.shown, terms=(*told.terms, *unknown))


def mark_of_own(whole: CampaignView, edition: CampaignView, seat: SeatName) -> str:
    """A word that changes whenever a player's own sheets differ otherwise from their edition; "" for no difference."""
    found = list(_beyond(whole, edition, seat))
    return sha256(repr(found).encode()).hexdigest()[: 2 * LENGTH] if found else ""


def _beyond(whole: CampaignView, edition: CampaignView, seat: SeatName) -> Iterator[tuple[str, str, int, str]]:
    """The numbers that differ from the edition's: character, key, amount, and the amount as written."""
    for who, character in edition.state.characters.items():
        real = whole.state.characters.get(who)
        if character.seat != seat or real is None:
            continue
        told = edition.session.rulebook.sheet(character, edition.state)
        own = own_sheet(told, whole.session.rulebook.sheet(real, whole.state))
        for value, plain in zip(own.values, told.values, strict=True):
            if value is not plain:
                yield who, value.key, value.amount, str(value)
