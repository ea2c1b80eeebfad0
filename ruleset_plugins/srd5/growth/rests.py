"""Short and long rests, attunement, and what a day gives back (R5.136, R5.166–R5.169, R5.188, R5.189, R5.280, R5.281).

On record: the pool ``hit dice spent:d10`` counts hit dice by size; the last long rest is a usage of "long rest".
"""

from collections import Counter
from collections.abc import Mapping

from rollbook.kit import attunement, clock, conditions, counters, require, stat_entry, verbs, vocabulary
from rollbook.plugin import Action, Character, DiceStep, Table, events, param
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects import laying
from rollbook.rulesets.srd5.fight import durations, dying, encounter, hit_points, states, turns
from rollbook.rulesets.srd5.growth import turning_points, uses
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests

HIT_DICE, LONG_REST = "hit dice spent", "long rest"
SHORT, LONG = "short", "long"
MOST_ATTUNED = 3
NIGHT, TRANCE, APART, APART_OF_OLD = 8, 4, 16, 24
"""The hours of a long rest, of one in a trance, and between two of them."""

RESTING = "rests before an intervention"
"""The pool that counts the long rests until an intervention comes back that was a wish (R5.370)."""

BY_NIGHT = (spells.SPENT, spells.MADE, f"{uses.USED}:")
"""The beginnings of pools that a long rest empties."""
CASTERS = "spellcaster"


def hit_dice(who: Character) -> dict[int, int]:
    """The hit dice that are left, by their sides, the largest first (R5.227)."""
    found: Counter[int] = Counter()
    for row, level in classes.classes_of(who):
        found[row.hit_die] += level
    for sides, spent in counters.counted(who.pools, HIT_DICE):
        found[int(sides[1:])] -= spent
    return dict(sorted(found.items(), reverse=True))


def spend_hit_dice(table: Table, name: str, many: int) -> None:
    """Spend hit dice one by one, each with Constitution and for 1 hit point at least (R5.188)."""
    for _ in range(many):
        who = table.character(name)
        sides = next((sides for sides, left in hit_dice(who).items() if left > 0), 0)
        if not sides:
            table.refuse(f"{who.name} has no hit dice left; a long rest brings them back.", "dice")
        counters.change(table, name, counters.counter(HIT_DICE, f"d{sides}"), 1, "short rest")
        more = abilities.modifier(who, "con")
        dice = f"1d{sides} {'+' if more >= 0 else '-'} {abs(more)}[CON]" if more else f"1d{sides}"
        least = 0 if Settings.of(table).is_old else 1
        rolled = table.roll(dice, roller=name, purpose="healing").total
        times = max((int(each.numbers["times"]) for _, each in features.specials(who, "hit dice heal")), default=1)
        hit_points.restore(table, name, max(rolled, least) * times, source="short rest")


def recover(table: Table, name: str, rest: str) -> None:
    """Give back uses, slots and what else a rest of this kind does (R5.206, R5.235, R5.334, R5.364, R5.487)."""
    who = table.character(name)
    for own in tuple(uses.counted(who)):
        is_inspiring = own.name == "Bardic Inspiration" and features.has(who, "Font of Inspiration")
        whole = rest in own.trait.regained or is_inspiring
        uses.regain(table, who, own, uses.most(who, own) if whole else own.trait.short_rest if rest == SHORT else 0)
    for pool, many in tuple(table.character(name).pools.items()):
        if many and (pool in (spells.PACT, turning_points.TIMES) or (rest == LONG and pool.startswith(BY_NIGHT))):
            table.record(events.PoolBecame(holder=name, pool=pool, amount=0, reason=f"{rest} rest"))
    if dying.is_knocked_out(who):
        dying.come_round(table, name)
    for held in tuple(who.conditions.values()):
        if held.data.get(durations.REST) in (SHORT, rest) and held.name != states.UNCONSCIOUS:
            conditions.end(table, name, held.name)
    for key in features.chosen_for(who, "signature spells"):
        counters.empty(table, name, counters.counter(spells.USED, key), f"{rest} rest")
    asked = features.called(who, "Divine Intervention")
    if rest == LONG and asked is not None and who.pools.get(RESTING, 0):
        counters.change(table, name, RESTING, -1, f"{rest} rest")
        if table.character(name).pools.get(RESTING, 0):
            counters.change(table, name, uses.pool(asked), 1, asked.name)


def recover_all(table: Table, name: str) -> None:
    """Give hit points, hit dice and the maximum back, and ease exhaustion (R5.102, R5.136, R5.167)."""
    who, old = table.character(name), Settings.of(table).is_old
    stat_entry.add(table, name, {hit_points.REDUCED: -who.stats.get(hit_points.REDUCED, 0)}, reason="long rest")
    for ability, lost in tuple(counters.counted(who.pools, laying.LOWERED)):
        stat_entry.add(table, name, {ability: lost}, reason="long rest")
        counters.empty(table, name, counters.counter(laying.LOWERED, ability), "long rest")
    counters.empty(table, name, hit_points.TEMPORARY, "long rest")
    if table.character(name).lost:
        hit_points.restore(table, name, who.lost, source="long rest")
    back = max(who.level // 2, 1) if old else who.level
    for sides in hit_dice(who):
        spent = counters.count(who.pools, HIT_DICE, f"d{sides}")
        counters.change(table, name, counters.counter(HIT_DICE, f"d{sides}"), -min(spent, back), "long rest")
        back -= min(spent, back)
    if states.level_of_exhaustion(who):
        hit_points.exhaust(table, name, -1)
    for _, effect in features.specials(who, "heroic inspiration"):
        if effect.numbers.get("each") == "long rest":
            d20_tests.give(table, name)


def _resting(table: Table, typed: tuple[str, ...]) -> list[Character]:
    """Those who rest: the named, or the whole party. Refused in a fight, and for who has no hit points (R5.166, R5.188)."""
    turns.check_peace(table)
    found = require.party(table, typed)
    for who in found:
        if hit_points.left(who, Settings.of(table)) < 1:
            table.refuse(f"{who.name} has 0 hit points, and a rest begins with 1 at least: heal {who.id} 1", "who")
    return found


class ShortRest(Action, verb="short-rest", by_any_seat=True):
    """Rest for an hour: hit dice may be spent, and some uses come back (R5.188, R5.189)."""

    sentence = "rests for an hour"
    typed_dice = (
        *clock.PASSING,
        DiceStep(each="hit die", effects={"the hit die": "healing"}, after="the hour is over"),
    )

    who: tuple[str, ...] = param.characters("who rests: names, or party for every player character")
    dice: Mapping[str, int] = param.amounts(
        "hit dice that each spends, as kara=2", default={}, alone=1, of=vocabulary.CHARACTER, gm_only=False
    )
    interrupted: bool = param.flag("it is interrupted by a fight, a spell or damage, and gives nothing", gm_only=True)

    check_available = verbs.available_if(turns.check_peace)

    def resolve(self, table: Table) -> None:
        found = _resting(table, self.who)
        clock.advance(table, clock.HOUR, rest=True, who=tuple(who.id for who in found))
        if self.interrupted:
            return
        for name in self.dice:
            if name not in [who.id for who in found]:
                table.refuse(f"{name} is not among those who rest: {', '.join(self.who)}.", "dice")
        for who in found:
            spend_hit_dice(table, who.id, self.dice.get(who.id, 0))
            recover(table, who.id, SHORT)
            if features.has(who, "Decrease Exhaustion") and states.level_of_exhaustion(who):
                hit_points.exhaust(table, who.id, -1)


class LongRest(Action, verb="long-rest", by_any_seat=True):
    """Rest for eight hours: hit points, hit dice, slots and uses come back, and exhaustion eases (R5.166–R5.169)."""

    sentence = "rests for the night"
    typed_dice = clock.PASSING

    who: tuple[str, ...] = param.characters("who rests: names, or party for every player character")
    interrupted: int = param.number("hours until it is broken off", default=-1, minimum=-1, maximum=8, gm_only=True)
    resumed: int = param.number("how often it went on, an hour longer", default=0, minimum=0, maximum=8, gm_only=True)
    again: bool = param.flag("the GM allows it so soon after the last one", gm_only=True)

    check_available = verbs.available_if(turns.check_peace)

    def resolve(self, table: Table) -> None:
        found = _resting(table, self.who)
        apart = APART_OF_OLD if Settings.of(table).is_old else APART
        for who in found:
            last = who.usages.get(LONG_REST)
            ago = (table.clock - last.last) // clock.HOUR if last is not None else apart
            if ago < apart and not self.again:
                said = f"{who.name} has had a long rest {ago} hours ago; the next may begin after {apart}."
                table.refuse(said, "who")
        is_whole, is_old = self.interrupted < 0, Settings.of(table).is_old
        usual = TRANCE if all(any(features.specials(who, "trance")) for who in found) else NIGHT
        hours = (usual if is_whole else self.interrupted) + (0 if is_old else self.resumed)
        clock.advance(table, hours * clock.HOUR, rest=True, who=tuple(who.id for who in found))
        for who in found if is_whole or (self.interrupted and not is_old) else ():
            recover(table, who.id, LONG if is_whole else SHORT)
            if is_whole:
                recover_all(table, who.id)
                table.record(events.PowerUsed(character=who.id, power=LONG_REST))


def _check_fits(table: Table, who: Character, item: str) -> None:
    """Refuse things without a bond, and those that are for others (R5.280, R5.281)."""
    row = catalogue.magic_items().get(features.item_key(item, who.gear[item].use))
    if row is None or not row.attunement:
        table.refuse(f"{item} is nothing that {who.name} can attune to.", "item")
    by = [each for each in row.by if each in classes.CLASSES or each == CASTERS]
    if by and not any(spells.is_caster(who) if each == CASTERS else classes.level_in(who, each) for each in by):
        table.refuse(f"The {item} is for: {', '.join(by)}.", "item")


def _check_is_free(table: Table, who: Character, item: str) -> None:
    """Refuse to let go of what is cursed (R5.540)."""
    if item in features.bound_by_curses(who):
        table.refuse(f"The {item} is cursed, and holds {who.name}: remove curse breaks that.", "item")


def _most_bonds(who: Character) -> int:
    """Bonds that somebody can have: three, or more by a feature (R5.534)."""
    return max(MOST_ATTUNED, *(int(own.trait.numbers.get("attuned", 0)) for own in features.owned(who)), 0)


Attune = attunement.attune_verb(
    _check_fits,
    help="Attune to a magic item in the course of a short rest, or let go of it: three at most (R5.280, R5.281).",
    most=_most_bonds,
    ends=_check_is_free,
    available=turns.check_peace,
)
dying.ON_FALLING.append(attunement.let_go_of_all)


def dawn(table: Table, name: str, before: int, rest: bool) -> None:  # noqa: ARG001 - as ON_TIME
    """Charges come back to magic items with each new day (Q5.43)."""
    if not clock.completed(before, table.clock, clock.DAY):
        return
    for key, spent in tuple(counters.counted(table.character(name).pools, uses.CHARGES)):
        row = catalogue.magic_items().get(key)
        if row is not None and row.regains:
            dice, purpose = row.regains, f"charges of the {row.name}"
            back = int(dice) if dice.isdecimal() else table.roll(dice, roller=name, purpose=purpose).total
            counters.change(table, name, counters.counter(uses.CHARGES, key), -min(back, spent), "dawn")


encounter.ON_TIME.append(dawn)
