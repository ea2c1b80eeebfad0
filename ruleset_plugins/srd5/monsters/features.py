"""The features of stat blocks at work: attacks, other features, multiattacks, spells, and effects (R5.304–R5.310)."""

from collections.abc import Iterator, Mapping

from rollbook.kit import catalogues, turn_order
from rollbook.plugin import Character, Table, slug
from rollbook.rulesets.srd5.catalogue import Effect, Feature, Monster, kinds
from rollbook.rulesets.srd5.effects import rolls
from rollbook.rulesets.srd5.effects.carrying_out import Carry, Cause, Targets, carrier, carry_out, leave_to_gm, note
from rollbook.rulesets.srd5.effects.lasting import OF, effects_on
from rollbook.rulesets.srd5.fight import conditions, movement, turns
from rollbook.rulesets.srd5.fight.actions import GRANTED
from rollbook.rulesets.srd5.fight.attack import Attack
from rollbook.rulesets.srd5.magic import casting, spells
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, feature_called
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

HEADS = "heads"
"""The pool that counts the heads of a hydra; the stat block says how many it begins with."""

ON_OTHERS = ("attack", "save", "multiattack")
BY_THEMSELVES = frozenset(("would drop to zero", "damaged"))
"""Moments that the rules watch and nobody can choose."""


def needs_target(block: Monster, feature: Feature) -> bool:
    """True for what does nothing without somebody to do it to; a spell may be cast on oneself."""
    if any(each.kind in ON_OTHERS for each in feature.effects):
        return True
    named = (name for each in feature.effects if isinstance(each, kinds.Use) for name in each.names)
    used = (feature_called(block, name) for name in named)
    return any(each is not None and each is not feature and needs_target(block, each) for each in used)


def check_fit(table: Table, feature: Feature, targets: Targets) -> None:
    """Refuse a save that is for none of the targets: too large, or not held as it must be; the willing are the GM's."""
    saves = [each for each in feature.effects if isinstance(each, kinds.Save) and "willing" not in each.having]
    for effect in saves if len(saves) == len(feature.effects) and targets else ():
        if not any(rolls.is_fit(table.character(name), effect) for name in targets):
            wants = filter(None, (f"{effect.size} at most" if effect.size else "", " or ".join(effect.having)))
            table.refuse(f"{feature.name} is for those who are {' and '.join(wants)}.", "targets")


def cause_of(table: Table, rolls: TestRolls, who: Character, feature: Feature) -> Cause:
    """The cause of what a feature of somebody's stat block does."""
    block = block_of(who)
    origin = f"monster:{block.key if block is not None else ''}:{feature.name}"
    return Cause(table=table, rolls=rolls, source=who.id, origin=origin, name=feature.name)


def within_reach(cause: Cause, targets: Targets) -> Targets:
    """The targets without those whom a success has made proof against this feature."""
    immune = {name: effects_on(cause.table.character(name), "immune") for name in targets}
    proof = {name for name, held in immune.items() for each in held if each.data.get(OF) == cause.origin}
    return tuple(name for name in targets if name not in proof)


def use(cause: Cause, feature: Feature, targets: Targets) -> None:
    """Do all that a feature does; one without effects is words for the GM."""
    if feature.words and not feature.effects:
        note(cause, f"{feature.name}: {feature.words}")
    carry_out(cause, feature.effects, within_reach(cause, targets), ways=OWN)


def when(cause: Cause, effect: kinds.When, targets: Targets, path: str) -> None:
    """Do now what waits for a moment that somebody chooses."""
    if set(effect.when) & BY_THEMSELVES:
        note(cause, f"{cause.name} happens by itself.")
    else:
        carry_out(cause, effect.do, targets, f"{path}/do")


def attack(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make the attack of a feature, which is paid for, against each target that still stands (R5.304)."""
    table, who = cause.table, cause.source
    for name in targets:
        if not table.character(name).has(conditions.DEAD) and not conditions.is_unable(table.character(who)):
            Attack(attacker=who, target=name, weapon=cause.name, cover=cause.cover, out_of_turn=True).resolve(table)


def use_other(cause: Cause, effect: kinds.Use, targets: Targets, path: str) -> None:
    """Use another feature of the stat block, or as many of several as it says, the chosen ones first."""
    if effect.given:
        leave_to_gm(cause, effect, targets, path)
        return
    for name in chosen_of(cause, effect.names, effect.choose or len(effect.names)):
        use_called(cause, name, targets)


def chosen_of(cause: Cause, named: tuple[str, ...], many: int) -> tuple[str, ...]:
    """As many of some names, those that were chosen before the others."""
    wanted = set(map(slug, cause.chosen))
    return tuple(sorted(named, key=lambda name: slug(name) not in wanted))[:many]


def use_called(cause: Cause, name: str, targets: Targets) -> None:
    """Use a feature of the source's stat block by its name."""
    block = block_of(cause.table.character(cause.source))
    feature = feature_called(block, name) if block is not None else None
    if block is not None and feature is not None:
        use(cause.with_(origin=f"monster:{block.key}:{feature.name}", name=feature.name), feature, targets)


def multiattack(cause: Cause, effect: kinds.Multiattack, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Make all of a multiattack in one go: attacks are aimed at the targets in turn, the last takes what is left (R5.307)."""
    who, left = cause.table.character(cause.source), targets
    for step in _steps(cause, effect):
        within = cause.with_(chosen=(step.spell,)) if step.spell else cause
        for name in _named(cause, who, step):
            use_called(within, name, targets[:1] if step.use else left[:1])
            left = left if step.use else left[1:] or left


def _steps(cause: Cause, effect: kinds.Multiattack) -> tuple[kinds.Step, ...]:
    """The steps of a multiattack: those of the alternative that has what was chosen, if one has."""
    wanted = set(map(slug, cause.chosen))
    ways: list[tuple[kinds.Step, ...]] = [effect.make, *effect.alternatives]
    return next((way for way in ways if wanted & {slug(name) for step in way for name in step.of}), ways[0])


def _named(cause: Cause, who: Character, step: kinds.Step) -> Iterator[str]:
    """The attacks and uses of one step, by their names, the chosen ones as often as they were chosen."""
    if step.given:
        return
    count = step.count if isinstance(step.count, int) else max(who.pools.get(HEADS, 5), 1)
    known = {slug(name): name for name in step.of}
    wanted = [known[slug(name)] for name in cause.chosen if slug(name) in known][:count]
    yield from wanted
    yield from (step.of[0],) * (count - len(wanted))


def grant(cause: Cause, effect: kinds.Grant, targets: Targets, path: str) -> None:
    """Dash, disengage, dodge or hide as a feature allows: the chosen one, all, or the first."""
    for name in effect.to if effect.all else chosen_of(cause, effect.to, 1):
        if name in GRANTED:
            GRANTED[name](who=cause.source, out_of_turn=True).resolve(cause.table)
        else:
            leave_to_gm(cause, effect, targets, path)


OWN_WAYS = ("any", "toward enemy", "jump")


def move(cause: Cause, effect: kinds.Move, targets: Targets, path: str) -> None:
    """Give the feet that a feature lets its own monster move, in its turn; out of it a note says how to move."""
    table, who = cause.table, cause.table.character(cause.source)
    block = block_of(who)
    if effect.way not in OWN_WAYS or block is None:
        carrier(effect)(cause, effect, targets, path)
        return
    pace = getattr(block.speed, effect.mode, 0) if effect.mode else movement.speed(table, who)
    feet = effect.feet or int(pace * effect.own_speed)
    if turns.is_own_turn(table, who):
        turn_order.spend(table, who, turns.FEET, -feet)
    else:
        note(cause, f"{who.name} may move {feet} feet: move {who.id} --feet {feet} --out-of-turn")


def listed(effect: kinds.Spellcasting) -> dict[str, str]:
    """The names of the spells of a list by their keys."""
    rows = (effect.at_will, *effect.per_day.values())
    return {slug(each.spell): each.spell for row in rows for each in row}


def cast_of_the_list(cause: Cause, effect: kinds.Spellcasting, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Cast a spell of the list, which names what is meant if it is not said. Raises NotFound for others (R5.308).

    A stat block has the materials that it needs (Q5.53).
    """
    known = listed(effect)
    if not cause.chosen:
        cause.table.refuse(f"Which spell? --spell NAME, of: {', '.join(known.values())}", "spell")
    typed, *chosen = cause.chosen
    spell = catalogues.pick("spell of this stat block", known, typed, shown=known.values())
    casting.Cast(
        caster=cause.source, spell=spell, targets=targets, choose=tuple(chosen), cover=cause.cover, out_of_turn=True
    ).resolve(cause.table)


def cast_outside_the_list(cause: Cause, effect: kinds.CastSpell, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Cast the spells of a feature, or as many as it says; what it does not say of them is as in the list."""
    who = cause.table.character(cause.source)
    usual, wanted = spells.spellcasting_of(who) or kinds.Spellcasting(ability="cha"), set(map(slug, cause.chosen))
    found = sorted(effect.spells, key=lambda each: slug(each.spell) not in wanted)[: effect.choose or None]
    source = spells.Source(ability=effect.ability or usual.ability, dc=effect.dc or usual.dc, attack=usual.attack)
    for cast in found * (effect.times or 1):
        spell = spells.find(cast.spell)
        above = max((cast.level or spell.level) - spell.level, 0)
        within = casting.cause_of(cause.table, cause.rolls, who, spell, source, above)
        within = within.with_(chosen=cause.chosen, cover=cause.cover, duration=effect.lasts or within.duration)
        casting.release(within, spell, (cause.source,) if effect.on == "itself" else targets)


OWN: Mapping[str, Carry] = {
    "attack": attack,
    "use": use_other,
    "multiattack": multiattack,
    "grant": grant,
    "move": move,
    "when": when,
    "cast": cast_outside_the_list,
    "spellcasting": cast_of_the_list,
}
"""Effects that only a stat block has, or that its features do in a way of their own."""
