"""Opportunity attacks: against who leaves one's reach, with the reaction (R5.68, R5.69).

On record: who moves on the map out of an enemy's reach has the condition ``provokes`` until the turn ends; its data say
``whom``. Without squares the players say so themselves.
"""

from rollbook.kit import conditions, fields, require, sides, squares, turn_order
from rollbook.plugin import Character, Square, Table, events
from rollbook.rulesets.srd5.effects.lasting import specials
from rollbook.rulesets.srd5.fight import attack, attack_edges, movement, places, states, turns, weapons
from rollbook.rulesets.srd5.monsters import actions
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

PROVOKES = "provokes"


def reach_of(who: Character) -> int:
    """The farthest reach of a character's melee attacks (R5.67)."""
    block = [actions.strike_of(who, name) for name in weapons.weapon_names(who)[:-1]]
    natural = [each.reach for each in block if each is not None and each.reach]
    return max([*natural, *(weapons.strike_with(who, each).reach for each in weapons.weapons_of(who)), weapons.REACH])


def leaves_reach(who: Character, other: Character, before: Square, after: Square) -> bool:
    """True for who goes from a square to one out of the reach of an enemy who can act, as far as squares say."""
    if not sides.are_enemies(who, other) or not squares.was_placed(other) or states.is_unable(other):
        return False
    return places.apart(before, other.position) <= reach_of(other) < places.apart(after, other.position)


class Opportunity(attack.StrikeAction, verb="opportunity"):
    """Strike with the reaction at somebody who leaves one's reach (R5.68)."""

    sentence = "strikes at {target} in passing"

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        _in_anothers_turn(table, who)
        turns.take(table, who, turns.REACTION)

    def resolve(self, table: Table) -> None:
        attacker, target = _in_anothers_turn(table, self.attacker), require.living(table, self.target)
        require.other_targets(table, attacker, target.id)
        self._check(table, attacker, target)
        turns.take(table, attacker.id, turns.REACTION)
        found = attack.strike_named(table, attacker, self.weapon)
        if not found.reach:
            table.refuse(f"An opportunity attack is made in melee, and not with {found.name}.", "weapon")
        with TestRolls(table, self.spared) as rolls:
            aim, attacker = attack_edges.Aim(distance=found.reach), table.character(attacker.id)
            blow = attack.Blow(table, rolls, attacker, target, found, aim, self.knock_out, is_opportunity=True)
            attack.strike(blow, ease=self.ease)

    def _check(self, table: Table, attacker: Character, target: Character) -> None:
        """Refuse it against who disengages, by who does not see, or where squares say that nobody left (R5.69)."""
        if is_spared(target, ""):
            table.refuse(f"{target.name} disengages or slips by, and gives no opportunity.", "target")
        if attack_edges.is_unseen(table, attacker, target):
            table.refuse(f"{attacker.name} does not see {target.name} leave.", "target")
        if states.forbids(attacker, "opportunity attack"):
            table.refuse(f"{attacker.name} makes no opportunity attacks now.", "attacker")
        held = target.conditions.get(PROVOKES)
        on_map = squares.was_placed(attacker) and squares.was_placed(target)
        if on_map and (held is None or attacker.id not in fields.names(held.data, "whom")):
            table.refuse(f"{target.name} has not left {attacker.name}'s reach.", "target")


def _in_anothers_turn(table: Table, name: str) -> Character:
    """A character who can act, in the turn of somebody else or outside a fight."""
    who = turns.check_able(table, name)
    if turns.is_own_turn(table, who):
        table.refuse(f"It is {who.name}'s own turn, and an opportunity comes in the turn of another.", "attacker")
    return who


def is_spared(who: Character, mode: str) -> bool:
    """True for who gives no opportunity by moving so: by disengaging, or by a trait, as those who fly by (R5.69)."""
    spared = (held.effect.numbers["moves"] for held in specials(who, "unprovoked"))
    return who.has(movement.DISENGAGED) or any(each in ("any", mode) for each in spared)


def provoked(table: Table, who: Character, before: Square, after: Square, mode: str = movement.WALK) -> list[Character]:
    """The enemies out of whose reach a step leads somebody who is not spared (R5.68)."""
    others = turn_order.present(table) if not is_spared(who, mode) else ()
    return [other for other in others if leaves_reach(who, other, before, after)]


def provoke(table: Table, who: Character, way: tuple[Square, ...], mode: str) -> None:
    """Record whose reach somebody has left by moving, on the way as well as by its end."""
    fight = table.encounter
    if fight is None or not squares.was_placed(who):
        return
    steps = zip((who.position, *way), way, strict=False)
    whom = {each.id: each.name for before, after in steps for each in provoked(table, who, before, after, mode)}
    if whom:
        data: events.Data = {"ends": "end", "whose": fight.current or who.id, "whom": tuple(whom)}
        conditions.begin(table, who.id, PROVOKES, detail=", ".join(whom.values()), data=data, again=True)


movement.ON_MOVING.append(provoke)
