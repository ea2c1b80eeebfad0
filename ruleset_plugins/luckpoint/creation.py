"""Making characters: points for abilities, two skills, perhaps a special ability; and quick monsters (R1.50–R1.53)."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
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
    in_order,
    names,
    number,
    seat,
    words,
)
from ruleset_plugins.luckpoint.armour import ARMOUR_CLASS, ARMOURS
from ruleset_plugins.luckpoint.levels import (
    POINTS,
    levels_up_to,
    offer_picks,
    offer_start_skills,
    pick_skill,
    start_at,
)
from ruleset_plugins.luckpoint.luck import begin_with
from ruleset_plugins.luckpoint.movement import SPEED_BASE
from ruleset_plugins.luckpoint.settings import house
from ruleset_plugins.luckpoint.skills import BASICS, SKILLS
from ruleset_plugins.luckpoint.specials import SPECIAL, SPECIALS
from ruleset_plugins.luckpoint.weapons import CLASSES
from ruleset_plugins.luckpoint.wounds import MAX_HP, after_change, max_hp

STANDARD, ALTERNATE = "standard", "alternate"
BUDGETS = {STANDARD: 7, ALTERNATE: 6}
"""The points that a new character spreads over the six abilities."""

METHOD = "method"
"""The kind of trait that says how somebody was made."""

MOST, LEAST = 3, -1


def budget(table: Table, who: str) -> int:
    """How many points somebody has to spread: one fewer for each special ability (R1.53, Q1.22)."""
    character = table.character(who)
    method = next(iter(character.traits_of(METHOD)), STANDARD)
    return BUDGETS.get(method, BUDGETS[STANDARD]) - len(character.traits_of(SPECIAL))


def spread_points(table: Table, who: str, typed: Sequence[str]) -> None:
    """The open choice of points is made: six modifiers, STR to CHA (R1.50, R1.52)."""
    spread = in_order(table, [text.strip() for text in typed], ABILITIES, what="The six abilities")
    check_spread(table, spread, budget(table, who))
    before = table.character(who)
    if POINTS in before.choices:
        table.record(events.ChoiceMade(character=who, choice=POINTS, picked=",".join(map(str, spread.values()))))
    for ability, amount in spread.items():
        if amount:
            table.record(events.StatChanged(character=who, stat=ability, amount=amount, reason="creation"))
    after_change(table, before)


def check_spread(table: Table, spread: Mapping[str, int], points: int) -> None:
    """Refuse a spread that the rules do not allow (Q1.22)."""
    spent = sum(spread.values())
    if spent != points:
        table.refuse(f"The six abilities must add up to {points} points, and these add up to {spent}.")
    too_high = [name.upper() for name, amount in spread.items() if amount > MOST]
    if too_high:
        table.refuse(f"No ability of a new character is above +{MOST}: lower {', '.join(too_high)}.")
    low = [name.upper() for name, amount in spread.items() if amount < 0]
    if len(low) > 1 or any(amount < LEAST for amount in spread.values()):
        table.refuse(
            f"One ability may drop to {LEAST} for a further point, and only one: these are low: {', '.join(low)}."
        )


@attrs.frozen(kw_only=True)
class Join(Action):
    """Make a character: 7 points for abilities and two basic skills, or 6 and any two; or a monster with a few numbers."""

    verb: ClassVar[str] = "join"
    gm_only: ClassVar[bool] = True
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("id", "seat", "method", "special", "points", "skills", "armour", "weapon", "level"),
        **dict.fromkeys(
            ("npc", "monster", "hireling", "thing"), ("id", "hp", "ac", "level", "weapon", "armour", "stats")
        ),
    }

    name: str = words("the character's name")
    id: str = words("what the character is called in commands", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    method: str = choice(
        "7 points and two basic skills, or 6 points and any two skills", tuple(BUDGETS), default=STANDARD
    )
    special: tuple[str, ...] = choices("a special ability, for one point", tuple(SPECIALS), default=())
    points: tuple[str, ...] = names(
        "the six modifiers, STR, DEX, CON, INT, WIS and CHA; left open, they are chosen later", default=()
    )
    skills: tuple[str, ...] = choices("two different skills that rise by 1", tuple(SKILLS), default=())
    level: int = number("the level they start at", default=1, minimum=1, maximum=10)
    armour: str = choice("what they wear", tuple(ARMOURS), default="none")
    weapon: str = choice("what they fight with", ("", *CLASSES), default="")
    hp: int = number("hit points as entered, for monsters", default=0, minimum=0, maximum=100_000)
    ac: int = number("armour class as entered, for monsters", default=0, minimum=0, maximum=100)
    speed: int = number("metres a round as entered, for monsters", default=0, minimum=0, maximum=1_000, unit="metres")
    stats: tuple[str, ...] = names("further numbers on the sheet, as str=2 or skill_magic=3", default=())

    def resolve(self, table: Table) -> None:
        """Special abilities first, because they cost a point; then points, skills, level and things."""
        self._check(table)
        stats = entered(table, self.stats)
        who = enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)
        if self.is_player_character:
            self._make(table, who)
        elif self.points:
            for ability, amount in in_order(table, self.points, ABILITIES, what="The six abilities").items():
                table.record(events.StatChanged(character=who, stat=ability, amount=amount, reason="as entered"))
        self._equip(table, who)
        start_at(table, who, self.level)
        if self.is_player_character:
            for level in levels_up_to(self.level):
                offer_picks(table, who, level)
        self._enter_numbers(table, who, stats)
        begin_with(table, who)

    @property
    def is_player_character(self) -> bool:
        """Whether the points have to add up."""
        return self.kind == Kind.PLAYER_CHARACTER

    def _check(self, table: Table) -> None:
        most = house(table).special_abilities_max
        if len(self.special) > most:
            table.refuse(
                f"A new character may have {most} special ability at this table, and {len(self.special)} were named."
            )
        if len(set(self.special)) < len(self.special):
            table.refuse("A special ability is taken once. Name different ones.")
        if self.skills and (len(self.skills) != 2 or len(set(self.skills)) != 2):
            table.refuse(
                f"A new character has two different skills, and {len(self.skills)} were named: {', '.join(self.skills)}."
            )
        special = [skill for skill in self.skills if not SKILLS[skill].is_basic]
        if special and self.method == STANDARD:
            table.refuse(
                f"With 7 points the two skills are basic ones, and {special[0]} is not. With --method {ALTERNATE} there are "
                f"6 points and any two skills."
            )

    def _make(self, table: Table, who: str) -> None:
        table.record(events.TraitGained(character=who, trait=self.method, kind=METHOD))
        for special in self.special:
            table.record(events.TraitGained(character=who, trait=special, kind=SPECIAL))
        if self.points:
            spread_points(table, who, self.points)
        else:
            table.record(events.ChoiceOffered(character=who, choice=POINTS, reason=f"{budget(table, who)} points"))
        offer_start_skills(table, who, BASICS if self.method == STANDARD else tuple(SKILLS))
        for place, skill in enumerate(self.skills, 1):
            pick_skill(table, who, f"start-skill-{place}", skill)

    def _equip(self, table: Table, who: str) -> None:
        if self.armour != "none":
            name = ARMOURS[self.armour].name
            table.record(events.GearGained(character=who, item=name, use=f"armour:{self.armour}"))
        if self.weapon:
            name = CLASSES[self.weapon].name
            table.record(events.GearGained(character=who, item=name, use=f"weapon:{self.weapon}"))

    def _enter_numbers(self, table: Table, who: str, stats: Mapping[str, int]) -> None:
        for stat, value in ({ARMOUR_CLASS: self.ac, SPEED_BASE: self.speed} | dict(stats)).items():
            if value:
                table.record(events.StatChanged(character=who, stat=stat, amount=value, reason="as entered"))
        if self.hp:
            missing = self.hp - max_hp(table.character(who))
            table.record(events.StatChanged(character=who, stat=MAX_HP, amount=missing, reason="as entered"))
