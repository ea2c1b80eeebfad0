"""The needs and the reach of spells: components, targets by number and range, areas (R5.234, R5.242–R5.248).

Hands are what the table says: the conditions ``bound`` and ``hands full``; ``silenced`` and ``gagged`` take the words.
"""

import re
from collections.abc import Mapping
from itertools import pairwise

from rollbook.kit import ability_scores, areas, d20, require, squares, turn_order
from rollbook.plugin import CampaignState, Character, Square, Table, events, param, slug
from rollbook.rulesets.srd5.catalogue import Effect, Spell, kinds
from rollbook.rulesets.srd5.effects.carrying_out import Cause, at_cantrip_level
from rollbook.rulesets.srd5.effects.lasting import effects_on, specials
from rollbook.rulesets.srd5.fight import armour, attack, attack_edges, places, states
from rollbook.rulesets.srd5.fight.places import FEET
from rollbook.rulesets.srd5.magic import concentration, spells
from rollbook.rulesets.srd5.monsters.stat_blocks import kind_of

MILE = 5280
ON = ("at", "on")
"""Words between a spell and whom it is aimed at, as they are typed."""
SHORT = {name.casefold(): short for short, name in ability_scores.NAMES.items()}
HARMFUL = (kinds.Attack, kinds.Save, kinds.Damage)
_FEET = re.compile(r"(\d+) (feet|miles?)")


class SpellAction(attack_edges.AimedAction):
    """A verb with a spell that may be aimed at somebody, to be derived from."""

    typed_dice = concentration.SPELL_DICE

    caster: str = param.character("who casts", actor=True)
    spell: str = param.words("which spell", gm_only=False)
    target: str = param.character("on whom", default="", after=ON, gm_only=False)
    targets: tuple[str, ...] = param.characters("on several; who is in the area", default=(), after=ON, gm_only=False)
    choose: tuple[str, ...] = param.names("a type, an ability, an option …", default=(), gm_only=False, of="chosen")

    @property
    def aimed_at(self) -> tuple[str, ...]:
        """All targets that were named."""
        return (*((self.target,) if self.target else ()), *self.targets)

    def aimed(self, cause: Cause) -> Cause:
        """The cause of what a spell does, with all that was typed of it."""
        chosen = tuple(SHORT.get(each.casefold(), each.casefold()) for each in self.choose)
        bonus = d20.bonuses(cause.table, self.bonus)
        aimed = cause.with_(cover=self.cover, distance=self.distance, ease=self.ease, bonus=bonus)
        return aimed.with_(chosen=chosen + cause.chosen)

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:  # noqa: ARG002
        """The target that was typed after the spell, as in ``cast mira fire bolt ogre``."""
        return {} if self.target else spells.split_off(campaign, self.spell)


def range_of(spell: Spell, caster_level: int) -> int:
    """The range in feet; touch is 5, and 0 is one without a number (R5.242)."""
    if spell.range_cantrip:
        return int(at_cantrip_level(spell.range.split()[0], tuple(map(str, spell.range_cantrip)), caster_level))
    found = _FEET.fullmatch(spell.range)
    if found is not None:
        return int(found[1]) * (1 if found[2] == "feet" else MILE)
    return FEET if spell.range == "touch" else 0


def most_targets(spell: Spell, level: int, caster_level: int) -> int:
    """The most that may be targeted, 0 for any number; ``level`` are slot levels above the spell's own (R5.237)."""
    aimed = spell.targets
    if spell.area is not None or aimed is None or aimed.any or not aimed.count:
        return 1 if aimed is None and spell.area is None and spell.range == "touch" else 0
    many = aimed.count + aimed.further + aimed.slot * level + aimed.and_self
    attacks = [each for each in spell.effects if isinstance(each, kinds.Attack)]
    beams = [attack.cantrip_count(each, caster_level, level) for each in attacks]
    leaps = sum(each.leap.most + each.leap.per_slot * level for each in attacks if each.leap is not None)
    return int(max([many + leaps, *beams]))


def check(table: Table, casting: spells.Casting, targets: tuple[str, ...], cover: str) -> None:
    """Refuse too many targets, those who are gone, those out of range or behind total cover (R5.242, R5.246)."""
    who, spell, reach = casting.who, casting.spell, casting.changes.reach
    caster_level = spells.caster_level(who)
    most = most_targets(spell, casting.above, caster_level)
    most += sum(spell.name in held.effect.numbers["spells"] for held in specials(who, "second target")) if most else 0
    if most and len(targets) > most:
        many = "one target" if most == 1 else f"{most} targets"
        table.refuse(f"{spell.name} takes {many}, and {len(targets)} are named.", "targets")
    for each in spell.effects:
        if isinstance(each, kinds.Attack) and each.leap is not None:
            _check_leaps(table, spell, targets, each.leap.feet)
    if cover == "total":
        table.refuse("Nothing can be targeted behind total cover.", "cover")
    charmers = {held.source for held in states.by(who, states.CHARMED)}
    if charmers & set(targets) and any(isinstance(each, HARMFUL) for each in spell.effects):
        table.refuse(f"{who.name} is charmed and does no harm to who charmed them.", "targets")
    takes_dead = (spell.targets is not None and spell.targets.corpses) or spell.key in ("clone", "gentle-repose")
    feet = range_of(spell, caster_level)
    feet = 30 if reach > 1 and spell.range == "touch" else feet * reach
    for name in targets:
        target = table.character(name) if takes_dead else require.living(table, name)
        must_see = spell.targets is not None and spell.targets.seen and target.id != who.id
        if must_see and states.has(target, "invisible") and not places.sees(table, who, target):
            table.refuse(f"{who.name} does not see {target.name}, and {spell.name} needs that.", "targets")
        apart = places.distance(who, target)
        if feet and spell.area is None and apart is not None and apart > feet and target.id != who.id:
            table.refuse(f"{target.name} is {apart} feet away, and {spell.name} reaches {feet}.", "targets")


def _check_leaps(table: Table, spell: Spell, targets: tuple[str, ...], feet: int) -> None:
    """Refuse to leap to somebody twice, or farther than it goes (R5.219)."""
    if len(set(targets)) < len(targets):
        table.refuse(f"{spell.name} strikes nobody twice.", "targets")
    for one, other in pairwise(map(table.character, targets)):
        apart = places.distance(one, other)
        if apart is not None and apart > feet:
            table.refuse(f"{other.name} is {apart} feet from {one.name}, and {spell.name} leaps {feet}.", "targets")


def usual(table: Table, casting: spells.Casting, at: tuple[str, ...] = ()) -> tuple[str, ...]:
    """The targets of a spell for which none are named: those in its area, or the caster (R5.247)."""
    who, spell = casting.who, casting.spell
    if spell.area is not None and squares.was_placed(who):
        point = squares.parse(table, at) if at else None
        if point is None and spell.range != "self":
            table.refuse(f"Say where: cast {spell.key} --at 3,4, or who: --targets NAME,NAME", "at")
        others = spell.area.shape in ("emanation", "cone", "line", "cube") and spell.range == "self"
        here = (each for each in turn_order.present(table) if squares.was_placed(each) and not each.has(states.DEAD))
        meant = (each for each in here if not (others and each.id == who.id))
        return tuple(
            each.id for each in meant if reaches(spell.area, who.position, point, each.position, casting.above)
        )
    strikes = any(isinstance(each, HARMFUL) for each in spell.effects)
    if spell.area is not None and strikes:
        table.refuse(f"Say who is in the area: cast {spell.key} --targets NAME,NAME", "targets")
    aimed = spell.targets
    needs = aimed is not None and aimed.count and not (aimed.objects or aimed.effects) and spell.range != "self"
    around = spell.range == "self" and all(each.kind == "block" for each in spell.effects)
    if not around and (spell.area is not None or (aimed is not None and (aimed.any or aimed.objects or aimed.corpses))):
        return ()
    if needs and strikes:
        table.refuse(f"{spell.name} needs a target: cast {spell.key} TARGET", "targets")
    return (who.id,)


def reaches(area: kinds.Area, caster: Square, point: Square | None, square: Square, level: int) -> bool:
    """True if an area covers a square: round a point, round the caster, or from the caster toward a point."""
    size = (area.feet + area.slot * level) / FEET
    if area.shape in (areas.CONE, areas.LINE) or (area.shape == areas.CUBE and point is None):
        toward = point or squares.stepped(caster, (1, 0, 0))
        width = max(area.width, FEET) / FEET
        return areas.ahead(area.shape, size, square, start=caster, toward=toward, width=width)
    middle = point if point is not None and area.shape != "emanation" else caster
    radius = size / 2 if area.diameter else size
    return areas.around(area.shape, radius, square, middle=middle, height=area.height / FEET)


def touched(table: Table, casting: spells.Casting, targets: tuple[str, ...]) -> tuple[str, ...]:
    """The targets on which a spell can work at all; on the others it is spent for nothing (R5.248)."""
    own = casting.who.id
    return tuple(name for name in targets if name == own or not _resists(casting, table.character(name)))


def _resists(casting: spells.Casting, target: Character) -> bool:
    aimed = casting.spell.targets
    if aimed is not None and aimed.kinds and kind_of(target) not in aimed.kinds and not aimed.plants:
        return True
    if aimed is not None and aimed.size and places.size_number(target) > places.SIZES.index(aimed.size):
        return True
    if any(held.effect.spell == casting.spell.name for held in effects_on(target, "immune")):
        return True
    return any(_blocks(held.effect, casting.spell, casting.above) for held in effects_on(target, "block"))


def _blocks(block: Effect, spell: Spell, level: int) -> bool:
    """True for what a shield or a globe keeps off: a spell by name, or all of some levels."""
    return spell.name in block.what or ("spells" in block.what and spell.level + level <= (block.level or 9))


HANDS_FULL = "hands full"
NO_WORDS, NO_HANDS = ("silenced", "gagged"), ("bound", HANDS_FULL)
TRIFLE = 5
"""Up to this price in gold a material is part of a focus or of what somebody carries anyway (Q5.34)."""


def check_components(
    table: Table, who: Character, spell: Spell, without: tuple[str, ...] = (), *, material: bool = True
) -> None:
    """Refuse a spell for which somebody lacks a component; ``without`` are those that are not needed."""
    if armour.is_hampered(who):
        table.refuse(f"{who.name} has no training with the armour worn, and casts no spell in it.", "spell")
    is_mute = any(map(who.has, NO_WORDS)) or states.forbids(who, "speak", "verbal spells") or _is_silent(who)
    if is_mute and is_spoken(spell, without):
        table.refuse(f"{who.name} cannot speak, and {spell.name} needs words.", "spell")
    signs = "S" in spell.components and "somatic" not in without
    things = "M" in spell.components and "material" not in without and material
    if (signs or things) and any(map(who.has, NO_HANDS)):
        table.refuse(f"{who.name} has no hand free, and {spell.name} needs one.", "spell")
    for each in costly(spell) if things else ():
        if not carried(who, each):
            many = f"{each.count} x " if each.count > 1 else ""
            per = f" for {each.per}" if each.per else ""
            needs = f"{spell.name} needs {many}{each.what} worth {each.price} {each.coin}{per}"
            give = f'give {who.id} "{each.what}"'
            table.refuse(f"{needs}. {who.name} has none. The GM gives it with: {give}", "spell")


def is_spoken(spell: Spell, without: tuple[str, ...]) -> bool:
    """True for a spell that takes words, which all around may hear."""
    return "V" in spell.components and "verbal" not in without


def _is_silent(who: Character) -> bool:
    return any("verbal spells" in getattr(held.effect, "what", ()) for held in effects_on(who, "block"))


def costly(spell: Spell) -> tuple[kinds.Material, ...]:
    """The materials of a spell that must be there (R5.244)."""
    return tuple(each for each in spell.materials if each.coin == "gp" and each.price > TRIFLE)


def carried(who: Character, material: kinds.Material) -> str:
    """The thing that is this material: one called like it, or with its last word in the name; "" for none."""
    wanted = slug(material.what)
    last = wanted.split("-")[-1].removesuffix("s")
    held = [item for item, gear in who.gear.items() if gear.count >= material.count]
    exact = (item for item in held if slug(item) == wanted)
    return next(exact, "") or next((item for item in held if last in slug(item)), "")


def use_up(table: Table, who: Character, spell: Spell) -> None:
    """Take away the materials that a spell consumes (R5.244)."""
    for each in costly(spell):
        item = carried(who, each)
        if item and each.consumed:
            table.record(events.GearLost(character=who.id, item=item, count=each.count))
