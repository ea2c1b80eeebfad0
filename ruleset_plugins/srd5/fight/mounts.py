"""Mounted combat: getting on and off, who moves, being thrown (R5.70–R5.72).

On record: the rider is ``mounted`` with the mount as source; a mount that is controlled is ``ridden`` by the rider.
"""

from rollbook.kit import conditions, require, squares, turn_order, verbs
from rollbook.plugin import Character, Table, character, flag
from rollbook.rulesets.srd5.fight import dying, movement, places, states, turns
from rollbook.rulesets.srd5.tasks.saves import SaveAction

MOUNTED = "mounted"
DC = 10


def spend_half(table: Table, who: Character, *, out_of_turn: bool) -> None:
    """Spend half the speed on getting on or off (R5.70)."""
    if not out_of_turn:
        movement.spend_feet(table, turns.own_turn(table, who.id), movement.speed(table, who) // 2)


def rider(table: Table, name: str) -> Character:
    """A character who is mounted. Refused for others."""
    who = require.living(table, name)
    if not who.has(MOUNTED):
        table.refuse(f"{who.name} is not mounted.", "who")
    return who


class Mount(turns.OwnVerb, verb="mount"):
    """Get on a willing creature that is larger and within 5 feet, for half the speed (R5.70, R5.71)."""

    mount: str = character("on whom")
    independent: bool = flag("the mount keeps its own turn and acts as it likes", gm_only=False)

    def resolve(self, table: Table) -> None:
        who, mount = turns.check_able(table, self.who), require.living(table, self.mount)
        if places.size_number(mount) <= places.size_number(who):
            table.refuse(f"{mount.name} is {places.size_of(mount)}, too small for {who.name} to ride.", "mount")
        places.check_beside(table, who, mount, "mount")
        if who.has(MOUNTED):
            table.refuse(f"{who.name} is mounted already.", "who")
        spend_half(table, who, out_of_turn=self.out_of_turn)
        conditions.begin(table, who.id, MOUNTED, source=mount.id, detail=mount.name)
        if places.distance(who, mount) is not None:
            squares.put(table, who.id, mount.position)
        if not self.independent:
            conditions.begin(table, mount.id, turns.RIDDEN, source=who.id, detail=who.name)
            _match_initiative(table, who, mount)


def _match_initiative(table: Table, who: Character, mount: Character) -> None:
    """Give a controlled mount the initiative of its rider (R5.71)."""
    fight = table.encounter
    if fight is None or not {who.id, mount.id} <= set(fight.order):
        return
    scores = dict(zip(fight.order, fight.scores, strict=False))
    others = [name for name in fight.order if name != mount.id]
    at = others.index(who.id)
    order = (*others[:at], mount.id, *others[at:])
    scores[mount.id] = scores[who.id]
    turn_order.set_order(table, [(table.character(name), (scores[name],)) for name in order])


def get_off(table: Table, who: Character) -> None:
    """End riding, for the rider and for the mount."""
    mount = who.conditions[MOUNTED].source
    conditions.end(table, who.id, MOUNTED)
    if table.knows(mount):
        conditions.end(table, mount, turns.RIDDEN)


def _riders(table: Table, mount: str) -> list[Character]:
    return [each for each in table.with_conditions() if each.has(MOUNTED) and each.conditions[MOUNTED].source == mount]


def _carry(table: Table, who: Character, *_: object) -> None:
    for each in _riders(table, who.id):
        if squares.was_placed(each):
            squares.put(table, each.id, table.character(who.id).position)


def _throw(table: Table, name: str) -> None:
    """End riding where the mount or the rider falls to 0 hit points; a rider lies beside the mount."""
    if table.character(name).has(MOUNTED):
        get_off(table, table.character(name))
    for each in _riders(table, name):
        get_off(table, each)
        states.begin(table, each.id, states.PRONE)


movement.ON_MOVING.append(_carry)
dying.ON_FALLING.append(_throw)


class Dismount(turns.OwnVerb, verb="dismount"):
    """Get off, for half the speed (R5.70)."""

    check_available = verbs.available_if(lambda table, who: rider(table, turns.own_turn(table, who).id))

    def resolve(self, table: Table) -> None:
        turns.check_able(table, self.who)
        who = rider(table, self.who)
        spend_half(table, who, out_of_turn=self.out_of_turn)
        get_off(table, who)


class KeepSeat(SaveAction, verb="keep-seat"):
    """Stay on a mount that is moved, or falls, or when knocked prone: Dexterity against 10, or land prone beside it (R5.72)."""

    sentence = "clings to the saddle"

    who: str = character("who rides", actor=True)

    check_available = verbs.available_if(rider)

    def resolve(self, table: Table) -> None:
        who = rider(table, self.who)
        if not self.save(table, who, "dex", DC, versus=("staying mounted",)):
            get_off(table, who)
            states.begin(table, who.id, states.PRONE)
