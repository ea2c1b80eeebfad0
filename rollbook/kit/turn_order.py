"""Encounters in rounds and turns: participants, initiative order, and what a turn has left."""

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from itertools import groupby
from types import MappingProxyType
from typing import TypeAlias

from rollbook.kit import clock, conditions, require
from rollbook.plugin import Character, DiceStep, Encounter, Table, events

__all__ = [
    "Ranked",
    "able_to_act",
    "begin_encounter",
    "begin_round",
    "check_may_continue",
    "check_may_end",
    "check_next",
    "check_participants",
    "check_turn",
    "end_round",
    "end_turn",
    "initiative_dice",
    "insert",
    "move",
    "own_turn",
    "present",
    "rank",
    "require_encounter",
    "set_order",
    "spend",
    "spent_on",
    "still_to_act",
    "tie_break",
]

INITIATIVE = "initiative"
"""The purpose of initiative rolls."""

Score: TypeAlias = tuple[int, ...]
"""The score for initiative: the total, then numbers that break a tie."""

Ranked: TypeAlias = tuple[Character, Score]


def require_encounter(table: Table) -> Encounter:
    """The encounter that is being fought. Refused if there is none."""
    encounter = table.encounter
    if encounter is None:
        table.refuse("No encounter is being fought. Begin one: begin-encounter NAME,NAME,…")
    return encounter


def begin_encounter(table: Table, participants: Sequence[str], *, title: str = "") -> None:
    """Begin to count time in rounds. Refused in a fight, and for names that are given twice, dead or gone."""
    if table.encounter is not None:
        table.refuse(
            "An encounter is already being fought. End it first: end-encounter. Or let it wait, if the group is split: "
            "meanwhile TITLE"
        )
    require.distinct_living(table, participants)
    table.record(events.EncounterBegan(title=title))


def check_participants(table: Table, names: Iterable[str], participants: Sequence[str]) -> None:
    """Refuse names that are not among the participants."""
    for name in names:
        if name not in participants:
            table.refuse(
                f"{table.character(name).name} is not among the participants. Name them there too.",
                table.parameter_of(name),
            )


def join(table: Table, name: str, *, next_round: bool) -> Character:
    """Add somebody to the fight, at the end of the order; ``next_round`` says whether they wait for it."""
    encounter = require_encounter(table)
    who = require.living(table, name)
    if who.id in encounter.order:
        table.refuse(f"{who.name} already takes part in this encounter.", table.parameter_of(name))
    _record_order(table, (*encounter.order, who.id), (*encounter.scores, 0))
    if next_round:
        table.record(events.ConditionBegan(character=who.id, condition=conditions.ARRIVING))
    return who


def present(table: Table) -> Iterator[Character]:
    """The characters in the fight who are in play, in turn order, or outside one all in play."""
    if table.encounter is None:
        yield from table.characters()
        return
    there = (table.character(name) for name in table.encounter.order if table.knows(name))
    yield from (who for who in there if who.present)


def able_to_act(table: Table, names: Iterable[str], kept_out: Iterable[str]) -> list[Character]:
    """The characters of these names who are in play and in no condition that ``kept_out`` of a turn."""
    states = tuple(kept_out)
    found = (table.character(name) for name in names)
    return [who for who in found if who.present and not any(who.has(state) for state in states)]


def still_to_act(table: Table, kept_out: Iterable[str]) -> list[Character]:
    """The characters in the fight who have not acted in this round and still can, best initiative first."""
    return able_to_act(table, require_encounter(table).waiting(), kept_out)


def rank(rolling: Sequence[Character], roll: Callable[[Character], Score], *, only_first: bool = False) -> list[Ranked]:
    """Roll and rank characters by score, best first. Ties are rolled again; with ``only_first`` only for the lead.

    The score that is kept is that of the first roll.
    """
    scored = sorted(((who, roll(who)) for who in rolling), key=lambda each: each[1], reverse=True)
    return list(_untied(scored, roll, only_first=only_first))


def _untied(scored: list[Ranked], roll: Callable[[Character], Score], *, only_first: bool) -> Iterator[Ranked]:
    for place, (_, level) in enumerate(groupby(scored, key=lambda each: each[1])):
        tied = list(level)
        if len(tied) > 1 and not (only_first and place):
            score = {who.id: first for who, first in tied}
            yield from ((who, score[who.id]) for who, _ in rank([who for who, _ in tied], roll, only_first=only_first))
        else:
            yield from tied


def tie_break(first: Callable[[Character], Score], tied: Callable[[Character], Score]) -> Callable[[Character], Score]:
    """A way to roll for ``rank``: each character's ``first`` roll is initiative, and further ones only break a tie."""
    had: set[str] = set()

    def roll(who: Character) -> Score:
        if who.id in had:
            return tied(who)
        had.add(who.id)
        return first(who)

    return roll


def set_order(table: Table, first: Sequence[Ranked], others: Sequence[str] = ()) -> None:
    """Record the order of the turns: the ranked, then all ``others`` who take part but did not roll."""
    order = [who.id for who, _ in first]
    rest = [name for name in others if name not in order]
    scores = [score[0] for _, score in first] + [0] * len(rest)
    _record_order(table, (*order, *rest), tuple(scores))


def _record_order(table: Table, order: tuple[str, ...], scores: tuple[int, ...]) -> None:
    """Record the order of the turns; if a hidden character takes part, the order that the table knows comes first."""
    known = [place for place, name in enumerate(order) if not table.character(name).hidden]
    if len(known) < len(order):
        shown = tuple(scores[place] for place in known if place < len(scores))
        table.record(events.TurnOrderSet(order=tuple(order[place] for place in known), scores=shown))
    table.record(events.TurnOrderSet(order=order, scores=scores))


def insert(table: Table, name: str, score: int, *, breaks_tie: Callable[[Character], Score] | None = None) -> None:
    """Move a participant to the place in the order that their score gives them.

    Among equals they come last, or where a roll that ``breaks_tie`` puts them; the others keep their order.
    """
    encounter = require_encounter(table)
    scores = dict(zip(encounter.order, encounter.scores, strict=False)) | {name: score}
    others = [each for each in encounter.order if each != name]
    level = [each for each in others if scores[each] == score and table.character(each).id not in encounter.acted]
    place = sum(1 for each in others if scores[each] >= score)
    if level and breaks_tie is not None:
        ranked = [who.id for who, _ in rank([table.character(each) for each in (*level, name)], breaks_tie)]
        place -= len(level) - ranked.index(name)
    order = sorted(others, key=lambda each: scores[each], reverse=True)
    order.insert(place, name)
    _record_order(table, tuple(order), tuple(scores[each] for each in order))


def move(table: Table, name: str, *, before: str) -> None:
    """Move a participant in the order, ``before`` another or to its end (""), with the score of the one beside them."""
    encounter = require_encounter(table)
    scores = dict(zip(encounter.order, encounter.scores, strict=False))
    for each in (name, before) if before else (name,):
        if each not in encounter.order:
            who = table.character(each).name
            table.refuse(f"{who} does not take part in this encounter.", table.parameter_of(each))
    order = [each for each in encounter.order if each != name]
    place = order.index(before) if before in order else len(order)
    beside = order[place : place + 1] or order[-1:]
    moved = (*order[:place], name, *order[place:])
    if moved == encounter.order or before == name:
        table.refuse(
            f"{table.character(name).name} already has that place in the turn order.", table.parameter_of(name)
        )
    scores[name] = scores.get(beside[0], 0)
    _record_order(table, moved, tuple(scores.get(each, 0) for each in moved))


AS_NAMED, AS_ARRIVED = "as they were named", "in the order in which they came into the campaign"


def initiative_dice(what: str, tied: Mapping[str, str] = MappingProxyType({}), *, first: bool = False) -> DiceStep:
    """The dice of a round's initiative: ``what`` falls for each, and what ``tied`` names for those who are level."""
    ties = (INITIATIVE, *tied.values())
    name = f"{what}, {AS_NAMED if first else AS_ARRIVED}"
    return DiceStep(tests={name: INITIATIVE, **tied}, after="a new round begins once the old one is over", ties=ties)


def begin_round(
    table: Table,
    participants: Sequence[str],
    kept_out: Iterable[str],
    order: Callable[[list[Character]], Sequence[Ranked]],
) -> str:
    """Begin a round: those who can act come in ``order``, and after them all others who take part.

    Dice of the first round are rolled for the participants as they were named. Later rounds name none, so their dice
    are rolled in the order in which characters came into the campaign: it does not change with the last round's order
    (QG.5). Returns the first character, "" if none can act.
    """
    table.record(events.RoundBegan())
    able = able_to_act(table, participants, kept_out)
    first = order(table.by_arrival(able) if require_encounter(table).round > 1 else able)
    set_order(table, first, participants)
    return first[0][0].id if first else ""


def end_round(table: Table, *over: str, seconds: int = 0) -> None:
    """End a round: conditions that last for it are ``over``, and as many ``seconds`` have passed."""
    table.record(events.RoundEnded())
    conditions.end_for_all(table, require_encounter(table).order, *over)
    if seconds:
        clock.advance(table, seconds)


def end_turn(table: Table) -> str:
    """End the current turn. Refused for a seat that does not play its character. Returns its id, "" between turns."""
    encounter = require_encounter(table)
    if not encounter.current:
        return ""
    who = table.character(encounter.current)
    if not require.is_gm(table) and who.seat != table.seat:
        table.refuse(f"It is {who.name}'s turn, and {table.seat} does not play {who.name}.")
    table.record(events.TurnEnded(character=who.id))
    return who.id


def check_may_continue(table: Table, *, hand_on: str = "") -> None:
    """Refuse to go on between turns, except for the GM; ``hand_on`` as for ``check_turn``."""
    if not require_encounter(table).current and not require.is_gm(table):
        table.refuse(f"It is nobody's turn, and only the GM goes on, with: end-turn{hand_on}")


def check_may_end(table: Table, *, hand_on: str = "") -> None:
    """Refuse to end the turn for a seat that may not; ``hand_on`` as for ``check_turn``."""
    check_may_continue(table, hand_on=hand_on)
    end_turn(table)


def check_turn(table: Table, who: Character, *, hand_on: str = "") -> Encounter:
    """Refuse anything out of turn. ``hand_on`` are the words that follow the verb end-turn in the advice."""
    encounter = require_encounter(table)
    if encounter.current != who.id:
        table.refuse(_out_of_turn(table, encounter, who, hand_on))
    return encounter


def check_next(table: Table, name: str, waiting: Sequence[Character], kept_out: Iterable[str]) -> None:
    """Refuse to give the next turn to a character who is not ``waiting``, perhaps for a condition that ``kept_out``."""
    ids = [who.id for who in waiting]
    if name in ids:
        return
    who, encounter = table.character(name), require_encounter(table)
    if who.id not in encounter.order:
        why = "does not take part in this encounter"
    elif who.id in encounter.acted:
        why = f"has already acted in round {encounter.round}"
    else:
        why = f"is {next((state for state in kept_out if who.has(state)), 'out of play')}"
    table.refuse(
        f"{who.name} cannot go next: {who.name} {why}. Still to act: {', '.join(ids)}.", table.parameter_of(name)
    )


def own_turn(table: Table, who: Character, *, out_of_turn: bool, hand_on: str = "") -> Encounter | None:
    """The fight, on a character's own turn in it; None if there is none, or the GM rules that it needs no turn (QG.8).

    Refused out of turn; ``out_of_turn`` is a parameter for the GM alone (``gm_only``).
    """
    return None if table.encounter is None or out_of_turn else check_turn(table, who, hand_on=hand_on)


def _out_of_turn(table: Table, encounter: Encounter, who: Character, hand_on: str) -> str:
    name = who.name
    if who.id not in encounter.order:
        return f"{name} does not take part in this encounter. The GM brings {name} in with: join-encounter {who.id}"
    if not encounter.current:
        return f"It is nobody's turn yet, so {name} cannot act. The GM goes on with: end-turn{hand_on}"
    turn = table.character(encounter.current).name
    if who.id in encounter.acted:
        return (
            f"{name} has already acted in round {encounter.round}; it is {turn}'s turn. Nobody acts twice before "
            f"everybody has acted."
        )
    return f"It is {turn}'s turn, so {name} cannot act yet. {turn} ends it with: end-turn{hand_on}"


def spend(table: Table, who: Character, what: str, amount: int = 1, *, about: str = "") -> None:
    """Use up a part of the turn; ``about`` is its target, if a rule asks later (see ``spent_on``)."""
    table.record(events.TurnSpent(character=who.id, what=what, amount=amount, about=about))


def spent_on(encounter: Encounter, what: str) -> tuple[str, ...]:
    """The targets that a part of the current turn was spent on."""
    return encounter.spent_on.get(what, ())
