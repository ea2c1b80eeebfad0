"""Moving over the map, square by square, past those who wait for an opening (R4.29, R4.31, R4.47)."""

from rollbook.kit import conditions, sides, squares, verbs
from rollbook.plugin import Action, Character, Handle, HandleKind, Square, Table, Term, character, names, number
from rollbook.rulesets.grid import encounter as fights
from rollbook.rulesets.grid.armour import armour_of
from rollbook.rulesets.grid.hit_points import FLEET, HAMSTRUNG, INCAPACITATED, is_conscious
from rollbook.rulesets.grid.opportunity_attacks import OpenAction, come_upon, left_behind, opportunity_attacks
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.squares import DIRECTIONS, cost_of, squares_in, steps_of, way_of
from rollbook.rulesets.grid.stats import SPEED, entered_terms, total

LONGEST = 200
"""Most squares of a path."""


def speed_terms(who: Character) -> tuple[Term, ...]:
    """The feet per move: 30, or 20 in medium or heavy armour; magic and a cut tendon change it (R4.29, R4.54)."""
    item, armour = armour_of(who)
    terms = entered_terms(who, SPEED, "R4.29") or (Term(30, "base", "R4.29"),)
    if not who.stats.get(SPEED) and armour.weight in ("medium", "heavy"):
        terms = (*terms, Term(-10, armour.name, "R4.29", f"gear.{item}"))
    if who.has(FLEET):
        terms = (*terms, Term(10, "Expeditious Retreat", "R4.54", f"condition.{FLEET}"))
    if who.has(HAMSTRUNG):
        feet = total(terms)
        terms = (*terms, Term(feet // 2 - feet, HAMSTRUNG, "R4.36", f"condition.{HAMSTRUNG}"))
    return terms


def squares_per_move(who: Character) -> int:
    """The number of squares that a character moves in one action; only one while prone (R4.47, Q4.36)."""
    pace = squares_in(total(speed_terms(who)))
    return min(pace, 1) if who.has(conditions.PRONE) else pace


class Place(Action, verb="place", gm_only=True):
    """Put a character on a square of the map, counted in squares of five feet."""

    sentence = "places {who} on the map"
    handles = (Handle(kind=HandleKind.PLACE, who="who", at=("east", "north", "up")),)

    who: str = character("who is put there")
    east: int = number("how far east", default=0, minimum=-squares.FARTHEST, maximum=squares.FARTHEST, unit="squares")
    north: int = number("how far north", default=0, minimum=-squares.FARTHEST, maximum=squares.FARTHEST, unit="squares")
    up: int = number("how far up", default=0, minimum=-squares.FARTHEST, maximum=squares.FARTHEST, unit="squares")

    def resolve(self, table: Table) -> None:
        who = table.character(self.who)
        square = (self.east, self.north, self.up)
        if who.position == square and not fights.is_nowhere(table, who):
            table.refuse(f"{who.name} already is on {squares.text(square)}.", "east")
        check_free(table, who, square)
        squares.put(table, who.id, square)


def check_free(table: Table, who: Character, square: Square) -> None:
    """Refuse a square that is taken."""
    there = next((other for other in fights.around(table) if other.id != who.id and other.position == square), None)
    if there is not None:
        table.refuse(
            f"{there.name} is on {squares.text(square)}, and two cannot share a square.", table.parameter_of(square)
        )


class Move(OpenAction, verb="move"):
    """Move over the map: a path of directions, or straight to a square."""

    sentence = "moves {cost:square}|moves"

    who: str = character("who moves", actor=True)
    path: tuple[str, ...] = names(
        "the steps, as in n,n,ne; n, ne, e, se, s, sw, w, nw, up and down", default=(), gm_only=False, of="step"
    )
    to: tuple[str, ...] = names(
        "the square to go to by the straight way instead, east and north as in 3,4", default=(), gm_only=False
    )

    check_available = verbs.available_if(
        lambda table, who: fights.require_square(table, fights.take_action(table, who, fights.MOVE))
    )

    def resolve(self, table: Table) -> None:
        """Check the whole way first; then every opening comes at its moment, and a fallen mover stops (Q4.19)."""
        for step in self.allowed_steps(table):
            if not self._step(table, step):
                return

    def allowed_steps(self, table: Table) -> tuple[Square, ...]:
        """Use the move action, and return the steps of the way. Refused for a way that cannot be walked."""
        who = self.begin(table, self.who, fights.MOVE)
        fights.require_square(table, who)
        steps = self._steps(table, who)
        self._check_reach(table, who, steps)
        _check_way(table, who, steps)
        return steps

    def _steps(self, table: Table, who: Character) -> tuple[Square, ...]:
        if bool(self.path) == bool(self.to):
            table.refuse(f"Say how {who.name} goes: --path n,n,ne or --to EAST,NORTH, and only one of the two.", "path")
        if self.to:
            square = squares.parse(table, self.to)
            if square == who.position:
                table.refuse(f"{who.name} already is on {squares.text(square)}.", "to")
            if max(map(abs, squares.between(who.position, square))) > LONGEST:
                table.refuse(f"{squares.text(square)} is too far away to walk to. Name a nearer square.", "to")
            return steps_of(who.position, squares.straight(who.position, square))
        wrong = next((each for each in self.path if each.casefold() not in DIRECTIONS), None)
        if wrong is not None or len(self.path) > LONGEST:
            steps = ", ".join(DIRECTIONS)
            table.refuse(f"A path has up to {LONGEST} steps, each one of {steps}; not {wrong or 'more'!r}.", "path")
        return tuple(DIRECTIONS[each.casefold()] for each in self.path)

    def _check_reach(self, table: Table, who: Character, steps: tuple[Square, ...]) -> None:
        cost, most = cost_of(steps, Settings.of(table).diagonal), squares_per_move(who)
        if cost > most and table.encounter is not None and not self.out_of_turn:
            many = f"{most} square{'' if most == 1 else 's'}{' on the ground' if who.has(conditions.PRONE) else ''}"
            table.refuse(f"{who.name} moves up to {many}, and this way costs {cost}. Go a shorter one.", "path")

    def _step(self, table: Table, step: Square) -> bool:
        behind = table.character(self.who).position
        ahead = squares.stepped(behind, step)
        opportunity_attacks(table, left_behind(table, self.who, ahead), self.who, self.spare)
        if not is_conscious(table.character(self.who)):
            return False
        squares.put(table, self.who, ahead, cost=1)
        opportunity_attacks(table, come_upon(table, self.who, behind), self.who, self.spare)
        return is_conscious(table.character(self.who))


def is_in_the_way(other: Character, who: Character) -> bool:
    """Tell whether another character's square is barred: that of an enemy on their feet (Q4.47)."""
    return sides.are_enemies(who, other) and not other.has(INCAPACITATED)


def _check_way(table: Table, who: Character, steps: tuple[Square, ...]) -> None:
    """Refuse a way through enemies who are on their feet, or to a taken square (Q4.47)."""
    way = way_of(who.position, steps)
    for other in fights.around(table):
        if other.id != who.id and is_in_the_way(other, who) and other.position in way:
            table.refuse(f"{other.name} is in the way on {squares.text(other.position)}. Go round with: --path", "path")
    check_free(table, who, way[-1])
