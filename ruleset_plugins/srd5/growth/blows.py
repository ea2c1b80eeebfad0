"""Features and magic weapons that take part in attacks: further damage, martial arts, what follows a hit or a miss.

``EXTRA`` of the fight asks ``further_damage`` after each hit. A feature that is had once a turn is marked in the turn
(``once:NAME``). What goes into a blow by choice is named with it: ``attack ogre --features trip,brutal-strike``.
"""

from collections import Counter
from collections.abc import Iterator, Mapping
from typing import Any

from rollbook.kit import formulas, sides
from rollbook.plugin import Character, Term
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, kinds
from rollbook.rulesets.srd5.character import abilities, classes, features
from rollbook.rulesets.srd5.effects.carrying_out import at_cantrip_level, carrier, carry_out
from rollbook.rulesets.srd5.effects.lasting import CHOSEN, Held, effects_on
from rollbook.rulesets.srd5.fight import attack, attack_edges, hit_points, masteries, places, states, weapons
from rollbook.rulesets.srd5.fight.attack import Blow
from rollbook.rulesets.srd5.fight.attack_edges import Aim
from rollbook.rulesets.srd5.fight.weapons import Damage, Weapon
from rollbook.rulesets.srd5.growth import uses, using
from rollbook.rulesets.srd5.magic import spells
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of
from rollbook.rulesets.srd5.settings import Settings
from rollbook.rulesets.srd5.tasks import d20_tests

SNEAK, RECKLESS = "Sneak Attack", "Reckless Attack"
NATURAL_20, DESTROY, LIFELESS = "natural 20", "destroy", ("construct", "undead")
GIVEN_UP = "sneak attack dice"


def further_damage(blow: Blow) -> Iterator[Damage]:
    """The damage that features add to a hit (R5.331, R5.342, R5.347, R5.368, R5.381, R5.433, R5.451, R5.455)."""
    if blow.strike.is_spell:
        return
    kind = blow.strike.parts[0].type if blow.strike.parts else "bludgeoning"
    for held in effects_on(blow.attacker, "bonus"):
        effect = held.effect
        if "damage" in effect.to and not effect.of and effect.by.isdecimal() and _suits(effect.given, blow):
            yield Damage(dice="0", type=kind, terms=(Term(int(effect.by), held.label),))
    for own, extra in features.known(blow.attacker).extras:
        counts = _counts(own, blow) and _with_more(extra, blow) and _holds(own, extra, blow)
        if counts and uses.may_now(blow.table, blow.attacker, own):
            worked = uses.resolved(blow.attacker, own, extra)
            dice = _with_more(worked, blow)
            dice = _less(dice, _given_up(blow)) if own.name == SNEAK else dice
            dice = f"{dice} + {formulas.times(extra.slot, _smite(blow, own))}" if extra.slot else dice
            chosen = next((each for each in worked.types if each in _said(blow)), "")
            yield Damage(dice=dice, type=chosen or next(iter(worked.types), kind))


def _smite(blow: Blow, own: features.Owned) -> int:
    """Spend a pact slot on a hit, which may bring down what is huge or smaller (R5.486). Returns the level of the slot."""
    table, who = blow.table, blow.table.character(blow.attacker.id)
    pact = spells.pact_of(who)
    if pact is None or not spells.pact_left(who):
        table.refuse(f"{who.name} has no pact slot left for {own.name}.", "features")
    spells.spend(table, who, pact, own.name)
    if places.size_number(blow.target) <= places.SIZES.index("huge"):
        states.begin(table, blow.target.id, states.PRONE, source=who.id)
    return pact.level


def _suits(given: str, blow: Blow) -> bool:
    """True if a bonus is for this attack: any, one by Strength, or one with some weapons."""
    weapon = blow.strike.weapon
    by_strength = given == "strength attack" and blow.strike.ability == "str"
    return not given or by_strength or (weapon is not None and weapon.key in given.split(" or "))


def _holds(own: features.Owned, effect: kinds.ExtraDamage, blow: Blow) -> bool:
    """True if a hit is one to which a feature adds."""
    trait, who = own.trait, blow.attacker
    if own.name == SNEAK:
        return may_sneak(blow)
    given = blow.target.lost > 0 if trait.given == "target hurt" else uses.holds(who, own)
    if "reckless attack" in trait.when:
        given = given and who.has(RECKLESS.casefold()) and (own.name != "Brutal Strike" or is_named(blow, own.trait))
    elif trait.when or effect.slot:
        given = given and is_named(blow, trait)
    return given and any(_is_such(on, blow) for on in effect.on)


def _is_such(on: str, blow: Blow) -> bool:
    weapon = blow.strike.weapon
    if on in ("attack str", "melee weapon or unarmed strike"):
        return blow.strike.ability == "str" if on == "attack str" else blow.aim.melee
    if weapon is None:
        return False
    return {
        "weapon attack": weapon.key != weapons.UNARMED,
        "finesse or ranged weapon": weapon.row.finesse or weapon.row.form == weapons.RANGED,
        "pact weapon": weapons.is_bonded(blow.attacker, weapon),
    }.get(on, False)


def may_sneak(blow: Blow) -> bool:
    """True with such a weapon and advantage, or with an ally beside the target and no disadvantage (R5.455)."""
    landed = blow.landed
    if not _is_such("finesse or ranged weapon", blow) or landed is None or landed.net < 0:
        return False
    is_helped = landed.advantage or (blow.said is not None and blow.said.ally)
    return is_helped or attack_edges.has_ally_beside(blow.table, blow.attacker, blow.target)


def _said(blow: Blow) -> tuple[str, ...]:
    return tuple(features.spelled(each) for each in blow.said.features) if blow.said is not None else ()


def is_named(blow: Blow, trait: kinds.Trait) -> bool:
    """True if the attack says that a feature, or one of its parts, goes into it."""
    return any(features.spelled(each.name) in _said(blow) for each in (trait, *trait.parts))


def _parts_in(blow: Blow) -> Iterator[features.Owned]:
    for own in features.owned(blow.attacker):
        if own.above is not None and features.spelled(own.name) in _said(blow):
            yield own


def _given_up(blow: Blow) -> int:
    return sum(own.trait.spends.get(GIVEN_UP, 0) for own in _parts_in(blow))


def _less(dice: str, many: int) -> str:
    count, _, sides = dice.partition("d")
    return f"{int(count) - many}d{sides}" if int(count) > many else "0"


def follow_hit(blow: Blow, through: int) -> None:  # noqa: ARG001 - as AFTER_HIT
    """Do what was named with a blow: blows that push and hamper, cunning strikes (R5.342, R5.459, R5.462)."""
    for own in _parts_in(blow) if _said(blow) else ():
        cause = using.cause_of(blow.table, blow.rolls, blow.attacker, own).with_(ways={})
        for place, effect in enumerate(own.trait.effects):
            worked = uses.resolved(blow.attacker, own, effect)
            whom = (blow.attacker.id,) if getattr(effect, "of", "") == "source" else (blow.target.id,)
            carrier(worked)(cause, worked, whom, str(place))


def keep_raging(blow: Blow, through: int = 0) -> None:  # noqa: ARG001 - as AFTER_HIT
    """An attack keeps a rage up for another turn (R5.333)."""
    using.extend(blow.table, blow.attacker.id, uses.RAGING)


def force(rolls: d20_tests.TestRolls, test: d20_tests.Test, *_: object) -> None:
    """A save that an enemy has to make keeps a rage up as well (R5.333)."""
    other = test.against if test.kind == d20_tests.SAVE else None
    if other is not None and other.has(uses.RAGING) and sides.are_enemies(other, test.who):
        using.extend(rolls.table, other.id, uses.RAGING)


def study(blow: Blow) -> None:
    """Advantage after a miss, on the next attack on the same one (R5.396)."""
    _happen(blow, "misses", blow.target.id)


def _happen(blow: Blow, moment: str, target: str) -> None:
    for own in features.at(blow.attacker, moment):
        if not own.trait.uses:
            using.do_all(using.cause_of(blow.table, blow.rolls, blow.attacker, own), (target,))


def check_named(blow: Blow) -> None:
    """Refuse features that the attacker does not have, and more of them than there may be (R5.342, R5.459)."""
    for typed in blow.said.features if blow.said is not None else ():
        if not masteries.may_replace(blow.attacker, typed):
            using.find(blow.attacker, typed)
    parts = tuple(_parts_in(blow))
    for part in parts:
        if part.trait.action:
            typed = features.spelled(part.name)
            blow.table.refuse(f"{part.name} takes an action of its own: use {blow.attacker.id} {typed}", "features")
    many = Counter(GIVEN_UP in part.trait.spends for part in parts)
    for name, is_cunning in (("Cunning Strike", True), ("Brutal Strike", False)):
        own = features.called(blow.attacker, name)
        most = int(uses.by_level(own, "effects", 1)) if own is not None else 1
        if many[is_cunning] > most:
            blow.table.refuse(f"{name} has {most} of its effects at once.", "features")
    if _given_up(blow) > int(classes.text(blow.attacker, "sneak attack").partition("d")[0] or 0):
        blow.table.refuse("There are not so many dice of the sneak attack to give up.", "features")


def with_martial_arts(
    who: Character, weapon: Weapon, ability: str, chosen: str, *, two_handed: bool = False
) -> tuple[str, str, str]:
    """The ability, the die and the type of damage that features give a weapon (R5.299, R5.401, R5.410, R5.436)."""
    dice, kind = "", ""
    for held in effects_on(who, "weapon"):
        effect = held.effect
        if not any(_means(each, weapon, held, who) for each in effect.weapons or ("this weapon",)):
            continue
        by = spells.usual_ability(who) if effect.ability == "spellcasting" else effect.ability
        if by in abilities.ABILITIES and not chosen:
            ability = by if abilities.modifier(who, by) > abilities.modifier(who, ability) else ability
        if effect.die:
            die = at_cantrip_level(classes.text(who, effect.die) or effect.die, effect.cantrip, who.level)
            dice = max(dice or weapon.row.dice, f"1{die}" if die.startswith("d") else die, key=formulas.most_of)
        picked = str(held.condition.data.get(CHOSEN, "")) if held.condition is not None else ""
        kind = picked if picked in effect.types else effect.types[0] if len(effect.types) == 1 else kind
    low = features.specials(who, "low dice")
    if low and (two_handed or weapon.row.two_handed) and weapon.row.form == weapons.MELEE:
        usual = weapon.row.versatile if two_handed and weapon.row.versatile else weapon.row.dice
        dice = f"{dice or usual}mi{low[0][1].numbers['becomes']}"
    return ability, dice, kind


def _means(word: str, weapon: Weapon, held: Held, who: Character) -> bool:
    row, bare = weapon.row, weapon.key == weapons.UNARMED
    if word == "pact weapon":
        return held.condition is not None and weapons.is_bonded(who, weapon)
    if word == "this weapon":
        magic = catalogue.magic_items().get(weapons.magic_of(who, weapon.item))
        return magic is not None and magic.name == held.label
    if word == weapon.key:
        return True
    if word == "unarmed strike":
        return bare
    melee = row.form == weapons.MELEE and not bare and row.training
    return word == "monk weapon" and bool(melee) and (row.training == "simple" or row.light)


@using.special("attack")
def strike_back(use: using.Using, numbers: Mapping[str, Any]) -> None:
    """An attack that a feature gives, with the weapon that is chosen or the usual one (R5.349, R5.451)."""
    table, who = use.table, use.who
    found = attack.strike_named(table, who, use.chosen[0] if use.chosen else "")
    if numbers.get("form") == weapons.MELEE and not found.reach:
        table.refuse(f"{use.own.name} is an attack in melee, and not with {found.name}.", "chosen")
    for name in use.targets:
        if name == who.id:
            table.refuse(f"Say on whom: use {who.id} {features.spelled(use.own.name)} TARGET", "targets")
        aim = Aim(distance=min(found.reach, weapons.REACH) or 30, melee=bool(found.reach))
        target = table.character(name)
        attack.strike(Blow(table=table, rolls=use.rolls, attacker=who, target=target, strike=found, aim=aim))


def follow_critical(blow: Blow, through: int) -> None:  # noqa: ARG001 - as AFTER_HIT
    """Do what a critical hit gives (R5.398)."""
    if blow.is_critical:
        _happen(blow, "critical hit", blow.attacker.id)


def is_savage(blow: Blow) -> bool:
    """True for a hit whose weapon dice are rolled twice, once a turn, where that is named (R5.297)."""
    found = features.specials(blow.attacker, "roll damage twice") if blow.strike.weapon is not None else ()
    return any(is_named(blow, own.trait) and uses.may_now(blow.table, blow.attacker, own) for own, _ in found)


def _counts(own: features.Owned, blow: Blow) -> bool:
    """True unless a feature is that of a weapon with which this attack is not made."""
    if not own.origin.startswith(uses.MAGIC) or catalogue.magic_items()[own.source].category != "weapon":
        return True
    weapon = blow.strike.weapon
    return weapon is not None and weapons.magic_of(blow.attacker, weapon.item) == own.source


def _with_more(extra: kinds.ExtraDamage, blow: Blow) -> str:
    """The dice of further damage with those against the kind of the target; "" for none."""
    against = [each.dice for each in extra.more if kind_of(blow.target) in each.against]
    return " + ".join(filter(None, (extra.dice, *against)))


def _of_hit(blow: Blow) -> Iterator[tuple[features.Owned, Effect]]:
    """The saves that the weapon of a hit asks for, and what it does on a 20."""
    for own in features.owned(blow.attacker):
        if own.origin.startswith(uses.MAGIC) and _counts(own, blow):
            is_due = NATURAL_20 in own.trait.when and blow.is_critical and kind_of(blow.target) not in LIFELESS
            for effect in own.trait.effects:
                if is_due or (isinstance(effect, kinds.Save) and not own.trait.when and not own.trait.action):
                    yield own, effect


def follow_weapon(blow: Blow, through: int) -> None:  # noqa: ARG001 - as AFTER_HIT
    """Do what a magic weapon does to whom it has hit."""
    for own, effect in _of_hit(blow) if blow.strike.weapon is not None else ():
        if isinstance(effect, kinds.Save) and (kind_of(blow.target) not in (effect.kinds or (kind_of(blow.target),))):
            continue
        if isinstance(effect, kinds.Save) and not _is_low(blow, effect, own):
            continue
        cost = own.trait.spends.get(uses.ITEM, 0)
        if cost and uses.charges_left(blow.table, blow.attacker, own.source) < cost:
            continue
        whom = blow.attacker.id if effect.kind == "temporary" else blow.target.id
        carry_out(attack.cause_of(blow, origin=own.origin, name=own.name), (effect,), (whom,))
        if cost and blow.table.character(whom).has(states.DEAD):
            uses.spend_charges(blow.table, blow.attacker, own.source, cost)


def _is_low(blow: Blow, effect: kinds.Save, own: features.Owned) -> bool:
    """True unless a weapon destroys or kills only those with so few hit points left."""
    most = [int(each.numbers["hit_points"]) for each in effect.fail if getattr(each, "name", "") == DESTROY]
    if "below_hit_points" in own.trait.numbers:
        most.append(int(own.trait.numbers["below_hit_points"]) - 1)
    left = hit_points.left(blow.table.character(blow.target.id), Settings.of(blow.table))
    return not most or 0 < left <= most[0]


d20_tests.CHANGES.append(force)
attack.TWICE.append(is_savage)
attack.EXTRA.append(further_damage)
attack.AFTER_HIT.extend((follow_hit, keep_raging, follow_critical, follow_weapon))
attack.AFTER_MISS.extend((keep_raging, study))
attack.CHECKS.append(check_named)
weapons.CHANGES.append(with_martial_arts)
