"""The author's API: what every ruleset needs. Pieces that several games share are modules of ``rollbook.kit``."""

from rollbook.domain import events
from rollbook.domain.actions.joining import enter
from rollbook.domain.base.errors import NotFound, Refused, RollbookError, RulesetBroken, not_found
from rollbook.domain.base.number_words import counted, there_are
from rollbook.domain.base.records import Record
from rollbook.domain.dice.odds import chance
from rollbook.domain.dice.steps import DiceStep
from rollbook.domain.entries import SecondThought, second_thought
from rollbook.domain.events import CharacterKind, Role
from rollbook.domain.rules import parameters as param
from rollbook.domain.rules.action import Action
from rollbook.domain.rules.board import Board, Opening, Piece, PlannedMove, Square, SquareMap, Squares, Stand
from rollbook.domain.rules.crossing import ABILITIES, ARMOURS, UNARMED, WEAPONS, Crossing, Levels, Passport
from rollbook.domain.rules.handles import Handle, HandleKind
from rollbook.domain.rules.parameters import (
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
from rollbook.domain.rules.ruleset import NoSettings, Ruleset
from rollbook.domain.rules.settings import setting, settings_of
from rollbook.domain.rules.sheet import Sheet, Term, Value, summed
from rollbook.domain.rules.sides import Side
from rollbook.domain.rules.table import Table
from rollbook.domain.state.campaign_state import CampaignState, Character, Condition, Gear, OpenChoice
from rollbook.domain.state.encounters import Encounter
from rollbook.domain.state.lookup import slug

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
    "Handle",
    "HandleKind",
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
    "param",
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
