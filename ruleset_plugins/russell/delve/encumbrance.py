"""Gear slots, Tired pips, Weariness, and Movement under all of them (R3.10, R3.34–R3.39, Q3.25, Q3.32, Q3.33)."""

from bisect import bisect_right
from functools import lru_cache

from rollbook.kit import conditions, counters, d20, sheet_lines, stat_entry
from rollbook.plugin import Character, CharacterKind, Gear, Table, Term
from rollbook.rulesets.russell import gear
from rollbook.rulesets.russell.character import attributes, stat_line, templates
from rollbook.rulesets.russell.settings import Settings, house

TINY_IN_A_SLOT = 1_000
"""Coins, gems and the like that fill one slot (R3.35)."""

PHYSICAL = frozenset({"attack", "stunt", "initiative", "chase", "stealth", "athletics", "physical"})
"""The kinds of roll that a heavy load hampers; saves with Strength or Dexterity may be made as "physical" (R3.36)."""

OVERLOADED = d20.Advantage(disadvantage=("overloaded",))


@lru_cache(maxsize=2048)
def slots_of(item: str, count: int, use: tuple[str, ...]) -> int:
    """The slots that this many of a thing fill; 0 for tiny things, which fill theirs together."""
    row = gear.thing(item, use).row
    return 0 if row.tiny or count <= 0 else row.slots * -(-count // row.lot)


def slot_terms(who: Character) -> tuple[Term, ...]:
    """Everything that fills slots, in the order it was acquired, tiny things last."""
    terms = [
        Term(slots, f"{held.count} {item}", gear.thing(item, held.use).row.rule, f"gear.{item}")
        for item, held in who.gear.items()
        if (slots := slots_of(item, held.count, held.use))
    ]
    tiny = tiny_things(who) // TINY_IN_A_SLOT
    return (*terms, Term(tiny, "coins and gems", "R3.35", "gear")) if tiny else tuple(terms)


def tiny_things(who: Character) -> int:
    """The number of coins, gems and other tiny things that a character carries."""
    return sum(held.count for item, held in who.gear.items() if held.count > 0 and gear.thing(item, held.use).row.tiny)


def used(who: Character) -> int:
    """Gear slots in use."""
    slots = sum(slots_of(item, held.count, held.use) for item, held in who.gear.items())
    return slots + tiny_things(who) // TINY_IN_A_SLOT


def slots(who: Character) -> int:
    """Gear slots: as many as points of Strength (R3.3, R3.34)."""
    return max(attributes.score(who, "str"), 0)


def most(who: Character, settings: Settings) -> int:
    """The most slots that a character can carry: one and a half times Strength (R3.34, Q3.32)."""
    return slots(who) + settings.half(slots(who))


def is_overloaded(who: Character) -> bool:
    """Tell if more slots are in use than Strength has; exactly as many is fine (Q3.32). Things bear anything."""
    return who.kind is not CharacterKind.THING and used(who) > slots(who)


def load_ease(who: Character, kind: str) -> d20.Advantage:
    """Disadvantage on physical rolls for the Overloaded (R3.36)."""
    return OVERLOADED if kind in PHYSICAL and who.gear and is_overloaded(who) else d20.NO_ADVANTAGE


def check_can_carry(table: Table, who: Character, item: str, count: int, use: tuple[str, ...] = ()) -> None:
    """Refuse to load a character with more than one and a half times Strength (R3.34)."""
    if who.kind is CharacterKind.THING:
        return
    would, limit = _slots_with(who, item, count, use), most(who, house(table))
    if would > limit:
        table.refuse(
            f"{who.name} cannot carry {count} {item} more: that makes {would} slots, and with Strength {slots(who)} "
            f"the limit is {limit}. Put something down first, or let somebody else take it.",
            table.parameter_of(item),
        )


def most_that_fit(table: Table, who: Character, item: str, count: int, use: tuple[str, ...]) -> int:
    """The number of a thing, up to ``count``, that a character can carry in addition (R3.34)."""
    if who.kind is CharacterKind.THING:
        return count
    limit = most(who, house(table))
    return bisect_right(range(1, count + 1), limit, key=lambda more: _slots_with(who, item, more, use))


def _slots_with(who: Character, item: str, more: int, use: tuple[str, ...]) -> int:
    """The slots in use with so many more of a thing."""
    held = who.gear.get(item, Gear(count=0, use=use))
    loaded = who.copy()
    loaded.gear = {**who.gear, item: Gear(count=held.count + more, use=use or held.use)}
    return used(loaded)


def check_can_walk(table: Table, who: Character) -> None:
    """Refuse to set out with more than can be carried at all (R3.34)."""
    limit = most(who, house(table))
    if who.kind is not CharacterKind.THING and used(who) > limit:
        table.refuse(
            f"{who.name} cannot take a step: {used(who)} slots are in use, and with Strength {slots(who)} the limit is "
            f"{limit}. Put something down (drop {who.id} …) or hand it on (hand-over {who.id} …)."
        )


def check_has(table: Table, who: Character, item: str, count: int) -> Gear:
    """Refuse unless a character has this many of a thing. Returns what the character has of it."""
    held = who.gear.get(item, Gear(count=0))
    if held.count < count:
        table.refuse(f"{who.name} does not have {count} of {item!r}, but {held.count}.", table.parameter_of(item))
    return held


TIRED = "tired"
"""The pool of Tired pips."""

WEARIED = "wearied"
MOST_PIPS = 3
ALL = 10**9
"""More pips than a character can have."""
WEARY = d20.Advantage(disadvantage=(WEARIED,))


def pips(who: Character) -> int:
    """Tired pips, 0 to 3."""
    return max(0, min(who.pools.get(TIRED, 0), MOST_PIPS))


def weary_ease(who: Character) -> d20.Advantage:
    """Disadvantage on every test for the Wearied (R3.38, Q3.20); beside a heavy load it counts a second time (R3.39)."""
    return WEARY if who.has(WEARIED) else d20.NO_ADVANTAGE


def tire(table: Table, name: str) -> None:
    """The die shows Tired: a pip, two for the Overloaded, three at most; the third makes Wearied (R3.37, R3.38)."""
    who = table.character(name)
    if who.kind is CharacterKind.THING or who.has(conditions.DEAD):
        return
    marks = min(2 if is_overloaded(who) else 1, MOST_PIPS - pips(who))
    counters.change(table, name, TIRED, max(marks, 0), "Tired")
    if pips(table.character(name)) == MOST_PIPS:
        conditions.begin(table, name, WEARIED)


def wipe(table: Table, name: str, most: int = ALL, *, reason: str) -> None:
    """Erase all pips, or at most ``most``."""
    counters.change(table, name, TIRED, -min(max(table.character(name).pools.get(TIRED, 0), 0), most), reason)


def refreshed(table: Table, name: str, *, reason: str) -> None:
    """All pips and Weariness are gone (R3.41)."""
    wipe(table, name, reason=reason)
    conditions.end(table, name, WEARIED)


MOVEMENT = stat_line.MOVEMENT
HUMAN = 12
"""The Movement of human size, where no other number is entered (R3.10)."""

FEET_IN_A_TURN = 10
FEET_IN_A_ROUND = 2


def movement_terms(who: Character, settings: Settings) -> tuple[Term, ...]:
    """The terms of Movement: the base, templates, and the half that Weariness takes."""
    entered = stat_entry.terms(who, MOVEMENT, "entered", "R3.10") or (Term(HUMAN, "human size", "R3.10"),)
    terms = sheet_lines.at_least((*entered, *templates.effect_terms(who, MOVEMENT)), 0, "R3.10")
    if who.has(WEARIED):
        rested = sum(term.amount for term in terms)
        terms = (*terms, Term(settings.half(rested) - rested, "Wearied", "R3.38", f"condition.{WEARIED}"))
    return terms


def movement(who: Character, settings: Settings) -> int:
    """A character's Movement now, 12 for a rested human."""
    return sum(term.amount for term in movement_terms(who, settings))


def turn_feet(who: Character, settings: Settings) -> int:
    """Feet in a Turn of careful exploring: Movement x 10 (R3.53)."""
    return movement(who, settings) * FEET_IN_A_TURN


def round_feet(who: Character, settings: Settings) -> int:
    """Feet in a Round, where a map is used: Movement x 2 (R3.76, Q3.25)."""
    return movement(who, settings) * FEET_IN_A_ROUND
