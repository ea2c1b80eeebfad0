"""Features that always hold: their bonuses, edges, resistances and the like, for as long as their case does.

``CASES`` are what a feature may ask for (armour, a rage). A feature with an action, a moment or uses is used with the
verb use, and holds through the condition that it leaves.
"""

from collections.abc import Callable, Iterator

import attrs

from rollbook.plugin import Character
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects import lasting
from rollbook.rulesets.srd5.effects.lasting import Held
from rollbook.rulesets.srd5.fight import armour, states
from rollbook.rulesets.srd5.growth import uses

RAGING, MAGIC = "rage", "magic:"
ALWAYS, FORMULAS = ("maximum", "spells"), ("bonus", "resist", "speed")
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
        worked = uses.resolved(who, own, effect, chosen_types(who, own)) if effect.kind in FORMULAS else effect
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
