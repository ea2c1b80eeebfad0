"""Traits of stat blocks that work by themselves: at turns, when they are hurt, struck, or would fall (R5.301, R5.312).

What lies around a monster reaches those beside it as far as squares say; without squares the GM names them: ``act ghast
Stench kara``.
"""

from collections.abc import Iterator
from typing import NamedTuple

from rollbook.kit import conditions, sides, squares
from rollbook.plugin import Character, SecondThought, Table, events
from rollbook.rulesets.srd5.catalogue import Feature, kinds
from rollbook.rulesets.srd5.effects.carrying_out import carry_out
from rollbook.rulesets.srd5.fight import attack, damage, dying, encounter, hit_points, places, states
from rollbook.rulesets.srd5.monsters import act, uses
from rollbook.rulesets.srd5.monsters.stat_blocks import always, features_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests, saves
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

SUPPRESSED = "regeneration suppressed"
OWN_START, OWN_END, THEIR_START = "source's turn start", "source's turn end", "target's turn start"
FARTHEST = 60
"""The feet beyond which nothing surrounds a monster."""


class Moment(NamedTuple):
    """A trait that does something at a moment: its place in the feature, the feature, and the effect."""

    place: int
    feature: Feature
    effect: kinds.When


def moments(who: Character, moment: str) -> Iterator[Moment]:
    """The traits of a stat block that do something at a moment, each with its place in the trait."""
    for feature, effect in always(who, "when"):
        if isinstance(effect, kinds.When) and moment in effect.when:
            yield Moment(feature.effects.index(effect), feature, effect)


def do(table: Table, who: Character, moment: Moment, targets: tuple[str, ...]) -> None:
    """Do what a trait does at a moment to all whom it does not spare."""
    with d20_tests.TestRolls.at(table) as rolls_:
        cause = act.cause_of(table, rolls_, who, moment.feature)
        carry_out(cause, moment.effect.do, act.within_reach(cause, targets), f"{moment.place}/do")


def turn_begins(table: Table, _: TestRolls, name: str) -> None:
    """Do what a turn's start brings: recharging, regeneration, and what lies around others (R5.310, R5.311)."""
    who = table.character(name)
    for moment in moments(who, OWN_START):
        if not moment.effect.place and _holds(table, who, moment.effect):
            do(table, who, moment, (name,))
    if who.has(SUPPRESSED):
        conditions.end(table, name, SUPPRESSED)
    if dying.outlives(who) and dying.is_down(table.character(name)):
        dying.die(table, name)
    uses.turn_begins(table, name)
    _suffer_auras(table, table.character(name))


def _holds(table: Table, who: Character, effect: kinds.When) -> bool:
    """True if the case of a trait holds that acts at the start of its turn; what is for others is the GM's to say."""
    if effect.given == "bloodied":
        return hit_points.is_bloodied(who, Settings.of(table))
    if effect.given == "at least 1 hit point":
        return hit_points.left(who, Settings.of(table)) > 0
    return bool(effect.unless) and not who.has(SUPPRESSED) and not who.has(states.DEAD)


def _suffer_auras(table: Table, who: Character) -> None:
    """Suffer what surrounds others where one's turn begins."""
    for other in tuple(places.near(table, who, FARTHEST)):
        for moment in moments(other, THEIR_START) if not states.is_unable(other) else ():
            if _reaches(other, who, moment.effect):
                do(table, other, moment, (who.id,))


def _reaches(source: Character, who: Character, effect: kinds.When) -> bool:
    feet = effect.within or (effect.area.feet if effect.area is not None else 0)
    apart = places.distance(source, who)
    return apart is not None and apart <= feet and sides.are_enemies(source, who)


def turn_ends(table: Table, _: TestRolls, name: str) -> None:
    """Do what surrounds somebody when their own turn ends, to the enemies who stand there."""
    who = table.character(name)
    for moment in moments(who, OWN_END) if not states.is_unable(who) else ():
        near = (other.id for other in places.near(table, who, FARTHEST) if _reaches(who, other, moment.effect))
        do(table, who, moment, tuple(near))


def hurt(table: Table, who: Character, amount: int, kind: str) -> int:
    """Note damage of a type to which a trait answers, before resistance; the amount stays."""
    if amount > 0 and any(kind in effect.unless for _, _, effect in moments(who, OWN_START)):
        conditions.begin(table, who.id, SUPPRESSED)
    for moment in moments(who, "damaged") if amount > 0 else ():
        if kind in moment.effect.types:
            do(table, who, moment, (who.id,))
    return amount


def struck(blow: attack.Blow, through: int) -> None:  # noqa: ARG001 - called like everything that follows a hit
    """Hurt who strikes a body that burns or corrodes in melee."""
    for moment in moments(blow.target, "hit in melee") if blow.aim.melee else ():
        do(blow.table, blow.target, moment, (blow.attacker.id,))


def withstand(table: Table, name: str, amount: int, tags: tuple[str, ...], *, critical: bool) -> bool:
    """Save against falling, with 5 and the damage as the DC: 1 hit point is left after a success (R5.90)."""
    who = table.character(name)
    for _, _, effect in moments(who, "would drop to zero"):
        stopped = set(effect.unless) & {*tags, *(("critical hit",) if critical else ())}
        for save in effect.do:
            if isinstance(save, kinds.Save) and not stopped:
                with d20_tests.TestRolls.at(table) as rolls_:
                    return saves.roll_save(table, rolls_, who, save.ability, 5 + amount)
    return False


def died(table: Table, name: str) -> None:
    """Do what a death brings to those around, as far as squares say; else a note says how to."""
    who = table.character(name)
    for moment in moments(who, "dies") if who.has(states.DEAD) else ():
        areas = (each.area for each in moment.effect.do if isinstance(each, kinds.Save))
        feet, called = next((area.feet for area in areas if area is not None), 0), moment.feature.name
        if squares.was_placed(who):
            near = (other.id for other in places.near(table, who, feet) if not other.has(states.DEAD))
            do(table, who, moment, tuple(near))
        else:
            text = f"{who.name} dies: {called}, {feet} feet around. act {who.id} {called!r} NAME,NAME"
            table.record(events.NoteWritten(text=text, about=name))


def resist(rolls_: TestRolls, thought: SecondThought, result: object) -> None:
    """Make a failed save by a legendary resistance (R5.312)."""
    table, who = rolls_.table, rolls_.table.character(thought.character)
    feature = next((each for each in features_of(who) if each.name == uses.LEGENDARY_RESISTANCE), None)
    if feature is None or getattr(result, "who", "") != who.id or "save" not in getattr(result, "purpose", ""):
        table.refuse(f"{who.name} has no legendary resistance for this roll.")
    uses.spend(table, who, feature)
    rolls_.made |= {rolls_.count}


RESISTANCE = "resistance"
d20_tests.THOUGHTS[RESISTANCE] = resist
d20_tests.CASES["bloodied"] = lambda table, _, test: hit_points.is_bloodied(test.who, Settings.of(table))
encounter.ON_TIME.append(uses.time_passed)
encounter.AT_START.append(turn_begins)
encounter.AT_END.append(turn_ends)
damage.ADJUSTMENTS.append(hurt)
damage.BEFORE_FALLING.append(withstand)
dying.ON_FALLING.append(died)
attack.AFTER_HIT.append(struck)
