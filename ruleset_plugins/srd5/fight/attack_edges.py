"""Reasons that make one attack easier or harder: distance, sight, help, heavy weapons, water (R5.60–R5.66, R5.73, R5.74)."""

import attrs

from rollbook.kit import d20, sides
from rollbook.plugin import Character, Record, Table, param
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects.lasting import Held, effects_on
from rollbook.rulesets.srd5.fight import armour, movement, places, states, turns
from rollbook.rulesets.srd5.fight.weapons import REACH, UNARMED, Strike, Weapon
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests
from rollbook.rulesets.srd5.tasks.d20_tests import CASES, DISADVANTAGE, Test, TestAction, edge, reason

DISTRACTED = "distracted"
"""The condition of an enemy against whom somebody helps (R5.151)."""

HIDDEN, LANCE = "hidden", "lance"
ANOTHER = "another weapon"
"""The case in which a cursed weapon spoils an attack."""


@attrs.define(kw_only=True)
class Aim(Record):
    """From where an attack is made: feet, melee or not, cover, who is unseen; ``measured`` where squares say the distance."""

    distance: int = REACH
    melee: bool = True
    cover: str = ""
    unseen_attacker: bool = False
    unseen_target: bool = False
    pressed: bool = False
    under_water: bool = False
    measured: bool = False

    @property
    def is_near(self) -> bool:
        """True within 5 feet."""
        return self.distance <= REACH


class AimedAction(TestAction, turns.PaidVerb):
    """A verb that is aimed at somebody from afar, to be derived from."""

    distance: int = param.number("how far off it is", default=0, minimum=0, maximum=100_000, unit="feet", gm_only=False)
    cover: str = param.choice("the target's cover", tuple(armour.COVER), default="", gm_only=False)


CASES["first round"] = lambda table, _, __: table.encounter is not None and table.encounter.round == 1
CASES["target hurt"] = lambda _, __, test: test.against is not None and test.against.lost > 0
CASES["target grappled"] = lambda _, __, test: (
    test.against is not None and any(held.source == test.who.id for held in states.by(test.against, states.GRAPPLED))
)
"""Cases in which an attack of a stat block has advantage (R5.304)."""


def check_may_target(table: Table, attacker: Character, target: Character, aim: Aim) -> None:
    """Refuse total cover, and an attack on who charmed the attacker (R5.63, R5.117)."""
    if aim.cover == "total":
        table.refuse(f"{target.name} is behind total cover and cannot be targeted.", "cover")
    if any(each.source == target.id for each in states.by(attacker, states.CHARMED)):
        table.refuse(f"{attacker.name} is charmed by {target.name} and cannot attack {target.name}.", "target")


def of_aim(table: Table, attacker: Character, target: Character, strike: Strike, aim: Aim) -> d20.Advantage:
    """Advantage and disadvantage from place and sight, and from the strike itself."""
    is_far = strike.range > 0 and aim.distance > strike.range
    unseen = aim.unseen_attacker or attacker.has(HIDDEN) or places.in_the_dark(table, target, attacker)
    is_unseen = aim.unseen_target or target.has(HIDDEN) or places.in_the_dark(table, attacker, target)
    key = strike.weapon.key if strike.weapon is not None else ""
    hinders = {
        "target unseen": is_unseen,
        "long range": is_far and not aim.melee,
        "enemy within 5 feet": not aim.melee and (aim.pressed or is_pressed(table, attacker, target, aim)),
        "heavy": strike.weapon is not None and strike.weapon.row.heavy and _is_weak(table, attacker, aim),
        "lance within 5 feet": key == LANCE and aim.is_near and Settings.of(table).is_old,
        "curse": strike.weapon is not None and _is_cursed(attacker, strike.weapon),
        "under water": aim.under_water and not strike.is_spell and _is_slowed(table, attacker, strike, aim),
    }
    if is_far and aim.under_water and not aim.melee and not strike.is_spell:
        table.refuse(f"Under water nothing reaches beyond {strike.range} feet.", "distance")
    helps = [each for each in strike.edges if each in CASES and _helps(table, each, attacker, target)]
    found, helps = against(table, target, aim, attacker), [*helps, *(("unseen",) if unseen else ())]
    if helps or any(hinders.values()):
        found = d20.Advantage(tuple(helps), tuple(why for why, holds in hinders.items() if holds)) + found
    return found


def _is_cursed(attacker: Character, weapon: Weapon) -> bool:
    """True for a weapon beside the one whose curse spoils all others (R5.540)."""
    bound = features.bound_by_curses(attacker)
    if not bound or weapon.item in bound or weapon.key == UNARMED:
        return False
    return any(held.effect.given == ANOTHER for held in effects_on(attacker, "edge"))


def _helps(table: Table, case: str, attacker: Character, target: Character) -> bool:
    return CASES[case](table, Held(case, None), Test(attacker, d20_tests.ATTACK, against=target))


def is_unseen(table: Table, seer: Character, seen: Character) -> bool:
    """True if somebody does not see another: hidden, invisible or in the dark, or blind, without a sense that helps."""
    blind = states.has(seer, "blinded") or states.has(seen, "invisible")
    blind = blind and not places.sees(table, seer, seen)
    return blind or seen.has(HIDDEN) or places.in_the_dark(table, seer, seen)


def against(table: Table, target: Character, aim: Aim, attacker: Character) -> d20.Advantage:
    """Advantage and disadvantage from the state of the target."""
    if not target.conditions:
        return d20.NO_ADVANTAGE
    found = d20.NO_ADVANTAGE
    for row, _ in states.states_of(target):
        side = row.attacked or (row.attacked_near if aim.is_near else row.attacked_far)
        if side and not d20_tests.is_seen_through(table, row, target, attacker):
            found += edge(side, f"target {row.key}")
    sees = not aim.unseen_attacker and not is_unseen(table, target, attacker)
    if target.has(movement.DODGING) and sees and movement.is_dodging(table, target):
        found += edge(DISADVANTAGE, "target dodges")
    return found


def _is_weak(table: Table, attacker: Character, aim: Aim) -> bool:
    """True for who is too weak, or by 2014 too small, for heavy weapons (R5.256)."""
    if Settings.of(table).is_old:
        return places.size_number(attacker) < places.SIZES.index("medium")
    return abilities.score(attacker, "str" if aim.melee else "dex") < 13


OLD_UNDER_WATER = {
    True: ("dagger", "javelin", "shortsword", "spear", "trident"),
    False: ("light-crossbow", "heavy-crossbow", "hand-crossbow", "javelin", "spear", "trident", "dart", "net"),
}
"""The weapons that water does not spoil in the edition of 2014, in melee and from afar."""


def _is_slowed(table: Table, attacker: Character, strike: Strike, aim: Aim) -> bool:
    """True for whom water hinders: all but swimmers, bare hands and piercing weapons in melee (R5.73, R5.74)."""
    key = strike.weapon.key if strike.weapon is not None else ""
    if aim.melee and movement.has_speed(attacker, movement.SWIM):
        return False
    if Settings.of(table).is_old:
        return key not in OLD_UNDER_WATER[aim.melee]
    return not (aim.melee and (key == UNARMED or any(part.type == "piercing" for part in strike.parts)))


def is_pressed(table: Table, attacker: Character, target: Character, aim: Aim) -> bool:
    """True if an enemy who can act and see stands within 5 feet, as squares say, or as the target does (R5.66)."""
    beside = (target,) if aim.is_near and not aim.measured else ()
    return any(
        sides.are_enemies(attacker, other) and not states.is_unable(other) and not is_unseen(table, other, attacker)
        for other in (*beside, *places.near(table, attacker, REACH))
    )


@reason(d20_tests.INITIATIVE)
def hiding(table: Table, test: Test) -> d20.Advantage:
    """The hidden are invisible, and so quicker to act in the edition of 2024 (R5.152, R5.164)."""
    is_ahead = test.who.has(HIDDEN) and not Settings.of(table).is_old
    return edge(d20_tests.ADVANTAGE, HIDDEN) if is_ahead else d20.NO_ADVANTAGE


@reason(*d20_tests.KINDS)
def hampered(table: Table, test: Test) -> d20.Advantage:  # noqa: ARG001 - all reasons are asked alike
    """Armour without training spoils all that takes Strength or Dexterity; some armour spoils Stealth (R5.106, R5.271)."""
    if test.ability not in ("str", "dex"):
        return d20.NO_ADVANTAGE
    if test.skill != "stealth" and not armour.is_hampered(test.who):
        return d20.NO_ADVANTAGE
    item, row, _ = armour.armour_of(test.who)
    is_loud = row is not None and row.stealth_disadvantage
    return edge(DISADVANTAGE, item) if is_loud or armour.is_hampered(test.who) else d20.NO_ADVANTAGE


def has_ally_beside(table: Table, who: Character, target: Character) -> bool:
    """True if an ally who can act is beside a target, as far as squares say."""
    beside = places.near(table, target, REACH)
    return any(sides.are_allies(who, other) and not states.is_unable(other) for other in beside)


CASES["ally near who is not incapacitated"] = lambda table, _, test: (
    test.against is not None and has_ally_beside(table, test.who, test.against)
)
