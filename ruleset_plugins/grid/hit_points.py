"""Hit points: damage, dying, stabilising, and the verbs harm and heal (R4.40–R4.46)."""

from rollbook.kit import conditions, dying, hit_points, verbs
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.grid.classes import class_of
from rollbook.rulesets.grid.conditions import INCAPACITATED
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.stats import MAX_HP, bonus, entered_terms, total


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Take hit points: a character falls at 0 and dies at −10, however many there were (R4.41, Q4.38)."""
    who = table.character(name)
    if not max_hp(who, Settings.of(table)):
        table.refuse(
            f"{who.name} has no hit points to lose. Enter them: adjust {name} {MAX_HP} NUMBER WHY",
            parameter=table.parameter_of(name),
        )
    hit_points.lose(table, name, dealt, tags=tags, source=source)
    update_conditions(table, name)


Harm = verbs.harm_verb(hurt)


def restore(table: Table, name: str, amount: int, *, source: str = "") -> int:
    """Give hit points back; however few, they stabilise (R4.44, Q4.25). Returns how many came back."""
    came_back = hit_points.regain(table, name, amount, source=source)
    if came_back:
        stabilise(table, name)
    update_conditions(table, name)
    return came_back


Heal = verbs.heal_verb(restore, help="Give hit points back without a spell; any amount stabilises (R4.44).")


DIES_AT = -10
LINES = dying.Lines(down=INCAPACITATED, dies_at=DIES_AT)
"""Incapacitated at 0, dead at −10, whatever the maximum (R4.41, R4.42)."""


def max_hp_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """One pool: what the class has, Constitution once a level, and what was entered (R4.7, Q4.1)."""
    row = class_of(who, settings)
    if row is None:
        return entered_terms(who, MAX_HP, "R4.7")
    con = Term(row.level * bonus(who, "con"), f"Constitution x {row.level}", "Q4.1", "stat.con")
    base = Term(row.hit_points, row.name, "R4.7", f"trait.{row.name}")
    terms = (base, con, *entered_terms(who, MAX_HP, "R4.7"))
    return terms if total(terms) > 0 else (*terms, Term(1 - total(terms), "at least 1", "Q4.38"))


def max_hp(who: Character, settings: Settings) -> int:
    """The most hit points that a character can have."""
    return total(max_hp_terms(who, settings))


def status(who: Character) -> str:
    """The state of health in a word."""
    if who.has(conditions.DEAD):
        return "Dead"
    if who.has(INCAPACITATED):
        return "Stabilised" if who.has(conditions.STABLE) else "Dying"
    return "Conscious"


def stabilise(table: Table, name: str) -> bool:
    """Stop a character from dying (R4.43–R4.45). Returns whether they were."""
    return table.character(name).has(INCAPACITATED) and conditions.begin(table, name, conditions.STABLE)


def update_conditions(table: Table, name: str) -> None:
    """Record what follows from the hit points: who falls is prone, who comes round stays prone (R4.42, Q4.26)."""
    who = table.character(name)
    most = max_hp(who, Settings.of(table))
    if not most:
        return
    dying.settle(table, name, most=most, lines=LINES)
    who = table.character(name)
    if who.has(INCAPACITATED):
        conditions.begin(table, name, conditions.PRONE)
    else:
        conditions.end(table, name, conditions.STABLE)


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: a maximum or hit points were changed by hand, which may even undo death (QG.8, QG.9)."""
    settings = Settings.of(table)
    is_better = table.character(before.id).lost < before.lost
    dying.follow_change(table, before, most=lambda who: max_hp(who, settings), lines=lambda _: LINES)
    if is_better:
        stabilise(table, before.id)
    update_conditions(table, before.id)
