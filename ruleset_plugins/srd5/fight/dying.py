"""Falling to 0 hit points, death saves, stability, death, knocking out (R5.89–R5.100).

On record: who falls is ``unconscious`` with the data ``zero``; the pools ``death successes`` and ``death failures``
count; ``stable`` and ``dead`` are conditions. A stable one comes round when its ``until`` is reached. Monsters and
NPCs die, if the table has not settled otherwise (``monsters_die``) and no trait of the kind "dying" says that they
fall like a character.
"""

from collections.abc import Callable

from rollbook.kit import clock, conditions, d20, require
from rollbook.kit.board import counted
from rollbook.plugin import Action, Character, CharacterKind, DiceStep, Table, character, events
from rollbook.rulesets.srd5.fight import states
from rollbook.rulesets.srd5.monsters.stat_blocks import always
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.d20_tests import DEATH_SAVE, Test, TestRolls

SUCCESSES, FAILURES = "death successes", "death failures"
ZERO, KNOCKED_OUT = "zero", "knocked out"
DC, THREE, STABLE_DICE = 10, 3, "1d4"
DYING = "dying"
"""The kind of a trait of monsters and NPCs who fall unconscious instead of dying."""


def falls_unconscious(who: Character, settings: Settings) -> bool:
    """True for those who do not die at 0 hit points at once (R5.90)."""
    is_played = who.kind in (CharacterKind.PLAYER_CHARACTER, CharacterKind.HIRELING)
    return is_played or not settings.monsters_die or bool(who.traits_of(DYING)) or outlives(who)


def outlives(who: Character) -> bool:
    """True for a stat block that dies only where its turn begins at 0 hit points, and it does not regenerate."""
    return any(effect.unless and any(each.kind == "heal" for each in effect.do) for _, effect in always(who, "when"))


def is_down(who: Character) -> bool:
    """True for who lies at 0 hit points, dying or stable."""
    return conditions.flag(who.conditions.get(states.UNCONSCIOUS), ZERO)


def is_knocked_out(who: Character) -> bool:
    """True for who was knocked out and has hit points left (R5.89)."""
    return conditions.flag(who.conditions.get(states.UNCONSCIOUS), KNOCKED_OUT)


def is_dying(who: Character) -> bool:
    """True for who makes death saves (R5.94)."""
    return is_down(who) and not who.has(states.STABLE) and not who.has(states.DEAD)


def count(who: Character) -> str:
    """Successes and failures in words."""
    good = counted(who.pools.get(SUCCESSES, 0), "success", "successes")
    return f"{good} and {counted(who.pools.get(FAILURES, 0), 'failure')} of 3"


def fall(table: Table, name: str, *, overkill: int = 0, most: int = 0, source: str = "") -> None:
    """Fall to 0 hit points: death for monsters and by massive damage, else unconscious (R5.90, R5.92, R5.93)."""
    who = table.character(name)
    kills = most and overkill >= most and not outlives(who)
    if not falls_unconscious(who, Settings.of(table)) or kills:
        die(table, name, source=source)
        return
    lie(table, name, source=source)
    conditions.begin(table, name, states.PRONE)
    for after in ON_FALLING:
        after(table, name)


def lie(table: Table, name: str, *, source: str = "") -> None:
    """Be unconscious at 0 hit points."""
    conditions.begin(
        table, name, states.UNCONSCIOUS, source=source, detail="0 hit points", data={ZERO: True}, again=True
    )


def lies_as_elsewhere(who: Character) -> bool:
    """True for who fell unconscious by the rules of another game, which say nothing of 0 hit points."""
    held = who.conditions.get(states.UNCONSCIOUS)
    return held is not None and not held.data


ON_FALLING: list[Callable[[Table, str], object]] = []
"""Consequences for somebody who falls or dies: functions of table and id (concentration, grapples)."""


def die(table: Table, name: str, *, source: str = "") -> None:
    """Make somebody dead (R5.129)."""
    _forget(table, name)
    conditions.end_for_all(table, (name,), states.UNCONSCIOUS, states.STABLE)
    conditions.begin(table, name, states.DEAD, source=source)
    for after in ON_FALLING:
        after(table, name)


def _forget(table: Table, name: str) -> None:
    for pool in (SUCCESSES, FAILURES):
        if table.character(name).pools.get(pool, 0):
            table.record(events.PoolBecame(holder=name, pool=pool, amount=0))


def come_round(table: Table, name: str) -> None:
    """Wake up from 0 hit points or from being knocked out; still prone (R5.93, R5.95)."""
    _forget(table, name)
    conditions.end(table, name, states.STABLE)
    if is_down(table.character(name)) or is_knocked_out(table.character(name)):
        conditions.end(table, name, states.UNCONSCIOUS)


def suffer_while_down(table: Table, name: str, *, critical: bool, rest: int, most: int, source: str = "") -> None:
    """Damage at 0 hit points: a failure, two by a critical hit, death by as much as the maximum (R5.97, R5.98)."""
    conditions.end(table, name, states.STABLE)
    if outlives(table.character(name)):
        return
    if most and rest >= most:
        die(table, name, source=source)
    else:
        fail(table, name, 2 if critical else 1)


def fail(table: Table, name: str, times: int = 1) -> None:
    """Fail death saves; the third is death (R5.95)."""
    table.record(events.PoolGained(holder=name, pool=FAILURES, amount=times))
    if table.character(name).pools.get(FAILURES, 0) >= THREE:
        die(table, name)


def succeed(table: Table, name: str) -> None:
    """Succeed in a death save; the third makes stable (R5.95)."""
    table.record(events.PoolGained(holder=name, pool=SUCCESSES, amount=1))
    if table.character(name).pools.get(SUCCESSES, 0) >= THREE:
        become_stable(table, name)


def become_stable(table: Table, name: str) -> None:
    """Be stable: no more death saves, and awake with 1 hit point when 1d4 hours are over (R5.99, R5.100)."""
    _forget(table, name)
    hours = table.roll(STABLE_DICE, roller=name, purpose="hours until awake").total
    until = table.clock + hours * clock.HOUR
    conditions.begin(table, name, states.STABLE, detail=f"comes round in {hours} h", until=until, again=True)


def knock_out(table: Table, name: str, *, source: str = "") -> None:
    """Knock somebody out: at 1 hit point (2024) or stable at 0 (2014) (R5.89)."""
    is_old = Settings.of(table).is_old
    data: events.Data = {ZERO: True} if is_old else {KNOCKED_OUT: True, "rest": "short"}
    until = 0 if is_old else table.clock + clock.HOUR
    conditions.begin(
        table, name, states.UNCONSCIOUS, source=source, detail=KNOCKED_OUT, until=until, data=data, again=True
    )
    if is_old:
        become_stable(table, name)
    conditions.begin(table, name, states.PRONE)


def death_save(table: Table, rolls: TestRolls, name: str) -> None:
    """Make a death save: 10 or more; a 1 fails twice, a 20 brings back 1 hit point (R5.94, R5.96)."""
    who = table.character(name)
    roll = rolls.test(Test(who, DEATH_SAVE), (), purpose="death save")
    success = roll.natural == 20 or (roll.natural != 1 and roll.total >= DC)
    outcome = {1: "natural 1", 20: "natural 20"}.get(roll.natural, "")
    d20.record_roll(table, "death save", roll, DC, success=success, outcome=outcome)
    if roll.natural == 20:
        table.record(events.HitPointsRestored(character=name, amount=1, tags=("death save",)))
        come_round(table, name)
    elif success:
        succeed(table, name)
    else:
        fail(table, name, 2 if roll.natural == 1 else 1)


HOURS = {"1d4 hours until awake": "hours until awake"}
"""The die of who is stable or knocked out, by its name and its purpose."""

DAMAGE_AND_THE_LIKE = "damage|healing|temporary hit points|hit points|duration|hours until awake|charges"


def dice_of(each: str, *, after: str = "") -> DiceStep:
    """The dice of effects in the house's order: d20s, what they do, what is looked up."""
    tests = {"d20s of attacks, saves and checks": "attack|* save|check"}
    effects = {"damage, healing and the like": DAMAGE_AND_THE_LIKE}
    tables = {"what is looked up": "table|chance|recharge"}
    return DiceStep(each=each, tests=tests, effects=effects, tables=tables, after=after)


AFTER_HARM = (dice_of("effect that follows", after="only a hit or harm brings more"),)
"""The dice of what an attack or damage brings: saves, a second attack, the hours of who was knocked out."""


class DeathSave(Action, verb="death-save"):
    """Make a death save where nobody counts turns; in a fight it comes with the turn (R5.94)."""

    sentence = "clings to life"
    typed_dice = (DiceStep(tests={"the d20 of a death save": "death save"}, effects=HOURS),)

    who: str = character("who is dying", actor=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        one = require.living(table, who)
        if not is_dying(one):
            table.refuse(f"{one.name} is not dying, so there is no death save to make.", "who")
        if table.encounter is not None and one.id in table.encounter.order and not require.is_gm(table):
            table.refuse(f"The death save of {one.name} comes with the turn.", "who")

    def resolve(self, table: Table) -> None:
        self.check_available(table, self.who)
        who = table.character(self.who)
        with TestRolls(table) as rolls:
            death_save(table, rolls, who.id)


def time_passed(table: Table, name: str) -> None:
    """Wake a stable character whose hours are over with 1 hit point (R5.100)."""
    who = table.character(name)
    held = who.conditions.get(states.STABLE)
    if held is not None and 0 < held.until <= table.clock and is_down(who):
        table.record(events.HitPointsRestored(character=name, amount=1, tags=("stable",)))
        come_round(table, name)
