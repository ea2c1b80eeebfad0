"""The stat line of monsters and NPCs: Mv, WS, SS, Att, HD, AC, I, Sv and Mrl as numbers on their sheet (R3.96, R3.97)."""

import re
from collections.abc import Iterator

from ruleset_plugins import Character, Table, Term

MOVEMENT, WEAPON_SKILL, SHOOTING_SKILL, ATTACKS = "movement", "weapon_skill", "shooting_skill", "attacks"
HIT_DICE, ARMOUR_CLASS, INITIATIVE, SAVE, MORALE = "hit_dice", "armour_class", "initiative", "save", "morale"
"""The names of those numbers among a character's stats."""

PRINTED = {
    MOVEMENT: "Mv",
    WEAPON_SKILL: "WS",
    SHOOTING_SKILL: "SS",
    ATTACKS: "Att",
    HIT_DICE: "HD",
    ARMOUR_CLASS: "AC",
    INITIATIVE: "I",
    SAVE: "Sv",
    MORALE: "Mrl",
}
"""How a stat line abbreviates them."""


def has_profile(who: Character) -> bool:
    """Whether somebody fights by hit dice instead of levels."""
    return HIT_DICE in who.stats


def entered_terms(who: Character, stat: str) -> Iterator[Term]:
    """A number that was entered for somebody: part of a profile, or a ruling on top of their level."""
    if stat in who.stats:
        label, rule = ("as entered", "R3.96") if has_profile(who) else ("ruling", "QG.8")
        yield Term(who.stats[stat], label, rule, f"stat.{stat}")


def attacks(who: Character) -> int:
    """Attacks in a Round: one, unless the profile says more (Q3.43)."""
    return max(who.stats.get(ATTACKS, 1), 1)


def hit_dice(who: Character) -> int:
    """Hit dice, or the level of somebody without (R3.96)."""
    return max(who.stats.get(HIT_DICE, who.level), 0)


HP_BY = BY_DICE, SOFT, HARD = "roll", "soft", "hard"
"""How hit dice become hit points."""


def roll_hit_points(table: Table, who: str, dice: int, *, by: str) -> int:
    """A monster's hit points: rolled, or 3.5 a hit die, rounded down for the soft and up for the hard (R3.97)."""
    if by == BY_DICE:
        return table.roll(f"{dice}d6", roller=who, purpose="hit dice").total
    return dice * 7 // 2 if by == SOFT else -(-dice * 7 // 2)


_STAT_LINE = re.compile(r"\s*([A-Za-z]+)\s*([+-]?[0-9]{1,4})\s*,?")
_BY_PRINT = {printed.casefold(): stat for stat, printed in PRINTED.items()}


def read_stat_line(table: Table, text: str) -> dict[str, int]:
    """``Mv 9 WS 3 HD 3`` as numbers by the names of the stats. Refused for anything else."""
    found, rest = {}, text.strip()
    while rest:
        match = _STAT_LINE.match(rest)
        if match is None or match[1].casefold() not in _BY_PRINT:
            table.refuse(
                f"A stat line consists of {', '.join(PRINTED.values())} and numbers, as in 'HD 3 AC 5'; not {rest!r}."
            )
        found[_BY_PRINT[match[1].casefold()]] = int(match[2])
        rest = rest[match.end() :].strip()
    if found.get(HIT_DICE, 1) > 1_000 or found.get(HIT_DICE, 1) < 0:
        table.refuse("Hit dice are 0 to 1,000.")
    return found
