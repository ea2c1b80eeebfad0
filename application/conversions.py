"""Conversions of a party from one game to another: each character by both rulesets, as plain values."""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import attrs

from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.base.records import Record
from rollbook.domain.rulebook import Rulebook
from rollbook.domain.rules.crossing import ABILITIES, Passport, set_aside
from rollbook.domain.rules.sheet import Sheet
from rollbook.domain.state.campaign_state import CampaignState
from rollbook.domain.state.lookup import shown_name

NONE: Final = "–"
"""The sign for a value that a game does not have."""

Reading = tuple[Sheet, Passport]
"""A sheet by one game, and its passport for another."""


@attrs.frozen
class Conversion(Record):
    """A character by the old rules and by the new ones; ``waits`` is the part that only the old game knows."""

    id: CharacterId
    name: str
    before: Reading | None
    after: Reading | None
    waits: tuple[str, ...]

    @property
    def rows(self) -> tuple[tuple[str, ...], tuple[str, ...]]:
        """The values under ``HEADS``, by the old game and by the new."""
        return _cells(self.before), _cells(self.after)


def conversions(rulebook: Rulebook, before: CampaignState, after: CampaignState) -> list[Conversion]:
    """All characters by both games, with what is set aside on the way from the one to the other."""
    old, new = (rulebook.ruleset_of(state) for state in (before, after))
    doors = (old.crossing, new.crossing) if old and new else (None, None)
    return [
        Conversion(
            name,
            shown_name(who, before.characters.values()),
            _reading(rulebook, name, before),
            _reading(rulebook, name, after),
            set_aside(who, doors[0], doors[1]) if doors[0] and doors[1] else (),
        )
        for name, who in before.characters.items()
    ]


def _reading(rulebook: Rulebook, name: CharacterId, state: CampaignState) -> Reading | None:
    """A sheet with its passport; nothing without rules that have both."""
    game = rulebook.ruleset_of(state)
    if game is None or game.crossing is None or name not in state.characters:
        return None
    who = state.characters[name]
    return rulebook.sheet(who, state), game.crossing.describe(who, state)


def _cells(reading: Reading | None) -> tuple[str, ...]:
    return (NONE,) * len(_COLUMNS) if reading is None else tuple(cell(*reading) for _, cell in _COLUMNS)


def _shown(key: str) -> Callable[[Sheet, Passport], str]:
    """A value as the sheet writes it, without the words that the heading says."""

    def cell(sheet: Sheet, _: Passport) -> str:
        found = next((value for value in sheet.values if value.key == key), None)
        return NONE if found is None else str(found).replace(" of ", "/")

    return cell


def _modifier(ability: str) -> Callable[[Sheet, Passport], str]:
    def cell(_: Sheet, passport: Passport) -> str:
        return f"{passport.modifiers[ability]:+d}" if ability in passport.modifiers else NONE

    return cell


_COLUMNS: tuple[tuple[str, Callable[[Sheet, Passport], str]], ...] = (
    ("HP", _shown("hp")),
    ("AC", _shown("ac")),
    ("Lv", _shown("level")),
    *((ability.upper(), _modifier(ability)) for ability in ABILITIES),
    ("Hit", lambda _, passport: f"{passport.attack:+d}"),
    ("Feet", lambda _, passport: str(passport.speed)),
    ("Luck", lambda _, passport: str(passport.luck)),
)

HEADS = tuple(title for title, _ in _COLUMNS)
"""The headings of what every game knows."""
