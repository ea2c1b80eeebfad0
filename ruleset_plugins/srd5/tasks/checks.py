"""Ability checks: an ability, a skill or a tool against a DC (R5.5, R5.6, R5.22–R5.26)."""

from typing import Any

from rollbook.kit import ability_scores, d20, verbs, vocabulary
from rollbook.plugin import ABILITIES, Character, DiceStep, Table, Term, character, flag, not_found, words
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.character.abilities import SKILLS, skill_terms
from rollbook.rulesets.srd5.effects.lasting import effects_on
from rollbook.rulesets.srd5.fight import states, turns
from rollbook.rulesets.srd5.tasks.d20_tests import CHECK, Test, TestAction, TestRolls, always_holds, spend_next

LADDER = {"very-easy": 5, "easy": 10, "medium": 15, "hard": 20, "very-hard": 25, "nearly-impossible": 30}


def named(typed: str) -> tuple[str, str]:
    """The ability and the skill that somebody names, each perhaps "". Raises NotFound with the nearest."""
    key = typed.casefold().replace("-", " ").replace("_", " ").strip()
    full = {name.casefold(): short for short, name in ability_scores.NAMES.items()}
    if key in ABILITIES or key in full:
        return full.get(key, key), ""
    if key in SKILLS:
        return SKILLS[key].ability, key
    raise not_found("skill or ability", typed, (*SKILLS, *ABILITIES, *full))


def roll_check(table: Table, rolls: TestRolls, who: Character, ability: str, dc: int, **how: Any) -> bool:
    """Roll a check against a DC; ``how`` as for ``roll_only``. Returns whether it succeeds (R5.5)."""
    roll = roll_only(table, rolls, who, ability, **how)
    name = f"{how.get('skill') or how.get('tool') or ability_scores.NAMES[ability]} check"
    against: Character | None = how.get("against")
    d20.record_roll(table, name, roll, dc, success=roll.total >= dc, against=against.id if against is not None else "")
    return roll.total >= dc


def roll_only(
    table: Table,
    rolls: TestRolls,
    who: Character,
    ability: str,
    *,
    skill: str = "",
    tool: str = "",
    said: TestAction | None = None,
    against: Character | None = None,
    versus: tuple[str, ...] = (),
    ease: d20.Advantage = d20.NO_ADVANTAGE,
) -> d20.RollResult:
    """Roll a check that has no DC of its own: a contest, Stealth."""
    terms = check_terms(who, ability, skill=skill, tool=tool)
    if said is not None:
        terms, ease = (*terms, *d20.bonuses(table, said.bonus)), ease + said.ease
    if tool and masters(who, tool) and who.traits.get(skill) in (abilities.SKILL, abilities.EXPERTISE):
        ease += d20.Advantage((tool,))
    versus = (*versus, features.spelled(tool)) if tool else versus
    test = Test(who, CHECK, ability, skill=skill, against=against, versus=versus)
    roll = rolls.test(test, terms, purpose="check", ease=ease)
    spend_next(table, test)
    return roll


def check_terms(who: Character, ability: str, *, skill: str = "", tool: str = "") -> tuple[Term, ...]:
    """The terms of a check; a tool counts as a skill does, and once where both do (R5.21, R5.26)."""
    if skill and skill_terms(who, skill, ability)[1:]:
        return skill_terms(who, skill, ability)
    if tool and masters(who, tool):
        return abilities.modifier_term(who, ability), abilities.proficiency_term(who)
    if skill:
        return skill_terms(who, skill, ability)
    return abilities.modifier_term(who, ability), *abilities.half_terms(who)


def masters(who: Character, tool: str) -> bool:
    """True if somebody is proficient with a tool (R5.26)."""
    kinds, wanted = (abilities.TOOL, abilities.EXPERTISE), features.spelled(tool)
    return any(kind in kinds and features.spelled(trait) == wanted for trait, kind in who.traits.items())


def passive(who: Character, skill: str = "perception") -> tuple[Term, ...]:
    """The terms of a passive score: 5 more with advantage, 5 less with disadvantage (R5.176)."""
    test = Test(who, CHECK, SKILLS[skill].ability, skill=skill)
    sides = {row.checks for row, _ in states.states_of(who) if not row.in_sight}
    sides |= {held.effect.side for held in effects_on(who, "edge") if always_holds(held, test)}
    more = 5 * (("advantage" in sides) - ("disadvantage" in sides))
    ease = (Term(more, "advantage" if more > 0 else "disadvantage", "R5.176"),) if more else ()
    return Term(10, "base", "R5.176"), *skill_terms(who, skill), *ease


class CheckAction(TestAction):
    """A verb with one check, to be derived from."""

    typed_dice = (DiceStep(tests={"the d20 of the check": "check"}),)

    def check(self, table: Table, who: Character, ability: str, dc: int, **how: Any) -> bool:
        """Roll the check, with what was typed of it; ``how`` as for ``roll_only``."""
        with TestRolls(table, self.spared) as rolls:
            return roll_check(table, rolls, who, ability, dc, said=self, **how)


class Check(CheckAction, verb="check"):
    """Try something: 1d20, an ability and, where a skill or tool counts, the proficiency bonus, against a DC (R5.5)."""

    sentence = "tries {skill:a}|tries something"

    who: str = character("who tries", actor=True)
    skill: str = words("skill or ability", fits=lambda _: (*SKILLS, *ABILITIES), of=vocabulary.SKILL, gm_only=False)
    dc: str = words("the DC: a number, or easy, hard …", default="medium", of=vocabulary.TARGET, gm_only=True)
    ability: str = words("another ability than the skill's own", default="", of=vocabulary.SKILL, gm_only=False)
    tool: str = words("with which tool", default="", of="tool", gm_only=False)
    sight: bool = flag("it needs to be seen, which the blind cannot", gm_only=False)
    hearing: bool = flag("it needs to be heard, which the deaf cannot", gm_only=False)
    action: bool = flag("it takes the action of the turn", gm_only=False)

    check_available = verbs.available_if(turns.check_able)

    def resolve(self, table: Table) -> None:
        ability, skill = named(self.skill)
        ability = named(self.ability)[0] if self.ability else ability
        dc = d20.target_number(table, self.dc, LADDER)
        who = turns.take(table, self.who, turns.ACTION if self.action else turns.FREE)
        if (self.sight and states.has(who, "blinded")) or (self.hearing and states.has(who, "deafened")):
            check, why = f"{skill or ability} check", f"cannot {'see' if self.sight else 'hear'}"
            d20.record_check(table, who.id, check, 0, dc, success=False, outcome=why)
            return
        versus = ("hearing",) if self.hearing else ()
        self.check(table, who, ability, dc, skill=skill, tool=self.tool.casefold(), versus=versus)
