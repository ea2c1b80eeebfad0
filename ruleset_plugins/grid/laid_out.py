"""Who stands where on the map, whose reach covers what, and who is flanked by whom (R4.29, R4.30, R4.37)."""

from itertools import combinations

from rollbook.plugin import Character, Side, SquareMap, Stand, Table
from rollbook.rulesets.grid.conditions import KEPT_OUT, is_conscious
from rollbook.rulesets.grid.encounter import MOVE, are_allies, are_enemies, around, enemies_of, is_nowhere, side_of
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import FEET, is_flanked, neighbours


def laid_out(table: Table) -> SquareMap:
    """The map at this moment: in a fight those who take part, else everybody who was put on a square; the dead lie there too."""
    people = _on_the_map(table)
    return SquareMap(
        stands={who.id: _stand(table, who) for who in people},
        movers=tuple(who.id for who in people if _may_move(table, who)),
        scale=f"{FEET} feet",
    )


def _on_the_map(table: Table) -> list[Character]:
    encounter = table.encounter
    if encounter is None:
        return [who for who in table.characters() if not is_nowhere(table, who)]
    fighting = (table.character(name) for name in encounter.order if table.knows(name))
    return [who for who in fighting if who.present]


def _stand(table: Table, who: Character) -> Stand:
    # Melee reaches exactly one square (R4.30).
    strikes = is_conscious(who) and any(are_enemies(who, other) for other in around(table))
    return Stand(
        square=who.position,
        side=Side(side_of(who)),
        is_down=any(who.has(state) for state in KEPT_OUT),
        reach=neighbours(who.position) if strikes else (),
        flanked_by=_flankers(table, who),
    )


def _flankers(table: Table, who: Character) -> tuple[tuple[str, str], ...]:
    """The pairs of enemies between whom somebody stands (R4.37, Q4.21, Q4.24)."""
    geometry = Settings.of(table).flank_geometry
    return tuple(
        (one.id, other.id)
        for one, other in combinations(enemies_of(table, who), 2)
        if are_allies(one, other) and is_flanked(who.position, one.position, other.position, geometry)
    )


def _may_move(table: Table, who: Character) -> bool:
    """Whether somebody has a move action now; outside a fight nobody counts them (R4.1)."""
    encounter = table.encounter
    if not is_conscious(who):
        return False
    return encounter is None or (encounter.current == who.id and MOVE not in encounter.spent)
