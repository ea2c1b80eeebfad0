"""Armour class: armour, shield, cover, tough skin (R1.23–R1.25, R1.57, Q1.29)."""

from rollbook.kit import data, equipment, stat_entry
from rollbook.plugin import Character, Term
from rollbook.rulesets.luckpoint.abilities import ability_term, special_abilities_of

SHIELD_BONUS = 2
NO_COVER = "none"


class Cover(data.Row):
    """A row of the cover table; those whom it ``hides`` cannot be attacked."""

    name: str
    armour_class: int
    hides: bool = False


ARMOURS = data.by_key(__package__, "armour.json", equipment.Armour)
COVERS = data.by_key(__package__, "cover.json", Cover)
COVER_HELP = "the best cover that could stop the attack; a bush or a paper wall could not (R1.25)"


def armour_terms(who: Character, *, cover: str = NO_COVER) -> list[Term]:
    """The summands of an armour class; shield and cover add up (Q1.29)."""
    terms = equipment.armour_terms(who, ARMOURS, ability_term(who, "dex"), rule="QG.8")
    shield = equipment.shield_of(who)
    if shield:
        terms.append(equipment.worn_term(shield, "", SHIELD_BONUS, "R1.24"))
    if COVERS[cover].armour_class:
        terms.append(Term(COVERS[cover].armour_class, COVERS[cover].name, "R1.24"))
    terms += [
        Term(row.armour_class, row.name, row.rule, row.path) for row in special_abilities_of(who) if row.armour_class
    ]
    terms += stat_entry.terms(who, "ac", "ruling")
    return terms


def armour_class(who: Character, *, cover: str = NO_COVER) -> int:
    """The total that an attack must reach."""
    return sum([term.amount for term in armour_terms(who, cover=cover)])
