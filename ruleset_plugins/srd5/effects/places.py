"""Effects on places: movement, creatures and things that come; what has no number is kept for the GM (``states.KEPT``).

Movement happens where squares are used; else it is written down, in feet.
"""

from collections.abc import Iterable

from rollbook.kit import conditions as kit
from rollbook.kit import sides, squares, turn_order
from rollbook.plugin import CharacterKind, Table, enter, events, slug
from rollbook.rulesets.srd5 import catalogue
from rollbook.rulesets.srd5.catalogue import Monster, kinds
from rollbook.rulesets.srd5.character import joining
from rollbook.rulesets.srd5.effects import creatures, states
from rollbook.rulesets.srd5.effects.carrying_out import Cause, Targets, carries, leave_to_gm
from rollbook.rulesets.srd5.fight import conditions, hit_points, places
from rollbook.rulesets.srd5.monsters import stat_blocks

SUMMONED = "summoned"
AWAY, TOWARD = ("away", "flees"), ("toward", "approaches")


@carries("move")
def move(cause: Cause, effect: kinds.Move, targets: Targets, path: str) -> None:
    """Push or pull targets on the squares; other movement is the GM's."""
    source = cause.table.character(cause.source) if cause.source and not effect.of and effect.feet else None
    feet = effect.feet if effect.way in AWAY else -effect.feet
    told = source is not None and effect.way in AWAY + TOWARD and squares.was_placed(source)
    for name in targets:
        who = cause.table.character(name)
        if told and source is not None and squares.was_placed(who):
            places.displace(cause.table, name, places.pushed(source.position, who.position, feet))
        else:
            leave_to_gm(cause, effect, (name,), path)
    if not targets:
        leave_to_gm(cause, effect, (), path)


@carries("teleport")
def teleport(cause: Cause, effect: kinds.Teleport, targets: Targets, path: str) -> None:
    """Teleport to the square that was named, within the feet of the spell; else the GM says where to."""
    whom = targets or (cause.source,)
    if not cause.at or effect.of:
        leave_to_gm(cause, effect, whom, path)
        return
    square = squares.parse(cause.table, cause.at)
    for name in whom:
        who = cause.table.character(name)
        feet = places.apart(who.position, square)
        conditions.check_free(cause.table, who, "cannot teleport", "teleport", at="at")
        if effect.feet and squares.was_placed(who) and feet > effect.feet:
            cause.table.refuse(f"That square is {feet} feet away, and {cause.name} reaches {effect.feet}.", "at")
        places.displace(cause.table, name, square)


@carries("summon")
def summon(cause: Cause, effect: kinds.Summon, targets: Targets, path: str) -> None:
    """Bring creatures in by their stat blocks: the chosen one, or the first; they come with the spell and go with it."""
    block = _block_of_spell(cause) if effect.block else None
    if block is None:
        named = [each for each in effect.blocks if slug(each) in map(slug, cause.chosen)] or effect.blocks[:1]
        block = _named_block(named[:1] or cause.chosen)
    if block is None:
        leave_to_gm(cause, effect, targets, path)
        return
    count = effect.count if isinstance(effect.count, int) else max(cause.modifier, 1)
    for _ in range(max(count + effect.slot * cause.level, 1)):
        name = bring(cause.table, block, cause)
        until, data = states.data_of(cause, effect, path, name)
        kit.begin(cause.table, name, SUMMONED, source=cause.source, detail=cause.name, until=until, data=data)


def _block_of_spell(cause: Cause) -> Monster | None:
    """The block of the spell itself, with the numbers of its caster."""
    spell = catalogue.spells().get(cause.origin.removeprefix("spell:"))
    if spell is None:
        return None
    numbers = (spell.level + cause.level, cause.modifier, cause.attack, cause.dc)
    return creatures.block_of(creatures.key_for(spell.key, *numbers))


def _named_block(typed: Iterable[str]) -> Monster | None:
    """The stat block of the first of some words that names one."""
    return catalogue.monsters().get(next(filter(None, map(stat_blocks.key_of, typed)), ""))


def bring(table: Table, block: Monster, cause: Cause) -> str:
    """Bring one creature in, on the side and in the fight of who summons it. Returns the id."""
    number = 1
    while table.knows(f"{slug(block.name)}-{number}"):
        number += 1
    source, called = table.character(cause.source), f"{block.name} {number}"
    name = enter(table, name=called, id=slug(called), kind=CharacterKind.MONSTER, seat=source.seat)
    joining.take_block(table, name, block)
    side = sides.side_of(source)
    if sides.side_of(table.character(name)) != side:
        sides.take(table, name, side)
    fight = table.encounter
    if fight is not None and cause.source in fight.order:
        turn_order.insert(table, name, dict(zip(fight.order, fight.scores, strict=False)).get(cause.source, 0))
    return name


@carries("shape")
def shape(cause: Cause, effect: kinds.Shape, targets: Targets, path: str) -> None:
    """Change somebody's shape into the chosen one; the form's hit points come as temporary ones (R5.187)."""
    block = _named_block(cause.chosen)
    for name in targets or (cause.source,):
        states.lay(cause, effect, (name,), path)
        if block is None or not effect.into:
            leave_to_gm(cause, effect, (name,), path)
            continue
        creatures.check_fits(cause.table, cause.table.character(name), effect, block)
        creatures.take(cause.table, name, block, mind="int" not in effect.keeps, reason=cause.name)
        if effect.temporary:
            hit_points.give_temporary(cause.table, name, block.hit_points, reason=cause.name)


@carries("create")
def create(cause: Cause, effect: kinds.Create, targets: Targets, path: str) -> None:
    """Put things that are counted into the caster's hands; what is measured is the GM's."""
    if effect.amount and effect.unit in ("", effect.what):
        many = effect.amount + effect.slot * cause.level
        cause.table.record(events.GearGained(character=cause.source, item=effect.what, count=many))
    else:
        leave_to_gm(cause, effect, targets, path)
