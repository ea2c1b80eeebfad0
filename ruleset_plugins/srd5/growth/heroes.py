"""Four ready heroes, and the verb bring-in (R5.208, R5.320)."""

from rollbook.kit import data, verbs
from rollbook.plugin import Table, number, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character.joining import Join
from rollbook.rulesets.srd5.growth import creation, levels

HEROES = data.by_key(__package__, "heroes.json", catalogue.kinds.Hero)


def _enter(table: Table, hero: catalogue.kinds.Hero, newcomer: verbs.Newcomer, *, level: int) -> None:
    """Bring in a hero, and make all the choices of the first level."""
    name = newcomer.name or hero.join["name"]
    who = newcomer.id or slug(name)
    Join(**{**hero.join, "name": name, "id": who, "kind": newcomer.kind, "seat": newcomer.seat}).resolve(table)
    for choice, picked in hero.choices:
        levels.choose(table, who, choice, picked)
    for _ in range(1, level):
        levels.rise(table, who, catalogue.classes()[hero.join["class_name"]])
    creation.award(table, who, level)


BringIn = verbs.bring_in_verb(
    HEROES,
    _enter,
    help="Bring in one of four ready heroes: a fighter, a cleric, a rogue or a wizard.",
    fields={"level": number("the level", default=1, minimum=1, maximum=20)},
)
