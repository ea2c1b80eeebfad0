"""Which actions a form names by their numbers or by a filter, and which correction by the number of its entry."""

import re
from collections.abc import Iterator

from rollbook.application.time_zones import zone_of
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.corrections import undoing
from rollbook.projections.database import COUNTS, UNDONE
from rollbook.projections.filters import read

_NUMBERS = re.compile(r"[#\d\s,-]+")
_RANGE = re.compile(r"#?(\d{1,12})(?:\s*-\s*#?(\d{1,12}))?")


def actions_said(campaign: CampaignView, text: str, *, undone: bool = False) -> tuple[ActionNumber, ...]:
    """The actions that ``14 20-26`` or a filter names: those that can be undone, or those that are ``undone``.

    Raises NotFound if there are none, BadFilter for what is neither.
    """
    if not text.strip():
        return ()
    if _NUMBERS.fullmatch(text):
        found = tuple(dict.fromkeys(_numbered(campaign, text, undone=undone)))
    else:
        campaign.session.project()
        lines = campaign.read_model.log(campaign.id, where=read(text, zone=lambda: zone_of(campaign.state).rules))
        fitting = dict.fromkeys(line.action for line in lines if line.status == (UNDONE if undone else COUNTS))
        found = tuple(action for action in fitting if undone or _can_be_undone(campaign, action))
    if not found:
        raise NotFound(f"No action that {'is undone' if undone else 'counts and can be undone'} fits: {text}")
    return found


def _numbered(campaign: CampaignView, text: str, *, undone: bool) -> Iterator[ActionNumber]:
    history = campaign.session.history.look_back()
    for low, high in _RANGE.findall(text):
        first, last = int(low), int(high or low)
        if not high:
            history.check(first)
            yield first
            continue
        for action, counts in history.outcomes(first):
            if action > last:
                break
            if (counts is None) == undone and (undone or _can_be_undone(campaign, action)):
                yield action


def _can_be_undone(campaign: CampaignView, action: ActionNumber) -> bool:
    return not campaign.session.rulebook.is_final(
        campaign.state, campaign.session.history.look_back().intent_of(action)
    )


def last_correction(campaign: CampaignView) -> EntryNumber:
    """The first entry of the correction that was made last. Raises NotFound if there is none."""
    history = campaign.session.history.look_back()
    return history.correction(undoing.last_correction(history))[0].number


def correction_of(campaign: CampaignView, entry: EntryNumber) -> str:
    """The id of the correction that an entry belongs to. Raises NotFound if it belongs to none."""
    history = campaign.session.history.look_back()
    found = history.entry(entry).correction if 0 < entry <= history.head else ""
    if not found:
        raise NotFound(f"Entry @{entry} is no part of a correction.")
    return found
