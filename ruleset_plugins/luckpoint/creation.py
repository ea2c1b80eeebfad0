"""Making characters: points, quick monsters, and the published fighter (R1.50–R1.57, R1.61, R1.65, Q1.22–Q1.24)."""

from collections.abc import Mapping
from typing import ClassVar

from rollbook.kit import data, equipment, stat_entry, verbs, vocabulary
from rollbook.kit.levels import begin_at
from rollbook.plugin import ABILITIES, Table, enter, events, param
from rollbook.rulesets.luckpoint import arms, hit_points, levels, luck, movement
from rollbook.rulesets.luckpoint.abilities import SPECIAL, SPECIALISED_HELP, SPECIALS
from rollbook.rulesets.luckpoint.settings import Settings

HIGHEST_MODIFIER = 99
AS_ENTERED = (arms.TO_HIT, arms.DAMAGE, "initiative", "ac", "speed")
"""Numbers that a monster's sheet may carry besides."""

_ABOUT = ("name", "kind", "seat")
_NUMBERS = ("hp", "ac", "armour", "weapon", "abilities", "skills", "stats")


class Join(verbs.JoinAction):
    """Make a character: seven points for abilities, two skills, luck; or a monster with the numbers that it needs."""

    stat_block: ClassVar[Mapping[str, str]] = {**verbs.JoinAction.stat_block, "abilities": "modifiers"}
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": (*_ABOUT, "creation", "abilities", "special", "skills", "armour", "shield", "weapon"),
        **dict.fromkeys(("npc", "hireling"), (*_ABOUT, "level", *_NUMBERS)),
        **dict.fromkeys(("monster", "thing"), ("name", "kind", *_NUMBERS)),
    }

    creation: str = param.choice(
        "7 points and basic skills, or 6 points and any skills", tuple(levels.PROCEDURES), default=levels.STANDARD
    )
    abilities: tuple[str, ...] = param.names(
        "STR, DEX, CON, INT, WIS and CHA; points left are chosen later", default=()
    )
    special: tuple[str, ...] = param.choices("a special ability, for one of the points", tuple(SPECIALS), default=())
    skills: Mapping[str, int] = param.amounts(
        f"two skills that get a point, basic ones or ({SPECIALISED_HELP}); others than player characters also magic=3",
        default={},
        alone=1,
        of=vocabulary.SKILL,
    )
    level: int = param.number(
        "the level they start at; player characters at 1", default=0, minimum=0, maximum=levels.HIGHEST_LEVEL
    )
    armour: str = param.choice("what they wear", tuple(arms.ARMOURS), default="none")
    shield: bool = param.flag("they carry a shield")
    weapon: str = param.gear(
        "their weapon: a class, or one of the list", choices=("", *arms.CLASSES, *arms.CATALOGUE), default=""
    )
    hp: int = param.number(
        "hit points as entered, for monsters and NPCs", default=0, minimum=0, maximum=100_000, several=verbs.HP_EACH
    )
    ac: int = param.number("armour class as entered, for monsters and NPCs", default=0, minimum=0, maximum=100)
    speed: int = param.number(
        "metres a round as entered, for monsters", default=0, minimum=0, maximum=10_000, unit="metres"
    )
    stats: Mapping[str, int] = param.amounts(
        "further numbers, as to_hit=4, damage=1 or initiative=2; the dice of damage are the weapon's",
        default={},
        of=vocabulary.STAT,
    )

    def arrived(self, table: Table, who: str) -> None:
        """Give the character the luck to begin with."""
        luck.begin_luck(table, who)

    def resolve(self, table: Table) -> None:
        typed = self.abilities
        abilities = stat_entry.parse_scores(table, typed, ABILITIES, what="Abilities") if typed else {}
        points = levels.skill_points(table, self.skills)
        more = stat_entry.checked_stats(table, self.stats, AS_ENTERED)
        self._check(table, abilities, points)
        who = self.enter(table)
        stat_entry.add(table, who, abilities | points, reason="creation")
        for special in self.special:
            levels.check_special(table, table.character(who), special)
            table.record(events.TraitGained(character=who, trait=special, kind=SPECIAL))
        if self.is_player_character:
            specials = len(self.special)
            left = self._procedure.points - specials - sum(abilities.values())
            levels.leave_open(table, who, self._procedure, points=left, skills=len(points), specials=specials)
        self._start_at_level(table, who)
        self._equip(table, who)
        stat_entry.add(table, who, {equipment.ARMOUR_CLASS: self.ac, movement.SPEED_BASE: self.speed} | more)
        if self.hp:
            enter_hp(table, who, self.hp)
        luck.begin_luck(table, who)

    @property
    def _procedure(self) -> levels.Procedure:
        return levels.PROCEDURES[self.creation]

    def _check(self, table: Table, abilities: dict[str, int], points: dict[str, int]) -> None:
        if max(map(abs, abilities.values()), default=0) > HIGHEST_MODIFIER:
            table.refuse(
                f"Abilities are modifiers here, from -{HIGHEST_MODIFIER} to {HIGHEST_MODIFIER}, not scores.",
                "abilities",
            )
        highest = levels.highest_level(Settings.of(table))
        if self.level > highest:
            table.refuse(f"The highest level at this table is {highest} (level_cap), not {self.level}.", "level")
        if self.weapon and self.weapon not in arms.CLASSES and self.weapon not in arms.CATALOGUE:
            table.refuse(
                f"There is no weapon {self.weapon!r} on the list. Others: give WHO NAME --use weapon:light", "weapon"
            )
        if self.is_player_character:
            levels.check_abilities(table, self._procedure, abilities, specials=len(self.special))
            levels.check_skills(table, self._procedure, points)
            if self.hp or self.ac:
                table.refuse(
                    "Hit points and armour class of player characters follow from their sheets: no --hp, no --ac.", "hp"
                )

    def _start_at_level(self, table: Table, who: str) -> None:
        level = self.level or int(self.is_player_character)
        if level:
            begin_at(table, who, level, levels.level_row(level).experience)
        for each in range(2, level + 1) if self.is_player_character else ():
            levels.offer_level(table, who, each)

    def _equip(self, table: Table, who: str) -> None:
        kind = self.weapon if self.weapon in arms.CLASSES else ""
        equipment.outfit(
            table, who, armours=arms.ARMOURS, armour=self.armour, weapons=arms.CLASSES, weapon=kind, shield=self.shield
        )
        if self.weapon in arms.CATALOGUE and not kind:
            equipment.give(table, who, ((self.weapon, (equipment.WEAPON, arms.CATALOGUE[self.weapon].kind)),))


def enter_hp(table: Table, name: str, most: int) -> None:
    """Enter a maximum; it is recorded as its difference from the one that Endurance gives."""
    who = table.character(name)
    stat_entry.add(
        table, name, {hit_points.MAX_HP: most - hit_points.derived_hp(who) - who.stats.get(hit_points.MAX_HP, 0)}
    )


class Published(data.Row):
    """A printed sheet: abilities from STR to CHA, points of skills (even 0), and a weapon of each class that it lists."""

    name: str
    rule: str
    level: int
    abilities: tuple[int, ...]
    points: dict[str, int]
    gear: tuple[equipment.PrintedItem, ...]


PUBLISHED = data.by_key(__package__, "published.json", Published)


def _enter_published(table: Table, sheet: Published, newcomer: verbs.Newcomer) -> None:
    who = enter(table, name=newcomer.name or sheet.name, id=newcomer.id, kind=newcomer.kind, seat=newcomer.seat)
    for stat, amount in (dict(zip(ABILITIES, sheet.abilities, strict=True)) | sheet.points).items():
        table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason=sheet.rule))
    begin_at(table, who, sheet.level, levels.level_row(sheet.level).experience)
    equipment.give(table, who, ((thing.item, thing.use) for thing in sheet.gear))
    luck.begin_luck(table, who)


BringIn = verbs.bring_in_verb(PUBLISHED, _enter_published, help="Bring in the fighter of the rulebook's example.")
