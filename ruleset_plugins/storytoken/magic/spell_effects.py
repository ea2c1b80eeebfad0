"""What a spell does: the rules leave it to other books, so the GM says it once, and it stands from then on (R0.179, Q0.66)."""

from collections.abc import Iterator
from typing import TypeVar

import attrs

from rollbook.kit import fields, vocabulary
from rollbook.plugin import ABILITIES, Action, Character, Table, events, param
from rollbook.rulesets.storytoken.magic.spells import NAMES

EFFECTS = "spell effects"
"""The kind of trait that holds what one side of a spell does when this character casts it."""

FIELDS = ("damage", "heal", "save", "half", "effect", "tags")
"""What may be said of a spell: the parameters of the verb cast, and the fields of the trait."""

SPELL = "spell"
"""The field of the trait that names the side of the spell."""

_Cast = TypeVar("_Cast", bound=Action)


class SetSpellEffects(Action, verb="spell-effects", gm_only=True):
    """Say what a spell does whenever this character casts it, so that no casting has to bring its dice."""

    sentence = "says what {spell:key} does when {who} casts it"

    who: str = param.character("whose spell")
    spell: str = param.choice("which spell, by either side of it", NAMES)
    damage: str = param.dice("what it does to each target, as dice or a number", default="")
    heal: str = param.dice("what it gives back to each target, as dice or a number", default="")
    save: str = param.choice("the ability that unwilling targets save with", ABILITIES, default="")
    half: bool = param.flag("a save that is made halves the harm instead of ending it")
    effect: str = param.words("what else it does", default="")
    tags: tuple[str, ...] = param.names(
        "what sort of damage it is: fire, cold, holy …", default=(), of=vocabulary.DAMAGE
    )

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        said = {field: getattr(self, field) for field in FIELDS if getattr(self, field)}
        if not said:
            table.refuse(f"Say what {self.spell} does: --damage, --heal, --save or --effect.", parameter="effect")
        data = {SPELL: self.spell, **said}
        table.record(events.TraitGained(character=who.id, trait=_trait(self.spell), kind=EFFECTS, data=data))


def _trait(spell: str) -> str:
    return f"effects of {spell}"


def _said(value: events.Scalar | tuple[str, ...]) -> str:
    return ", ".join(value) if isinstance(value, tuple) else "yes" if value is True else str(value)


def said_effects(who: Character) -> Iterator[str]:
    """What the GM has said of each spell, in a line for the sheet."""
    for trait in who.traits_of(EFFECTS):
        data = who.trait_data.get(trait, {})
        said = ", ".join(f"{field} {_said(data[field])}" for field in FIELDS if field in data)
        yield f"{fields.text(data, SPELL)}: {said}"


def effects_of(who: Character, spell: str) -> events.Data:
    """What the GM has said that this side of a spell does; empty if nothing."""
    data = who.trait_data.get(_trait(spell), {})
    return {field: data[field] for field in FIELDS if field in data}


def with_effects(cast: _Cast, who: Character, spell: str) -> _Cast:
    """The casting with what the GM has said of the spell, unless something was said with the casting itself."""
    if any(getattr(cast, field) for field in FIELDS):
        return cast
    return attrs.evolve(cast, **effects_of(who, spell))
