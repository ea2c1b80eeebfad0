"""Making characters: a class and what it brings, bonuses, gear, a side and a square (R4.4–R4.10)."""

from __future__ import annotations

from collections.abc import Mapping
from typing import ClassVar

import attrs

from ruleset_plugins import (
    ARMOUR,
    SHIELD,
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
    set_number,
    words,
)
from ruleset_plugins.grid.armour import ARMOURS, SHIELDS
from ruleset_plugins.grid.classes import CLASS, CLASSES, profession
from ruleset_plugins.grid.hands import check_place, check_trained
from ruleset_plugins.grid.moving import check_free, put, square_of
from ruleset_plugins.grid.settings import house
from ruleset_plugins.grid.shots import supply
from ruleset_plugins.grid.sides import SIDES, take_side
from ruleset_plugins.grid.skills import SKILLS, TRAINED
from ruleset_plugins.grid.stats import ARMOUR_CLASS, ATTACK, DAMAGE, ENTERED, MAX_HP, SPEED, STATS
from ruleset_plugins.grid.weapons import CARRIED, OFF, SHEATH, WEAPONS, Held, use_of


@attrs.frozen(kw_only=True)
class Join(Action):
    """Make a character: a class, six bonuses, weapons and armour; or a monster with the numbers that it needs."""

    verb: ClassVar[str] = "join"
    gm_only: ClassVar[bool] = True
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("name", "class_name", "scores", "weapon", "off_hand", "sheath", "shield", "armour", "seat", "at"),
        "npc": ("name", "class_name", "side", "hp", "weapon", "shield", "armour", "at"),
        "monster": ("name", "hp", "ac", "attack", "damage", "speed", "scores", "side", "at"),
        "hireling": ("name", "class_name", "hp", "weapon", "armour", "at"),
        "thing": ("name", "hp", "ac", "at"),
    }

    name: str = words("the character's name")
    id: str = words("what the character is called in commands", default="")
    kind: str = choice("what sort of somebody", tuple(Kind), default=Kind.PLAYER_CHARACTER.value)
    seat: str = seat("who plays the character", default="")
    class_name: str = choice(
        "their class; a player character's stays open if it is not said", ("", *CLASSES), default=""
    )
    scores: tuple[str, ...] = names(
        "what STR, DEX, CON, INT, WIS and CHA add to rolls; not given, what is usual for the class", default=()
    )
    weapon: str = choice("what they hold in the usual grip", ("", *CARRIED), default="")
    off_hand: str = choice("a weapon in the other hand", ("", *CARRIED), default="")
    sheath: str = choice("a weapon in the sheath", ("", *CARRIED), default="")
    shield: str = choice("what is on their arm", ("", *SHIELDS), default="")
    armour: str = choice("what they wear", tuple(ARMOURS), default="none")
    skills: tuple[str, ...] = choices(
        "skills they are trained in besides those of the class", tuple(SKILLS), default=()
    )
    side: str = choice("whom they fight for; usually party, monsters foes, NPCs neither", ("", *SIDES), default="")
    hp: int = number("hit points as entered, on top of a class's", default=0, minimum=0, maximum=100_000)
    ac: int = number("armour class as entered, instead of what follows from gear", default=0, minimum=0, maximum=100)
    attack: int = number("what is added to attacks, on top of a class's", default=0, minimum=-100, maximum=100)
    damage: int = number("what is added to damage", default=0, minimum=-100, maximum=1_000)
    speed: int = number("feet a move as entered", default=0, minimum=0, maximum=10_000, unit="feet")
    at: tuple[str, ...] = names("their square on the map, east and north as in 3,4", default=())
    stats: tuple[str, ...] = names("further numbers on the sheet, as fort=2 or will=1", default=())

    def resolve(self, table: Table) -> None:
        """The class and what it decides, then gear, a side, and a square."""
        numbers = entered(table, self.stats, (*ENTERED, *SKILLS))
        bonuses = in_order(table, self.scores, STATS, what="Bonuses") if self.scores else {}
        self._check(table)
        who = enter(table, name=self.name, id=self.id, kind=self.kind, seat=self.seat)
        for stat, amount in bonuses.items():
            set_number(table, who, stat, amount, reason="creation")
        self._take_class(table, who)
        for stat, amount in (self._numbers | numbers).items():
            if amount:
                set_number(table, who, stat, amount)
        for skill in dict.fromkeys(self.skills):
            table.record(events.TraitGained(character=who, trait=skill, kind=TRAINED))
        self._equip(table, who)
        if self.side:
            take_side(table, who, self.side)
        if self.at:
            square = square_of(table, self.at)
            check_free(table, table.character(who), square)
            put(table, who, square)

    @property
    def _numbers(self) -> dict[str, int]:
        return {MAX_HP: self.hp, ARMOUR_CLASS: self.ac, ATTACK: self.attack, DAMAGE: self.damage, SPEED: self.speed}

    def _check(self, table: Table) -> None:
        if not self.class_name and not self.hp and self.kind != Kind.PLAYER_CHARACTER:
            table.refuse(f"{self.name} needs hit points: --hp NUMBER, or a class with --class-name.")
        if self.shield and self.off_hand:
            table.refuse("A shield and a second weapon want the same hand. Leave one of them out.")

    def _take_class(self, table: Table, who: str) -> None:
        if self.class_name:
            take_class(table, who, self.class_name)
        elif self.kind == Kind.PLAYER_CHARACTER:
            offer_class(table, who)

    def _equip(self, table: Table, who: str) -> None:
        """Armour and shield first: a hand with a shield in it is full (Q4.44)."""
        for key, sort, rows in ((self.armour, ARMOUR, ARMOURS), (self.shield, SHIELD, SHIELDS)):
            if key and key != "none":
                row = rows[key]
                check_trained(table, table.character(who), row.name, row.classes)
                table.record(events.GearGained(character=who, item=row.name, use=f"{sort}:{key}"))
        for key, place in ((self.weapon, ""), (self.off_hand, OFF), (self.sheath, SHEATH)):
            if key:
                arm(table, who, key, place)


def arm(table: Table, name: str, key: str, place: str = "") -> None:
    """Somebody comes with a weapon, and with something to shoot if it shoots (R4.51)."""
    row = WEAPONS[key]
    who = table.character(name)
    item = row.name if row.name not in who.gear else f"second {row.name}"
    if item in who.gear:
        item = f"third {row.name}"
    weapon = Held(item, row, place or row.usual_grip)
    check_place(table, who, weapon, weapon.place)
    check_trained(table, who, row.name, row.classes)
    table.record(events.GearGained(character=name, item=item, use=use_of(key, weapon.place)))
    if row.ammunition:
        supply(table, name, row.ammunition)


def offer_class(table: Table, name: str) -> None:
    """The class is still to be chosen."""
    table.record(events.ChoiceOffered(character=name, choice=CLASS, options=CLASSES, reason="creation"))


def take_class(table: Table, name: str, chosen: str) -> None:
    """Somebody has this class from here on; bonuses that nobody gave are those that are usual for it (R4.4)."""
    row = profession(chosen, house(table))
    table.record(events.TraitGained(character=name, trait=chosen, kind=CLASS))
    if not any(stat in table.character(name).stats for stat in STATS):
        for stat, amount in zip(STATS, row.usual, strict=True):
            set_number(table, name, stat, amount, reason=f"usual for a {chosen}")
