"""Actions that a form names by numbers or a filter, and corrections that it names by the number of an entry."""

import re

from rollbook.application.filtering import meant_by
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import NotFound
from rollbook.domain.base.identifiers import ActionNumber, EntryNumber
from rollbook.domain.corrections import undoing_together
from rollbook.projections.database import COUNTS, UNDONE

_NUMBERS = re.compile(r"[#\d\s,-]+")
_RANGE = re.compile(r"#?(\d{1,12})(?:\s*-\s*#?(\d{1,12}))?")


def actions_said(campaign: CampaignView, text: str, *, undone: bool = False) -> tuple[ActionNumber, ...]:
    """The actions that numbers (``14 20-26``) or a filter name: those that can be undone, or those that are ``undone``.

    Raises NotFound if there are none, BadFilter if the text is neither.
    """
    if not text.strip():
        return ()
    history, rules = campaign.session.history.look_back(), campaign.session.rulebook

    def is_meant(action: ActionNumber, *, counts: bool) -> bool:
        return not counts if undone else counts and not rules.is_final(campaign.state, history.intent_of(action))

    found: list[ActionNumber] = []
    if _NUMBERS.fullmatch(text):
        for low, high in _RANGE.findall(text):
            if high:
                named = range(int(low), min(int(high), history.actions) + 1)
                counting = ((action, history.effective(action) is not None) for action in named)
                found += [action for action, counts in counting if is_meant(action, counts=counts)]
            else:
                history.check(int(low))
                found.append(int(low))
    else:
        campaign.session.project()
        lines = campaign.read_model.log(campaign.id, where=meant_by(campaign.state, text))
        known = ((line.action, line.status == COUNTS) for line in lines if line.status in (COUNTS, UNDONE))
        found = [action for action, counts in known if is_meant(action, counts=counts)]
    if not found:
        raise NotFound(f"No action that {'is undone' if undone else 'counts and can be undone'} fits: {text}")
    return tuple(dict.fromkeys(found))


def last_correction(campaign: CampaignView) -> EntryNumber:
    """The number of the first entry of the latest correction. Raises NotFound if there is none."""
    history = campaign.session.history.look_back()
    return history.correction(undoing_together.last_correction(history))[0].number


def correction_of(campaign: CampaignView, entry: EntryNumber) -> str:
    """The id of the correction that an entry belongs to. Raises NotFound if it belongs to none."""
    history = campaign.session.history.look_back()
    found = history.entry(entry).correction if 0 < entry <= history.head else ""
    if not found:
        raise NotFound(f"Entry @{entry} is no part of a correction.")
    return found
