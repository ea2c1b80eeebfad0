"""Actions of a stat block: its attacks as strikes, and how many of which a multiattack makes."""

from collections import Counter

from rollbook.plugin import Character, Term, slug
from rollbook.rulesets.srd5.catalogue import Feature, Monster, kinds
from rollbook.rulesets.srd5.fight.weapons import Strike
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, feature_called, first_of


def attack_in(feature: Feature) -> tuple[int, kinds.Attack] | None:
    """The first attack among the effects of a feature, with its place; None for none."""
    for place, effect in enumerate(feature.effects):
        if isinstance(effect, kinds.Attack):
            return place, effect
    return None


def attacks_of(block: Monster) -> tuple[Feature, ...]:
    """The actions that are attacks, in the order of the block."""
    return tuple(each for each in block.actions if attack_in(each) is not None)


def strike_of(who: Character, name: str) -> Strike | None:
    """The attack of a character's stat block with this name, or the first one without a name; None for none."""
    block = block_of(who)
    if block is None:
        return None
    feature = feature_called(block, name) if name else next(iter(attacks_of(block)), None)
    found = attack_in(feature) if feature is not None else None
    if feature is None or found is None:
        return None
    place, attack = found
    bonus, entered = attack.bonus if isinstance(attack.bonus, int) else 0, who.stats.get("to_hit", 0)
    own = Term(bonus, feature.name, "R5.9", f"trait.{block.key}")
    return Strike(
        name=feature.name,
        terms=(own, Term(entered, "as entered", "QG.8", "stat.to_hit")) if entered else (own,),
        ability=attack.ability or "str",
        reach=attack.reach if attack.form != "ranged" else 0,
        range=attack.range,
        long=attack.long or attack.range,
        hit=attack.hit,
        miss=attack.miss,
        always=attack.always,
        origin=f"monster:{block.key}:{feature.name}",
        path=str(place),
        edges=attack.advantage,
    )


def usual(who: Character, feet: int, made: tuple[str, ...]) -> str:
    """The attack of a stat block that is meant if none is named: one that a multiattack goes on with, and that reaches."""
    block = block_of(who)
    known = [each.name for each in attacks_of(block)] if block is not None else []

    def rank(name: str) -> tuple[bool, bool]:
        strike = strike_of(who, name)
        return strike is None or max(strike.reach, strike.long) < feet, bool(made) and not goes_on(who, name, made)

    return min(known, key=rank, default="")


def multiattack_of(who: Character) -> kinds.Multiattack | None:
    """The multiattack of a character's stat block, None for none."""
    return first_of(who, kinds.Multiattack)


def _fits(steps: tuple[kinds.Step, ...], multiattack: kinds.Multiattack, made: tuple[str, ...]) -> bool:
    left = Counter(map(slug, made))
    for step in steps:
        _take(left, step.of, many(step))
    if multiattack.replace is not None:
        for each in multiattack.replace.by:
            _take(left, (each.name,), many(multiattack.replace))
    return not left.total() and len(made) <= sum(map(many, steps))


def _take(left: Counter[str], names: tuple[str, ...], most: int) -> None:
    for name in map(slug, names):
        taken = min(most, left[name])
        left[name] -= taken
        most -= taken


def many(step: kinds.Step | kinds.Replacement) -> int:
    """The number of attacks or uses in a step; as many as there are without a number."""
    return step.count if isinstance(step.count, int) else MANY


MANY = 99


def goes_on(who: Character, name: str, made: tuple[str, ...]) -> bool:
    """True if one more attack belongs to the multiattack that was begun."""
    multiattack = multiattack_of(who)
    ways = (multiattack.make, *multiattack.alternatives) if multiattack is not None else ()
    return multiattack is not None and any(_fits(steps, multiattack, (*made, name)) for steps in ways)


def names_in(who: Character) -> tuple[str, ...]:
    """The names of all attacks and uses in a multiattack."""
    found = multiattack_of(who)
    steps = (step for each in (found.make, *found.alternatives) for step in each) if found is not None else ()
    return tuple(dict.fromkeys(name for step in steps for name in step.of))
