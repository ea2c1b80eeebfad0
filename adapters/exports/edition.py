"""An edition of a campaign: what one reader may see of it, to be handed on.

What the reader may not see is not in it, and no number skips where it was: entries, actions and revisions are counted among those
that are in it, as they are in a player's file. So two campaigns that differ only in their secrets have the same edition. For
the GM nothing is left out, and every number is the campaign's own.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cached_property
from typing import TYPE_CHECKING

import attrs

from adapters.campaign import Campaign
from adapters.exports.pseudonyms import Pseudonyms
from adapters.head import Head
from adapters.open_campaign import OpenCampaign
from adapters.sight import Sight
from adapters.storage.read_model import ReadModel
from domain.entries import EntryKind, RecordedEntry
from domain.errors import HistoryDamaged, Refused
from domain.history import History
from domain.identifiers import ActionNumber, EntryNumber
from domain.lookup import slug
from domain.progress import told

if TYPE_CHECKING:
    from domain.receipts import Receipt


@attrs.define
class Numbers:
    """The numbers that entries, actions and revisions have among those that are left."""

    entries: int = 0
    _actions: dict[ActionNumber, ActionNumber] = attrs.field(factory=dict)
    _revisions: dict[ActionNumber, dict[int, int]] = attrs.field(factory=dict)

    def closed_up(self, entry: RecordedEntry) -> RecordedEntry | None:
        """An entry with its number here; None for a correction of what is not here."""
        known = self._revisions.get(entry.action)
        kind, restores = entry.kind, entry.restores
        if known is None:
            if not entry.is_outcome:
                return None
            kind, known = EntryKind.TAKEN, {}
            self._actions[entry.action] = len(self._actions) + 1
            self._revisions[entry.action] = known
        elif restores and restores not in known:
            return None
        self.entries += 1
        known[entry.revision] = revision = len(known) + 1
        return entry._replace(
            kind=kind,
            number=self.entries,
            action=self._actions[entry.action],
            revision=revision,
            restores=known.get(restores, 0),
        )


class Edition(Campaign):
    """A campaign as one reader may see it (``seat``: None for the GM, "" for the table). It records nothing."""

    def __init__(self, whole: Campaign, seat: str | None, names: Pseudonyms | None = None) -> None:
        super().__init__(whole.log, whole.rulebook, whole.dice.seeds, ReadModel(), whole.timeline)
        self.id = slug((names or Pseudonyms()).text(whole.id.replace("-", " "))) if names else whole.id
        self._whole = whole
        self._open = _Leaves(whole, _seen(whole, seat), names or Pseudonyms())

    @cached_property
    def read_model(self) -> ReadModel:
        """The log and the experience of what is in it, made when they are first asked for."""
        return self.read_model_of(self.load_history().entries)

    def entries_after(self, number: EntryNumber) -> Iterable[RecordedEntry]:
        """Those that are in it, by the numbers that they have here."""
        return self.load_history().entries[number:]

    def receipt(self) -> Receipt:
        """The receipt is of what the whole table saw."""
        return self._whole.receipt()


class _Leaves(OpenCampaign):
    """The entries of an edition, as they were when it was made."""

    def __init__(self, whole: Campaign, entries: Iterable[RecordedEntry], names: Pseudonyms) -> None:
        super().__init__(whole.log, ReadModel())
        numbers, history = Numbers(), History()
        for entry in entries:
            placed = numbers.closed_up(entry)
            if placed is not None:
                history.add(names.of_entry(placed))
        self._history = history
        self._head = self._head_of(history)
        self._damage = HistoryDamaged(whole.damage) if whole.damage else None

    def refresh(self) -> Head:
        """The head; an edition does not change."""
        return self.head

    def read_again(self) -> None:
        """Do nothing, because an edition does not change."""

    def writable_head(self) -> Head:
        """Raises Refused: an edition records nothing."""
        raise Refused("What is exported records nothing.")


def _seen(whole: Campaign, seat: str | None) -> Iterable[RecordedEntry]:
    """What a seat may see of each entry that it may see; all of them for the GM."""
    history = whole.load_history()
    entries = told(history.entries, lambda: history.head)
    if seat is None:
        return entries
    sight = Sight(whole.log, history, seat)
    return (sight.shown(entry) for entry in entries if sight.sees(entry))
