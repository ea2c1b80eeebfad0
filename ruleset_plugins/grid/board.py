"""The board and the map: the rest of a turn, castings, squares, reach, and flanked characters (R4.29, R4.30, R4.37)."""

from functools import partial
from itertools import combinations

from rollbook.kit import board as kit
from rollbook.kit import conditions, maps, sides, squares
from rollbook.plugin import Board, CampaignState, Character, Encounter, Piece, SquareMap, Stand, Table
from rollbook.rulesets.grid import encounter as fights
from rollbook.rulesets.grid.hit_points import HAMSTRUNG, INCAPACITATED, KEPT_OUT, is_conscious
from rollbook.rulesets.grid.movement import squares_per_move
from rollbook.rulesets.grid.settings import ENCOUNTER, Settings
from rollbook.rulesets.grid.spells import BLESSINGS, castings_left, spells_of
from rollbook.rulesets.grid.squares import FEET, is_flanked


def board(campaign: CampaignState) -> Board:
    """A moment of the game (R4.1, R4.2, R4.12)."""
    settings, turn = Settings.of(campaign), kit.on_turn(campaign)
    piece = partial(
        _piece, settings=settings, acting=turn[1] if turn else None, fighting=campaign.encounter is not None
    )
    seconds = settings.round_seconds
    return kit.of_game(campaign, left=_left, piece=piece, kept_out=KEPT_OUT, seconds=seconds, in_order=True)


def _left(encounter: Encounter, who: Character) -> tuple[str, ...]:
    """A standard action and a move (R4.2)."""
    move = f"a {fights.MOVE} of {kit.counted(squares_per_move(who), 'square')}"
    return tuple(
        text
        for what, text in ((fights.STANDARD, f"a {fights.STANDARD}"), (fights.MOVE, move))
        if what not in encounter.spent
    )


def _piece(who: Character, settings: Settings, acting: Character | None, *, fighting: bool) -> Piece:
    fight = dict.fromkeys((HAMSTRUNG, *(BLESSINGS if settings.buff_duration == ENCOUNTER else ())), "for the fight")
    dying = {INCAPACITATED: "bleeds"} if not who.has(conditions.STABLE) else {}
    return Piece(
        where=squares.text(who.position) if fighting else "",
        away=_away(who, acting) if fighting else "",
        resources=_castings(who),
        lasts={**kit.UNTIL_NEXT_ROUND, **fight, **dying},
    )


def _away(who: Character, acting: Character | None) -> str:
    """The distance from the character who has the turn; "" for that character."""
    if acting is None or acting.id == who.id:
        return ""
    far = squares.distance(acting.position, who.position)
    return "beside" if far == 1 else kit.counted(far, "square")


def _castings(who: Character) -> tuple[str, ...]:
    spells = spells_of(who)
    most = sum(spell.castings for spell in spells)
    return (f"castings {sum(castings_left(who, spell) for spell in spells)} of {most}",) if most else ()


def laid_out(table: Table) -> SquareMap:
    """The map at this moment: the fighters, or outside a fight all characters with a square; the dead are on it too."""
    people = fights.on_the_map(table)
    return SquareMap(
        stands={who.id: _stand(table, who) for who in people},
        movers=tuple(who.id for who in people if _may_move(table, who)),
        scale=f"{FEET} feet",
    )


def _stand(table: Table, who: Character) -> Stand:
    # Melee reaches exactly one square (R4.30).
    strikes = is_conscious(who) and any(sides.are_enemies(who, other) for other in fights.around(table))
    is_down = any(who.has(state) for state in KEPT_OUT)
    return maps.stand(who, is_down=is_down, reach=1 if strikes else 0, flanked_by=_flankers(table, who))


def _flankers(table: Table, who: Character) -> tuple[tuple[str, str], ...]:
    """The pairs of enemies between whom a character stands (R4.37, Q4.21, Q4.24)."""
    geometry = Settings.of(table).flank_geometry
    return tuple(
        (one.id, other.id)
        for one, other in combinations(fights.enemies_of(table, who), 2)
        if sides.are_allies(one, other) and is_flanked(who.position, one.position, other.position, geometry)
    )


def _may_move(table: Table, who: Character) -> bool:
    """Tell whether a character has a move action now; outside a fight they are not counted (R4.1)."""
    fight = table.encounter if is_conscious(who) else None
    return is_conscious(who) and (fight is None or (fight.current == who.id and fights.MOVE not in fight.spent))
