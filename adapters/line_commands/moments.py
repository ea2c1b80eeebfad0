"""Moments of a campaign as people type them, and the two ways to look at one: as it was known then, as corrected since."""

from __future__ import annotations

import re
from functools import cached_property
from typing import TYPE_CHECKING

from rollbook.adapters.line_commands.context import CommandContext
from rollbook.adapters.line_commands.declared import BadValue
from rollbook.adapters.presentation.moments import NOW, ON_ITS_COURSE, PAST, Place, place_in, title_of
from rollbook.domain.base.identifiers import ActionNumber, CampaignId, EntryNumber

if TYPE_CHECKING:
    from rollbook.application.history.read_model import LogRows
    from rollbook.application.view import CampaignView
    from rollbook.domain.history.history import History
    from rollbook.domain.state.campaign_state import CampaignState
    from rollbook.projections.sheet_questions import Party

_MOMENT = re.compile(rf"(?!$) (?:~(?P<timeline>[0-9]{{1,12}}) (?:$|:(?!$)))? {ON_ITS_COURSE}?", re.VERBOSE)


class Moment:
    """A point in a history, by the last entry and action before it: with the corrections made since, or as known then.

    ``text`` says which one; ``~1:12`` is on a timeline, ``~0`` on canon. Raises NotFound if there is none like that.
    The present campaign is opened only once it is needed.
    """

    def __init__(self, context: CommandContext, text: str, *, corrected: bool) -> None:
        meant = _MOMENT.fullmatch(text)
        assert meant is not None
        self._context = context
        self._meant = meant
        self.corrected = corrected
        self.is_now = not any(meant[group] for group in PAST)
        self.is_elsewhere = meant["timeline"] is not None
        if not self.is_now:
            self._found  # noqa: B018 - raises if there is none
        elif self.is_elsewhere:
            self.campaign.head  # noqa: B018 - likewise

    @cached_property
    def campaign(self) -> CampaignView:
        """The campaign or the timeline, opened."""
        from rollbook.application.history.timeline_marker import campaign_of, stream_of

        meant = self._context.campaign()
        if not self.is_elsewhere:
            return meant
        return self._context.book().campaign(stream_of(campaign_of(meant.id), int(self._meant["timeline"])))

    @cached_property
    def _found(self) -> Place:
        """The moment's name, its last entry and the last action in the order of play."""
        campaign = self.campaign
        if self.is_now:
            return Place(NOW, campaign.head.entry, next(campaign.history.backwards(), 0))
        with self._context.bar("Reading the history"):
            return campaign.session.history.looking_back(lambda history: place_in(history, self._meant))

    @property
    def entry(self) -> EntryNumber:
        """The last entry before it."""
        return self._found.entry

    @property
    def action(self) -> ActionNumber:
        """The last action before it, in the order of play."""
        return self._found.action

    @property
    def called(self) -> str:
        """The moment's name in a list."""
        called = self.title or NOW
        return f"{self.campaign.id} {called}" if self.is_elsewhere else called

    @property
    def title(self) -> str:
        """Words on the moment beside a heading; "" for now."""
        return title_of(self._found, corrected=self.corrected) if not self.is_now else ""

    def state(self) -> CampaignState:
        """The campaign at the moment."""
        if self.is_now:
            return self.campaign.state
        return self.campaign.session.history.looking_back(
            lambda history: history.as_corrected_to(self.action) if self.corrected else history.as_known_at(self.entry)
        )

    def history(self) -> History:
        """The history up to the moment; with corrections the whole one, whose later actions the caller leaves out."""
        if self.corrected or self.is_now:
            return self.campaign.history
        return self.campaign.session.history.looking_back(lambda history: history.until(self.entry))

    def party(self) -> Party:
        """All sheets at the moment. Warns of damage to the stored history."""
        known = self._context.party() if self.is_now and not self.is_elsewhere else None
        if known is not None:
            return known
        from rollbook.projections.sheet_rows import party_of

        state, session = self.state(), self.campaign.session
        if session.damage:
            self._context.warn(session.damage)
        return party_of(state, session.rulebook)

    def asked(self) -> tuple[CampaignId, LogRows]:
        """The campaign, and the rows of its log and experience at the moment, made in memory for a past one."""
        if self.is_now and not self.is_elsewhere:
            return self._context.asked()
        history = self.history()
        is_played = history.is_played_by(self.action)
        entries = (entry for entry in history.entries if is_played(entry.action))
        return self.campaign.id, self.campaign.rows_of(entries)


def is_moment(text: str) -> bool:
    """True if the text is written as a moment."""
    return _MOMENT.fullmatch(text) is not None


def moment_param(text: str) -> str:
    """Check a moment: ``12`` after an action, ``@47`` after an entry, ``s2`` at the end of a session, ``now``."""
    if not is_moment(text):
        raise BadValue(
            f"{text!r} is not a moment: an action (12 or #12), an entry (@47), the end of a session (s2), last or now."
        )
    return text
