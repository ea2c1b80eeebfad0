"""Things in use: what is drunk, thrown or spread (by ``use``), and spells of magic items (by ``cast``) (R5.275, R5.530, R5.538).

What they do is in the catalogue. A thing that is drunk or thrown is gone afterwards (Q5.54); an item with charges
spends them, and gives the DC, the attack bonus and the level that it has.
"""

from collections.abc import Mapping

from rollbook.kit import catalogues
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, events
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Effect, Item, kinds, origins
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects import carrying_out
from rollbook.rulesets.srd5.effects.carrying_out import NO_WAYS, Cause, Targets, carry_out, leave_to_gm, special
from rollbook.rulesets.srd5.fight import places, turns
from rollbook.rulesets.srd5.growth import using
from rollbook.rulesets.srd5.magic import casting, spells

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
    row = origins.row_of(sort, use.own.source)
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
