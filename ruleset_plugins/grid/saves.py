"""Saves: five sorts of them, each a d20 and a bonus against the DC of a threat (R4.25, R4.26)."""

from collections.abc import Iterable

from rollbook.kit import ability_scores, d20, require, verbs
from rollbook.plugin import Action, Character, DiceStep, Table, Term, character, names, not_found, number, words
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.stats import SAVES, SKILLS, STATS, class_of, entered_terms, skill_terms, stat_term

DC = 15
"""The DC of a save unless another is given (Q4.33)."""

RESISTANT = "resistant"
STATS_OF = {"fort": "con", "ref": "dex", "will": "wis"}
TITLES = {"fort": "Fortitude", "ref": "Reflex", "will": "Will"}
_LONG = {title.casefold(): key for key, title in TITLES.items()} | {
    name.casefold(): key for key, name in ability_scores.NAMES.items()
}
KINDS = (*SAVES, *SKILLS, *STATS)


def title_of(kind: str) -> str:
    """A save as people say it."""
    return TITLES.get(kind) or ability_scores.NAMES.get(kind) or SKILLS[kind].name


def save_terms(who: Character, kind: str, settings: Settings) -> tuple[Term, ...]:
    """The terms of a character's save: Fortitude, Reflex, Will, a skill, or a stat (R4.25)."""
    if kind in SAVES:
        row = class_of(who, settings)
        base = (Term(row.save(kind), row.name, "R4.25", f"trait.{row.name}"),) if row else ()
        terms: tuple[Term, ...] = (*base, stat_term(who, STATS_OF[kind]), *entered_terms(who, kind, "R4.25"))
    else:
        terms = skill_terms(who, kind, settings) if kind in SKILLS else (stat_term(who, kind),)
    if who.has(RESISTANT):
        terms = (*terms, Term(1, "Resistance", "R4.54", f"condition.{RESISTANT}"))
    return terms


def roll_d20(table: Table, who: Character, terms: Iterable[Term], purpose: str) -> d20.RollResult:
    """Roll 1d20 and add the terms. This game knows no advantage (QG.4)."""
    with d20.Rolls(table) as rolls:
        return rolls.roll(who.id, "1d20", terms, purpose=purpose)


def roll_save(
    table: Table, who: Character, kind: str, dc: int, *, against: str = "", extra: tuple[Term, ...] = ()
) -> bool:
    """Roll a save (R4.26). Returns whether it is made."""
    terms = (*save_terms(who, kind, Settings.of(table)), *extra)
    return meets(table, roll_d20(table, who, terms, f"{kind} save"), f"{title_of(kind)} save", dc, against)


def meets(table: Table, roll: d20.RollResult, what: str, dc: int, against: str) -> bool:
    """Tell whether a roll reaches the DC, on record; no face of the die decides by itself (Q4.4)."""
    succeeds = roll.total >= dc
    d20.record_roll(table, what, roll, dc, success=succeeds, against=against)
    return succeeds


def named_kind(table: Table, text: str, known: tuple[str, ...] = KINDS) -> str:
    """A save, skill or stat by its short or long name. Refused for anything else."""
    key = text.strip().casefold()
    key = _LONG.get(key, key)
    if key not in known:
        table.refuse(str(not_found("roll", text, known)), table.parameter_of(text))
    return key


class Save(Action, verb="save"):
    """Save against something: a trap, poison, a spell from a scroll."""

    sentence = "makes {check:a}[ against {against:key}]|makes a saving throw"

    typed_dice = (DiceStep(tests={"the d20 of the save": "* save"}),)

    who: str = character("who saves", actor=True)
    save: str = words(
        "which save: fortitude, reflex, will, or a skill or stat by its name", fits=lambda _: KINDS, gm_only=False
    )
    dc: int = number("what the roll must reach", default=DC, minimum=0, maximum=1_000, gm_only=True)
    bonus: tuple[str, ...] = names("further bonuses, as '+2 warned in time'", default=(), gm_only=True)

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        roll_save(table, who, named_kind(table, self.save), self.dc, extra=d20.bonuses(table, self.bonus))
