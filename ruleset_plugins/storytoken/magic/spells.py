"""The spell lists, learning spells, inborn spells, and effects set by the GM (R0.151, R0.179–R0.191, Q0.66)."""

from collections.abc import Iterator
from typing import Literal, TypeVar

import attrs

from rollbook.kit import clock, data, fields, verbs, vocabulary
from rollbook.plugin import ABILITIES, Action, Character, DiceStep, Table, events, param, slug
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character import heritages, roles
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks import checks, saves, task_rolls

SPELL = "spell"
"""The kind of trait that a known spell is, and the field of spell effects that names the side of the spell."""

TRADITIONS = ("arcane", "divine")


class Spell(data.Row):
    """A row of the lists; a spell with a ``reverse`` has two sides (Q0.66). ``printed`` is its name there, if it is shorter."""

    name: str
    tradition: Literal["arcane", "divine"]
    level: int
    rule: str
    reverse: str = ""
    printed: str = ""

    @property
    def minimum(self) -> int:
        """The level that a caster must have: twice the spell's own, less 1 (R0.191)."""
        return 2 * self.level - 1

    @property
    def title(self) -> str:
        """Both sides of the spell, as the lists print them: Light/Darkness, Cure/Cause Light Wounds."""
        one, other = self.name.split(), self.reverse.split()
        if self.printed or not other:
            return self.printed or self.name
        if len(one) == len(other) and one[1:] == other[1:] and one[1:]:
            return f"{one[0]}/{self.reverse}"
        if len(one) == len(other) and one[:-1] == other[:-1] and one[:-1]:
            return f"{self.name}/{other[-1]}"
        return f"{self.name}/{self.reverse}"


SPELLS = data.by_key(__package__, "spells.json", Spell)

_SIDES: dict[tuple[str, str], Spell] = {
    (row.tradition, slug(side)): row for row in SPELLS.values() for side in (row.name, row.reverse) if side
}
NAMES = tuple(sorted({name for _, name in _SIDES}))
"""The names of spells in commands: either side of a reversible one."""

INNATE_OPTIONS = tuple(sorted({name for (_, name), spell in _SIDES.items() if spell.level == 1}))
"""The spells that a mutant may be born with: any of the first level (R0.151)."""


def is_called(spell: Spell, name: str) -> bool:
    """Tell if a name means this spell, by either of its sides."""
    return _SIDES.get((spell.tradition, name)) == spell


def is_same(one: str, other: str) -> bool:
    """Tell if two names mean the same spell of some tradition, by either of its sides."""
    return any(
        spell == _SIDES.get((tradition, other))
        for tradition in TRADITIONS
        if (spell := _SIDES.get((tradition, one))) is not None
    )


def known_spells(who: Character, tradition: str) -> list[Spell]:
    """The spells that a character has learned in a tradition, in the order of learning."""
    found = (SPELLS.get(trait) for trait in who.traits_of(SPELL))
    return [spell for spell in found if spell is not None and spell.tradition == tradition]


def traditions_of(who: Character) -> list[str]:
    """The traditions of a character's roles."""
    return [role.tradition for role in roles.roles_of(who) if role.tradition]


def _check_tradition(table: Table, who: Character, tradition: str = "") -> list[str]:
    """The traditions of a character's roles. Refused if there are none, or not this one."""
    traditions = traditions_of(who)
    if not traditions or (tradition and tradition not in traditions):
        wanted = f"{tradition.title()} Magic" if tradition else "Arcane Magic or Divine Magic"
        table.refuse(f"{who.name} has no role to cast such spells with. It takes {wanted}.")
    return traditions


class LearnSpell(Action, verb="learn-spell"):
    """Learn a spell: a caster knows as many as they have levels; a reversible pair is one spell (R0.158, R0.162)."""

    sentence = "learns {spell:key}"

    who: str = param.character("who learns it", actor=True)
    spell: str = param.choice("which spell", NAMES)
    tradition: str = param.choice("of which list, if both have it", TRADITIONS, default="", gm_only=False)

    check_available = verbs.available_if(lambda table, who: _check_tradition(table, table.character(who)))

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        traditions = _check_tradition(table, who, self.tradition)
        lists = [self.tradition] if self.tradition else traditions
        spell = next((_SIDES[each, self.spell] for each in lists if (each, self.spell) in _SIDES), None)
        if spell is None:
            table.refuse(f"There is no {' or '.join(lists)} spell called {self.spell}.", "spell")
        self._check(table, who, spell)
        table.record(events.TraitGained(character=who.id, trait=spell.key, kind=SPELL))

    def _check(self, table: Table, who: Character, spell: Spell) -> None:
        if spell.key in who.traits:
            table.refuse(f"{who.name} knows {spell.title} already.", "spell")
        if who.level < spell.minimum:
            wanted = f"{spell.title} is a spell of level {spell.level}: it takes level {spell.minimum}"
            table.refuse(f"{wanted}, and {who.name} has level {who.level}.", "spell")
        most = roles.power(who, f"{spell.tradition}_spells", Settings.of(table))
        known = len(known_spells(who, spell.tradition))
        if known >= most:
            many = f"{who.name} knows {known} {spell.tradition} spells, and level {who.level} allows {most}"
            table.refuse(f"{many}. The GM takes one away with: trait {who.id} SPELL --lose")


POWER = "innate spell"


def innate_spell(who: Character) -> str:
    """The inborn spell; "" without one, and while the choice is open."""
    return who.chosen.get(heritages.INNATE_SPELL, "") if heritages.heritage_of(who).innate_spell else ""


_SHOCK = {"the d20 against the shock": "shock", "a die for whom the power hits": "random target"}
_BACK = {"the d6 of the minutes until it is back": "minutes until it can be used again"}
SHOCKED = DiceStep(
    each="mutant hurt at full health",
    tests=_SHOCK,
    effects=_BACK,
    whose=dict.fromkeys((*_SHOCK, *_BACK), lambda who: bool(innate_spell(who))),
    after="only those save whom it has not killed (R0.151)",
)


def shock(table: Table, name: str, source: str, rolls: task_rolls.TaskRolls) -> None:
    """Damage at full health calls for a hard Wisdom save, or the inborn power goes off at a random target (R0.151)."""
    who = table.character(name)
    if not innate_spell(who) or who.has(conditions.RECHARGING) or who.has(conditions.DEAD):
        return
    roll = rolls.task(who, "wis", kinds=("save",), purpose="shock")
    if not saves.save_resolved(table, "wis", roll, checks.LADDER["hard"], against="shock"):
        go_off(table, who, _random_target(table, who, source))


def _random_target(table: Table, who: Character, source: str) -> str:
    """Another character in the fight at random; outside a fight the ``source``, if it is a character."""
    encounter = table.encounter
    if encounter is None or who.id not in encounter.order:
        return source if source and table.knows(source) else ""
    near = [other for other in encounter.order if other != who.id and not table.character(other).has(conditions.DEAD)]
    if len(near) < 2:
        return "".join(near)
    return near[table.roll(f"1d{len(near)}", roller=who.id, purpose="random target").total - 1]


def go_off(table: Table, who: Character, target: str) -> None:
    """Use the inborn power, which then rests for 1d6 minutes."""
    table.record(events.PowerUsed(character=who.id, power=POWER, target=target))
    minutes = table.roll("1d6", roller=who.id, purpose="minutes until it can be used again").total
    conditions.begin(table, who.id, conditions.RECHARGING, until=table.clock + minutes * clock.MINUTE)


EFFECTS = "spell effects"
"""The kind of trait that holds the effects of one side of a spell when this character casts it."""

FIELDS = ("damage", "heal", "save", "half", "effect", "tags")
"""The effects of a spell: parameters of the verb cast, and fields of the trait."""

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
            table.refuse(f"Say what {self.spell} does: --damage, --heal, --save or --effect.", "effect")
        data = {SPELL: self.spell, **said}
        table.record(events.TraitGained(character=who.id, trait=_trait(self.spell), kind=EFFECTS, data=data))


def _trait(spell: str) -> str:
    return f"effects of {spell}"


def _said(value: events.Scalar | tuple[str, ...]) -> str:
    return ", ".join(value) if isinstance(value, tuple) else "yes" if value is True else str(value)


def said_effects(who: Character) -> Iterator[str]:
    """Yield lines for the sheet: the effects that the GM set for each spell."""
    for trait in who.traits_of(EFFECTS):
        data = who.trait_data.get(trait, {})
        said = ", ".join(f"{field} {_said(data[field])}" for field in FIELDS if field in data)
        yield f"{fields.text(data, SPELL)}: {said}"


def with_effects(cast: _Cast, who: Character, spell: str) -> _Cast:
    """The casting with the effects that the GM set for the spell, unless it has effects of its own."""
    if any(getattr(cast, field) for field in FIELDS):
        return cast
    data = who.trait_data.get(_trait(spell), {})
    return attrs.evolve(cast, **{field: data[field] for field in FIELDS if field in data})
