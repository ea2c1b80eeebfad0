"""Numbers of features: formulas such as "cha + level" or "2 * martial arts" worked out for somebody (R5.352, R5.403).

A word is an ability, the proficiency bonus, the level of the class, a column of the class's table, or a number of the
feature itself, which may grow by level.
"""

from typing import Any, TypeVar

from rollbook.kit import data, formulas
from rollbook.plugin import Character
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.catalogue.kinds import Damage, ExtraDamage, Heal, ReducedDamage, Special, TemporaryHitPoints
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.character.features import Owned

BONUSES = {"proficiency": 1, "half proficiency": 2}
LEVELS = {"level": (0, 1), "half level": (0, 2), "half level up": (1, 2)}
"""Words for the level of the class and the proficiency bonus, divided by so much; a level may be raised before."""

FORMULAS = ("dice", "plus", "by", "per")
CASTER = ("spellcasting", "mod", "ability", "slot")
"""Words that only a caster knows, left for the interpreter of effects."""

_Part = TypeVar("_Part", bound=Part)


def worked_out(who: Character, own: Owned, text: str) -> str:
    """A formula as dice and numbers, such as "1d10 + 7"; unchanged where a word is not known."""
    return formulas.worked_out(text, lambda word: _word(who, own, word))


def _word(who: Character, own: Owned, word: str) -> str:
    """The number or the dice that a word stands for; the word itself where nobody knows it."""
    if word in abilities.ABILITIES:
        return str(abilities.modifier(who, word))
    if word in BONUSES:
        return str(abilities.proficiency_bonus(who) // BONUSES[word])
    if word in LEVELS:
        up, parts = LEVELS[word]
        return str((own.level + up) // parts)
    return str(by_level(own, word, word))


def by_level(own: Owned, name: str, otherwise: object = 0) -> Any:
    """A number of a feature by its level, of what it is a part of, or of the table of its class."""
    holder: Owned | None = own
    while holder is not None and name not in holder.trait.numbers:
        holder = holder.above
    if holder is None:
        row = catalogue.classes().get(own.source)
        return row.levels[own.level - 1].numbers.get(name, otherwise) if row is not None and own.level else otherwise
    grown = holder.trait.numbers[name]
    if not isinstance(grown, dict):
        return grown
    reached = [level for level in grown if level.isdecimal() and int(level) <= own.level]
    return grown[max(reached, key=int)] if reached else otherwise


def number(who: Character, own: Owned, text: str) -> int:
    """A formula as a whole number, at least what the feature says."""
    found = formulas.number(text, lambda word: _word(who, own, word))
    return max(found, int(own.trait.numbers.get("least", 0)))


def resolved(who: Character, own: Owned, effect: _Part, chosen: tuple[str, ...] = ()) -> _Part:
    """An effect with its formulas worked out, those inside it too; its paths stay what they are."""
    return data.changed(effect, lambda part: _worked(who, own, part, chosen))


def _worked(who: Character, own: Owned, part: Part, chosen: tuple[str, ...]) -> dict[str, object]:
    said = {field: getattr(part, field, "") for field in FORMULAS}
    changes: dict[str, object] = {
        field: worked_out(who, own, text) for field, text in said.items() if isinstance(text, str) and text
    }
    if chosen and "chosen" in getattr(part, "types", ()):
        changes["types"] = chosen
    if "spell attack" in getattr(part, "on", ()):
        changes["on"] = tuple("attack spell" if each == "spell attack" else each for each in getattr(part, "on", ()))
    if isinstance(part, Special) and "to" in part.numbers:
        changes["numbers"] = {**part.numbers, "to": worked_out(who, own, str(part.numbers["to"]))}
    if isinstance(part, (Damage, Heal, ReducedDamage, TemporaryHitPoints)):
        changes.update(_with_plus(part, {**said, **changes}))
    if isinstance(part, ExtraDamage) and part.per and str(changes.get("per", "")).isdecimal():
        changes.update(dice=formulas.times(str(changes["dice"]), int(str(changes["per"]))), per="")
    return changes


def _with_plus(part: Part, said: dict[str, object]) -> dict[str, object]:
    """Dice with what is added to them, unless only a caster knows it; so many dice as ``per`` says."""
    dice, plus, per = str(said["dice"]), str(said.get("plus", "")), str(said.get("per", ""))
    if isinstance(part, Damage) and per.lstrip("-").isdecimal():
        return {"dice": formulas.times(dice, max(int(per), 1)), "per": ""}
    if not plus or any(word in plus for word in CASTER):
        return {}
    dice = dice if dice not in ("", "0") else ""
    joined = f"{dice} + {plus}" if dice and not plus.startswith("-") else f"{dice} - {plus[1:]}" if dice else plus
    return {"dice": joined, "plus": ""}
