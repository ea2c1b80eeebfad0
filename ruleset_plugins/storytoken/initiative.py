"""Rounds and turns: initiative says who begins, then the table hands the turn on (R0.31–R0.35, Q0.10)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, TypeAlias

import attrs

from ruleset_plugins import Action, Character, Encounter, Kind, Table, Term, character, characters, events, flag, words
from ruleset_plugins.storytoken.abilities import ability_term
from ruleset_plugins.storytoken.armour import HIDDEN
from ruleset_plugins.storytoken.injury import DEAD, UNCONSCIOUS
from ruleset_plugins.storytoken.passing_time import time_passed
from ruleset_plugins.storytoken.settings import house
from ruleset_plugins.storytoken.task_rolls import TaskRoll, TaskRolls, standing_ease
from ruleset_plugins.storytoken.turns import ARRIVING, SURPRISED, is_gm, living

KEPT_OUT = (UNCONSCIOUS, DEAD, SURPRISED, ARRIVING)


def initiative_terms(who: Character) -> list[Term]:
    """What is added to the d20 of initiative (R0.32)."""
    terms = [ability_term(who, "dex")]
    if "initiative" in who.stats:
        terms.append(Term(who.stats["initiative"], "ruling", "QG.8", "stat.initiative"))
    return terms


def can_act(table: Table, names: Sequence[str]) -> list[Character]:
    """Who of these is in play, awake, and neither surprised nor just arriving."""
    found = (table.character(name) for name in names)
    return [who for who in found if who.present and not any(who.has(state) for state in KEPT_OUT)]


def _fighting(table: Table) -> Encounter:
    encounter = table.encounter
    if encounter is None:
        table.refuse("No encounter is being fought. Begin one: begin-encounter NAME,NAME,…")
    return encounter


@attrs.frozen(kw_only=True)
class BeginEncounter(Action):
    """Count time in rounds: everybody who is not surprised rolls 1d20 + DEX, and the highest acts first (R0.32)."""

    verb: ClassVar[str] = "begin-encounter"
    gm_only: ClassVar[bool] = True

    participants: tuple[str, ...] = characters("who takes part")
    surprised: tuple[str, ...] = characters("who of them is surprised and loses the first round", default=())
    hidden: tuple[str, ...] = characters("who of them begins motionless and partly hidden", default=())
    title: str = words("what the encounter is called", default="")

    def resolve(self, table: Table) -> None:
        """Surprise and hiding first, then round one."""
        if table.encounter is not None:
            table.refuse("An encounter is already being fought. End it first: end-encounter")
        self._check_names(table)
        table.record(events.EncounterBegan(title=self.title))
        for name in self.surprised:
            if house(table).surprise_roll == "none" or table.roll("1d6", roller=name, purpose="surprise").total <= 2:
                table.record(events.ConditionBegan(character=name, condition=SURPRISED))
        for name in self.hidden:
            table.record(events.ConditionBegan(character=name, condition=HIDDEN))
        with TaskRolls(table) as rolls:
            if not begin_round(table, rolls, self.participants):
                table.refuse("Nobody in this encounter can act: everybody is surprised or down.")

    def _check_names(self, table: Table) -> None:
        if len(set(self.participants)) < len(self.participants):
            table.refuse("Somebody is named twice; name every participant once.")
        for name in self.participants:
            living(table, name)
        for name in (*self.surprised, *self.hidden):
            if name not in self.participants:
                table.refuse(f"{table.character(name).name} is not among the participants. Name them there too.")


@attrs.frozen(kw_only=True)
class JoinEncounter(Action):
    """Somebody arrives in a fight, and can act from the next round on (Q0.10)."""

    verb: ClassVar[str] = "join-encounter"
    gm_only: ClassVar[bool] = True

    who: str = character("who arrives")

    def resolve(self, table: Table) -> None:
        """At the end of the order, waiting for the next round."""
        encounter = _fighting(table)
        who = living(table, self.who)
        if who.id in encounter.order:
            table.refuse(f"{who.name} already takes part in this encounter.")
        table.record(events.TurnOrderSet(order=(*encounter.order, who.id), scores=(*encounter.scores, 0)))
        if house(table).late_joiner == "next_round":
            table.record(events.ConditionBegan(character=who.id, condition=ARRIVING))


@attrs.frozen(kw_only=True)
class EndTurn(Action):
    """End the turn and say who goes next; when all have acted, a new round begins (R0.33, R0.35)."""

    verb: ClassVar[str] = "end-turn"

    next: str = character("who goes next, of those who have not acted", default="")
    to_gm: bool = flag("let the GM take an NPC's turn")

    def resolve(self, table: Table) -> None:
        """The turn ends; the last one left goes by itself; otherwise it is handed over."""
        encounter = _fighting(table)
        if encounter.current:
            self._check_hand(table, encounter.current)
            table.record(events.TurnEnded(character=encounter.current))
        elif not is_gm(table):
            table.refuse("The turn was handed to the GM, who says which NPC is next.")
        waiting = can_act(table, _fighting(table).waiting())
        with TaskRolls(table) as rolls:
            if waiting:
                self._hand_over(table, waiting)
            else:
                end_round(table)
                begin_round(table, rolls, encounter.order)
                if self.next:
                    table.refuse(
                        f"The round is over, so initiative decides who is next, not {self.next}. Leave --next out."
                    )

    def _check_hand(self, table: Table, current: str) -> None:
        who = table.character(current)
        if not is_gm(table) and who.seat != table.seat:
            table.refuse(f"It is {who.name}'s turn, and {table.seat} does not play {who.name}.")

    def _hand_over(self, table: Table, waiting: list[Character]) -> None:
        if self.to_gm:
            waiting = [who for who in waiting if who.kind is not Kind.PLAYER_CHARACTER]
            if not waiting:
                table.refuse("No NPC is left to act in this round. Name a character: end-turn --next ID")
        if self.next:
            if self.next not in {who.id for who in waiting}:
                self._refuse_next(table, waiting)
            table.record(events.TurnBegan(character=self.next))
        elif len(waiting) == 1:
            table.record(events.TurnBegan(character=waiting[0].id))
        elif not self.to_gm:
            table.refuse(f"Say who goes next, with --next: {_ids(waiting)}. An NPC's turn goes to the GM with --to-gm.")

    def _refuse_next(self, table: Table, waiting: list[Character]) -> None:
        who = table.character(self.next)
        encounter = _fighting(table)
        if who.id not in encounter.order:
            why = "does not take part in this encounter"
        elif who.id in encounter.acted:
            why = "has already acted in this round"
        else:
            why = "cannot act in this round"
        table.refuse(f"{who.name} cannot go next: {who.name} {why}. Still to act: {_ids(waiting)}.")


@attrs.frozen(kw_only=True)
class EndEncounter(Action):
    """The encounter is over; nobody counts rounds any more."""

    verb: ClassVar[str] = "end-encounter"
    gm_only: ClassVar[bool] = True

    def resolve(self, table: Table) -> None:
        """Surprise and hiding end with it."""
        encounter = _fighting(table)
        for state in (SURPRISED, ARRIVING, HIDDEN):
            _end_for_all(table, encounter.order, state)
        table.record(events.EncounterEnded())


def _ids(found: Sequence[Character]) -> str:
    return ", ".join(who.id for who in found)


def _end_for_all(table: Table, names: Sequence[str], state: str) -> None:
    for name in names:
        if table.character(name).has(state):
            table.record(events.ConditionEnded(character=name, condition=state))


def end_round(table: Table) -> None:
    """All have acted: surprise is over, latecomers may join in, and about ten seconds have passed (R0.24)."""
    encounter = _fighting(table)
    table.record(events.RoundEnded())
    for state in (SURPRISED, ARRIVING):
        _end_for_all(table, encounter.order, state)
    before = table.clock
    table.record(events.TimePassed(seconds=house(table).round_seconds))
    time_passed(table, before, rest=False)


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> bool:
    """A round begins with initiative; whether anybody can act in it. Everyone else stays in the order, last."""
    table.record(events.RoundBegan())
    ranked = _ranked(rolls, can_act(table, participants))
    order = [who.id for who, _ in ranked]
    others = [name for name in participants if name not in order]
    scores = [roll.total for _, roll in ranked] + [0] * len(others)
    table.record(events.TurnOrderSet(order=(*order, *others), scores=tuple(scores)))
    if ranked:
        table.record(events.TurnBegan(character=order[0]))
    return bool(ranked)


_Ranked: TypeAlias = tuple[Character, TaskRoll]


def _ranked(rolls: TaskRolls, rolling: Sequence[Character]) -> list[_Ranked]:
    """Best first; a tie goes to the higher modifier, and one for the first place is rolled again (R0.20, Q0.7)."""
    ranked = _roll_for(rolls, rolling)
    tied = _leaders(ranked)
    while len(tied) > 1:
        tied = _leaders(_roll_for(rolls, tied))
    first = [each for each in ranked if each[0] in tied]
    return first + [each for each in ranked if each[0] not in tied]


def _roll_for(rolls: TaskRolls, rolling: Sequence[Character]) -> list[_Ranked]:
    ranked = [(who, _roll_initiative(rolls, who)) for who in rolling]
    return sorted(ranked, key=_rank, reverse=True)


def _leaders(ranked: list[_Ranked]) -> list[Character]:
    return [who for who, roll in ranked if _rank((who, roll)) == _rank(ranked[0])]


def _rank(each: _Ranked) -> tuple[int, int]:
    return each[1].total, each[1].modifier


def _roll_initiative(rolls: TaskRolls, who: Character) -> TaskRoll:
    ease = standing_ease(who, "dex", "initiative")
    return rolls.roll_terms(who, initiative_terms(who), purpose="initiative", ease=ease)
