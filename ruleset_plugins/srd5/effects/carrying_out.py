"""The one interpreter of the catalogue's effects: who causes them, which function carries out which kind, their numbers.

``carry_out(cause, effects, targets, path)`` does a list of effects to all targets at once. A function for a kind is
registered with ``@carries("damage")`` and gets the cause, the effect, the targets' ids and the path of the effect in
its origin. A kind that nobody carries out is written down as a note for the GM, so that nothing is left out silently.
Effects that are only read later (a bonus, an edge) are laid on the targets: see ``laying``. Dice fall in the house's
order: all tests of a list's targets, then damage, once for all. They grow by slot and level (R5.80, R5.237).
"""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType
from typing import Any, Self

import attrs

from rollbook.kit import d20, formulas
from rollbook.kit.registries import Registry
from rollbook.plugin import Table, Term, events
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.tasks.d20_tests import TestRolls

Targets = tuple[str, ...]


@attrs.define(kw_only=True)
class Cause:
    """The cause of effects: a character, a spell or a thing, and its numbers.

    ``origin`` is as in ``lasting``. ``level`` are the slot levels above the spell's own, ``caster_level`` decides
    cantrips, ``dc``, ``attack`` and ``modifier`` are those of the caster (``modifier`` also stands for "ability" in a
    weapon's mastery). ``chosen`` is what the caster chose, in words. ``duration`` is how long what says nothing
    lasts; ``concentration`` ties it to the caster's. ``half`` are those who take half the damage, ``dealt`` what was
    dealt to whom, ``healed`` who was, ``saved`` the ability of the save that was made, ``repeat`` the data of one that
    ends what now begins, ``at`` a square that was named, ``last`` holds the last roll of dice. Features add ``each`` to all
    damage rolls and ``adds`` to one of a type (of any: ""), keep some ``safe``, press others (disadvantage), have dice
    ``maximised``, halve what is missed (``potent``), and turn elements into what the damage ``becomes``. ``ways`` are
    functions of its own for some kinds.
    """

    table: Table
    rolls: TestRolls
    source: str
    origin: str
    name: str
    level: int = 0
    caster_level: int = 0
    dc: int = 0
    saved: str = ""
    attack: int = 0
    modifier: int = 0
    chosen: tuple[str, ...] = ()
    duration: str = ""
    concentration: bool = False
    is_magic: bool = False
    critical: bool = False
    advantage: bool = False
    knock_out: bool = False
    under_water: bool = False
    cover: str = ""
    ease: d20.Advantage = d20.NO_ADVANTAGE
    bonus: tuple[Term, ...] = ()
    weapon_type: str = ""
    half: frozenset[str] = frozenset()
    dealt: dict[str, int] = attrs.field(factory=dict)
    failed: set[str] = attrs.field(factory=set)
    healed: set[str] = attrs.field(factory=set)
    adds: dict[str, int] = attrs.field(factory=dict)
    last: list[events.DiceRolled] = attrs.field(factory=list)
    each: int = 0
    safe: frozenset[str] = frozenset()
    pressed: frozenset[str] = frozenset()
    maximised: bool = False
    potent: bool = False
    becomes: str = ""
    repeat: Mapping[str, object] = attrs.field(factory=dict)
    distance: int = 0
    at: tuple[str, ...] = ()
    ways: "Mapping[str, Carry]" = attrs.field(factory=dict)

    def with_(self, **changes: Any) -> Self:
        """The same cause in another case; what is dealt and failed stays shared."""
        return attrs.evolve(self, **changes)


Carry = Callable[[Cause, Any, Targets, str], None]
"""A function for effects of one kind (``catalogue.kinds``)."""

carries = Registry[Carry]()
"""The function for each kind of effect, and for each "special:NAME"; it registers them, too."""

NO_WAYS: Mapping[str, Carry] = MappingProxyType({})
SPECIAL, DAMAGE, ALL_DAMAGE = "special", "damage", "all damage"
"""All damage of one list is dealt at once, as if it were an effect of a kind of its own."""


def special(name: str) -> Callable[[Carry], Carry]:
    """Register the function that carries out a special of this name (a decorator)."""
    return carries(f"{SPECIAL}:{name}")


def carrier(effect: Effect, ways: Mapping[str, Carry] = NO_WAYS) -> Carry:
    """The function that carries out an effect: by the name of a special, else by its kind; ``ways`` come first."""
    names = (f"{SPECIAL}:{effect.name}", SPECIAL) if effect.kind == SPECIAL else (effect.kind,)
    found = (known[name] for name in names for known in (ways, carries) if name in known)
    return next(found, leave_to_gm)


def carry_out(
    cause: Cause, effects: Iterable[Effect], targets: Targets, path: str = "", ways: Mapping[str, Carry] = NO_WAYS
) -> None:
    """Carry out effects in order; the damage of one list is dealt together, where its first part stands.

    ``ways`` are those of the cause in this list only, and not inside its effects.
    """
    own, listed = {**cause.ways, **ways}, tuple(effects)
    damages = damages_of(listed) if DAMAGE not in own else ()
    for number, effect in enumerate(listed):
        at = f"{path}/{number}" if path else str(number)
        if effect not in damages:
            carrier(effect, own)(cause, effect, targets, at)
        elif effect is damages[0]:
            carries[ALL_DAMAGE](cause, damages, targets, at)


def damages_of(effects: Iterable[Effect]) -> tuple[kinds.Damage, ...]:
    """The effects that deal damage at once."""
    return tuple(each for each in effects if isinstance(each, kinds.Damage) and not each.at)


def leave_to_gm(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Write down an effect that no rule carries out, with its numbers, for the GM to apply."""
    names = " and ".join(cause.table.character(each).name for each in targets) or "what is there"
    note(cause, f"{cause.name}, on {names}: {said(effect)}. The GM applies it.", next(iter(targets), ""))


def note(cause: Cause, text: str, about: str | None = None) -> None:
    """Write down words for the GM, about the source if it is not said about whom."""
    cause.table.record(events.NoteWritten(text=text, about=cause.source if about is None else about))


def said(effect: Effect) -> str:
    """An effect in words: its kind, or the name of a rule of its own, and its fields or numbers that say something."""
    is_own = isinstance(effect, kinds.Special)
    what, said_of_it = (effect.name, effect.numbers) if is_own else (effect.kind, vars(effect))
    told = []
    for name, value in said_of_it.items():
        if value and not (isinstance(value, tuple) and isinstance(value[0], Effect)):
            named = name.replace("_", " ")
            told.append(named if value is True else f"{named} {_plain(value)}")
    return f"{what} ({', '.join(told)})" if told else what


def _plain(value: object) -> str:
    """A value of the catalogue without brackets and quotes."""
    if isinstance(value, Mapping):
        return ", ".join(f"{key} {_plain(each)}" for key, each in value.items())
    return ", ".join(map(_plain, value)) if isinstance(value, list | tuple) else str(value)


CANTRIP_LEVELS = (5, 11, 17)


def chosen_of(words: tuple[str, ...], chosen: tuple[str, ...]) -> str:
    """The one of some words that was chosen, else the first of them, "" for none."""
    return next((each for each in words if each in chosen), next(iter(words), ""))


def at_cantrip_level(usual: str, grown: tuple[str, ...], level: int) -> str:
    """The dice of a cantrip at a level of its caster."""
    reached = sum(1 for each in CANTRIP_LEVELS if level >= each)
    return grown[min(reached, len(grown)) - 1] if reached and grown else usual


def formula(cause: Cause, text: str) -> str:
    """A formula with its words as numbers: mod, slot, ability, proficiency, an ability of the source."""
    source = cause.table.character(cause.source) if cause.source else None

    def value(word: str) -> str | int:
        if source is None:
            return word
        if word == "proficiency":
            return abilities.proficiency_bonus(source)
        known = {"mod": cause.modifier, "ability": cause.modifier, "spellcasting": cause.modifier, "slot": cause.level}
        return abilities.modifier(source, word) if word in abilities.ABILITIES else known.get(word, word)

    return formulas.replaced(text, value)


def dc_of(cause: Cause, dc: int | str) -> int:
    """A DC: a number, the caster's, or a formula such as "8 + dex + proficiency"."""
    if isinstance(dc, int):
        return dc or cause.dc
    if dc == "spell":
        return cause.dc
    return formulas.most_of(formula(cause, dc))


def damage_roll(cause: Cause, dice: str) -> int:
    """The damage of a roll of dice, which a critical hit doubles (R5.80)."""
    return rolled(cause.table, cause, formulas.doubled(dice) if cause.critical else dice, "damage")


def rolled(table: Table, cause: Cause, dice: str, purpose: str) -> int:
    """The total of dice or of a plain number, never below 0."""
    if dice.strip().lstrip("-").isdecimal():
        return max(int(dice), 0)
    cause.last[:] = [table.roll(dice, roller=cause.source or table.seat, purpose=purpose)]
    return max(cause.last[0].total, 0)
