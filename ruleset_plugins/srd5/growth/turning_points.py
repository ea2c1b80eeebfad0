"""Features that act at a moment: falling to 0, a turn's start and end, initiative; evasion (R5.294, R5.343, R5.399, R5.411)."""

from collections.abc import Sequence
from functools import partial

from rollbook.kit import conditions as kit
from rollbook.kit import counters, sides, turn_limits
from rollbook.plugin import Character, Table
from rollbook.rulesets.srd5.catalogue.kinds import Save, Special
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects.numbers import dc_of
from rollbook.rulesets.srd5.fight import conditions, damage, dying, encounter, hit_points, movement, places
from rollbook.rulesets.srd5.growth import amounts, standing, uses, using
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import saves
from rollbook.rulesets.srd5.tasks.d20_tests import CASES, Test, TestRolls, rolls_at

ZERO, INITIATIVE, DISPLACED, SEEN_THROUGH = "zero hit points", "initiative", "displaced", "seen through"
TIMES = "relentless rage"
"""The pool that counts how often a rage has kept somebody up since a rest: each makes the save 5 harder."""


def stay_up(table: Table, name: str) -> None:
    """Drop to some hit points instead of 0, unless it is death (R5.294, R5.343)."""
    who = table.character(name)
    if who.has(conditions.DEAD) or not dying.is_down(who):
        return
    for own in tuple(features.owned(who)):
        if ZERO not in own.trait.when or not standing.holds(who, own):
            continue
        if own.trait.uses and uses.left(who, own) < 1:
            continue
        to = _kept(table, who, own)
        if to:
            hit_points.restore(table, name, to, source=own.name)
            kit.end(table, name, conditions.PRONE)
            return


def bless(table: Table, name: str) -> None:
    """Temporary hit points for who brings an enemy down, or stands beside when somebody else does (R5.492)."""
    fallen = table.character(name)
    by = {each.source for each in fallen.conditions.values() if each.name in (conditions.DEAD, conditions.UNCONSCIOUS)}
    for who in tuple(table.characters()):
        own = features.called(who, "Dark One's Blessing") if sides.are_enemies(who, fallen) else None
        apart = places.distance(who, fallen) if own is not None else None
        if own is not None and (who.id in by or (apart is not None and apart <= int(own.trait.numbers["within"]))):
            amount = amounts.number(who, own, "cha + level")
            hit_points.give_temporary(table, who.id, amount, reason=own.name)


dying.ON_FALLING.append(bless)


def _kept(table: Table, who: Character, own: features.Owned) -> int:
    """The hit points that a feature leaves, after its save if it asks for one."""
    effect = own.trait.effects[0]
    if own.trait.uses:
        uses.spend(table, who, own)
    if isinstance(effect, Save):
        with rolls_at(table) as made:
            dc = dc_of(using.cause_of(table, made, who, own), effect.dc)
            dc += int(own.trait.numbers["dc_more"]) * who.pools.get(TIMES, 0)
            counters.change(table, who.id, TIMES, 1, own.name)
            if not saves.roll_save(table, made, table.character(who.id), effect.ability, dc):
                return 0
        effect = effect.success[0]
    return amounts.number(who, own, str(effect.numbers["to"])) if isinstance(effect, Special) else 0


dying.ON_FALLING.insert(0, stay_up)


def at_turn(moment: str, table: Table, made: TestRolls, name: str) -> None:
    """At the start or the end of a turn: inspiration, hit points while bloodied, a condition goes (R5.399, R5.400, R5.414)."""
    who = table.character(name)
    for own in features.at(who, moment):
        if own.trait.given != "bloodied" or hit_points.is_bloodied(who, Settings.of(table)):
            using.do_all(using.cause_of(table, made, who, own), (name,))


encounter.AT_START.append(partial(at_turn, "source's turn start"))
encounter.AT_END.append(partial(at_turn, "source's turn end"))


def rolled_initiative(table: Table, names: Sequence[str]) -> None:
    """With initiative, uses come back to those who have none or few left (R5.357, R5.383, R5.417)."""
    for name in names:
        who = table.character(name)
        for own in features.at(who, INITIATIVE):
            for effect in own.trait.effects if not own.trait.uses else ():
                if isinstance(effect, Special) and effect.name == "regain":
                    none_left = {"up_to": 0} if uses.asks_for_none(own) else {}
                    uses.give_back(table, who, own, {**effect.numbers, **none_left})


encounter.ON_INITIATIVE.append(rolled_initiative)


@damage.AFTERWARDS.append
def suffer(table: Table, name: str, through: int, source: str) -> None:
    """Do what damage brings about by magic items: an image is gone until one's turn begins, an axe goes mad (R5.280)."""
    who = table.character(name)
    if through and any(getattr(effect, "given", "") == DISPLACED for _, effect in features.known(who).standing):
        kit.begin(table, name, SEEN_THROUGH, data=turn_limits.until_turn(table, name, turn_limits.START), again=True)
    for own in features.at(who, "damaged by others") if through and source not in ("", name) else ():
        with rolls_at(table) as rolls:
            using.do_all(using.cause_of(table, rolls, who, own), (name,))


def _is_displaced(table: Table, _: object, test: Test) -> bool:
    """True for a target whose image stands beside it, as long as it can move and is not hurt."""
    who = test.against
    return who is not None and not who.has(SEEN_THROUGH) and movement.speed(table, who) > 0


CASES[DISPLACED] = _is_displaced


def inspire_with(using_: using.Using) -> None:
    """Give another one a bardic die, which they use within an hour after a failed test (R5.351, R5.352)."""
    table, who, own = using_.table, using_.who, using_.own
    die = amounts.worked_out(who, own, "bardic die")
    for name in using_.targets:
        if name == who.id:
            table.refuse("Bardic inspiration is for another one: name them.", "targets")
        if table.character(name).has(own.name.casefold()):
            table.refuse(f"{table.character(name).name} holds a die already.", "targets")
        until = table.clock + 3_600
        kit.begin(table, name, own.name.casefold(), source=who.id, detail=die, until=until, data={"die": die})


using.INSTEAD["Bardic Inspiration"] = inspire_with
