"""The numbers on a sheet: attributes, skills, or anything else, under names that the table chooses (R2.1, Q2.12).

Only Defense, hit points and Initiative mean something to the rules. Defense is entered as a DC; any other
number becomes a DC when something is added to it (Q2.10).
"""

import re

from rollbook.kit import ability_scores, require
from rollbook.plugin import Character, Table, Term
from rollbook.rulesets.powers.settings import Settings

DEFENSE, MAX_HP, INITIATIVE, STRENGTH = "defense", "max_hp", "initiative", "str"

NAMES = ability_scores.NAMES | {MAX_HP: "Maximum hit points"}
"""Short names that every game uses for its attributes; other stats have only their own names."""

_SHORT = {long.casefold(): short for short, long in NAMES.items()} | {"defence": DEFENSE, "ac": DEFENSE, "hp": MAX_HP}
_NUMBER = re.compile(r"[+-]?[0-9]{1,4}")


def stat_key(text: str) -> str:
    """The key of a stat on the sheet: ``Strength`` → ``str``, ``Sleight of Hand`` → ``sleight_of_hand``."""
    words = text.strip().casefold()
    return _SHORT.get(words) or "_".join(words.replace("-", " ").split())


def stat_title(stat: str) -> str:
    """The name of a stat as people read it."""
    return NAMES.get(stat) or stat.replace("_", " ").capitalize()


def stat_term(who: Character, stat: str) -> Term:
    """A stat as the bonus of a roll; 0 without it (Q2.6)."""
    return Term(who.stats.get(stat, 0), stat_title(stat), "R2.1", f"stat.{stat}")


def roll_term(table: Table, who: Character, text: str) -> Term:
    """The one bonus of a roll: a stat on the sheet, or a plain number (R2.1). Refused for a stat that is not on it."""
    if _NUMBER.fullmatch(text.strip()):
        if not require.is_gm(table):
            table.refuse(
                f"A plain number is a ruling, so the GM says it; {table.seat} names a stat of {who.name}.",
                table.parameter_of(text),
            )
        return Term(int(text), "as given", "R2.1")
    stat = stat_key(text)
    check_known(table, who, stat, text)
    return stat_term(who, stat)


def check_known(table: Table, who: Character, stat: str, text: str = "") -> None:
    """Refuse a stat that is not on a character's sheet (R2.1); Defense and Initiative are on each (Q2.6, Q2.10)."""
    if stat not in who.stats and stat not in (DEFENSE, INITIATIVE):
        known = ", ".join(who.stats) or "none"
        table.refuse(
            f"{who.name} has no stat called {text or stat!r}, but {known}. The GM enters it: adjust {who.id} {stat} 2 WHY",
            table.parameter_of(text),
        )


def dc_terms(who: Character, stat: str, settings: Settings) -> tuple[Term, ...]:
    """The terms of a stat as a DC: Defense as it was entered, any other + 10 (Q2.10)."""
    if stat == DEFENSE and DEFENSE in who.stats:
        return (Term(who.stats[DEFENSE], "as entered", "Q2.10", f"stat.{DEFENSE}"),)
    base = Term(settings.attr_dc_base, "base" if stat != DEFENSE else "no Defense entered", "Q2.10", "settings")
    return (base, stat_term(who, stat)) if who.stats.get(stat) else (base,)


def dc_of(who: Character, stat: str, settings: Settings) -> int:
    """The DC that a character's stat sets."""
    return sum(term.amount for term in dc_terms(who, stat, settings))
