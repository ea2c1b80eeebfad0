"""Swallowed creatures: inside a monster, hurt at each of its turns, and how they come out again (R5.304, R5.305).

On record: the condition ``swallowed``, by the monster, whose data say where its effect stands; it includes what being
inside does (blinded, restrained). The pool ``hurt from inside`` counts the damage of a turn.
"""

from rollbook.kit import conditions as kit
from rollbook.kit import counters
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5.catalogue import Effect
from rollbook.rulesets.srd5.effects import states
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out
from rollbook.rulesets.srd5.effects.lasting import OF, Held, effects_on
from rollbook.rulesets.srd5.fight import conditions, damage, dying, encounter
from rollbook.rulesets.srd5.tasks import d20_tests, saves

SWALLOWED, HURT = "swallowed", "hurt from inside"


def inside(table: Table, name: str) -> list[tuple[Character, Held]]:
    """Those whom somebody has swallowed, each with the effect that keeps them there."""
    swallowed = (who for who in table.with_conditions() if who.has(SWALLOWED))
    return [(who, held) for who in swallowed for held in effects_on(who, "swallow") if held.source == name]


@carries("swallow")
def swallow(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:
    """Take those in whom the source holds, as many as it has room for; what held them ends."""
    table = cause.table
    for name in targets:
        if not conditions.by(table.character(name), conditions.GRAPPLED, cause.source):
            table.refuse(f"{table.character(name).name} is not grappled by who is to swallow them.", "targets")
        if len(inside(table, cause.source)) >= effect.most:
            table.refuse(f"There is no room for more than {effect.most}.", "targets")
        conditions.end(table, name, conditions.GRAPPLED)
        until, data = states.data_of(cause, effect, path, name)
        kit.begin(table, name, SWALLOWED, source=cause.source, detail=cause.name, until=until, data=data)
        for each in effect.conditions:
            conditions.begin(table, name, each, source=cause.source, detail=SWALLOWED)


def let_out(table: Table, who: Character) -> None:
    """Let somebody out, prone."""
    kit.end(table, who.id, SWALLOWED)
    for held in tuple(who.conditions.values()):
        if held.detail == SWALLOWED:
            conditions.end(table, who.id, held.name)
    conditions.begin(table, who.id, conditions.PRONE)


def begin_turn(table: Table, rolls: d20_tests.TestRolls, name: str) -> None:
    """Hurt those who are inside."""
    for who, held in inside(table, name):
        cause = Cause(table=table, rolls=rolls, source=name, origin=str(held.data.get(OF)), name=held.label)
        carry_out(cause, held.effect.damage, (who.id,))


def hurt(table: Table, name: str, through: int, source: str) -> None:
    """Count what is done from inside."""
    held = table.character(source).conditions.get(SWALLOWED) if through and table.knows(source) else None
    if held is not None and held.source == name:
        counters.change(table, name, HURT, through, "from inside")


def end_turn(table: Table, rolls: d20_tests.TestRolls, _: str) -> None:
    """Give back the swallowed where so much was done from inside in this turn, after a save."""
    for monster in tuple(table.characters()):
        done = monster.pools.get(HURT, 0)
        if done > 0:
            counters.empty(table, monster.id, HURT, "the turn ends")
        swallowed = inside(table, monster.id) if done > 0 else []
        back = swallowed[0][1].effect.regurgitate if swallowed else None
        if back is not None and done >= back.damage and not saves.roll_save(table, rolls, monster, back.save, back.dc):
            for who, _held in swallowed:
                let_out(table, who)


def died(table: Table, name: str) -> None:
    """Let out all when the monster dies."""
    for who, _ in inside(table, name) if table.character(name).has(conditions.DEAD) else ():
        let_out(table, who)


encounter.AT_START.append(begin_turn)
encounter.AT_END.append(end_turn)
damage.AFTERWARDS.append(hurt)
dying.ON_FALLING.append(died)
