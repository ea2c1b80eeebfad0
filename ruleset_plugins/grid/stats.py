"""The six stats as bonuses, skills, and the four classes with the numbers that a table may choose (R4.4–R4.6, Q4.1)."""

from rollbook.kit import ability_scores, data
from rollbook.plugin import ABILITIES, Character, Term
from rollbook.rulesets.grid.settings import Settings

CLASS = "class"


class Profession(data.Row):
    """One class at one level. ``hit_points`` come before Constitution, which counts once a level.

    ``trained`` is the bonus of a skill of the class; ``usual`` are the six usual bonuses of the class.
    """

    table: str
    name: str
    level: int
    attack: int
    fort: int
    ref: int
    will: int
    hit_points: int
    trained: int
    usual: tuple[int, ...]
    sneaks: bool = False

    def save(self, which: str) -> int:
        """The base of fort, ref or will."""
        return {"fort": self.fort, "ref": self.ref, "will": self.will}[which]


ROWS = data.by_key(__package__, "classes.json", Profession)
CLASSES = tuple(dict.fromkeys(row.name for row in ROWS.values()))


def profession(name: str, settings: Settings) -> Profession:
    """A class by its name, with the numbers that the table plays with."""
    return ROWS[f"{settings.class_table} {name}"]


def class_name(who: Character) -> str:
    """The class of a character, "" without one."""
    return next((trait for trait in who.traits_of(CLASS) if trait in CLASSES), "")


def class_of(who: Character, settings: Settings) -> Profession | None:
    """The row of a character's class."""
    name = class_name(who)
    return profession(name, settings) if name else None


STATS = ABILITIES
ARMOUR_CLASS, MAX_HP, ATTACK, DAMAGE, SPEED = "armour_class", "max_hp", "attack", "damage", "speed"
SAVES = ("fort", "ref", "will")
ENTERED = (MAX_HP, ARMOUR_CLASS, ATTACK, DAMAGE, SPEED, *SAVES)
"""Numbers that a sheet can carry besides the stats and skills."""


def bonus(who: Character, stat: str) -> int:
    """The bonus of a stat to a roll; 0 if it is not on the sheet."""
    return who.stats.get(stat, 0)


def stat_term(who: Character, stat: str) -> Term:
    """A stat as a summand."""
    return Term(bonus(who, stat), ability_scores.NAMES[stat], "R4.5", f"stat.{stat}")


def entered_terms(who: Character, stat: str, rule: str) -> tuple[Term, ...]:
    """The term of a number that was entered on top of those of the class; empty if there is none."""
    return (Term(who.stats[stat], "as entered", rule, f"stat.{stat}"),) if who.stats.get(stat) else ()


def total(terms: tuple[Term, ...]) -> int:
    """The sum of terms."""
    return sum(term.amount for term in terms)


TRAINED = "skill"
CONCENTRATION, HEAL, HIDE = "concentration", "heal", "hide"
UNTAUGHT = 8
"""The bonus of training without a class, by ruling."""


class Skill(data.Row):
    """A skill, its stat, and the classes that learn it."""

    name: str
    stat: str
    classes: tuple[str, ...]


SKILLS = data.by_key(__package__, "skills.json", Skill)


def skill_terms(who: Character, key: str, settings: Settings) -> tuple[Term, ...]:
    """The terms of a skill roll; a trait of the kind "skill" trains beyond one's class (R4.6, Q4.1)."""
    skill, row = SKILLS[key], class_of(who, settings)
    terms: tuple[Term, ...] = (stat_term(who, skill.stat),)
    if row is not None and row.name in skill.classes:
        terms = (*terms, Term(row.trained, f"trained {row.name}", "R4.6", f"trait.{row.name}"))
    elif who.traits.get(key) == TRAINED:
        terms = (*terms, Term(row.trained if row else UNTAUGHT, "trained", "R4.6", f"trait.{key}"))
    return (*terms, *entered_terms(who, key, "R4.6"))
