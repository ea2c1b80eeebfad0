"""An edition of a campaign: what one reader may see of it. It answers what a campaign answers, and records nothing.

For the GM nothing is left out, and every number is the campaign's own.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256
from typing import TYPE_CHECKING, ClassVar, cast

import attrs

from rollbook.application.history.entry_log import EntryLog
from rollbook.application.history.head import Head, checked_entry
from rollbook.application.history.open_history import ReadOnlyHistory
from rollbook.application.session import CampaignSession
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.cursor import LENGTH
from rollbook.application.visibility.editions.numbers import Numbers
from rollbook.application.visibility.pseudonyms import Pseudonyms
from rollbook.application.visibility.sight import SeatView, Sight
from rollbook.domain.audit.chain_audit import UNRECORDED, Succession
from rollbook.domain.base.errors import HistoryDamaged, Refused, damaged_entry
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber, SeatName
from rollbook.domain.base.progress import gc_paused, told
from rollbook.domain.dice.ledger import DiceLedger
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.rules.sheet import Sheet, Term, Value
from rollbook.domain.state.campaign_state import EMPTY
from rollbook.domain.state.lookup import slug

if TYPE_CHECKING:
    from rollbook.domain.audit.answers import Answer
    from rollbook.domain.base.identifiers import StreamId
    from rollbook.domain.history.event_store import EventStore, StoredEntry


EVERY = 16
"""So many entries are read again at once when one of them is asked for."""


class Source:
    """The entries of a campaign, of which few are in memory, up to where they were read.

    ``damage`` says what is wrong with the first entry that is not what was stored; it and what follows it are left out.
    """

    def __init__(self, campaign: CampaignSession) -> None:
        self._campaign = campaign
        self._log = campaign.log
        self._removals = self._log.store.removals()
        self._entries = self._log.to_be_read(EVERY)
        self._last_hash = ""
        self._head = Head()
        self._reading: Succession | None = None
        self._revealed: tuple[EntryNumber, frozenset[EntryNumber]] = (0, frozenset())
        self.damage = ""

    @property
    def entries(self) -> Sequence[RecordedEntry]:
        """The entries that were read so far: that of number n is at n - 1."""
        return self._entries

    @property
    def head(self) -> EntryNumber:
        """The last entry that the campaign has now."""
        return self._campaign.head.entry

    def holds(self) -> bool:
        """Whether what was read is still what is stored: no words were removed since, and nothing else is in its place."""
        if self._log.store.removals() != self._removals:
            return False
        return not self._entries or self._log.hash_at(len(self._entries)) == self._last_hash

    def revealed(self) -> frozenset[EntryNumber]:
        """The numbers of the entries that were revealed, as far as the campaign goes now."""
        if self._revealed[0] != self.head:
            self._revealed = self.head, frozenset(self._log.revealed(self.head))
        return self._revealed[1]

    def after(self, number: EntryNumber, most: int | None = None) -> Iterator[RecordedEntry]:
        """The entries after a number, ``most`` of them, up to the head that the campaign has now. Read them to the last."""
        head, known = self._campaign.head, self._entries
        until = head.entry if most is None else min(number + most, head.entry)
        yield from (known[at] for at in range(number, min(until, len(known))))
        if until <= len(known) or self.damage:
            return
        reading = self._reading = self._reading or self._log.succession(self._head)
        try:
            stored = told(self._log.stored(len(known), until), lambda: head.entry, before=len(known))
            for each in stored:
                entry = checked_entry(each, reading)
                self._last_hash = entry.hash
                known.append(entry)
                yield entry
            if until == head.entry:
                for gone in reading.removals.unrecorded():
                    raise damaged_entry(gone, UNRECORDED)
                self._head, self._reading = head, None
        except HistoryDamaged as damage:
            what_now = "What comes before it is shown; nothing can be added."
            self.damage = f"{damage} {what_now}"


DAMAGED = "The history of this campaign is damaged: it can be read as far as it is whole. The GM is told more."
"""What is said of damage to who may not know how many entries there are."""


class ShownHistory(ReadOnlyHistory):
    """The entries of an edition: what one reader sees of those of a source."""

    refused = "An edition records nothing."

    def __init__(self, whole: CampaignSession, seat: str | None, names: Pseudonyms, source: Source) -> None:
        super().__init__(whole.log, whole.read_model.apart())
        head = whole.head
        self._whole = whole
        self._names = names
        self._source = source
        self._sight = None if seat is None else Sight(whole.log, head.state, seat, head.entry)
        self.taken = 0
        self.numbers = Numbers()
        self._history = History(self._kept(source))
        self._history.begin_at(EMPTY, DiceLedger())

    def _kept(self, _: Source) -> Iterable[RecordedEntry]:
        """The list that the entries go into: one in memory, because what is handed on is gone through again and again."""
        return ()

    def _as_shown(self, entry: RecordedEntry) -> RecordedEntry:
        return self._names.of_entry(self.numbers.of(entry if self._sight is None else self._sight.shown(entry)))

    def can_follow(self) -> bool:
        """Whether what was added changes nothing of what was seen or hidden before."""
        return self._sight is None or self._sight.holds(self._source.revealed(), self._whole.state)

    def take_in(self, most: int | None = None) -> Iterator[RecordedEntry]:
        """Take in what the source has gained, ``most`` entries of it. Returns those that can be seen, as the reader sees them."""
        history = self._history
        assert history is not None
        for entry in self._source.after(self.taken, most):
            self.taken = entry.number
            if (self._sight is None or self._sight.sees(entry)) and self.numbers.add(entry):
                shown = self._as_shown(entry)
                history.add(shown)
                yield shown
        self._settle(history)
        if self._source.damage:
            self.damage = HistoryDamaged(self._source.damage if self._sight is None else DAMAGED)

    def _settle(self, history: History) -> None:
        self._head = self._head_of(history)


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
    ) -> None:
        """``words_for_foes``: how foes are is said in words, and nothing says how many hit points they have or lose."""
        names = names or Pseudonyms()
        session = whole.session
        self.shown = self.shown_as(session, seat, names, source or Source(session))
        log = _nothing_stored(names.text(whole.state.name)) if names.names else None
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
    """The log of a campaign whose people have other names: an empty one, because what is stored has their own."""
    return EntryLog(cast("EventStore", _NothingStored()), slug(name) or "campaign", clock=lambda: 0)


class _NothingStored:
    """As much of an event store as an edition asks, with nothing in it."""

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
"""The one line of all that the table was not told."""


def own_sheet(told: Sheet, true: Sheet) -> Sheet:
    """A player's own sheet: its numbers are true, and of what makes them only what the table was told is named.

    What no open entry says is the one term "unknown". Numbers and words that the table was told nothing of are not on it.
    """
    known = {value.key: value for value in true.values}
    return attrs.evolve(told, values=tuple(_own_value(value, known.get(value.key)) for value in told.values))


def _own_value(told: Value, true: Value | None) -> Value:
    if true is None or (true.amount == told.amount and str(true) == str(told)):
        return told
    difference = true.amount - told.amount
    unknown = (Term(difference, UNKNOWN),) if difference else ()
    return attrs.evolve(told, amount=true.amount, shown=true.shown, terms=(*told.terms, *unknown))


def mark_of_own(whole: CampaignView, edition: CampaignView, seat: SeatName) -> str:
    """A word for what a player's own sheets show beyond their edition, another one whenever that changes; "" for nothing."""
    found = list(_beyond(whole, edition, seat))
    return sha256(repr(found).encode()).hexdigest()[: 2 * LENGTH] if found else ""


def _beyond(whole: CampaignView, edition: CampaignView, seat: SeatName) -> Iterator[tuple[str, str, int, str]]:
    """The numbers that are others than the edition has them: whose, which, how much, and as it is written."""
    for who, character in edition.state.characters.items():
        real = whole.state.characters.get(who)
        if character.seat != seat or real is None:
            continue
        told = edition.session.rulebook.sheet(character, edition.state)
        own = own_sheet(told, whole.session.rulebook.sheet(real, whole.state))
        for value, plain in zip(own.values, told.values, strict=True):
            if value is not plain:
                yield who, value.key, value.amount, str(value)
