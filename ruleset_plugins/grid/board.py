"""What the board shows: the actions that a turn has left, squares and how far they are away, and castings."""

from functools import partial

from rollbook.kit import board as kit
from rollbook.kit import conditions
from rollbook.plugin import Board, CampaignState, Character, Piece
from rollbook.rulesets.grid.conditions import HAMSTRUNG, INCAPACITATED, KEPT_OUT
from rollbook.rulesets.grid.encounter import MOVE, STANDARD
from rollbook.rulesets.grid.movement import squares_per_move
from rollbook.rulesets.grid.settings import ENCOUNTER, Settings
from rollbook.rulesets.grid.spells import BLESSINGS, castings_left, spells_of
from rollbook.rulesets.grid.squares import distance, square_text


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R4.1, R4.2, R4.12)."""
    settings, turn = Settings.of(campaign), kit.on_turn(campaign)
    piece = partial(
        _piece, settings=settings, acting=turn[1] if turn else None, fighting=campaign.encounter is not None
    )
    return Board(
        left=_left(campaign),
        next=kit.ids(kit.still_to_act(campaign, KEPT_OUT)[:1]),
        pieces=kit.pieces(campaign, piece),
        round_seconds=settings.round_seconds,
    )


def _left(campaign: CampaignState) -> tuple[str, ...] | None:
    """A standard action and a move (R4.2)."""
    turn = kit.on_turn(campaign)
    if turn is None:
        return None
    encounter, who = turn
    move = f"a {MOVE} of {kit.counted(squares_per_move(who), 'square')}"
    return tuple(text for what, text in ((STANDARD, f"a {STANDARD}"), (MOVE, move)) if what not in encounter.spent)


def _piece(who: Character, settings: Settings, acting: Character | None, *, fighting: bool) -> Piece:
    fight = dict.fromkeys((HAMSTRUNG, *(BLESSINGS if settings.buff_duration == ENCOUNTER else ())), "for the fight")
    dying = {INCAPACITATED: "bleeds"} if not who.has(conditions.STABLE) else {}
    return Piece(
        where=square_text(who.position) if fighting else "",
        away=_away(who, acting) if fighting else "",
        resources=_castings(who),
        lasts={**kit.UNTIL_NEXT_ROUND, **fight, **dying},
    )


def _away(who: Character, acting: Character | None) -> str:
    """How far it is from the one who has the turn."""
    if acting is None or acting.id == who.id:
        return ""
    far = distance(acting.position, who.position)
    return "beside" if far == 1 else kit.counted(far, "square")


def _castings(who: Character) -> tuple[str, ...]:
    spells = spells_of(who)
    most = sum(spell.castings for spell in spells)
    return (f"castings {sum(castings_left(who, spell) for spell in spells)} of {most}",) if most else ()
