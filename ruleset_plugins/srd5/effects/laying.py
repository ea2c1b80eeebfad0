"""Effects that last: conditions, what is read as long as it lies on somebody (bonus, edge, resist …), marks and wards.

``lay`` puts an effect on its targets by the path under which it is found again; the kinds in ``LAID`` have a reader
somewhere (``lasting.effects_on(who, KIND)``). Other kinds are added with ``@carries``. ``extra`` and ``reduce`` are damage on
top of attacks, and off what comes in.
"""

from collections.abc import Iterator
from functools import partial
from typing import Any

import attrs

from rollbook.kit import attunement, conditions, counters, fields, formulas, stat_entry, turn_limits
from rollbook.plugin import ABILITIES, Character, Condition, Table, events
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects import carrying_out
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, chosen_of, damage_roll
from rollbook.rulesets.srd5.effects.lasting import AT, BY, CHOSEN, IS, OF, SLOT, Held, effect_at, effects_on, specials
from rollbook.rulesets.srd5.fight import attack as attacks
from rollbook.rulesets.srd5.fight import damage, durations, dying, encounter, hit_points, states, weapons
from rollbook.rulesets.srd5.fight.hit_points import REDUCED
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks.d20_tests import by_slot

LAID = ("bonus", "edge", "resist", "immune", "restrict", "speed", "armour", "extra", "reduce", "block", "size")
KEPT = (
    *("ground", "light", "sense", "sensor", "detect", "illusion", "ignore", "weapon", "grant", "command"),
    *("languages", "talk", "attitude", "plane", "object"),
)
"""Kinds that stay on record as long as they last, in words, for the GM to apply: no rule reads them."""

PLACED = "placed"
"""The paths of what lies on a place and on nobody; its caster keeps them in mind."""

ROLLED, TARGET = "rolled", "target"

REPEAT = "repeat"
"""The path of a repeated save that does more than end what it is about."""


def data_of(cause: Cause, effect: Effect, path: str, target: str) -> durations.Lasting:
    """The ``until`` and the data of what an effect leaves on a target."""
    text = getattr(effect, "lasts", "") or cause.duration
    text = cause.duration if text == "spell" else text
    until, data = durations.lasting(cause.table, text, source=cause.source, target=target)
    more: dict[str, events.Scalar] = {**data, OF: cause.origin, AT: (path,)}
    if cause.level:
        more[SLOT] = cause.level
    if effect.kind == "bonus" and effect != effect_at(cause.origin, path):
        more[BY] = effect.by
    if cause.chosen:
        more[CHOSEN] = chosen_for(effect, cause.chosen)
    if cause.concentration:
        more[durations.CONCENTRATION] = cause.source
    for key, value in cause.repeat.items():
        more[key] = value if isinstance(value, (int, str, tuple)) else str(value)
    return durations.Lasting(until, more)


def repeated(again: kinds.Repeat | None, ability: str, dc: int, path: str) -> dict[str, object]:
    """The data of the save that ends what now begins, {} for none."""
    if again is None:
        return {}
    when = again.when if not again.given else ()  # the table says if such a case holds, and makes the save
    more = {durations.SAVE: again.ability or ability, durations.DC: dc, durations.WHEN: when}
    more |= {durations.EASED: again.advantage} if again.advantage else {}
    return {**more, REPEAT: path} if again.fail or again.failures or again.successes else more


def most_of(again: kinds.Repeat | None, usual: str) -> str:
    """The span after which a repeated save succeeds by itself, or the ``usual`` duration."""
    return again.most if again is not None and again.most else usual


def meant(cause: Cause, effect: Effect, targets: Targets) -> Targets:
    """The targets, or the source where an effect is about the source."""
    return (cause.source,) if getattr(effect, "of", "") == "source" and cause.source else targets


def chosen_for(effect: Effect, chosen: tuple[str, ...]) -> str:
    """The one of the words that somebody chose which this effect means: an ability, a type; the first if none does."""
    meant = ABILITIES if getattr(effect, "chosen", "") == "ability" else getattr(effect, "types", ())
    return next((word for word in chosen if word in meant), chosen[0])


@carries("condition")
def condition(cause: Cause, effect: kinds.Condition, targets: Targets, path: str) -> None:
    """Begin conditions (R5.122); those that an escape ends keep its DC, and a repeated save the ability of the first."""
    named, again = effect.conditions, repeated(effect.repeat, cause.saved, cause.dc, f"{path}/repeat")
    cause = cause.with_(repeat=again or cause.repeat, duration=most_of(effect.repeat, cause.duration))
    if effect.choose:
        named = tuple(each for each in named if each in cause.chosen)[: effect.choose] or named[: effect.choose]
    table, source, detail = cause.table, cause.source, cause.name
    for name in meant(cause, effect, targets):
        until, data = data_of(cause, effect, path, name)
        if effect.escape:
            data = {**data, durations.ESCAPE: carrying_out.dc_of(cause, effect.escape)}
        for each in named:
            if each == states.EXHAUSTION:
                hit_points.exhaust(table, name, 1)
            elif not states.is_over(table.character(name), data, source):
                states.begin(table, name, each, source=source, detail=detail, until=until, data=data)


@carries(*LAID, *KEPT)
def lay(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:
    """Lay an effect on its targets, or on the source where it is about the source; one condition for each cause."""
    holders = meant(cause, effect, targets)
    detail = carrying_out.said(effect) if effect.kind in KEPT else ""
    for name in holders or ((cause.source,) if cause.source else ()):
        until, data = data_of(cause, effect, path, name)
        if states.is_over(cause.table.character(name), data, cause.source):
            continue
        if targets and holders is not targets:
            data = {**data, TARGET: targets[0]}
        put(cause, name, path, durations.Lasting(until, data), detail=detail, key=AT if holders else PLACED)


def put(cause: Cause, name: str, path: str, lasting: durations.Lasting, *, detail: str = "", key: str = AT) -> None:
    """Put a path on somebody's condition for a cause, which is one for all that the cause leaves on them."""
    who, data = cause.table.character(name), lasting.data
    plain, target = cause.name.casefold(), data.get(TARGET)
    other = f"{plain} on {target}" if target else f"{plain} by {cause.source}"
    label = conditions.name_for(who, plain, partial(_is_of, cause, path, lasting), other)
    held = who.conditions.get(label)
    if held is not None:
        more = {each: fields.names(held.data, each) for each in (AT, PLACED)}
        told = "; ".join(dict.fromkeys(filter(None, (held.detail, detail))))
    else:
        more, told = {AT: (), PLACED: ()}, detail
    more[key] = tuple(dict.fromkeys((*more[key], path)))
    kept: dict[str, Any] = {each: paths for each, paths in more.items() if paths}
    if held is not None and BY in held.data and more[key][:-1]:
        data = {BY: held.data[BY], **data}
    kept |= {IS: plain} if label != plain else {}
    whole = {**{each: value for each, value in data.items() if each != AT}, **kept}
    conditions.begin(
        cause.table, name, label, source=cause.source, detail=told, until=lasting.until, data=whole, again=True
    )


SPAN = (turn_limits.ENDS, turn_limits.WHOSE, durations.REST, "lasts")


def _is_of(cause: Cause, path: str, lasting: durations.Lasting, held: Condition) -> bool:
    """True for what a cause left before, on the same target if it is about one: the same again, or what lasts as long."""
    same = (held.data.get(OF), held.source) == (cause.origin, cause.source)
    meant = (
        (TARGET, *SPAN) if path not in (*fields.names(held.data, AT), *fields.names(held.data, PLACED)) else (TARGET,)
    )
    as_long = held.until == lasting.until or len(meant) == 1
    return same and as_long and all(held.data.get(each) == lasting.data.get(each) for each in meant)


@carries("maximum")
def maximum(cause: Cause, effect: kinds.HitPointMaximum, targets: Targets, path: str) -> None:
    """Change the maximum of hit points, and those that are left as well if it says so (R5.76, R5.91)."""
    for name in targets:
        before = cause.table.character(name)
        if effect.by == "-damage":
            lost = cause.dealt.get(name, 0)
            cause.table.record(events.StatChanged(character=name, stat=REDUCED, amount=lost, reason=cause.name))
            hit_points.follow_maximum(cause.table, before)
            continue
        number = carrying_out.rolled(cause.table, cause, effect.by, "hit points") if "d" in effect.by else 0
        until, data = data_of(cause, effect, path, name)
        put(cause, name, path, durations.Lasting(until, {**data, **({ROLLED: number} if number else {})}))
        if effect.current:
            hit_points.settle(cause.table, name)
        else:
            hit_points.follow_maximum(cause.table, before)


def _sinks(table: Table, name: str, held: Condition) -> None:
    """Lower the hit points left to the maximum that is left, where what raised it is over (R5.76)."""
    who = table.character(name)
    hit_points.follow_maximum(table, attrs.evolve(who, conditions={**who.conditions, held.name: held}))


encounter.AFTER_EXPIRY.append(_sinks)


@carries("remove")
def remove(cause: Cause, effect: kinds.Removal, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """End conditions, exhaustion, curses and what lowers the maximum."""
    table = cause.table
    for name in targets:
        who = table.character(name)
        present = [each for each in effect.conditions if states.has(who, each)]
        wanted = [each for each in present if each in cause.chosen] or present
        for each in wanted[: effect.choose] if effect.choose else wanted:
            states.end(table, name, each)
        if effect.poisons:
            states.end(table, name, "poisoned")
        goes_on = not (effect.choose and wanted)
        if effect.exhaustion and goes_on:
            hit_points.exhaust(table, name, -effect.exhaustion)
        if effect.curse and goes_on:
            end_curses(table, name)
        if effect.maximum and who.stats.get(REDUCED):
            stat_entry.set_to(table, name, REDUCED, 0, reason=cause.name)
            hit_points.follow_maximum(table, who)


def end_curses(table: Table, name: str) -> None:
    """End what curses brought, and the bond with cursed items (R5.540)."""
    attunement.let_go(table, name, *features.bound_by_curses(table.character(name)))
    for held in tuple(table.character(name).conditions.values()):
        origin = held.data.get(OF)
        paths = fields.names(held.data, AT) if isinstance(origin, str) else ()
        steps = ("/".join(path.split("/")[:place]) for path in paths for place in range(1, path.count("/") + 2))
        if any(getattr(effect_at(str(origin), step), "curse", False) for step in steps):
            conditions.end(table, name, held.name)


@carries("ability")
def ability(cause: Cause, effect: kinds.AbilityChange, targets: Targets, path: str) -> None:
    """Set an ability score, or lower it until a long rest; for a time it lies on the targets (R5.1)."""
    if effect.lasts and effect.becomes > abilities.USUAL:
        lay(cause, effect, targets, path)
        return
    if not effect.becomes:
        lower(cause, effect, targets)
        return
    for name in targets:
        stat_entry.set_to(cause.table, name, effect.ability, effect.becomes, reason=cause.name)


LOWERED = "lowered"
"""The counter of what was taken from a score until a long rest."""


def lower(cause: Cause, effect: kinds.AbilityChange, targets: Targets) -> None:
    """Take dice from a score; who has none left dies (R5.1, R5.167). Raising one is the GM's."""
    table = cause.table
    for name in targets:
        has = table.character(name).stats.get(effect.ability, abilities.USUAL)
        lost = min(carrying_out.rolled(table, cause, effect.by.removeprefix("-"), "damage"), has)
        table.record(events.StatChanged(character=name, stat=effect.ability, amount=-lost, reason=cause.name))
        counters.change(table, name, counters.counter(LOWERED, effect.ability), lost, cause.name)
        if lost == has:
            dying.die(table, name, source=cause.source)


@carries("drop")
def drop(cause: Cause, effect: kinds.Drop, targets: Targets, path: str) -> None:
    """Say that something is dropped; what happens to who cannot drop it is done where it is chosen as "keep"."""
    if "keep" in cause.chosen:
        carrying_out.carry_out(cause, effect.otherwise, targets, f"{path}/otherwise")
    else:
        carrying_out.leave_to_gm(cause, effect, targets, path)


def of_spell(cause: Cause, name: str) -> None:
    """Deal what a mark on the target adds to a spell attack."""
    source, target = cause.table.character(cause.source), cause.table.character(name)
    marks = marked(source, target, "source's attack", "source's spell")
    parts = [(damage_roll(cause, dice), of) for dice, of in marks]
    if parts:
        cause.dealt[name] = cause.dealt.get(name, 0) + damage.deal(cause.table, name, parts, source=cause.source)


def marked(attacker: Character, target: Character, *on: str) -> list[tuple[str, str]]:
    """The dice and types that somebody's marks on a target add to attacks."""
    found = []
    for held in effects_on(target, "extra") if target.conditions else ():
        if held.source == attacker.id and set(on) & set(held.effect.on):
            dice, kind = extra_dice(held)
            found.append((_larger(attacker, held, dice), kind))
    return found


def _larger(who: Character, held: Held, dice: str) -> str:
    """The dice of a mark, with the die that a feature gives it (R5.449)."""
    for numbers in (each.effect.numbers for each in specials(who, "die of a spell")):
        if held.label == numbers["spell"].casefold():
            dice = dice.replace(numbers["instead_of"], numbers["die"])
    return dice


def extra_dice(held: Held) -> tuple[str, str]:
    """The dice and the type of extra damage that lies on somebody."""
    dice, chosen = (
        formulas.grown(held.effect.dice, held.effect.slot, fields.number(held.data, SLOT)),
        held.data.get(CHOSEN),
    )
    return dice, chosen_of(held.effect.types, (str(chosen),))


@attacks.EXTRA.append
def extra_damage(blow: attacks.Blow) -> Iterator[weapons.Damage]:
    """Yield what spells and features add to the damage of an attack (Hunter's Mark, Divine Favor)."""
    strike, attacker = blow.strike, blow.attacker
    sort = "unarmed strike" if strike.weapon is not None and strike.weapon.key == weapons.UNARMED else "weapon attack"
    usual = strike.parts[0].type if strike.parts else ""
    found = marked(attacker, blow.target, "source's attack")
    if attacker.conditions:
        own = effects_on(attacker, "extra") if not strike.is_spell else ()
        found += [extra_dice(held) for held in own if sort in held.effect.on]
    for held in effects_on(attacker, "bonus") if attacker.conditions and strike.weapon is not None else ():
        if "damage" in held.effect.to and held.effect.of == "weapon" and held.condition is not None:
            found.append((by_slot(held), usual))
    for dice, kind in found:
        if not dice.startswith(MINUS):
            yield weapons.Damage(dice=dice, type=kind or usual)


@attacks.LESS.append
def lessened(blow: attacks.Blow) -> Iterator[tuple[str, int]]:
    """Yield the dice that spells take off the damage of somebody's attacks, with the least that is left."""
    for held in effects_on(blow.attacker, "extra") if blow.attacker.conditions else ():
        if held.effect.dice.startswith(MINUS) and not blow.strike.is_spell:
            yield held.effect.dice.removeprefix(MINUS), held.effect.least
    for held in effects_on(blow.attacker, "bonus") if blow.attacker.conditions else ():
        if "damage" in held.effect.to and held.effect.by.startswith(MINUS):
            yield held.effect.by.removeprefix(MINUS), 0


@carries("extra")
def extra(cause: Cause, effect: kinds.ExtraDamage, targets: Targets, path: str) -> None:
    """Deal the damage of a smite, which follows a hit, or lay on what later attacks deal in addition."""
    if "triggering attack" not in effect.on:
        lay(cause, effect, targets, path)
        return
    for name in targets:
        many = min(cause.level, OLD_MOST) if Settings.of(cause.table).is_old else cause.level
        kind, dice = kind_of(cause.table.character(name)), formulas.grown(effect.dice, effect.slot, many)
        dice = " + ".join((dice, *(more.dice for more in effect.more if kind in more.against)))
        dealt = ((damage_roll(cause, dice), chosen_of(effect.types, cause.chosen)),)
        damage.deal(cause.table, name, dealt, source=cause.source)


STRUCK, MINUS = "struck in turn", "-"
OLD_MOST = 3
"""The dice that slots add at most to a smite in the edition of 2014 (R5.426)."""


@damage.ADJUSTMENTS.append
def reduced(table: Table, who: Character, amount: int, kind: str) -> int:
    """Take dice off damage, once a turn where it says so; before resistance (R5.86)."""
    turn = table.encounter.turn if table.encounter is not None else 0
    for held in effects_on(who, "reduce") if who.conditions and amount else ():
        is_meant = kind in held.effect.types and held.data.get(CHOSEN, kind) == kind
        if is_meant and held.condition is not None and not (turn and held.data.get(STRUCK) == turn):
            amount -= table.roll(held.effect.dice, roller=who.id, purpose="damage").total
            conditions.change(table, who.id, held.condition, data={STRUCK: turn})
    return max(amount, 0)
