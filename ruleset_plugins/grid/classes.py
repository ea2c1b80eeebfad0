"""The four classes: attack, saves, hit points and training, as numbers that a table may choose (R4.4, Q4.1)."""

from rollbook.kit import data
from rollbook.plugin import Character
from rollbook.rulesets.grid.settings import Settings

CLASS = "class"


class Profession(data.Row):
    """One class at one level. ``hit_points`` come before Constitution, which counts once a level.

    ``trained`` is what a skill of the class adds; ``usual`` are the six usual bonuses of the class.
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
