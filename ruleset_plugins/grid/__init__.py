"""grid: squares on a map, two actions a turn, flanking, and attacks of opportunity."""

from rollbook.kit import sides, vocabulary
from rollbook.kit.verbs import ReorderAction
from rollbook.plugin import Ruleset, Squares
from rollbook.rulesets.grid import hit_points, saves, stats, weapons
from rollbook.rulesets.grid.armour import ARMOURS, SHIELDS
from rollbook.rulesets.grid.attack import Attack, Disarm, Hamstring, Trip
from rollbook.rulesets.grid.board import board, laid_out
from rollbook.rulesets.grid.casting import Cast
from rollbook.rulesets.grid.checks import Act, Check, Stabilise, Stand
from rollbook.rulesets.grid.creation import BringIn, Choose, Join
from rollbook.rulesets.grid.crossing import CROSSING
from rollbook.rulesets.grid.encounter import INITIATIVE, BeginEncounter, EndEncounter, EndTurn, JoinEncounter
from rollbook.rulesets.grid.hands import Sheathe, Wear, Wield
from rollbook.rulesets.grid.movement import Move, Place
from rollbook.rulesets.grid.planned_moves import planned
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.sheet import sheet
from rollbook.rulesets.grid.spells import SPELLS
from rollbook.rulesets.grid.squares import DIRECTIONS

__all__ = ["RULESET"]

TASKS = (Check, saves.Save)
ATTACKS = (Attack, Trip, Hamstring, Disarm, Cast)
OTHER_DEEDS = (Move, Stand, Wield, Sheathe, Wear, Act, Stabilise)
INJURY = (hit_points.Harm, hit_points.Heal, hit_points.SetCondition)
FIGHT = (BeginEncounter, JoinEncounter, EndTurn, ReorderAction, EndEncounter)

VOCABULARY = vocabulary.of_game(
    uses=(*(*ARMOURS, *SHIELDS, *weapons.WEAPONS, *weapons.PLACES), *(weapons.AMMUNITION_USE, *weapons.AMMUNITION)),
    conditions=(*hit_points.CONDITIONS, saves.RESISTANT),
    damages=[tag for spell in SPELLS.values() for tag in spell.tags],
    traits=(*stats.CLASSES, *stats.SKILLS),
    kinds=(stats.CLASS, stats.TRAINED),
    stats=(*stats.STATS, *stats.ENTERED, *stats.SKILLS, INITIATIVE),
    more={"step": vocabulary.Words(known=tuple(DIRECTIONS))},
)
"""The words that the rules of this game compare."""

RULESET = Ruleset(
    key="grid",
    title="Grid",
    version="2",
    summary="Squares on a map, one standard and one move action a turn, flanking, and attacks of opportunity.",
    actions=(Join, BringIn, Choose, Place, sides.Side, *TASKS, *ATTACKS, *OTHER_DEEDS, *INJURY, *FIGHT),
    sheet=sheet,
    settings=Settings,
    time_passed=hit_points.time_passed,
    character_changed=hit_points.character_changed,
    crossing=CROSSING,
    entered_as={"ac": "armour_class", "to_hit": "attack", **{f"save:{save}": save for save in stats.SAVES}},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    side=lambda _, who: sides.side_of(who),
    board=board,
    vocabulary=VOCABULARY,
    squares=Squares(laid_out=laid_out, planned=planned),
)
