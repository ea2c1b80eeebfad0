"""Effects that chance, moments and choices decide: checks, death, tables; triggers, cases, later turns; the swallowed.

On record: the condition ``swallowed``, by the monster, whose data say where its effect stands; it includes what being
inside does (blinded, restrained). The pool ``hurt from inside`` counts the damage of a turn (R5.304, R5.305).
"""

from collections.abc import Iterator

from rollbook.kit import conditions, counters
from rollbook.plugin import Character, Table, Term, events
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.effects import laying
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, leave_to_gm, note, special
from rollbook.rulesets.srd5.effects.lasting import OF, Held, effects_on
from rollbook.rulesets.srd5.fight import damage, durations, dying, encounter, hit_points, places, states, turns
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
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
        if not cause.table.character(name).has(states.DEAD):
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
        if not who.has(states.DEAD) or kind_of(who) in effect.excludes:
            continue
        most, since = durations.seconds(effect.within), who.conditions[states.DEAD].since
        if most and table.clock - since > most:
            table.refuse(f"{who.name} has been dead for longer than {effect.within}.", "targets")
        conditions.end(table, name, states.DEAD)
        most = hit_points.max_hp(who, Settings.of(table))
        missing = who.lost - most + (effect.hit_points if isinstance(effect.hit_points, int) else most)
        if missing > 0:
            table.record(events.HitPointsRestored(character=name, amount=missing, source=cause.source))
        if effect.penalty:
            conditions.begin(table, name, RAISED, source=cause.source, data={PENALTY: -effect.penalty}, again=True)


RAISED, PENALTY = "raised", "penalty"


@d20_tests.summand(*d20_tests.KINDS)
def penalty_of_the_raised(table: Table, test: d20_tests.Test) -> Iterator[Term]:  # noqa: ARG001 - as all summands
    """Yield what coming back from death costs on every d20 test, until long rests are over."""
    lost = conditions.number(test.who.conditions.get(RAISED), PENALTY)
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
        laying.lay(cause, effect, targets, path)
        return
    face = cause.table.roll("1d100", roller=cause.source, purpose="chance").total
    comes = "happens" if face <= effect.percent else "does not happen"
    note(cause, f"{cause.name}: at {effect.percent} percent this {comes}: {effect.words}")


def has_moved(cause: Cause, feet: int) -> bool | None:
    """Tell if the source has moved so far this turn, as the feet that it spent say; None where nobody counts them."""
    fight = cause.table.encounter
    if fight is None or fight.current != cause.source:
        return None
    return fight.spent.get(turns.FEET, 0) >= feet


@carries("given")
def given(cause: Cause, effect: kinds.Given, targets: Targets, path: str) -> None:
    """Do something only to those up to a size, or with advantage; a case that cannot be told is the GM's."""
    moved = has_moved(cause, effect.moved) if effect.moved else True
    if moved is False or (effect.advantage and not cause.advantage):
        return
    if moved is None or effect.damage is not None or effect.instead:
        leave_to_gm(cause, effect, targets, path)
        return
    most = places.SIZES.index(effect.size) if effect.size else len(places.SIZES)
    meant = tuple(name for name in targets if places.size_number(cause.table.character(name)) <= most)
    if meant:
        carry_out(cause, effect.do, meant, f"{path}/do")


@carries("when")
def when(cause: Cause, effect: kinds.When, targets: Targets, path: str) -> None:
    """Do it now if the casting is one of the moments, and keep it on record for the others."""
    if "cast" in effect.when and targets:
        carry_out(cause, effect.do, targets, f"{path}/do")
    there = tuple(map(cause.table.character, targets))
    if set(effect.when) & {"zero hit points", "killed"}:
        down = tuple(who.id for who in there if dying.is_down(who) or who.has(states.DEAD))
        carry_out(cause, effect.do, down, f"{path}/do")
    elif effect.when != ("cast",):
        here = tuple(who.id for who in there if not who.has(states.DEAD))
        if here or not targets:
            laying.lay(cause, effect, here, path)


@carries("choose")
def choose(cause: Cause, effect: kinds.Choose, targets: Targets, path: str) -> None:
    """Do the option that was chosen by its name, or the first (Q5.36)."""
    chosen = tuple(filter(None, cause.chosen))
    named = [place for place, option in enumerate(effect.options) if option.name.casefold().startswith(chosen)]
    for place in ((named if effect.any_number else named[:1]) or [0]) if effect.options else ():
        carry_out(cause, effect.options[place].do, targets, f"{path}/options/{place}/do")


@carries("later")
def later(cause: Cause, effect: kinds.Later, targets: Targets, path: str) -> None:
    """Keep an action for later turns, for who may take it; do it at the casting as well where it says so."""
    if effect.now:
        carry_out(cause, effect.do, targets, f"{path}/do")
    users = targets if effect.by.startswith("target") else (cause.source,)
    if users:
        laying.lay(cause, effect, users, path)


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
        if not states.by(table.character(name), states.GRAPPLED, cause.source):
            table.refuse(f"{table.character(name).name} is not grappled by who is to swallow them.", "targets")
        if len(inside(table, cause.source)) >= effect.most:
            table.refuse(f"There is no room for more than {effect.most}.", "targets")
        states.end(table, name, states.GRAPPLED)
        until, data = laying.data_of(cause, effect, path, name)
        conditions.begin(table, name, SWALLOWED, source=cause.source, detail=cause.name, until=until, data=data)
        for each in effect.conditions:
            states.begin(table, name, each, source=cause.source, detail=SWALLOWED)


def let_out(table: Table, who: Character) -> None:
    """Let somebody out, prone."""
    conditions.end(table, who.id, SWALLOWED)
    for held in tuple(who.conditions.values()):
        if held.detail == SWALLOWED:
            states.end(table, who.id, held.name)
    states.begin(table, who.id, states.PRONE)


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
    for who, _ in inside(table, name) if table.character(name).has(states.DEAD) else ():
        let_out(table, who)


encounter.AT_START.append(begin_turn)
encounter.AT_END.append(end_turn)
damage.AFTERWARDS.append(hurt)
dying.ON_FALLING.append(died)
