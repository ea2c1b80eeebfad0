"""Parts of boards that games share: the current turn, the candidates for the next, and how long a state lasts."""

from collections.abc import Callable, Iterable, Mapping
from types import MappingProxyType

from rollbook.domain.base import number_words as numbers
from rollbook.domain.base.identifiers import CharacterId
from rollbook.domain.state.lookup import changed_people, shown_names
from rollbook.kit import conditions, sheet_lines
from rollbook.kit.remembering import is_remembered
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece

__all__ = ["UNTIL_NEXT_ROUND", "counted", "fighters", "labels", "of_game", "on_turn", "present", "still_to_act"]

UNTIL_NEXT_ROUND = MappingProxyType(
    {conditions.ARRIVING: "until the next round", conditions.SURPRISED: "until the next round"}
)
"""Durations of states that the end of a round ends."""


counted = numbers.counted
"""``1 square``, ``6 squares``."""


def present(campaign: CampaignState) -> list[Character]:
    """The characters in play."""
    return [who for who in campaign.characters.values() if who.present]


def labels(campaign: CampaignState) -> Mapping[CharacterId, str]:
    """The names of the characters in play, told apart where several share one."""
    return shown_names(present(campaign))


def on_turn(campaign: CampaignState) -> tuple[Encounter, Character] | None:
    """The fight, and the character whose turn it is; None between turns."""
    encounter = campaign.encounter
    who = campaign.characters.get(encounter.current) if encounter is not None else None
    return (encounter, who) if encounter is not None and who is not None else None


def fighters(campaign: CampaignState) -> list[Character]:
    """The characters in the fight who are in play, in the order of the turns."""
    order = campaign.encounter.order if campaign.encounter is not None else ()
    found = (campaign.characters.get(name) for name in order)
    return [who for who in found if who is not None and who.present]


def still_to_act(campaign: CampaignState, kept_out: Iterable[str]) -> list[Character]:
    """Those who may act later in this round, best initiative first: not the current one, none in ``kept_out``."""
    fight, states = campaign.encounter, tuple(kept_out)
    done = (*fight.acted, fight.current) if fight else ()
    return [who for who in fighters(campaign) if who.id not in done and not any(map(who.has, states))]


def of_game(
    campaign: CampaignState,
    *,
    left: Callable[[Encounter, Character], tuple[str, ...]],
    piece: Callable[[Character], Piece],
    kept_out: Iterable[str],
    seconds: int,
    lines: Iterable[tuple[str, str]] = (),
    in_order: bool = False,
    side: Callable[[Character], str] = lambda _: "",
) -> Board:
    """The board of a game whose rounds take so many ``seconds``: what is ``left`` of the turn, and each ``piece``.

    Next is the first who may act if turns come ``in_order``, else any on the ``side`` of the first. ``kept_out`` as for
    ``still_to_act``.
    """
    turn, waiting = on_turn(campaign), still_to_act(campaign, kept_out)
    return Board(
        left=left(*turn) if turn else None,
        next=tuple(who.id for who in waiting if side(who) == side(waiting[0]))[: 1 if in_order else None],
        pieces=_pieces(campaign.characters, piece),
        lines=sheet_lines.said(lines),
        round_seconds=seconds,
    )


def _pieces(people: Mapping[CharacterId, Character], piece: Callable[[Character], Piece]) -> dict[CharacterId, Piece]:
    """The pieces of those in play. One that a ``remembered`` function made is taken over until its character changes."""
    were, made = _last_pieces.get(piece, ({}, {}))
    changed = changed_people(were, people) if were else None
    if changed is None:
        made = {who.id: piece(who) for who in people.values() if who.present}
    elif changed:
        made = made | {who.id: piece(who) for who in changed if who.present}
    if is_remembered(piece):
        _last_pieces[piece] = people, made
    return made


_last_pieces: dict[object, tuple[Mapping[CharacterId, Character], dict[CharacterId, Piece]]] = {}
"""By the function that made them, the last pieces and whose they are."""
