"""Numbers and dice of effects: growth by slot and level, formulas, doubled dice (R5.80, R5.237)."""

from rollbook.kit import formulas
from rollbook.plugin import Table
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.carrying_out import Cause

CANTRIP_LEVELS = (5, 11, 17)


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

    def value(word: str) -> str | int:
        if source is None:
            return word
        if word == "proficiency":
            return abilities.proficiency_bonus(source)
        known = {"mod": cause.modifier, "ability": cause.modifier, "spellcasting": cause.modifier, "slot": cause.level}
        return abilities.modifier(source, word) if word in abilities.ABILITIES else known.get(word, word)

    return formulas.replaced(text, value)


def dc_of(cause: Cause, dc: int | str) -> int:
    """A DC: a number, the caster's, or a formula such as "8 + dex + proficiency"."""
    if isinstance(dc, int):
        return dc or cause.dc
    if dc == "spell":
        return cause.dc
    return formulas.most_of(formula(cause, dc))


def damage_roll(cause: Cause, dice: str) -> int:
    """The damage of a roll of dice, which a critical hit doubles (R5.80)."""
    return rolled(cause.table, cause, formulas.doubled(dice) if cause.critical else dice, "damage")


def rolled(table: Table, cause: Cause, dice: str, purpose: str) -> int:
    """The total of dice or of a plain number, never below 0."""
    if dice.strip().lstrip("-").isdecimal():
        return max(int(dice), 0)
    return max(table.roll(dice, roller=cause.source or table.seat, purpose=purpose).total, 0)
