"""Luck points: holders and caps, their return, and their effect on a roll (R1.10–R1.13, Q1.8–Q1.10).

Luck is for characters; monsters and things have none. Hours are counted from the second in which a character joined, so the
first point of a newcomer is a whole hour away (Q1.9).
"""

from collections.abc import Iterable

from rollbook.kit import clock, counters, d20, verbs
from rollbook.plugin import Character, CharacterKind, SecondThought, Table, Term, events, param
from rollbook.rulesets.luckpoint.abilities import special_abilities_of
from rollbook.rulesets.luckpoint.settings import CAP, Settings

LUCK = "luck"
SECOND_THOUGHTS = {LUCK: "spend a luck point after one's own normal roll: one more die, and the higher counts (R1.10)"}
USUAL_CAP, USUAL_PER_HOUR = 2, 1

JOINED_AT = "luck_second"
"""The stat that holds the second of the hour in which a character joined."""


def held(who: Character) -> int:
    """Luck points that a character holds."""
    return who.pools.get(LUCK, 0)


def has_luck(who: Character) -> bool:
    """Tell if a character has luck at all."""
    return who.kind not in (CharacterKind.MONSTER, CharacterKind.THING)


def luck_cap(who: Character) -> int:
    """The most luck points that a character can hold: two, four for the Lucky (R1.13, R1.55)."""
    return max((USUAL_CAP, *(each.luck_cap for each in special_abilities_of(who)))) if has_luck(who) else 0


def luck_per_hour(who: Character) -> int:
    """Luck points that come back in an hour (R1.12, R1.55)."""
    return max((USUAL_PER_HOUR, *(each.luck_per_hour for each in special_abilities_of(who)))) if has_luck(who) else 0


def regain_luck(table: Table, name: str, hours: int) -> None:
    """Luck for completed hours, up to the cap; hours spent at the cap are lost (R1.12, Q1.9)."""
    who = table.character(name)
    amount = min(hours * luck_per_hour(who), luck_cap(who) - held(who))
    counters.change(table, name, LUCK, max(amount, 0), "an hour" if hours == 1 else f"{hours} hours")


def count_hours(table: Table, name: str) -> None:
    """Count a newcomer's hours from this second on (Q1.9)."""
    second = table.clock % clock.HOUR
    if second:
        table.record(events.StatChanged(character=name, stat=JOINED_AT, amount=second, reason="joins"))


def begin_luck(table: Table, name: str) -> None:
    """Give a newcomer luck, and note the second from which the hours count (Q1.8, Q1.9)."""
    count_hours(table, name)
    _be_lucky(table, name, luck_cap(table.character(name)))


def follow_cap(table: Table, before: Character) -> None:
    """Raise a new character's luck with its cap: being lucky may be chosen after joining, too (Q1.8, R1.55)."""
    _be_lucky(table, before.id, luck_cap(table.character(before.id)) - luck_cap(before))


def _be_lucky(table: Table, name: str, amount: int) -> None:
    if amount > 0 and Settings.of(table).luck_start == CAP:
        table.record(events.PoolGained(holder=name, pool=LUCK, amount=amount, reason="lucky so far"))


def spend_luck(table: Table, who: Character, reason: str) -> None:
    """Spend one point. Refused for a character who holds none."""
    if held(who) < 1:
        again = "it comes back by the hour" if has_luck(who) else "luck is for characters, not for monsters and things"
        table.refuse(f"{who.name} has no luck to spend: {again}.")
    table.record(events.PoolSpent(holder=who.id, pool=LUCK, amount=1, reason=reason))


def before_rolling(table: Table, who: Character, ease: d20.Advantage, *, luck: bool) -> d20.Advantage:
    """Ease and hindrance of a roll; a point of ``luck`` takes disadvantage away and leaves a normal roll (R1.11, Q1.10)."""
    if not luck:
        return ease
    if d20.cancelling_advantage(ease) >= 0:
        none = f"Luck before a roll takes disadvantage away, and {who.name} has none here"
        table.refuse(f"{none}. After a normal roll it brings another die: rollbook reroll --by {who.id}")
    spend_luck(table, who, f"no disadvantage: {ease.reasons}")
    return d20.NO_ADVANTAGE


class TaskRolls(d20.Rolls):
    """The d20s of one action; a point of luck after each of them brings another die (R1.10)."""

    def __init__(self, table: Table) -> None:
        super().__init__(table, {LUCK: self._try_luck})

    def _try_luck(self, thought: SecondThought, result: d20.RollResult) -> None:
        """Only on one's own normal roll, and once: then it has advantage (Q1.10)."""
        table = self._table
        who = table.character(result.who)
        if thought.character not in ("", who.id):
            table.refuse(f"This roll is {who.name}'s, and luck helps nobody but its owner: --by {who.id}")
        if result.net:
            had = "advantage already" if result.net > 0 else "disadvantage: luck takes it away before the roll, --luck"
            table.refuse(f"Luck after a roll is for a normal one; {who.name}'s {result.purpose} had {had}.")
        if thought.keep not in ("", "best"):
            table.refuse("With luck the higher of the two dice counts, and nothing else can be kept.")
        spend_luck(table, who, f"{result.purpose} with luck")
        self.keep(thought, result, self.again(result, f"{result.purpose} with luck"))
        result.net = 1


class LuckyAction(verbs.RollAction):
    """An action that rolls a d20: what makes it easier or harder, and luck before the roll (R1.5, R1.11)."""

    bonus: tuple[str, ...] = param.names("further bonuses, as '+2 good tools'", default=(), gm_only=True)
    luck: bool = param.flag("spend a luck point first, which takes disadvantage away", gm_only=False)

    def eased(self, table: Table, who: Character) -> d20.Advantage:
        """Reasons why the roll is easier or harder, once luck has been spent."""
        return before_rolling(table, who, self.ease, luck=self.luck)

    def roll(self, table: Table, who: Character, terms: Iterable[Term], *, purpose: str) -> d20.RollResult:
        """1d20, these summands and the bonuses that were typed, with luck before the roll and after it."""
        ease = self.eased(table, who)
        terms = (*terms, *d20.bonuses(table, self.bonus))
        with TaskRolls(table) as rolls:
            return rolls.with_advantage(who.id, terms, purpose=purpose, ease=ease)
