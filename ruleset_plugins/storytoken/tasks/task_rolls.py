"""The task roll: 1d20 + ability + bonuses, with advantage, disadvantage and second thoughts (R0.15–R0.17).

Every d20 of the game is rolled here, so this is where a story token has one rolled again (R0.95): once the roll is known
and before its effects, with the same modifiers and advantage, and the spender picks (Q0.38). Purposes of rolls never
change, so that a corrected action meets its own dice.
"""

from collections.abc import Iterable

from rollbook.kit import clock, d20, require, verbs
from rollbook.plugin import Character, SecondThought, Table, Term, param
from rollbook.rulesets.storytoken.body import conditions
from rollbook.rulesets.storytoken.character.abilities import ability_term
from rollbook.rulesets.storytoken.character.heritages import excels, heritage_of
from rollbook.rulesets.storytoken.character.roles import role_terms, roles_of, topic_terms
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.story.tokens import pay, tempt

REROLL, TEMPT_FATE, BEAST_BOND = "reroll", "tempt-fate", "beast-bond"
SECOND_THOUGHTS = {
    REROLL: "spend a story token (the GM: a complication point) to roll one d20 again and keep either (R0.95)",
    TEMPT_FATE: "roll one d20 again and keep either; the GM gets two complication points (R0.102)",
    BEAST_BOND: "once a day, roll a failed attempt to win a beast over again (R0.160)",
}


def standing_ease(who: Character, ability: str, kinds: tuple[str, ...], spared: tuple[str, ...] = ()) -> d20.Advantage:
    """Advantage and disadvantage from heritage and conditions on a roll of these kinds (Q0.51)."""
    ease = conditions.ease_of(who, ability, kinds, spared)
    return d20.Advantage(advantage=(heritage_of(who).name,)) + ease if excels(who, ability, kinds) else ease


class TaskRolls(d20.Rolls):
    """The task rolls of one action. ``reaction`` is the goal of a roll to win a beast over, 0 for any other."""

    def __init__(self, table: Table, *, reaction: int = 0) -> None:
        super().__init__(table, {REROLL: self._again, TEMPT_FATE: self._again, BEAST_BOND: self._bond})
        self._reaction = reaction

    def task(
        self,
        who: Character,
        ability: str,
        *,
        kinds: tuple[str, ...],
        purpose: str,
        terms: Iterable[Term] = (),
        ease: d20.Advantage = d20.NO_ADVANTAGE,
        spared: tuple[str, ...] = (),
    ) -> d20.RollResult:
        """1d20 + ability + ``terms``, with advantage or disadvantage, then second thoughts."""
        terms = (ability_term(who, ability), *terms, *conditions.bonus_terms(who, kinds))
        ease += standing_ease(who, ability, kinds, spared)
        return self.with_advantage(who.id, terms, purpose=purpose, ease=ease)

    def _again(self, thought: SecondThought, stands: d20.RollResult) -> None:
        reason = f"rolls {self._table.character(stands.who).name}'s {stands.purpose} again"
        if thought.kind == TEMPT_FATE and thought.character:
            tempt(self._table, self._table.character(thought.character), reason)
        else:
            pay(self._table, thought.character, reason)
        check_sees(self._table, thought.character or stands.who, self._table.character(stands.who))
        self.keep(thought, stands, self.again(stands, f"{stands.purpose} rerolled"))

    def _bond(self, thought: SecondThought, stands: d20.RollResult) -> None:
        """Roll a failed attempt to influence a beast again, once in 24 hours (R0.160, Q0.69)."""
        table, who = self._table, self._table.character(stands.who)
        if thought.character not in ("", who.id) or not any(role.bonds_with_beasts for role in roles_of(who)):
            table.refuse(f"Beast Bond rolls one's own roll again, and nobody else's; {who.name} rolled.")
        if not self._reaction or stands.total >= self._reaction:
            table.refuse(f"Beast Bond is for failed attempts to influence a beast; {who.name} made none.")
        clock.use_power(table, who, BEAST_BOND, calendar=Settings.of(table).by_calendar)
        self.keep(thought, stands, self.again(stands, f"{stands.purpose} rerolled"))


def check_sees(table: Table, spender: str, roller: Character) -> None:
    """Refuse to change a roll of a character out of the spender's sight; one's own counts as seen (R0.95, Q0.38)."""
    who = table.character(spender)
    if who.id == roller.id:
        return
    if who.has(conditions.BLINDED):
        table.refuse(f"{who.name} is blinded and sees nobody else roll. A token rolls again what one can see.")
    if roller.has(conditions.INVISIBLE):
        table.refuse(f"{roller.name} is invisible, so {who.name} cannot see that roll.")


class TaskAction(verbs.RollAction):
    """A verb with a task roll, and what may be said about the roll: only the GM makes it easier."""

    bonus: tuple[str, ...] = param.names("further bonuses, as '+2 high ground'", default=(), gm_only=True)
    spared: tuple[str, ...] = param.choices(
        f"conditions to ignore: {conditions.SPARED}", conditions.SITUATIONAL, default=(), gm_only=True
    )

    def roll_task(
        self,
        rolls: TaskRolls,
        who: Character,
        ability: str,
        *kinds: str,
        purpose: str,
        terms: Iterable[Term],
        ease: d20.Advantage = d20.NO_ADVANTAGE,
    ) -> d20.RollResult:
        """1d20 + ability + ``terms``, with the advantage and disadvantage that were typed and ``ease``."""
        ease = self.ease + ease
        return rolls.task(who, ability, kinds=kinds, purpose=purpose, terms=terms, ease=ease, spared=self.spared)


ATTACK, INSIGHT = "attack", "insight"
UNAWARE = (ATTACK, INSIGHT)
"""The things that a target may be unaware of: the blow, or the attacker's occult insight (R0.159, R0.163, R0.174)."""

NOTICES_NOTHING = (conditions.SURPRISED, conditions.UNCONSCIOUS)
"""The conditions of a target that is unaware of any attack."""

UNAWARE_HELP = "what the target knows nothing of: the attack (Assassination, Thieving), an occult insight (Eldritch)"
INSIGHT_HELP = "what the target knows nothing of: an occult insight (Eldritch)"
INFORMED_HELP = "a scientist's analysis helps: of whom it is against, or of what the GM says (Science)"


def task_terms(
    table: Table, who: Character, topic: str, typed: tuple[str, ...], *, informed: bool = False, against: str = ""
) -> tuple[Term, ...]:
    """The terms of roles for a topic, of typed bonuses, and of an analysis of the one it is ``against`` (R0.171)."""
    terms = (*topic_terms(who, topic, Settings.of(table)), *d20.bonuses(table, typed))
    return (*terms, informed_term(table, who, against)) if informed else terms


def informed_term(table: Table, who: Character, against: str) -> Term:
    """The term of an analysis. Refused without one, and to a player for a target that it was not about."""
    analysis = who.conditions.get(conditions.INFORMED)
    if analysis is None:
        table.refuse(f"No analysis helps {who.name} now. A scientist makes one with: inspire NAME analysis")
    if not against or conditions.text(analysis, conditions.ABOUT) != against:
        require.ruling(table, "informed", "the analysis is of the one whom this is against")
    strength = conditions.number(analysis, conditions.STRENGTH)
    return Term(strength, "analysis", "R0.171", f"condition.{conditions.INFORMED}")


def check_unaware(table: Table, unaware: tuple[str, ...], target: Character) -> None:
    """Refuse a player's word that a target knows nothing, unless it cannot know of the attack (R0.159, R0.163, R0.174)."""
    is_off_guard = any(target.has(state) for state in NOTICES_NOTHING)
    if any(what != ATTACK or not is_off_guard for what in unaware):
        require.ruling(table, "unaware", "an attack comes at somebody who is surprised or unconscious")


def unaware_terms(table: Table, who: Character, unaware: tuple[str, ...], *, damage: bool) -> list[Term]:
    """The terms of roles against a target that knows nothing; those of several roles add up (Q0.50)."""
    if not unaware:
        return []
    settings = Settings.of(table)
    attack, insight = ("unaware_damage", "insight_effect") if damage else ("unaware_to_hit", "insight")
    return [term for what in unaware for term in role_terms(who, {ATTACK: attack, INSIGHT: insight}[what], settings)]
