"""What was used last: the weapon and the target of each character, and who acted."""

from rollbook.application.lines.verb_line import user_parameters
from rollbook.application.view import CampaignView
from rollbook.domain.base.errors import RollbookError
from rollbook.domain.entries import Intent
from rollbook.domain.rules.parameters import ParameterType
from rollbook.domain.rules.spelling import typed

_REMEMBERED = (ParameterType.GEAR, ParameterType.CHARACTER, ParameterType.CHARACTERS)

LOOKED_BACK = 500
"""How many entries before the prompt was opened still count."""


class LastUsed:
    """What the newest entries name. ``actor`` acted last, "" if nobody did. ``changes`` is how often any of it became another."""

    def __init__(self) -> None:
        self.actor = ""
        self.changes = 0
        self._used: dict[tuple[str, str, str], str] = {}
        self._seen = 0

    def used(self, who: str, verb: str, parameter: str) -> str:
        """What or whom somebody named last for this, "" for nothing."""
        return self._used.get((who, verb, parameter), "")

    def catch_up(self, campaign: CampaignView) -> None:
        """Look at what was recorded since."""
        head = campaign.head.entry
        for entry in campaign.session.history.entries_after(max(self._seen, head - LOOKED_BACK)):
            if entry.intent is not None:
                self._note(campaign, entry.intent)
        self._seen = head

    def _note(self, campaign: CampaignView, intent: Intent) -> None:
        try:
            verb = campaign.session.rulebook.verb(campaign.state, intent.verb)
        except RollbookError:  # a verb of a game that was played before
            return
        actor = next((str(intent.params.get(each.name, "")) for each in user_parameters(verb) if each.actor), "")
        if not actor:
            return
        self.changes += self.actor != actor
        self.actor = actor
        for parameter in user_parameters(verb):
            used = intent.params.get(parameter.name, "")
            if used and (parameter.want in _REMEMBERED or parameter.fits is not None):
                place, word = (actor, verb.verb, parameter.name), typed(used)
                self.changes += self._used.get(place) != word
                self._used[place] = word
