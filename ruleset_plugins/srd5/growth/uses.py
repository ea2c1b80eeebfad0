"""Uses of features: how many there are, how many are spent, and what pays for one (R5.206).

On record: the pool ``used:NAME`` counts what is spent of a feature, in lower case, so that a level needs no event and
a rest only empties it. Those of a magic item are its charges: ``charges spent:KEY``. How many it was found with is rolled
when it is first asked, where dice say it: ``charges found:KEY``.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rollbook.kit import counters, turn_order
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.growth import amounts
from rollbook.rulesets.srd5.magic import slots

USED, CHARGES, FOUND = "used", "charges spent", "charges found"
SLOT, PACT_SLOT, FIFTH, DICE, ITEM = "spell slot", "pact slot", "level 5 slot", "sneak attack dice", "charges"
SLOT_LEVEL = "slot"
"""The count of uses that is the level of a slot."""


def pool(own: features.Owned) -> str:
    """The name of the pool that counts what is spent of a feature."""
    return counters.counter(USED, own.name.casefold())


def holder_of(own: features.Owned) -> features.Owned | None:
    """The feature whose uses a feature takes: itself, or what it is a part of; None where nothing is counted."""
    if own.trait.uses:
        return own
    above = own.above
    return above if above is not None and above.trait.choose and above.trait.uses and not own.trait.spends else None


def most(who: Character, own: features.Owned) -> int:
    """The uses of a feature, never below what it says is the least."""
    return max(amounts.number(who, own, own.trait.uses), 0)


def left(who: Character, own: features.Owned) -> int:
    """The uses that are left."""
    return most(who, own) - who.pools.get(pool(own), 0)


def named(who: Character, what: str) -> features.Owned | None:
    """The feature whose uses are called so: by its name, or by the column that counts them."""
    for own in features.owned(who):
        if own.trait.uses and what in (own.name.casefold(), own.trait.uses):
            return own
    return None


def counted(who: Character) -> Iterator[features.Owned]:
    """The features with uses, each once."""
    seen = set()
    for own in features.owned(who):
        if own.trait.uses and own.name not in seen:
            seen.add(own.name)
            yield own


def spend(table: Table, who: Character, own: features.Owned, many: int = 1) -> None:
    """Spend uses of a feature. Refused where fewer are left, with what brings them back."""
    has = max(left(who, own), 0)
    if has < many:
        back = own.trait.regained or "a rest"
        table.refuse(f"{who.name} has {has} of {most(who, own)} left of {own.name}, which comes back with: {back}.")
    counters.change(table, who.id, pool(own), many, own.name)


def regain(table: Table, who: Character, own: features.Owned, many: int) -> None:
    """Give uses back, as many as are spent at most."""
    counters.change(table, who.id, pool(own), -min(many, max(who.pools.get(pool(own), 0), 0)), own.name)


def pay_for(
    table: Table, who: Character, own: features.Owned, *, slot: int = 0, many: int = 1, instead: bool = False
) -> int:
    """Pay for a use: what it spends and its own uses, or ``instead`` of the last what brings one back (R5.206).

    Returns the level of the slot that was spent, else 0. Refused where something is missing.
    """
    spent = [pay(table, who, own, what, times, slot=slot) for what, times in own.trait.spends.items()]
    holder = holder_of(own)
    is_restored = own.trait.restored and own.level >= own.trait.numbers.get("restored_from", 0)
    if holder is not None and instead and is_restored and left(who, holder) < 1:
        for what, times in own.trait.restored.items():
            pay(table, who, own, what, times, slot=slot)
    elif holder is not None:
        spend(table, who, holder, many)
    return max(spent, default=0)


def may_now(table: Table, who: Character, own: features.Owned) -> bool:
    """True for a feature that may be had now; one of once a turn is then used in it."""
    if own.trait.once != "turn" or table.encounter is None:
        return True
    what = f"once:{own.name}"
    if who.id in turn_order.spent_on(table.encounter, what):
        return False
    turn_order.spend(table, who, what, about=who.id)
    return True


def asks_for_none(own: features.Owned) -> bool:
    """True for what brings uses back only to who has none left."""
    return own.trait.given == "no uses left"


def give_back(table: Table, who: Character, own: features.Owned, numbers: Mapping[str, Any], *, slot: int = 0) -> None:
    """Give uses back as a feature says: all, so many, or up to a number, to who has no more than ``up_to``."""
    what = named(who, str(numbers["what"]))
    if what is None or left(who, what) > int(numbers.get("up_to", left(who, what))):
        return
    if "to" in numbers:
        many = int(numbers["to"]) - left(who, what)
    elif "count" in numbers:
        many = slot if numbers["count"] == SLOT_LEVEL else amounts.number(who, own, str(numbers["count"]))
    else:
        many = most(who, what)
    regain(table, who, what, max(many, 0))


def pay(table: Table, who: Character, own: features.Owned, what: str, many: int, *, slot: int = 0) -> int:
    """Pay what a feature costs: uses of another one, a slot, charges. Returns the level of a slot, else 0."""
    if what == DICE:
        return 0
    if what == ITEM:
        spend_charges(table, who, own.source, many)
        return 0
    if what in (SLOT, PACT_SLOT, FIFTH):
        return slots.spend_one(table, who, 5 if what == FIFTH else slot, own.name)
    source = named(who, what)
    if source is None:
        table.refuse(f"{own.name} takes {what}, which {who.name} does not have.")
    spend(table, who, source, many)
    return 0


def charges_left(table: Table, who: Character, key: str) -> int:
    """The charges that are left in a magic item; where dice say how many it was found with, they are rolled now."""
    text, pool = catalogue.magic_items()[key].charges, counters.counter(FOUND, key)
    if "d" in text and pool not in table.character(who.id).pools:
        counters.change(table, who.id, pool, table.roll(text, roller=who.id, purpose="charges").total, key)
    pools = table.character(who.id).pools
    return (int(text) if text.isdecimal() else pools.get(pool, 0)) - counters.count(pools, CHARGES, key)


def spend_charges(table: Table, who: Character, key: str, many: int) -> None:
    """Spend charges of a magic item. Refused where fewer are left."""
    left = charges_left(table, who, key)
    if left < many:
        table.refuse(f"The {catalogue.magic_items()[key].name} has {max(left, 0)} charges left.")
    for _, effect in features.specials(who, "free charges"):
        if table.roll(str(effect.numbers["die"]), roller=who.id, purpose="charges").total >= int(effect.numbers["on"]):
            return
    counters.change(table, who.id, counters.counter(CHARGES, key), many, key)
