"""The verb join: a character by options, or any number of monsters with a stat block (R5.208–R5.217).

``join "Goblin Warrior" --count 4`` is a stat block by its name; ``--block KEY`` gives one to somebody with a name of
their own. Anybody else is made of a class, a level and six scores; what creation asks one by one is in ``creation``.
"""

from collections.abc import Mapping
from typing import Any, ClassVar

import attrs

from rollbook.kit import catalogues, data, equipment, sides, squares, stat_entry, verbs, vocabulary
from rollbook.plugin import ABILITIES, CampaignState, CharacterKind, DiceStep, Table, events, param
from rollbook.rulesets.srd5 import catalogue, words_of
from rollbook.rulesets.srd5.character import abilities, classes
from rollbook.rulesets.srd5.fight import donning, hit_points, places, states
from rollbook.rulesets.srd5.growth import creation
from rollbook.rulesets.srd5.monsters import stat_blocks
from rollbook.rulesets.srd5.settings import Settings

USUAL_SPEED, SHOTS = 30, 20
"""The speed of whom nothing makes faster or slower, and the ammunition that comes with a weapon."""


OBJECTS = data.by_key(__package__, "objects.json", catalogue.kinds.Substance)
OBJECT_HIT_POINTS = ((2, 3, 4, 5), (5, 10, 18, 27))
"""Hit points of things from tiny to large, fragile and resilient (R5.113)."""


class Join(verbs.JoinAction):
    """Make a character of a class, a level, scores and gear; or bring in monsters by the name of their stat block."""

    stat_block: ClassVar[Mapping[str, str]] = {**verbs.JoinAction.stat_block, "scores": "scores"}

    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": (
            *("class_name", "level", "background", "species", "method", "scores", "increases"),
            *("skills", "equipment", "armour", "weapons", "id", "seat"),
        ),
        **dict.fromkeys(
            ("npc", "monster", "hireling"), ("block", "hp", "ac", "scores", "armour", "weapons", "speed", "side", "id")
        ),
        "thing": ("material", "size", "hp", "ac", "id"),
    }
    typed_dice = (DiceStep(effects={"the scores": "score *", "hit points": "hit points|hit die *"}),)

    class_name: str = param.choice("the class", ("", *classes.CLASSES), default="")
    level: int = param.number("the level", default=1, minimum=1, maximum=20)
    scores: tuple[str, ...] = param.names("STR, DEX, CON, INT, WIS and CHA as scores", default=())
    method: str = param.choice("scores by array, 27 points, or rolled", ("", "array", "points", "rolled"), default="")
    species: str = param.words("the species", default="", of="species")
    background: str = param.words("the background", default="", of="background")
    increases: Mapping[str, int] = param.amounts("the background's rise: str=2,con=1", default={}, of=vocabulary.STAT)
    equipment: str = param.choice("a kit of class and background, or gold", ("", "a", "b", "c", "gold"), default="")
    choices: Mapping[str, str] = param.pairs("choices made at once, as fighting-style=archery", default={})
    skills: tuple[str, ...] = param.names("skills in which they are proficient", default=(), of=vocabulary.SKILL)
    expertise: tuple[str, ...] = param.names("skills with the proficiency twice", default=(), of=vocabulary.SKILL)
    weapons: tuple[str, ...] = param.names("weapons that they carry", default=(), of="weapon")
    masteries: tuple[str, ...] = param.names("weapons whose mastery they use", default=(), of="weapon")
    armour: str = param.words("the armour that they wear", default="", of="armour")
    shield: bool = param.flag("a shield on the arm")
    block: str = param.words("the stat block, if the name is not its name", default="", of="stat block")
    rolled: bool = param.flag("a monster's hit points are rolled instead of the average")
    side: str = param.choice("whom they fight for", ("", *sides.SIDES), default="")
    material: str = param.choice("of a thing: the substance, which says its armour class", ("", *OBJECTS), default="")
    size: str = param.choice("the size", ("", *places.SIZES), default="")
    sturdy: bool = param.flag("a thing that is resilient, with more hit points")
    hp: int = param.number("hit points as entered", default=0, minimum=0, maximum=100_000, several=verbs.HP_EACH)
    ac: int = param.number("armour class as entered", default=0, minimum=0, maximum=100)
    speed: int = param.number("feet a move, as entered", default=0, minimum=0, maximum=10_000, unit="feet")
    at: tuple[str, ...] = param.names("their square on the map, east and north as in 3,4", default=())
    stats: Mapping[str, int] = param.amounts("further numbers on the sheet", default={}, of=vocabulary.STAT)

    def settled(self, campaign: CampaignState, *, secret: bool) -> Mapping[str, events.ParameterValue]:
        """The stat block that a name means, and the kind of character that it makes."""
        return {**super().settled(campaign, secret=secret), **self._as_block()}

    def _as_block(self) -> dict[str, Any]:
        """The parameters of somebody with a stat block."""
        key = self._key()
        if not key or self.sheet:
            return {}
        is_usual = self.kind == CharacterKind.PLAYER_CHARACTER
        return {"block": key, "kind": CharacterKind.MONSTER.value if is_usual else self.kind}

    def _key(self) -> str:
        if self.block:
            return catalogues.meant(catalogue.monsters, self.block) or self.block
        made = self.class_name or self.scores or self.like
        return "" if made or self.seat else stat_blocks.key_of(self.name)

    @property
    def is_bare(self) -> bool:
        """True if nothing is said of somebody besides the name, how many they are and where."""
        return not (self.class_name or self.species or self.seat or self.like or self.sheet or self.stats) and (
            self.kind == CharacterKind.PLAYER_CHARACTER
        )

    def of_each(self, place: int) -> Mapping[str, Any]:
        """The parameters of one of several."""
        return {**super().of_each(place), **self._as_block()}

    def resolve(self, table: Table) -> None:
        key = self._key()
        has_numbers = self.class_name or self.scores or self.hp or self.material or self.stats
        is_slip = self.is_bare and catalogues.is_slip(catalogue.monsters, self.name)
        if key not in catalogue.monsters() and (
            key or is_slip or (self.kind == CharacterKind.MONSTER and not has_numbers)
        ):
            raise catalogues.unknown("stat block", catalogue.monsters, self.block or self.name.rstrip(" 0123456789"))
        numbers = stat_entry.checked_stats(table, self.stats)
        scores = stat_entry.parse_scores(table, self.scores, ABILITIES, what="Scores") if self.scores else {}
        who = attrs.evolve(self, **self._as_block()).enter(table)
        if key:
            take_block(table, who, catalogue.monsters()[key], rolled=self.rolled)
        if self.method:
            scores = creation.scores_by(table, who, self.method, scores, self.class_name)
        for ability, amount in scores.items():
            stat_entry.set_to(table, who, ability, amount, reason="creation")
        self._enter_numbers(table, who, numbers)
        self._learn(table, who)
        self._equip(table, who)
        creation.grow(table, who, self)
        if self.hp:
            now = hit_points.max_hp(table.character(who), Settings.of(table))
            stat_entry.add(table, who, {hit_points.MAX_HP: self.hp - now})
        self.arrived(table, who)

    def _enter_numbers(self, table: Table, who: str, numbers: Mapping[str, int]) -> None:
        block = stat_blocks.block_of(table.character(who))
        if self.size:
            abilities.learn(table, who, places.SIZE, self.size)
        if self.material:
            points = OBJECT_HIT_POINTS[self.sturdy]
            most = points[min(places.size_number(table.character(who)), len(points) - 1)]
            stat_entry.add(table, who, {equipment.ARMOUR_CLASS: OBJECTS[self.material].ac, hit_points.MAX_HP: most})
        if self.ac:
            stat_entry.set_to(table, who, equipment.ARMOUR_CLASS, self.ac)
        if self.speed:
            usual = 0 if block is not None else USUAL_SPEED
            stat_entry.set_to(table, who, "speed", self.speed - usual)
        stat_entry.add(table, who, numbers)

    def _learn(self, table: Table, who: str) -> None:
        for typed in (*self.skills, *self.expertise):
            kind = abilities.EXPERTISE if typed in self.expertise else abilities.SKILL
            abilities.learn(table, who, kind, abilities.skill_key(typed))
        for typed in self.masteries:
            abilities.learn(table, who, abilities.MASTERY, _row("weapon", typed).key)

    def _equip(self, table: Table, who: str) -> None:
        worn = (*((self.armour,) if self.armour else ()), *(("shield",) if self.shield else ()))
        for row in (*(_row("armour", typed) for typed in worn), *(_row("weapon", typed) for typed in self.weapons)):
            equipment.give(table, who, ((row.name, donning.use_of(row)),))
            if row.weapon is not None and row.weapon.ammunition:
                equipment.give(table, who, ((f"{row.weapon.ammunition}s", ()),), count=SHOTS)

    def arrived(self, table: Table, who: str) -> None:
        """Newcomers take a side and a square."""
        if self.side:
            sides.take(table, who, self.side)
        if self.at:
            squares.put(table, who, squares.parse(table, self.at))


def _row(what: str, typed: str) -> catalogue.Item:
    """A thing as it may be typed: whole, or a clear part of the name of one of its sort. Raises NotFound with the nearest."""
    known = {key: catalogue.equipment()[key] for key in words_of.things(what)}
    return catalogues.pick(what, known, typed)


def take_block(table: Table, who: str, block: catalogue.Monster, *, rolled: bool = False) -> None:
    """Give a newcomer a stat block: the trait, the numbers that rulings may change, and what it is in from the first."""
    table.record(events.TraitGained(character=who, trait=block.key, kind=stat_blocks.BLOCK))
    most = table.roll(block.hit_dice, roller=who, purpose="hit points").total if rolled else block.hit_points
    scores = {ability: row.score for ability, row in block.abilities.items()}
    more = {hit_points.MAX_HP: max(most, 1), equipment.ARMOUR_CLASS: block.ac, "speed": block.speed.walk}
    stat_entry.add(table, who, {**scores, **more}, reason=block.name)
    for feature, effect in stat_blocks.always(table.character(who), "condition"):
        for each in effect.conditions if effect.lasts == "always" else ():
            states.begin(table, who, each, detail=feature.name)
