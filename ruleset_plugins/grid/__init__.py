"""grid: squares on a map, two actions a turn, flanking, and attacks of opportunity."""

from ruleset_plugins import Ruleset, Squares
from ruleset_plugins.grid.attack import Attack
from ruleset_plugins.grid.board import board
from ruleset_plugins.grid.casting import Cast
from ruleset_plugins.grid.checks import Act, Check, Stabilise, Stand
from ruleset_plugins.grid.conditions import SetCondition
from ruleset_plugins.grid.creation import BringIn, Choose, Join
from ruleset_plugins.grid.crossing import CROSSING
from ruleset_plugins.grid.encounter import BeginEncounter, EndEncounter, EndTurn, JoinEncounter, Side
from ruleset_plugins.grid.hands import Sheathe, Wear, Wield
from ruleset_plugins.grid.hit_points import Harm, Heal, character_changed
from ruleset_plugins.grid.laid_out import laid_out
from ruleset_plugins.grid.manoeuvres import Disarm, Hamstring, Trip
from ruleset_plugins.grid.movement import Move, Place
from ruleset_plugins.grid.planned_moves import planned
from ruleset_plugins.grid.saves import Save
from ruleset_plugins.grid.settings import Settings
from ruleset_plugins.grid.sheet import sheet
from ruleset_plugins.grid.stats import SAVES
from ruleset_plugins.grid.time_passing import time_passed
from ruleset_plugins.grid.vocabulary import VOCABULARY

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
