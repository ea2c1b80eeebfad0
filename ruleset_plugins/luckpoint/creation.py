"""Making characters: points for abilities and skills, a special ability, and quick monsters (R1.50–R1.57, Q1.22–Q1.24)."""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import ClassVar

import attrs

from ruleset_plugins import (
    ABILITIES,
    Action,
    Kind,
    Table,
    choice,
    choices,
    enter,
    entered,
    events,
    flag,
    gear,
    in_order,
    load,
    names,
    number,
    seat,
    words,
)
from ruleset_plugins.luckpoint.armour import ARMOUR, ARMOUR_CLASS, ARMOURS, SHIELD
from ruleset_plugins.luckpoint.choices import MOST_AT_CREATION, check_special
from ruleset_plugins.luckpoint.experience import HIGHEST, highest, row
from ruleset_plugins.luckpoint.levels import ABILITY, CREATION, offer_first_skills, offer_level, offered
from ruleset_plugins.luckpoint.luck import begin_luck
from ruleset_plugins.luckpoint.movement import SPEED_BASE
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import named, skill_named, skill_of
from ruleset_plugins.luckpoint.special_abilities import SPECIAL, SPECIALS
from ruleset_plugins.luckpoint.weapons import CATALOGUE, CLASSES, DAMAGE, TO_HIT, WEAPON
from ruleset_plugins.luckpoint.wounds import MAX_HP, derived_hp

LEAST_AT_CREATION = -1
HIGHEST_MODIFIER = 99
AS_ENTERED = (TO_HIT, DAMAGE, "initiative", "ac", "speed")
"""Numbers that a monster's sheet may carry besides."""

_ABOUT = ("name", "kind", "seat")
_NUMBERS = ("hp", "ac", "armour", "weapon", "abilities", "skills", "stats")


@attrs.frozen(kw_only=True)
class Procedure:
    """One of the two ways to make a character: points for abilities, skills to choose, and among which."""

    key: str
    points: int
    skills: int
    only_basic: bool
    rule: str


PROCEDURES = {row.key: row for row in load(__package__, "procedures.json", Procedure)}
STANDARD = next(iter(PROCEDURES))


@attrs.frozen(kw_only=True)
class Join(Action):
    """Make a character: seven points for abilities, two skills, luck; or a monster with the numbers that it needs."""

    verb: ClassVar[str] = "join"
    gm_only: ClassVar[bool] = True
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = MappingProxyType(
        {
            Kind.PLAYER_CHARACTER.value: (
                *_ABOUT,
                "creation",
                "abilities",
                "special",
                "skills",
                "armour",
                "shield",
                "weapon",
            ),
            **dict.fromkeys((Kind.NPC.value, Kind.HIRELING.value), (*_ABOUT, "level", *_NUMBERS)),
            **dict.fromkeys((Kind.MONSTER.value, Kind.THING.value), ("name", "kind", *_NUMBERS)),
        }
    )

    name: str = words("the character's name")
    id: str = words("what the character is called in commands", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    creation: str = choice("7 points and basic skills, or 6 points and any skills", tuple(PROCEDURES), default=STANDARD)
    abilities: tuple[str, ...] = names(
        "STR, DEX, CON, INT, WIS and CHA; points that are left are chosen later, one by one", default=()
    )
    special: tuple[str, ...] = choices("a special ability, for one of the points", tuple(SPECIALS), default=())
    skills: tuple[str, ...] = names(
        "two skills that get a point, as awareness,maneuvers; for others than player characters also magic=3",
        default=(),
    )
    level: int = number("the level they start at; player characters start at 1", default=0, minimum=0, maximum=HIGHEST)
    armour: str = choice("what they wear", tuple(ARMOURS), default="none")
    shield: bool = flag("they carry a shield")
    weapon: str = gear(
        "what they fight with: a class, or a weapon of the list", choices=("", *CLASSES, *CATALOGUE), default=""
    )
    hp: int = number("hit points as entered, for monsters and NPCs", default=0, minimum=0, maximum=100_000)
    ac: int = number("armour class as entered, for monsters and NPCs", default=0, minimum=0, maximum=100)
    speed: int = number("metres a round as entered, for monsters", default=0, minimum=0, maximum=10_000, unit="metres")
    stats: tuple[str, ...] = names("further numbers, as to_hit=4, damage=1 or initiative=2", default=())

    def resolve(self, table: Table) -> None:
        """Abilities, special ability, skills, level, things, luck."""
        abilities, points = self._abilities(table), self._points(table)
        more = entered(table, self.stats, AS_ENTERED)
        self._check(table, abilities)
        who = enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)
        self._record(table, who, abilities | points)
        for special in self.special:
            check_special(table, table.character(who), special)
            table.record(events.TraitGained(character=who, trait=special, kind=SPECIAL))
        if self._is_player_character:
            self._leave_open(table, who, sum(abilities.values()), len(points))
        self._start_at_level(table, who)
        self._equip(table, who)
        self._enter_numbers(table, who, more)
        begin_luck(table, who)

    @property
    def _is_player_character(self) -> bool:
        return self.kind == Kind.PLAYER_CHARACTER

    @property
    def _procedure(self) -> Procedure:
        return PROCEDURES[self.creation]

    # What was typed.

    def _abilities(self, table: Table) -> dict[str, int]:
        return in_order(table, self.abilities, ABILITIES, what="Abilities") if self.abilities else {}

    def _points(self, table: Table) -> dict[str, int]:
        """Points of skills: one each, or so many for those who are not made by the rules."""
        found: dict[str, int] = {}
        for text in self.skills:
            key, _, amount = text.rpartition("=") if "=" in text else (text, "", "1")
            skill = skill_named(table, key.strip())
            if skill in found:
                table.refuse(f"{named(skill)} is named twice; the points go to different skills.")
            if not amount.isdecimal() or len(amount) > 2:
                table.refuse(f"Points of a skill are written skill=number, as in magic=3, not {text!r}.")
            found[skill] = int(amount)
        return found

    def _check(self, table: Table, abilities: dict[str, int]) -> None:
        if max(map(abs, abilities.values()), default=0) > HIGHEST_MODIFIER:
            table.refuse(
                f"Abilities are modifiers here, from -{HIGHEST_MODIFIER} to {HIGHEST_MODIFIER}, and not scores."
            )
        if self.level > highest(house(table)):
            table.refuse(f"The highest level at this table is {highest(house(table))} (level_cap), not {self.level}.")
        if self.weapon and self.weapon not in CLASSES and self.weapon not in CATALOGUE:
            table.refuse(
                f"There is no weapon {self.weapon!r} on the list. Others are given: give WHO NAME --use weapon:light"
            )
        if self._is_player_character:
            self._check_points(table, abilities)
            self._check_skills(table)
            if self.hp or self.ac:
                table.refuse(
                    "Hit points and armour class of player characters follow from their sheets: leave out --hp, --ac."
                )

    def _check_points(self, table: Table, abilities: dict[str, int]) -> None:
        """All points together, none above +3, at most one at -1 (R1.50, Q1.22)."""
        points = self._procedure.points - len(self.special)
        for ability, amount in abilities.items():
            if not LEAST_AT_CREATION <= amount <= MOST_AT_CREATION:
                table.refuse(
                    f"{ability.upper()} is {amount:+d}, but a new character's abilities lie between {LEAST_AT_CREATION} and "
                    f"+{MOST_AT_CREATION}."
                )
        if list(abilities.values()).count(LEAST_AT_CREATION) > 1:
            table.refuse("Only one ability may be dropped to -1, for one more point elsewhere.")
        if sum(abilities.values()) > points:
            table.refuse(
                f"{self.name}'s abilities come to {sum(abilities.values())} points, and there are {points}: "
                f"{self._procedure.points} ({self.creation}), one less for each special ability."
            )

    def _check_skills(self, table: Table) -> None:
        procedure = self._procedure
        if len(self.skills) > procedure.skills or any("=" in text for text in self.skills):
            table.refuse(
                f"A new character has one point in each of {procedure.skills} skills. Name up to {procedure.skills}."
            )
        special = [text for text in self.skills if not skill_of(text).basic]
        if procedure.only_basic and special:
            table.refuse(
                f"{named(skill_named(table, special[0]))} is a specialised skill, and the {self.creation} procedure has basic "
                f"ones. With 6 points for abilities any skill will do: --creation alternate"
            )

    # What becomes of it.

    def _record(self, table: Table, who: str, found: dict[str, int]) -> None:
        for stat, amount in found.items():
            if amount:
                table.record(events.StatChanged(character=who, stat=stat, amount=amount, reason="creation"))

    def _leave_open(self, table: Table, who: str, spent: int, skills: int) -> None:
        """Points and skills that were not given yet; a point may still become a special ability (R1.53)."""
        procedure = self._procedure
        left = procedure.points - len(self.special) - spent
        options = (*ABILITIES, *SPECIALS) if house(table).special_abilities_max > len(self.special) else ABILITIES
        for place in range(1, left + 1):
            offered(table, who, f"{CREATION}-{ABILITY}-{place}", options, procedure.key)
        offer_first_skills(table, who, range(skills + 1, procedure.skills + 1), only_basic=procedure.only_basic)

    def _start_at_level(self, table: Table, who: str) -> None:
        level = self.level or int(self._is_player_character)
        if level:
            start_at_level(table, who, level)
        for each in range(2, level + 1):
            offer_level(table, who, each)

    def _equip(self, table: Table, who: str) -> None:
        things = {
            ARMOURS[self.armour].name: f"{ARMOUR}{self.armour}" if self.armour != "none" else "",
            "shield": SHIELD if self.shield else "",
        }
        if self.weapon:
            kind = CLASSES.get(self.weapon)
            things[kind.name if kind else self.weapon] = f"{WEAPON}{kind.key if kind else CATALOGUE[self.weapon].kind}"
        for item, use in things.items():
            if use:
                table.record(events.GearGained(character=who, item=item, use=use))

    def _enter_numbers(self, table: Table, who: str, more: dict[str, int]) -> None:
        for stat, value in ({ARMOUR_CLASS: self.ac, SPEED_BASE: self.speed} | more).items():
            if value:
                table.record(events.StatChanged(character=who, stat=stat, amount=value, reason="as entered"))
        if self.hp:
            enter_hp(table, who, self.hp)


def enter_hp(table: Table, name: str, most: int) -> None:
    """A maximum as it was entered: recorded as what it differs by from the one that Endurance gives."""
    who = table.character(name)
    change = most - derived_hp(who) - who.stats.get(MAX_HP, 0)
    if change:
        table.record(events.StatChanged(character=name, stat=MAX_HP, amount=change, reason="as entered"))


def start_at_level(table: Table, who: str, level: int) -> None:
    """Level and the experience that belongs to it."""
    if row(level).experience:
        table.record(
            events.ExperienceAwarded(character=who, amount=row(level).experience, reason=f"starts at level {level}")
        )
    table.record(events.LevelGained(character=who, levels=level))
