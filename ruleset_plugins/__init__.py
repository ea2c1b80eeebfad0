"""The author's API: what every ruleset needs. Pieces that several games share are modules of ``ruleset_plugins.kit``."""

from domain import events
from domain.action import Action
from domain.actions.joining import enter
from domain.board import Board, Piece
from domain.counted import counted, there_are
from domain.crossing import ABILITIES, ARMOURS, UNARMED, WEAPONS, Crossing, Passport
from domain.dice.odds import chance
from domain.dice.steps import DiceStep
from domain.entries import SecondThought, second_thought
from domain.errors import NotFound, Refused, RollbookError, RulesetBroken, not_found
from domain.events import CharacterKind, Role
from domain.levels import Levels
from domain.lookup import slug
from domain.parameters import (
    amounts,
    character,
    characters,
    choice,
    choices,
    dice,
    flag,
    gear,
    label,
    names,
    number,
    numbers,
    pairs,
    seat,
    use,
    words,
)
from domain.records import Record
from domain.ruleset import NoSettings, Ruleset, setting, settings_of
from domain.sheet import Sheet, Term, Value, summed
from domain.squares import Opening, PlannedMove, Side, Square, SquareMap, Squares, Stand
from domain.state import CampaignState, Character, Condition, Encounter, Gear, OpenChoice
from domain.table import Table

__all__ = [
    "ABILITIES",
    "ARMOURS",
    "UNARMED",
    "WEAPONS",
    "Action",
    "Board",
    "CampaignState",
    "Character",
    "CharacterKind",
    "Condition",
    "Crossing",
    "DiceStep",
    "Encounter",
    "Gear",
    "Levels",
    "NoSettings",
    "NotFound",
    "OpenChoice",
    "Opening",
    "Passport",
    "Piece",
    "PlannedMove",
    "Record",
    "Refused",
    "Role",
    "RollbookError",
    "Ruleset",
    "RulesetBroken",
    "SecondThought",
    "Sheet",
    "Side",
    "Square",
    "SquareMap",
    "Squares",
    "Stand",
    "Table",
    "Term",
    "Value",
    "amounts",
    "chance",
    "character",
    "characters",
    "choice",
    "choices",
    "counted",
    "dice",
    "enter",
    "events",
    "flag",
    "gear",
    "label",
    "names",
    "not_found",
    "number",
    "numbers",
    "pairs",
    "seat",
    "second_thought",
    "setting",
    "settings_of",
    "slug",
    "summed",
    "there_are",
    "use",
    "words",
]
