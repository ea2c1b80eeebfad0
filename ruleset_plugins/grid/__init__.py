"""grid: squares on a map, two actions a turn, flanking, and attacks of opportunity."""

from rollbook.plugin import Ruleset, Squares
from rollbook.rulesets.grid.attack import Attack
from rollbook.rulesets.grid.board import board
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.checks import Act, Check, Stabilise, Stand
from rollbook.rulesets.grid.conditions import SetCondition
from rollbook.rulesets.grid.creation import BringIn, Choose, Join
from rollbook.rulesets.grid.crossing import CROSSING
from rollbook.rulesets.grid.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter, Side
from rollbook.rulesets.grid.hands import Sheathe, Wear, Wield
from rollbook.rulesets.grid.hit_points import Harm, Heal, character_changed
from rollbook.rulesets.grid.laid_out import laid_out
from rollbook.rulesets.grid.manoeuvres import Disarm, Hamstring, Trip
from rollbook.rulesets.grid.movement import Move, Place
from rollbook.rulesets.grid.planned_moves import planned
from rollbook.rulesets.grid.saves import Save
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.sheet import sheet
from rollbook.rulesets.grid.stats import SAVES
from rollbook.rulesets.grid.time_passing import time_passed
from rollbook.rulesets.grid.vocabulary import VOCABULARY

__all__ = ["RULESET"]

TASKS = (Check, Save)
ATTACKS = (Attack, Trip, Hamstring, Disarm, Cast)
OTHER_DEEDS = (Move, Stand, Wield, Sheathe, Wear, Act, Stabilise)
INJURY = (Harm, Heal, SetCondition)
FIGHT = (BeginEncounter, JoinEncounter, EndTurn, EndEncounter)

RULESET = Ruleset(
    key="grid",
    title="Grid",
    version="2",
    summary="Squares on a map, one standard and one move action a turn, flanking, and attacks of opportunity.",
    actions=(Join, BringIn, Choose, Place, Side, *TASKS, *ATTACKS, *OTHER_DEEDS, *INJURY, *FIGHT),
    sheet=sheet,
    settings=Settings,
    time_passed=time_passed,
    character_changed=character_changed,
    crossing=CROSSING,
    entered_as={"ac": "armour_class", "to_hit": "attack", **{f"save:{save}": save for save in SAVES}},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=VOCABULARY,
    squares=Squares(laid_out=laid_out, planned=planned),
)
