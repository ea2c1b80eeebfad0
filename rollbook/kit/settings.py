"""House rules: the base class of a ruleset's settings, and halves rounded as the table rounds them."""

from typing import Self

import attrs

from rollbook.domain.base.records import Record
from rollbook.domain.rules.settings import setting, settings_of
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState

__all__ = ["HouseRules", "RoundedHouseRules"]

FLOOR, CEIL = "floor", "ceil"


@attrs.frozen(kw_only=True)
class HouseRules(Record):
    """What a campaign may play differently; the chosen values are recorded in its first entry."""

    @classmethod
    def of(cls, where: Table | CampaignState) -> Self:
        """The house rules at a table, or of a campaign (for a sheet)."""
        chosen: Self = where.settings if isinstance(where, Table) else settings_of(cls, where.settings)
        return chosen


@attrs.frozen(kw_only=True)
class RoundedHouseRules(HouseRules):
    """House rules of a game that halves numbers."""

    rounding: str = setting(FLOOR, "how halves are rounded (QG.1)", choices=(FLOOR, CEIL))

    def half(self, number: int) -> int:
        """Half of a number, rounded as this table rounds (QG.1)."""
        return halved(number, up=self.rounding == CEIL)


def halved(number: int, *, up: bool) -> int:
    """Half of a whole number, rounded ``up`` or down (QG.1)."""
    return -(-number // 2) if up else number // 2
