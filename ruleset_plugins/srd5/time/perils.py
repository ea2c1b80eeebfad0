"""Perils: poisons, traps, contagions and weather of ``hazards.json``, falls and fire (R5.115, R5.139, R5.140, R5.314–R5.318)."""

from collections.abc import Iterable, Mapping
from functools import partial
from itertools import product
from typing import Any

from rollbook.kit import catalogues, conditions, d20, data, formulas, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Hazard, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carrier, carry_out, special
from rollbook.rulesets.srd5.effects.lasting import specials
from rollbook.rulesets.srd5.fight import armour, damage, encounter, hit_points, movement, places, states, turns
from rollbook.rulesets.srd5.fight.dying import AFTER_HARM, dice_of
from rollbook.rulesets.srd5.tasks import checks, saves
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

BURNING = "burning"
FALL_DICE, FEET_A_DIE, INTO_WATER = 20, 10, 15
SPARING = {damage.RESISTANCE, damage.IMMUNITY}


def grown(effects: Iterable[Effect], numbers: Mapping[str, Any]) -> tuple[Effect, ...]:
    """The effects of a trap with its numbers at a higher level: DC, dice of the damage, those of spikes."""
    return tuple(data.changed(effect, partial(_grown, numbers)) for effect in effects)


def _grown(numbers: Mapping[str, Any], part: Part) -> dict[str, Any]:
    if isinstance(part, kinds.Save):
        return {"dc": numbers.get("dc", part.dc)}
    if isinstance(part, kinds.Damage):
        which = "spikes" if "spikes" in numbers and "piercing" in part.types else "dice"
        return {"dice": numbers.get(which, part.dice)}
    return {}


class Peril(Action, verb="hazard", gm_only=True):
    """Meet a poison, trap, contagion or the weather: saves, damage and what else it does (R5.314–R5.318)."""

    sentence = "lets {targets} meet {hazard}"
    typed_dice = (dice_of("target"), *AFTER_HARM)

    hazard: str = param.words("which, by its name", fits=lambda _: tuple(catalogue.hazards()))
    targets: tuple[str, ...] = param.characters("who meets it")
    level: int = param.number("of which level a trap is, if above the first", default=1, minimum=1, maximum=20)
    dc: int = param.number("the DC of fear or stress: 10, 15 or 20", default=10, minimum=1, maximum=30)
    hours: int = param.number("for how many hours (frigid water: minutes too long)", default=1, minimum=1, maximum=24)
    after: int = param.number("how many hours it had lasted before", default=0, minimum=0, maximum=1000)

    def resolve(self, table: Table) -> None:
        row = catalogues.find("hazard", catalogue.hazards, self.hazard)
        with TestRolls(table) as rolls_:
            if row.every:
                self._endure(table, rolls_, row)
            else:
                cause = Cause(table=table, rolls=rolls_, source="", origin=f"hazard:{row.key}", name=row.name)
                self._meet(cause, row, grown(row.effects, self._numbers(table, row)))
        if row.words:
            table.record(events.NoteWritten(text=f"{row.name}: {row.words}"))

    def _meet(self, cause: Cause, row: Hazard, effects: tuple[Effect, ...]) -> None:
        """Do what a hazard does; a contagion does the rest only to who catches it, and who falls into a pit lies prone."""
        is_caught = row.category == "contagion" and isinstance(effects[0], kinds.Save)
        first = effects[:1] if is_caught else effects
        carry_out(cause, first, self.targets)
        for place, effect in enumerate(effects[len(first) :], 1):
            carrier(effect)(cause, effect, tuple(sorted(cause.failed)), str(place))
        for name in self.targets if "depth" in row.numbers else ():
            states.begin(cause.table, name, states.PRONE)

    def _numbers(self, table: Table, row: Hazard) -> Mapping[str, Any]:
        """The numbers of a trap at its level, of fear or stress at its DC, and of so many darts (R5.316, R5.318)."""
        reached = [at for at in row.higher if int(at) <= self.level]
        numbers = dict(row.higher[reached[-1]]) if reached else {}
        if row.category in ("fear", "stress"):
            numbers = {"dc": self.dc}
            if dice := row.numbers.get(str(self.dc)):
                numbers["dice"] = dice
        if "darts" in row.numbers:
            many = table.roll(row.numbers["darts"], roller=table.seat, purpose="table").total
            numbers["dice"] = formulas.times(numbers.get("dice", "1d6"), many)
        return numbers

    def _endure(self, table: Table, rolls_: TestRolls, row: Hazard) -> None:
        """Save whenever an hour is over, or be exhausted (R5.315)."""
        save = row.effects[0]
        if not isinstance(save, kinds.Save) or not isinstance(save.dc, int):
            return
        for hour, name in product(range(self.after, self.after + self.hours), self.targets):
            who, dc = table.character(name), save.dc + row.numbers.get("dc_more", 0) * hour
            if not is_spared(who, save) and not who.has(states.DEAD):
                heavy = armour.armour_of(who)[1] if save.disadvantage else None
                worn = ("armour",) if heavy is not None and heavy.training in ("medium", "heavy") else ()
                ease = d20.Advantage(disadvantage=worn)
                if not saves.roll_save(table, rolls_, who, save.ability, dc, versus=(row.key,), ease=ease):
                    hit_points.exhaust(table, who.id, 1)


def is_spared(who: Character, save: kinds.Save) -> bool:
    """True for whom a place does nothing: by resistance, or by a swim speed."""
    swims = "swims" in save.passes and movement.own_speed(who, movement.SWIM)
    types = (word.removeprefix("resistant to ") for word in save.passes)
    return bool(swims) or any(SPARING & damage.stances(who, each) for each in types)


class Fall(Action, verb="fall", gm_only=True):
    """Fall: 1d6 for each 10 feet, at most 20d6, and lies prone if it hurts (R5.139, R5.140)."""

    sentence = "lets {who} fall {feet} feet"
    typed_dice = (DiceStep(tests={"the check into water": "check"}, effects={"the damage": "damage"}), *AFTER_HARM)

    who: str = param.character("who falls")
    feet: int = param.number("how far", minimum=0, maximum=100_000, unit="feet")
    water: str = param.choice(
        "into water, with a reaction: by which skill", ("", "athletics", "acrobatics"), default="", gm_only=False
    )

    def resolve(self, table: Table) -> None:
        who, halved = table.character(self.who), False
        if self.water:
            turns.take(table, who.id, turns.REACTION)
            ability = "str" if self.water == "athletics" else "dex"
            with TestRolls(table) as rolls:
                halved = checks.roll_check(table, rolls, who, ability, INTO_WATER, skill=self.water)
        dice = min(self.feet // FEET_A_DIE, FALL_DICE) if not specials(who, "slow fall") else 0
        if dice:
            amount = table.roll(f"{dice}d6", roller=who.id, purpose="damage").total
            hurts = damage.deal(table, who.id, ((amount // 2 if halved else amount, "bludgeoning"),))
            if hurts and not states.has(table.character(who.id), states.PRONE):
                states.begin(table, who.id, states.PRONE)


def plummet(table: Table, name: str) -> None:
    """Note that somebody in the air falls who is prone, helpless or without speed, and does not hover (R5.141)."""
    who, feet = table.character(name), table.character(name).position[2] * places.FEET
    speed = movement.speed(table, who, movement.FLY)
    down = states.is_unable(who) or states.has(who, states.PRONE) or not speed
    if feet > 0 and down and not movement.own_speed(who, "hover"):
        table.record(events.NoteWritten(text=f"{who.name} falls {feet} feet: fall {name} {feet}", about=name))


class Ignite(Action, verb="ignite", gm_only=True):
    """Set somebody on fire: it deals 1d4 whenever a turn of theirs begins, until it is put out (R5.115)."""

    sentence = "sets {who} on fire"

    who: str = param.character("who burns")

    def resolve(self, table: Table) -> None:
        conditions.begin(table, table.character(self.who).id, BURNING)


def _burning(table: Table, name: str) -> None:
    """Refuse who does not burn."""
    if not table.character(name).has(BURNING):
        table.refuse(f"{table.character(name).name} does not burn.", table.parameter_of(name))


class PutOut(Action, verb="put-out"):
    """Put out the fire on oneself: an action, and prone; or it is doused, which costs nothing (R5.115)."""

    sentence = "puts the fire out"

    who: str = param.character("who burns", actor=True)
    doused: bool = param.flag("water, or want of air, puts it out", gm_only=True)

    check_available = verbs.available_if(_burning, turns.check_action)

    def resolve(self, table: Table) -> None:
        _burning(table, self.who)
        if not self.doused:
            turns.take(table, self.who, turns.ACTION)
            states.begin(table, self.who, states.PRONE)
        conditions.end(table, self.who, BURNING)


@special("burning")
def ignite(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Set targets on fire, as an effect says."""
    for name in targets:
        conditions.begin(cause.table, name, BURNING)


@special("exhaustion")
def exhaust(cause: Cause, effect: kinds.Special, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Exhaust targets by levels, as an effect says."""
    for name in targets:
        hit_points.exhaust(cause.table, name, int(getattr(effect, "numbers", {}).get("levels", 1)))


def burn(table: Table, rolls: TestRolls, name: str) -> None:  # noqa: ARG001 - called like all that a turn begins with
    """Burn at the start of a turn."""
    if table.character(name).has(BURNING):
        damage.deal(table, name, ((table.roll("1d4", roller=name, purpose="damage").total, "fire"),))


states.ON_BEGIN.append(plummet)
encounter.AT_START.append(burn)
