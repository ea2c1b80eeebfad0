"""The economy of a turn: action, bonus action, reaction, attacks, a thing handled for free (R5.27–R5.30, R5.36, R5.46, R5.108).

On record: ``TurnSpent`` with ``what`` one of ``ACTION``, ``BONUS``, ``FEET``, ``ATTACK_ACTION`` (each Attack action),
``ATTACK`` (each attack of one, about its weapon), ``HANDLED``; below zero gives back (Action Surge:
``TurnSpent(what="action", amount=-1)``). A reaction is the condition ``reaction used`` until one's own turn begins.
Outside a fight nothing is counted. Verbs call ``take(table, who, cost, out_of_turn=…)`` first.
"""

from functools import partial

from rollbook.kit import conditions, require, turn_order, verbs
from rollbook.plugin import Action, CampaignState, Character, Encounter, Table, character, choice, flag
from rollbook.rulesets.srd5.character import classes
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import states, weapons
from rollbook.rulesets.srd5.monsters import actions

ACTION, BONUS, REACTION, FREE = "action", "bonus action", "reaction", "free"
COSTS = (ACTION, BONUS, REACTION, FREE)
FEET, ATTACK, ATTACK_ACTION, HANDLED = "feet", "attack", "attack action", "handled"
REACTED, READIED, NO_WEAPON = "reaction used", "readied", "bare hands"
EXTRA, ONE_ATTACK = "extra action", "one attack"
RIDDEN = "ridden"
"""The condition of a controlled mount: it acts in the turn of its source, and is passed over in its own (R5.71)."""
OF_MOUNTS = ("dash", "disengage", "dodge")
"""All that a controlled mount does besides moving (R5.71)."""
FORBIDDING = {ACTION: ("action", "turn"), BONUS: ("bonus action", "action", "turn"), REACTION: ("reaction",), FREE: ()}
ONLY = {"all but dash": ("dash", "escape"), "all but dodge": ("dodge",)}
"""Actions that are left by the words of the catalogue that forbid all others."""
EITHER = {
    "all but one of move and actions": (ACTION, BONUS, FEET),
    "action and bonus action": (ACTION, BONUS),
    "move and action": (ACTION, FEET),
}
"""Parts of a turn of which somebody has one and no other, by the words of the catalogue."""


def check_able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, the incapacitated and those who have left (R5.159)."""
    who = require.living(table, name)
    for row, condition in states.states_of(who):
        if row.unable:
            table.refuse(f"{who.name} is {condition.name} and cannot act.", table.parameter_of(name))
    return who


def purse(table: Table | CampaignState, who: Character) -> str:
    """Words before all that a controlled mount spends in its rider's turn, "" for others (R5.71)."""
    held, fight = who.conditions.get(RIDDEN), table.encounter
    return f"{RIDDEN} " if held is not None and fight is not None and fight.current == held.source else ""


def check_turn(table: Table, who: Character) -> Encounter | None:
    """The fight, on a character's own turn or, for a controlled mount, on the rider's; None if there is none."""
    return table.encounter if purse(table, who) else turn_order.own_turn(table, who, out_of_turn=False)


def spend(table: Table, who: Character, what: str, amount: int = 1) -> None:
    """Use up a part of the turn; what a controlled mount uses up is on record with its rider, whose turn it is."""
    word, fight = purse(table, who), table.encounter
    payer = table.character(fight.current) if word and fight is not None else who
    turn_order.spend(table, payer, word + what, amount)


def take(table: Table, name: str, cost: str, *, out_of_turn: bool = False, what: str = "") -> Character:
    """Pay for something: by action, bonus action or reaction, or with nothing. Refused where it is not there (R5.27–R5.30).

    ``what`` is taken by the additional action of a turn where somebody has one for it, and by mounts if it is theirs (R5.71).
    """
    who = check_able(table, name)
    others = [word for word, may in ONLY.items() if cost == ACTION and what not in may]
    if not out_of_turn:
        states.check_free(table, who, f"has no {cost}", *FORBIDDING[cost], *others)
    if out_of_turn or cost == FREE:
        return who
    check_one_thing(table, who, cost)
    if cost == REACTION:
        return react(table, who)
    if who.has(RIDDEN) and what not in OF_MOUNTS and table.encounter is not None:
        table.refuse(f"{who.name} is ridden, and does nothing but dash, disengage or dodge.")
    encounter = check_turn(table, who)
    if encounter is not None:
        paid = purse(table, who) + cost
        if cost == ACTION and left(encounter, paid) < 1 and _has_extra(encounter, who, what):
            turn_order.spend(table, who, EXTRA)
            return who
        if left(encounter, paid) < 1:
            table.refuse(f"{who.name} has used the {cost} of this turn. The turn ends with: end-turn")
        spend(table, who, cost)
    return who


check_action = partial(take, cost=ACTION)


def _has_extra(encounter: Encounter, who: Character, what: str) -> bool:
    """True if a spell gives one more action in a turn that may be this one, and it is not used."""
    granted = (held.effect.to for held in effects_on(who, "grant") if held.effect.action == EXTRA)
    return not encounter.spent.get(EXTRA, 0) and any(what in to for to in granted)


def check_one_thing(table: Table, who: Character, what: str) -> None:
    """Refuse a second of move, action and bonus action in a turn to who may do one of them (R5.431, R5.27)."""
    fight = table.encounter
    if fight is None or fight.current != who.id:
        return
    for held in effects_on(who, "restrict"):
        for parts in (EITHER[word] for word in held.effect.cannot if word in EITHER and what in EITHER[word]):
            if any(fight.spent.get(each, 0) > 0 for each in parts if each != what):
                named = ", ".join(parts).replace(FEET, "move")
                table.refuse(f"{who.name} does only one of these in a turn: {named} ({held.label}).")


def own_turn(table: Table, name: str) -> Character:
    """A character who can act, and whose turn it is if there are turns."""
    who = check_able(table, name)
    check_turn(table, who)
    return who


def check_peace(table: Table, *_: str) -> None:
    """Refuse in a fight what takes longer than a turn."""
    if table.encounter is not None:
        table.refuse("Nobody has time for that in a fight. It ends with: end-encounter")


class TurnVerb(Action):
    """A verb that belongs into one's own turn, to be derived from."""

    out_of_turn: bool = flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(own_turn)


class OwnVerb(TurnVerb):
    """A verb of one's own turn that is about who takes it, to be derived from."""

    who: str = character("who does it", actor=True)


class PaidVerb(TurnVerb):
    """A verb of which the GM may rule what it costs, where that is not the usual; to be derived from."""

    cost: str = choice("what it costs, if the GM rules so: a reaction, free …", ("", *COSTS), default="", gm_only=True)


def left(encounter: Encounter, cost: str) -> int:
    """Actions or bonus actions left in the current turn."""
    return 1 - encounter.spent.get(cost, 0)


def react(table: Table, who: Character) -> Character:
    """Use the reaction, which comes back when one's own turn begins (R5.30)."""
    if table.encounter is None:
        return who
    if who.has(states.SURPRISED):
        table.refuse(f"{who.name} is surprised and cannot react before the first turn is over.")
    if who.has(REACTED):
        table.refuse(f"{who.name} has used the reaction already; it comes back when {who.name}'s turn begins.")
    conditions.begin(table, who.id, REACTED)
    conditions.end(table, who.id, READIED)
    return who


def check_may_handle(table: Table, who: Character) -> None:
    """Refuse who can use no things, as in another shape (R5.187)."""
    states.check_free(table, who, "handles nothing", "use objects")


def handle(table: Table, who: Character, what: str) -> None:
    """Handle one thing for free in a turn; the next takes an action (R5.36)."""
    check_may_handle(table, who)
    if table.encounter is None or table.encounter.current != who.id:
        return
    if table.encounter.spent.get(HANDLED, 0):
        take(table, who.id, ACTION)
    turn_order.spend(table, who, HANDLED, about=what)


def is_own_turn(table: Table, who: Character) -> bool:
    """True on a character's own turn in a fight."""
    return table.encounter is not None and table.encounter.current == who.id


def attacks_left(who: Character, encounter: Encounter) -> int:
    """The attacks of the Attack actions taken in this turn that have not been made."""
    spent, many = encounter.spent, 1 if states.forbids(who, "second attack") else classes.attacks_in_an_action(who)
    return many * spent.get(ATTACK_ACTION, 0) - spent.get(ATTACK, 0)


def check_may_attack(table: Table, name: str) -> None:
    """Refuse somebody who cannot attack now."""
    who = check_able(table, name)
    if who.has(READIED) and not is_own_turn(table, who):
        take(table, name, REACTION)
    else:
        pay_attack(table, who, "", "", out_of_turn=False, any_attack=True)


def pay_attack(
    table: Table, who: Character, name: str, cost: str, *, out_of_turn: bool, any_attack: bool = False
) -> None:
    """Pay for an attack: one that is left of the Attack action, or a new action; or as ``cost`` says."""
    if not out_of_turn:
        states.check_free(table, who, "cannot attack", "attack")
    if out_of_turn or (cost and cost != ACTION):
        take(table, who.id, cost or FREE, out_of_turn=out_of_turn)
        return
    encounter = turn_order.own_turn(table, who, out_of_turn=False)
    if encounter is None:
        return
    about = name or NO_WEAPON
    if not is_paid(who, encounter, about, any_attack=any_attack):
        has_action = left(encounter, ACTION) > 0
        take(table, who.id, ACTION, what=ONE_ATTACK)
        if not has_action:
            return
        turn_order.spend(table, who, ATTACK_ACTION)
    turn_order.spend(table, who, ATTACK, about=about)


def is_paid(who: Character, encounter: Encounter, name: str, *, any_attack: bool) -> bool:
    """True if an attack belongs to an action that was taken already."""
    if not encounter.spent.get(ATTACK_ACTION, 0):
        return encounter.spent.get(ATTACK, 0) < 0
    made = turn_order.spent_on(encounter, ATTACK)
    if actions.multiattack_of(who) is not None:
        if any_attack:
            return any(actions.goes_on(who, each, made) for each in actions.names_in(who))
        return actions.goes_on(who, name, made)
    return attacks_left(who, encounter) > 0


def check_loaded(table: Table, who: Character, strike: weapons.Strike) -> None:
    """Refuse a second shot of one action with a weapon that must be loaded (R5.258)."""
    weapon, encounter = strike.weapon, table.encounter
    if weapon is None or not weapon.row.loading or encounter is None or encounter.current != who.id:
        return
    shots = turn_order.spent_on(encounter, ATTACK).count(strike.name)
    if shots > encounter.spent.get(ATTACK_ACTION, 0):
        table.refuse(f"{strike.name} shoots once an action, and must be loaded again.", "weapon")
