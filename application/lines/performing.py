"""A typed line of a verb, as the actions that it means."""

from __future__ import annotations

from collections.abc import Sequence

import attrs

from rollbook.application.lines.answering import Answering
from rollbook.application.lines.request_from_line import turns_of, unused_dice
from rollbook.application.lines.verb_line import LineError, parse
from rollbook.application.view import CampaignView
from rollbook.domain.base.records import Record
from rollbook.domain.entries import RecordedEntry
from rollbook.domain.rules.action import Action
from rollbook.domain.state.campaign_state import CampaignState


@attrs.frozen
class Performed(Record):
    """What a line did: an entry for each action, and what it had no use for: of a stat block, of typed dice.

    It is answered by what ``seat`` may see (None: nobody said who acts); ``before`` is the campaign before it as they saw it.
    """

    seat: str | None
    before: CampaignState
    entries: tuple[RecordedEntry, ...]
    unused: tuple[str, ...] = ()

    @property
    def entry(self) -> RecordedEntry:
        """The entry of the action, of several the last."""
        return self.entries[-1]


def perform(
    answer: Answering, verb: type[Action], said: Sequence[str], *, seat: str | None = None, command: str = ""
) -> Performed:
    """Take the action that these words after its verb mean. Raises RollbookError; then nothing was recorded.

    The verb is one that the state of the campaign has, which has just been read. ``seat`` acts where the words do not say who;
    ``command`` is an id of the command, see ``Campaign.play``.
    """
    spoken = parse(verb, said)
    if verb.anonymous and (spoken.why or spoken.secret):
        raise LineError(f"{verb.verb} asks nobody why, and everybody sees it: leave out --why and --secret.")
    unused: list[str] = []
    acting = None if verb.anonymous else spoken.seat

    def take(campaign: CampaignView) -> tuple[RecordedEntry, ...]:
        turns = turns_of(campaign, verb, spoken, seat=seat, said=unused.append)
        entries = campaign.session.take_together(turns, command=command)
        unused.extend(unused_dice(turns[-1], *entries))
        return entries

    with answer.answering(acting, take):
        before = answer.seen().state
        entries = take(answer.campaign())
    return Performed(acting, before, entries, tuple(dict.fromkeys(unused)))
