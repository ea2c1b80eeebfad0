"""Tests and saving throws: advantage and double advantage, 2d6, a d6 that must reach 6 (R3.3–R3.11, R3.93, R3.94).

Attacks, saves, skills, initiative, stunts, chases and Morale are tests and are rolled here; damage, hit points, usage,
exploration and treasure are not (Q3.20). Two more reasons for than against are Double Advantage: the better of two dice,
and 4 more. Those 4 never make or undo a natural 1 or 20 (QG.3).
"""

from collections.abc import Iterable
from typing import Final

from rollbook.kit import ability_scores, d20, require, verbs
from rollbook.plugin import Character, DiceStep, Table, Term, events, param
from rollbook.rulesets.russell.character import attributes, stat_line, templates
from rollbook.rulesets.russell.delve import encumbrance, light
from rollbook.rulesets.russell.settings import house

DOUBLE: Final = 4
"""The bonus of a roll with double Advantage, and the penalty of double Disadvantage (R3.94)."""

PASS: Final = 6
"""The total that a skill, and first aid, must reach on a d6 (R3.27, R3.92)."""

LISTEN = "listen"
"""A kind of test, like "attack", "save", "skill" and others: loads, weariness and darkness affect some of them."""


def standing_ease(who: Character, kind: str, table: Table) -> d20.Advantage:
    """Reasons that make every test of this kind easier or harder for a character: load, weariness, darkness."""
    return encumbrance.load_ease(who, kind) + encumbrance.weary_ease(who) + light.light_ease(table.campaign, who, kind)


def roll_test(
    table: Table,
    who: Character,
    terms: Iterable[Term] = (),
    *,
    kind: str,
    purpose: str,
    die: str = "d20",
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    low_is_better: bool = False,
) -> events.DiceRolled:
    """Roll one die and add terms, with advantage, single or double; ``natural`` is the die kept (R3.93, R3.94)."""
    ease += standing_ease(who, kind, table)
    sway, terms = d20.stacking_advantage(ease, house(table).adv_clamp), tuple(terms)
    if abs(sway) > 1:
        better = DOUBLE if (sway > 0) != low_is_better else -DOUBLE
        terms = (*terms, Term(better, "double advantage" if sway > 0 else "double disadvantage", "R3.94"))
    dice = d20.advantage_dice(ease, sway, die=die, low_is_better=low_is_better)
    return table.roll(d20.notation(dice, terms), roller=who.id, purpose=purpose, natural=True)


def roll_2d6(
    table: Table,
    who: Character,
    terms: Iterable[Term] = (),
    *,
    kind: str,
    purpose: str,
    ease: d20.Advantage = d20.NO_ADVANTAGE,
) -> int:
    """Two d6 of a test where low is better; with Advantage or Disadvantage the whole 2d6 are rolled twice (Q3.18)."""
    ease += standing_ease(who, kind, table)
    sway = d20.stacking_advantage(ease, house(table).adv_clamp)
    expression = d20.notation("2d6", terms)
    first = table.roll(expression, roller=who.id, purpose=purpose).total
    if not sway:
        return first
    second = table.roll(expression, roller=who.id, purpose=f"{purpose}, again").total
    flat = DOUBLE if abs(sway) > 1 else 0
    return min(first, second) - flat if sway > 0 else max(first, second) + flat


def roll_d6_test(
    table: Table,
    who: Character,
    terms: Iterable[Term],
    *,
    kind: str,
    check: str,
    goal: int = PASS,
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    one_fails: bool = False,
    against: str = "",
) -> bool:
    """Roll 1d6 and terms against the goal; with ``one_fails`` a die that shows 1 always fails (R3.28)."""
    roll = roll_test(table, who, terms, kind=kind, purpose=check, die="d6", ease=ease)
    passed = roll.total >= goal and not (one_fails and roll.natural == 1)
    outcome = "success" if passed else "natural 1" if one_fails and roll.natural == 1 else "failure"
    d20.record_check(table, who.id, check, roll.total, goal, success=passed, outcome=outcome, against=against)
    return passed


SAVES = (*attributes.ATTRIBUTES, stat_line.MOVEMENT)
"""The attributes and the number that saves are made with."""


class Save(verbs.RollAction, verb="save"):
    """Save: 1d20 at or under an attribute, or Movement for athletics; monsters save with their Sv (R3.9, R3.11)."""

    sentence = "makes {check:a}[ against {against:key}]|makes a saving throw"
    typed_dice = (DiceStep(tests={"the d20 of the save": "saving throw"}),)

    who: str = param.character("who saves", actor=True)
    attribute: str = param.choice(
        "with what: str against what cannot be dodged, dex against what can, con against poison and illness, int against "
        "spells, wis against horror, illusion and a foreign will, movement for athletics",
        SAVES,
    )
    against: str = param.words("what it is against", default="", gm_only=False)
    listen: bool = param.flag("it is to listen, with Advantage after a Turn in the dark (R3.64)", gm_only=True)
    bonus: tuple[str, ...] = param.names(
        "what raises the number to roll under, as '+2 braced'", default=(), gm_only=True
    )

    check_available = verbs.available_if(require.living)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who)
        if self.listen and self.attribute != "wis":
            table.refuse("Listening is a save with wis.", "attribute")
        raised = sum(term.amount for term in d20.bonuses(table, self.bonus))
        kind = LISTEN if self.listen else ""
        save(table, who, self.attribute, kind=kind, ease=self.ease, bonus=raised, against=self.against)


_OF_SAVES = {"str": "physical", "dex": "physical", stat_line.MOVEMENT: "athletics"}


def save(
    table: Table,
    who: Character,
    attribute: str,
    *,
    kind: str = "",
    ease: d20.Advantage = d20.NO_ADVANTAGE,
    bonus: int = 0,
    against: str = "",
    purpose: str = "saving throw",
) -> bool:
    """A d20 at or under the score, Movement or a monster's Save, with a ``bonus`` to it (R3.9, R3.11, R3.96, Q3.18, Q3.56)."""
    if attribute == stat_line.MOVEMENT:
        score = encumbrance.movement(who, house(table))
    else:
        own = (attribute, stat_line.SAVE_OF.get(attribute, ""), stat_line.SAVE)  # the nearest to it that was entered
        stat = next((each for each in own if each in who.stats), "")
        score = who.stats.get(stat, attributes.AVERAGE) + templates.effect(who, "save")
    target = score + bonus
    kind = kind or _OF_SAVES.get(attribute, "save")
    roll = roll_test(table, who, kind=kind, purpose=purpose, ease=ease, low_is_better=True)
    saved = roll.total <= target
    check, word = f"{ability_scores.NAMES.get(attribute, 'Movement')} save", "saved" if saved else "not saved"
    d20.record_check(table, who.id, check, roll.total, target, success=saved, outcome=word, against=against)
    return saved
