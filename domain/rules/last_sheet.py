"""The last sheet that was made of a character: it is made again only if something that it looked at has changed."""

from collections.abc import Mapping
from typing import NamedTuple

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState, Character, equal_in_order


class LastSheet(NamedTuple):
    """The last sheet that was made of a character: as the rules say it, as it is shown, and the parts that were looked at."""

    who: Character
    campaign: CampaignState
    said: Sheet
    shown: Sheet
    parts: set[str]

    def is_of(self, who: Character, campaign: CampaignState) -> bool:
        """True if the rules would say the same of a character now."""
        then = self.campaign
        if self.who is not who or not campaign.sealed or then.ruleset != campaign.ruleset:
            return False
        return all(equal_in_order(getattr(then, part), getattr(campaign, part)) for part in self.parts)


class Looks:
    """A campaign for deriving a sheet, which notes the parts that are read."""

    def __init__(self, campaign: CampaignState) -> None:
        self._campaign = campaign
        self.parts: set[str] = set()

    def part(self, name: str) -> object:
        self.parts.add(name)
        return getattr(self._campaign, name)

    def _people(self) -> Mapping[CharacterId, Character]:
        self.parts.add("characters")
        return self._campaign.characters

    def character(self, name: CharacterId) -> Character:
        return self._people()[name]

    def knows(self, name: CharacterId) -> bool:
        return name in self._people()

    def names(self) -> tuple[CharacterId, ...]:
        return tuple(self._people())
