"""New characters: scores, species, background, class and its kit (R5.208–R5.217, R5.224, R5.284–R5.295).

What the verb ``join`` has ``said`` is settled at once; what it leaves open is offered, and made with ``choose``.
"""

from collections.abc import Mapping
from typing import Any

from rollbook.kit import catalogues, equipment
from rollbook.plugin import ABILITIES, Table, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.character.abilities import LANGUAGE, SKILL, learn
from rollbook.rulesets.srd5.fight import donning, places
from rollbook.rulesets.srd5.growth import gains, levels
from rollbook.rulesets.srd5.growth.gains import ABILITY, offer

ARRAY, POINTS, ROLLED = "array", "points", "rolled"
GOLD = "gold"
"""The pool of gold pieces."""


def scores_by(table: Table, who: str, method: str, typed: Mapping[str, int], class_name: str) -> dict[str, int]:
    """The six scores by the method that is named (R5.210–R5.213). Refused where they break its rule."""
    rules = catalogue.creation()
    suits = catalogue.classes()[class_name].array if class_name else dict(zip(ABILITIES, rules.array, strict=True))
    scores = dict(typed or suits)
    if method == ROLLED:
        dice = f"{rules.roll}kh{rules.keep}"
        made = [table.roll(dice, roller=who, purpose=f"score {place}").total for place in range(1, 7)]
        ranked = sorted(ABILITIES, key=lambda ability: -scores[ability])
        return dict(zip(ranked, sorted(made, reverse=True), strict=True))
    if method == POINTS:
        _check_points(table, typed)
    elif sorted(scores.values()) != sorted(rules.array):
        array = ", ".join(map(str, rules.array))
        table.refuse(f"The standard array is {array}, each once, in any order.", "scores")
    return scores


def _check_points(table: Table, typed: Mapping[str, int]) -> None:
    """Refuse scores that the points do not buy (R5.212)."""
    rules = catalogue.creation()
    wrong = [score for score in typed.values() if str(score) not in rules.costs]
    spent = sum(rules.costs.get(str(score), 0) for score in typed.values())
    if not typed or wrong or spent > rules.points:
        prices = ", ".join(f"{score} costs {cost}" for score, cost in rules.costs.items())
        why = f"{wrong[0]} is not for sale" if wrong else f"these take {spent}"
        table.refuse(f"There are {rules.points} points for six scores, and {why}: {prices}.", "scores")


def grow(table: Table, who: str, said: Any) -> None:
    """Give a newcomer what species, background and class bring, and a kit; offer what is open (R5.208)."""
    if said.species:
        row = catalogues.find("species", catalogue.species, said.species)
        learn(table, who, features.SPECIES, row.key)
        if len(row.size) > 1:
            offer(table, who, "size", row.size, gives=places.SIZE)
        elif "medium" not in row.size and not said.size:
            learn(table, who, places.SIZE, row.size[0])
        for trait in row.traits:
            gains.gain(table, who, features.Owned(f"species:{row.key}:{trait.name}", trait, said.level, row.key))
    if said.background:
        _background(table, who, said)
    if said.class_name:
        _class(table, who, said)
    if said.is_player_character and (said.background or said.species):
        known = [each for each in catalogue.creation().languages if each != "Common"]
        learn(table, who, LANGUAGE, "Common")
        offer(table, who, LANGUAGE, known, many=catalogue.creation().language_count, gives=LANGUAGE)
    for choice, picked in said.choices.items():
        levels.choose(table, who, choice, picked)


def _background(table: Table, who: str, said: Any) -> None:
    """Three abilities, a feat, two skills, a tool, a kit or gold (R5.214, R5.284, R5.285)."""
    rules, row = catalogue.creation(), catalogues.find("background", catalogue.backgrounds, said.background)
    learn(table, who, features.BACKGROUND, row.key)
    learn(table, who, SKILL, *(each for each in row.skills if each not in table.character(who).traits))
    if said.increases:
        _increase(table, who, said.increases, row.abilities)
    else:
        what = features.BACKGROUND
        offer(table, who, what, row.abilities, kind=ABILITY, many=3, by=1, most=rules.most, group=what)
    if slug(row.feat) not in table.character(who).traits:
        gains.take_feat(table, who, slug(row.feat))
        if row.feat_choice:
            levels.choose(table, who, "spell-list", row.feat_choice)
    levels.teach_tools(table, who, row.key, (row.tool,), 0 if len(gains.tools((row.tool,))) == 1 else 1)
    if said.equipment == GOLD:
        _give(table, who, {}, rules.background_gold)
    elif said.equipment:
        _give(table, who, row.items, row.gold)


def _increase(table: Table, who: str, said: Mapping[str, int], abilities: tuple[str, ...]) -> None:
    """Raise one score by 2 and one by 1, or three by 1 (R5.214)."""
    rules = catalogue.creation()
    if not set(said) <= set(abilities) or tuple(sorted(said.values(), reverse=True)) not in rules.increases:
        there = ", ".join(each.upper() for each in abilities)
        table.refuse(f"The background raises {there}: one by 2 and one by 1, or all three by 1.", "increases")
    for ability, by in said.items():
        gains.raise_ability(table, who, ability, by, rules.most, "background")


def _class(table: Table, who: str, said: Any) -> None:
    """Take the levels one by one, with the experience that they stand for (R5.217, R5.224, R5.320)."""
    row = catalogue.classes()[said.class_name]
    if said.is_player_character:
        award(table, who, said.level)
    for _ in range(said.level):
        levels.rise(table, who, row)
    if said.is_player_character:
        known = set(said.skills) & set(row.skills.among or abilities.SKILLS)
        levels.teach(table, who, row.key, row, known=len(known))
        if said.equipment:
            _outfit(table, who, said.equipment, row)


def award(table: Table, who: str, level: int) -> None:
    """Give the experience that a level stands for (R5.224)."""
    amount = catalogue.advancement()[str(level)].xp
    if amount:
        table.record(events.ExperienceAwarded(character=who, amount=amount, reason=f"starts at level {level}"))


def _outfit(table: Table, who: str, letter: str, row: catalogue.CharacterClass) -> None:
    """Give a kit of the class by its letter, or its gold (R5.320)."""
    kits = {chr(ord("a") + place): kit for place, kit in enumerate(row.starting)}
    kit = row.starting[-1] if letter == GOLD else kits.get(letter)
    if kit is None:
        table.refuse(f"A {row.name} has the kits {', '.join(kits)}, or gold.", "equipment")
    _give(table, who, kit.items, kit.gold)


def _give(table: Table, who: str, items: Mapping[str, int], gold: int) -> None:
    """Give things, armour worn and the shield on the arm, and gold."""
    by_name = {item.name: item for item in catalogue.equipment().values()}
    for name, count in items.items():
        use = donning.use_of(by_name[name]) if name in by_name else ()
        equipment.give(table, who, ((name, use),), count=count)
    if gold:
        table.record(events.PoolGained(holder=who, pool=GOLD, amount=gold, reason="starting equipment"))
