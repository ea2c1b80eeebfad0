"""Hit points and conditions: damage, dying, stabilising, the ability to act, and passing time (R4.40–R4.46, QG.8)."""

from rollbook.kit import clock, conditions, dying, hit_points, require, sheet_lines, verbs
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.grid.settings import FOR_A_DAY, Settings
from rollbook.rulesets.grid.spells import refresh
from rollbook.rulesets.grid.stats import MAX_HP, bonus, class_of, entered_terms, total

INCAPACITATED, HAMSTRUNG, FLEET, HIDDEN, BLURRED = "incapacitated", "hamstrung", "fleet", "hidden", "blurred"
CONDITIONS = (INCAPACITATED, HAMSTRUNG, FLEET, HIDDEN, BLURRED)


def _end_prone(table: Table, name: str) -> None:
    who = table.character(name)
    if who.has(INCAPACITATED):
        table.refuse(f"{who.name} is incapacitated and lies on the ground.")
    conditions.end(table, name, conditions.PRONE)


SetCondition = verbs.condition_verb(
    help="Begin or end a condition by ruling: prone, hidden or any other.",
    examples="prone, hidden, blurred",
    follows=(INCAPACITATED, conditions.DEAD, conditions.STABLE),
    ends={conditions.PRONE: _end_prone},
)

UNABLE = {INCAPACITATED: "Healing above 0 hit points brings {name} round."}
KEPT_OUT = (conditions.DEAD, INCAPACITATED)


def is_conscious(who: Character) -> bool:
    """Tell whether a character is in play and neither incapacitated nor dead."""
    return who.present and not any(who.has(state) for state in KEPT_OUT)


def require_able(table: Table, name: str) -> Character:
    """A character who can act. Refused for the dead, the incapacitated and those who have left."""
    return require.able(table, name, UNABLE)


def hurt(table: Table, name: str, dealt: int, *, tags: tuple[str, ...] = (), source: str = "") -> None:
    """Take hit points: a character falls at 0 and dies at −10, however many there were (R4.41, Q4.38)."""
    who = table.character(name)
    hit_points.check_has_any(table, who, has=bool(max_hp(who, Settings.of(table))))
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
    """One pool: the hit points of the class, Constitution once a level, and a number entered (R4.7, Q4.1)."""
    row = class_of(who, settings)
    if row is None:
        return entered_terms(who, MAX_HP, "R4.7")
    con = Term(row.level * bonus(who, "con"), f"Constitution x {row.level}", "Q4.1", "stat.con")
    base = Term(row.hit_points, row.name, "R4.7", f"trait.{row.name}")
    return sheet_lines.at_least((base, con, *entered_terms(who, MAX_HP, "R4.7")), 1, "Q4.38")


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
    """Record conditions by the hit points: a fallen character is prone, and stays so on coming round (R4.42, Q4.26)."""
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


def bleed(table: Table, who: Character) -> None:
    """Play the turn of an incapacitated character (R4.43, R4.46): a d10, or a hit point for one who is stable."""
    if who.has(conditions.STABLE):
        hit_points.regain(table, who.id, 1, source="stabilised")
        update_conditions(table, who.id)
        return
    if table.roll("1d10", roller=who.id, purpose="dying", natural=True).total == 10:
        stabilise(table, who.id)
    else:
        hurt(table, who.id, 1, source="dying")


def time_passed(table: Table, before: int, *, rest: bool) -> None:  # noqa: ARG001 - nobody recovers faster by resting
    """The hook of the clock. Those in a fight bleed on their own turns."""
    people = [who.id for who in table.characters()]
    fighters, length = table.encounter.order if table.encounter else (), Settings.of(table).round_seconds
    rounds = clock.completed(before, table.clock, length) if length else 0
    for name in people:
        if name not in fighters:
            _bleed_rounds(table, name, rounds)
        conditions.expire(table, name)
    if Settings.of(table).cast_refresh == FOR_A_DAY and clock.completed(before, table.clock, clock.DAY):
        refresh(table, people)


def _bleed_rounds(table: Table, name: str, rounds: int) -> None:
    """A round is a turn of the incapacitated; after at most twenty they are dead, or recovering and awake."""
    for _ in range(rounds):
        who = table.character(name)
        if not who.has(INCAPACITATED) or who.has(conditions.DEAD) or not max_hp(who, Settings.of(table)):
            return
        bleed(table, who)
        after = table.character(name)
        if (after.lost, after.conditions) == (who.lost, who.conditions):
            return
