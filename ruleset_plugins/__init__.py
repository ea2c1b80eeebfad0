"""Everything that the author of a ruleset needs, in one import.

A ruleset is a value: ``Ruleset(key=…, actions=(…), sheet=…)``, named by one entry point in the group
``rollbook.rulesets``. Its verbs are frozen attrs classes whose ``resolve`` plays them out at a ``Table``. What several games
share (the d20 roll, turn orders, injury, time, limited uses, tables of data) stands here in small pieces to compose.
"""

from domain import events
from domain.actions import enter, slug
from domain.campaign import Campaign, Character, Condition, Encounter, Gear
from domain.crossing import ABILITIES, ARMOURS, WEAPONS, Crossing, Passport
from domain.dice.odds import chance
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
from ruleset_plugins import conditions
from ruleset_plugins.acting import able, check_ruling, is_gm, living
from ruleset_plugins.d20 import (
    EVEN,
    D20Rolls,
    Ease,
    Rolled,
    SecondThought,
    bonuses,
    cancelled,
    check_resolved,
    kept,
    label,
    netted,
    strikes,
    target_number,
    written,
)
from ruleset_plugins.data_files import load, structured
from ruleset_plugins.injury import follow_maximum, lose, regain, settle
from ruleset_plugins.random_tables import banded, roll_on, row_of
from ruleset_plugins.time_passing import DAY, HOUR, MINUTE, completed, let_pass, next_end, ticks
from ruleset_plugins.turn_order import (
    Ranked,
    arrive,
    begin_encounter,
    check_once_each,
    check_turn,
    end_turn,
    fighting,
    ranked,
    set_order,
    spend,
    who_can,
)
from ruleset_plugins.typed_numbers import entered, in_order
from ruleset_plugins.uses import CALENDAR, ROLLING, in_words, ready_in, use

__all__ = [
    "ABILITIES",
    "ARMOURS",
    "CALENDAR",
    "DAY",
    "EVEN",
    "HOUR",
    "MINUTE",
    "ROLLING",
    "WEAPONS",
    "Action",
    "Campaign",
    "Character",
    "Condition",
    "Crossing",
    "D20Rolls",
    "Ease",
    "Encounter",
    "Gear",
    "Intervention",
    "Kind",
    "NoSettings",
    "NotFound",
    "Passport",
    "Ranked",
    "Refused",
    "RollbookError",
    "Rolled",
    "Ruleset",
    "RulesetBroken",
    "SecondThought",
    "Sheet",
    "Table",
    "Term",
    "Value",
    "able",
    "arrive",
    "banded",
    "begin_encounter",
    "bonuses",
    "cancelled",
    "chance",
    "character",
    "characters",
    "check_once_each",
    "check_resolved",
    "check_ruling",
    "check_turn",
    "choice",
    "choices",
    "completed",
    "conditions",
    "dice",
    "end_turn",
    "enter",
    "entered",
    "events",
    "fighting",
    "flag",
    "follow_maximum",
    "gear",
    "in_order",
    "in_words",
    "is_gm",
    "kept",
    "label",
    "let_pass",
    "living",
    "load",
    "lose",
    "names",
    "netted",
    "next_end",
    "not_found",
    "number",
    "ranked",
    "ready_in",
    "regain",
    "roll_on",
    "row_of",
    "seat",
    "set_order",
    "setting",
    "settings_of",
    "settle",
    "slug",
    "spend",
    "strikes",
    "structured",
    "summed",
    "target_number",
    "ticks",
    "use",
    "who_can",
    "words",
    "written",
]
