"""Armour class: what is worn, Dexterity as far as it counts, a shield, cover (R5.11, R5.12, R5.62, R5.106, R5.107).

On record: armour that is worn is a thing with the use ``("armour", KEY)``, a shield on the arm one with ``("shield",
"shield")``; ``+1`` to ``+3`` after that is magic. Things without a use are carried and not worn. The stat
``armour_class`` is the whole of a monster's.
"""

from collections.abc import Callable, Iterator

import attrs

from rollbook.kit import equipment
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.kinds import Armour
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.lasting import effects_on

BASE, MITHRAL = 10, "mithral-armor"
ARMOUR_CLASS = equipment.ARMOUR_CLASS
COVER = {"": 0, "none": 0, "half": 2, "three-quarters": 5, "total": 0}


COVERS: list[Callable[[Table, Character], str]] = []
"""Functions that say behind what cover somebody is by a feature."""


def cover_of(table: Table, who: Character, said: str) -> str:
    """The best cover that somebody has: what was said, or what a feature gives (R5.64)."""
    return max((said, *[cover(table, who) for cover in COVERS]), key=lambda each: COVER.get(each, 0))


def _worn(who: Character, sort: str) -> tuple[str, Armour | None, int]:
    for item, words in equipment.used_as(who, sort):
        row = catalogue.equipment().get(words[0] if words else sort)
        if row is not None and row.armour is not None:
            light = {"strength": 0, "stealth_disadvantage": False} if MITHRAL in words else {}
            magic = next((int(word) for word in words if word in ("+1", "+2", "+3")), 0)
            return item, attrs.evolve(row.armour, **light), magic  # type: ignore[misc]
    return "", None, 0


@remembered
def armour_of(who: Character) -> tuple[str, Armour | None, int]:
    """The armour that is worn: its name, its row and its magic; no row for none."""
    return _worn(who, equipment.ARMOUR)


@remembered
def shield_of(who: Character) -> tuple[str, Armour | None, int]:
    """The shield on the arm, likewise."""
    return _worn(who, equipment.SHIELD)


@remembered
def is_hampered(who: Character) -> bool:
    """True if somebody wears armour without training: disadvantage with Strength and Dexterity, and no spells (R5.106)."""
    _, row, _ = armour_of(who)
    return row is not None and not abilities.is_armour_trained(who, row.training)


def _base_terms(who: Character) -> tuple[Term, ...]:
    """The best base armour class that somebody has (R5.11, R5.12)."""
    if who.stats.get(ARMOUR_CLASS):
        return (Term(who.stats[ARMOUR_CLASS], "as entered", "R5.11", f"stat.{ARMOUR_CLASS}"),)
    return max(_bases(who), key=lambda terms: sum(term.amount for term in terms))


def _bases(who: Character) -> Iterator[tuple[Term, ...]]:
    item, row, magic = armour_of(who)
    dexterity = abilities.modifier_term(who, "dex")
    if row is not None:
        counts = min(dexterity.amount, row.dexterity_most or 99)
        more: tuple[Term, ...] = (Term(counts, "DEX", "R5.11", "stat.dex"),) if row.dexterity else ()
        yield (Term(row.base + magic, item, "R5.11", f"gear.{item}"), *more)
        return
    yield Term(BASE, "base", "R5.11"), dexterity
    for held in effects_on(who, "armour"):
        if held.effect.base:
            plus = (each for each in held.effect.plus if each in abilities.ABILITIES)
            yield (Term(held.effect.base, held.label, "R5.12"), *(abilities.modifier_term(who, each) for each in plus))


def armour_terms(who: Character, *, cover: str = "") -> tuple[Term, ...]:
    """The terms of an armour class, behind cover or not."""
    terms = _base_terms(who)
    item, shield, magic = shield_of(who) if not who.stats.get(ARMOUR_CLASS) else ("", None, 0)
    if shield is not None:
        trained = abilities.is_armour_trained(who, "shield")
        terms = (*terms, Term(shield.bonus + magic if trained else 0, item, "R5.107", f"gear.{item}"))
    if who.stats.get("ac_bonus"):
        terms = (*terms, Term(who.stats["ac_bonus"], "as entered", "QG.8", "stat.ac_bonus"))
    terms = (*terms, *_bonus_terms(who))
    if COVER.get(cover):
        terms = (*terms, Term(COVER[cover], f"{cover} cover", "R5.62"))
    least = max((held.effect.minimum for held in effects_on(who, "armour")), default=0)
    missing = least - sum(term.amount for term in terms)
    return (*terms, Term(missing, f"at least {least}", "R5.12")) if least and missing > 0 else terms


def _bonus_terms(who: Character) -> Iterator[Term]:
    for held in effects_on(who, "bonus"):
        if "ac" in held.effect.to and held.effect.by.lstrip("-").isdecimal():
            yield Term(int(held.effect.by), held.label, "R5.11")


@remembered
def armour_class(who: Character, *, cover: str = "") -> int:
    """The number that an attack must reach."""
    return sum([term.amount for term in armour_terms(who, cover=cover)])
