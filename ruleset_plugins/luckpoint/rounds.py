"""Rounds of six seconds: who goes before whom, and what the end of a round does (R1.14, R1.15, Q1.6, Q1.7)."""

from __future__ import annotations

from collections.abc import Sequence

from ruleset_plugins import (
    Character,
    Ease,
    Kind,
    Table,
    Term,
    conditions,
    events,
    fighting,
    let_pass,
    ranked,
    set_order,
    who_can,
)
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import terms_of
from ruleset_plugins.luckpoint.task_rolls import TaskRolls
from ruleset_plugins.luckpoint.turns import REACTED
from ruleset_plugins.luckpoint.wounds import CRITICAL, bleed, bleeds_at_round_end

KEPT_OUT = (conditions.DEAD, conditions.SURPRISED, conditions.ARRIVING)
ALLY = "stands with the party"
"""The trait of NPCs and monsters on the side of the player characters."""

SIDE = "side"


def is_party(who: Character) -> bool:
    """Whether somebody fights on the side of the player characters."""
    return who.kind in (Kind.PLAYER_CHARACTER, Kind.HIRELING) or ALLY in who.traits


def initiative_skill(who: Character) -> str:
    """Dexterity or Awareness, whichever is better (R1.14)."""
    return max(("dex", "awareness"), key=lambda rolled: sum([term.amount for term in terms_of(who, rolled)]))


def initiative_terms(who: Character) -> tuple[Term, ...]:
    """What is added to the d20 of initiative."""
    return terms_of(who, initiative_skill(who))


def begin_round(table: Table, rolls: TaskRolls, participants: Sequence[str]) -> None:
    """A round begins with initiative, rolled anew; whoever cannot act stays in the order, last."""
    able = who_can(table, participants, KEPT_OUT)
    if not able:
        table.refuse("Nobody in this encounter can act: everybody is surprised or dead.")
    table.record(events.RoundBegan())
    if house(table).initiative_mode == "individual":
        set_order(table, ranked(able, lambda who: _roll(rolls, who)), participants)
    else:
        _set_sides(table, rolls, able, participants)
    start_turn(table, fighting(table).order[0])


def _roll(rolls: TaskRolls, who: Character) -> tuple[int, int]:
    roll = rolls.task(who.id, initiative_skill(who), purpose="initiative", ease=Ease())
    return roll.total, roll.modifier


def _set_sides(table: Table, rolls: TaskRolls, able: Sequence[Character], participants: Sequence[str]) -> None:
    """Each side rolls with its best modifier; the winning side goes first, all of it (R1.15, Q1.6)."""
    sides = [side for side in (_of(able, party=True), _of(able, party=False)) if side]
    speakers = {_speaker(side).id: side for side in sides}
    order = ranked([_speaker(side) for side in sides], lambda who: _roll(rolls, who))
    by_side = [(member, score) for speaker, score in order for member in speakers[speaker.id]]
    set_order(table, by_side, participants)


def _of(able: Sequence[Character], *, party: bool) -> list[Character]:
    return [who for who in able if is_party(who) is party]


def _speaker(side: Sequence[Character]) -> Character:
    """Who rolls for a side: the best modifier among those who are not down, the first of several."""
    standing = [who for who in side if not who.has(CRITICAL)] or list(side)
    return max(standing, key=lambda who: sum([term.amount for term in initiative_terms(who)]))


def start_turn(table: Table, name: str) -> None:
    """Somebody's turn: the reaction is theirs again, and at some tables they bleed now."""
    conditions.end(table, name, REACTED)
    table.record(events.TurnBegan(character=name))
    if not bleeds_at_round_end(table):
        bleed(table, name)


def end_round(table: Table) -> None:
    """All have had their turn: surprise is over, latecomers may join in, and six seconds have passed."""
    conditions.end_for_all(table, fighting(table).order, conditions.SURPRISED, conditions.ARRIVING)
    table.record(events.RoundEnded())
    let_pass(table, house(table).round_seconds)
