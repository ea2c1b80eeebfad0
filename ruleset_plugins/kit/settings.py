"""A ruleset's settings at a table or in a campaign, and halves rounded as the table rounds."""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from domain.ruleset import settings_of
from domain.state import CampaignState
from domain.table import Table

_Settings = TypeVar("_Settings")


def readers(settings: type[_Settings]) -> tuple[Callable[[Table], _Settings], Callable[[CampaignState], _Settings]]:
    """How the rules ask for their settings: at a table, and of a campaign without one (for a sheet).

    ``house, house_of = house_rules(Settings)``
    """

    def house(table: Table) -> _Settings:
        chosen: _Settings = table.settings
        return chosen

    def house_of(campaign: CampaignState) -> _Settings:
        chosen: _Settings = settings_of(settings, campaign.settings)
        return chosen

    return house, house_of


def halved(number: int, *, up: bool) -> int:
    """Half of a whole number, rounded ``up`` or down (QG.1)."""
    return -(-number // 2) if up else number // 2
