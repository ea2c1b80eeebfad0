"""Ranges, moving and standing in a foe's way: engaged, close, medium and far, or feet on a map (R3.76, R3.86, Q3.24)."""

from collections.abc import Sequence

from rollbook.kit import conditions, counters, fields, require, turn_order, vocabulary
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.russell import party_members
from rollbook.rulesets.russell.character.stat_line import MOVEMENT
from rollbook.rulesets.russell.delve.encumbrance import round_feet
from rollbook.rulesets.russell.fight import rolls, turns, wounds
from rollbook.rulesets.russell.settings import house

RANGE_TO = "range_to"
"""The field of a condition that names the other character; ``band`` is how far apart the two are."""

APART = "range"
"""The GM's pool that says how many bands apart the two sides began."""

CLOSE, FAR = "close", "far"


def opponents(table: Table, who: Character) -> tuple[Character, ...]:
    """The living of the other side in the fight."""
    return tuple(other for other in _fighters(table) if party_members.in_party(other) != party_members.in_party(who))


def _fighters(table: Table) -> list[Character]:
    order = table.encounter.order if table.encounter is not None else ()
    return [who for who in map(table.character, order) if not who.has(conditions.DEAD)]


def range_between(table: Table, one: str, other: str) -> int:
    """The bands between two people: 0 is engaged."""
    bands, band = house(table).ranges, _band(table, one, other)
    return bands.index(band) if band in bands else max(0, min(table.gm_pools.get(APART, 0), len(bands) - 1))


def _band(table: Table, one: str, other: str) -> str:
    """The range of two characters who have moved in this fight, "" if neither has."""
    first, second = sorted((one, other))
    known = conditions.with_data(table.character(first), RANGE_TO, second)
    return next((fields.text(each.data, "band") for each in known), "")


def engaged_allies(table: Table, shooter: Character, target: Character) -> tuple[str, ...]:
    """The characters of the shooter's side who have come within arm's length of the target in this fight (R3.80)."""
    others = [who for who in _fighters(table) if who.id not in (shooter.id, target.id)]
    friends = [who.id for who in others if party_members.in_party(who) == party_members.in_party(shooter)]
    return tuple(name for name in friends if _band(table, name, target.id) == house(table).ranges[0])


def reached(bands: Sequence[str], farthest: str) -> int:
    """The band that a weapon reaches; at a table with names of its own close is the second and far the last (Q3.24)."""
    if farthest in bands:
        return bands.index(farthest)
    by_place = {CLOSE: min(1, len(bands) - 1), FAR: len(bands) - 1}
    return by_place.get(farthest, 0)


def band_number(table: Table, name: str) -> int:
    """A band by its name, as a number from the nearest."""
    bands = house(table).ranges
    if name not in bands:
        table.refuse(f"A range is one of {', '.join(bands)}, not {name!r}.", table.parameter_of(name))
    return bands.index(name)


def end_ranges(table: Table, names: Sequence[str]) -> None:
    """The fight is over, and ranges with it."""
    for name in names:
        conditions.end_with_data(table, name, RANGE_TO)
    counters.change(table, "", APART, -table.gm_pools.get(APART, 0), "the fight is over")


def arrive_at(table: Table, name: str, foes: list[str], band: int) -> None:
    """Put a character at another range from these foes; those who braced may strike at once (R3.86)."""
    for foe in foes:
        first, second = sorted((name, foe))
        there = house(table).ranges[band]
        state, data = f"at range to {second}", {RANGE_TO: second, "band": there}
        table.record(events.ConditionBegan(character=first, condition=state, detail=there, data=data))
        if band == 0 and conditions.end(table, foe, turns.BRACED):
            turns.grant_free_attack(table, foe, name)


def came_near(table: Table, name: str, foe: str) -> None:
    """Put a character who walked on a map this turn and strikes a foe within reach, where a brace counts (R3.86)."""
    walked = table.encounter is not None and table.encounter.spent.get(turns.FEET, 0) > 0
    if walked and _band(table, name, foe) != house(table).ranges[0]:
        arrive_at(table, name, [foe], 0)


BLOCKS = "blocks"
"""The field of the condition of a character who stands in a foe's way: the foe."""


class Block(Action, verb="block"):
    """Stand in the way of a foe within weapon reach, which costs nothing: they cannot move on until it ends (R3.76)."""

    sentence = "lets {foe} pass again{off:if}|stands in the way of {foe}"

    who: str = param.character("who stands in the way", actor=True)
    foe: str = param.character("whose way it is")
    off: bool = param.flag("let them pass again", gm_only=False)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        actor = turns.can_act(table, who)
        if table.encounter is None and not conditions.with_data(actor, BLOCKS):
            table.refuse(f"Nobody is within weapon reach of {actor.name}, who can block nobody.")

    def resolve(self, table: Table) -> None:
        who, foe = turns.can_act(table, self.who), require.living(table, self.foe)
        require.other_opponent(table, who.id, foe.id)
        state = f"blocking {foe.id}"
        if self.off:
            if not conditions.end(table, who.id, state):
                table.refuse(f"{who.name} does not stand in {foe.name}'s way.", "foe")
        elif table.encounter is None or range_between(table, who.id, foe.id):
            table.refuse(f"{foe.name} is not within weapon reach of {who.name}, who can block nobody else.", "foe")
        elif not conditions.begin(table, who.id, state, source=foe.id, data={BLOCKS: foe.id}):
            table.refuse(f"{who.name} stands in {foe.name}'s way already.", "foe")


def check_way(table: Table, who: Character, ruled: str = "") -> None:
    """Refuse to move on if an able foe within weapon reach stands in the way, on record or by the GM's ruling."""
    said = (each for each in table.characters() if conditions.with_data(each, BLOCKS, who.id))
    for foe in (*((require.living(table, ruled),) if ruled else ()), *said):
        is_able = not any(foe.has(state) for state in (*turns.KEPT_OUT, wounds.FLOORED))
        if is_able and range_between(table, who.id, foe.id) == 0:
            table.refuse(
                f"{foe.name} is within weapon reach and blocks {who.name}'s way. A stunt may get {foe.name} out of it: "
                f"stunt {who.id} {foe.id}"
            )


class Move(Action, verb="move"):
    """Move to the next range from some foes, which takes the action; or some feet on a map, which does not (R3.76)."""

    sentence = "moves to {to:key}[ of {foes}]|moves {feet:foot}|moves[ from {foes}]"
    typed_dice = (DiceStep(tests={"a d20 of athletics, if it takes one": "athletics"}),)

    who: str = param.character("who moves", actor=True)
    to: str = param.words(
        "the range to reach: the next one nearer or farther", default="", gm_only=False, of=vocabulary.RANGE
    )
    foes: tuple[str, ...] = param.characters(
        "the foes; left out, every foe in the fight; on a map, those whom the way ends beside",
        default=(),
        gm_only=False,
    )
    feet: int = param.number("how far on a map", default=0, minimum=0, maximum=10_000, unit="feet", gm_only=False)
    athletic: bool = param.flag("it takes a leap, a climb or the like: a save against Movement first", gm_only=False)
    blocked_by: str = param.character(
        "a foe within weapon reach who blocks the way, if the GM rules so", default="", gm_only=True
    )
    out_of_turn: bool = param.flag("the GM rules that it needs no turn", gm_only=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        mover = turns.can_act(table, who)
        check_way(table, mover)
        turn_order.own_turn(table, mover, out_of_turn=False)

    def resolve(self, table: Table) -> None:
        if bool(self.to) == bool(self.feet):
            table.refuse("Say where to: --to RANGE (engaged, close, medium …), or on a map --feet NUMBER.", "to")
        who = turns.can_act(table, self.who)
        check_way(table, who, self.blocked_by)
        if self.feet:
            self._walk(table, who)
        else:
            self._change_range(table, who)

    def _walk(self, table: Table, who: Character) -> None:
        """Movement x 2 feet a Round (R3.76, Q3.25); outside a fight feet are not counted."""
        encounter = turn_order.own_turn(table, who, out_of_turn=self.out_of_turn)
        if encounter is not None:
            left = round_feet(who, house(table)) - encounter.spent.get(turns.FEET, 0)
            if self.feet > left:
                table.refuse(f"{who.name} cannot move {self.feet} feet: {left} are left in this Round.", "feet")
            turn_order.spend(table, who, turns.FEET, self.feet)
        if self._makes_it(table, who):
            table.record(events.Moved(character=who.id, cost=self.feet))
            arrive_at(table, who.id, [require.living(table, name).id for name in self.foes], 0)

    def _makes_it(self, table: Table, who: Character) -> bool:
        return not self.athletic or rolls.save(table, who, MOVEMENT, against="the leap", purpose="athletics")

    def _change_range(self, table: Table, who: Character) -> None:
        there = band_number(table, self.to)
        foes = [require.living(table, name) for name in self.foes] or list(opponents(table, who))
        if not foes:
            table.refuse(f"{who.name} has no foe in the fight. Name the foes: --foes ID,ID", "foes")
        self._check_one_step(table, who, foes, there)
        turns.take_action(table, who.id, out_of_turn=self.out_of_turn)
        if self._makes_it(table, who):
            arrive_at(table, who.id, [foe.id for foe in foes], there)

    def _check_one_step(self, table: Table, who: Character, foes: list[Character], there: int) -> None:
        bands = house(table).ranges
        for foe in foes:
            here = range_between(table, who.id, foe.id)
            said = f"{who.name} is at {bands[here]} range from {foe.name}"
            if here == there:
                table.refuse(f"{said} already; moving within it is free.", "to")
            if abs(here - there) > 1:
                table.refuse(f"{said}: an action goes one range and no farther.", "to")
