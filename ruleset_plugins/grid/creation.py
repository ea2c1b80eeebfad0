"""Creation of characters: a class and its numbers, gear, a side and a square; the two published ones (R4.4–R4.10)."""

from collections.abc import Mapping
from typing import ClassVar

from rollbook.kit import data, equipment, open_choices, sides, squares, stat_entry, verbs, vocabulary
from rollbook.plugin import Character, Table, amounts, choice, choices, events, flag, names, number
from rollbook.rulesets.grid import stats
from rollbook.rulesets.grid.armour import ARMOURS, SHIELDS
from rollbook.rulesets.grid.hands import check_place, check_trained
from rollbook.rulesets.grid.hit_points import character_changed
from rollbook.rulesets.grid.movement import check_free
from rollbook.rulesets.grid.settings import Settings
from rollbook.rulesets.grid.weapons import CARRIED, OFF, SHEATH, WEAPONS, Weapon, supply, use_of


class Join(verbs.JoinAction):
    """Make a character: a class, six bonuses, weapons and armour; or a monster with the numbers that it needs."""

    stat_block: ClassVar[Mapping[str, str]] = {**verbs.JoinAction.stat_block, "scores": "modifiers"}
    questions: ClassVar[Mapping[str, tuple[str, ...]]] = {
        "pc": ("name", "class_name", "scores", "weapon", "off_hand", "sheath", "shield", "armour", "seat", "at"),
        "npc": ("name", "class_name", "side", "hp", "weapon", "shield", "armour", "at"),
        "monster": ("name", "hp", "ac", "attack", "damage", "speed", "scores", "side", "at"),
        "hireling": ("name", "class_name", "hp", "weapon", "armour", "at"),
        "thing": ("name", "hp", "ac", "at"),
    }

    class_name: str = choice("their class; a player character's may stay open", ("", *stats.CLASSES), default="")
    scores: tuple[str, ...] = names(
        "what STR, DEX, CON, INT, WIS and CHA add to rolls; not given, what is usual for the class", default=()
    )
    weapon: str = choice("what they hold in the usual grip", ("", *CARRIED), default="")
    off_hand: str = choice("a weapon in the other hand", ("", *CARRIED), default="")
    sheath: str = choice("a weapon in the sheath", ("", *CARRIED), default="")
    shield: str = choice("what is on their arm", ("", *SHIELDS), default="")
    armour: str = choice("what they wear", tuple(ARMOURS), default="none")
    skills: tuple[str, ...] = choices("skills they know besides those of the class", tuple(stats.SKILLS), default=())
    side: str = choice(
        "whom they fight for; usually party, monsters foes, NPCs neither", ("", *sides.SIDES), default=""
    )
    hp: int = number(
        "hit points as entered, on top of a class's", default=0, minimum=0, maximum=100_000, several=verbs.HP_EACH
    )
    ac: int = number("armour class as entered, instead of what follows from gear", default=0, minimum=0, maximum=100)
    attack: int = number("what is added to attacks, on top of a class's", default=0, minimum=-100, maximum=100)
    damage: int = number(
        "what is added to damage; the dice are the weapon's, as in --weapon sword, or give WHO claws --use weapon:dagger",
        default=0,
        minimum=-100,
        maximum=1_000,
    )
    speed: int = number("feet a move as entered", default=0, minimum=0, maximum=10_000, unit="feet")
    at: tuple[str, ...] = names(
        "their square on the map, east and north as in 3,4; several stand in a row to the east", default=()
    )
    stats: Mapping[str, int] = amounts(
        "further numbers on the sheet, as fort=2 or will=1", default={}, of=vocabulary.STAT
    )

    def resolve(self, table: Table) -> None:
        numbers = stat_entry.checked_stats(table, self.stats, (*stats.ENTERED, *stats.SKILLS))
        bonuses = stat_entry.parse_scores(table, self.scores, stats.STATS, what="Bonuses") if self.scores else {}
        self._check(table)
        who = self.enter(table)
        for stat, amount in bonuses.items():
            stat_entry.set_to(table, who, stat, amount, reason="creation")
        if self.class_name:
            take_class(table, who, self.class_name)
        elif self.is_player_character:
            offer_class(table, who)
        entered = {
            stats.MAX_HP: self.hp,
            stats.ARMOUR_CLASS: self.ac,
            stats.ATTACK: self.attack,
            stats.DAMAGE: self.damage,
            stats.SPEED: self.speed,
        }
        for stat, amount in (entered | numbers).items():
            if amount:
                stat_entry.set_to(table, who, stat, amount)
        for skill in dict.fromkeys(self.skills):
            table.record(events.TraitGained(character=who, trait=skill, kind=stats.TRAINED))
        self._equip(table, who)
        self.arrived(table, who)

    def arrived(self, table: Table, who: str) -> None:
        """Newcomers take a side and a square."""
        if self.side:
            sides.take(table, who, self.side)
        if self.at:
            square = squares.parse(table, self.at)
            check_free(table, table.character(who), square)
            squares.put(table, who, square)

    def _check(self, table: Table) -> None:
        if not self.class_name and not self.hp and not self.is_player_character:
            table.refuse(
                f"{self.name} needs hit points: --hp NUMBER, or a class with --class-name.", "hp", instead="class_name"
            )
        if self.shield and self.off_hand:
            table.refuse("A shield and a second weapon want the same hand. Leave one of them out.", "off_hand")

    def _equip(self, table: Table, who: str) -> None:
        """Armour and shield first: a hand with a shield in it is full (Q4.44)."""
        for key, sort, rows in ((self.armour, equipment.ARMOUR, ARMOURS), (self.shield, equipment.SHIELD, SHIELDS)):
            if key and key != "none":
                row = rows[key]
                check_trained(table, table.character(who), row.name, row.classes)
                table.record(events.GearGained(character=who, item=row.name, use=(sort, key)))
        for key, place in ((self.weapon, ""), (self.off_hand, OFF), (self.sheath, SHEATH)):
            if key:
                arm(table, who, key, place)


def arm(table: Table, name: str, key: str, place: str = "") -> None:
    """Give a newcomer a weapon, and its ammunition (R4.51)."""
    row = WEAPONS[key]
    who = table.character(name)
    names = (row.name, f"second {row.name}", f"third {row.name}")
    item = next((each for each in names if each not in who.gear), names[-1])
    weapon = Weapon(item, row, place or row.usual_grip)
    check_place(table, who, weapon, weapon.place)
    check_trained(table, who, row.name, row.classes)
    table.record(events.GearGained(character=name, item=item, use=use_of(key, weapon.place)))
    if row.ammunition:
        supply(table, name, row.ammunition)


def offer_class(table: Table, name: str) -> None:
    """The class is still to be chosen."""
    open_choices.offer(table, name, stats.CLASS, stats.CLASSES, reason="creation")


def take_class(table: Table, name: str, chosen: str) -> None:
    """Give a character a class; bonuses that were not entered are the usual ones (R4.4)."""
    row = stats.profession(chosen, Settings.of(table))
    table.record(events.TraitGained(character=name, trait=chosen, kind=stats.CLASS))
    if not any(stat in table.character(name).stats for stat in stats.STATS):
        for stat, amount in zip(stats.STATS, row.usual, strict=True):
            stat_entry.set_to(table, name, stat, amount, reason=f"usual for a {chosen}")


STOOD_IN = {stats.MAX_HP: "max_hp_for_now", stats.ATTACK: "attack_for_now"}
"""Numbers of newcomers from other games that serve until a class is chosen, and the stats that say how much of each does."""


def _choose_class(table: Table, who: Character, choice: str, picked: str) -> None:  # noqa: ARG001 - there is one choice
    """The class replaces the numbers that served until now."""
    if picked not in stats.CLASSES or stats.class_name(who):
        return
    for stat, standing in STOOD_IN.items():
        amount = min(who.stats.get(standing, 0), max(who.stats.get(stat, 0), 0))
        stat_entry.add(table, who.id, {stat: -amount, standing: -amount}, reason="the class decides")
    take_class(table, who.id, picked)
    character_changed(table, who)


Choose = verbs.choose_verb(
    {stats.CLASS: _choose_class}, help="Make an open choice: the class of a character without one."
)


class Published(data.Row):
    """A character of the rulebook's examples, with numbers that fit all of them (R4.10, Q4.1)."""

    name: str
    class_name: str
    bonuses: tuple[int, ...]
    weapon: str
    shield: str = ""
    armour: str = "none"
    printed_ac: int = 0


PUBLISHED = data.by_key(__package__, "samples.json", Published)


def _enter_published(
    table: Table, row: Published, newcomer: verbs.Newcomer, *, side: str, at: tuple[str, ...], by_formula: bool
) -> None:
    Join(
        name=newcomer.name or row.name,
        id=newcomer.id,
        kind=newcomer.kind,
        seat=newcomer.seat,
        class_name=row.class_name,
        scores=tuple(map(str, row.bonuses)),
        weapon=row.weapon,
        shield=row.shield,
        armour=row.armour,
        ac=0 if by_formula else row.printed_ac,
        side=side,
        at=at,
    ).resolve(table)


BringIn = verbs.bring_in_verb(
    PUBLISHED,
    _enter_published,
    help="Bring in one of the rulebook's own two: Steve the fighter or Jeff the wizard.",
    fields={
        "side": choice("whom they fight for", ("", *sides.SIDES), default=""),
        "at": names("their square on the map, east and north as in 3,4", default=()),
        "by_formula": flag("armour class follows from Dexterity, not from the number in the example (Q4.2)"),
    },
)
