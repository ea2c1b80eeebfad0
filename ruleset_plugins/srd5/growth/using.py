"""The verb use: carry out a feature by its data, from its price to its effects (R5.170, R5.206).

What its effects are is in the catalogue, and ``effects.carrying_out`` does it; ``WAYS`` has what only a character's
features know: rules of their own by name (``special``), actions that are granted. ``AFTER_USE`` follows.
"""

from collections.abc import Callable, Mapping
from typing import Any

import attrs

from rollbook.kit import catalogues, conditions, fields, require, turn_limits
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects import carrying_out, lasting
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, carry_out, dc_of
from rollbook.rulesets.srd5.fight import armour, donning, dying, hit_points, states, turns
from rollbook.rulesets.srd5.fight.actions import GRANTED
from rollbook.rulesets.srd5.fight.damage import TYPES
from rollbook.rulesets.srd5.growth import uses
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

ACTIONS = ("magic action", "utilize")
"""Words of the catalogue for what takes an action."""

STOPS, DEATH = "stops", {"dies", states.INCAPACITATED, states.UNCONSCIOUS}
"""The data of a condition that ends with one of these: words of the catalogue."""

AGAIN = "used again"
"""The word for what ends when the same feature is used once more."""


OLD_COSTS = {"Lay On Hands": turns.ACTION, "Wild Shape": turns.ACTION}
"""Costs of features in the edition of 2014, where they are another part of the turn."""


@attrs.define(kw_only=True)
class Using(Cause):
    """One use of a feature, the cause of what it does: by whom, of what, on whom, with how many points and which slot."""

    who: Character
    own: features.Owned
    targets: Targets = ()
    heals: Targets = ()
    amount: int = 0
    slot: int = 0


Special = Callable[[Using, Mapping[str, Any]], None]
Way = Callable[..., None]
"""A function like ``Carry`` that is given a use."""

WAYS: dict[str, Way] = {carrying_out.SPECIAL: carrying_out.leave_to_gm}
"""Kinds of effects that features carry out in a way of their own, and their rules by name as ``special:NAME``."""

AFTER_USE: dict[str, Callable[[Using], None]] = {}
INSTEAD: dict[str, Callable[[Using], None]] = {}
"""Functions for what follows a feature, and for what takes the place of its effects, by its name or its sort."""

THINGS: list[Callable[[Character], tuple[features.Owned, ...]]] = []
"""Functions that say what else somebody has that can be used: things."""
ATTACK = "attack"
"""The price of what is thrown in place of an attack."""


def special(name: str) -> Callable[[Special], Special]:
    """Register a rule of a feature's own: a function of the use and the rule's numbers (a decorator)."""

    def register(rule: Special) -> Special:
        WAYS[f"{carrying_out.SPECIAL}:{name}"] = lambda using, effect, targets, *_: rule(
            using.with_(targets=targets), effect.numbers
        )
        return rule

    return register


def runs(kind: str) -> Callable[[Way], Way]:
    """Register what carries out the effects of a kind for features (a decorator)."""
    return lambda carry: WAYS.setdefault(kind, carry)


def in_place_of(own: features.Owned) -> Callable[[Using], None] | None:
    """The function that takes the place of a feature's effects, None for most."""
    return INSTEAD.get(own.name) or INSTEAD.get(own.origin.partition(":")[0])


def usable(who: Character) -> tuple[features.Owned, ...]:
    """All that somebody can use: features, and things."""
    return (*features.owned(who), *(own for more in THINGS for own in more(who)))


class Use(Action, verb="use"):
    """Use a feature of a class, a species, a feat or a magic item; its data say what it costs and does."""

    sentence = "uses {feature:the}[ on {targets}]"
    typed_dice = (
        DiceStep(tests={"the d20s of saves": "* save|attack|check"}, effects={"the dice of the feature": "*"}),
        *dying.AFTER_HARM,
    )

    who: str = param.character("who uses it", actor=True)
    feature: str = param.words(
        "which feature", fits=lambda who: tuple(dict.fromkeys(own.name for own in usable(who))), gm_only=False
    )
    targets: tuple[str, ...] = param.characters("on whom, if not on oneself", default=(), gm_only=False)
    heals: tuple[str, ...] = param.characters("whom it heals, where it harms its targets", default=(), gm_only=False)
    chosen: tuple[str, ...] = param.names("the choice: an option, a type of damage, a form", default=(), gm_only=False)
    amount: int = param.number("how many points are spent", default=0, minimum=0, maximum=1000, gm_only=False)
    slot: int = param.number("the slot's level, where one is spent", default=0, minimum=0, maximum=9, gm_only=False)
    pay: bool = param.flag("pay what brings a use back, where none is left", gm_only=False)
    cover: str = param.choice("the cover of the targets", tuple(armour.COVER), default="", gm_only=False)
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        user = turns.check_able(table, who)
        ready = [own for own in usable(user) if not obstacle(user, own)]
        if not ready:
            table.refuse(f"{user.name} has nothing to use now.", table.parameter_of(who))
        require.any_of(ready, lambda own: turns.take(table, who, _cost(own)))

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        own = find(who, self.feature)
        chosen = tuple(word.casefold() for word in self.chosen)
        check(table, who, own, chosen)
        if "targets" in own.trait.numbers:
            most = max(uses.number(who, own, str(own.trait.numbers["targets"])), 1)
            if len(self.targets) > most:
                table.refuse(f"{own.name} is for {most} targets at most.", "targets")
        if own.trait.action == ATTACK:
            turns.pay_attack(table, who, own.name, "", out_of_turn=self.out_of_turn)
        old = OLD_COSTS.get(own.name) if Settings.of(table).is_old else ""
        who = turns.take(table, self.who, old or _cost(own), out_of_turn=self.out_of_turn)
        level = self._pay(table, who, own)
        with TestRolls(table) as made:
            using = cause_of(table, made, table.character(who.id), own, cover=self.cover, chosen=chosen)
            targets = self.targets or (who.id,)
            use(using.with_(targets=targets, heals=self.heals, amount=self.amount, slot=level or self.slot))

    def _pay(self, table: Table, who: Character, own: features.Owned) -> int:
        """Pay for a use, unless it keeps a rage up. Returns the level of the slot that was spent, else 0."""
        if own.name.casefold() == uses.RAGING and who.has(uses.RAGING):
            return 0
        if not uses.may_now(table, who, own):
            table.refuse(f"{who.name} has used {own.name} in this turn already.", "feature")
        holder = uses.holder_of(own)
        many = max(self.amount, 1) if holder is not None and "level" in holder.trait.uses else 1
        return uses.pay_for(table, who, own, slot=self.slot, many=many, instead=self.pay)


def find(who: Character, name: str) -> features.Owned:
    """A feature by its name. Raises NotFound with the nearest of those that the character has."""
    named = {features.spelled(each.name): each for each in reversed(usable(who))}
    shown = [each.name for each in usable(who)]
    own = catalogues.pick(f"feature of {who.name}", named, name, shown=shown, spelled=features.spelled)
    powers = [each for each in features.owned(who) if each.source == own.source and each.trait.action]
    return powers[0] if own.origin == f"magic:{own.source}" and len(powers) == 1 else own


def check(table: Table, who: Character, own: features.Owned, chosen: tuple[str, ...]) -> None:
    """Refuse what cannot be used, and a choice that a feature does not have."""
    against = obstacle(who, own)
    if against:
        table.refuse(against, "feature")
    fight = table.encounter
    if own.trait.given == "not moved" and fight is not None and fight.spent.get(turns.FEET, 0) > 0:
        table.refuse(f"{who.name} has moved in this turn, and {own.name} is for who has not.", "feature")
    for effect in own.trait.effects:
        if isinstance(effect, kinds.Choose) and not any(each.name.casefold() in chosen for each in effect.options):
            there = ", ".join(each.name for each in effect.options)
            table.refuse(f"{own.name} is one of these: {there}. Say which with --chosen.", "chosen")


def obstacle(who: Character, own: features.Owned) -> str:
    """The reason why a feature cannot be used: it always holds, or its case forbids it; "" if it can."""
    trait = own.trait
    if in_place_of(own) is None and not trait.effects and own.name not in AFTER_USE:
        parts = ", ".join(part.name for part in trait.parts)
        what = f"use one of its parts: {parts}" if parts else trait.words or "nothing is rolled for it"
        return f"{own.name} is nothing to use by itself: {what}."
    if features.is_standing(trait) and not any(
        each.kind in ("grant", "special", "spells", "cast", "heal", "later", "damage") for each in trait.effects
    ):
        return f"{own.name} always holds for {who.name}, and need not be used."
    case = uses.CASES.get(trait.given)
    if case is not None and not case(who):
        return f"{own.name} asks for this: {trait.given}."
    return ""


def _cost(own: features.Owned) -> str:
    granted = (each.action for each in own.trait.effects if isinstance(each, kinds.Grant) and each.action)
    said = own.trait.action or next(granted, "")
    return turns.ACTION if said in ACTIONS else said if said in turns.COSTS else turns.FREE


def cause_of(table: Table, made: TestRolls, who: Character, own: features.Owned, **more: Any) -> Using:
    """The use of a feature as the cause of what it brings about: its name, its DC, how long it lasts."""
    using = Using(
        table=table,
        rolls=made,
        source=who.id,
        who=who,
        own=own,
        origin=own.origin,
        name=own.name,
        caster_level=who.level,
        duration=own.trait.lasts,
        repeat={STOPS: own.trait.ends} if own.trait.ends else {},
        is_magic=own.trait.action == "magic action",
        ways=WAYS,
        **more,
    )
    said = own.trait.dc or (own.above.trait.dc if own.above is not None else "")
    return using.with_(dc=dc_of(using, said) if said else spell_dc(who, own))


def spell_dc(who: Character, own: features.Owned) -> int:
    """The DC of a feature that says none: that of the class's spells (R5.218)."""
    ability = spells.casting_abilities().get(own.source, "")
    return spells.save_dc(who, spells.Source(ability=ability)) if ability else 8 + abilities.proficiency_bonus(who)


def use(using: Using) -> None:
    """Carry out the effects of a feature, then what follows it; with a rage only when it begins (R5.341, R5.392, R5.413)."""
    own = using.own
    replaced = in_place_of(own)
    for name, held in conditions.everywhere(using.table) if AGAIN in own.trait.ends else ():
        if held.source == using.source and fields.text(held.data, lasting.OF) == own.origin:
            conditions.end(using.table, name, held.name)
    if replaced is not None:
        replaced(using)
    else:
        types = tuple(each for each in using.chosen if each in TYPES) or uses.chosen_types(using.who, own)
        worked = tuple(uses.resolved(using.who, own, each, types) for each in own.trait.effects)
        carry_out(using, worked, using.targets)
    if own.name in AFTER_USE:
        AFTER_USE[own.name](using)
    name = own.name.casefold()
    for more in features.at(using.who, f"uses {name}") if not using.who.has(name) else ():
        do_too(using, more)


def do_too(using: Using, own: features.Owned) -> None:
    """Do all that another feature does on oneself, as a part of this use."""
    do_all(using.with_(own=own, name=own.name, origin=own.origin), (using.source,))


def do_all(using: Using, targets: Targets) -> None:
    """Do all that a feature does, for nothing."""
    carry_out(using, tuple(uses.resolved(using.who, using.own, each) for each in using.own.trait.effects), targets)


@runs("heal")
def heal(using: Using, effect: kinds.Heal, targets: Targets, path: str) -> None:
    """Heal by dice or by the points that were said, those who are named for it where it is for so many (R5.424)."""
    if effect.dice == "chosen":
        effect = attrs.evolve(effect, dice=str(max(using.amount, 1)))  # type: ignore[misc]
    if effect.targets:
        targets = using.heals[: effect.targets] or (using.source,)
    carries["heal"](using, effect, targets, path)


def share_healing(using: Using) -> None:
    """Divide healing among the targets in their order, to half the maximum of each (R5.372)."""
    settings = Settings.of(using.table)
    points = uses.number(using.who, using.own, using.own.trait.effects[0].plus)
    for name in using.targets:
        who = using.table.character(name)
        room = hit_points.max_hp(who, settings) // 2 - hit_points.left(who, settings)
        given = max(min(points, room), 0)
        hit_points.restore(using.table, name, given, source=using.source)
        points -= given


INSTEAD["Preserve Life"] = share_healing


@runs("grant")
def grant(using: Using, effect: kinds.Grant, *_: object) -> None:
    """Take actions that a feature grants: all of them, or the one that is chosen (R5.404, R5.457)."""
    table, who = using.table, using.who
    takes_all = effect.all or len(effect.to) == 1
    named = effect.to if takes_all else tuple(each for each in effect.to if each in using.chosen)
    if not named:
        table.refuse(f"{using.name} is one of these: {', '.join(effect.to)}. Say which with --chosen.", "chosen")
    for each in named:
        if each in GRANTED:
            GRANTED[each](who=who.id, out_of_turn=True).resolve(table)
        else:
            table.record(events.NoteWritten(text=f"{who.name} may {each} at once, for nothing more.", about=who.id))


def stop(table: Table, name: str, *moments: str) -> None:
    """End what ends with the state that somebody is in, incapacitated, unconscious, dead, or with one of these moments."""
    who = table.character(name)
    now = DEATH if who.has(states.DEAD) else {row.key for row, _ in states.states_of(who)}
    for held in tuple(who.conditions.values()):
        if {*now, *moments} & {*fields.names(held.data, STOPS)}:
            conditions.end(table, name, held.name)


dying.ON_FALLING.append(stop)
states.ON_BEGIN.append(stop)
donning.ON_WEARING.append(stop)


def extend(table: Table, name: str, label: str) -> None:
    """Have what ends with the next turn last until the one after that (R5.333)."""
    held = table.character(name).conditions.get(label)
    if held is not None and turn_limits.ENDS in held.data and table.encounter is not None:
        conditions.change(table, name, held, data={turn_limits.TURN: table.encounter.turn})
