"""Moments of effects: at a trigger, in cases, by choice, on later turns."""

from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.effects import states
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, leave_to_gm
from rollbook.rulesets.srd5.fight import conditions, dying, places, turns


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
        down = tuple(who.id for who in there if dying.is_down(who) or who.has(conditions.DEAD))
        carry_out(cause, effect.do, down, f"{path}/do")
    elif effect.when != ("cast",):
        here = tuple(who.id for who in there if not who.has(conditions.DEAD))
        if here or not targets:
            states.lay(cause, effect, here, path)


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
        states.lay(cause, effect, users, path)
