"""Opportunity attacks: the enemies who get one, and the fate of the action that provoked it (R4.31–R4.35)."""

from collections.abc import Iterable, Sequence
from functools import partial
from typing import ClassVar

from rollbook.kit import data, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Square, Table, characters, flag
from rollbook.rulesets.grid.attack_rolls import deal_damage, opponents, swing
from rollbook.rulesets.grid.encounter import STANDARD, enemies_of, take_action
from rollbook.rulesets.grid.hit_points import is_conscious
from rollbook.rulesets.grid.saves import roll_save
from rollbook.rulesets.grid.settings import BY_ACTION, NOTHING_SPOILS, Settings
from rollbook.rulesets.grid.squares import in_reach
from rollbook.rulesets.grid.stats import CONCENTRATION
from rollbook.rulesets.grid.weapons import at_hand, can_shoot, shoot

OPENING = "attack of opportunity"
CASTING, MANOEUVRE, STANDING, SHOOTING, ITEM, OTHER = "casting", "manoeuvre", "standing", "shooting", "item", "other"
BY_HIT, BY_CONCENTRATION = "hit", "concentration"


BLUR = {"a d20 for a blurred target that was hit": "blur"}
OPENINGS = DiceStep(
    each="enemy who takes an opening",
    tests={"the d20 to hit": OPENING, **BLUR},
    effects={"its damage": f"{OPENING} damage"},
)
"""The dice of opportunity attacks: a target who has fallen is struck at no more, and does nothing more."""


class Provoking(data.Row):
    """A sort of action that gives an opening; a hit, a failed Concentration save or nothing spoils it (Q4.20)."""

    name: str
    spoiled_by: str


PROVOKING = data.by_key(__package__, "provoking.json", Provoking)


def can_strike(enemy: Character) -> bool:
    """Tell whether an enemy has a weapon to take an opening with: a bow without arrows is none (Q4.9)."""
    weapon = at_hand(enemy)
    return not weapon.kind.range or can_shoot(enemy, weapon)


def opportunity_attacks(table: Table, enemies: Iterable[Character], target: str, spare: Sequence[str]) -> list[int]:
    """Let every enemy who does not hold back take the opening, until the target falls; outside a fight none does.

    They strike with the weapon at hand, at no cost (R4.33, Q4.9). Returns the damage of each hit.
    """
    dealt = []
    for enemy in enemies if table.encounter is not None else ():
        if enemy.id in spare or not is_conscious(table.character(target)):
            continue
        attacker = table.character(enemy.id)
        if can_strike(attacker):
            weapon = at_hand(attacker)
            shoot(table, attacker, weapon)
            melee = not weapon.kind.range
            landed = swing(table, attacker, table.character(target), weapon, melee=melee, purpose=OPENING)
            dealt.append(deal_damage(table, attacker.id, landed))
    return [damage for damage in dealt if damage is not None]


def left_behind(table: Table, mover: str, ahead: Square) -> list[Character]:
    """The enemies who may strike before a step that leads away from them: no other opponent keeps them busy (Q4.17)."""
    who = table.character(mover)
    keeps_busy = Settings.of(table).mover_engages
    left = [each for each in opponents(table, who) if not in_reach(each.position, ahead)]
    return [each for each in left if not keeps_busy and not is_busy(table, each, mover)]


def come_upon(table: Table, mover: str, behind: Square) -> list[Character]:
    """The enemies who may strike after a step that has led to them: no other opponent keeps them busy (Q4.17)."""
    met = [each for each in opponents(table, table.character(mover)) if not in_reach(each.position, behind)]
    return [each for each in met if not is_busy(table, each, mover)]


def is_busy(table: Table, enemy: Character, mover: str) -> bool:
    """Tell whether another character than the mover keeps an enemy busy."""
    return any(other.id != mover for other in opponents(table, enemy))


class OpenAction(Action):
    """An action in a fight that may give enemies in reach an opening (R4.2, R4.32)."""

    typed_dice: ClassVar[tuple[DiceStep, ...]] = (OPENINGS,)

    spare: tuple[str, ...] = characters("enemies who let an opening pass", default=(), gm_only=False)
    out_of_turn: bool = flag("the GM rules that it needs no turn", gm_only=True)

    check_available = verbs.available_if(partial(take_action, what=STANDARD))

    def begin(self, table: Table, name: str, what: str = STANDARD) -> Character:
        """Use up that part of the turn. Refused for those who cannot act, and for a ``spare`` who has no opening."""
        who = take_action(table, name, what, out_of_turn=self.out_of_turn)
        _check_spared(table, self.spare, who)
        return who

    def goes_through(self, table: Table, name: str, sort: str) -> bool:
        """Let enemies in reach answer an action other than a melee strike (R4.32, Q4.18). Returns whether the action happens.

        Those who fall do nothing more. A caster saves for every hit, with the damage as DC, until a save fails (R4.34, R4.35).
        """
        dealt = opportunity_attacks(table, opponents(table, table.character(name)), name, self.spare)
        who = table.character(name)
        if not is_conscious(who):
            return False
        rule = Settings.of(table).aoo_effect
        if rule == NOTHING_SPOILS:
            return True
        spoiled_by = PROVOKING[sort].spoiled_by if rule == BY_ACTION else BY_HIT
        if spoiled_by == BY_CONCENTRATION:
            return all(roll_save(table, who, CONCENTRATION, damage, against=OPENING) for damage in dealt)
        return spoiled_by != BY_HIT or not dealt


def _check_spared(table: Table, spare: Sequence[str], who: Character) -> None:
    """Refuse names of characters who are not enemies, so have no attack to hold back, and of other players' ones."""
    enemies = {enemy.id for enemy in enemies_of(table, who)} if spare else ()
    for name in spare:
        enemy = table.character(name)
        if enemy.id not in enemies:
            table.refuse(
                f"{enemy.name} is not a conscious enemy of {who.name} and has no attack to hold back.", "spare"
            )
        if not require.is_gm(table) and enemy.seat != table.seat:
            table.refuse(f"Whether {enemy.name} holds back is not for {table.seat} to say. Leave --spare out.", "spare")
