"""Encounters.

Initiative says who begins, then each turn is handed on or interrupted (R2.10–R2.16, Q2.6–Q2.9, Q2.14, Q2.15).
"""

from collections.abc import Iterable, Sequence
from functools import partial

from rollbook.kit import conditions, require, turn_order, verbs
from rollbook.plugin import Action, Character, DiceStep, Encounter, Table, character, events
from rollbook.rulesets.powers.checks import TaskRolls
from rollbook.rulesets.powers.hit_points import KEPT_OUT, require_able
from rollbook.rulesets.powers.powers import MAIN, Power, attacks_of, power_of
from rollbook.rulesets.powers.settings import NEXT_ROUND, Settings
from rollbook.rulesets.powers.stats import INITIATIVE, stat_term

USED, ATTACKED, MAY_INTERRUPT, INTERRUPTED = "power", "attacked", "may interrupt", "interrupted"
"""The notes of ``TurnSpent`` in a turn besides the main power: each is about a power or a character."""


def spend_power(table: Table, who: Character, power: Power, *, out_of_turn: bool = False) -> None:
    """Use a power in one's own turn: none of them twice, and no second main power (R2.11, Q2.5)."""
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn, hand_on=" --next ID")
    if encounter is None:
        return
    if power.key in turn_order.spent_on(encounter, USED):
        table.refuse(
            f"{who.name} has used {power.title} this turn, and no power works twice in a turn. Use another.", "power"
        )
    if power.cost_under(Settings.of(table)) == MAIN:
        if MAIN in encounter.spent:
            used = f"{power.title} is a main power, and {who.name} has used one this turn"
            table.refuse(f"{used}. Use a free power, or hand the turn on: end-turn --next ID")
        turn_order.spend(table, who, MAIN)
    turn_order.spend(table, who, USED, about=power.key)


def check_any_power(table: Table, name: str, *, others: bool = False) -> None:
    """Refuse, in the words for the first, if the turn allows none of the attacks, or of the ``others``."""
    who = require_able(table, name)
    require.any_of(attacks_of(who, others=others), lambda key: spend_power(table, who, power_of(who, key)))


def note_attacked(table: Table, attacker: Character, targets: Iterable[Character]) -> None:
    """Note the targets, hit or missed: they may take the next turn (R2.13, Q2.7)."""
    if table.encounter is not None and table.encounter.current == attacker.id:
        for target in targets:
            turn_order.spend(table, attacker, ATTACKED, about=target.id)


def begin_turn(table: Table, name: str, claimants: Iterable[str]) -> None:
    """Begin a turn, which any of the ``claimants`` may take."""
    table.record(events.TurnBegan(character=name))
    who = table.character(name)
    for claimant in claimants:
        turn_order.spend(table, who, MAY_INTERRUPT, about=claimant)


def _never_began(table: Table, encounter: Encounter) -> bool:
    """Tell whether the character whose turn it is was put out of action before doing anything in it (Q2.9)."""
    if not encounter.current or set(encounter.spent) - {MAY_INTERRUPT, INTERRUPTED}:
        return False
    who = table.character(encounter.current)
    return any(who.has(state) for state in KEPT_OUT)


class EndTurn(verbs.EndTurnAction, verb="end-turn"):
    """End the turn and pick who is next, ally or enemy; after the last turn of a round, anybody (R2.12, R2.16)."""

    handles = verbs.CHOOSES_NEXT

    next: str = character("who takes the next turn, of those who have not had one", default="", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, _: str, /) -> None:
        encounter = turn_order.require_encounter(table)
        if _never_began(table, encounter):
            cls._check_picks_again(table, encounter)
        else:
            turn_order.check_may_end(table, hand_on=" --next ID")

    def resolve(self, table: Table) -> None:
        encounter = turn_order.require_encounter(table)
        picks_again = _never_began(table, encounter)
        claimants = turn_order.spent_on(encounter, MAY_INTERRUPT if picks_again else ATTACKED)
        if picks_again:
            self._check_picks_again(table, encounter)
        else:
            turn_order.check_may_continue(table, hand_on=" --next ID")
            turn_order.end_turn(table)
        waiting = turn_order.still_to_act(table, KEPT_OUT)
        if not waiting:
            waiting = self._next_round(table)
            if not picks_again and not Settings.of(table).interrupt_across_rounds:
                claimants = ()
        begin_turn(table, self._picked(table, waiting), [who.id for who in waiting if who.id in claimants])

    @staticmethod
    def _check_picks_again(table: Table, encounter: Encounter) -> None:
        """Refuse another seat than the picker's if the one picked cannot act; the same may interrupt (Q2.7, Q2.9)."""
        picker = table.character(encounter.acted[-1]) if encounter.acted else None
        if not require.is_gm(table) and (picker is None or picker.seat != table.seat):
            says = picker.name if picker is not None else "the GM"
            table.refuse(f"{table.character(encounter.current).name} cannot act, and {says} picks again.")

    def _next_round(self, table: Table) -> list[Character]:
        """Begin a new round, as all who could act have acted. Returns those who can act in it (R2.15, Q2.9)."""
        turn_order.end_round(table, conditions.ARRIVING, seconds=Settings.of(table).round_seconds)
        table.record(events.RoundBegan())
        return turn_order.still_to_act(table, KEPT_OUT)

    def _picked(self, table: Table, waiting: Sequence[Character]) -> str:
        if not waiting:
            table.refuse("Nobody in this fight can act any more. The GM ends it with: end-encounter")
        if self.next:
            turn_order.check_next(table, self.next, waiting, KEPT_OUT)
        elif len(waiting) > 1:
            encounter, ids = turn_order.require_encounter(table), ", ".join(who.id for who in waiting)
            begins = "" if encounter.acted else f" Round {encounter.round} begins, and the last to act picks."
            table.refuse(f"Say who takes the next turn, with --next: {ids}.{begins}", "next")
        return self.next or waiting[0].id


class Interrupt(Action, verb="interrupt"):
    """Take the next turn instead of the one who was picked, after being attacked in the turn before (R2.13, Q2.7)."""

    sentence = "interrupts to take the next turn"

    who: str = character("who was attacked and takes the turn", actor=True)

    check_available = verbs.available_if(lambda table, who: Interrupt(who=who).claimants(table))

    def resolve(self, table: Table) -> None:
        claimants = self.claimants(table)
        begin_turn(table, self.who, claimants)
        turn_order.spend(table, table.character(self.who), INTERRUPTED)

    def claimants(self, table: Table) -> Sequence[str]:
        """The ids of all who may interrupt. Refused unless this character may."""
        encounter = turn_order.require_encounter(table)
        who = require_able(table, self.who)
        claimants = turn_order.spent_on(encounter, MAY_INTERRUPT)
        if encounter.current == who.id:
            table.refuse(f"{who.name} has the turn already.")
        if who.id not in claimants:
            can = ", ".join(claimants) or "nobody"
            table.refuse(f"{who.name} cannot interrupt: {self._why_not(table, encounter, who)}. Those who can: {can}.")
        turn = table.character(encounter.current).name
        if set(encounter.spent) - {MAY_INTERRUPT, INTERRUPTED}:
            table.refuse(f"{who.name} is too late: {turn} has begun to act. An Interrupt comes right after the pick.")
        if INTERRUPTED in encounter.spent:
            self._check_initiative(table, encounter, who, turn)
        return claimants

    def _why_not(self, table: Table, encounter: Encounter, who: Character) -> str:
        if who.id in encounter.acted:
            return f"{who.name} has had a turn in round {encounter.round}"
        if encounter.round > 1 and not encounter.acted and not Settings.of(table).interrupt_across_rounds:
            return "at this table nobody interrupts across rounds (interrupt_across_rounds = no)"
        return f"{who.name} was not attacked in the turn before"

    def _check_initiative(self, table: Table, encounter: Encounter, who: Character, turn: str) -> None:
        scores = dict(zip(encounter.order, encounter.scores, strict=False))
        mine, theirs = scores.get(who.id, 0), scores.get(encounter.current, 0)
        if mine < theirs:
            table.refuse(f"{turn} has interrupted too, and with {theirs} against {mine} has the higher initiative.")
        if mine == theirs and not require.is_gm(table):
            table.refuse(f"{turn} has interrupted too, with the same initiative of {mine}: the GM says who goes first.")


ROLLING = DiceStep(tests={"a d20 of initiative for each": INITIATIVE})


def _roll_initiative(rolls: TaskRolls, who: Character) -> tuple[int, int]:
    """Roll 1d20 + Initiative; in a tie the higher bonus goes first (Q2.6)."""
    roll = rolls.with_advantage(who.id, (stat_term(who, INITIATIVE),), purpose=INITIATIVE)
    return roll.total, roll.modifier


class BeginEncounter(verbs.BeginEncounterAction, verb="begin-encounter"):
    """A fight breaks out: everybody rolls Initiative once, and the highest takes the first turn (R2.10)."""

    typed_dice = (ROLLING,)

    def resolve(self, table: Table) -> None:
        """Begin the fight. Only a tie for the first place is rolled again; later ones are the GM's (Q2.6, Q2.7)."""
        turn_order.begin_encounter(table, self.participants, title=self.title)
        with TaskRolls(table) as rolls:
            roll = partial(_roll_initiative, rolls)
            in_order = partial(turn_order.rank, roll=roll, only_first=True)
            first = turn_order.begin_round(table, self.participants, KEPT_OUT, in_order)
        if not first:
            table.refuse("Nobody in this fight can act. Name a character who has hit points left.", "participants")
        begin_turn(table, first, ())


def _take_place(table: Table, who: Character) -> None:
    with TaskRolls(table) as rolls:
        total, _ = _roll_initiative(rolls, who)
    turn_order.insert(table, who.id, total)


JoinEncounter = verbs.join_encounter_verb(
    _take_place,
    help="A character joins a fight: they roll Initiative and have not acted in this round yet (Q2.15).",
    waits=lambda table: Settings.of(table).late_joiner == NEXT_ROUND,
    typed_dice=(ROLLING,),
)


EndEncounter = verbs.end_encounter_verb(
    lambda table, order: conditions.end_for_all(table, order, conditions.ARRIVING),
    help="The fight is over, and nobody counts rounds any more.",
)
