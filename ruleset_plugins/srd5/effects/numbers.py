"""Numbers and dice of effects: growth by slot and level, formulas, doubled dice (R5.80, R5.237)."""

import re

from rollbook.kit import d20
from rollbook.plugin import Table
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.carrying_out import Cause

CANTRIP_LEVELS = (5, 11, 17)
_DICE = re.compile(r"(\d+)d(\d+)")
_NAME = re.compile(r"[a-z]+")


def doubled(dice: str) -> str:
    """Dice rolled twice, as a critical hit does; numbers stay (R5.80)."""
    return _DICE.sub(lambda found: f"{int(found[1]) * 2}d{found[2]}", dice)


def times(dice: str, many: int) -> str:
    """Dice or a number so many times: what each slot level adds."""
    if "d" in dice:
        return _DICE.sub(lambda found: f"{int(found[1]) * many}d{found[2]}", dice)
    return str(int(dice) * many) if dice.lstrip("-").isdecimal() else dice


def grown(dice: str, slot: str, above: int) -> str:
    """Dice with what slot levels above the usual one add to them."""
    if not slot or above <= 0:
        return dice
    return f"{dice} + {times(slot, above)}" if dice else times(slot, above)


def chosen_of(words: tuple[str, ...], chosen: tuple[str, ...]) -> str:
    """The one of some words that was chosen, else the first of them, "" for none."""
    return next((each for each in words if each in chosen), next(iter(words), ""))


def at_cantrip_level(usual: str, grown: tuple[str, ...], level: int) -> str:
    """The dice of a cantrip at a level of its caster."""
    reached = sum(1 for each in CANTRIP_LEVELS if level >= each)
    return grown[min(reached, len(grown)) - 1] if reached and grown else usual


def formula(cause: Cause, text: str) -> str:
    """A formula with its words as numbers: mod, slot, ability, proficiency, an ability of the source."""
    source = cause.table.character(cause.source) if cause.source else None

    def number(found: re.Match[str]) -> str:
        word = found[0]
        if word == "d" or source is None:
            return word
        if word == "proficiency":
            return str(abilities.proficiency_bonus(source))
        if word in abilities.ABILITIES:
            return str(abilities.modifier(source, word))
        known = {"mod": cause.modifier, "ability": cause.modifier, "spellcasting": cause.modifier, "slot": cause.level}
        return str(known.get(word, word))

    return _NAME.sub(number, text).replace("+ -", "- ")


def dc_of(cause: Cause, dc: int | str) -> int:
    """A DC: a number, the caster's, or a formula such as "8 + dex + proficiency"."""
    if isinstance(dc, int):
        return dc or cause.dc
    if dc == "spell":
        return cause.dc
    return most_of(formula(cause, dc))


def most_of(dice: str) -> int:
    """The most that dice and numbers can come to."""
    parts = dice.replace("- ", "+ -").split("+")
    return sum(d20.maximum(part.strip()) if "d" in part else int(part.replace(" ", "") or 0) for part in parts)


def damage_roll(cause: Cause, dice: str) -> int:
    """The damage of a roll of dice, which a critical hit doubles (R5.80)."""
    return rolled(cause.table, cause, doubled(dice) if cause.critical else dice, "damage")


def rolled(table: Table, cause: Cause, dice: str, purpose: str) -> int:
    """The total of dice or of a plain number, never below 0."""
    if dice.strip().lstrip("-").isdecimal():
        return max(int(dice), 0)
    return max(table.roll(dice, roller=cause.source or table.seat, purpose=purpose).total, 0)
