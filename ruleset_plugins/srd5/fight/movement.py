"""Movement: speed, moving, standing up, dropping prone, jumps (R5.52–R5.58, R5.118, R5.123, R5.154, R5.155, R5.179, R5.195).

On record: ``TurnSpent(what="feet")`` in a turn; ``Moved`` where squares are used. The stat ``speed`` is the whole of
a monster's, or a ruling for others on top of what their species has.
"""

from collections.abc import Callable, Iterator

from rollbook.kit import conditions, require, sides, squares, turn_order, verbs
from rollbook.plugin import Action, CampaignState, Character, DiceStep, Square, Table, Term, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities
from rollbook.rulesets.srd5.effects.lasting import effects_on, specials
from rollbook.rulesets.srd5.fight import armour, places, states, turns
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import checks, d20_tests

USUAL = 30
DODGING, DISENGAGED, DASHES = "dodging", "disengaged", "dash"
WALK, CLIMB, SWIM, FLY, CRAWL, BURROW = "walk", "climb", "swim", "fly", "crawl", "burrow"
MODES = (WALK, CLIMB, SWIM, FLY, CRAWL, BURROW)
OWN_SPEED = (FLY, BURROW)
"""Ways of moving for those alone who have a speed for them."""
SPECIES = "species"
JUMP_DC, LEAPT = 10, "leapt"


def speed_terms(who: Character, settings: Settings, mode: str = WALK) -> Iterator[Term]:
    """The terms of a speed in feet; what changes the walking speed changes the others as much (R5.52, R5.135, R5.191)."""
    total, own = 0, special_speed(who, mode)
    for term in (Term(own, f"{mode} speed", "R5.191"),) if own else _base(who):
        total += term.amount
        yield term
    for term in _changes(who, total, is_own=bool(own)):
        total += term.amount
        yield term
    lost = _lost_to_exhaustion(states.level_of_exhaustion(who), total, is_old=settings.is_old)
    if lost is not None:
        total += lost
        yield Term(lost, states.EXHAUSTION, "R5.135", "condition.exhaustion")
    for row, condition in states.states_of(who):
        still = row.still or (row.key == "stunned" and settings.is_old)
        if still and total > 0:
            yield Term(-total, row.key, row.rule, f"condition.{condition.name}")
            return


def _lost_to_exhaustion(level: int, feet: int, *, is_old: bool) -> int | None:
    """The feet below 0 that exhaustion adds to so many: 5 a level, or by 2014 half from level 2 and all from level 5."""
    if level < (2 if is_old else 1):
        return None
    if is_old:
        return feet // 2 - feet if level < 5 else -feet
    return -min(5 * level, max(feet, 0))


def _base(who: Character) -> Iterator[Term]:
    if block_of(who) is None:
        species = next((each for each in who.traits_of(SPECIES) if each in catalogue.species()), "")
        feet = catalogue.species()[species].speed if species else USUAL
        yield Term(feet, species or "base", "R5.52", f"trait.{species}" if species else "")
    if who.stats.get("speed"):
        yield Term(who.stats["speed"], "as entered", "R5.52", "stat.speed")
    item, row, _ = armour.armour_of(who)
    if row is not None and row.strength > abilities.score(who, "str"):
        yield Term(-10, item, "R5.271", f"gear.{item}")


def _changes(who: Character, total: int, *, is_own: bool) -> Iterator[Term]:
    """Terms that effects add to a speed, make of it, or set it to; another speed is only set to 0 (R5.191)."""
    for held in effects_on(who, "speed"):
        effect = held.effect
        if effect.mode != WALK or (is_own and effect.feet):
            continue
        becomes = total + int(effect.plus)
        if effect.times:
            becomes = int(becomes * effect.times)
        if effect.feet is not None:
            becomes = effect.feet
        if becomes != total:
            yield Term(becomes - total, held.label, "R5.191")
            total = becomes


def speed(where: Table | CampaignState, who: Character, mode: str = WALK) -> int:
    """Feet in a move of a kind."""
    return max(sum([term.amount for term in speed_terms(who, Settings.of(where), mode)]), 0)


def special_speed(who: Character, mode: str) -> int:
    """The feet of a speed of its own for a way of moving, 0 without one (R5.191)."""
    if mode in (WALK, CRAWL):
        return 0
    lent = [held.effect.feet for held in effects_on(who, "speed") if held.effect.mode == mode]
    return max([own_speed(who, mode), *(feet or sum(term.amount for term in _base(who)) for feet in lent)])


def budget(table: Table | CampaignState, who: Character, mode: str = WALK) -> int:
    """The feet left in the current turn; each Dash adds the speed once more (R5.128)."""
    spent, purse = table.encounter.spent if table.encounter is not None else {}, turns.purse(table, who)
    return speed(table, who, mode) * (1 + spent.get(purse + DASHES, 0)) - spent.get(purse + turns.FEET, 0)


def is_dodging(table: Table, who: Character) -> bool:
    """True for who dodges and has not lost it (R5.134)."""
    return who.has(DODGING) and not states.is_unable(who) and speed(table, who) > 0


def spend_feet(table: Table, who: Character, feet: int, mode: str = WALK) -> None:
    """Use up movement. Refused where less is left (R5.52)."""
    if table.encounter is None or not feet:
        return
    turns.check_one_thing(table, who, turns.FEET)
    left = max(budget(table, who, mode), 0)
    if feet > left:
        table.refuse(f"{who.name} has {left} feet left this turn, and this takes {feet}. Dash adds the speed again.")
    turns.spend(table, who, turns.FEET, feet)


def own_turn(table: Table, name: str) -> Character:
    """A character who can move, and whose turn it is if there are turns; the incapacitated may still have a speed (R5.159)."""
    who = require.living(table, name)
    if not any(speed(table, who, mode) for mode in MODES):
        why = next((each.name for row, each in states.states_of(who) if row.still), "")
        table.refuse(f"{who.name} has a speed of 0{f', being {why},' if why else ''} and cannot move.", "who")
    states.check_free(table, who, "cannot move", "move", "turn", at="who")
    turns.check_turn(table, who)
    return who


class Move(turns.OwnVerb, verb="move"):
    """Move so many feet, or to a square; ground and the way of moving make a foot cost more (R5.52, R5.53)."""

    sentence = "moves {feet:foot}[ to {to:square}]|moves to {to:square}|moves"

    feet: int = param.number("how many feet", default=0, minimum=0, maximum=10_000, unit="feet", gm_only=False)
    to: tuple[str, ...] = param.names("to which square, east and north as in 3,4", default=(), gm_only=False)
    over: tuple[str, ...] = param.names("over which squares first, as in 1,0,2,1", default=(), gm_only=False)
    mode: str = param.choice("how: on foot, climbing, swimming, flying …", MODES, default=WALK, gm_only=False)
    through: tuple[str, ...] = param.characters("whose spaces they pass", default=(), gm_only=False)
    drag: tuple[str, ...] = param.characters("whom they drag along", default=(), gm_only=False)
    difficult: int = param.number("feet of difficult ground", default=0, minimum=0, maximum=10_000, gm_only=False)

    check_available = verbs.available_if(own_turn)

    def resolve(self, table: Table) -> None:
        who, way = self.begin(table)
        if way:
            _carry_along(table, who, way[-1], self.drag)
            squares.put(table, who.id, way[-1])
        for follow in ON_MOVING:
            follow(table, who, way, self.mode)

    def begin(self, table: Table) -> tuple[Character, tuple[Square, ...]]:
        """Pay for the move; returns who moves, and the squares of their way. Refused where that cannot be."""
        who = require.living(table, self.who) if self.out_of_turn else own_turn(table, self.who)
        square = squares.parse(table, self.to) if self.to else None
        stops = [squares.parse(table, self.over[at : at + 2]) for at in range(0, len(self.over), 2)]
        way = squares.joined(who.position, (*stops, square), barred(table, who)) if square is not None else ()
        apart = places.apart(who.position, square) if square is not None else 0
        feet = self.feet or (places.FEET * len(way) if stops else apart)
        if not feet:
            table.refuse("Say how far or where to: move WHO --feet 30, or move WHO --to 3,4", "feet")
        if not self.out_of_turn:
            self._check_mode(table, who)
            check_spaces(table, who, self.through, square)
            spend_feet(table, who, feet + self._more(table, who, feet), self.mode)
        return who, way

    def _check_mode(self, table: Table, who: Character) -> None:
        """Refuse flight without wings, and anything but crawling to the prone (R5.142, R5.179, R5.513)."""
        if self.mode in OWN_SPEED and not has_speed(who, self.mode):
            table.refuse(f"{who.name} has no {self.mode} speed.", "mode")
        if self.mode != CLIMB:
            states.check_free(table, who, "moves only by climbing", "all but climb", at="mode")
        if self.mode not in (WALK, CRAWL) and states.has(who, states.PRONE):
            table.refuse(f"{who.name} is prone, and crawls or stands up.", "mode")

    def _more(self, table: Table, who: Character, feet: int) -> int:
        """The feet that ground, the way of moving, others' spaces and a burden add (R5.53, R5.57, R5.118, R5.123, R5.146)."""
        is_slow = (self.mode in (CLIMB, SWIM) and not has_speed(who, self.mode)) or self.mode == CRAWL
        is_slow = is_slow or states.has(who, states.PRONE)
        hard, least = self.difficult, max(places.size_number(who) - 2, 0)
        for passed in map(table.character, self.through):
            hard += places.FEET if not sides.are_allies(who, passed) and places.size_number(passed) else 0
        is_burdened = any(places.size_number(table.character(each)) > least for each in self.drag)
        is_burdened = is_burdened and not specials(who, "free drag")
        return feet * (is_slow + is_burdened) + min(hard, feet)


def has_speed(who: Character, mode: str) -> bool:
    """True for a speed of this kind: of the stat block, of an effect, or of a rule of its own (R5.118)."""
    own = own_speed(who, mode) or any(held.effect.mode == mode for held in effects_on(who, "speed"))
    return bool(own) or any("walls" in held.effect.numbers["what"] for held in specials(who, "walk on"))


def own_speed(who: Character, mode: str) -> int:
    """The feet of a stat block's speed of this kind, or 1 for what it has without a number (hover); 0 for none."""
    block = block_of(who)
    return int(getattr(block.speed, mode, 0)) if block is not None else 0


def check_spaces(table: Table, who: Character, through: tuple[str, ...], square: Square | None) -> None:
    """Refuse spaces that cannot be passed or ended in, and steps towards what is feared (R5.57, R5.58, R5.144)."""
    for other in map(table.character, through):
        if not may_pass(who, other):
            table.refuse(f"{who.name} cannot pass through the space of {other.name}.", "through")
    if square is None:
        return
    for other in turn_order.present(table):
        is_there = squares.was_placed(other) and other.position == square and other.id != who.id
        if is_there and not other.has(states.DEAD) and not places.may_share(who, other):
            table.refuse(f"{other.name} is on that square already.", "to")
    sources = (each.source for each in states.by(who, states.FRIGHTENED))
    for feared in (table.character(name) for name in sources if table.knows(name)):
        apart = places.apart(who.position, feared.position)
        if squares.was_placed(feared) and places.apart(square, feared.position) < apart:
            table.refuse(f"{who.name} is frightened and comes no closer to {feared.name}.", "to")


def barred(table: Table, who: Character) -> frozenset[Square]:
    """The squares that somebody cannot pass (R5.57)."""
    others = (each for each in turn_order.present(table) if squares.was_placed(each) and each.id != who.id)
    return frozenset(each.position for each in others if not (each.has(states.DEAD) or may_pass(who, each)))


def may_pass(who: Character, other: Character) -> bool:
    """True if somebody can move through another's space (R5.57)."""
    apart = abs(places.size_number(other) - places.size_number(who))
    is_open = sides.are_allies(who, other) or states.is_unable(other) or not places.size_number(other)
    return is_open or apart > 1 or places.may_share(who, other) or bool(specials(who, "incorporeal"))


def _carry_along(table: Table, who: Character, square: Square, names: tuple[str, ...]) -> None:
    """Move those who are dragged as far as who drags them (R5.146)."""
    for name in names:
        other = table.character(name)
        if not states.by(other, states.GRAPPLED, who.id):
            table.refuse(f"{who.name} does not hold {other.name}.", "drag")
        here = zip(other.position, square, who.position, strict=True)
        east, north, up = (at + to - before for at, to, before in here)
        squares.put(table, name, (east, north, up))


ON_MOVING: list[Callable[[Table, Character, tuple[Square, ...], str], object]] = []
"""Consequences of a move: functions of table, the character before it, the squares of the way, and the way of moving."""


class Stand(turns.OwnVerb, verb="stand"):
    """Get up from the ground for half the speed (R5.179)."""

    sentence = "stands up"

    check_available = verbs.available_if(lambda table, who: _check_may_stand(table, own_turn(table, who)))

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who) if self.out_of_turn else own_turn(table, self.who)
        _check_may_stand(table, who)
        if not self.out_of_turn:
            spend_feet(table, who, speed(table, who) // 2)
        states.end(table, who.id, states.PRONE)


def _check_may_stand(table: Table, who: Character) -> None:
    if not states.has(who, states.PRONE):
        table.refuse(f"{who.name} is on their feet already.", "who")
    if not speed(table, who):
        table.refuse(f"{who.name} cannot stand up, because of a speed of 0.", "who")
    states.check_free(table, who, "cannot stand up", "stand", at="who")


class DropProne(Action, verb="drop-prone"):
    """Lie down, which costs nothing (R5.55)."""

    sentence = "drops to the ground"

    who: str = param.character("who lies down", actor=True)

    @classmethod
    def check_available(cls, table: Table, who: str, /) -> None:
        one = turns.own_turn(table, who) if Settings.of(table).is_old else own_turn(table, who)
        if states.has(one, states.PRONE):
            table.refuse(f"{one.name} is prone already.", "who")

    def resolve(self, table: Table) -> None:
        self.check_available(table, self.who)
        conditions.begin(table, self.who, states.PRONE)


def jump_of(who: Character, *, high: bool, standing: bool) -> int:
    """The feet of a jump: the Strength score, or up 3 and the modifier, half from standing; some jump better (R5.154, R5.467)."""
    may = ("str", *(held.effect.numbers["ability"] for held in specials(who, "jumps by")))
    ability = max(may, key=lambda each: abilities.score(who, each))
    usual = max(3 + abilities.modifier(who, ability), 0) if high else abilities.score(who, ability)
    leaps = [held.effect.numbers for held in specials(who, "long jump")]
    best: list[int] = [each.get("high" if high else "feet", 0) for each in leaps if not (standing and each["run"])]
    return max(usual // (2 if standing else 1), *best, 0)


class Jump(d20_tests.TestAction, turns.OwnVerb, verb="jump"):
    """Jump so many feet, each of which costs a foot; half as far without 10 feet of a run (R5.154)."""

    typed_dice = (DiceStep(tests={"the d20s of clearing and of landing": "check"}),)

    feet: int = param.number("how far, or how high", minimum=1, maximum=1_000, gm_only=False)
    high: bool = param.flag("up, and not across", gm_only=False)
    standing: bool = param.flag("without a run", gm_only=False)
    over: bool = param.flag("over a low obstacle: Athletics against 10", gm_only=False)
    rough: bool = param.flag("onto difficult ground: Acrobatics against 10, or prone", gm_only=False)

    check_available = verbs.available_if(own_turn)

    def resolve(self, table: Table) -> None:
        who = require.living(table, self.who) if self.out_of_turn else own_turn(table, self.who)
        most, cost = jump_of(who, high=self.high, standing=self.standing), self.feet
        leapt = table.encounter is not None and table.encounter.spent.get(LEAPT, 0)
        for leap in (held.effect.numbers for held in specials(who, "jump") if not leapt):
            most, cost = max(most, leap["feet"]), min(cost, leap["cost"])
        if self.feet > most and not self.out_of_turn:
            table.refuse(f"{who.name} jumps at most {most} feet{' from standing' if self.standing else ''}.", "feet")
        if not self.out_of_turn:
            if states.has(who, states.PRONE):
                table.refuse(f"{who.name} is prone, and crawls or stands up.", "who")
            spend_feet(table, who, cost)
            if cost < self.feet and table.encounter is not None:
                turns.spend(table, who, LEAPT)
        with d20_tests.TestRolls(table, self.spared) as rolls:
            if self.over:
                checks.roll_check(table, rolls, who, "str", JUMP_DC, skill="athletics", said=self)
            if self.rough and not checks.roll_check(table, rolls, who, "dex", JUMP_DC, skill="acrobatics", said=self):
                conditions.begin(table, who.id, states.PRONE)
