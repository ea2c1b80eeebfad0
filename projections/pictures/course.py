"""The history as corrected, one action after the other, for everything that is drawn of it."""

from __future__ import annotations

from collections.abc import Callable, Iterator

import attrs

from rollbook.domain.base.identifiers import ActionNumber
from rollbook.domain.dice.ledger import opened_session
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.history.history import History
from rollbook.domain.state.campaign_state import EMPTY, CampaignState
from rollbook.domain.state.fold import Draft

Wanted = Callable[[RecordedEntry], bool]
"""Whether a picture is to show what an entry says."""


@attrs.frozen
class Step:
    """One action that counts: the entry, the session it lies in, and the campaign after it, which is a draft."""

    action: ActionNumber
    entry: RecordedEntry
    session: int
    is_wanted: bool
    draft: Draft

    @property
    def campaign(self) -> CampaignState:
        """The campaign after it, to be looked at before the next step."""
        return self.draft.campaign


def course(history: History, wanted: Wanted) -> Iterator[Step]:
    """Every action that counts, in order."""
    draft, session = Draft(EMPTY), 0
    for action, entry in history.outcomes():
        if entry is not None and entry.events:
            draft.apply(entry.events)
            session = opened_session(entry.events) or session
            yield Step(action, entry, session, wanted(entry), draft)
