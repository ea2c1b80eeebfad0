"""Encounters: sides, initiative in each round, turns of two actions (R4.1, R4.2, R4.12, R4.30, R4.43, Q4.28)."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from itertools import count

from rollbook.kit import conditions, sides, squares, turn_order, verbs
from rollbook.plugin import CampaignState, Character, DiceStep, Square, Table, Term, events, flag
from rollbook.rulesets.grid.hit_points import HAMSTRUNG, bleed, is_conscious, require_able
from rollbook.rulesets.grid.saves import roll_d20
from rollbook.rulesets.grid.settings import ENCOUNTER, Settings
from rollbook.rulesets.grid.spells import end_blessings, refresh
from rollbook.rulesets.grid.stats import entered_terms, stat_term

UNPLACED = (0, 0, 0)
"""The position of characters who were never placed. A character may also stand there, and then has a trait for it."""


def is_nowhere(campaign: CampaignState | Table, who: Character) -> bool:
    """Tell whether a character has no square: never placed, in no fight, out of reach, and in no one's way."""
    fight = campaign.encounter
    return not squares.was_placed(who) and (fight is None or who.id not in fight.order)


def require_square(table: Table, *people: Character) -> None:
    """Refuse an action that needs a distance if one of these characters has no square."""
    for who in people:
        if is_nowhere(table, who):
            table.refuse(f"{who.name} is on no square. First: place {who.id} 1 0", table.parameter_of(who.id))


def on_the_map(table: Table) -> tuple[Character, ...]:
    """The characters on the map, in turn order: those in the fight, or else all in play with a square."""
    there = turn_order.present(table)
    return tuple(who for who in there if table.encounter is not None or squares.was_placed(who))


def around(table: Table) -> tuple[Character, ...]:
    """The characters on the map who are not dead."""
    return tuple(who for who in on_the_map(table) if not who.has(conditions.DEAD))


def enemies_of(table: Table, who: Character) -> tuple[Character, ...]:
    """The conscious enemies of a character, in a stable order."""
    return tuple(other for other in around(table) if sides.are_enemies(who, other) and is_conscious(other))


STANDARD, MOVE = "standard action", "move action"


def take_action(table: Table, name: str, what: str, *, out_of_turn: bool = False) -> Character:
    """Use a part of the turn. Refused out of turn, twice in one, and for those who cannot act (R4.42)."""
    who = require_able(table, name)
    encounter = turn_order.own_turn(table, who, out_of_turn=out_of_turn)
    if encounter is None:
        return who
    spent = encounter.spent
    if what in spent:
        left = MOVE if what == STANDARD else STANDARD
        rest = f"The {left} is left" if left not in spent else "Nothing is left of it"
        table.refuse(f"{who.name} has used the {what} of this turn. {rest}; the turn ends with: end-turn")
    turn_order.spend(table, who, what)
    return who


INITIATIVE = "initiative"
OUT = (conditions.DEAD,)


def initiative_terms(who: Character) -> tuple[Term, ...]:
    """The terms of initiative: Dexterity (R4.12), and a number that was entered."""
    return (stat_term(who, "dex"), *entered_terms(who, INITIATIVE, "R4.12"))


def _roll_initiative(table: Table, who: Character) -> tuple[int, ...]:
    return (roll_d20(table, who, initiative_terms(who), INITIATIVE).total,)


def _break_tie(table: Table, who: Character) -> tuple[int, ...]:
    return (roll_d20(table, who, (), "tie").total,)


def _begin_round(table: Table, names: Sequence[str]) -> None:
    """Begin a round and roll all initiatives; a bare d20 breaks a tie (Q4.39)."""
    first = partial(_roll_initiative, table)
    roll = turn_order.tie_break(first, partial(_break_tie, table))
    turn_order.begin_round(table, names, OUT, partial(turn_order.rank, roll=roll))


def _next_turn(table: Table) -> bool:
    """Give the next turn to a conscious character. Returns whether there is one.

    The incapacitated bleed or recover when their turn comes (Q4.25, Q4.26).
    """
    while True:
        waiting = turn_order.still_to_act(table, OUT)
        if not waiting:
            return False
        name = waiting[0].id
        table.record(events.TurnBegan(character=name))
        if not is_conscious(waiting[0]):
            bleed(table, waiting[0])
        if is_conscious(table.character(name)):
            return True
        table.record(events.TurnEnded(character=name))


DYING = DiceStep(
    each="dying character whose turn comes", tests={"a d10": "dying"}, after="only initiative says whose turn comes"
)
EACH, TIED = "a d20 of initiative for each", {"a d20 for each who is level with another": "tie"}
LATECOMING = DiceStep(
    tests={"the d20 of initiative": INITIATIVE, "a d20 for each who is level with the newcomer": "tie"}, ties=("tie",)
)


class BeginEncounter(verbs.BeginEncounterAction, verb="begin-encounter"):
    """A fight breaks out: everybody rolls a d20 and adds Dexterity, and will again every round (R4.12)."""

    typed_dice = (turn_order.initiative_dice(EACH, TIED, first=True), DYING)

    place: bool = flag(
        "put those who share a square face to face: the party in a row, everyone else in one before them"
    )

    def resolve(self, table: Table) -> None:
        if not self.participants:
            table.refuse("A fight needs participants: begin-encounter NAME,NAME,…", "participants")
        turn_order.begin_encounter(table, self.participants, title=self.title)
        if self.place:
            _face_to_face(table, self.participants, self.participants)
        else:
            _put_on_squares(table, self.participants, self.participants)
        _check_squares(table, self.participants)
        if not any(is_conscious(table.character(name)) for name in self.participants):
            table.refuse("Nobody in this fight can act. Name a character who is conscious.", "participants")
        _begin_round(table, self.participants)
        _next_turn(table)


def _put_on_squares(table: Table, names: Sequence[str], newcomers: Sequence[str]) -> None:
    """Give unplaced newcomers who would share a square one near the first placed character."""
    people = list(turn_order.able_to_act(table, names, OUT))
    placed = next((who.position for who in people if squares.was_placed(who)), UNPLACED)
    unplaced = [who.id for who in people if who.id in newcomers and not squares.was_placed(who)]
    _face_to_face(table, [who.id for who in people], unplaced, placed)


def _face_to_face(table: Table, names: Sequence[str], moved: Sequence[str], start: Square = UNPLACED) -> None:
    """Give each of the ``moved`` who shares a square its own: a row for the party, the others right north of it."""
    there = {name: table.character(name).position for name in names}
    shared = Counter(there.values())
    moving = [name for name in names if name in moved and shared[there[name]] > 1]
    taken = {square for name, square in there.items() if name not in moving}
    for name in moving:
        row = start[1] + (0 if sides.side_of(table.character(name)) == sides.PARTY else 1)
        free = next(at for east in count(start[0]) if (at := (east, row, start[2])) not in taken)
        taken.add(free)
        east, north, up = squares.between(there[name], free)
        if east or north or up:
            table.record(events.Moved(character=name, east=east, north=north, up=up))


def _check_squares(table: Table, names: Sequence[str]) -> None:
    there: dict[Square, Character] = {}
    for who in turn_order.able_to_act(table, names, OUT):
        other = there.setdefault(who.position, who)
        if other.id != who.id:
            square = squares.text(who.position)
            table.refuse(
                f"{other.name} and {who.name} are on the same square, {square}: place {who.id} 1 0, or begin with --place",
                table.parameter_of(who.id),
            )


def _take_place(table: Table, who: Character) -> None:
    order = turn_order.require_encounter(table).order
    _put_on_squares(table, order, (who.id,))
    _check_squares(table, order)
    turn_order.insert(table, who.id, *_roll_initiative(table, who), breaks_tie=partial(_break_tie, table))


JoinEncounter = verbs.join_encounter_verb(
    _take_place,
    help="A character joins a fight, rolls initiative, and acts in this round if their turn is still to come.",
    waits=lambda _: False,
    typed_dice=(LATECOMING,),
)


class EndTurn(verbs.EndTurnAction, verb="end-turn"):
    """End the turn; the next in the order has theirs, and after the last of a round everybody rolls initiative again."""

    typed_dice = (DYING, turn_order.initiative_dice(EACH, TIED), DYING)

    def resolve(self, table: Table) -> None:
        """End the turn. If no one is conscious in the next round either, the GM goes on round by round."""
        turn_order.check_may_continue(table)
        turn_order.end_turn(table)
        if _next_turn(table):
            return
        turn_order.end_round(table, seconds=Settings.of(table).round_seconds)
        names = turn_order.require_encounter(table).order
        if turn_order.able_to_act(table, names, OUT):
            _begin_round(table, names)
            _next_turn(table)


def _end_what_lasts_for_a_fight(table: Table, order: Sequence[str]) -> None:
    """End helpful spells and cut tendons, and give castings back if the table plays so (Q4.30)."""
    names = [name for name in order if table.knows(name)]
    conditions.end_for_all(table, names, HAMSTRUNG, conditions.ARRIVING)
    end_blessings(table, names)
    if Settings.of(table).cast_refresh == ENCOUNTER:
        refresh(table, names)


EndEncounter = verbs.end_encounter_verb(
    _end_what_lasts_for_a_fight, help="The fight is over; what lasts for one encounter ends with it (Q4.30)."
)
