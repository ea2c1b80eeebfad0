"""The numbers of a stat block follow from one another. Those that do not are so in our text, and are listed here."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Monster, kinds
from rollbook.rulesets.srd5.catalogue.effect import Part

DOUBTFUL = {
    "Ancient Brass Dragon: the save of dex",
    "Ancient Brass Dragon: the save of wis",
    "Archmage: 8000 XP at CR 12",
    "Gelatinous Cube: the save of dex",
    "Giant Frog: stealth",
    "Giant Octopus: the save of wis",
    "Gray Ooze: the initiative score",
    "Invisible Stalker: the initiative score",
    "Night Hag: deception",
    "Shambling Mound: stealth",
    "Sphinx of Wonder: the average of 7d4 + 7",
    "Wight: the average of 11d8 + 33",
    "Young Gold Dragon: the save of con",
}
ABILITY_OF = {
    "acrobatics": "dex", "arcana": "int", "athletics": "str", "deception": "cha", "history": "int", "insight": "wis",
    "investigation": "int", "medicine": "wis", "nature": "int", "perception": "wis", "performance": "cha", "persuasion": "cha",
    "religion": "int", "sleight of hand": "dex", "stealth": "dex", "survival": "wis",
}  # fmt: skip


def average(dice: str) -> int:
    """What dice come to on average, rounded down."""
    total = 0.0
    for sign, count, faces, constant in re.findall(r"([+-]?) ?(?:(\d+)d(\d+)|(\d+))", dice):
        value = float(constant) if constant else int(count) * (int(faces) + 1) / 2
        total += -value if sign == "-" else value
    return int(total)


def misfits(monster: Monster) -> Iterator[str]:
    """Numbers that do not follow from the others."""
    known = catalogue.challenges()[monster.cr]
    if monster.xp not in (known.xp, known.least):
        yield f"{monster.xp} XP at CR {monster.cr}"
    if monster.initiative_score != 10 + monster.initiative:
        yield "the initiative score"
    if average(monster.hit_dice) != monster.hit_points:
        yield f"the average of {monster.hit_dice}"
    for name, ability in monster.abilities.items():
        if ability.modifier != (ability.score - 10) // 2:
            yield f"the modifier of {name}"
        if ability.save - ability.modifier not in (0, monster.proficiency):
            yield f"the save of {name}"
    for skill, bonus in monster.skills.items():
        trained = bonus - monster.abilities[ABILITY_OF[skill]].modifier
        if trained not in (monster.proficiency, 2 * monster.proficiency):
            yield skill
    yield from (
        f"the average of {damage.dice}"
        for damage in damages(monster.features)
        if damage.average != average(damage.dice)
    )


def damages(value: object) -> Iterator[kinds.Damage]:
    """All damage in dice, at any depth."""
    if isinstance(value, kinds.Damage) and "d" in value.dice and "chosen" not in value.dice:
        yield value
    if isinstance(value, tuple):
        for each in value:
            yield from damages(each)
    elif isinstance(value, Part):
        for each in vars(value).values():
            yield from damages(each)


def test_numbers_follow_from_one_another() -> None:
    found = {f"{monster.name}: {misfit}" for monster in catalogue.monsters().values() for misfit in misfits(monster)}
    assert found == DOUBTFUL


def test_an_attack_adds_proficiency_to_an_ability() -> None:
    wrong = [
        (monster.name, feature.name)
        for monster in catalogue.monsters().values()
        for feature in monster.features
        for effect in feature.effects
        if isinstance(effect, kinds.Attack)
        and isinstance(effect.bonus, int)
        and effect.bonus - monster.proficiency not in {ability.modifier for ability in monster.abilities.values()}
    ]
    assert wrong == []
