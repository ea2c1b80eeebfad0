"""Rules of their own of features that are used: another action, what comes back, slots for points, reactions, other shapes.

On record: of a wild shape the beast's stat block is a trait, whose data hold what the numbers were changed by, and the
condition "wild shape" lasts as long as the form may. Hit points, Intelligence, Wisdom and Charisma stay (R5.187, R5.377, R5.378).
"""

from collections.abc import Mapping
from fractions import Fraction
from typing import Any

from rollbook.kit import catalogues, clock, conditions, counters, d20, fields, turn_limits, turn_order
from rollbook.plugin import Character, Table, events, not_found, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.character import classes, features
from rollbook.rulesets.srd5.effects import creatures, laying
from rollbook.rulesets.srd5.effects.carrying_out import rolled
from rollbook.rulesets.srd5.effects.lasting import OF
from rollbook.rulesets.srd5.fight import damage, dying, encounter, hit_points, places, states, turns
from rollbook.rulesets.srd5.fight.attack import AFTER_HIT, Blow, cause_of
from rollbook.rulesets.srd5.growth import uses, using
from rollbook.rulesets.srd5.growth.using import AFTER_USE, INSTEAD, STOPS, Using, do_all, do_too, runs, special
from rollbook.rulesets.srd5.magic import concentration, spells
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests
from rollbook.rulesets.srd5.tasks.d20_tests import Test

LASTING = 600
"""The seconds of a rage that needs nothing to go on."""

WITHIN, DEFENCE, PREY = 30, "multiattack defense", "Superior Hunter's Prey"

READY = "ready to take less"
"""The condition of who has used a reaction against the next damage: halved, or less by so much."""

Numbers = Mapping[str, Any]
"""The numbers of a rule, as the catalogue has them."""


@special("another action")
def another_action(using: Using, _: Numbers) -> None:
    """One more action in this turn (R5.390)."""
    if using.table.encounter is not None:
        turn_order.spend(using.table, using.who, turns.ACTION, -1)


@special("unarmed strikes")
def unarmed_strikes(using: Using, numbers: Numbers) -> None:
    """So many strikes that need no action any more (R5.401, R5.404)."""
    many = uses.number(using.who, using.own, str(numbers["count"]))
    if using.table.encounter is not None:
        turn_order.spend(using.table, using.who, turns.ATTACK, -many)


@special("regain")
def regain(using: Using, numbers: Numbers) -> None:
    """Uses come back, to who has none left where it asks for that (R5.344, R5.354, R5.357, R5.380, R5.406, R5.477)."""
    own = uses.named(using.who, str(numbers["what"]))
    if own is not None and uses.asks_for_none(using.own) and uses.left(using.who, own) > 0:
        using.table.refuse(f"{using.name} asks for this: no uses left of {own.name}.", "feature")
    uses.give_back(using.table, using.who, using.own, numbers, slot=using.slot)


@special("regain slot")
def regain_slot(using: Using, numbers: Numbers) -> None:
    """A slot for uses or points: of a level, or of the one that is said and paid for (R5.380, R5.383, R5.473)."""
    table, level = using.table, int(numbers.get("level", 0)) or using.slot or 1
    if "each" in numbers:
        more = max(using.amount, 1) - 1
        level = int(numbers["each"]) * (more + 1)
        for what, price in using.own.trait.spends.items() if more else ():
            uses.pay(table, using.who, using.own, what, price * more)
    if "most" in numbers:
        _pay_points(using, level, int(numbers["most"]))
    counters.change(table, using.source, counters.counter(spells.MADE, str(level)), 1, using.name)


def _pay_points(using: Using, level: int, most: int) -> None:
    """Pay the points that make a slot of this level, which take levels of sorcery (R5.473)."""
    row = next((row for row in catalogue.classes()["sorcerer"].slot_costs if row.slot == level), None)
    if row is None or level > most:
        using.table.refuse(f"The highest slot that points make is of level {most}.", "slot")
    if using.own.level < row.level:
        using.table.refuse(f"{using.who.name} makes slots of level {level} from level {row.level} on.", "slot")
    uses.pay(using.table, using.who, using.own, "sorcery points", row.points)


@special("recover slots")
def recover_slots(using: Using, numbers: Numbers) -> None:
    """Spent slots come back: those of the levels that are chosen, up to their sum (R5.386, R5.488, R5.498).

    With a ``level`` it is one slot, and one of a higher level comes back as one of that level.
    """
    table, who = using.table, using.who
    if numbers.get("what") == "pact slots":
        _recover_pact_slots(using, whole=bool(numbers.get("all")))
        return
    single = int(numbers.get("level", 0))
    most = 9 if single else uses.number(who, using.own, str(numbers["levels"]))
    levels = [int(each) for each in using.chosen if each.isdecimal()]
    below = int(numbers.get("below", 10))
    if not levels or sum(levels) > most or max(levels) >= below or (single and len(levels) > 1):
        several = f"slots whose levels add up to {most}, each below {below}: --chosen 2,1"
        table.refuse(f"{using.name} brings back {'one slot: --chosen 2' if single else several}", "chosen")
    for level in levels:
        if spells.left(table.character(who.id), level) >= spells.number_of(who, level):
            table.refuse(f"{who.name} has not spent a slot of level {level}.", "chosen")
        pool, by = (spells.MADE, 1) if single and level > single else (spells.SPENT, -1)
        counters.change(table, who.id, counters.counter(pool, str(min(level, single or level))), by, using.name)


def _recover_pact_slots(using: Using, *, whole: bool) -> None:
    most, spent = spells.pact_number(using.who), max(using.who.pools.get(spells.PACT, 0), 0)
    back = most if whole or features.has(using.who, "Eldritch Master") else (most + 1) // 2
    counters.change(using.table, using.source, spells.PACT, -min(back, spent), using.name)


@special("heroic inspiration")
def inspired(using: Using, _: Numbers) -> None:
    """Heroic inspiration, one at most (R5.19, R5.293, R5.399)."""
    d20_tests.give(using.table, using.who.id)


@special("halve damage")
def halve(using: Using, _: Numbers) -> None:
    """Half the damage of the next hit (R5.460, Q5.41)."""
    _ready(using, {"halves": True})


@runs("reduce")
def reduce(using: Using, effect: kinds.ReducedDamage, *_: object) -> None:
    """Less damage of the next hit, by dice (R5.291, R5.407, R5.408, R5.415)."""
    less = rolled(using.table, using, effect.dice, "less damage")
    _ready(using, {"less": less, "types": () if "all" in effect.types else effect.types})


def _ready(using: Using, data: dict[str, int | bool | str | tuple[str, ...]]) -> None:
    until = turn_limits.until_turn(using.table, using.who.id, turn_limits.START)
    conditions.begin(using.table, using.who.id, READY, detail=using.own.name, data={**until, **data}, again=True)


def take_less(_: Table, who: Character, amount: int, kind: str) -> int:
    """The damage of one type that is left after a reaction; what it takes off is used up."""
    held = who.conditions.get(READY)
    if held is None:
        return amount
    if fields.flag(held.data, "halves"):
        return amount // 2
    types, less = fields.names(held.data, "types"), fields.number(held.data, "less")
    return max(amount - less, 0) if not types or kind in types else amount


damage.ADJUSTMENTS.append(take_less)
damage.AFTERWARDS.append(lambda table, name, *_: conditions.end(table, name, READY))


def sear(using: Using) -> None:
    """Damage to the undead who were turned, which does not end that (R5.367)."""
    own, table = features.called(using.who, "Sear Undead"), using.table
    failed = tuple(name for name in using.targets if name in using.failed)
    if own is not None and own.name == "Sear Undead" and failed:
        turned = [held for held in conditions.lying_on(table, failed) if held[1].data.get(OF) == using.own.origin]
        do_all(using.with_(own=own, name=own.name, origin=own.origin), failed)
        for name, held in turned:
            if not table.character(name).has(states.DEAD):
                source, detail, until = held.source, held.detail, held.until
                conditions.begin(table, name, held.name, source=source, detail=detail, until=until, data=held.data)


AFTER_USE["Turn Undead"] = sear


@special("also")
def also(using: Using, numbers: Numbers) -> None:
    """Another feature right after a bonus action, with its point where that is chosen (R5.422)."""
    table, who, name = using.table, using.who, str(numbers["feature"])
    if table.encounter is not None and not table.encounter.spent.get(turns.BONUS, 0):
        table.refuse(f"{using.name} follows a bonus action.", "feature")
    own = features.called(who, f"{name} with focus" if "focus" in using.chosen else name)
    if own is not None:
        uses.pay_for(table, who, own)
        do_too(using, own)


def enrage(using: Using) -> None:
    """Rage as a barbarian of high level does: without fear and charm, and for ten minutes (R5.344, R5.348)."""
    table, who = using.table, using.who
    concentration.end(table, who.id)
    for each in ("charmed", "frightened") if features.has(who, "Mindless Rage") else ():
        states.end(table, who.id, each)
    held = table.character(who.id).conditions.get(using.own.name.casefold())
    if held is not None and features.has(who, "Lasting Rage"):
        turn = (turn_limits.ENDS, turn_limits.WHOSE, turn_limits.TURN)
        endless = {key: value for key, value in held.data.items() if key not in turn}
        data: events.Data = {**endless, STOPS: ("unconscious", "heavy armour")}
        conditions.begin(table, who.id, held.name, source=who.id, until=table.clock + LASTING, data=data, again=True)


PALM = "quivering palm"


def _vibrates(using: Using, name: str) -> bool:
    held = using.table.character(name).conditions.get(PALM)
    return held is not None and held.source == using.source


def begin_vibrations(using: Using) -> None:
    """Begin harmless vibrations for days, in one creature at a time (R5.423)."""
    table, until = using.table, using.table.clock + using.own.level * clock.DAY
    for other in table.characters():
        if _vibrates(using, other.id):
            conditions.end(table, other.id, PALM)
    for name in using.targets:
        conditions.begin(table, name, PALM, source=using.source, until=until, again=True)


def let_loose(using: Using) -> None:
    """Let loose the vibrations in somebody (R5.423)."""
    for name in using.targets:
        if not _vibrates(using, name):
            using.table.refuse(f"There are no vibrations in {using.table.character(name).name}.", "targets")
        conditions.end(using.table, name, PALM)
    do_all(using, using.targets)


@special("knows defences")
def know(using: Using, _: object) -> None:
    """Tell what the marked one withstands (R5.450)."""
    for name in using.targets:
        who = using.table.character(name)
        if not d20_tests.is_marked(who, using.who):
            using.table.refuse(
                f"{who.name} is not marked by {using.who.name}: cast {using.who.id} hunter's mark", "targets"
            )
        held = [f"{how}: {kind}" for kind in damage.TYPES for how in sorted(damage.stances(who, kind))]
        told = "; ".join(held) or "no immunity, resistance or vulnerability"
        using.table.record(events.NoteWritten(text=f"{who.name} has {told}.", about=name))


def spread(blow: Blow, through: int) -> None:
    """The damage of the mark on a second creature near the first, once a turn (R5.453)."""
    said, table, own = blow.said, blow.table, features.known(blow.attacker).named.get(features.spelled(PREY))
    named = map(features.spelled, said.features if said is not None else ())
    if own is None or said is None or not said.second or not through or features.spelled(PREY) not in named:
        return
    other = table.character(said.second)
    apart = places.distance(blow.target, other) or 0
    if apart > WITHIN or other.id == blow.target.id or not uses.may_now(table, blow.attacker, own):
        return
    for dice, kind in laying.marked(blow.attacker, blow.target, "source's attack"):
        amount = rolled(table, cause_of(blow, name=PREY), dice, "damage")
        damage.deal(table, other.id, ((amount, kind),), source=blow.attacker.id)


def brace(blow: Blow, through: int) -> None:  # noqa: ARG001 - as AFTER_HIT
    """Defend against further attacks of who has hit in this turn (R5.452)."""
    table, name = blow.table, blow.target.id
    if table.encounter is not None and features.has(blow.target, DEFENCE):
        conditions.begin(table, name, DEFENCE, source=blow.attacker.id, data=turn_limits.this_turn(table), again=True)


@d20_tests.reason(d20_tests.ATTACK)
def braced(table: Table, test: Test) -> d20.Advantage:  # noqa: ARG001 - as Reason
    """Disadvantage on the further attacks of who has hit (R5.452)."""
    against = test.against
    held = against.conditions.get(DEFENCE) if against is not None else None
    if held is None or held.source != test.who.id:
        return d20.NO_ADVANTAGE
    return d20_tests.edge(d20_tests.DISADVANTAGE, DEFENCE)


AFTER_USE["Quivering Palm"] = begin_vibrations
INSTEAD["Let Loose"] = let_loose
AFTER_USE["Rage"] = enrage
AFTER_HIT.extend((spread, brace))


SHAPE = "wild shape"
BACK = "back"


def take_shape(use: Using) -> None:
    """Become a beast of a challenge that one's level allows, with temporary hit points of the level (R5.377)."""
    table, who = use.table, use.who
    turn_back(table, who.id)
    if BACK in use.chosen:
        return
    block = form(table, who, use.chosen[0] if use.chosen else "")
    creatures.take(table, who.id, block, reason=SHAPE)
    level = classes.level_in(who, "druid")
    until = table.clock + max(level // 2, 1) * 3_600
    casts = features.has(who, "Beast Spells")
    data: events.Data = {"of": use.own.origin, "at": ("2",)} if not casts else {}
    conditions.begin(table, who.id, SHAPE, detail=block.name, until=until, data=data, again=True)
    most = block.hit_points if Settings.of(table).is_old else level
    hit_points.give_temporary(table, who.id, most, reason=SHAPE)


def form(table: Table, who: Character, typed: str) -> catalogue.Monster:
    """The beast that somebody means. Refused for what is none, or beyond one's level (R5.378)."""
    level = classes.level_in(who, "druid")
    row = [each for each in catalogue.classes()["druid"].shapes if each.level <= level][-1]
    beasts = [each for each in catalogue.monsters().values() if each.kind == "beast"]
    may = [each for each in beasts if Fraction(each.cr) <= Fraction(row.challenge) and (row.fly or not each.speed.fly)]
    found = catalogues.clear({each.key: each for each in may}, slug(typed))
    if found is None and catalogues.clear({each.key: each for each in beasts}, slug(typed)) is not None:
        why = f"up to challenge {row.challenge}{'' if row.fly else ', none that flies'}"
        table.refuse(f"{who.name} takes the forms of beasts {why}, which a {typed} is not.", "chosen")
    if found is None:
        raise not_found("beast", typed or "?", [each.name for each in may])
    return found


def turn_back(table: Table, name: str) -> None:
    """Turn back, if somebody is in a form."""
    creatures.turn_back(table, name)
    conditions.end(table, name, SHAPE)


def follow(table: Table, name: str) -> None:
    """Turn back once the form is over: by its time, by incapacity, by death."""
    who = table.character(name)
    in_form = classes.level_in(who, "druid") and creatures.form_of(who) and not who.has("polymorph")
    if in_form and (not who.has(SHAPE) or states.is_unable(who)):
        turn_back(table, name)


def worn_out(table: Table, name: str, *_: object) -> None:
    """Turn back once a beast's hit points are gone, which stand before one's own in the edition of 2014 (Q5.44)."""
    who = table.character(name)
    if who.has(SHAPE) and Settings.of(table).is_old and not hit_points.temporary(who):
        turn_back(table, name)


damage.AFTERWARDS.append(worn_out)
using.INSTEAD["Wild Shape"] = take_shape
dying.ON_FALLING.append(follow)
encounter.ON_TIME.append(lambda table, name, *_: follow(table, name))
encounter.AT_START.append(lambda table, _, name: follow(table, name))
