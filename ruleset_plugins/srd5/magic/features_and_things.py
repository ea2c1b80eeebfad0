"""Spells by features and things: what changes them, gives some, follows them, or lets them go (R5.275, R5.358–R5.538).

What goes into a casting by choice is named with it: ``cast fireball --features sculpt-spells --safe kara``. Metamagic is
paid for with sorcery points. Which dice an Empowered Spell rolls again is the table's: the GM corrects the damage.

What things do when they are drunk, thrown or spread is in the catalogue. A thing that is drunk or thrown is gone afterwards
(Q5.54); an item with charges spends them, and gives the DC, the attack bonus and the level that it has.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from rollbook.kit import catalogues, clock, conditions, counters, turn_limits
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, Table, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Item, Spell, kinds
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects import carrying_out, lasting
from rollbook.rulesets.srd5.effects.carrying_out import NO_WAYS, Cause, Targets, carry_out, leave_to_gm, rolled, special
from rollbook.rulesets.srd5.effects.lasting import Held
from rollbook.rulesets.srd5.fight import damage, durations, hit_points, places, turns
from rollbook.rulesets.srd5.growth import rests, uses, using
from rollbook.rulesets.srd5.magic import aims, casting, spells
from rollbook.rulesets.srd5.magic.spells import Casting, Changes
from rollbook.rulesets.srd5.settings import Settings

WISH = "wish"
FORM, SMITE = "wild shape", "divine-smite"
EVOCATION = "evocation"
OLD_SMITE = 3
"""The slot levels above the first that add to a smite in the edition of 2014: 5d8 at most."""


@casting.CHANGES.append
def changed(cast: spells.Casting, said: casting.Cast, cause: Cause) -> Cause:
    """A spell as its caster's features make it."""
    who, spell = cast.who, cast.spell
    if who.has(FORM) and aims.costly(spell):
        cause.table.refuse(f"{spell.name} needs costly materials, and is not cast in a beast's form.", "spell")
    if spell.key == SMITE and Settings.of(cause.table).is_old:
        cause = cause.with_(level=min(cause.level, OLD_SMITE))
    if spell.school == EVOCATION and features.has(who, "Empowered Evocation"):
        cause.adds[""] = abilities.modifier(who, "int")
    for kind in who.traits_of("elemental affinity"):
        cause.adds[kind] = max(abilities.modifier(who, "cha"), 0)
    if not spell.level:
        each = abilities.modifier(who, "cha") if spell.key in features.chosen_for(who, "agonizing blast") else 0
        for own, effect in features.known(who).standing:
            if effect.kind == "bonus" and effect.given == "cantrip" and own.source in spell.classes:
                each += uses.number(who, own, effect.by)
        cause = cause.with_(potent=features.has(who, "Potent Cantrip"), each=each)
    if cast.source.uses == 1 and any(features.specials(who, "passes the save")) and spell.key == "contact-other-plane":
        cause = cause.with_(safe=frozenset({who.id}))
    if cast.source.is_innate and spell.key == "false-life" and features.has(who, "Fiendish Vigor"):
        cause = cause.with_(maximised=True)
    return named(cast, said, cause)


def named(cast: spells.Casting, said: casting.Cast, cause: Cause) -> Cause:
    """A spell with the features that were named: overchannelled, with pockets of safety, without concentration."""
    who, spell, table = cast.who, cast.spell, cause.table
    for typed in said.named:
        own = using.find(who, typed)
        if own.name == "Overchannel":
            if not 1 <= cast.slot.level <= 5:
                table.refuse("Overchannel is for spells with a slot of levels 1 to 5.", "features")
            counters.change(table, who.id, uses.pool(own), 1, own.name)
            cause = cause.with_(maximised=True)
        elif own.name == "Sculpt Spells":
            most = 1 + spell.level
            if spell.school != EVOCATION or len(said.safe) > most:
                table.refuse(f"{own.name} spares {most} at most, from an evocation.", "safe")
            cause = cause.with_(safe=frozenset(said.safe))
        elif own.name == "Dragon Companion" and spell.key == "summon-dragon":
            cause = cause.with_(concentration=False, duration=own.trait.lasts)
    return cause


@casting.AFTERWARDS.append
def healed(cast: spells.Casting, cause: Cause, reached: tuple[str, ...]) -> None:  # noqa: ARG001 - as AFTERWARDS
    """More hit points for those whom a slot healed, and for the healer (R5.371, R5.373)."""
    more = 2 + cast.slot.level
    if not cast.slot.level or not cause.healed:
        return
    if features.has(cast.who, "Disciple of Life"):
        for name in sorted(cause.healed):
            hit_points.restore(cause.table, name, more, source=cast.who.id)
    if features.has(cast.who, "Blessed Healer") and cause.healed - {cast.who.id}:
        hit_points.restore(cause.table, cast.who.id, more, source=cast.who.id)


@casting.AFTERWARDS.append
def strained(cast: spells.Casting, cause: Cause, reached: tuple[str, ...]) -> None:  # noqa: ARG001 - as AFTERWARDS
    """The price of an overchannelled spell, from the second of a day on: nothing keeps it off (R5.507)."""
    own = features.called(cast.who, "Overchannel")
    if own is None or not cause.maximised or not cast.slot.level:
        return
    times = cause.table.character(cast.who.id).pools.get(uses.pool(own), 0)
    if times > 1:
        amount = rolled(cause.table, cause, f"{times * cast.slot.level}d12", "damage")
        damage.deal(cause.table, cast.who.id, ((amount, ""),), source=cast.who.id)


@casting.AFTERWARDS.append
def repelled(cast: spells.Casting, cause: Cause, reached: tuple[str, ...]) -> None:  # noqa: ARG001 - as AFTERWARDS
    """Those whom a chosen cantrip hit are pushed away (R5.486)."""
    own = features.called(cast.who, "Repelling Blast")
    if own is not None and cast.spell.key in features.chosen_for(cast.who, "repelling blast"):
        hit = tuple(name for name, amount in cause.dealt.items() if amount)
        carry_out(cause.with_(name=own.name, origin=own.origin), own.trait.effects, hit)


AT_WILL = {"spell mastery": -1, "signature spells": 1, "arcanum": 1}
"""Castings without a slot of spells that were chosen for a feature: at will, or once a rest (R5.490, R5.501, R5.502)."""


@lasting.standing
def given(who: Character) -> Iterator[Held]:
    """The spells that invocations and the like let somebody cast at will or once (R5.486, R5.501, R5.502)."""
    for kind, free in AT_WILL.items():
        for key in features.chosen_for(who, kind):
            yield Held(kind, kinds.KnownSpells(spells=(kinds.Cast(spell=catalogue.spells()[key].name),), free=free))
    for own in features.owned(who):
        for effect in own.trait.effects if own.source == "warlock" else ():
            if isinstance(effect, kinds.CastSpell):
                yield Held(own.name, kinds.KnownSpells(spells=effect.spells, free=-1))


@using.special("cast spells")
def intervene(use: using.Using, numbers: Mapping[str, Any]) -> None:
    """A spell of a list up to a level, without slot and materials (R5.369, R5.370)."""
    table, who = use.table, use.who
    if not use.chosen:
        table.refuse(f"Say which spell: use {who.id} {slug(use.own.name)} --chosen cure-wounds", "chosen")
    spell = spells.find(use.chosen[0])
    level, listed = int(numbers.get("level", 9)), str(numbers["list"])
    if spell.key == WISH and features.has(who, "Greater Divine Intervention"):
        rests_needed = table.roll("2d4", roller=who.id, purpose="long rests").total
        counters.change(table, who.id, rests.RESTING, rests_needed, spell.name)
    elif listed not in spell.classes or not spell.level <= level or spell.casting == "reaction":
        table.refuse(f"{use.own.name} is a spell of the {listed} up to level {level}, and no reaction.", "chosen")
    cast_at_once(use, spell)


def smite(use: using.Using) -> None:
    """Cast divine smite on whom an attack has just hit: once a day for nothing, else with the slot that is said (R5.426).

    ``critical`` among what is chosen doubles the dice. In the edition of 2014 it always takes a slot.
    """
    table, who, slot = use.table, use.who, use.slot
    spell = catalogue.spells()[SMITE]
    if not slot and Settings.of(table).is_old:
        slot = spells.choose(table, who, use.own.name, spell.level, 0).level
    elif not slot and counters.count(who.pools, spells.USED, SMITE):
        table.refuse(f"{who.name} has smitten without a slot today: say which one with --slot.", "slot")
    critical = "critical" in use.chosen
    casting.Cast(caster=who.id, spell=SMITE, targets=use.targets, slot=slot, critical=critical).resolve(table)


using.INSTEAD["Paladin's Smite"] = smite


@casting.AFTERWARDS.append
def guarded(cast: spells.Casting, cause: Cause, reached: tuple[str, ...]) -> None:  # noqa: ARG001 - as AFTERWARDS
    """Cover in the aura of who smites (R5.438)."""
    if cast.spell.key == SMITE and features.has(cast.who, "Smite of Protection"):
        data = turn_limits.until_turn(cause.table, cast.who.id, turn_limits.START)
        conditions.begin(cause.table, cast.who.id, "smite of protection", data=data, again=True)


@using.runs("cast")
def cast_one(use: using.Using, effect: kinds.CastSpell, *_: object) -> None:
    """The spell that a feature casts; a companion costs a slot, or else a use of a shape (R5.379)."""
    if use.own.name == "Wild Companion":
        shape = uses.named(use.who, FORM)
        if use.slot:
            spells.spend(use.table, use.who, spells.Slot(use.slot), use.own.name)
        elif shape is not None:
            uses.spend(use.table, use.who, shape)
    for each in effect.spells[:1]:
        cast_at_once(use, spells.find(each.spell))


def cast_at_once(use: using.Using, spell: Spell) -> None:
    """Let go of a spell that a feature casts."""
    table, who = use.table, use.who
    source = spells.source_or_usual(who, spell)
    cause = casting.cause_of(table, use.rolls, who, spell, source, 0).with_(chosen=use.chosen)
    made = spells.Casting(who=who, spell=spell, source=source)
    named = aims.usual(table, made) if use.targets == (who.id,) else use.targets
    casting.release(cause, spell, named)


INNATE = "innate sorcery"


@casting.BEFORE.append
def changes(table: Table, who: Character, spell: Spell, said: casting.Cast) -> Changes:
    """The components, the cost, the range and the level that a spell has by features (R5.476, R5.484)."""
    subtle = "subtle-spell" in said.named
    companion = spell.key == "summon-dragon" and features.has(who, "Dragon Companion")
    without = ("verbal", "somatic") if subtle else ()
    if companion or (subtle and not aims.costly(spell)):
        without = (*without, "material")
    twinned = "twinned-spell" in said.named
    if twinned and (spell.targets is None or not spell.targets.slot):
        table.refuse(f"{spell.name} gains no target with a higher slot.", "features")
    quick = "quickened-spell" in said.named and spell.casting == turns.ACTION
    return Changes(without, turns.BONUS if quick else "", 2 if "distant-spell" in said.named else 1, int(twinned))


@casting.CHANGES.append
def paid(cast: Casting, said: casting.Cast, cause: Cause) -> Cause:
    """Pay for the options, of which a spell takes one, or two with innate sorcery (R5.475, R5.478, R5.479)."""
    table, who = cause.table, cast.who
    found = [own for own in (features.called(who, typed) for typed in said.named) if own is not None]
    options = [own for own in found if who.traits.get(own.name) == features.METAMAGIC]
    is_innate = who.has(INNATE)
    most = 2 if is_innate and features.has(who, "Sorcery Incarnate") else 1
    if sum(1 for own in options if not own.trait.numbers.get("with_another")) > most:
        table.refuse(f"{cast.spell.name} takes {most} metamagic option{'s' if most > 1 else ''}.", "features")
    for own in options:
        if not (is_innate and _is_free(table, who)):
            for what, many in own.trait.spends.items():
                uses.pay(table, table.character(who.id), own, what, many)
        cause = applied(own, said, cause, who)
    return cause


def _is_free(table: Table, who: Character) -> bool:
    """True for one option a turn for nothing, which is then used (R5.479)."""
    own = features.called(who, "Arcane Apotheosis")
    return own is not None and turns.is_own_turn(table, who) and uses.may_now(table, who, own)


def applied(own: features.Owned, said: casting.Cast, cause: Cause, who: Character) -> Cause:
    """A spell with one option (R5.476)."""
    if own.name == "Careful Spell":
        most = max(abilities.modifier(who, "cha"), 1)
        if len(said.safe) > most:
            cause.table.refuse(f"{own.name} spares {most} at most.", "safe")
        return cause.with_(safe=frozenset(said.safe))
    if own.name == "Heightened Spell":
        return cause.with_(pressed=frozenset((said.target, *said.targets)[0 if said.target else 1 :][:1]))
    if own.name == "Transmuted Spell":
        return cause.with_(becomes=next((each for each in cause.chosen if each in among(own)), ""))
    seconds = durations.seconds(cause.duration) if own.name == "Extended Spell" else 0
    if seconds >= 60:
        return cause.with_(duration=f"{min(seconds * 2, clock.DAY) // durations.ROUND} rounds")
    if own.name == "Empowered Spell":
        dice = max(abilities.modifier(who, "cha"), 1)
        text = f"{who.name} may roll {dice} of the damage dice again; the GM corrects the damage."
        cause.table.record(events.NoteWritten(text=text, about=who.id))
    return cause


def among(own: features.Owned) -> tuple[str, ...]:
    """The types of damage that an option names."""
    return tuple(each for effect in own.trait.effects for each in getattr(effect, "numbers", {}).get("among", ()))


THING, MAGIC, ITEM = "thing", "magic", "item"
THROWN = "replaces an attack"


@special(THROWN)
def thrown(cause: Cause, effect: Effect, targets: Targets, path: str) -> None:
    """Nothing more: the price of a thing that is thrown is paid before (R5.275)."""


@using.THINGS.append
@remembered
def things(who: Character) -> tuple[features.Owned, ...]:
    """The things that somebody carries and can use."""
    found = []
    for item, held in who.gear.items():
        key = features.item_key(item, held.use)
        plain = catalogue.equipment().get(catalogues.key_of(catalogue.equipment, item))
        row = catalogue.magic_items()[key] if key else plain
        action = action_of(row) if row is not None and held.count > 0 else ""
        if row is not None and action:
            trait = kinds.Trait(name=item, action=action, effects=row.effects, words=row.words)
            found.append(features.Owned(f"{THING}:{MAGIC if key else ITEM}", trait, 0, row.key))
    return tuple(found)


def action_of(row: kinds.MagicItem | Item) -> str:
    """The part of a turn that a thing takes to be used, "" for one that is not used so."""
    if isinstance(row, kinds.MagicItem):
        is_used = row.consumable and row.category not in ("scroll", "weapon") and (row.effects or row.spells)
        return ("bonus action" if row.category == "potion" else "magic action") if is_used else ""
    inner = [each for effect in row.effects for option in getattr(effect, "options", ()) for each in option.do]
    if any(getattr(each, "name", "") == THROWN for each in (*row.effects, *inner)):
        return using.ATTACK
    laters = [each.action for each in row.effects if isinstance(each, kinds.Later) and each.action]
    return laters[0] if laters and not any(each.kind == "light" for each in row.effects) else ""


def do_now(cause: Cause, effect: kinds.Later, targets: Targets, path: str) -> None:
    """Do what a thing lets one do: it is used now."""
    carry_out(cause, effect.do, targets, f"{path}/do")


def check_or_tell(cause: Cause, effect: kinds.Check, targets: Targets, path: str) -> None:
    """Make the check of who uses a thing; that by which others get free is told."""
    carry = leave_to_gm if effect.by else carrying_out.carries["check"]
    carry(cause, effect, targets, path)


WAYS: Mapping[str, carrying_out.Carry] = {"later": do_now, "check": check_or_tell, "object": leave_to_gm}
"""Kinds of effects that a thing has in a way of its own."""


def use_thing(use: using.Using) -> None:
    """Do what a thing does to the targets, and use it up (R5.275, R5.530)."""
    sort, item, table = use.own.origin.partition(":")[2], use.own.name, use.table
    turns.check_may_handle(table, use.who)
    row = catalogue.row_of(sort, use.own.source)
    for effect in row.effects:
        check_near(use, effect)
    carry_out(use.with_(origin=f"{sort}:{use.own.source}", ways=NO_WAYS), row.effects, use.targets, ways=WAYS)
    for named in row.spells if isinstance(row, kinds.MagicItem) else ():
        let_go(use, named)
    if use.own.trait.words:
        carrying_out.note(use, f"{item}: {use.own.trait.words}")
    if not getattr(row, "kept", False):
        table.record(events.GearLost(character=use.who.id, item=item))


using.INSTEAD[THING] = use_thing


def check_near(use: using.Using, effect: Effect) -> None:
    """Refuse targets that are farther than a thing flies, where squares say so."""
    most = getattr(effect, "within", 0)
    for name in use.targets if most else ():
        apart = places.distance(use.who, use.table.character(name))
        if apart is not None and apart > most:
            use.table.refuse(f"{use.own.name} goes {most} feet, and that is {apart} feet away.", "targets")


def let_go(use: using.Using, named: kinds.ItemSpell) -> None:
    """Let a spell do its work that a thing holds, which nobody casts."""
    spell, source = spells.find(named.spell), spells.of_item(use.who, named)
    cause = casting.cause_of(use.table, use.rolls, use.who, spell, source, max(named.level - spell.level, 0))
    chosen = use.chosen or tuple(named.note.split(", "))[:1]
    holds = cause.concentration and "without concentration" not in named.note
    cause = cause.with_(chosen=chosen, duration=named.lasts or cause.duration, concentration=holds)
    casting.release(cause, spell, use.targets)
