"""The editions of a campaign while it is played: one for each audience, and each takes in only what was added.

An audience is a player's seat, "" for the table, or None for the GM, whose edition is the campaign itself.
"""

from __future__ import annotations

from functools import cached_property
from hashlib import sha256

from adapters.campaign import Campaign
from adapters.editions.cursor import LENGTH, Digests, count_of
from adapters.editions.edition import Edition, ShownHistory
from adapters.editions.entries import ShownEntries
from adapters.editions.source import Source
from adapters.exports.pseudonyms import Pseudonyms
from adapters.head import gc_paused
from adapters.storage.rows_of_entries import RowsOfEntries
from domain.errors import NotFound
from domain.identifiers import ActionNumber, EntryNumber


class LiveHistory(ShownHistory):
    """The entries of an edition that follows its campaign: each is made of the campaign's own when it is asked for."""

    def _kept(self, source: Source) -> ShownEntries:
        return ShownEntries(source.entries, self._as_shown, self.numbers)


class LiveEdition(Edition):
    """An edition that follows its campaign."""

    def _history_of(self, whole: Campaign, seat: str | None, names: Pseudonyms, source: Source) -> ShownHistory:
        return LiveHistory(whole, seat, names, source)

    def __init__(self, whole: Campaign, seat: str, source: Source, *, words_for_foes: bool = False) -> None:
        self._digests = Digests(b"words" if words_for_foes else b"")
        super().__init__(whole, seat, source=source, words_for_foes=words_for_foes)

    @cached_property
    def read_model(self) -> RowsOfEntries:
        """The log and the experience of what is in it; they grow with it, in a file that goes with it."""
        return RowsOfEntries(self.id, in_memory=False, words_for_foes=self.words_for_foes)

    def _take_in(self) -> None:
        with gc_paused():
            self.read_model.take_in(map(self._digests.follow, self.shown.take_in()))

    def follow(self) -> bool:
        """Take in what was added. Whether it could: if what was hidden is seen now, it has to be made again."""
        if not self.shown.can_follow():
            return False
        self._take_in()
        return True

    def is_at(self, entry: EntryNumber) -> bool:
        """Whether it has taken in all up to an entry of the campaign, and nothing after it."""
        return self.shown.taken == entry

    @property
    def cursor(self) -> str:
        """How far it has come: see ``adapters.editions.cursor``."""
        return self._digests.cursor

    def read_up_to(self, cursor: str) -> EntryNumber | None:
        """The last entry that one has read who has this cursor; None if everything has to be read again."""
        return self._digests.known(cursor)

    def lines_after(self, cursor: str) -> tuple[ActionNumber, ...] | None:
        """The actions of which something new is shown since a cursor; None if everything has to be read again."""
        return _lines_after(self, cursor)

    def real_action(self, action: int) -> ActionNumber:
        """The campaign's number of an action that is shown. Raises NotFound."""
        self.load_history().check(action)
        return self.shown.numbers.actions.at(action)

    def shown_action(self, action: ActionNumber) -> ActionNumber:
        """The number here of an action of the campaign, 0 if it is not shown."""
        return self.shown.numbers.actions.place(action)

    def real_entry(self, entry: int) -> EntryNumber:
        """The campaign's number of an entry that is shown. Raises NotFound."""
        return self.shown.numbers.entries.at(self.load_history().entry(entry).number)

    def shown_entry(self, entry: EntryNumber) -> EntryNumber:
        """The number here of an entry of the campaign, 0 if it is not shown."""
        return self.shown.numbers.entries.place(entry)


class GMEdition(Campaign):
    """The edition of the GM: the campaign itself, as it was last read and projected. It asks nothing of what is long past."""

    def __init__(self, whole: Campaign) -> None:
        super().__init__(whole.log, whole.rulebook, whole.dice.seeds, whole.read_model, whole.timeline, whole.book)
        self._open = whole._open  # noqa: SLF001 - one campaign, which is open once

    @property
    def cursor(self) -> str:
        """How far it has come, and whether words were removed: then everything has to be read again."""
        return self._at(self.head.entry, self.head.hash)

    def _at(self, entry: EntryNumber, hash_: str) -> str:
        digest = sha256(f"{hash_} {self.log.store.removals()}".encode()).hexdigest()
        return f"{entry}.{digest[: 2 * LENGTH]}"

    def read_up_to(self, cursor: str) -> EntryNumber | None:
        """The last entry that one has read who has this cursor; None if everything has to be read again."""
        known = count_of(cursor)
        if known is None or known > self.head.entry or self._at(known, self.log.hash_at(known)) != cursor:
            return None
        return known

    def lines_after(self, cursor: str) -> tuple[ActionNumber, ...] | None:
        """The actions of which something new is shown since a cursor; None if everything has to be read again."""
        return _lines_after(self, cursor)

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


def _lines_after(edition: AnyEdition, cursor: str) -> tuple[ActionNumber, ...] | None:
    known = edition.read_up_to(cursor)
    return None if known is None else edition.read_model.actions_after(edition.id, known)


class Editions:
    """The editions of one campaign, each as the campaign is now; ``words_for_foes`` is of all but the GM's."""

    def __init__(self, campaign: Campaign, *, words_for_foes: bool = False) -> None:
        self.words_for_foes = words_for_foes
        self._campaign = campaign
        self._gm = GMEdition(campaign)
        self._source = Source(campaign)
        self._made: dict[str, LiveEdition] = {}

    def look_again(self) -> None:
        """Let go of what is not what is stored any more: words may have been removed, by whomever."""
        if not self._source.holds():
            self._source, self._made = Source(self._campaign), {}

    def of(self, audience: str | None) -> AnyEdition:
        """The edition of an audience."""
        if audience is None:
            return self._gm
        edition = self._made.get(audience)
        if edition is not None and edition.is_at(self._campaign.head.entry):
            return edition
        self.look_again()
        edition = self._made.pop(audience, None)
        if edition is None or not edition.follow():
            edition = LiveEdition(self._campaign, audience, self._source, words_for_foes=self.words_for_foes)
        self._made[audience] = edition
        return edition
