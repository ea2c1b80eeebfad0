"""Everything that the author of a ruleset needs, in one import.

A ruleset is a value: ``Ruleset(key=…, actions=(…), sheet=…)``, named by one entry point in the group
``rollbook.rulesets``. Its verbs are frozen attrs classes whose ``resolve`` plays them out at a ``Table``.
"""

from domain import events
from domain.actions import enter, slug
from domain.campaign import Campaign, Character, Condition, Encounter
from domain.errors import NotFound, Refused, RollbookError, RulesetBroken, not_found
from domain.events import Intervention, Kind
from domain.ruleset import NoSettings, Ruleset, setting, settings_of
from domain.sheet import Sheet, Term, Value, summed
from domain.table import Table
from domain.verbs import (
    Action,
    character,
    characters,
    choice,
    choices,
    dice,
    flag,
    gear,
    names,
    number,
    seat,
    words,
)

__all__ = [
    "Action",
    "Campaign",
    "Character",
    "Condition",
    "Encounter",
    "Intervention",
    "Kind",
    "NoSettings",
    "NotFound",
    "Refused",
    "RollbookError",
    "Ruleset",
    "RulesetBroken",
    "Sheet",
    "Table",
    "Term",
    "Value",
    "character",
    "characters",
    "choice",
    "choices",
    "dice",
    "enter",
    "events",
    "flag",
    "gear",
    "names",
    "not_found",
    "number",
    "seat",
    "setting",
    "settings_of",
    "slug",
    "summed",
    "words",
]
