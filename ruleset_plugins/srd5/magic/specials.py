"""Rules of single spells that are no numbers alone: ending, dispelling, countering, marks that move (R5.240, Q5.35).

On record: the condition ``countered`` on who is stopped, until the turn ends; ``slot`` is the counterspell's level.
In the edition of 2024 the caster saved by Constitution and keeps the slot. In that of 2014 nothing saves: a spell up to
the slot's level fails, a higher one on a check of the one who counters, and the slot is gone.
"""

from rollbook.kit import conditions as kit
from rollbook.kit import fields
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Spell, kinds
from rollbook.rulesets.srd5.effects import lasting
from rollbook.rulesets.srd5.effects import states as laying
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, leave_to_gm
from rollbook.rulesets.srd5.effects.carrying_out import special as named
from rollbook.rulesets.srd5.fight import conditions, durations, dying
from rollbook.rulesets.srd5.magic import concentration, spells
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.checks import roll_check
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

COUNTERED, COUNTERSPELL, OWN_LEVEL = "countered", "counterspell", 3
READ = ("maximise", "slow fall", "images", "roll", "breathe", "walk on", "jump", "stays", "follow", "hand")
"""Rules that lie on their targets as long as the spell lasts, for those who read them and for the GM."""


@carries("end")
def end(cause: Cause, effect: kinds.End, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End what this spell brought to the targets, and with the last of it the concentration."""
    table = cause.table
    for name, held in kit.lying_on(table, targets):
        if held.data.get(lasting.OF) == cause.origin and held.name != concentration.CONCENTRATING:
            concentration.finish(table, name, held)
    concentration.end_if_nothing_is_held(table, cause.source, cause.origin)


@carries("dispel")
def dispel(cause: Cause, effect: kinds.Dispel, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End the spells on the targets: those up to the slot's level, and higher ones by a check against 10 and the level."""
    table, most = cause.table, effect.level + cause.level
    caster = table.character(cause.source)
    for name, held in kit.lying_on(table, targets):
        spell = catalogue.spells().get(fields.text(held.data, lasting.OF).removeprefix("spell:"))
        if spell is None or spell.undispellable or not table.character(name).has(held.name):
            continue
        level, ability = spell.level + fields.number(held.data, lasting.SLOT), spells.usual_ability(caster)
        if level > most and not roll_check(table, cause.rolls, caster, ability, 10 + level):
            continue
        if held.name == concentration.CONCENTRATING:
            concentration.end(table, name)
        else:
            concentration.finish_last(table, name, held)


@carries("special")
def special(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:
    """Do a rule of one spell; those that no rule knows are the GM's."""
    if effect.name in READ:
        laying.lay(cause, effect, targets, path)
    elif effect.name == "new target" and targets:
        _move_mark(cause, effect, targets)
    else:
        leave_to_gm(cause, effect, targets, path)


@named("break concentration")
def break_concentration(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End the concentration of the targets."""
    for name in targets:
        concentration.end(cause.table, name)


def _move_mark(cause: Cause, effect: kinds.Special, targets: Targets) -> None:
    """Take a mark from an old target that is down to a new one; it lasts no longer for it."""
    table, duration = cause.table, cause.duration
    for name, held in kit.everywhere(table):
        if held.data.get(lasting.OF) == cause.origin and held.source == cause.source != name:
            who = table.character(name)
            if effect.numbers.get("if") == "zero hit points" and not (dying.is_down(who) or who.has(conditions.DEAD)):
                still = f"{who.name} still stands, and {cause.name} moves on when its target is down."
                table.refuse(still, "targets")
            duration = f"{max(held.until - table.clock, 0) // 6} rounds" if held.until else duration
            concentration.finish(table, name, held)
    carry_out(cause.with_(duration=duration), lasting.effects_of(cause.origin), targets)


def in_edition(table: Table, spell: Spell) -> tuple[tuple[Effect, ...], str]:
    """The effects of a spell in the edition that is played, and their path."""
    first = spell.effects[0] if spell.effects else None
    if spell.key == COUNTERSPELL and Settings.of(table).is_old and isinstance(first, kinds.Save):
        return first.fail, "0/fail"
    return spell.effects, ""


@carries("counter")
def counter(cause: Cause, effect: kinds.Counter, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make the spell fail that the target casts next in this turn."""
    for name in targets:
        until, data = durations.lasting(cause.table, "end of the turn")
        more = {**data, lasting.SLOT: OWN_LEVEL + cause.level}
        kit.begin(cause.table, name, COUNTERED, source=cause.source, until=until, data=more, again=True)


def is_countered(table: Table, rolls: TestRolls, who: Character, level: int) -> bool:
    """True if a counterspell stops the spell that somebody casts at a level."""
    held = table.character(who.id).conditions.get(COUNTERED)
    if held is None:
        return False
    kit.end(table, who.id, COUNTERED)
    if not Settings.of(table).is_old or level <= kit.number(held, lasting.SLOT) or not table.knows(held.source):
        return True
    other = table.character(held.source)
    return roll_check(table, rolls, other, spells.usual_ability(other), 10 + level)
