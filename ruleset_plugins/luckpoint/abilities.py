"""The six abilities, skills, basic and specialised, and special abilities (R1.1, R1.34–R1.41, R1.53–R1.57).

Points are stats of the character under the skill's key. Location is a separate skill for every place: ``location:london``.
"""

from functools import lru_cache

import attrs

from rollbook.kit import ability_scores, d20, data, random_tables
from rollbook.plugin import ABILITIES, Character, Table, Term, not_found, slug

ABILITY_USES = {
    "str": "brawn: lift, carry, throw, strike hand to hand",
    "dex": "quickness and a steady hand: dodge, aim, light weapons",
    "con": "health and stamina, against sickness too",
    "int": "memory, logic, sharp wits",
    "wis": "the senses, empathy, judgement",
    "cha": "presence: charm, lead, perform, persuade",
}
"""The uses of each ability (R1.35)."""


class ModifierBand(random_tables.Band):
    """Modifiers from ``lowest`` to ``highest``, and the ``word`` for them."""

    word: str


BANDS = random_tables.load(__package__, "modifiers.json", ModifierBand)


def modifier(who: Character, ability: str) -> int:
    """An ability's modifier; 0 if it is not on the sheet."""
    return who.stats.get(ability, 0)


def word(amount: int) -> str:
    """The word for such a modifier (R1.34)."""
    return random_tables.row_for(BANDS, amount).word


def ability_term(who: Character, ability: str) -> Term:
    """An ability's modifier, as a summand that says where it comes from."""
    return ability_scores.modifier_term(ability, modifier(who, ability), "R1.35")


def better(who: Character, abilities: tuple[str, ...]) -> str:
    """Of several abilities the one with the higher modifier; the first that is named if they are level."""
    return max(abilities, key=lambda ability: modifier(who, ability))


SPECIAL = "special"
"""The kind of trait that a special ability is."""


class SpecialAbility(data.Row):
    """A row of the list; 0 changes nothing. ``metres`` are walked, ``sight`` is seen in the dark."""

    name: str
    words: str
    rule: str
    metres: int = 0
    luck_per_hour: int = 0
    luck_cap: int = 0
    armour_class: int = 0
    sight: int = 0

    @property
    def path(self) -> str:
        """Its path on a character."""
        return f"trait.{self.key}"


SPECIALS = data.by_key(__package__, "special_abilities.json", SpecialAbility)


def special_abilities_of(who: Character) -> tuple[SpecialAbility, ...]:
    """The special abilities of a character."""
    return tuple(SPECIALS[trait] for trait in who.traits if trait in SPECIALS)


class Skill(data.Row):
    """A row of the list: the ``abilities`` that count (the best of them), its scope and what it ``saves`` from."""

    name: str
    abilities: tuple[str, ...]
    basic: bool
    rule: str
    scope: str
    saves: str = ""


SKILLS = data.by_key(__package__, "skills.json", Skill)
BASIC = tuple(key for key, skill in SKILLS.items() if skill.basic)
SAVING = tuple(key for key, skill in SKILLS.items() if skill.saves)
"""The skills that saving throws are made with (R1.41)."""

RATINGS = (*SKILLS, *ABILITIES)
"""The ratings that a d20 can be rolled with: one skill or one ability (R1.2)."""

AWARENESS, ENDURANCE, MANEUVERS, MAGIC, MEDICAL = "awareness", "endurance", "maneuvers", "magic", "medical"
LOCATION = "location"
TAKES_PLACE = "takes_place"
"""Data of an option in a choice: the skill is picked with a place."""


BASIC_HELP = "; ".join(f"{skill.name}: {skill.scope}" for skill in SKILLS.values() if skill.basic)
SPECIALISED_HELP = "; ".join(f"{skill.name}: {skill.scope}" for skill in SKILLS.values() if not skill.basic)
RATING_HELP = "; ".join((BASIC_HELP, *(f"{ability.upper()}: {scope}" for ability, scope in ABILITY_USES.items())))
UNTRAINED = "untrained"
"""The outcome of a task that cannot be done without points in it (R1.38)."""


def skill_of(key: str) -> Skill:
    """The row of a skill; places are all of one sort."""
    return SKILLS[place_of(key)[0]]


def place_of(key: str) -> tuple[str, str]:
    """The skill's key and its place, "" for none: ``location:london`` is Location of London."""
    skill, _, place = key.partition(":")
    return skill, place


def listed_skills(who: Character) -> list[str]:
    """Every basic skill, and the specialised ones of a character; places in the order in which they were gained."""
    listed = [key for key, skill in SKILLS.items() if skill.basic or key in who.stats]
    return listed + list(filter(_is_place, who.stats))


@lru_cache(maxsize=512)
def _is_place(stat: str) -> bool:
    skill, place = place_of(stat)
    return skill == LOCATION and bool(place) and slug(place) == place


@lru_cache(maxsize=256)
def named(key: str) -> str:
    """The name of a skill or an ability: ``Location (london)``, ``Maneuvers``, ``STR``."""
    if key in ABILITIES:
        return key.upper()
    place = place_of(key)[1]
    return f"{skill_of(key).name} ({place})" if place else skill_of(key).name


def points(who: Character, key: str) -> int:
    """A character's points in a skill."""
    return who.stats.get(key, 0)


def can_succeed(who: Character, key: str) -> bool:
    """Tell if a roll can succeed at all: a specialised skill needs at least one point (R1.38)."""
    return key in ABILITIES or skill_of(key).basic or points(who, key) > 0


@lru_cache(maxsize=1024)
def _points_term(key: str, amount: int) -> Term:
    return Term(amount, d20.label(named(key)), skill_of(key).rule, f"stat.{key}")


def rating_terms(who: Character, key: str, *, even_untrained: bool = False) -> list[Term]:
    """The summands of a skill or an ability: nothing at all for a specialised skill without points (R1.38, Q1.5)."""
    if key in ABILITIES:
        return [ability_term(who, key)]
    held = _points_term(key, points(who, key))
    if not even_untrained and not can_succeed(who, key):
        return [attrs.evolve(held, amount=0, label=UNTRAINED, rule="R1.38")]
    return [ability_term(who, better(who, skill_of(key).abilities)), held]


def rating(who: Character, key: str) -> int:
    """The total of a skill or an ability, which every roll with it adds."""
    return sum([term.amount for term in rating_terms(who, key)])


def rated(table: Table, key: str, place: str) -> str:
    """A skill or an ability as it is looked up on a sheet. Location wants a place, and nothing else does."""
    if key != LOCATION:
        if place:
            table.refuse(
                f"Only Location is about a place. Leave --place out, or try {LOCATION}.", table.parameter_of(place)
            )
        return key
    return f"{LOCATION}:{_place(table, place)}"


def skill_named(table: Table, text: str) -> str:
    """A skill by its key, as it is on a sheet: ``maneuvers``, ``location:london``. Refused, or NotFound, for others."""
    key, place = place_of(text)
    if key not in SKILLS or (place and key != LOCATION):
        raise not_found("skill", text, SKILLS)
    return f"{key}:{_place(table, place)}" if key == LOCATION else key


def _place(table: Table, place: str) -> str:
    found = slug(place)
    if not found:
        table.refuse(f"Location is a skill of one place. Name it, as in {LOCATION}:london or --place london.", "place")
    return found
