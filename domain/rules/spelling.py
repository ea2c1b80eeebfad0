"""Spelling of parameters' values: as they are compared, as they are kept, and as a person types them."""

import re
from collections.abc import Mapping
from typing import Any

from rollbook.domain.base.letters import caseless
from rollbook.domain.base.records import ReadOnly
from rollbook.domain.events import ParameterValue

CONDITION, DAMAGE, TRAIT, TRAIT_KIND, USE, STAT = "condition", "damage", "trait", "sort of trait", "use", "number"
READER = "reader"
"""The subjects of words that most games know; a game has more of its own (see ``rollbook.domain.rules.vocabulary``)."""
CHARACTER = "character"
"""The subject of names in a mapping that are characters: they are typed by any clear name, and kept as ids."""

_DICE = re.compile(r"\d*d\d+.*", re.ASCII | re.IGNORECASE)
_BETWEEN = re.compile(r"[\s_-]+")


def folded(word: str) -> str:
    """A word as it is compared: without capitals, and with one sign for blanks, hyphens and underscores."""
    return _BETWEEN.sub("-", caseless(word).strip())


def in_own_spelling(value: Any, choices: tuple[str, ...]) -> Any:
    """A value, or several, with the capitals of the choice that it matches; one that matches none stays as it is."""
    if isinstance(value, tuple):
        return tuple(in_own_spelling(each, choices) for each in value)
    if not isinstance(value, str) or value in choices:
        return value
    return next((str(choice) for choice in choices if folded(choice) == folded(value)), value)


def if_dice(text: str, help: str) -> str:
    """The ``help`` of a parameter, to be added where dice were typed and a number is wanted; "" for all other text."""
    return f": {help}" if _DICE.fullmatch(text.strip()) else ""


def as_kept(value: Any, *, choices: tuple[str, ...] = ()) -> Any:
    """A value as an action keeps it: a choice with its own capitals, and a mapping sorted by name, as it is stored."""
    return ReadOnly(sorted(value.items())) if isinstance(value, Mapping) else in_own_spelling(value, choices)


def typed(value: ParameterValue) -> str:
    """A value as a person types it."""
    if isinstance(value, bool):
        return "yes" if value else "no"
    if isinstance(value, Mapping):
        return ",".join(f"{name}={typed(each)}" for name, each in value.items())
    return ",".join(map(str, value)) if isinstance(value, tuple) else str(value)
