"""Metamagic: options that are named with a casting and paid for with sorcery points (R5.474–R5.479).

``cast fireball --features careful-spell --safe kara``. Which dice an Empowered Spell rolls again is the table's: the
GM corrects the damage.
"""

from rollbook.plugin import Character, Table, events
from rollbook.rulesets.srd5.catalogue import Spell
from rollbook.rulesets.srd5.character import abilities, features
from rollbook.rulesets.srd5.effects.carrying_out import Cause
from rollbook.rulesets.srd5.fight import durations, turns
from rollbook.rulesets.srd5.growth import uses
from rollbook.rulesets.srd5.magic import casting, components
from rollbook.rulesets.srd5.magic.spells import Casting, Changes

INNATE = "innate sorcery"
DAY = 86_400


@casting.BEFORE.append
def changes(table: Table, who: Character, spell: Spell, said: casting.Cast) -> Changes:
    """The components, the cost, the range and the level that a spell has by features (R5.476, R5.484)."""
    subtle = "subtle-spell" in said.named
    companion = spell.key == "summon-dragon" and features.has(who, "Dragon Companion")
    without = ("verbal", "somatic") if subtle else ()
    if companion or (subtle and not components.costly(spell)):
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
        return cause.with_(duration=f"{min(seconds * 2, DAY) // durations.ROUND} rounds")
    if own.name == "Empowered Spell":
        dice = max(abilities.modifier(who, "cha"), 1)
        text = f"{who.name} may roll {dice} of the damage dice again; the GM corrects the damage."
        cause.table.record(events.NoteWritten(text=text, about=who.id))
    return cause


def among(own: features.Owned) -> tuple[str, ...]:
    """The types of damage that an option names."""
    return tuple(each for effect in own.trait.effects for each in getattr(effect, "numbers", {}).get("among", ()))
