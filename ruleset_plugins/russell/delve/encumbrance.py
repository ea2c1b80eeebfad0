"""Gear slots: what each thing takes, how much somebody carries, and what too much does (R3.34–R3.36, Q3.32)."""

from bisect import bisect_right
from functools import lru_cache

from rollbook.kit import d20
from rollbook.plugin import Character, CharacterKind, Gear, Table, Term
from rollbook.rulesets.russell.character.attributes import score
from rollbook.rulesets.russell.gear import thing
from rollbook.rulesets.russell.settings import Settings, house

TINY_IN_A_SLOT = 1_000
"""Coins, gems and the like that fill one slot (R3.35)."""

PHYSICAL = frozenset({"attack", "stunt", "initiative", "chase", "stealth", "athletics", "physical"})
"""The kinds of roll that a heavy load hampers; saves with Strength or Dexterity may be made as "physical" (R3.36)."""

OVERLOADED = d20.Advantage(disadvantage=("overloaded",))


@lru_cache(maxsize=2048)
def slots_of(item: str, count: int, use: tuple[str, ...]) -> int:
    """The slots that this many of a thing fill; 0 for tiny things, which fill theirs together."""
    row = thing(item, use).row
    return 0 if row.tiny or count <= 0 else row.slots * -(-count // row.lot)


def slot_terms(who: Character) -> tuple[Term, ...]:
    """Everything that fills slots, in the order it was acquired, tiny things last."""
    terms = [
        Term(slots, f"{held.count} {item}", thing(item, held.use).row.rule, f"gear.{item}")
        for item, held in who.gear.items()
        if (slots := slots_of(item, held.count, held.use))
    ]
    tiny = tiny_things(who) // TINY_IN_A_SLOT
    return (*terms, Term(tiny, "coins and gems", "R3.35", "gear")) if tiny else tuple(terms)


def tiny_things(who: Character) -> int:
    """How many coins, gems and other tiny things somebody carries."""
    return sum(held.count for item, held in who.gear.items() if held.count > 0 and thing(item, held.use).row.tiny)


def used(who: Character) -> int:
    """Gear slots in use."""
    slots = sum(slots_of(item, held.count, held.use) for item, held in who.gear.items())
    return slots + tiny_things(who) // TINY_IN_A_SLOT


def slots(who: Character) -> int:
    """Gear slots: as many as points of Strength (R3.3, R3.34)."""
    return max(score(who, "str"), 0)


def most(who: Character, settings: Settings) -> int:
    """The most slots that somebody can carry: one and a half times Strength (R3.34, Q3.32)."""
    return slots(who) + settings.half(slots(who))


def is_overloaded(who: Character) -> bool:
    """Whether more slots are in use than Strength has; exactly as many is fine (Q3.32). Things bear anything."""
    return who.kind is not CharacterKind.THING and used(who) > slots(who)


def load_ease(who: Character, kind: str) -> d20.Advantage:
    """Disadvantage on physical rolls for the Overloaded (R3.36)."""
    return OVERLOADED if kind in PHYSICAL and who.gear and is_overloaded(who) else d20.NO_ADVANTAGE


def check_can_carry(table: Table, who: Character, item: str, count: int, use: tuple[str, ...] = ()) -> None:
    """Refuse to load somebody with more than one and a half times Strength (R3.34)."""
    if who.kind is CharacterKind.THING:
        return
    would, limit = _slots_with(who, item, count, use), most(who, house(table))
    if would > limit:
        table.refuse(
            f"{who.name} cannot carry {count} {item} more: that makes {would} slots, and with Strength {slots(who)} "
            f"the limit is {limit}. Put something down first, or let somebody else take it.",
            parameter=table.parameter_of(item),
        )


def most_that_fit(table: Table, who: Character, item: str, count: int, use: tuple[str, ...]) -> int:
    """How many of a thing, up to ``count``, somebody can take as well (R3.34)."""
    if who.kind is CharacterKind.THING:
        return count
    limit = most(who, house(table))
    return bisect_right(range(1, count + 1), limit, key=lambda more: _slots_with(who, item, more, use))


def _slots_with(who: Character, item: str, more: int, use: tuple[str, ...]) -> int:
    """The slots in use once somebody has so many more of a thing."""
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
    """Refuse unless somebody has this many of a thing. Returns what they have of it."""
    held = who.gear.get(item, Gear(count=0))
    if held.count < count:
        table.refuse(
            f"{who.name} does not have {count} of {item!r}, but {held.count}.", parameter=table.parameter_of(item)
        )
    return held
