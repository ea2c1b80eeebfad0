"""Live editions of a campaign while it is played: one for each audience, each taking in only new entries.

An audience is a player's seat, "" for the table, or None for the GM, whose edition is the campaign itself. An edition of a long
history is made a stretch at a time, so that others can be answered in between.
"""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Callable, Iterable, Sequence
from functools import cached_property
from hashlib import sha256
from math import inf

import attrs

from rollbook.application.history.read_model import EntryRows
from rollbook.application.history.verified_ranges import NotedEntries
from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.cursor import LENGTH, Digests, count_of
from rollbook.application.visibility.editions.edition import Edition
from rollbook.application.visibility.numbers import Numbers
from rollbook.application.visibility.sight import ShownHistory, Source
from rollbook.domain.base.errors import HistoryDamaged, NotFound
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.base.progress import gc_paused
from rollbook.domain.base.records import Changeable
from rollbook.domain.entries import Outline, RecordedEntry
from rollbook.domain.history.event_store import StreamState
from rollbook.domain.history.history import History

Shown = Callable[[RecordedEntry], RecordedEntry]
"""An entry as the reader sees it, with the numbers that it has for the reader."""


class ShownEntries(NotedEntries):
    """Entries of a campaign that a reader may see, with the reader's ``numbers``; ``whole`` are all of the campaign's.

    The newest ones are in memory until they are dropped (``let_go``).
    """

    def __init__(
        self,
        whole: Sequence[RecordedEntry],
        shown: Shown,
        numbers: Numbers,
        noted: Iterable[Outline] = (),
        length: int = 0,
    ) -> None:
        self._whole = whole
        self._shown = shown
        self._numbers = numbers
        self._length = length
        super().__init__(noted, length)
        self._fresh: list[RecordedEntry] = []

    def __len__(self) -> int:
        return self._length

    def entry(self, number: EntryNumber) -> RecordedEntry:
        if number > self._length - len(self._fresh):
            return self._fresh[number - self._length - 1]
        return self._shown(self._whole[self._numbers.entries.at(number) - 1])

    def append(self, entry: RecordedEntry) -> None:
        self._note(entry)
        self._length += 1
        self._fresh.append(entry)

    def let_go(self) -> None:
        """Keep only the last entry in memory: the added ones have been folded."""
        del self._fresh[:-1]

    def until(self, number: EntryNumber) -> ShownEntries:
        return ShownEntries(self._whole, self._shown, self._numbers, self._noted, min(number, len(self)))


STRETCH = 256
"""Entries that are taken in at once; at a hundred microseconds each, other requests wait no longer than for a page."""


class BeingRead(Exception):
    """Raised while an edition is not complete, because its history is long: ``done`` entries of ``total`` are."""

    def __init__(self, audience: str, done: int, total: int) -> None:
        super().__init__(f"{done} of {total}")
        self.audience, self.done, self.total = audience, done, total


class LiveHistory(ShownHistory):
    """The entries of an edition that follows its campaign: each is made of the campaign's own when it is asked for."""

    def _kept(self, source: Source) -> ShownEntries:
        return ShownEntries(source.entries, self._as_shown, self.numbers)

    is_there = False
    """True if it has taken in all that the campaign has now, and its state is known."""

    def _settle(self, history: History) -> None:
        """Fold the entries that were taken in, then drop them from memory; set the head once all are there."""
        entries = history.entries
        assert isinstance(entries, ShownEntries)
        history.keep_up()
        entries.let_go()
        self.is_there = self.taken == self._source.head or bool(self._source.damage)
        if self.is_there:
            self._head = self._head_of(history)


class _Followed(CampaignView):
    @abstractmethod
    def read_up_to(self, cursor: str) -> EntryNumber | None:
        """The last entry read by the holder of a cursor; None if everything has to be read again."""

    @abstractmethod
    def cursor_at(self, entry: EntryNumber) -> str:
        """The cursor after an entry, for a reader who has read so far."""

    def lines_after(self, cursor: str) -> tuple[ActionNumber, ...] | None:
        """The actions of which something new is shown since a cursor; None if everything has to be read again."""
        known = self.read_up_to(cursor)
        return None if known is None else self.read_model.actions_after(self.id, known)


@attrs.define
class _Words(Changeable):
    """The wording of an edition's rows: how many more a question may take, and up to where all are worded, if all are wanted."""

    left: float = inf
    audience: str = ""
    are_all_wanted: bool = False
    up_to: EntryNumber = 0


class LiveEdition(_Followed, Edition):
    """An edition that follows its campaign. It can be read once it has taken in everything (``go_on``)."""

    shown_as = LiveHistory
    shown: LiveHistory

    def __init__(self, whole: CampaignView, seat: str, source: Source, *, words_for_foes: bool = False) -> None:
        self._digests = Digests(b"words" if words_for_foes else b"")
        self._words = _Words()
        super().__init__(whole, seat, source=source, words_for_foes=words_for_foes)

    @cached_property
    def read_model(self) -> EntryRows:
        """The log and the experience of its entries; they grow with it, in a file that is removed with it."""
        session = self.session
        return session.read_model.of_entries(
            self.id, rulebook=session.rulebook, again=self._again, words_for_foes=session.words_for_foes
        )

    def _again(self, number: EntryNumber) -> RecordedEntry:
        """An entry whose row is worded now. Raises BeingRead if a question takes the words of too many at once."""
        self._words.left -= 1
        if self._words.left < 0:
            self._words.are_all_wanted = True
            raise self.being_worded()
        return self.history.entry(number)

    def being_worded(self) -> BeingRead:
        """The progress of wording, if all rows have to be worded."""
        return BeingRead(self._words.audience, self._words.up_to, self.history.head)

    def has_words_for(self, audience: str, most: float) -> bool:
        """Get ready for a question that may take the words of at most so many more rows.

        Returns False if the one before took more, and not all rows are worded yet: then as many more of them are.
        """
        words = self._words
        words.audience, words.left = audience, most
        if not words.are_all_wanted or most == inf:
            return True
        try:
            words.up_to = self.read_model.word(STRETCH)
        except HistoryDamaged:  # who asks for that row meets it
            words.are_all_wanted = False
            return True
        words.left = most
        return words.up_to == self.history.head

    def _take_in(self) -> None:
        """Take in nothing yet: the caller of ``go_on`` says when."""

    def go_on(self) -> bool:
        """Take in a stretch of the missing entries. Returns True if it is complete now."""
        with gc_paused():
            self.read_model.take_in(map(self._digests.follow, self.shown.take_in(STRETCH)))
        return self.shown.is_there

    def can_follow(self) -> bool:
        """True if it can go on; if anything hidden is seen now, it has to be made again."""
        return self.shown.can_follow()

    def is_at(self, entry: EntryNumber) -> bool:
        """True if it has taken in all up to an entry of the campaign, and nothing after it."""
        return self.shown.taken == entry and self.shown.is_there

    @property
    def cursor(self) -> str:
        """The cursor after all that it has taken in: see ``rollbook.application.visibility.editions.cursor``."""
        return self._digests.cursor

    def read_up_to(self, cursor: str) -> EntryNumber | None:
        return self._digests.known(cursor)

    def cursor_at(self, entry: EntryNumber) -> str:
        return self._digests.at(entry)


class GMEdition(_Followed):
    """The edition of the GM: the campaign itself, as it was last read and projected. It never reads the past.

    ``removals`` is the store's count of removals of words when it was last looked at.
    """

    removals = 0

    @property
    def cursor(self) -> str:
        """The cursor: the last entry, and the count of removals: after one, everything has to be read again."""
        return self._at(self.head.entry, self.head.hash)

    def _at(self, entry: EntryNumber, hash_: str) -> str:
        digest = sha256(f"{hash_} {self.removals}".encode()).hexdigest()
        return f"{entry}.{digest[: 2 * LENGTH]}"

    def read_up_to(self, cursor: str) -> EntryNumber | None:
        known = count_of(cursor)
        if known is None or known > self.head.entry or self._at(known, self.session.log.recent_hash(known)) != cursor:
            return None
        return known

    def cursor_at(self, entry: EntryNumber) -> str:
        return self._at(entry, self.session.log.recent_hash(entry))

    def real_action(self, action: int) -> ActionNumber:
        """The same number. Raises NotFound for one that no action has."""
        if not 1 <= action <= self.head.actions:
            raise NotFound(f"There is no action #{action}; the last one is #{self.head.actions}.")
        return action

    def shown_action(self, action: ActionNumber) -> ActionNumber:
        """The same number."""
        return action

    def real_entry(self, entry: int) -> EntryNumber:
        """The same number. Raises NotFound for one that no entry has."""
        if not 1 <= entry <= self.head.entry:
            raise NotFound(f"There is no entry @{entry}; this history has {self.head.entry}.")
        return entry

    def shown_entry(self, entry: EntryNumber) -> EntryNumber:
        """The same number."""
        return entry


AnyEdition = LiveEdition | GMEdition


class Editions:
    """The editions of one campaign, each as the campaign is now; ``words_for_foes`` is of all but the GM's.

    ``in_stretches``: an edition that takes long is not waited for. The caller gets ``BeingRead``, and asks again.
    """

    def __init__(self, campaign: CampaignView, *, words_for_foes: bool = False) -> None:
        self.words_for_foes = words_for_foes
        self.in_stretches = False
        self._campaign = campaign
        self._gm = GMEdition(campaign.session)
        self._looked_at = ""
        self._begin_reading()

    def _begin_reading(self) -> None:
        self._source = Source(self._campaign.session)
        self._gm.removals = self._source.removals
        self._made: dict[str, LiveEdition] = {}

    @property
    def read(self) -> EntryNumber:
        """The last entry that was read for them."""
        return len(self._source.entries)

    def look_again(self, seen: StreamState | None = None) -> None:
        """Drop editions that no longer match the store, because words may have been removed.

        ``seen`` is what the store had just now, with the last entry ``read``.
        """
        self._looked_at = self._campaign.head.hash
        if not self._source.holds(seen):
            self._begin_reading()

    @property
    def is_being_read(self) -> bool:
        """True if one of them is not complete yet."""
        return not all(edition.shown.is_there for edition in self._made.values())

    def of(self, audience: str | None) -> AnyEdition:
        """The edition of an audience. Raises BeingRead, having gone on with it, if it takes another look."""
        if audience is None:
            return self._gm
        edition = self._made.get(audience)
        if edition is not None and edition.is_at(self._campaign.head.entry):
            return self._worded(audience, edition)
        if self._looked_at != self._campaign.head.hash:  # no word is removed without an entry that says so
            self.look_again()
        edition = self._made.pop(audience, None)
        if edition is None or not edition.can_follow():
            edition = LiveEdition(self._campaign, audience, self._source, words_for_foes=self.words_for_foes)
        is_there = edition.go_on()
        while not is_there and not self.in_stretches:
            is_there = edition.go_on()
        self._made[audience] = edition
        if not is_there:
            raise BeingRead(audience, edition.shown.taken, self._source.head)
        return self._worded(audience, edition)

    def _worded(self, audience: str, edition: LiveEdition) -> LiveEdition:
        """An edition that is ready for a question. Raises BeingRead if the words of all rows are wanted, and are not there."""
        if not edition.has_words_for(audience, STRETCH if self.in_stretches else inf):
            raise edition.being_worded()
        return edition
