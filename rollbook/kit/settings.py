"""House rules: the base class of a ruleset's settings, and halves rounded as the table rounds them."""

from typing import Any, Self

import attrs

from rollbook.plugin import CampaignState, Record, Table, setting, settings_of

__all__ = ["HouseRules", "RoundedHouseRules", "one_of"]

FLOOR, CEIL = "floor", "ceil"


def one_of(text: str, *choices: str, means: tuple[str, ...] = (), before: str | None = None) -> Any:
    """A switch that is one of some words: the first of them, unless the table chooses another. The rest as for ``setting``."""
    return setting(choices[0], text, choices=choices, means=means, before=before)


@attrs.frozen(kw_only=True)
class HouseRules(Record):
    """House rules of a campaign; the chosen values are recorded in its first entry."""

    @classmethod
    def of(cls, where: Table | CampaignState) -> Self:
        """The house rules at a table, or of a campaign (for a sheet)."""
        chosen: Self = where.settings if isinstance(where, Table) else settings_of(cls, where.settings)
        return chosen


@attrs.frozen(kw_only=True)
class RoundedHouseRules(HouseRules):
    """House rules of a game that halves numbers."""

    rounding: str = one_of(
        "how halves are rounded (QG.1)", FLOOR, CEIL, means=("Halves are rounded down.", "Halves are rounded up.")
    )

    def half(self, number: int) -> int:
        """Half of a number, rounded as this table rounds (QG.1)."""
        return -(-number // 2) if self.rounding == CEIL else number // 2
