"""Effects that dice decide: attack, save, damage, heal, temporary hit points; ``fates`` has the others."""

from collections.abc import Sequence

import attrs

from rollbook.kit import d20, formulas, sides
from rollbook.plugin import Character, Term
from rollbook.rulesets.srd5.catalogue import kinds
from rollbook.rulesets.srd5.character import features
from rollbook.rulesets.srd5.effects import carrying_out, fates, lasting, laying
from rollbook.rulesets.srd5.effects.carrying_out import ALL_DAMAGE, Cause, Targets, carries, carry_out, damages_of
from rollbook.rulesets.srd5.fight import attack as attacks
from rollbook.rulesets.srd5.fight import attack_edges, damage, hit_points, places, states, weapons
from rollbook.rulesets.srd5.monsters.stat_blocks import block_of, kind_of
from rollbook.rulesets.srd5.settings import AVERAGE, Settings
from rollbook.rulesets.srd5.tasks import saves


def dice_of(cause: Cause, effect: kinds.Damage | kinds.Heal | kinds.TemporaryHitPoints, target: str = "") -> str:
    """The dice of an effect with what level and ability add to them, before a critical hit doubles them."""
    dice, slot = effect.dice, effect.slot
    if isinstance(effect, kinds.Heal) and effect.old and Settings.of(cause.table).is_old:
        dice, slot = effect.old, effect.old_slot
    if isinstance(effect, kinds.Damage):
        dice = carrying_out.at_cantrip_level(dice, effect.cantrip, cause.caster_level)
        if effect.instead is not None and holds(cause, effect.instead.given, target):
            dice = effect.instead.dice
        more = (each.dice for each in effect.more if each.given and holds(cause, each.given, target))
        dice = " + ".join((dice, *more))
    dice = formulas.grown(dice, slot, cause.level)
    if effect.plus:
        dice = f"{dice} + {cause.modifier}" if cause.modifier >= 0 else f"{dice} - {-cause.modifier}"
    return carrying_out.formula(cause, dice)


def holds(cause: Cause, given: str, target: str) -> bool:
    """True if a case of the catalogue holds that a cause can tell: advantage, feet moved, who is bloodied or grappled."""
    name, word = target if given.startswith("target ") else cause.source, given.removeprefix("target ")
    if word == "bloodied" and name:
        return hit_points.is_bloodied(cause.table.character(name), Settings.of(cause.table))
    if word == "grappled" and name:
        return states.has(cause.table.character(name), word)
    if given.startswith("moved "):
        return bool(fates.has_moved(cause, int(given.split()[1])))
    return given == "advantage" and cause.advantage


def type_of(cause: Cause, effect: kinds.Damage) -> str:
    """The type of damage: the chosen one of several, or the weapon's."""
    types = tuple(cause.weapon_type if each == "weapon" else each for each in effect.types)
    kind = carrying_out.chosen_of(types, cause.chosen)
    return cause.becomes if cause.becomes and kind in ELEMENTS else kind


SLEEP, LARGE = "magical sleep", places.SIZES.index("large")
ELEMENTS = ("acid", "cold", "fire", "lightning", "poison", "thunder")
"""Types of damage that a feature turns into one another (R5.476)."""


@carries(ALL_DAMAGE)
def deal_all(cause: Cause, parts: Sequence[kinds.Damage], targets: Targets, path: str = "") -> None:  # noqa: ARG001 - as Carry
    """Roll the damage of one list once, and deal it to all: half of it to those who saved (R5.81, R5.82)."""
    amounts: list[tuple[int, str, bool]] = []
    whom = targets[0] if targets else ""
    weakened = lasting.effects_on(cause.table.character(cause.source), "bonus") if cause.source else ()
    less = [held.effect.by[1:] for held in weakened if "damage" in held.effect.to and held.effect.by.startswith("-")]
    for part in parts:
        dice = str(part.average) if _is_average(cause, part) else dice_of(cause, part, whom)
        dice = formulas.doubled(dice) if cause.critical else dice
        amount = formulas.most_of(dice) if cause.maximised else _rolled(cause, part, dice)
        kind = type_of(cause, part)
        for each in less if not amounts else ():
            amount = max(amount - carrying_out.rolled(cause.table, cause, each, "damage"), 0)
        amount += cause.adds.pop(kind, 0) + cause.adds.pop("", 0) + (0 if amounts else cause.each)
        amounts.append((amount // 2 if part.half else amount, kind, part.not_halved))
    heals = max((part.heals for part in parts), default=0)
    for name in targets:
        halves = name in cause.half
        dealt = [(amount // 2 if halves and not whole else amount, kind) for amount, kind, whole in amounts]
        how = {"critical": cause.critical, "knock_out": cause.knock_out, "under_water": cause.under_water}
        through = damage.deal(cause.table, name, dealt, source=cause.source, **how)
        cause.dealt[name] = cause.dealt.get(name, 0) + through
        if heals and through:
            hit_points.restore(cause.table, cause.source, int(through * heals), source=cause.source)


def _rolled(cause: Cause, part: kinds.Damage, dice: str) -> int:
    """The damage of a part; dice with a face on which they explode bring others, at most as many as the modifier."""
    if not part.explode:
        return carrying_out.rolled(cause.table, cause, dice, "damage")
    total, left = 0, max(cause.modifier, 0)
    while dice:
        roll = cause.table.roll(dice, roller=cause.source, purpose="damage")
        more = min(sum(die.face >= part.explode_on for die in roll.dice), left)
        total, left, dice = total + roll.total, left - more, f"{more}d{part.explode_on}" if more else ""
    return total


def _is_average(cause: Cause, part: kinds.Damage) -> bool:
    """True if a stat block's damage is the printed average; a critical hit is rolled (R5.306)."""
    is_printed = part.average and cause.origin.startswith("monster:") and not cause.critical
    return bool(is_printed) and Settings.of(cause.table).monster_damage == AVERAGE


@carries("damage")
def later(cause: Cause, effect: kinds.Damage, targets: Targets, path: str) -> None:
    """Deal damage at a later moment in a fight, else now; what is dealt at once has been dealt."""
    if effect.at and cause.table.encounter is None:
        deal_all(cause, (effect,), targets)
    elif effect.at:
        laying.lay(cause, effect, targets, path)


@carries("heal")
def heal(cause: Cause, effect: kinds.Heal, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Give hit points back (R5.88); by the edition of 2014 some spells heal neither constructs nor undead."""
    table, dice, who = cause.table, dice_of(cause, effect) or "0", laying.meant(cause, effect, targets)
    spared = ("construct", "undead") if effect.old and Settings.of(table).is_old else ()
    is_clerics = cause.origin.startswith(OF_CLERICS) and cause.source  # Supreme Healing: R5.374
    by_source = is_clerics and features.has(table.character(cause.source), "Supreme Healing")
    maximised = [name for name in who if by_source or _is_maximised(table.character(name))]
    amount = sum(cause.dealt.values()) if effect.damage else formulas.most_of(dice)
    if len(maximised) < len(who) and not effect.damage and not effect.all:
        amount = carrying_out.rolled(table, cause, dice, "healing")
    left = amount
    for name in (each for each in who if kind_of(table.character(each)) not in spared):
        lost = table.character(name).lost
        given = lost if effect.all else formulas.most_of(dice) if name in maximised and not effect.damage else amount
        given = min(left, lost) if effect.shared else given
        left -= given if effect.shared else 0
        cause.healed.add(name)
        hit_points.restore(table, name, given, source=cause.source)


OF_CLERICS = ("spell:", "class:cleric:")


def _is_maximised(who: Character) -> bool:
    """True for whom a spell has regain the most that dice can give."""
    found = lasting.specials(who, "maximise")
    return any(held.condition is not None and held.effect.numbers["what"] == "healing" for held in found)


@carries("temporary")
def temporary(cause: Cause, effect: kinds.TemporaryHitPoints, targets: Targets, path: str) -> None:  # noqa: ARG001 - as Carry
    """Give temporary hit points (R5.101–R5.104)."""
    table, dice, why = cause.table, dice_of(cause, effect), "temporary hit points"
    amount = formulas.most_of(dice) if cause.maximised else carrying_out.rolled(table, cause, dice, why)
    for name in targets:
        hit_points.give_temporary(table, name, amount, reason=cause.name)


@carries("save")
def save(cause: Cause, effect: kinds.Save, targets: Targets, path: str) -> None:
    """Have all targets save, then deal with those who failed and those who did not (R5.7, R5.81, R5.82)."""
    ability = effect.ability if effect.ability != "chosen" else next(iter(cause.chosen), "con")
    dc, damages = carrying_out.dc_of(cause, effect.dc), damages_of(effect.fail)
    saving = (cause.source,) if effect.who == "source" and cause.source else _with_near(cause, effect, targets)
    spared = tuple(name for name in saving if _passes(cause, effect, name))
    made = {name: name in spared or name in cause.safe or _saves(cause, effect, name, ability, dc) for name in saving}
    failed = tuple(name for name in saving if not made[name])
    succeeded = tuple(name for name in saving if made[name] and name not in spared)
    cause.failed.update(failed)
    again = laying.repeated(effect.repeat, ability, dc, f"{path}/repeat") or cause.repeat
    lasts = laying.most_of(effect.repeat, effect.lasts or cause.duration)
    within = cause.with_(saved=ability, dc=dc, repeat=again, duration=lasts)
    if effect.half:
        evading = {name for name in saving if evades(cause.table.character(name), ability)}
        evading |= cause.safe
        hurt = tuple(name for name in saving if name not in spared and not (name in evading and made[name]))
        deal_all(within.with_(half=frozenset((*succeeded, *evading))), damages, hurt)
    if failed:
        carry_out(within, effect.fail, failed, f"{path}/fail", {"damage": later} if effect.half else {})
    if succeeded and cause.potent and not effect.half:
        deal_all(within.with_(half=frozenset(succeeded)), damages, succeeded)
    if succeeded and effect.success:
        carry_out(cause, effect.success, succeeded, f"{path}/success")
    if effect.always:
        carry_out(cause, effect.always, saving, f"{path}/always")


def evades(who: Character, ability: str) -> bool:
    """True for who takes half of what a save with this ability halves, or nothing after a success (R5.411)."""
    is_meant = any(held.effect.numbers["save"] == ability for held in lasting.specials(who, "evasion"))
    return is_meant and not states.is_unable(who)


def _with_near(cause: Cause, effect: kinds.Save, targets: Targets) -> Targets:
    """The targets, and who stands around them where a save has an area round its target and squares say so."""
    if effect.area is None or effect.area.shape != "emanation":
        return targets
    feet, table = effect.area.feet, cause.table
    near = (other.id for name in targets for other in places.near(table, table.character(name), feet))
    return tuple(dict.fromkeys((*targets, *near)))


def _saves(cause: Cause, effect: kinds.Save, name: str, ability: str, dc: int) -> bool:
    table, who, against = cause.table, cause.table.character(name), cause.source
    source = table.character(against) if against else None
    if effect.only == "unwilling" and source is not None and (name == source.id or sides.are_allies(source, who)):
        return False
    if _is_of(who, effect.fails):
        d20.record_check(table, name, f"{ability} save", 0, dc, success=False, outcome="fails", against=against)
        return False
    magic = ("magic",) if cause.is_magic else ()
    words = (word for each in effect.fail if isinstance(each, kinds.Condition) for word in each.conditions)
    versus, cover = (*magic, *words, *effect.kinds), "" if effect.no_cover else cause.cover
    holds = {"fighting": table.encounter is not None, "large or larger": places.size_number(who) >= LARGE}
    eased = tuple(each for each in effect.advantage if holds.get(each))
    pressed = ("heightened",) if name in cause.pressed else ()
    ease = d20.Advantage(eased, (*(each for each in effect.disadvantage if kind_of(who) == each), *pressed))
    return saves.roll_save(table, cause.rolls, who, ability, dc, against=against, versus=versus, cover=cover, ease=ease)


def is_fit(who: Character, effect: kinds.Save) -> bool:
    """True for a creature of the size that a save is for, and held as it must be."""
    is_small = not effect.size or places.size_number(who) <= places.SIZES.index(effect.size)
    return is_small and (not effect.having or any(states.has(who, each) for each in effect.having))


def _passes(cause: Cause, effect: kinds.Save, name: str) -> bool:
    """True for those on whom an effect does not work at all."""
    table, who = cause.table, cause.table.character(name)
    if not is_fit(who, effect):
        return True
    is_for_kinds = effect.kinds and not effect.fails and cause.origin.startswith(("spell:", "class:", "item:"))
    if is_for_kinds and kind_of(who) not in effect.kinds:
        return True
    block = block_of(who)
    cases = {
        "challenge above 0": lambda: block is None or block.cr != "0",
        "does not sleep": lambda: SLEEP in {each.effect.spell for each in lasting.effects_on(who, "immune")},
        "fighting": lambda: table.encounter is not None,
        "huge or larger": lambda: places.size_number(who) > LARGE,
        "immune to exhaustion": lambda: states.is_immune(table, who, states.EXHAUSTION),
    }
    return any(each in cases and cases[each]() for each in effect.passes) or _is_of(who, effect.passes)


def _is_of(who: Character, words: tuple[str, ...]) -> bool:
    """True if the kind of a creature, or its species, is among some words."""
    return kind_of(who) in words or any(each in words for each in who.traits)


@carries("attack")
def attack(cause: Cause, effect: kinds.Attack, targets: Targets, path: str) -> None:
    """Make attack rolls against all targets, then do what the hits do (R5.9, R5.219)."""
    if effect.form == "weapon":
        weapon_attack(cause, effect, targets)
        return
    if effect.leap is not None:
        leap(cause, effect, targets, path)
        return
    many = attacks.cantrip_count(effect, cause.caster_level, cause.level)
    aimed = tuple(targets[number % len(targets)] for number in range(max(many, len(targets)))) if targets else ()
    landed = [(name, attacks.roll_spell(cause, effect, name)) for name in aimed]
    for name, roll in landed:
        _land(cause, effect, name, roll, path)


def leap(cause: Cause, effect: kinds.Attack, targets: Targets, path: str) -> None:
    """Attack one target, and the next that was named as long as two dice of the damage are equal (R5.219)."""
    for name in targets:
        cause.last.clear()
        _land(cause, effect, name, attacks.roll_spell(cause, effect, name), path)
        faces = [die.face for roll in cause.last for die in roll.dice]
        if len(set(faces)) == len(faces):
            return


def _land(cause: Cause, effect: kinds.Attack, name: str, roll: attacks.Landed, path: str) -> None:
    """Do to one target what a hit or a miss does."""
    within = cause.with_(critical=roll.critical, advantage=roll.advantage)
    field = "hit" if roll.hits else "miss"
    carry_out(within, getattr(effect, field), (name,), f"{path}/{field}")
    if not roll.hits and cause.potent:
        deal_all(cause.with_(half=frozenset({name})), damages_of(effect.hit), (name,))
    if roll.hits and cause.is_magic:
        laying.of_spell(within, name)
    carry_out(within, effect.always, (name,), f"{path}/always")


def weapon_attack(cause: Cause, effect: kinds.Attack, targets: Targets) -> None:
    """Strike with the caster's usual weapon by the spellcasting ability, with what the spell adds (True Strike)."""
    table, rolls = cause.table, cause.rolls
    for name in targets:
        attacker, target = table.character(cause.source), table.character(name)
        strike = weapons.strike_with(attacker, weapons.usual(attacker))
        kind = next((each for each in effect.types if each in cause.chosen), strike.parts[0].type)
        more = (Term(cause.modifier, "spellcasting"),)
        parts = [weapons.Damage(dice=strike.parts[0].dice, type=kind, terms=more)]
        for each in effect.hit:
            dice = carrying_out.at_cantrip_level("", getattr(each, "cantrip", ()), cause.caster_level)
            parts += [weapons.Damage(dice=dice, type=getattr(each, "types", ("",))[0])] if dice else []
        aim = attack_edges.Aim(distance=cause.distance or 5, melee=strike.reach > 0, cover=cause.cover)
        terms = (Term(cause.attack, "spell attack", "R5.219"),)
        struck = attrs.evolve(strike, terms=terms, parts=tuple(parts))
        blow = attacks.Blow(table=table, rolls=rolls, attacker=attacker, target=target, strike=struck, aim=aim)
        attacks.strike(blow, ease=cause.ease, extra=cause.bonus)
