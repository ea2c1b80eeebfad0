"""Damage: types, resistance and the rest in order, temporary hit points, blows at 0 hit points (R5.78–R5.104).

``deal`` is the one way to take hit points. Its parts are amounts with types; each type is adjusted, halved, doubled,
or nothing, and the sum goes first to temporary hit points. ``ADJUSTMENTS`` are reductions and the like before
resistance; ``AFTERWARDS`` follows damage that was taken (concentration).
"""

from collections.abc import Callable, Sequence
from typing import Any

from rollbook.kit import counters, verbs
from rollbook.kit import hit_points as kit
from rollbook.kit.remembering import remembered
from rollbook.plugin import Character, CharacterKind, DiceStep, Table, events, flag
from rollbook.rulesets.srd5.effects.lasting import CHOSEN, effects_on, specials
from rollbook.rulesets.srd5.fight import dying, hit_points, states
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of
from rollbook.rulesets.srd5.settings import Settings

TYPES = (
    *("acid", "bludgeoning", "cold", "fire", "force", "lightning", "necrotic"),
    *("piercing", "poison", "psychic", "radiant", "slashing", "thunder"),
)
RESISTANCE, VULNERABILITY, IMMUNITY = "resistance", "vulnerability", "immunity"
HOW = (RESISTANCE, VULNERABILITY, IMMUNITY)
"""The kinds of traits by which a GM gives one to somebody: ``trait guard fire resistance``."""

BEFORE_FALLING: list[Callable[..., bool]] = []
"""Functions of table, target's id, damage, types and ``critical`` that say whether who would fall keeps 1 hit point."""

OF_THE_LIVING = ("poison", "psychic")
"""Damage that things are immune to (R5.114)."""

THRESHOLD = "damage_threshold"
"""The stat of what takes no damage at all from less than so much (R5.126)."""

Part = tuple[int, str]

ADJUSTMENTS: list[Callable[[Table, Character, int, str], int]] = []
"""Functions of table, target, amount and type that return the adjusted amount."""

AFTERWARDS: list[Callable[[Table, str, int, str], object]] = []
"""Consequences of damage: functions of table, target's id, the damage taken, which may be none, and its source."""


@remembered
def stances(who: Character, kind: str) -> frozenset[str]:
    """The words of ``HOW`` that hold for a character and a type of damage; several of one kind count once (R5.85)."""
    found = {how for how in HOW if who.traits.get(kind) == how}
    block = block_of(who)
    if block is not None:
        lists = (block.resistances, block.vulnerabilities, block.immunities)
        found |= {how for how, types in zip(HOW, lists, strict=True) if kind in types}
    for held in effects_on(who, "resist"):
        chosen = held.condition.data.get(CHOSEN) if held.condition is not None else None
        if {kind, "all"} & {*held.effect.types, chosen} and kind not in held.effect.spares:
            found.add(held.effect.how)
    if who.kind is CharacterKind.THING and kind in OF_THE_LIVING:
        found.add(IMMUNITY)
    if any(row.resists for row, _ in states.states_of(who)):
        found.add(RESISTANCE)
    return frozenset(found)


def absorbs(who: Character, kind: str) -> bool:
    """True for whom damage of a type heals."""
    return any(kind in held.effect.numbers["types"] for held in specials(who, "absorb"))


def suffered(table: Table, who: Character, amount: int, kind: str, *, under_water: bool = False) -> int:
    """The damage of one type that gets through (R5.75, R5.84–R5.87)."""
    held = stances(who, kind) | ({RESISTANCE} if under_water and kind == "fire" else set())
    if IMMUNITY in held:
        return 0
    for adjust in ADJUSTMENTS:
        amount = adjust(table, who, amount, kind)
    amount = max(amount, 0)
    if RESISTANCE in held:
        amount //= 2
    return amount * 2 if VULNERABILITY in held else amount


def deal(
    table: Table,
    name: str,
    parts: Sequence[Part],
    *,
    source: str = "",
    critical: bool = False,
    knock_out: bool = False,
    under_water: bool = False,
) -> int:
    """Deal damage to somebody. Returns what got through to them, temporary hit points included."""
    who = table.character(name)
    if who.has(states.DEAD):
        return 0
    sums: dict[str, int] = {}  # halves are rounded once for each type (Q5.10)
    is_thing = who.kind is CharacterKind.THING and table.knows(source)
    times = 2 if is_thing and specials(table.character(source), "double damage") else 1
    for amount, kind in parts:
        sums[kind] = sums.get(kind, 0) + amount * times
    for kind in [each for each in sums if absorbs(who, each)]:
        hit_points.restore(table, name, sums.pop(kind))
    if parts and not sums:
        return 0
    who = table.character(name)
    through = sum([suffered(table, who, amount, kind, under_water=under_water) for kind, amount in sums.items()])
    if through < who.stats.get(THRESHOLD, 0):
        through = 0
    _take(table, who, through, parts, source=source, critical=critical, knock_out=knock_out)
    for after in AFTERWARDS:
        after(table, name, through, source)
    return through


def _take(
    table: Table, who: Character, through: int, parts: Sequence[Part], *, source: str, critical: bool, knock_out: bool
) -> None:
    """Take temporary hit points first, then the others, down to 0 (R5.76, R5.101)."""
    settings, name = Settings.of(table), who.id
    dealt, tags = sum([amount for amount, _ in parts]), tuple(dict.fromkeys([kind for _, kind in parts if kind]))
    shield = min(through, hit_points.temporary(who))
    if shield:
        counters.change(table, name, hit_points.TEMPORARY, -shield, "damage")
    rest, most = through - shield, hit_points.max_hp(who, settings)
    kit.check_has_any(table, who, has=most > 0)
    before = max(most - who.lost, 0)
    spares = knock_out and rest >= before > 0 and not settings.is_old
    if rest >= before > 0 and any(keeps(table, name, rest, tags, critical=critical) for keeps in BEFORE_FALLING):
        rest = before - 1
    amount = min(rest, before - 1 if spares else before)
    table.record(events.DamageTaken(character=name, amount=amount, dealt=dealt, tags=tags, source=source))
    if not rest:
        return
    if before == 0 and dying.is_down(who):
        dying.suffer_while_down(table, name, critical=critical, rest=rest, most=most, source=source)
    elif rest >= before and knock_out:
        dying.knock_out(table, name, source=source)
    elif rest >= before:
        dying.fall(table, name, overkill=rest - before, most=most, source=source)


def hurt(table: Table, name: str, amount: int, *, tags: tuple[str, ...] = (), **how: Any) -> int:
    """Hurt somebody without an attack, ``how`` as for ``deal``; the first tag that is a type of damage is its type."""
    kind = next((tag for tag in tags if tag in TYPES), tags[0] if tags else "")
    return deal(table, name, ((amount, kind),), **how)


Harm = verbs.harm_verb(
    hurt,
    help="Somebody is hurt without an attack: a trap, a fire, a fall. --tags says of which type.",
    fields={
        "critical": flag("as a critical hit does, which costs who is dying two death saves"),
        "under_water": flag("under water, where everybody resists fire"),
    },
    typed_dice=(DiceStep(effects={"the damage, if it is dice": "damage"}), *dying.AFTER_HARM),
)
