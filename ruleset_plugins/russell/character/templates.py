"""Class templates A to D, the primary class, and their effects (R3.50, R3.51, Q3.47).

The classes of ``classes.json`` are examples; a GM adds templates of the table's own with the verb own-template. The
effects of a template are a mapping of ``EFFECTS`` to amounts; the rest is in its words.
"""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

import attrs

from rollbook.kit import data, fields, open_choices, stat_entry
from rollbook.plugin import Action, Character, Record, RulesetBroken, Table, Term, events, not_found, param, slug

TEMPLATE, PRIMARY, CLASS = "template", "primary", "class"
"""Kinds of traits: a template, such as ``sellsword A``, and the Primary Ability of a class of the table's own.

What is the table's own carries effects as data, and its class in the field ``CLASS``.
"""

EFFECTS = {
    "ws": "Weapon Skill",
    "ss": "Shooting Skill",
    "hp": "hit points",
    "ac": "better armour class",
    "initiative": "initiative",
    "damage": "damage hand to hand",
    "save": "saves with attributes",
    "skill_slots": "skill slots",
    "movement": "Movement",
    "sees_in_dim": "sees in dim light, if it is 1",
    "sees_in_dark": "sees in the dark, if it is 1",
}
"""The effects that a template may have."""

PRIMARY_CLASS = "primary-class"
LETTERS = ("A", "B", "C", "D")
LAST_TEMPLATE_LEVEL = 4
"""No templates after this level (R3.50)."""


class Ability(data.Frozen):
    """An ability that a template or a primary class brings."""

    name: str
    words: str
    effects: Mapping[str, int] = attrs.field(factory=dict)


class Class(data.Row):
    """A class: the Primary Ability, and templates A to D."""

    name: str
    primary: Ability
    templates: tuple[Ability, ...]


CLASSES = data.by_key(__package__, "classes.json", Class)
for _class in CLASSES.values():
    _unknown = {what for each in (_class.primary, *_class.templates) for what in each.effects} - set(EFFECTS)
    if _unknown or len(_class.templates) != len(LETTERS):
        raise RulesetBroken(f"classes.json, {_class.key}: four templates, and effects among {', '.join(EFFECTS)}.")


@attrs.frozen
class Taken(Record):
    """A template that a character has taken: the trait, its class, and its effects."""

    trait: str
    of: str
    ability: Ability


BY_TRAIT = {
    (trait := f"{row.key} {letter}"): Taken(trait, row.key, ability)
    for row in CLASSES.values()
    for letter, ability in zip(LETTERS, row.templates, strict=True)
}
"""The templates of the classes in the file, by the trait that each of them is."""


def templates_of(who: Character) -> tuple[Taken, ...]:
    """A character's templates in the order in which they were taken."""
    return tuple([_taken(who, trait) for trait, kind in who.traits.items() if kind == TEMPLATE])


def _taken(who: Character, trait: str) -> Taken:
    data = who.trait_data.get(trait)
    if data is None:
        return BY_TRAIT.get(trait) or Taken(trait, trait, own_ability(trait, ()))
    return Taken(trait, fields.text(data, CLASS), own_ability(trait, _effects(data)))


def _effects(data: events.Data) -> tuple[tuple[str, int], ...]:
    return tuple([(what, fields.number(data, what)) for what in EFFECTS if what in data])


@lru_cache(maxsize=256)
def own_ability(name: str, effects: tuple[tuple[str, int], ...]) -> Ability:
    """The ability of a template of the table's own, or of its class's Primary Ability."""
    listed = ", ".join(f"{amount:+d} {EFFECTS[what]}" for what, amount in effects)
    return Ability(name=name, words=listed or "What the table agreed on.", effects=dict(effects))


def next_template(who: Character, key: str) -> str:
    """The trait that the next template of a class is, "" after D. They come in order (R3.50)."""
    has = sum(template.of == key for template in templates_of(who))
    return f"{key} {LETTERS[has]}" if has < len(LETTERS) else ""


def next_templates(who: Character) -> dict[str, Taken]:
    """The next template of every class in the file, by its trait."""
    found = (next_template(who, key) for key in CLASSES)
    return {trait: BY_TRAIT[trait] for trait in found if trait}


def leading_classes(templates: tuple[Taken, ...]) -> tuple[str, ...]:
    """The classes of most of these templates: one, or several in a tie (R3.51)."""
    counts = Counter(template.of for template in templates)
    most = max(counts.values(), default=0)
    return tuple(key for key, many in counts.items() if many == most)


def primary_class(who: Character) -> str:
    """The primary class: most templates, in a tie the player's choice, and until that is made none (R3.51)."""
    leading = leading_classes(templates_of(who))
    if len(leading) == 1:
        return leading[0]
    chosen = who.chosen.get(PRIMARY_CLASS, "")
    return chosen if chosen in leading else ""


def primary_of(who: Character, key: str) -> tuple[str, Ability] | None:
    """The Primary Ability of a class of the table's own, and the trait that it is."""
    for trait, kind in who.traits.items():
        data = who.trait_data.get(trait, {})
        if kind == PRIMARY and data.get(CLASS) == key:
            return trait, own_ability(trait, _effects(data))
    return None


def abilities(who: Character) -> tuple[tuple[str, Ability], ...]:
    """The abilities of a character's templates and primary class: each with the trait that brings it."""
    templates = templates_of(who) if who.traits else ()
    if not templates:
        return ()
    found = [(template.trait, template.ability) for template in templates]
    primary = primary_class(who)
    if primary in CLASSES:
        found.append((next(each.trait for each in templates if each.of == primary), CLASSES[primary].primary))
    elif (own := primary_of(who, primary)) is not None:
        found.append(own)
    return tuple(found)


def effect_terms(who: Character, what: str) -> tuple[Term, ...]:
    """Summands that templates and the primary class add to something."""
    found = [(trait, ability) for trait, ability in abilities(who) if what in ability.effects]
    return tuple([Term(ability.effects[what], ability.name, "R3.50", f"trait.{trait}") for trait, ability in found])


def effect(who: Character, what: str) -> int:
    """The sum of an effect over templates and the primary class; 0 if none has it."""
    return sum(ability.effects.get(what, 0) for _, ability in abilities(who))


def offer_template(table: Table, name: str, level: int, wanted: str = "") -> None:
    """The next template of each class, open until one is taken (R3.50)."""
    who = table.character(name)
    following = next_templates(who)
    options = tuple(events.Option(key=trait, label=taken.ability.name) for trait, taken in following.items())
    choice = f"template-{level}"
    open_choices.offer(table, name, choice, options, kind=TEMPLATE, reason=f"level {level} (R3.50)")
    if wanted:
        picked = next_template(who, wanted)
        table.record(events.ChoiceMade(character=name, choice=choice, picked=picked))
        gain_template(table, name, picked)


def template_picked(_: Table, who: Character, __: str, typed: str) -> str:
    """The template that was typed, by its own name or its class's: the next of its class, no B without A (R3.50)."""
    following = next_templates(who)
    template = next_template(who, typed) if typed in CLASSES else typed
    if template not in following:
        raise not_found("template that is next", typed, following)
    return template


def gain_template(table: Table, name: str, template: str, data: events.Data | None = None) -> None:
    """Record that a template is taken; one of the table's own carries its class and effects as ``data``.

    The player chooses the primary class in every new tie; where one class leads, the choice is settled (R3.51). Until a
    later tie is decided, the choice of an earlier one goes on if that class is among those that tie now.
    """
    before = leading_classes(templates_of(table.character(name)))
    table.record(events.TraitGained(character=name, trait=template, kind=TEMPLATE, data=data or {}))
    who = table.character(name)
    leading = leading_classes(templates_of(who))
    if len(leading) > 1 and set(leading) != set(before):
        open_choices.offer(table, name, PRIMARY_CLASS, leading, reason="a tie (R3.51)")
    elif len(leading) == 1 and PRIMARY_CLASS in who.choices:
        table.record(events.ChoiceMade(character=name, choice=PRIMARY_CLASS, picked=leading[0]))


class OwnTemplate(Action, verb="own-template", gm_only=True):
    """Fill an open choice of a template with one of the table's own: the next of its class, A to D (R3.50, Q3.47)."""

    sentence = "writes the template {name} for {who}"

    who: str = param.character("who takes it")
    name: str = param.label("the class, for example ranger")
    effects: Mapping[str, int] = param.amounts(
        "what it changes, as hp=2,ss=1: " + ", ".join(EFFECTS), default={}, of="effect"
    )
    primary: Mapping[str, int] = param.amounts(
        "what its Primary Ability changes, given once for a class", default={}, of="effect"
    )

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        offered = open_choices.first_of(who, TEMPLATE)
        if not offered:
            table.refuse(f"{who.name} has no open choice of a template: one comes with each of levels 1 to 4.")
        key = slug(self.name)
        if not key or key in CLASSES:
            table.refuse(f"{self.name!r} is taken. Give the table's own class another name.", "name")
        template = next_template(who, key)
        if not template:
            table.refuse(f"{who.name} has all of {LETTERS[0]} to {LETTERS[-1]} of {key}.")
        effects, primary = (
            stat_entry.checked_stats(table, typed, tuple(EFFECTS)) for typed in (self.effects, self.primary)
        )
        if self.primary:
            self._gain_primary(table, who, key, {CLASS: key, **primary})
        table.record(events.ChoiceMade(character=who.id, choice=offered, picked=template))
        gain_template(table, who.id, template, {CLASS: key, **effects})

    def _gain_primary(self, table: Table, who: Character, key: str, data: events.Data) -> None:
        known = primary_of(who, key)
        if known is not None:
            table.refuse(f"{key} has a Primary Ability already: {known[1].words}. Leave --primary out.", "primary")
        table.record(events.TraitGained(character=who.id, trait=f"{key} {PRIMARY}", kind=PRIMARY, data=data))
