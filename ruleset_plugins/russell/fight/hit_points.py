"""Hit points: a d6 and Constitution a level, never below 0, and a Wound for the rest (R3.12–R3.15, R3.20–R3.22).

Maximum hit points are derived; current ones are the maximum less what was lost. They stop at 0: a hit that would go below,
and any hit on a character at 0, deals one Wound instead (Q3.9, Q3.10). Others than player characters fall at 0, unless
the table plays otherwise (Q3.11).
"""

from __future__ import annotations

from typing import Any

import attrs

from rollbook.kit import conditions, dying, fields, hit_points, sheet_lines
from rollbook.kit.verbs import DAMAGE, harm_verb, heal_verb
from rollbook.plugin import Character, CharacterKind, Record, Table, Term, events, param
from rollbook.rulesets.russell.character import experience, stat_line, templates
from rollbook.rulesets.russell.fight import mind, wounds
from rollbook.rulesets.russell.settings import Settings, house

ROLLED, FROM_CON, MAX_HP = "rolled_hp", "con_hp", "max_hp"
"""Stats: the sum of all hit dice, Constitution's additions level by level (R3.4, Q3.7), a number entered or ruled."""

UNARMED = "unarmed"
"""The tag of blows that knock out instead of wounding (R3.81)."""

FLAT = 2
"""Hit points of each level past the last that rolls a die (R3.13, Q3.8)."""


def flat_hit_points(level: int) -> int:
    """Hit points of the levels past the last die (R3.13)."""
    return max(level - experience.LAST_DIE, 0) * FLAT


def max_hp_terms(who: Character) -> tuple[Term, ...]:
    """Hit dice, Constitution as it was at each level, 2 a level past the tenth, templates; never below 1."""
    terms = [
        Term(who.stats.get(ROLLED, 0), "hit dice", "R3.12", f"stat.{ROLLED}"),
        Term(who.stats.get(FROM_CON, 0), "CON at each level", "R3.4", f"stat.{FROM_CON}"),
        Term(flat_hit_points(who.level), "past level 10", "R3.13", "level"),
        Term(
            who.stats.get(stat_line.HIT_DICE_MORE, 0), "hit dice, adjusted", "R3.97", f"stat.{stat_line.HIT_DICE_MORE}"
        ),
        *templates.effect_terms(who, "hp"),
        Term(who.stats.get(MAX_HP, 0), "as entered", "QG.8", f"stat.{MAX_HP}"),
    ]
    return sheet_lines.at_least((term for term in terms if term.amount), 1, "Q3.7")


def max_hp(who: Character) -> int:
    """Maximum hit points."""
    return sum(term.amount for term in max_hp_terms(who))


def current_hp(who: Character) -> int:
    """The hit points left."""
    return max_hp(who) - who.lost


def takes_wounds(who: Character, settings: Settings) -> bool:
    """Tell if a character is wounded beyond 0, as player characters are; others fall (Q3.11)."""
    return who.kind is CharacterKind.PLAYER_CHARACTER or settings.npc_wounds == "as_pc"


@attrs.frozen(kw_only=True)
class Manner(Record):
    """The manner in which a character is hurt: the source, and the sorts of damage (``tags``).

    ``spare`` leaves helpless a foe who would fall dead (Q3.11). Bare hands knock out instead of wounding, unless they
    strike ``to_wound`` (R3.81, Q3.50). ``wound`` is the Wound in the GM's words, with what it ``brings`` (R3.16).
    """

    source: str = ""
    tags: tuple[str, ...] = ()
    spare: bool = False
    to_wound: bool = False
    wound: str = ""
    brings: tuple[str, ...] = ()

    @property
    def knocks_out(self) -> bool:
        """Tell if it knocks out beyond 0 hit points instead of wounding."""
        return UNARMED in self.tags and not self.to_wound

    @property
    def described(self) -> wounds.Wound | None:
        """The Wound that the GM described, if one was."""
        return wounds.Wound(lowest=0, highest=0, name=self.wound, conditions=self.brings) if self.wound else None

    @classmethod
    def of(cls, data: events.Data) -> Manner:
        """The manner whose fields were stored as data."""
        return cls(
            source=fields.text(data, "source"),
            tags=fields.names(data, "tags"),
            spare=fields.flag(data, "spare"),
            to_wound=fields.flag(data, "to_wound"),
            wound=fields.text(data, "wound"),
            brings=fields.names(data, "brings"),
        )


def check_described(table: Table, wound: str, brings: tuple[str, ...]) -> None:
    """Refuse the conditions of a Wound without the Wound."""
    if brings and not wound:
        table.refuse("--brings says what a described Wound does. Describe it as well: --wound 'a lost ear'", "wound")


def hurt(table: Table, name: str, dealt: int, manner: Manner) -> None:
    """Take ``dealt`` hit points from a character, down to 0; beyond that the character is wounded or falls."""
    settings = house(table)
    left = current_hp(table.character(name))
    hit_points.lose(table, name, dealt, tags=manner.tags, source=manner.source, at_most=left)
    who = table.character(name)
    if not takes_wounds(who, settings):
        if current_hp(who) <= 0 and dealt > 0:
            wounds.fall(table, name, source=manner.source, spare=manner.spare or manner.knocks_out)
    elif dealt > max(left, 0) and manner.knocks_out:
        wounds.knock_out(table, name, source=manner.source)
    elif dealt > max(left, 0):
        wounds.wound(table, name, source=manner.source, described=manner.described)


def strike_helpless(table: Table, name: str, manner: Manner) -> None:
    """A blow at the helpless deals one Wound, whatever hit points are left (R3.91, Q3.53)."""
    if takes_wounds(table.character(name), house(table)):
        wounds.wound(table, name, source=manner.source, described=manner.described)
    else:
        wounds.fall(table, name, source=manner.source, spare=manner.spare or manner.knocks_out)


LINES = dying.Lines(down="")
"""No lines: hit points stop at 0, and Wounds decide the rest (Q3.9–Q3.11)."""


def character_changed(table: Table, before: Character) -> None:
    """The hook of rulings: the maximum follows, 0 is the least, and the dead with hit points live (QG.8, QG.9)."""
    dying.follow_change(table, before, most=max_hp, lines=lambda _: LINES)
    left = current_hp(table.character(before.id))
    if left < 0:
        table.record(events.HitPointsRestored(character=before.id, amount=-left, tags=("never below 0",)))
    if left <= 0 < current_hp(before) and not takes_wounds(table.character(before.id), house(table)):
        wounds.fall(table, before.id, source="ruling")


def gained(table: Table, name: str, dice: int, constitution: int, *, reason: str) -> None:
    """Record a level's die and its change by Constitution, together at least 1 (R3.12, Q3.6, Q3.7)."""
    con = max(constitution, house(table).min_hp_gain - dice)
    table.record(events.StatChanged(character=name, stat=ROLLED, amount=dice, reason=reason))
    if con:
        table.record(events.StatChanged(character=name, stat=FROM_CON, amount=con, reason=reason))


def _harm(table: Table, name: str, dealt: int, *, of: str, **said: Any) -> None:
    manner = Manner(**said)
    check_described(table, manner.wound, manner.brings)
    if of:
        mind.hurt(table, table.character(name), of, dealt, source=manner.source)
    else:
        hurt(table, name, dealt, manner)


WOUND_FIELDS = {
    "wound": param.words("a Wound in the GM's words, instead of the chart's (R3.16)", default=""),
    "brings": param.choices("what that Wound brings", wounds.DOWN, default=()),
}
OF_THE_MIND = {
    "of": param.choice("hit points of mind or soul instead of the body's (R3.7)", ("", *mind.KINDS), default="")
}
Harm = harm_verb(_harm, fields={**WOUND_FIELDS, **OF_THE_MIND}, typed_dice=(DAMAGE, wounds.WOUNDING, wounds.STUNNING))


def _check_can_heal(table: Table, who: Character, *, wound: bool, of: str) -> None:
    if of:
        mind.check_can_heal(table, who, of)
    elif not wound:
        hit_points.check_can_heal(table, who)
    elif not who.has(wounds.WOUNDED):
        table.refuse(f"{who.name} has no Wound to close.", table.parameter_of(who.id))


def _heal(table: Table, name: str, amount: int, *, source: str, wound: bool, of: str) -> None:
    if of:
        mind.restore(table, table.character(name), of, amount, source=source)
        return
    if wound:
        conditions.end(table, name, wounds.WOUNDED)
    hit_points.regain(table, name, amount, tags=("care",), source=source)


Heal = heal_verb(
    _heal,
    check=_check_can_heal,
    help="Care or magic gives hit points back, never above the maximum, or closes a Wound at once (R3.20, R3.22).",
    fields={"wound": param.flag("close the Wound; the amount may be 0 then"), **OF_THE_MIND},
)
