"""Features at work: formulas worked out for somebody, how often and for what one is used, what always holds (R5.206, R5.352).

A word of a formula ("cha + level", "2 * martial arts") is an ability, the proficiency bonus, the level of the class, a column
of the class's table, or a number of the feature itself, which may grow by level (R5.403).

On record: the pool ``used:NAME`` counts what is spent of a feature, in lower case, so that a level needs no event and
a rest only empties it. Those of a magic item are its charges: ``charges spent:KEY``. How many it was found with is rolled
when it is first asked, where dice say it: ``charges found:KEY``.

``CASES`` are what a feature may ask for (armour, a rage). A feature with an action, a moment or uses is used with the
verb use, and holds through the condition that it leaves.
"""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, TypeVar

import attrs

from rollbook.kit import counters, data, formulas, turn_order
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue.effect import Part
from rollbook.rulesets.srd5.catalogue.kinds import Damage, ExtraDamage, Heal, ReducedDamage, Special, TemporaryHitPoints
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.character.features import Owned
from rollbook.rulesets.srd5.effects import lasting
from rollbook.rulesets.srd5.effects.lasting import Held
from rollbook.rulesets.srd5.fight import armour, states
from rollbook.rulesets.srd5.magic import spells

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
    return max(number(who, own, own.trait.uses), 0)


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
        many = slot if numbers["count"] == SLOT_LEVEL else number(who, own, str(numbers["count"]))
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
        return spells.spend_one(table, who, 5 if what == FIFTH else slot, own.name)
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


BONUSES = {"proficiency": 1, "half proficiency": 2}
LEVELS = {"level": (0, 1), "half level": (0, 2), "half level up": (1, 2)}
"""Words for the level of the class and the proficiency bonus, divided by so much; a level may be raised before."""

FORMULAS = ("dice", "plus", "by", "per")
CASTER = ("spellcasting", "mod", "ability", "slot")
"""Words that only a caster knows, left for the interpreter of effects."""

_Part = TypeVar("_Part", bound=Part)


def worked_out(who: Character, own: Owned, text: str) -> str:
    """A formula as dice and numbers, such as "1d10 + 7"; unchanged where a word is not known."""
    return formulas.worked_out(text, lambda word: _word(who, own, word))


def _word(who: Character, own: Owned, word: str) -> str:
    """The number or the dice that a word stands for; the word itself where nobody knows it."""
    if word in abilities.ABILITIES:
        return str(abilities.modifier(who, word))
    if word in BONUSES:
        return str(abilities.proficiency_bonus(who) // BONUSES[word])
    if word in LEVELS:
        up, parts = LEVELS[word]
        return str((own.level + up) // parts)
    return str(by_level(own, word, word))


def by_level(own: Owned, name: str, otherwise: object = 0) -> Any:
    """A number of a feature by its level, of what it is a part of, or of the table of its class."""
    holder: Owned | None = own
    while holder is not None and name not in holder.trait.numbers:
        holder = holder.above
    if holder is None:
        row = catalogue.classes().get(own.source)
        return row.levels[own.level - 1].numbers.get(name, otherwise) if row is not None and own.level else otherwise
    grown = holder.trait.numbers[name]
    if not isinstance(grown, dict):
        return grown
    reached = [level for level in grown if level.isdecimal() and int(level) <= own.level]
    return grown[max(reached, key=int)] if reached else otherwise


def number(who: Character, own: Owned, text: str) -> int:
    """A formula as a whole number, at least what the feature says."""
    found = formulas.number(text, lambda word: _word(who, own, word))
    return max(found, int(own.trait.numbers.get("least", 0)))


def resolved(who: Character, own: Owned, effect: _Part, chosen: tuple[str, ...] = ()) -> _Part:
    """An effect with its formulas worked out, those inside it too; its paths stay what they are."""
    return data.changed(effect, lambda part: _worked(who, own, part, chosen))


def _worked(who: Character, own: Owned, part: Part, chosen: tuple[str, ...]) -> dict[str, object]:
    said = {field: getattr(part, field, "") for field in FORMULAS}
    changes: dict[str, object] = {
        field: worked_out(who, own, text) for field, text in said.items() if isinstance(text, str) and text
    }
    if chosen and "chosen" in getattr(part, "types", ()):
        changes["types"] = chosen
    if "spell attack" in getattr(part, "on", ()):
        changes["on"] = tuple("attack spell" if each == "spell attack" else each for each in getattr(part, "on", ()))
    if isinstance(part, Special) and "to" in part.numbers:
        changes["numbers"] = {**part.numbers, "to": worked_out(who, own, str(part.numbers["to"]))}
    if isinstance(part, (Damage, Heal, ReducedDamage, TemporaryHitPoints)):
        changes.update(_with_plus(part, {**said, **changes}))
    if isinstance(part, ExtraDamage) and part.per and str(changes.get("per", "")).isdecimal():
        changes.update(dice=formulas.times(str(changes["dice"]), int(str(changes["per"]))), per="")
    return changes


def _with_plus(part: Part, said: dict[str, object]) -> dict[str, object]:
    """Dice with what is added to them, unless only a caster knows it; so many dice as ``per`` says."""
    dice, plus, per = str(said["dice"]), str(said.get("plus", "")), str(said.get("per", ""))
    if isinstance(part, Damage) and per.lstrip("-").isdecimal():
        return {"dice": formulas.times(dice, max(int(per), 1)), "per": ""}
    if not plus or any(word in plus for word in CASTER):
        return {}
    dice = dice if dice not in ("", "0") else ""
    joined = f"{dice} + {plus}" if dice and not plus.startswith("-") else f"{dice} - {plus[1:]}" if dice else plus
    return {"dice": joined, "plus": ""}


RAGING, MAGIC = "rage", "magic:"
ALWAYS, WORKED = ("maximum", "spells"), ("bonus", "resist", "speed")
"""Kinds of effects that hold whatever the feature asks for (R5.480), and those with formulas."""


def _bare(who: Character) -> bool:
    return not (armour.armour_of(who)[0] or armour.shield_of(who)[0])


def _not_heavy(who: Character) -> bool:
    row = armour.armour_of(who)[1]
    return row is None or row.training != "heavy"


CASES: dict[str, Callable[[Character], bool]] = {
    "": lambda _: True,
    "unarmoured": lambda who: not armour.armour_of(who)[0],
    "unarmoured, no shield": _bare,
    "unarmoured, no shield, monk weapons": _bare,
    "armoured": lambda who: bool(armour.armour_of(who)[0]),
    "no heavy armour": _not_heavy,
    "raging": lambda who: who.has(RAGING),
    "holy nimbus": lambda who: who.has("holy nimbus"),
    "innate sorcery": lambda who: who.has("innate sorcery"),
    "not incapacitated": lambda who: not states.is_unable(who),
}
"""Cases that features ask for; of other words the table says whether they hold, so such a feature is used, not standing."""


def holds(who: Character, own: features.Owned) -> bool:
    """True if the case that a feature asks for, or else the one above it, holds as far as the record says it."""
    case = CASES.get(own.trait.given or (own.above.trait.given if own.above is not None else ""))
    return case is not None and case(who)


@lasting.standing
def of_features(who: Character) -> Iterator[Held]:
    """The effects that somebody's features have now."""
    for own, effect in features.known(who).standing:
        if effect.kind not in ALWAYS and not holds(who, own):
            continue
        given = getattr(effect, "given", "")
        if given and given in CASES and not CASES[given](who):
            continue
        if effect.kind == "edge" and "incapacitated" in effect.unless and states.is_unable(who):
            continue
        worked = resolved(who, own, effect, chosen_types(who, own)) if effect.kind in WORKED else effect
        yield Held(own.name, attrs.evolve(worked, given="") if given in CASES and given else worked)  # type: ignore[misc]


def chosen_types(who: Character, own: features.Owned) -> tuple[str, ...]:
    """The type of damage that was chosen for a feature: by ancestry, by land, or by a choice of its own (R5.287, R5.387)."""
    held = tuple(who.traits_of(own.name.casefold()))
    if held:
        return held[:1]
    land = next(iter(who.traits_of(features.LAND)), "").casefold().partition(" ")[0]
    by_land = own.trait.numbers.get("by_land", {})
    if land and land in by_land:
        return (by_land[land],)
    if own.origin.startswith("species:"):
        chosen = (effect.numbers.get("type") for _, effect in features.specials(who, "chosen type"))
        return tuple(str(each) for each in chosen if each)
    return ()
