"""Previews of corrections for players, made only from what the player may see.

So a preview reveals nothing hidden, neither in its words nor in the time it takes. Agreement with the whole campaign is
checked when the correction is to be made: ``is_as_seen`` is true if it has the result that was shown and touches no
other seat.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import TYPE_CHECKING

import attrs

from rollbook.application.view import CampaignView
from rollbook.application.visibility.sight import without_hidden
from rollbook.domain.base.identifiers import SeatName
from rollbook.domain.corrections.changes import Consequence, Effect, Proposal
from rollbook.domain.corrections.sheet_changes import SheetChange
from rollbook.domain.events import Event
from rollbook.domain.history.history import History
from rollbook.domain.history.secrecy import has_secret_roll, may_see
from rollbook.domain.state.campaign_state import CampaignState

if TYPE_CHECKING:
    from rollbook.application.visibility.editions.edition import Edition


def seen_changes(changes: Iterable[SheetChange], state: CampaignState) -> tuple[SheetChange, ...]:
    """The changes on the sheets of characters whom the table knows."""
    hidden = {who.id for who in state.characters.values() if who.hidden}
    return tuple(change for change in changes if change.character not in hidden)


def sees_consequence(seat: str, one: Consequence) -> bool:
    """True if a seat may know what a correction makes of an action."""
    return all(may_see(seat, entry) for entry in (one.before, one.after) if entry is not None)


def without_drift(made: Proposal) -> Proposal:
    """A preview without the actions that are left as recorded because something hidden decided them."""
    left = tuple(one for one in made.consequences if one.effect is not Effect.DRIFTED)
    return attrs.evolve(
        made, consequences=left, changes=seen_changes(made.changes, made.after), same=(), skipped=0, resolved=0
    )


def is_as_seen(whole: CampaignView, made: Proposal, edition: Edition, shown: Proposal, seat: SeatName) -> bool:
    """True if a correction of the whole campaign is what a seat was shown, and touches only that seat's actions."""
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
