"""Corrections as far as a player can know: previews that are made of what the player may see, and of nothing else.

So a preview says nothing of what is hidden, neither in its words nor in the time it takes. Whether the whole campaign agrees is
found out when the correction is to be made: ``is_as_seen`` says whether it comes to what was shown, and touches nobody else.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping

import attrs

from adapters.campaign import Campaign
from adapters.exports.edition import Numbers
from adapters.head import Head
from adapters.open_campaign import OpenCampaign
from adapters.sight import Sight, seen_changes, without_hidden
from adapters.storage.read_model import ReadModel
from domain.corrections.changes import Consequence, Effect, Proposal
from domain.entries import RecordedEntry
from domain.errors import HistoryDamaged, NotFound, Refused
from domain.events import Event
from domain.history import DRAW, History
from domain.identifiers import ActionNumber, SeatName
from domain.progress import told
from domain.secrecy import is_secret_roll


class CorrectableEdition(Campaign):
    """A campaign as a seat may see it, to preview corrections of it: the numbers are those of the seat's edition.

    Other than an edition that is handed on it keeps what each action looked at, so that it is known what is played again;
    nobody is shown that. It records nothing.
    """

    def __init__(self, whole: Campaign, seat: SeatName) -> None:
        super().__init__(whole.log, whole.rulebook, whole.dice.seeds, ReadModel(), whole.timeline)
        self._seen = _SeenEntries(whole, seat)
        self._open = self._seen

    def real(self, action: ActionNumber) -> ActionNumber:
        """The number in the whole campaign of an action that the seat sees. Raises NotFound."""
        found = self._seen.real.get(action)
        if found is None:
            raise NotFound(f"There is no action #{action}; the last one is #{len(self._seen.real)}.")
        return found

    @property
    def shown(self) -> Mapping[ActionNumber, ActionNumber]:
        """The number that the seat sees of an action by its number in the whole campaign."""
        return self._seen.shown


class _SeenEntries(OpenCampaign):
    """The entries that a seat may see, closed up, as they are now."""

    def __init__(self, whole: Campaign, seat: SeatName) -> None:
        super().__init__(whole.log, ReadModel())
        source = whole.load_history()
        sight, numbers, history = Sight(whole.log, source, seat), Numbers(), History()
        self.shown: dict[ActionNumber, ActionNumber] = {}
        for entry in told(source.entries, lambda: source.head):
            if sight.sees(entry):
                placed = numbers.closed_up(self._with_reads(sight.shown(entry), entry))
                if placed is not None:
                    self.shown.setdefault(entry.action, placed.action)
                    history.add(placed)
        self.real = {shown: action for action, shown in self.shown.items()}
        self._history = history
        self._head = self._head_of(history)
        self._damage = HistoryDamaged(whole.damage) if whole.damage else None

    def _with_reads(self, shown: RecordedEntry, entry: RecordedEntry) -> RecordedEntry:
        """What is needed to play an entry again: what it looked at, and the action for which it drew dice."""
        drawn_for = entry.intent.params.get("action")
        if entry.intent.verb != DRAW or not isinstance(drawn_for, int):
            return shown._replace(reads=entry.reads)
        params = {**shown.intent.params, "action": self.shown.get(drawn_for, 0)}
        return shown._replace(reads=entry.reads, intent=attrs.evolve(shown.intent, params=params))

    def refresh(self) -> Head:
        """The head; what is seen does not change."""
        return self.head

    def read_again(self) -> None:
        """Do nothing, because what is seen does not change."""

    def writable_head(self) -> Head:
        """Raises Refused: a preview records nothing."""
        raise Refused("A preview records nothing.")


def without_drift(made: Proposal) -> Proposal:
    """A preview without what a seat need not see: actions that are left as recorded because something hidden decided them."""
    left = tuple(one for one in made.consequences if one.effect is not Effect.DRIFTED)
    return attrs.evolve(made, consequences=left, changes=seen_changes(made.changes, made.after), same=(), skipped=0)


def is_as_seen(whole: Campaign, made: Proposal, edition: CorrectableEdition, shown: Proposal, seat: SeatName) -> bool:
    """Whether a correction of the whole campaign is what a seat was shown, and touches only what is that seat's."""
    history = whole.look_back()
    touched = [one for one in made.consequences if one.effect is not Effect.DRIFTED]
    if (
        not all(_is_own(history, one, seat) for one in touched)
        or seen_changes(made.changes, made.after) != made.changes
    ):
        return False
    real = [(edition.shown.get(one.action, 0), one.effect, _comes_to(one)) for one in touched]
    return real == [(one.action, one.effect, _comes_to(one)) for one in without_drift(shown).consequences]


def _is_own(history: History, one: Consequence, seat: SeatName) -> bool:
    taken = history.taken(one.action)
    if taken.seat != seat or taken.visibility not in ("", seat):
        return False
    return not any(entry.hidden_events or _has_secret_roll(entry.events) for entry in (one.before, one.after) if entry)


def _has_secret_roll(events: Iterable[Event]) -> bool:
    return any(map(is_secret_roll, events))


def _comes_to(one: Consequence) -> tuple[Event, ...]:
    return () if one.after is None else without_hidden(one.after).events
