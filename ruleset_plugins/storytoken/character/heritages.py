"""Heritages and their traits (R0.109, R0.141–R0.157)."""

from typing import Literal

from rollbook.kit import data
from rollbook.plugin import ABILITIES, Character
from rollbook.rulesets.storytoken.body import conditions

HERITAGE = "heritage"
"""The kind of trait that a heritage is."""

HERITAGE_ABILITY, INNATE_SPELL = "heritage-ability", "innate-spell"
"""The open choices of the one ability that some heritages excel in, and of a mutant's inborn spell (R0.151)."""

CHANGED, FORM, HUMAN_FORM = "changed", "form", "human"
"""The condition of a werebeast in another form than the human one, which is its field ``form`` (R0.156)."""


class Regeneration(data.Frozen):
    """One hit point comes back ``every`` minute or round, up to ``up_to`` hit points (None: the maximum)."""

    every: Literal["round", "minute"]
    up_to: int | None = None


class Form(data.Row):
    """A shape of a werebeast, and the rolls that are easier in it."""

    advantage: tuple[conditions.RollKind, ...]


class Heritage(data.Row):
    """A character's descent.

    ``advantage`` names abilities, ``advantage_on`` the kinds of rolls it is for: check, save, or task for every task
    roll (Q0.51). ``darkvision`` and ``speed`` are in feet. A character with ``slain_by`` dies of nothing else (Q0.55);
    damage of a ``lasting`` sort is not regenerated (Q0.57). ``sunlight`` is the harm of a round in the sun, ``silver``
    the multiple of damage by silver. The wounds of a ``machine`` are damaged technology (R0.173).
    """

    name: str
    rule: str
    words: str
    darkvision: int = 0
    armour_class: int = 0
    speed: int = 0
    advantage: tuple[str, ...] = ()
    advantage_on: tuple[str, ...] = ("check", "save")
    chooses_ability: bool = False
    ability_options: tuple[str, ...] = ABILITIES
    score_bonus: int = 0
    extra_roles: int = 0
    topics: tuple[str, ...] = ()
    unarmed: str = "light"
    no_tools: bool = False
    bite: str = ""
    slain_by: tuple[str, ...] = ()
    daily_thirst: int = 0
    regenerates: Regeneration | None = None
    lasting: tuple[str, ...] = ()
    sunlight: str = ""
    turns_to_stone: bool = False
    silver: int = 1
    forms: tuple[Form, ...] = ()
    innate_spell: bool = False
    promises: bool = False
    ghost: bool = False
    undead: bool = False
    machine: bool = False
    beast: bool = False


HERITAGES = data.by_key(__package__, "heritages.json", Heritage)
NOBODY_IN_PARTICULAR = Heritage(key="", name="", rule="", words="")


def heritage_of(who: Character) -> Heritage:
    """A character's heritage; an empty one for a character without, like most monsters."""
    born = who.traits_of(HERITAGE)
    return HERITAGES.get(born[0], NOBODY_IN_PARTICULAR) if born else NOBODY_IN_PARTICULAR


BEAST = "beast"
"""The trait of beasts, and of others that the GM counts as one: a drone, alien fauna, a simple mind (R0.160)."""


def is_beast(who: Character) -> bool:
    """Tell if a character is a beast, by birth or by trait."""
    return heritage_of(who).beast or BEAST in who.traits


def chosen_ability(who: Character) -> str:
    """The one ability of a heritage that lets one choose; "" while it is open."""
    return who.chosen.get(HERITAGE_ABILITY, "")


def form_of(who: Character) -> str:
    """The form that a werebeast is in."""
    return conditions.text(who.conditions.get(CHANGED), FORM) or HUMAN_FORM


def excels(who: Character, ability: str, kinds: tuple[str, ...]) -> bool:
    """Tell if birth gives advantage on a roll with this ability, of these kinds (Q0.51)."""
    heritage = heritage_of(who)
    if heritage.forms:
        chosen = chosen_ability(who) or heritage.ability_options[0]
        easier = next((form.advantage for form in heritage.forms if form.key == form_of(who)), ())
        return any(rolls.includes(ability, kinds, chosen=chosen) for rolls in easier)
    if "task" not in heritage.advantage_on and not set(kinds).intersection(heritage.advantage_on):
        return False
    return ability in (heritage.advantage or ((chosen_ability(who),) if heritage.chooses_ability else ()))
