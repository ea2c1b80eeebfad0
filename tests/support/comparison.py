"""Comparison of states, sheets and events."""

from __future__ import annotations

from collections.abc import Iterable
from functools import cache
from types import MappingProxyType
from typing import Any

import attrs

from rollbook.domain.events import DiceRolled, Event
from rollbook.domain.state.campaign_state import CampaignState


def comparable(value: Any) -> Any:
    """A state as lists and texts, so that the order in which things came counts too."""
    if isinstance(value, (str, int)) or value is None:
        return value
    names = _field_names(type(value))
    if names:
        return [(name, comparable(getattr(value, name))) for name in names]
    if isinstance(value, (dict, MappingProxyType)):
        return [(key, comparable(item)) for key, item in value.items()]
    if isinstance(value, (tuple, list)):
        return [comparable(item) for item in value]
    return value


@cache
def _field_names(cls: type[Any]) -> tuple[str, ...]:
    return tuple(field.name for field in attrs.fields(cls) if field.name != "sealed") if attrs.has(cls) else ()


def without_requests(state: CampaignState) -> object:
    """A state but for the requests for dice that were made on the way: they go by what was asked, not by what came of it."""
    return [(name, value) for name, value in comparable(state) if name != "dice_requests"]


def without_dice_sources(events: Iterable[Event]) -> list[Event]:
    """Events but for where their dice came from, and how they were asked for."""
    return [
        attrs.evolve(event, sources=(), occasion="", repeat=0) if isinstance(event, DiceRolled) else event
        for event in events
    ]
