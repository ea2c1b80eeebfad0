"""Further things that dice and tables decide: checks, death and coming back from it, rows of tables, chances."""

from collections.abc import Iterator

from rollbook.kit import conditions as kit
from rollbook.plugin import Table, Term, events
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.effects import states
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, leave_to_gm, note, special
from rollbook.rulesets.srd5.fight import conditions, durations, dying, hit_points
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests
from rollbook.rulesets.srd5.tasks.checks import roll_check


@carries("check")
def check(cause: Cause, effect: kinds.Check, targets: Targets, path: str) -> None:
    """Have targets make a check against a DC, or who uses a thing on them, and do what follows (R5.5, R5.275)."""
    for name in targets:
        who = cause.table.character(cause.source if cause.origin.startswith("item:") else name)
        dc, skill = effect.dc or cause.dc, next(iter(effect.skills), "")
        field = "success" if roll_check(cause.table, cause.rolls, who, effect.ability, dc, skill=skill) else "fail"
        carry_out(cause, getattr(effect, field), (name,), f"{path}/{field}")


@carries("kill", "special:destroy")
def kill(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Kill outright, or destroy what a weapon was made against."""
    for name in targets:
        if not cause.table.character(name).has(conditions.DEAD):
            dying.die(cause.table, name, source=cause.source)


@carries("stable")
def stable(cause: Cause, effect: kinds.Stable, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make the dying stable (R5.99)."""
    for name in targets:
        if dying.is_dying(cause.table.character(name)):
            dying.become_stable(cause.table, name)


@carries("revive")
def revive(cause: Cause, effect: kinds.Revive, targets: Targets, path: str) -> None:
    """Bring the dead back, with so many hit points, and with a penalty that rests take away."""
    if effect.after:
        leave_to_gm(cause, effect, targets, path)
        return
    table = cause.table
    for name in targets:
        who = table.character(name)
        if not who.has(conditions.DEAD) or kind_of(who) in effect.excludes:
            continue
        most, since = durations.seconds(effect.within), who.conditions[conditions.DEAD].since
        if most and table.clock - since > most:
            table.refuse(f"{who.name} has been dead for longer than {effect.within}.", "targets")
        kit.end(table, name, conditions.DEAD)
        most = hit_points.max_hp(who, Settings.of(table))
        missing = who.lost - most + (effect.hit_points if isinstance(effect.hit_points, int) else most)
        if missing > 0:
            table.record(events.HitPointsRestored(character=name, amount=missing, source=cause.source))
        if effect.penalty:
            kit.begin(table, name, RAISED, source=cause.source, data={PENALTY: -effect.penalty}, again=True)


RAISED, PENALTY = "raised", "penalty"


@d20_tests.summand(*d20_tests.KINDS)
def penalty_of_the_raised(table: Table, test: d20_tests.Test) -> Iterator[Term]:  # noqa: ARG001 - as all summands
    """Yield what coming back from death costs on every d20 test, until long rests are over."""
    lost = kit.number(test.who.conditions.get(RAISED), PENALTY)
    if lost:
        yield Term(-lost, RAISED)


@carries("table")
def table(cause: Cause, effect: kinds.Table, targets: Targets, path: str) -> None:
    """Look up a row for each target by a die, by the hit points left, or by what the GM chose."""
    for name in targets or (cause.source,):
        found = _row(cause, effect, name)
        if found is None:
            carry_out(cause, effect.otherwise, (name,), f"{path}/otherwise")
            continue
        row = effect.rows[found]
        if row.words:
            note(cause, f"{cause.name}: {row.words}", name)
        carry_out(cause, row.do, (name,), f"{path}/rows/{found}/do")


def _row(cause: Cause, effect: kinds.Table, name: str) -> int | None:
    """The place of a row, None for none."""
    if "d" in effect.by and effect.by[0].isdecimal():
        number = cause.table.roll(effect.by, roller=cause.source, purpose="table").total
    elif effect.by == "hit points":
        number = hit_points.left(cause.table.character(name), Settings.of(cause.table))
    else:
        return next((place for place, row in enumerate(effect.rows) if row.on.casefold() in cause.chosen), 0)
    for place, row in enumerate(effect.rows):
        least, _, most = row.on.partition("-")
        if least.isdecimal() and int(least) <= number <= int(most or least):
            return place
    return None


@special("set hit points")
def set_hit_points(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Have hit points become a number, unless there are more already."""
    for name in targets:
        now = hit_points.left(cause.table.character(name), Settings.of(cause.table))
        hit_points.restore(cause.table, name, max(int(effect.numbers["to"]) - now, 0), source=cause.source)


@carries("chance")
def chance(cause: Cause, effect: kinds.Chance, targets: Targets, path: str) -> None:
    """Roll whether something happens that words tell; what may happen as long as a spell lasts lies on its targets."""
    if cause.repeat:
        states.lay(cause, effect, targets, path)
        return
    face = cause.table.roll("1d100", roller=cause.source, purpose="chance").total
    comes = "happens" if face <= effect.percent else "does not happen"
    note(cause, f"{cause.name}: at {effect.percent} percent this {comes}: {effect.words}")
