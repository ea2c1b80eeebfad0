"""The stat line of monsters and NPCs: Mv, WS, SS, Att, HD, AC, I, Sv and Mrl as numbers on their sheet (R3.96, R3.97)."""

import re
from collections.abc import Iterator

from rollbook.plugin import Character, Table, Term

MOVEMENT, WEAPON_SKILL, SHOOTING_SKILL, ATTACKS = "movement", "weapon_skill", "shooting_skill", "attacks"
HIT_DICE, ARMOUR_CLASS, INITIATIVE, SAVE, MORALE = "hit_dice", "armour_class", "initiative", "save", "morale"
"""The names of those numbers among a character's stats."""

HIT_DICE_MORE = "hit_dice_more"
"""The stat of the hit points that are added to hit dice, 1 for ``HD 3+1`` (R3.97)."""

SAVE_OF = {attribute: f"save_{attribute}" for attribute in ("str", "con", "dex", "int", "wis", "cha")}
"""The stats of saves against some kinds of danger only, by the attribute that others save with (R3.96)."""

DANGERS = {
    "force": "str",
    "poison": "con",
    "disease": "con",
    "dodging": "dex",
    "spells": "int",
    "horror": "wis",
    "illusion": "wis",
    "domination": "wis",
}
"""Kinds of danger in a stat line, as in ``Sv:poison 15``, and the attribute that saves against them (R3.3 to R3.7)."""

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
"""The abbreviations of a stat line."""


def has_profile(who: Character) -> bool:
    """Tell if a character fights by hit dice instead of levels."""
    return HIT_DICE in who.stats


def hit_dice_printed(who: Character) -> str:
    """Hit dice as a stat line has them: ``3``, or ``3+1`` with an adjustment (R3.97)."""
    more = who.stats.get(HIT_DICE_MORE, 0)
    return f"{who.stats.get(HIT_DICE, 0)}{more:+d}" if more else str(who.stats.get(HIT_DICE, 0))


def printed(who: Character) -> str:
    """A character's stat line."""
    parts = [
        f"{short} {hit_dice_printed(who) if stat == HIT_DICE else who.stats[stat]}"
        for stat, short in PRINTED.items()
        if stat in who.stats
    ]
    saves = [f"Sv:{attribute} {who.stats[stat]}" for attribute, stat in SAVE_OF.items() if stat in who.stats]
    return " ".join((*parts, *saves))


def entered_terms(who: Character, stat: str) -> Iterator[Term]:
    """The term of a number that was entered: part of a profile, or a ruling on top of the level."""
    if stat in who.stats:
        label, rule = ("as entered", "R3.96") if has_profile(who) else ("ruling", "QG.8")
        yield Term(who.stats[stat], label, rule, f"stat.{stat}")


def attacks(who: Character) -> int:
    """Attacks in a Round: one, unless the profile says more (Q3.43)."""
    return max(who.stats.get(ATTACKS, 1), 1)


def hit_dice(who: Character) -> int:
    """Hit dice, or the level of a character without (R3.96)."""
    return max(who.stats.get(HIT_DICE, who.level), 0)


HP_BY = BY_DICE, SOFT, HARD = "roll", "soft", "hard"
"""The ways in which hit dice become hit points."""


def roll_hit_points(table: Table, who: str, dice: int, *, by: str) -> int:
    """A monster's hit points: rolled, or 3.5 a hit die, rounded down for the soft and up for the hard (R3.97)."""
    if by == BY_DICE:
        return table.roll(f"{dice}d6", roller=who, purpose="hit dice").total
    return dice * 7 // 2 if by == SOFT else -(-dice * 7 // 2)


_STAT_LINE = re.compile(r"\s*([A-Za-z]+(?::[A-Za-z]+)?)\s*([+-]?[0-9]{1,4})([+-][0-9]{1,4})?\s*,?")
_SAVE = "sv:"
_BY_PRINT = {printed.casefold(): stat for stat, printed in PRINTED.items()} | {
    f"{_SAVE}{kind}": SAVE_OF[attribute] for kind, attribute in ({key: key for key in SAVE_OF} | DANGERS).items()
}


def read_stat_line(table: Table, text: str) -> dict[str, int]:
    """``Mv 9 HD 3+1 Sv 12 Sv:poison 15`` as numbers by the names of the stats. Refused for anything else."""
    found, rest = {}, text.strip()
    while rest:
        match = _STAT_LINE.match(rest)
        stat = _BY_PRINT.get(match[1].casefold(), "") if match else ""
        if match is None or not stat or (match[3] and stat != HIT_DICE):
            table.refuse(
                f"A stat line consists of {', '.join(PRINTED.values())} and numbers, as in 'HD 3+1 AC 5', with saves of "
                f"their own against {', '.join(DANGERS)}, as in 'Sv:poison 15'; not {rest!r}.",
                table.parameter_of(text),
            )
        found[stat] = int(match[2])
        if match[3]:
            found[HIT_DICE_MORE] = int(match[3])
        rest = rest[match.end() :].strip()
    if found.get(HIT_DICE, 1) > 1_000 or found.get(HIT_DICE, 1) < 0:
        table.refuse("Hit dice are 0 to 1,000.", table.parameter_of(text))
    return found
