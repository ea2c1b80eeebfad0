"""powers: one d20, four levels of success, and turns that are handed on; everything else is a power, and powers are data."""

from ruleset_plugins import Ruleset
from ruleset_plugins.powers.attack import Attack, UsePower
from ruleset_plugins.powers.board import board
from ruleset_plugins.powers.checks import Check
from ruleset_plugins.powers.conditions import SetCondition
from ruleset_plugins.powers.creation import Join
from ruleset_plugins.powers.crossing import CROSSING
from ruleset_plugins.powers.define_power import DefinePower
from ruleset_plugins.powers.encounter import BeginEncounter, EndEncounter, EndTurn, Interrupt, JoinEncounter
from ruleset_plugins.powers.hit_points import Harm, Heal, character_changed
from ruleset_plugins.powers.rerolls import SECOND_THOUGHTS
from ruleset_plugins.powers.settings import Settings
from ruleset_plugins.powers.sheet import sheet
from ruleset_plugins.powers.stats import DEFENSE
from ruleset_plugins.powers.vocabulary import VOCABULARY

__all__ = ["RULESET"]

FIGHT = (BeginEncounter, JoinEncounter, EndTurn, Interrupt, EndEncounter)

RULESET = Ruleset(
    key="powers",
    title="Powers",
    version="2",
    summary="Four levels of success, stats of your own naming, powers as data, and turns that are picked and interrupted.",
    actions=(Join, DefinePower, Check, Attack, UsePower, Harm, Heal, SetCondition, *FIGHT),
    sheet=sheet,
    settings=Settings,
    second_thoughts=SECOND_THOUGHTS,
    character_changed=character_changed,
    crossing=CROSSING,
    entered_as={"ac": DEFENSE},
    round_seconds=lambda table: Settings.of(table).round_seconds,
    board=board,
    vocabulary=VOCABULARY,
    overview=("hp", "ac", "xp", "rerolls", "Status", "Conditions"),
)
