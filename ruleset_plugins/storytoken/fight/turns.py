"""Turns: one action and some movement, and nothing out of turn; and the speed (R0.34, R0.46, R0.48, R0.49)."""

from rollbook.kit import equipment, require, stat_entry, turn_order
from rollbook.plugin import CampaignState, Character, Encounter, Table, Term
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.heritages import heritage_of
from rollbook.rulesets.storytoken.fight.arms import ARMOURS
from rollbook.rulesets.storytoken.settings import Settings

SPEED_BASE = "speed_base"
"""The stat that replaces the usual base of movement, in feet (Q0.12)."""


def speed_terms(who: Character, settings: Settings) -> list[Term]:
    """The terms of the speed in feet per round: first additions, then conditions that halve it or end it (Q0.13)."""
    if SPEED_BASE in who.stats:
        terms = [Term(who.stats[SPEED_BASE], "own base", "Q0.12", f"stat.{SPEED_BASE}")]
    else:
        terms = [Term(settings.base_speed_ft, "base", "R0.46")]
    item, armour = equipment.worn(who, ARMOURS)
    if armour.speed:
        terms.append(Term(armour.speed, item, armour.rule, f"gear.{item}"))
    heritage = heritage_of(who)
    if heritage.speed:
        terms.append(Term(heritage.speed, heritage.name, heritage.rule, f"trait.{heritage.key}"))
    terms += stat_entry.terms(who, "speed", "ruling")
    return _slowed(who, terms)


def _slowed(who: Character, terms: list[Term]) -> list[Term]:
    """Halve the speed once for each source, rounded down; it is 0 for the immobilised (R0.74, R0.76)."""
    for wanted in ("half", "none"):
        for state, _ in conditions.states_of(who):
            feet = sum([term.amount for term in terms])
            if state.speed == wanted and feet > 0:
                lost = feet if wanted == "none" else feet - feet // 2
                terms.append(Term(-lost, state.name.lower(), state.rule, f"condition.{state.key}"))
    return terms


def speed(where: Table | CampaignState, who: Character) -> int:
    """Feet per round on easy ground, with one action besides."""
    return max(sum([term.amount for term in speed_terms(who, Settings.of(where))]), 0)


ACTION, FEET, EXTRA_ACTION = "action", "feet", "extra action"
"""The counters of ``TurnSpent``."""

HAND_ON = " --next ID"
"""The option of the verb end-turn that hands the turn on."""

STRIKES, FLEES, FREEZES = "strikes", "flees", "freezes"
CONFUSED_TURNS = {STRIKES: "strikes the nearest", FLEES: "runs", FREEZES: "freezes"}
"""The sorts of a confused turn, and the words for them (R0.69, Q0.30)."""


def able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, unconscious, paralysed and absent (R0.52, R0.53)."""
    return require.able(table, name, conditions.UNABLE)


def check_control(table: Table, who: Character, thing: str = "") -> None:
    """Refuse actions that the GM controls: all of a hacked character, or those with a hacked ``thing`` (R0.73)."""
    hacked = conditions.text(who.conditions.get(conditions.HACKED), conditions.THING)
    if who.has(conditions.HACKED) and hacked in ("", thing) and not require.is_gm(table):
        what = f"{who.name}'s {thing}" if hacked else who.name
        table.refuse(f"{what} is hacked, and the GM says what it does until that ends.")


WAIVED = "The GM may rule otherwise: --out-of-turn"


def check_confusion(table: Table, who: Character, *doing: str, waived: str = WAIVED) -> None:
    """Refuse actions that a confused turn does not allow; ``doing`` are the outcomes of the die that allow it (R0.69).

    ``waived`` says how else it could be done.
    """
    does = conditions.text(who.conditions.get(conditions.CONFUSED), conditions.DOES)
    if does in CONFUSED_TURNS and does not in doing:
        table.refuse(f"{who.name} is confused and {CONFUSED_TURNS[does]} this turn. {waived}")


def check_fled(table: Table, who: Character) -> None:
    """Refuse to end the turn of a fleeing, unmoved character while its fear is there (R0.64, R0.176, Q0.33)."""
    spent = turn_order.require_encounter(table).spent
    is_held = not speed(table, who) or any(who.has(state) for state in (conditions.GRAPPLED, *conditions.UNABLE))
    if spent.get(FEET, 0) or is_held:
        return
    for state, condition in conditions.states_of(who):
        if state.flees and _is_there(table, condition.source):
            feared = table.character(condition.source).name if table.knows(condition.source) else condition.source
            table.refuse(
                f"{who.name} is {condition.name} and gets away from {feared or 'what it fears'} first: move {who.id} "
                f"{speed(table, who)}. If it is out of sight, or there is no way, the GM says --stays."
            )


def _is_there(table: Table, feared: str) -> bool:
    """True if the feared one is in the fight; a thing that is no character always counts as there."""
    if not table.knows(feared):
        return True
    who = table.character(feared)
    return who.present and not who.has(conditions.DEAD) and who.id in turn_order.require_encounter(table).order


def actions_left(encounter: Encounter, who: Character, table: Table | CampaignState) -> int:
    """The actions left in the current turn; moving farther than the speed costs one."""
    spent = encounter.spent
    left = 1 + spent.get(EXTRA_ACTION, 0) - spent.get(ACTION, 0)
    feet = spent.get(FEET, 0)
    return left - 1 if feet and feet > speed(table, who) else left


def at_liberty(table: Table, name: str) -> Character:
    """A character who does something that takes no action, but must be able to act."""
    who = require.able(table, name, conditions.UNABLE | conditions.NO_ACTIONS)
    check_control(table, who)
    if table.encounter is not None:
        check_confusion(table, who, waived="What needs a clear head waits until that is over.")
    return who


def once_a_turn(table: Table, who: Character, what: str, done: str) -> Encounter:
    """Do something that a turn allows once. Refused out of turn, and for those who have ``done`` it, in words, this turn."""
    encounter = turn_order.check_turn(table, who, hand_on=HAND_ON)
    if encounter.spent.get(what):
        table.refuse(f"{who.name} has {done} this turn. The next turn brings another chance.")
    turn_order.spend(table, who, what)
    return encounter


def take_action(table: Table, name: str, *, out_of_turn: bool = False, attack: bool = False) -> Character:
    """Take an action: refused for those who cannot act and, in an encounter, out of turn or with no action left."""
    who = require.able(table, name, conditions.UNABLE | conditions.NO_ACTIONS)
    check_control(table, who)
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn, hand_on=HAND_ON)
    if encounter is None:
        return who
    check_confusion(table, who, STRIKES if attack else "")
    if actions_left(encounter, who, table) < 1:
        none = f"{who.name} has no action left this turn: one action, or twice the movement"
        table.refuse(f"{none}. A story token buys another: spend-token {who.id} extra-action")
    turn_order.spend(table, who, ACTION)
    return who
