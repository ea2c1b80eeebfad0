"""The map: who stands on which square, whom they threaten, and plans of moves (R5.50, R5.52, R5.57, R5.67, R5.68)."""

from collections.abc import Iterator, Sequence
from typing import Any

from rollbook.kit import maps, sides, squares, turn_order
from rollbook.plugin import CampaignState, Character, Opening, PlannedMove, Square, SquareMap, Squares, Stand, Table
from rollbook.rulesets.srd5.fight import movement, places, reactions, states, turns
from rollbook.rulesets.srd5.fight.movement import Move


def is_in_use(campaign: CampaignState) -> bool:
    """True as soon as anybody in play has a square."""
    return any(who.present and squares.was_placed(who) for who in campaign.characters.values())


def on_the_map(table: Table) -> list[Character]:
    """The characters with a square: those in the fight, or outside one all in play."""
    return [who for who in turn_order.present(table) if who.present and squares.was_placed(who)]


def laid_out(table: Table) -> SquareMap:
    """The map at this moment; the dead are on it too."""
    people = on_the_map(table)
    return SquareMap(
        stands={who.id: _stand(who, people) for who in people},
        movers=tuple(who.id for who in people if _most(table, who) != 0),
        scale=f"{places.FEET} feet",
    )


def _stand(who: Character, people: Sequence[Character]) -> Stand:
    strikes = not states.is_unable(who) and any(sides.are_enemies(who, other) for other in people)
    reach = reactions.reach_of(who) // places.FEET if strikes else 0
    return maps.stand(who, is_down=states.is_unable(who), reach=reach)


def _most(table: Table, who: Character) -> int | None:
    """The squares that somebody may still move now; None outside a fight, where nobody counts them."""
    if states.is_unable(who):
        return 0
    if table.encounter is None:
        return None
    return max(movement.budget(table, who), 0) // places.FEET if turns.is_own_turn(table, who) else 0


def planned(table: Table, name: str, stops: Sequence[Square]) -> PlannedMove:
    """Plan a way over these squares, the shortest between them, with every opening at its moment."""
    who = table.character(name)
    barred, taken = _in_the_way(table, who)

    def params(way: tuple[Square, ...]) -> dict[str, Any]:
        over = () if maps.is_direct(who.position, way, barred) else way[:-1]
        said = {"over": tuple(str(each) for square in over for each in square[:2])} if over else {}
        return {"who": name, "to": tuple(squares.text(way[-1]).split(",")), "feet": places.FEET * len(way), **said}

    return maps.plan(
        who.position,
        stops,
        most=_most(table, who),
        barred=barred,
        taken=taken,
        openings=lambda way: _openings(table, who, way),
        verb=Move.verb,
        params=params,
        check=lambda said: Move(**said).begin(table) if said else turns.own_turn(table, name),
    )


def _in_the_way(table: Table, who: Character) -> tuple[frozenset[Square], frozenset[Square]]:
    """The squares that somebody cannot pass, and those on which nobody else may end (R5.57, R5.58)."""
    others = [each for each in on_the_map(table) if each.id != who.id and not each.has(states.DEAD)]
    return movement.barred(table, who), frozenset(other.position for other in others)


def _openings(table: Table, who: Character, way: tuple[Square, ...]) -> Iterator[Opening]:
    """Yield the enemies out of whose reach each step leads, in a fight."""
    for gone, (behind, ahead) in enumerate(zip((who.position, *way), way, strict=False) if table.encounter else ()):
        for enemy in reactions.provoked(table, who, behind, ahead):
            if not enemy.has(turns.REACTED):
                said = f"as {who.name} leaves {squares.text(behind)}"
                yield Opening(who=enemy.id, steps=gone, at=behind, said=said)


SQUARES = Squares(laid_out=laid_out, planned=planned, is_in_use=is_in_use)
