"""Corrections as far as a player can know: previews that are made of what the player may see, and of nothing else.

So a preview says nothing of what is hidden, neither in its words nor in the time it takes. Whether the whole campaign agrees is
found out when the correction is to be made: ``is_as_seen`` says whether it comes to what was shown, and touches nobody else.
"""

from __future__ import annotations

import attrs

from rollbook.application.view import CampaignView
from rollbook.application.visibility.editions.edition import Edition, ShownHistory
from rollbook.application.visibility.sight import seen_changes, without_hidden
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.corrections.changes import Consequence, Effect, Proposal
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.events import Event
from rollbook.domain.history.history import DRAW, History
from rollbook.domain.history.secrecy import has_secret_roll


class _WithReads(ShownHistory):
    """The entries of an edition with what is needed to play them again: what they looked at, and for which action dice fell."""

    def _as_shown(self, entry: RecordedEntry) -> RecordedEntry:
        shown = super()._as_shown(entry)._replace(reads=entry.reads)
        drawn_for = entry.intent.params.get("action")
        if entry.intent.verb != DRAW or not isinstance(drawn_for, int):
            return shown
        params = {**shown.intent.params, "action": self.numbers.actions.place(drawn_for)}
        return shown._replace(intent=attrs.evolve(shown.intent, params=params))


class CorrectableEdition(Edition):
    """A campaign as a seat may see it, to preview corrections of it: the numbers are those of the seat's edition.

    Other than an edition that is handed on it keeps what each action looked at, so that it is known what is played again;
    nobody is shown that. It records nothing.
    """

    shown_as = _WithReads


def without_drift(made: Proposal) -> Proposal:
    """A preview without what a seat need not see: actions that are left as recorded because something hidden decided them."""
    left = tuple(one for one in made.consequences if one.effect is not Effect.DRIFTED)
    return attrs.evolve(
        made, consequences=left, changes=seen_changes(made.changes, made.after), same=(), skipped=0, resolved=0
    )


def is_as_seen(
    whole: CampaignView, made: Proposal, edition: CorrectableEdition, shown: Proposal, seat: SeatName
) -> bool:
    """Whether a correction of the whole campaign is what a seat was shown, and touches only what is that seat's."""
    history = whole.session.history.look_back()
    touched = [one for one in made.consequences if one.effect is not Effect.DRIFTED]
    if (
        not all(_is_own(history, one, seat) for one in touched)
        or seen_changes(made.changes, made.after) != made.changes
    ):
        return False
    real = [(edition.shown_action(one.action), one.effect, _comes_to(one)) for one in touched]
    return real == [(one.action, one.effect, _comes_to(one)) for one in without_drift(shown).consequences]


def _is_own(history: History, one: Consequence, seat: SeatName) -> bool:
    taken = history.taken(one.action)
    if taken.seat != seat or taken.visibility not in ("", seat):
        return False
    return not any(entry.hidden_events or has_secret_roll(entry.events) for entry in (one.before, one.after) if entry)


def _comes_to(one: Consequence) -> tuple[Event, ...]:
    return () if one.after is None else without_hidden(one.after).events
