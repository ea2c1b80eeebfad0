"""Encounters: initiative, rounds and turns (R0.24, R0.31–R0.35, Q0.10, Q0.29)."""

from collections.abc import Sequence
from functools import partial

from rollbook.kit import stat_entry, turn_order, verbs
from rollbook.plugin import Action, Character, CharacterKind, DiceStep, Table, Term, events, param
from rollbook.rulesets.storytoken.body import conditions, hit_points, time_passing
from rollbook.rulesets.storytoken.character.abilities import ability_term
from rollbook.rulesets.storytoken.fight import turns
from rollbook.rulesets.storytoken.fight.arms import HIDDEN
from rollbook.rulesets.storytoken.fight.movement import DISTANCE_TO
from rollbook.rulesets.storytoken.magic.spells import SHOCKED
from rollbook.rulesets.storytoken.settings import Settings
from rollbook.rulesets.storytoken.tasks.task_rolls import TaskRolls, standing_ease

SURPRISE = DiceStep(tests={"a d6 for each who may be surprised, if the table rolls for it": "surprise"})
EACH = "a d20 of initiative for each"
TIME_PASSING = DiceStep(
    each="character whom something befalls every round",
    effects={"the d6 of sunlight": "sunlight", **hit_points.AWAKENING, "the d6 of a random turn": "confusion"},
    whose=hit_points.OF_SPIRITS,
    after="what every round does comes with a turn (Q0.29)",
)


class BeginEncounter(Action, verb="begin-encounter", gm_only=True):
    """Count time in rounds: everybody who is not surprised rolls 1d20 + DEX, and the highest acts first (R0.32)."""

    sentence = "begins an encounter with {participants}"
    handles = verbs.BEGINS_A_FIGHT
    typed_dice = (SURPRISE, turn_order.initiative_dice(EACH, first=True), TIME_PASSING, SHOCKED)

    participants: tuple[str, ...] = param.characters("who takes part")
    surprised: tuple[str, ...] = param.characters("who of them is surprised and loses the first round", default=())
    hidden: tuple[str, ...] = param.characters("who of them begins motionless and partly hidden", default=())
    title: str = param.label("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        turn_order.check_participants(table, (*self.surprised, *self.hidden), self.participants)
        turn_order.begin_encounter(table, self.participants, title=self.title)
        for name in self.surprised:
            rolls_for_it = Settings.of(table).surprise_roll != "none"
            if not rolls_for_it or table.roll("1d6", roller=name, purpose="surprise").total <= 2:
                conditions.begin(table, name, conditions.SURPRISED)
        for name in self.hidden:
            conditions.begin(table, name, HIDDEN)
        with TaskRolls(table) as rolls:
            if not begin_round(table, rolls, self.participants):
                table.refuse("Nobody in this encounter can act: everybody is surprised or down.", "participants")


JoinEncounter = verbs.join_encounter_verb(
    lambda table, who, *, hidden: hidden and conditions.begin(table, who.id, HIDDEN),
    help="A character joins a fight and can act from the next round on (Q0.10).",
    waits=lambda table: Settings.of(table).late_joiner == "next_round",
    fields={"hidden": param.flag("motionless and partly hidden (Obscurity)")},
)


class EndTurn(Action, verb="end-turn", by_any_seat=True):
    """End the turn and say who goes next; when all have acted, a new round begins (R0.33, R0.35)."""

    sentence = "ends the turn"
    handles = verbs.CHOOSES_NEXT
    typed_dice = (TIME_PASSING, SHOCKED, turn_order.initiative_dice(EACH), TIME_PASSING, SHOCKED)

    next: str = param.character("who goes next, of those who have not acted", default="", gm_only=False)
    to_gm: bool = param.flag("let the GM take an NPC's turn", gm_only=False)
    stays: bool = param.flag(
        "the GM rules that somebody afraid sees no more what they fear, or has no way to go", gm_only=True
    )

    @classmethod
    def check_available(cls, table: Table, _: str, /) -> None:
        cls._check_current(table, stays=False)
        turn_order.end_turn(table)

    def resolve(self, table: Table) -> None:
        self._check_current(table, stays=self.stays)
        turn_order.end_turn(table)
        waiting = turn_order.still_to_act(table, KEPT_OUT)
        with TaskRolls(table) as rolls:
            if waiting:
                self._hand_over(table, waiting)
            else:
                end_round(table)
                begin_round(table, rolls, turn_order.require_encounter(table).order)
                if self.next:
                    table.refuse("The round is over, so initiative decides who is next. Leave --next out.", "next")

    @staticmethod
    def _check_current(table: Table, *, stays: bool) -> None:
        turn_order.check_may_continue(table, hand_on=turns.HAND_ON)
        current = turn_order.require_encounter(table).current
        if current:
            turns.check_control(table, table.character(current))
        if current and not stays:
            turns.check_fled(table, table.character(current))

    def _hand_over(self, table: Table, waiting: list[Character]) -> None:
        if self.to_gm:
            waiting = [who for who in waiting if who.kind is not CharacterKind.PLAYER_CHARACTER]
            if not waiting:
                table.refuse("No NPC is left to act in this round. Name a character: end-turn --next ID", "next")
        if self.next:
            turn_order.check_next(table, self.next, waiting, KEPT_OUT)
            start_turn(table, self.next)
        elif len(waiting) == 1:
            start_turn(table, waiting[0].id)
        elif not self.to_gm:
            ids = ", ".join(who.id for who in waiting)
            table.refuse(f"Say who goes next, with --next: {ids}. An NPC's turn goes to the GM with --to-gm.", "next")


def _end(table: Table, order: Sequence[str]) -> None:
    """Surprise, hiding and manoeuvres end with a fight, and so does rage, at its cost (R0.161)."""
    conditions.end_for_all(table, order, conditions.SURPRISED, conditions.ARRIVING, HIDDEN, *conditions.OF_MANOEUVRES)
    for name in order:
        conditions.end_with_data(table, name, DISTANCE_TO)
        if table.character(name).has(conditions.RAGING):
            hit_points.end_rage(table, name)


EndEncounter = verbs.end_encounter_verb(_end, help="The encounter is over; nobody counts rounds any more.")


KEPT_OUT = (conditions.UNCONSCIOUS, conditions.DEAD, conditions.SURPRISED, conditions.ARRIVING, *conditions.NO_TURN)
"""The conditions of characters who get no turn in a round."""

INITIATIVE = "initiative"


def initiative_terms(who: Character) -> list[Term]:
    """The summands of the d20 of initiative (R0.32)."""
    ruled = stat_entry.terms(who, INITIATIVE, "ruling")
    return [ability_term(who, "dex"), *conditions.bonus_terms(who, (INITIATIVE,)), *ruled]


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """Begin a round; ties go to the higher modifier, for the lead to a roll (R0.20, Q0.7). False if none can act."""

    def roll(who: Character) -> tuple[int, int]:
        ease = standing_ease(who, "dex", (INITIATIVE,))
        rolled = rolls.with_advantage(who.id, initiative_terms(who), purpose=INITIATIVE, ease=ease)
        return rolled.total, rolled.modifier

    first = turn_order.begin_round(table, participants, KEPT_OUT, partial(turn_order.rank, roll=roll, only_first=True))
    if first:
        start_turn(table, first)
    return bool(first)


def end_round(table: Table) -> None:
    """End a round: surprise is over, latecomers may act, and about ten seconds have passed (R0.24)."""
    acted, before = turn_order.require_encounter(table).acted, table.clock
    turn_order.end_round(table, conditions.SURPRISED, conditions.ARRIVING)
    table.record(events.TimePassed(seconds=Settings.of(table).round_seconds))
    time_passing.time_passed(table, before, rest=False, acted=acted)


def start_turn(table: Table, name: str) -> None:
    """Begin a turn: end manoeuvres, apply what happens every round, roll for the confused (Q0.29).

    Of those, 1 and 2 strike the nearest, 3 and 4 run, 5 and 6 freeze (R0.69, Q0.30).
    """
    table.record(events.TurnBegan(character=name))
    conditions.end_manoeuvre(table, name)
    time_passing.TimeEffects(table, name).run_a_round()
    confused = table.character(name).conditions.get(conditions.CONFUSED)
    if confused is not None:
        dice = conditions.CONDITIONS[conditions.CONFUSED].each_turn
        face = table.roll(dice, roller=name, purpose="confusion").total
        does = (turns.STRIKES, turns.FLEES, turns.FREEZES)[min(face - 1, 5) // 2]
        conditions.change(table, name, confused, detail=turns.CONFUSED_TURNS[does], data={conditions.DOES: does})
