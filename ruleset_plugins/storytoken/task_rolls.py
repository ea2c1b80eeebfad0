"""The task roll: 1d20 + ability + whatever else counts, with advantage, disadvantage and second thoughts (R0.15–R0.17).

Every d20 of the game is rolled here, so this is the one place where a story token can have one rolled again (R0.95):
after the roll is known, before anything comes of it, with the same modifiers and the same advantage, and the spender
picks (Q0.38). Purposes stay the same whatever is amended, so that a corrected action meets its own dice.
"""

from __future__ import annotations

from collections.abc import Iterable

from ruleset_plugins import EVEN, Character, D20Rolls, Ease, Intervention, Rolled, Table, Term, use
from ruleset_plugins.storytoken.abilities import ability_term
from ruleset_plugins.storytoken.conditions import bonus_terms, ease_of
from ruleset_plugins.storytoken.heritages import excels, heritage_of
from ruleset_plugins.storytoken.roles import roles_of
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.tokens import pay, tempt

REROLL = "reroll"
TEMPT_FATE = "tempt-fate"
BEAST_BOND = "beast-bond"
SECOND_THOUGHTS = {
    REROLL: "spend a story token (the GM: a complication point) to roll one d20 again and keep either (R0.95)",
    TEMPT_FATE: "roll one d20 again and keep either; the GM gets two complication points (R0.102)",
    BEAST_BOND: "once a day, roll a failed attempt to win a beast over again (R0.160)",
}


def standing_ease(who: Character, ability: str, kinds: tuple[str, ...], spared: tuple[str, ...] = ()) -> Ease:
    """What birth and condition do to a roll of these kinds: check, save, attack, initiative … (Q0.51)."""
    ease = ease_of(who, ability, kinds, spared)
    return Ease(advantage=(heritage_of(who).name,)) + ease if excels(who, ability, kinds) else ease


class TaskRolls(D20Rolls):
    """The task rolls of one action. ``reaction`` is what a roll to win a beast over must reach, 0 for any other."""

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
        ease: Ease = EVEN,
        spared: tuple[str, ...] = (),
    ) -> Rolled:
        """1d20 + ability + ``terms``, with advantage or disadvantage; then whatever second thoughts there were."""
        terms = (ability_term(who, ability), *terms, *bonus_terms(who, kinds))
        return self.plain(who, terms, purpose=purpose, ease=ease + standing_ease(who, ability, kinds, spared))

    def plain(self, who: Character, terms: Iterable[Term], *, purpose: str, ease: Ease = EVEN) -> Rolled:
        """The same with all summands and reasons given."""
        return self.eased(who.id, terms, purpose=purpose, ease=ease)

    def _again(self, thought: Intervention, stands: Rolled) -> None:
        reason = f"rolls {self._table.character(stands.who).name}'s {stands.purpose} again"
        if thought.kind == TEMPT_FATE and thought.character:
            tempt(self._table, self._table.character(thought.character), reason)
        else:
            pay(self._table, thought.character, reason)
        self.keep(thought, stands, self.again(stands, f"{stands.purpose} rerolled"))

    def _bond(self, thought: Intervention, stands: Rolled) -> None:
        """Whoever has a bond with beasts rolls a failed reaction roll again, once in 24 hours (R0.160, Q0.69)."""
        table, who = self._table, self._table.character(stands.who)
        if thought.character not in ("", who.id) or not any(role.bonds_with_beasts for role in roles_of(who)):
            table.refuse(
                f"Only somebody with Beast Bond rolls such a roll again, and only their own; {who.name} rolled."
            )
        if not self._reaction or stands.total >= self._reaction:
            table.refuse(f"Beast Bond is for failed attempts to influence a beast (--beast); {who.name} made none.")
        use(table, who, BEAST_BOND, calendar=house(table).by_calendar)
        self.keep(thought, stands, self.again(stands, f"{stands.purpose} rerolled"))
