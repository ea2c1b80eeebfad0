"""What was used last: the weapon of each character, and who acted."""

from adapters.campaign import Campaign
from adapters.verb_line import user_parameters
from domain.entries import Intent
from domain.errors import RollbookError
from domain.parameters import ParameterType

LOOKED_BACK = 500
"""How many entries before the prompt was opened still count."""


class LastUsed:
    """What the newest entries name. ``actor`` acted last, "" if nobody did."""

    def __init__(self) -> None:
        self.actor = ""
        self._gear: dict[tuple[str, str, str], str] = {}
        self._seen = 0

    def gear(self, who: str, verb: str, parameter: str) -> str:
        """What somebody used last for this, "" for nothing."""
        return self._gear.get((who, verb, parameter), "")

    def catch_up(self, campaign: Campaign) -> None:
        """Look at what was recorded since."""
        head = campaign.head.entry
        for entry in campaign.entries_after(max(self._seen, head - LOOKED_BACK)):
            if entry.intent is not None:
                self._note(campaign, entry.intent)
        self._seen = head

    def _note(self, campaign: Campaign, intent: Intent) -> None:
        try:
            verb = campaign.rulebook.verb(campaign.state, intent.verb)
        except RollbookError:  # a verb of a game that was played before
            return
        actor = next((str(intent.params.get(each.name, "")) for each in user_parameters(verb) if each.actor), "")
        if not actor:
            return
        self.actor = actor
        for parameter in user_parameters(verb):
            used = intent.params.get(parameter.name, "")
            if parameter.want is ParameterType.GEAR and used:
                self._gear[actor, verb.verb, parameter.name] = str(used)
